/*
 * How the lanes of the focused warp have parted, as its divergence model has it: a reconvergence
 * stack, or paths that wait and convergence barrier registers.
 */
#include "inspect/screen/view.h"
#include "inspect/session/paths.h"
#include "sim/base/call_frames.h"
#include "sim/base/meeting_text.h"

#include <string.h>

typedef struct {
    const WsView *view;
    WsWarpPlace place;
    WsLaneStates states;
    guint size;
    WsGrid *grid;
    const WsRectangle *in;
    guint row;
} Drawing;

static char *source_place(const WsView *view, guint32 instruction)
{
    guint32 file;
    guint line;

    if (!ws_listing_line(view->listings, WS_PANE_SOURCE, instruction, &file, &line))
        return g_strdup("no line");
    if (file == view->file)
        return g_strdup_printf("line %u", line + 1);
    g_autofree char *base = g_path_get_basename(view->program->files[file]);
    return g_strdup_printf("%s:%u", base, line + 1);
}

/* Below a row: where a place in an inlined function is called. */
static void draw_calls(Drawing *drawing, guint32 instruction)
{
    const WsProgram *program = drawing->view->program;
    g_autofree char *place = ws_framed_instruction_place(program, instruction, FALSE);

    if (strstr(place, ", called") != NULL)
        ws_grid_put(drawing->grid, drawing->in, drawing->row++, 2, WS_LOOK_DIM, place);
}

/* A row of lanes, and what is said of them. */
static void draw_row(Drawing *drawing, const char *label, gboolean top, guint64 lanes,
                     const char *text)
{
    WsLook look = top ? WS_LOOK_HERE : WS_LOOK_PLAIN;
    guint column = ws_grid_put(drawing->grid, drawing->in, drawing->row, 0, look, label);

    column = ws_draw_lanes(drawing->grid, drawing->in, drawing->row, column, &drawing->states,
                           drawing->size, lanes);
    ws_grid_put(drawing->grid, drawing->in, drawing->row++, column + 1, look, text);
}

static void draw_heading(Drawing *drawing, const char *text)
{
    ws_grid_put(drawing->grid, drawing->in, drawing->row++, 0, WS_LOOK_STRONG, text);
}

static void draw_stack(Drawing *drawing)
{
    WsStackEntry entries[WS_MAX_STACK];
    guint count = ws_warp_stack(drawing->place.sm, drawing->place.slot, entries);

    draw_heading(drawing, "Reconvergence stack, top first");
    ws_grid_printf(drawing->grid, drawing->in, drawing->row++, 0, WS_LOOK_DIM, "  %-*s %s",
                   (int)drawing->size, "lanes", "at   meet");
    for (guint i = 0; i < count; i++) {
        g_autofree char *join = entries[i].stop == WS_NOWHERE
                                    ? NULL
                                    : ws_meeting_name(drawing->view->program, entries[i].stop);
        g_autofree char *place = source_place(drawing->view, entries[i].pc);
        g_autofree char *stop =
            entries[i].stop == WS_NOWHERE
                ? g_strdup("-   ")
                : g_strdup_printf("%04x", entries[i].stop * WS_INSTRUCTION_BYTES);
        g_autofree char *text =
            g_strdup_printf("%04x %s %s%s%s", entries[i].pc * WS_INSTRUCTION_BYTES, stop, place,
                            join != NULL ? ", until the " : "", join != NULL ? join : "");

        draw_row(drawing, i == 0 && drawing->states.active != 0 ? "> " : "  ", i == 0,
                 entries[i].lanes, text);
        draw_calls(drawing, entries[i].pc);
    }
    if (count == 0)
        ws_grid_put(drawing->grid, drawing->in, drawing->row++, 2, WS_LOOK_DIM, "empty");
}

