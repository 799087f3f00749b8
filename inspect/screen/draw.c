/* The whole screen: a row on where one is, the panes, a row of messages. */
#include <string.h>

#include "inspect/screen/screen_private.h"
#include "inspect/session/selected_frame.h"
#include "sim/base/call_frames.h"

enum { LEAST_HISTORY = 64 };

static void draw_pane(const WsView *view, WsPane pane, WsGrid *grid, const WsRectangle *in)
{
    static void (*const draw[])(const WsView *, WsPane, WsGrid *, const WsRectangle *) = {
#define PANE(name, draw, ...) ws_draw_##draw,
#include "inspect/screen/panes.def"
#undef PANE
    };

    draw[pane](view, pane, grid, in);
}

/* ---- titles -------------------------------------------------------------------------------------
 */

/*
 * The function that was selected; else where the warp is in an inlined one, its place and the
 * calls; else the file that is shown.
 */
static char *source_title(const WsView *view)
{
    guint number = ws_session_frame(view->session);
    g_autoptr(GArray) frames = number != 0 ? ws_session_frames(view->session) : NULL;
    guint32 pc, file;
    guint line;

    if (frames != NULL && number < frames->len) {
        g_autofree char *name = ws_call_frame_name(view->program, frames, number);

        return g_strdup_printf("#%u %s", number, name);
    }
    if (ws_view_instruction(view, &pc) &&
        ws_listing_line(view->listings, WS_PANE_SOURCE, pc, &file, &line) && file == view->file) {
        g_autofree char *place = ws_framed_instruction_place(view->program, pc, FALSE);

        if (strstr(place, ", called") != NULL)
            return g_steal_pointer(&place);
    }
    return g_path_get_basename(view->program->files[view->file]);
}

static void draw_title(const WsView *view, WsPane pane, WsGrid *grid, const WsRectangle *at)
{
    WsLook look = view->active == pane ? WS_LOOK_BAR_ACTIVE : WS_LOOK_BAR;
    guint column;

    ws_grid_fill(grid, at, 0, look);
    column = ws_grid_printf(grid, at, 0, 1, look, "%s", ws_pane_title(pane));
    if (pane == WS_PANE_SOURCE && view->file != 0) {
        g_autofree char *name = source_title(view);

        ws_grid_put(grid, at, 0, column + 1, look, name);
    } else if (pane == WS_PANE_WARPS || pane == WS_PANE_SUB_CORES || pane == WS_PANE_MACHINE) {
        ws_grid_printf(grid, at, 0, column + 1, look, "of SM %u", view->sm);
    } else if (pane == WS_PANE_LANES || pane == WS_PANE_PATHS || pane == WS_PANE_WATCHED) {
        const WsFocus *focus = ws_session_focus(view->session);

        column = ws_grid_printf(grid, at, 0, column + 1, look, "of block %u warp %u", focus->block,
                                focus->warp);
        if (pane == WS_PANE_WATCHED)
            ws_grid_printf(grid, at, 0, column, look, " lane %u", focus->lane);
    }
}

/* The panes of an area that do not fit, behind its last title. */
static void draw_hidden(const WsView *view, const WsLayout *layout, guint missing, WsPane last,
                        WsGrid *grid)
{
    const WsRectangle *at = &layout->panes[last];
    g_autoptr(GString) names = g_string_new(NULL);
    guint columns, ends[WS_PANE_COUNT] = {0};

    for (guint i = 0; i < WS_PANE_COUNT; i++)
        if (ws_pane_area((WsPane)i) == ws_pane_area(last) && !layout->shown[i] &&
            !(missing >> i & 1)) {
            g_string_append_printf(names, " [%s]", ws_pane_title((WsPane)i));
            ends[i] = (guint)names->len;
        }
    columns = (guint)names->len;
    if (columns == 0 || columns >= at->columns)
        return;
    ws_grid_put(grid, at, 0, at->columns - columns,
                view->active == last ? WS_LOOK_BAR_ACTIVE : WS_LOOK_BAR, names->str);
    for (guint i = 0; i < WS_PANE_COUNT; i++)
        if (ends[i] != 0) {
            guint width = (guint)strlen(ws_pane_title((WsPane)i)) + 2;

            ws_grid_target(grid, at, 0, at->columns - columns + ends[i] - width, width, i);
        }
}

