#include "sim/sm/sub_core.h"

static WsStall wait_stall(guint wait)
{
    static const guint8 stalls[WS_WAIT_COUNT] = {
        [WS_WAIT_LONG] = WS_STALL_LONG_SCOREBOARD,
        [WS_WAIT_SHORT] = WS_STALL_SHORT_SCOREBOARD,
        [WS_WAIT_FIXED] = WS_STALL_WAIT,
    };

    return stalls[wait];
}

WsStall ws_warp_stall(const WsSm *sm, guint32 slot, guint64 cycle)
{
    const WsWarp *warp = &sm->state->warps[slot];
    const WsSubCore *sub_core = &sm->state->sub_cores[warp->sub_core];
    const WsIssueInfo *issue = &sm->context->schedule->issues[warp->path.pc];
    guint64 until[WS_WAIT_COUNT] = {[WS_WAIT_FIXED] = warp->earliest};

    if (warp->state == WS_WARP_DRAIN)
        return WS_STALL_DRAIN;
    if (cycle < warp->front_until)
        return cycle < warp->set_up_until ? WS_STALL_NO_INSTRUCTION : warp->front_reason;
    if (cycle < warp->fetch_until)
        return WS_STALL_NO_INSTRUCTION;
    if (cycle < warp->constant_until)
        return WS_STALL_IMC_MISS;
    ws_find_waits(sm, slot, issue, until);
    ws_find_late_reads(sm, slot, issue, until);
    until[WS_WAIT_FIXED] +=
        sub_core->ready >> warp->number & 1 ? warp->held_counted : sub_core->held - warp->held;
    for (guint i = 0; i < WS_WAIT_COUNT; i++)
        if (cycle < until[i])
            return wait_stall(i);
    if (cycle < sub_core->dispatch_free)
        return WS_STALL_DISPATCH_STALL;
    if (cycle < sub_core->free[issue->resource])
        return ws_resource_stall(issue->resource);
    return WS_STALL_NOT_SELECTED;
}
