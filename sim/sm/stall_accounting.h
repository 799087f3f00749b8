/*
 * Stall accounting: every cycle of a resident warp is charged to one reason, and to the instruction
 * that it waits to issue. Inside the library only.
 *
 * Charging is lazy: when a warp issues, all cycles since its last issue are charged at once. Those
 * before it was ready fall into stretches in the order of the reasons (sim/sm/eligibility.h). The
 * rest is the dispatcher's, the pipe's, or the policy's choice (not_selected): the sub-core adds up
 * for how many cycles each was busy, and a warp takes two readings of these sums, when it becomes
 * ready and when it issues.
 */
#ifndef WS_SIM_SM_STALL_ACCOUNTING_H
#define WS_SIM_SM_STALL_ACCOUNTING_H

#include "sim/sm/sm.h"

/* Accounts for the cycles before the warp was ready, up to `end`; returns how far it came. */
guint64 ws_charge_until_ready(WsWarp *warp, WsInstructionCounters *counters, guint64 end);

/* Charges the waiting of a warp up to `end` (exclusive) to the instruction it waits to issue. */
void ws_warp_charge(WsSm *sm, guint32 slot, guint64 end);

/* Adds to `ret` what ws_warp_charge() would charge, and charges nothing. */
void ws_warp_count_open(const WsSm *sm, guint32 slot, guint64 end, WsInstructionCounters *ret);

/* The warp is ready since `cycle`: takes the first reading of its pipe and of the dispatcher. */
static inline void ws_account_ready(const WsSubCore *sub_core, WsWarp *warp, guint64 cycle)
{
    warp->account.pipe_busy =
        ws_pipes_busy_cycles(&sub_core->pipes, warp->resource, cycle, sub_core->dispatch.free);
    warp->account.dispatch_busy = ws_dispatcher_busy_cycles(&sub_core->dispatch, cycle);
}

/* The same of warps that became ready at `now`, or in a cycle before that was skipped. */
static inline void ws_account_woken(WsSm *sm, const WsSubCore *sub_core, guint32 number,
                                    guint64 warps, guint64 now)
{
    for (; warps != 0; warps &= warps - 1) {
        WsWarp *warp = &sm->state->warps[ws_slot_of(sm, number, (guint)__builtin_ctzll(warps))];

        ws_account_ready(sub_core, warp, MIN(now, warp->ready));
    }
}

/* Charges `cycles` since the warp was ready: for `pipe` of them its pipe was busy, for `dispatch`
 * of them the dispatcher. */
static inline void ws_charge_ready(const WsWarp *warp, WsInstructionCounters *counters,
                                   guint64 cycles, guint64 pipe, guint64 dispatch)
{
    if (pipe != 0)
        counters->stalls[ws_resource_stall(warp->resource)] += pipe;
    if (dispatch != 0)
        counters->stalls[WS_STALL_DISPATCH_STALL] += dispatch;
    counters->stalls[WS_STALL_NOT_SELECTED] += cycles - pipe - dispatch;
}

/* Accounts for the issue at `now` and for the cycles since the last one. */
static inline void ws_charge_issue(const WsSubCore *sub_core, WsWarp *warp,
                                   WsInstructionCounters *counters, guint64 now)
{
    guint64 cursor = warp->account.counted_to;

    if (cursor != now) {
        if (warp->ready > cursor)
            cursor = ws_charge_until_ready(warp, counters, now);
        /* It issues, so neither is busy now. */
        if (now > cursor)
            ws_charge_ready(warp, counters, now - cursor,
                            sub_core->pipes.busy_cycles[warp->resource] - warp->account.pipe_busy,
                            sub_core->dispatch.busy_cycles - warp->account.dispatch_busy);
    }
    warp->account.counted_to = now + 1;
}

#endif