/* "waits at the end of the while (line 10)", "waits in BSYNC B0", "set aside". */
static char *how_text(const WsView *view, const WsLanesAt *path)
{
    static const char *const ends[] = {", to resume at", " to resume at", " at"};
    const char *how = path->how != NULL ? path->how : "";
    gsize length = strlen(how);

    if (path->at_join) {
        g_autofree char *join = ws_meeting_name(view->program, path->pc - 1);
        g_autofree char *line = ws_instruction_line(view->listings, path->pc - 1);

        if (join != NULL)
            return g_strdup_printf("waits at the %s", join);
        return g_strdup_printf("waits in %s", line + strcspn(line, " ") + 1);
    }
    for (guint i = 0; i < G_N_ELEMENTS(ends); i++)
        if (g_str_has_suffix(how, ends[i])) {
            length -= strlen(ends[i]);
            break;
        }
    return g_strndup(how, length);
}

static void draw_path(Drawing *drawing, gboolean runs, const WsLanesAt *path)
{
    g_autofree char *how = runs ? g_strdup("runs") : how_text(drawing->view, path);
    g_autofree char *place = source_place(drawing->view, path->pc);
    g_autofree char *text =
        g_strdup_printf("%04x %s, %s", path->pc * WS_INSTRUCTION_BYTES, place, how);

    draw_row(drawing, runs ? "> " : "  ", runs, path->lanes, text);
    draw_calls(drawing, path->pc);
}

static void draw_waiting(Drawing *drawing)
{
    const WsSm *sm = drawing->place.sm;
    const WsWarp *warp = &sm->state->warps[drawing->place.slot];
    WsLanesAt others[WS_MAX_PATHS];
    guint count = sm->context->divergence->waiting(ws_sm_path_state(sm, drawing->place.slot),
                                                   &warp->path, others);

    draw_heading(drawing, "Paths: the running one, then the waiting ones");
    if (drawing->states.active != 0)
        draw_path(drawing, TRUE,
                  &(WsLanesAt){.lanes = drawing->states.active, .pc = warp->path.pc});
    for (guint i = count; i-- > 0;) /* the latest first, which runs next */
        draw_path(drawing, FALSE, &others[i]);
}

static void draw_barriers(Drawing *drawing)
{
    g_autoptr(GArray) groups = ws_warp_convergence(drawing->place.sm, drawing->place.slot);
    guint32 used = 0;

    draw_heading(drawing, "Convergence barrier registers");
    for (guint i = 0; i < groups->len; i++) {
        const WsConvergenceGroup *group = &g_array_index(groups, WsConvergenceGroup, i);
        g_autofree char *label = g_strdup_printf("B%-2u ", group->barrier);

        g_autofree char *name = ws_convergence_name(drawing->place.sm, drawing->place.slot,
                                                    group->barrier, group->lanes);

        used |= 1u << group->barrier;
        draw_row(drawing, label, FALSE, group->lanes, name != NULL ? name : "");
    }
    g_autoptr(GString) empty = g_string_new(NULL);
    for (guint i = 0; i < WS_CONVERGENCE_BARRIERS; i++) {
        guint last = i;

        if (used >> i & 1)
            continue;
        while (last + 1 < WS_CONVERGENCE_BARRIERS && !(used >> (last + 1) & 1))
            last++;
        g_string_append_printf(empty, last > i ? "%sB%u..B%u" : "%sB%u",
                               empty->len != 0 ? ", " : "", i, last);
        i = last;
    }
    ws_grid_printf(drawing->grid, drawing->in, drawing->row++, 0, WS_LOOK_DIM, "%s hold no lanes",
                   empty->str);
}

void ws_draw_paths(const WsView *view, WsPane pane, WsGrid *grid, const WsRectangle *in)
{
    Drawing drawing = {
        .view = view, .place = ws_session_place(view->session), .grid = grid, .in = in};

    if (drawing.place.sm == NULL) {
        ws_grid_put(grid, in, 0, 1, WS_LOOK_DIM, "The warp is not resident.");
        return;
    }
    drawing.size = drawing.place.sm->context->decoded->warp_size;
    ws_lane_states(drawing.place.sm, drawing.place.slot, &drawing.states);
    if (ws_has_stack(drawing.place.sm)) {
        draw_stack(&drawing);
        return;
    }
    draw_waiting(&drawing);
    if (ws_has_convergence(drawing.place.sm))
        draw_barriers(&drawing);
    else
        draw_heading(&drawing, "No convergence barriers in this model");
}