/* ---- own rows -----------------------------------------------------------------------------------
 */

static void draw_place(const WsView *view, WsGrid *grid, const WsRectangle *all)
{
    WsWarpPlace place = ws_session_place(view->session);
    const WsFocus *focus = ws_session_focus(view->session);
    const WsJob *job = ws_session_job(view->session);
    guint32 launch = ws_simulation_launch(ws_timeline_simulation(view->timeline));
    guint64 end = ws_timeline_end(view->timeline);
    guint column;

    column = ws_grid_printf(grid, all, 0, 0, WS_LOOK_STRONG, "cycle %" G_GUINT64_FORMAT,
                            ws_timeline_cycle(view->timeline));
    if (end != WS_NEVER)
        column = ws_grid_printf(grid, all, 0, column, WS_LOOK_PLAIN, " of %" G_GUINT64_FORMAT, end);
    column = ws_grid_printf(grid, all, 0, column, WS_LOOK_PLAIN, "  %s",
                            job->launches[launch].kernel->display_name);
    if (job->launch_count > 1)
        column = ws_grid_printf(grid, all, 0, column, WS_LOOK_PLAIN, " (launch %u of %u)",
                                launch + 1, job->launch_count);
    column = ws_grid_printf(grid, all, 0, column, WS_LOOK_FOCUS, "  block %u warp %u lane %u",
                            focus->block, focus->warp, focus->lane);
    if (place.sm == NULL) {
        ws_grid_put(grid, all, 0, column, WS_LOOK_PLAIN, ", not resident");
        return;
    }
    column = ws_grid_printf(grid, all, 0, column, WS_LOOK_PLAIN,
                            " on SM %u slot %u: ", place.sm->number, place.slot);
    ws_grid_put(grid, all, 0, column, ws_look_of_stall(ws_view_stall(view, place.sm, place.slot)),
                ws_stall_name(ws_view_stall(view, place.sm, place.slot)));
}

static gboolean draw_last_row(WsScreen *screen, WsGrid *grid, const WsRectangle *all,
                              guint *ret_column)
{
    static const char help[] = " ? help  q quit";
    guint row = all->rows - 1, column;
    guint32 room = all->columns - MIN(all->columns, (guint)sizeof help - 1);

    if (screen->prompt != NULL) {
        column = ws_grid_put(grid, all, row, 0, WS_LOOK_STRONG, ws_prompt_label(screen->prompt));
        *ret_column = ws_grid_put(grid, all, row, column, WS_LOOK_PLAIN, screen->typed->str);
        *ret_column = MIN(*ret_column, all->columns - 1);
        return TRUE;
    }
    if (screen->count != 0)
        ws_grid_printf(grid, all, row, 0, WS_LOOK_STRONG, "%" G_GUINT64_FORMAT, screen->count);
    else if (screen->message != NULL)
        ws_grid_put(grid, all, row, 0, screen->message_look, screen->message);
    if (screen->count != 0 || screen->message == NULL || ws_text_columns(screen->message) <= room)
        ws_grid_put(grid, all, row, room, WS_LOOK_DIM, help);
    return FALSE;
}

static void draw_page(const WsScreen *screen, WsGrid *grid, const WsRectangle *all)
{
    guint rows = all->rows - 3;
    guint first = MIN(screen->page_first, screen->page_count - MIN(screen->page_count, rows));

    ws_grid_fill(grid, all, 1, WS_LOOK_BAR_ACTIVE);
    ws_grid_printf(grid, all, 1, 1, WS_LOOK_BAR_ACTIVE, "%s", screen->page_title);
    if (screen->page_count > rows) {
        g_autofree char *where =
            g_strdup_printf("arrows, space scroll: %u to %u of %u ", first + 1,
                            MIN(first + rows, screen->page_count), screen->page_count);

        ws_grid_put(grid, all, 1, all->columns - MIN(all->columns, (guint)strlen(where)),
                    WS_LOOK_BAR_ACTIVE, where);
    }
    for (guint i = 0; i < rows && first + i < screen->page_count; i++)
        ws_grid_put(grid, all, 2 + i, 1, WS_LOOK_PLAIN, screen->page[first + i]);
    ws_grid_put(grid, all, all->rows - 1, 0, WS_LOOK_DIM, "any other key goes back");
}

