/*
 * When may a warp issue, and if not, why not? Inside the library only.
 *
 * Each reason holds a warp until a cycle that is known, or that is not known yet (WS_NEVER), and
 * one that stands higher hides those below. The names are those of Nsight Compute
 * (docs/reference/stalls.md). Statistics (sim/sm/stall_accounting.h), traces and the stepper use
 * this table. What a sub-core keeps from a warp that is ready follows in ws_warp_stall(): the
 * dispatcher, then the pipe of its instruction; in sum (stall_accounting.h) that is what was busy
 * while the warp was ready.
 */
#ifndef WS_SIM_SM_ELIGIBILITY_H
#define WS_SIM_SM_ELIGIBILITY_H

#include "sim/sm/sm.h"

/*
 * HOLD(field of WsWarp: until when, reason). A warp that drains is in no row: it issues nothing.
 * Set by: the start of a block (block_slots.c); ws_hold() of what issued last (barriers, MEMBAR,
 * NANOSLEEP, branches) and of a closed barrier (readiness.c); the front end; the constant cache
 * (readiness.h); the dependence check, with the issue interval and, by control fields, their
 * barriers (readiness.c, control_fields.c).
 */
#define WS_HOLDS(HOLD)                                                                             \
    HOLD(front_end.set_up_until, WS_STALL_NO_INSTRUCTION)                                          \
    HOLD(hold.until, (WsStall)warp->hold.reason) /* sleeping, membar, barrier, branch_resolving */ \
    HOLD(front_end.ready, WS_STALL_NO_INSTRUCTION)                                                 \
    HOLD(front_end.constant_ready, WS_STALL_IMC_MISS)                                              \
    WS_OPERAND_HOLDS(HOLD)

/* The rows about operands: for most warps the others are past. */
#define WS_OPERAND_HOLDS(HOLD)                                                                     \
    HOLD(operands.until[WS_WAIT_LONG], WS_STALL_LONG_SCOREBOARD)                                   \
    HOLD(operands.until[WS_WAIT_SHORT], WS_STALL_SHORT_SCOREBOARD)                                 \
    HOLD(operands.until[WS_WAIT_FIXED], WS_STALL_WAIT)

/* Cycles in which stall counts stood still that the warp has not added to its wait yet: it does so
 * when it wakes. */
static inline guint64 ws_held_since(const WsSubCore *sub_core, const WsWarp *warp)
{
    if (sub_core->wake.ready >> warp->number & 1)
        return 0;
    return ws_held_uncounted(&sub_core->held, &warp->held);
}

/*
 * Whether the warp in a slot can issue at `cycle`, the one that the SM runs next: NOT_SELECTED if
 * so (whether it is selected is the policy's choice), else the one reason why not. Statistics say
 * the same in sum; masks of the sub-cores are the same in another form.
 */
static inline WsStall ws_warp_stall(const WsSm *sm, guint32 slot, guint64 cycle)
{
    const WsWarp *warp = &sm->state->warps[slot];
    const WsSubCore *sub_core = &sm->state->sub_cores[warp->sub_core];

    if (warp->state == WS_WARP_DRAIN)
        return WS_STALL_DRAIN;
#define WS_HOLD(until, reason)                                                                     \
    if (cycle < warp->until)                                                                       \
        return reason;
    WS_HOLDS(WS_HOLD)
#undef WS_HOLD
    if (cycle < warp->operands.until[WS_WAIT_FIXED] + ws_held_since(sub_core, warp))
        return WS_STALL_WAIT;
    if (cycle < sub_core->dispatch.free)
        return WS_STALL_DISPATCH_STALL;
    if (cycle < sub_core->pipes.free[warp->resource])
        return ws_resource_stall(warp->resource);
    return WS_STALL_NOT_SELECTED;
}

#endif
