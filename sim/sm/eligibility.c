#include "sim/sm/stall_precedence.h"

#define HOLDS(field, reason)                                                                       \
    if (cycle < warp->field)                                                                       \
        return reason;

WsStall ws_warp_stall(const WsSm *sm, guint32 slot, guint64 cycle)
{
    const WsWarp *warp = &sm->state->warps[slot];
    const WsSubCore *sub_core = &sm->state->sub_cores[warp->sub_core];

    if (warp->state == WS_WARP_DRAIN)
        return WS_STALL_DRAIN;
    WS_HOLDS(HOLDS)
    if (cycle < warp->until[WS_WAIT_FIXED] + ws_uncounted_hold(sub_core, warp))
        return WS_STALL_WAIT;
    return ws_preset_stall(sub_core, warp->resource, cycle);
}