/* ---- all of it ----------------------------------------------------------------------------------
 */

/* What the strip and the sub-cores show is looked up. */
static void look_up(WsScreen *screen, const WsLayout *layout)
{
    WsView *view = &screen->view;
    guint64 now = ws_timeline_cycle(view->timeline), back = LEAST_HISTORY;
    GError *error = NULL;

    if (layout->shown[WS_PANE_STRIP])
        back = MAX(back, view->per_column * ws_strip_cycles(layout->panes[WS_PANE_STRIP].columns));
    if (!ws_history_reach(view->history, view->sm, now - MIN(now, back), now + 1, &error))
        ws_screen_say_error(screen, error);
}

static void draw_separators(const WsLayout *layout, WsGrid *grid)
{
    for (guint i = 0; i < WS_PANE_COUNT; i++) {
        const WsRectangle *at = &layout->panes[i];

        for (guint row = 0; layout->shown[i] && at->column > 0 && row < at->rows; row++)
            *ws_grid_cell(grid, at->row + row, at->column - 1) =
                (WsCell){row == 0 ? ' ' : '|', WS_LOOK_DIM};
    }
}

gboolean ws_screen_draw(WsScreen *screen, WsGrid *grid, guint *ret_row, guint *ret_column)
{
    WsView *view = &screen->view;
    WsRectangle all = {0, 0, grid->rows, grid->columns};
    guint32 slots[WS_MAX_WARP_SLOTS];
    guint focus, missing = 0;
    WsLayout layout;

    if (ws_listing(view->listings, WS_PANE_PTX, 0)->count == 0)
        missing |= 1u << WS_PANE_PTX;
    if (view->active != WS_PANE_MACHINE)
        missing |= 1u << WS_PANE_MACHINE;
    view->has_watched =
        screen->interpreter != NULL && ws_interpreter_display_count(screen->interpreter) != 0;
    if (!view->has_watched)
        missing |= 1u << WS_PANE_WATCHED;
    ws_layout(grid->rows, grid->columns, view->active, view->zoomed,
              ws_view_warps(view, slots, &focus), ws_source_columns(view), missing, &layout);
    screen->rows = grid->rows;
    screen->columns = grid->columns;
    *ret_row = all.rows - 1;
    if (!layout.fits) {
        ws_grid_printf(grid, &all, 0, 0, WS_LOOK_ALERT, "%u x %u is too small: %u x %u are needed",
                       grid->columns, grid->rows, WS_LEAST_COLUMNS, WS_LEAST_ROWS);
        return FALSE;
    }
    screen->layout = layout;
    if (layout.shown[WS_PANE_WATCHED])
        ws_screen_watch(screen, layout.panes[WS_PANE_WATCHED].columns);
    look_up(screen, &layout);
    draw_place(view, grid, &all);
    if (screen->page != NULL) {
        draw_page(screen, grid, &all);
        return FALSE;
    }
    for (guint i = 0; i < WS_PANE_COUNT; i++) {
        WsRectangle body = layout.panes[i];

        if (!layout.shown[i])
            continue;
        draw_title(view, (WsPane)i, grid, &layout.panes[i]);
        body.row++;
        body.rows--;
        draw_pane(view, (WsPane)i, grid, &body);
        if (!view->zoomed && body.column + body.columns == grid->columns)
            draw_hidden(view, &layout, missing, (WsPane)i, grid);
    }
    draw_separators(&layout, grid);
    g_array_unref(screen->targets);
    screen->targets = g_array_ref(grid->targets);
    return draw_last_row(screen, grid, &all, ret_column);
}
