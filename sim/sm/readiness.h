/*
 * When a warp's next instruction is ready: worked out once, behind the issue of the one before it
 * or when what the warp waited for has come, and the warp wakes then. Inside the library only.
 *
 * Ready means that the instruction and its constant operand are there, its operands too, the issue
 * interval is over and nothing else holds the warp (sim/sm/eligibility.h has the order). Pipes, the
 * dispatcher and the policy's choice are looked at when it wakes.
 */
#ifndef WS_SIM_SM_READINESS_H
#define WS_SIM_SM_READINESS_H

#include "sim/sm/dependence_check.h"
#include "sim/sm/sm.h"

/*
 * Works out when the warp's next instruction is ready, and has the warp wake then. The caller sees
 * to wake.next of the sub-core. `issuing`: it is the one that issues now; then the sub-core is run
 * again in the next cycle if the warp is ready by then.
 */
void ws_prepare(WsSm *sm, WsSubCore *sub_core, WsWarp *warp, gboolean issuing);

/* The same for a warp that may have something to wait for; its front end has been looked at. */
void ws_prepare_waiting(WsSm *sm, WsSubCore *sub_core, WsWarp *warp, const WsIssueInfo *issue);

/*
 * The same behind an instruction that issues now, where the operands are ready at the end of the
 * issue interval but something else goes on. Most often that is the reading of registers by an
 * access to memory, which does not matter to the next instruction.
 */
void ws_prepare_held(WsSm *sm, WsSubCore *sub_core, WsWarp *warp, const WsIssueInfo *issue);

/* ws_prepare() from outside of the sub-core's own issue: sees to wake.next itself. */
void ws_prepare_outside(WsSm *sm, WsWarp *warp);

/*
 * Of warps that wake at `now`: those that have waited for the cycles in which stall counts stood
 * still as well (sim/sm/held_issue.h); the others sleep on.
 */
guint64 ws_wake_counted(WsSm *sm, WsSubCore *sub_core, guint32 number, guint64 woken, guint64 now);

/* The warp has come to another line of instructions, or close to the end of its line. */
void ws_find_instruction(WsSm *sm, WsWarp *warp);

/* Looks up the constant operand. Once an issue: the warp may wait longer, for something else. */
static inline void ws_find_constant(WsSm *sm, WsWarp *warp, const WsIssueInfo *issue)
{
    WsFrontEnd *front = &warp->front_end;
    guint64 cycle =
        MAX(MAX(sm->state->now, warp->earliest_issue), MAX(warp->hold.until, front->ready));

    front->constant_issue = warp->last_issue;
    front->constant_ready =
        ws_constant_cache_operand(sm->fetch.constants, warp->sub_core, issue->constant - 1, cycle);
    warp->other_holds_until = MAX(warp->other_holds_until, front->constant_ready);
}

/* What the next instruction needs before its operands: the instruction, a constant, a resource. */
static inline void ws_find_front(WsSm *sm, WsSubCore *sub_core, WsWarp *warp,
                                 const WsIssueInfo *issue)
{
    if (G_UNLIKELY(ws_front_end_moves(&warp->front_end, &sm->fetch, warp->path.pc)))
        ws_find_instruction(sm, warp);
    if (issue->constant != 0 && warp->front_end.constant_issue != warp->last_issue)
        ws_find_constant(sm, warp, issue);
    ws_pipes_want(&sub_core->pipes, warp->number, warp->resource, issue->resource);
    warp->resource = issue->resource;
}

/* ws_prepare() behind a quick instruction that issues now: nothing else has happened to the warp.
 */
static inline void ws_prepare_quick(WsSm *sm, WsSubCore *sub_core, WsWarp *warp, guint64 *entries,
                                    guint64 now)
{
    const WsIssueInfo *issue = &sm->issues[warp->path.pc];
    guint64 earliest = warp->earliest_issue;

    ws_find_front(sm, sub_core, warp, issue);
    if (!ws_operands_are_ready(sm->table, entries, issue, earliest)) {
        ws_prepare_waiting(sm, sub_core, warp, issue);
        return;
    }
    if (G_UNLIKELY(warp->other_holds_until > now)) {
        ws_prepare_held(sm, sub_core, warp, issue);
        return;
    }
    /* Times in until[] that are not set here are past: they belong to earlier instructions. */
    warp->operands.until[WS_WAIT_FIXED] = warp->ready = earliest;
    ws_wake_behind_issue(&sub_core->wake, warp->number, earliest, now);
}

#endif
