#include "sim/sm/stall_accounting.h"

#include "sim/sm/eligibility.h"

/* Charges the cycles from `cursor` to `until` to a reason, as far as they lie before `end`. */
#define CHARGE(field, reason)                                                                      \
    until = MIN(MAX(warp->field, cursor), end);                                                    \
    counters->stalls[reason] += until - cursor;                                                    \
    cursor = until;

guint64 ws_charge_until_ready(WsWarp *warp, WsInstructionCounters *counters, guint64 end)
{
    guint64 cursor = warp->account.counted_to, until;

    if (ws_front_until(warp) <= cursor) {
        WS_OPERAND_HOLDS(CHARGE)
        return cursor;
    }
    WS_HOLDS(CHARGE)
    return cursor;
}

void ws_warp_charge(WsSm *sm, guint32 slot, guint64 end)
{
    WsWarp *warp = &sm->state->warps[slot];
    const WsSubCore *sub_core = &sm->state->sub_cores[warp->sub_core];
    WsStallAccount *account = &warp->account;

    if (warp->state == WS_WARP_DRAIN) {
        sm->counters[warp->wait_pc].stalls[WS_STALL_DRAIN] += end - account->counted_to;
    } else {
        WsInstructionCounters *counters = &sm->counters[warp->path.pc];
        guint64 cursor = ws_charge_until_ready(warp, counters, end);

        /* A stop may come before the sub-core has seen in this cycle that the warp became ready. */
        if (!(sub_core->wake.ready >> warp->number & 1))
            ws_account_ready(sub_core, warp, cursor);
        if (end > cursor)
            ws_charge_ready(warp, counters, end - cursor,
                            ws_pipes_busy_cycles(&sub_core->pipes, warp->resource, end,
                                                 sub_core->dispatch.free) -
                                account->pipe_busy,
                            ws_dispatcher_busy_cycles(&sub_core->dispatch, end) -
                                account->dispatch_busy);
    }
    account->counted_to = end;
}
