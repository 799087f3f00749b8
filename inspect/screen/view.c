#include "inspect/screen/view.h"
#include "inspect/session/selected_frame.h"

const WsSm *ws_view_sm(const WsView *view)
{
    return ws_timeline_sm(view->timeline, view->sm);
}

WsLaneScope *ws_view_scope(const WsView *view)
{
    return ws_session_scope(view->session);
}

gboolean ws_view_instruction(const WsView *view, guint32 *ret)
{
    WsWarpPlace place = ws_session_place(view->session);
    const WsWarp *warp;

    if (place.sm == NULL)
        return FALSE;
    warp = &place.sm->state->warps[place.slot];
    *ret = warp->path.pc;
    return warp->state != WS_WARP_DRAIN;
}

guint ws_first_row(guint wanted, guint count, guint rows)
{
    guint first = wanted - MIN(wanted, rows / 2);

    return MIN(first, count - MIN(count, rows));
}

guint ws_view_warps(const WsView *view, guint32 ret_slots[WS_MAX_WARP_SLOTS], guint *ret_focus)
{
    const WsSm *sm = ws_view_sm(view);
    WsWarpPlace place = ws_session_place(view->session);
    guint count = 0;

    *ret_focus = 0;
    if (sm == NULL)
        return 0;
    for (guint64 rest = sm->state->resident; rest != 0; rest &= rest - 1) {
        guint32 slot = (guint32)__builtin_ctzll(rest);

        if (place.sm == sm && place.slot == slot)
            *ret_focus = count;
        ret_slots[count++] = slot;
    }
    return count;
}

WsStall ws_view_stall(const WsView *view, const WsSm *sm, guint32 slot)
{
    guint64 cycle = ws_timeline_cycle(view->timeline);
    const WsHistoryCycle *known = ws_history_at(view->history, cycle);

    if (known != NULL && sm->number == view->sm && known->reasons[slot] != WS_NO_REASON)
        return (WsStall)known->reasons[slot];
    return ws_timeline_stall(view->timeline, sm, slot);
}

WsLook ws_look_of_stall(guint reason)
{
    switch (reason) {
    case WS_STALL_SELECTED:
        return WS_LOOK_ISSUE;
    case WS_STALL_NOT_SELECTED:
        return WS_LOOK_READY;
    case WS_STALL_LONG_SCOREBOARD:
    case WS_STALL_SHORT_SCOREBOARD:
    case WS_STALL_LG_THROTTLE:
    case WS_STALL_MIO_THROTTLE:
        return WS_LOOK_MEMORY;
    case WS_STALL_WAIT:
    case WS_STALL_DISPATCH_STALL:
    case WS_STALL_MATH_PIPE_THROTTLE:
        return WS_LOOK_COMPUTE;
    case WS_STALL_BRANCH_RESOLVING:
    case WS_STALL_NO_INSTRUCTION:
    case WS_STALL_IMC_MISS:
        return WS_LOOK_FRONT;
    case WS_STALL_BARRIER:
    case WS_STALL_MEMBAR:
    case WS_STALL_SLEEPING:
        return WS_LOOK_SYNC;
    default:
        return WS_LOOK_DIM;
    }
}

WsLook ws_look_of_lane(char glyph)
{
    switch (glyph) {
    case '#':
        return WS_LOOK_ACTIVE;
    case 'p':
        return WS_LOOK_GUARDED;
    case 'd':
        return WS_LOOK_WAITING;
    default:
        return WS_LOOK_EXITED;
    }
}

guint ws_draw_lanes(WsGrid *grid, const WsRectangle *in, guint row, guint column,
                    const WsLaneStates *states, guint warp_size, guint64 mask)
{
    for (guint lane = 0; lane < warp_size; lane++) {
        char glyph[2] = {ws_lane_glyph(states, lane), '\0'};

        if ((mask >> lane & 1) == 0)
            glyph[0] = '-';
        column = ws_grid_put(grid, in, row, column, ws_look_of_lane(glyph[0]), glyph);
    }
    return column;
}
