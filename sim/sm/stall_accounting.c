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

/* Charges `warp`, which is that of the SM or a copy, up to `end`. */
static void charge(const WsSm *sm, WsWarp *warp, WsInstructionCounters *counters, guint64 end)
{
    const WsSubCore *sub_core = &sm->state->sub_cores[warp->sub_core];
    WsStallAccount *account = &warp->account;

    if (warp->state == WS_WARP_DRAIN) {
        counters->stalls[WS_STALL_DRAIN] += end - account->counted_to;
    } else {
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

void ws_warp_charge(WsSm *sm, guint32 slot, guint64 end)
{
    WsWarp *warp = &sm->state->warps[slot];

    charge(sm, warp, &sm->counters[warp->state == WS_WARP_DRAIN ? warp->wait_pc : warp->path.pc],
           end);
}

void ws_warp_count_open(const WsSm *sm, guint32 slot, guint64 end, WsInstructionCounters *ret)
{
    WsWarp copy = sm->state->warps[slot];

    copy.operands.until[WS_WAIT_FIXED] +=
        ws_held_since(&sm->state->sub_cores[copy.sub_core], &copy);
    if (copy.account.counted_to < end)
        charge(sm, &copy, ret, end);
}
