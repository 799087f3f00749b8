/* The warps of an SM: where they are, with which lanes, and why they do not issue. */
#include "inspect/screen/view.h"

enum { REASON_COLUMNS = 18 };

static void draw_warp(const WsView *view, const WsSm *sm, guint32 slot, gboolean focused,
                      WsGrid *grid, const WsRectangle *in, guint row)
{
    const WsWarp *warp = &sm->state->warps[slot];
    WsStall reason = ws_view_stall(view, sm, slot);
    guint size = sm->context->decoded->warp_size;
    WsLook look = focused ? WS_LOOK_FOCUS : WS_LOOK_PLAIN;
    g_autofree char *name =
        g_strdup_printf("b%u.%u", sm->state->blocks[warp->block_slot].linear, warp->warp_in_block);
    g_autofree char *line = NULL;
    WsLaneStates states;
    guint column = ws_grid_printf(grid, in, row, 0, look, "%c%2u %u %-7s ", focused ? '>' : ' ',
                                  slot, warp->sub_core, name);

    if (focused && view->active == WS_PANE_WARPS)
        ws_grid_restyle(grid, in, row, WS_LOOK_CURSOR);
    ws_grid_put(grid, in, row, column, ws_look_of_stall(reason), ws_stall_letter(reason));
    ws_grid_put(grid, in, row, column + 2, WS_LOOK_PLAIN, ws_stall_name(reason));
    column += 2 + REASON_COLUMNS + 1;
    ws_lane_states(sm, slot, &states);
    column = ws_draw_lanes(grid, in, row, column, &states, size, G_MAXUINT64);
    if (warp->state != WS_WARP_DRAIN)
        line = ws_instruction_line(view->listings, warp->path.pc);
    ws_grid_put(grid, in, row, column + 1, WS_LOOK_PLAIN, line != NULL ? line : "");
}

void ws_draw_warps(const WsView *view, WsPane pane, WsGrid *grid, const WsRectangle *in)
{
    const WsSm *sm = ws_view_sm(view);
    guint32 slots[WS_MAX_WARP_SLOTS];
    guint focus, count = ws_view_warps(view, slots, &focus), first;
    guint size = sm != NULL ? sm->context->decoded->warp_size : 0;
    gboolean focused = ws_session_place(view->session).sm == sm;

    if (count == 0) {
        ws_grid_printf(grid, in, 0, 1, WS_LOOK_DIM, "No warp is on SM %u at this cycle.", view->sm);
        return;
    }
    ws_grid_printf(grid, in, 0, 0, WS_LOOK_DIM, " sl sub block   %-*s %-*s next instruction",
                   REASON_COLUMNS + 2, "stall reason", (int)size, "lanes");
    first = ws_first_row(focus, count, in->rows - 1);
    for (guint row = 1; row < in->rows && first + row - 1 < count; row++) {
        draw_warp(view, sm, slots[first + row - 1], focused && first + row - 1 == focus, grid, in,
                  row);
        ws_grid_target(grid, in, row, 0, in->columns, slots[first + row - 1]);
    }
}
