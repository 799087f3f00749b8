/* A listing of the program, with where the focused warp is. */
#include "inspect/screen/view.h"

/* What stands in front of a line. */
typedef struct {
    gboolean here, waiting, others, breaks, disabled;
} Marks;

/* The line of an instruction in what is shown. */
static gboolean line_of(const WsView *view, WsPane pane, guint32 instruction, guint *ret)
{
    guint32 file;

    return ws_listing_line(view->listings, pane, instruction, &file, ret) &&
           (pane != WS_PANE_SOURCE || file == view->file);
}

static gboolean is_at(const WsView *view, WsPane pane, guint32 instruction, guint line)
{
    guint at;

    return line_of(view, pane, instruction, &at) && at == line;
}

static void mark_warps(const WsView *view, WsPane pane, guint line, Marks *marks)
{
    WsWarpPlace focus = ws_session_place(view->session);
    guint32 slots[WS_MAX_WARP_SLOTS], pc;
    guint number, count = ws_view_warps(view, slots, &number);
    WsLanesAt others[WS_MAX_PATHS];

    if (ws_view_instruction(view, &pc)) {
        const WsWarp *warp = &focus.sm->state->warps[focus.slot];
        guint paths = focus.sm->context->divergence->waiting(ws_sm_path_state(focus.sm, focus.slot),
                                                             &warp->path, others);

        marks->here = is_at(view, pane, pc, line);
        for (guint i = 0; i < paths && !marks->waiting; i++)
            marks->waiting = is_at(view, pane, others[i].pc, line);
    }
    for (guint i = 0; i < count && !marks->others; i++) {
        const WsWarp *warp = &ws_view_sm(view)->state->warps[slots[i]];

        marks->others = (focus.sm != ws_view_sm(view) || slots[i] != focus.slot) &&
                        warp->state != WS_WARP_DRAIN && is_at(view, pane, warp->path.pc, line);
    }
}

static void mark_breakpoints(const WsView *view, WsPane pane, guint line, Marks *marks)
{
    for (guint i = 0; i < ws_session_breakpoint_count(view->session); i++) {
        const WsBreakpoint *breakpoint = ws_session_breakpoint_at(view->session, i);

        for (guint32 k = 0; breakpoint->kind == WS_STOP_AT && k < breakpoint->place.count; k++)
            if (is_at(view, pane, breakpoint->place.instructions[k], line)) {
                marks->breaks = TRUE;
                marks->disabled = breakpoint->disabled;
            }
    }
}

static void draw_line(const WsView *view, WsPane pane, guint line, const char *text, WsGrid *grid,
                      const WsRectangle *in, guint row)
{
    gboolean cursor = view->active == pane && view->cursor[pane] == line;
    Marks marks = {0};
    WsLook look;
    const char *mark;
    guint column;

    mark_warps(view, pane, line, &marks);
    mark_breakpoints(view, pane, line, &marks);
    look = marks.here ? WS_LOOK_HERE : marks.waiting ? WS_LOOK_WAITING : WS_LOOK_PLAIN;
    mark = marks.here ? ">" : marks.waiting ? "d" : marks.others ? "+" : " ";
    if (cursor)
        ws_grid_fill(grid, in, row, marks.here ? WS_LOOK_HERE_CURSOR : WS_LOOK_CURSOR);
    column = ws_grid_put(grid, in, row, 0, WS_LOOK_BREAK,
                         !marks.breaks    ? " "
                         : marks.disabled ? "o"
                                          : "B");
    column = ws_grid_put(grid, in, row, column, look, mark);
    if (pane != WS_PANE_BYTECODE)
        column = ws_grid_printf(grid, in, row, column, WS_LOOK_DIM, "%4u ", line + 1);
    if (cursor)
        look = marks.here ? WS_LOOK_HERE_CURSOR : WS_LOOK_CURSOR;
    ws_grid_put(grid, in, row, column, look,
                g_utf8_offset_to_pointer(text, MIN(view->shift, g_utf8_strlen(text, -1))));
}

void ws_draw_listing(const WsView *view, WsPane pane, WsGrid *grid, const WsRectangle *in)
{
    const WsListing *listing = ws_listing(view->listings, pane, view->file);
    guint first = ws_first_row(view->cursor[pane], listing->count, in->rows);

    if (listing->count == 0)
        ws_grid_put(grid, in, 0, 1, WS_LOOK_DIM,
                    pane == WS_PANE_PTX ? "The program was not compiled from PTX."
                                        : "There is no text of this source.");
    for (guint row = 0; row < in->rows && first + row < listing->count; row++) {
        draw_line(view, pane, first + row, listing->lines[first + row], grid, in, row);
        ws_grid_target(grid, in, row, 0, in->columns, first + row);
    }
}

guint ws_source_columns(const WsView *view)
{
    enum { IN_FRONT = 7 };

    return ws_listing(view->listings, WS_PANE_SOURCE, view->file)->code_columns + IN_FRONT;
}
