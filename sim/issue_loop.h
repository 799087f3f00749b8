/*
 * One cycle of a sub-core. Included twice: with OBSERVED 0 and STEP ws_sub_core_step_plain, and
 * with OBSERVED 1 and STEP ws_sub_core_step_observed. The rest of the issue is in sub_core.c.
 */
#include "sim/sub_core.h"

#ifndef STEP
#error "STEP names the function to make"
#endif

static void issue(WsSm *sm, WsSubCore *sub_core, guint32 slot, guint64 now)
{
    const WsLaunchContext *context = sm->context;
    WsWarp *warp = &sm->state->warps[slot];
    WsWarpRegisters *registers = &sm->state->registers[slot];
    WsLaneContext *lanes = &sm->state->lanes[slot];
    guint32 pc = warp->path.pc;
    const WsDecoded *decoded = &context->decoded->instructions[pc];
    const WsIssueInfo *issue = &context->schedule->issues[pc];
    WsInstructionCounters *counters = &sm->counters[pc];
    guint64 mask = ws_guard_mask(decoded, registers, warp->path.active);

    if (OBSERVED)
        ws_observe_issue(sm, slot, pc, mask, now);
    ws_charge_issue(sub_core, warp, counters, now);
    counters->issued++;
    counters->lanes += warp->lanes;
    counters->lanes_on += mask == warp->path.active ? warp->lanes : ws_count_lanes(mask);

    if (G_UNLIKELY(context->schedule->control))
        ws_control_check(sm, slot, pc, now);
    sub_core->ready &= ~((guint64)1 << warp->number);
    sub_core->want[issue->resource] &= ~((guint64)1 << warp->number);
    if (issue->interval > 1)
        ws_resource_block(sub_core, issue->resource, now + 1, now + issue->interval);
    sub_core->view.last = warp->number;
    ws_order_move_to_end(&sub_core->view.recency, warp->number);
    sm->state->issues++;
    warp->last_issue = now;
    warp->earliest = now + issue->step;
    if (G_UNLIKELY(issue->warp_interval != 0))
        ws_sm_entries(sm, slot)[issue->warp_pipe_entry] =
            ws_entry(now + issue->warp_interval, WS_VARIABLE + issue->execution_class);
    lanes->cycle = now;
    lanes->active = warp->path.active;

    if (G_LIKELY(decoded->kind == WS_KIND_LANES && !issue->unit)) {
        if (mask != 0)
            decoded->body(context->decoded, decoded, registers, lanes, mask);
        ws_set_outputs(sm, slot, issue, ws_entry(now + issue->latency, issue->execution_class));
        if (G_UNLIKELY(context->schedule->control))
            ws_control_set_barriers(sm, slot, issue, now + issue->latency, now + 1);
        warp->path.pc = pc + 1;
    } else {
        ws_issue_special(sm, slot, pc, mask, now);
        if (warp->state != WS_WARP_TIMED || sm->state->stop.status != WS_STATUS_OK)
            return;
    }
    if (G_UNLIKELY(warp->path.pc == warp->path.stop))
        ws_warp_meet(sm, slot, pc, now);
    ws_prepare(sm, slot);
}

void STEP(WsSm *sm, guint32 number, guint64 now)
{
    const WsLaunchContext *context = sm->context;
    WsSubCore *sub_core = &sm->state->sub_cores[number];
    guint64 eligible;
    guint warp;

    ws_wake_due(sm, sub_core, number, now);
    eligible = ws_eligible(sub_core, now);
    if (eligible == 0) {
        sub_core->next = ws_next_idle(sub_core, now);
        return;
    }
    sub_core->view.cycle = now;
    warp = context->policy->pick(&sub_core->view, eligible);
    if (G_UNLIKELY(context->device->switch_cost != 0) &&
        !ws_switch_is_done(sub_core, &warp, context->device->switch_cost, now)) {
        sub_core->next = ws_next_idle(sub_core, now);
        return;
    }
    sub_core->next = WS_NEVER;
    issue(sm, sub_core, ws_slot_of(sm, number, warp), now);
    sub_core->next =
        MIN(sub_core->next, sub_core->ready != 0 ? now + 1 : ws_next_wake(sub_core, now));
}
