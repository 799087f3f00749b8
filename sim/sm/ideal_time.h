/*
 * What warps do not wait for in a what-if run: ideal.divergence and ideal.barriers. Inside the
 * library only; the issue loop of such runs is compiled apart (sub_core_ideal.c).
 *
 * ideal.divergence: an instruction that runs in n of the N lanes with which its warp began takes
 * n / N of an issue slot, of its pipe's interval, and of the time until the warp may issue again. A
 * sub-core may thus issue several warps in a cycle, each of them once. A wait whose end is known is
 * shortened at once; one for a response of memory runs its course, since the response brings
 * values, and shortens what the warp waits for later.
 *
 * ideal.barriers: a warp still waits until its barrier opens, since values of other warps are ready
 * only then. What it waited is taken off its later waits. So it is never farther than it would be
 * without barriers: its own instructions and waits take at most the time that has passed. Likewise
 * a sub-core makes up for the issue slots that it left unused while warps of it waited at barriers:
 * it never has issued more than one instruction for each cycle that has passed.
 */
#ifndef WS_SIM_SM_IDEAL_TIME_H
#define WS_SIM_SM_IDEAL_TIME_H

#include "sim/sm/sm.h"

/* Parts of a cycle. */
enum { WS_WHOLE_SLOT = 64 };

/* TRUE if the launch needs the issue loop that looks at all this. */
gboolean ws_ideal_time_is_on(const WsDevice *device);

/* A cycle of the sub-core begins. */
void ws_ideal_begin_cycle(WsSubCore *sub_core, guint64 now);

/*
 * The warp issues the instruction at `pc` for the lanes of `mask`: what it takes of the slot, and
 * what the warp waited since its last issue, which may count for later.
 */
void ws_ideal_before_issue(WsSm *sm, WsSubCore *sub_core, const WsWarp *warp, guint32 pc,
                           guint64 mask, guint64 now);

/* The instruction that issues does not contend for register ports: it takes a part of a slot, or
 * one that was left before. */
static inline gboolean ws_ideal_passes_ports(const WsSubCore *sub_core)
{
    return sub_core->slot.more || sub_core->slot.share < WS_WHOLE_SLOT;
}

/* Cycles that it keeps its pipe, at least 1, of `interval`. */
guint ws_ideal_interval(const WsSm *sm, WsSubCore *sub_core, guint interval);

/* Whole cycles for which it keeps others from issuing, of `held`: its share of them, and what
 * others have left over. */
guint ws_ideal_hold(WsSubCore *sub_core, guint held);

/* It has issued, and the warp knows what it waits for: shortens that. */
void ws_ideal_after_issue(WsSm *sm, WsSubCore *sub_core, WsWarp *warp, guint64 now);

/* Whether the sub-core may issue once more in this cycle; if so it takes the slot. */
gboolean ws_ideal_slot_is_left(WsSubCore *sub_core);

#endif
