/*
 * Why a warp does not issue, in order of precedence: what holds back its next instruction, each
 * with the field of the warp that says until when. Each reason ends at a known cycle, or one that
 * is not known yet (WS_NEVER), and a higher one hides those below. Accounting, observers and
 * ws_warp_stall() all go through this table. Inside the library only.
 */
#ifndef WS_SIM_SM_STALL_PRECEDENCE_H
#define WS_SIM_SM_STALL_PRECEDENCE_H

#include "sim/sm/sm.h"

/*
 * HOLD(field of WsWarp, reason). What a front waits for is in the warp: drain, sleeping, membar,
 * barrier, branch_resolving. Behind these rows come, for a warp whose operands are there, the
 * dispatcher, its resource and the policy's choice (ws_preset_stall()).
 */
#define WS_HOLDS(HOLD)                                                                             \
    HOLD(set_up_until, WS_STALL_NO_INSTRUCTION)                                                    \
    HOLD(front_until, (WsStall)warp->front_reason)                                                 \
    HOLD(fetch_until, WS_STALL_NO_INSTRUCTION)                                                     \
    HOLD(constant_until, WS_STALL_IMC_MISS)                                                        \
    WS_OPERAND_HOLDS(HOLD)

/* The rows about operands: for most warps the others are past. */
#define WS_OPERAND_HOLDS(HOLD)                                                                     \
    HOLD(until[WS_WAIT_LONG], WS_STALL_LONG_SCOREBOARD)                                            \
    HOLD(until[WS_WAIT_SHORT], WS_STALL_SHORT_SCOREBOARD)                                          \
    HOLD(until[WS_WAIT_FIXED], WS_STALL_WAIT)

/* The reason of a warp at `cycle` whose operands are there by then. */
static inline WsStall ws_preset_stall(const WsSubCore *sub_core, guint resource, guint64 cycle)
{
    if (cycle < sub_core->dispatch_free)
        return WS_STALL_DISPATCH_STALL;
    if (cycle < sub_core->free[resource])
        return ws_resource_stall(resource);
    return WS_STALL_NOT_SELECTED;
}

/*
 * Cycles that reads held up the sub-core's issue stage since the warp's last issue and that are not
 * in until[WS_WAIT_FIXED] yet: it counts them when it wakes (ws_wake_counted()).
 */
static inline guint64 ws_uncounted_hold(const WsSubCore *sub_core, const WsWarp *warp)
{
    if (sub_core->ready >> warp->number & 1)
        return 0;
    return sub_core->held - warp->held - warp->held_counted;
}

#endif
