#include "sim/sm/readiness.h"

#include <string.h>

#include "sim/sm/control_fields.h"
#include "sim/sm/divergence_unit.h"

void ws_find_instruction(WsSm *sm, WsWarp *warp)
{
    ws_front_end_fetch(&warp->front_end, &sm->fetch, warp->sub_core, warp->path.pc,
                       warp->hold.until, warp->last_issue == WS_NEVER, sm->state->now);
    warp->other_holds_until = MAX(warp->other_holds_until, warp->front_end.ready);
}

void ws_prepare_waiting(WsSm *sm, WsSubCore *sub_core, WsWarp *warp, const WsIssueInfo *issue)
{
    guint64 until[WS_WAIT_COUNT] = {[WS_WAIT_FIXED] = warp->earliest_issue};
    guint64 now = sm->state->now, held, ready;

    if (warp->barrier.until > now && !issue->passes)
        ws_hold(warp, WS_STALL_BARRIER, warp->barrier.until);
    /* What was there before the warp's last issue is no reason for any cycle since. */
    ws_find_waits(sm->table, ws_sm_entries(sm, warp), issue, warp->account.counted_to, until);
    if (G_UNLIKELY(warp->operands.war_until > now) && issue->outputs != 0)
        ws_find_war_waits(sm->table, ws_sm_war(sm, warp), issue, until);
    if (sm->control)
        ws_control_find_values(sm, warp->slot, issue, until);
    held = ws_front_until(warp);
    ready = MAX(until[WS_WAIT_LONG], MAX(until[WS_WAIT_SHORT], until[WS_WAIT_FIXED]));
    ready = MAX(ready, held);
    memcpy(warp->operands.until, until, sizeof until);
    warp->held.counted = 0;
    warp->ready = MAX(ready, now);
    warp->other_holds_until = MAX(held, MAX(warp->operands.war_until, warp->barrier.until));
    if (warp->hold.until >= WS_NEVER)
        warp->state = WS_WARP_BARRIER;
    else
        warp->state = ready < WS_NEVER ? WS_WARP_TIMED : WS_WARP_RESPONSE;
    if (ready < WS_NEVER)
        ws_wake_at(&sub_core->wake, warp->number, warp->ready, now);
}

/* Nothing but operands and registers still to be read may hold the warp back at `cycle`. */
static gboolean front_is_ready(const WsWarp *warp, guint64 cycle)
{
    return warp->state == WS_WARP_TIMED && ws_front_until(warp) <= cycle;
}

void ws_prepare_held(WsSm *sm, WsSubCore *sub_core, WsWarp *warp, const WsIssueInfo *issue)
{
    guint64 next = sm->state->now + 1;

    if (!sm->control && warp->earliest_issue == next && front_is_ready(warp, next) &&
        warp->barrier.until < next &&
        ws_outputs_are_read(sm->table, ws_sm_war(sm, warp), issue, next)) {
        warp->other_holds_until = MAX(next, warp->operands.war_until);
        warp->operands.until[WS_WAIT_FIXED] = warp->ready = next;
        ws_wake_behind_issue(&sub_core->wake, warp->number, next, sm->state->now);
    } else {
        ws_prepare_waiting(sm, sub_core, warp, issue);
    }
}

void ws_prepare(WsSm *sm, WsSubCore *sub_core, WsWarp *warp, gboolean issuing)
{
    const WsIssueInfo *issue = &sm->issues[warp->path.pc];
    guint64 now = sm->state->now, earliest = warp->earliest_issue;

    ws_find_front(sm, sub_core, warp, issue);
    if (earliest < now || !front_is_ready(warp, earliest) ||
        !ws_operands_are_ready(sm->table, ws_sm_entries(sm, warp), issue, earliest)) {
        ws_prepare_waiting(sm, sub_core, warp, issue);
    } else if (MAX(warp->operands.war_until, warp->barrier.until) <= now) {
        warp->other_holds_until = warp->operands.until[WS_WAIT_FIXED] = warp->ready = earliest;
        warp->held.counted = 0;
        if (issuing)
            ws_wake_behind_issue(&sub_core->wake, warp->number, earliest, now);
        else
            ws_wake_at(&sub_core->wake, warp->number, earliest, now);
    } else if (issuing) {
        ws_prepare_held(sm, sub_core, warp, issue);
    } else {
        ws_prepare_waiting(sm, sub_core, warp, issue);
    }
}

void ws_prepare_outside(WsSm *sm, WsWarp *warp)
{
    WsWakeQueue *wake = &sm->state->sub_cores[warp->sub_core].wake;

    ws_prepare(sm, &sm->state->sub_cores[warp->sub_core], warp, FALSE);
    if (warp->state == WS_WARP_TIMED)
        wake->next = MIN(wake->next, warp->ready);
}

guint64 ws_wake_counted(WsSm *sm, WsSubCore *sub_core, guint32 number, guint64 woken, guint64 now)
{
    guint64 warps = woken & sub_core->held.uncounted;

    sub_core->held.uncounted &= ~woken;
    for (; warps != 0; warps &= warps - 1) {
        guint bit = (guint)__builtin_ctzll(warps);
        WsWarp *warp = &sm->state->warps[ws_slot_of(sm, number, bit)];
        guint64 cycles = ws_held_uncounted(&sub_core->held, &warp->held);

        warp->held.counted += cycles;
        warp->operands.until[WS_WAIT_FIXED] += cycles;
        warp->ready = MAX(warp->ready, warp->operands.until[WS_WAIT_FIXED]);
        if (warp->ready <= now)
            continue;
        woken &= ~((guint64)1 << bit);
        ws_wake_clear(&sub_core->wake, bit);
        ws_wake_at(&sub_core->wake, bit, warp->ready, now);
    }
    return woken;
}

void ws_warp_resume(WsSm *sm, guint32 slot)
{
    WsWarp *warp = &sm->state->warps[slot];

    warp->state = WS_WARP_TIMED;
    if (warp->path.pc == warp->path.stop)
        ws_warp_reach_stop(sm, slot, warp->wait_pc, sm->state->now);
    ws_prepare_outside(sm, warp);
}
