/*
 * One cycle of a sub-core. Included three times: with OBSERVED 0 and STEP ws_sub_core_step_plain,
 * with OBSERVED 1 and STEP ws_sub_core_step_observed, and with IDEAL 1 and STEP
 * ws_sub_core_step_ideal. Rare kinds of issue are in issue_special.c.
 */
#include "sim/sm/admission.h"
#include "sim/sm/control_fields.h"
#include "sim/sm/divergence_unit.h"
#include "sim/sm/ideal_time.h"
#include "sim/sm/issue_special.h"
#include "sim/sm/operand_reads.h"
#include "sim/sm/readiness.h"
#include "sim/sm/stall_accounting.h"
#include "sim/sm/sub_core.h"
#include "sim/sm/watch.h"

#ifndef STEP
#error "STEP names the function to make"
#endif

/* Whatever a quick instruction is not. */
static void issue_other(WsSm *sm, WsSubCore *sub_core, WsWarp *warp, guint32 pc, guint64 mask,
                        guint64 now, guint late)
{
    const WsIssueInfo *issue = &sm->issues[pc];
    WsLaneContext *lanes = &sm->state->lanes[warp->slot];

    if (G_UNLIKELY(sm->control)) {
        ws_control_check(sm, warp->slot, pc, now);
        ws_control_note_writer(sm, warp->slot, issue, now);
    }
    if (G_UNLIKELY(issue->warp_interval != 0))
        ws_sm_entries(sm, warp)[issue->warp_pipe_entry] =
            ws_entry(now + late + issue->warp_interval, WS_VARIABLE + issue->execution_class);
    lanes->cycle = now;
    lanes->active = warp->path.active;
    if (issue->plain) {
        const WsDecoded *decoded = &sm->instructions[pc];
        guint sooner = mask != 0 ? 0 : issue->sooner;

        if (mask != 0)
            decoded->body(sm->context->decoded, decoded, &sm->state->registers[warp->slot], lanes,
                          mask);
        ws_issue_result(sm, warp->slot, issue,
                        ws_entry(now + late + issue->latency - sooner, issue->execution_class));
        if (G_UNLIKELY(issue->holds))
            ws_delay_high_outputs(sm, warp, issue);
        if (G_UNLIKELY(sm->control)) {
            warp->earliest_issue += late; /* stall counts begin when the operands are read */
            ws_control_set_barriers(
                sm, warp->slot, issue,
                now + late + sm->table->complete[issue->execution_class] - sooner, now + 1);
        }
    } else {
        if (sm->instructions[pc].kind == WS_KIND_MEMORY)
            ws_issue_memory(sm, warp->slot, pc, mask, now);
        else
            ws_issue_special(sm, warp->slot, pc, mask, now);
        if (warp->state != WS_WARP_TIMED || sm->state->stop.status != WS_STATUS_OK)
            return;
    }
    if (G_UNLIKELY(warp->path.pc == warp->path.stop))
        ws_warp_reach_stop(sm, warp->slot, pc, now);
    ws_prepare(sm, sub_core, warp, TRUE);
}

/* Most instructions of most kernels: registers and predicates of the warp, and a fixed latency. */
static inline void issue_quick(WsSm *sm, WsSubCore *sub_core, WsWarp *warp,
                               WsWarpRegisters *registers, guint32 pc, guint64 mask, guint64 now,
                               guint late)
{
    const WsIssueInfo *issue = &sm->issues[pc];
    const WsDecoded *decoded = &sm->instructions[pc];
    guint64 *entries = ws_sm_entries(sm, warp);
    guint latency = issue->latency - (G_LIKELY(mask != 0) ? 0 : issue->sooner);
    guint64 entry = ws_entry(now + late + latency, issue->execution_class);

    for (guint i = 0; i < WS_QUICK_OUTPUTS; i++)
        entries[issue->quick_output[i]] = entry;
    if (G_LIKELY(mask != 0))
        decoded->body(sm->decoded, decoded, registers, NULL, mask);
    if (G_LIKELY(warp->path.pc != warp->path.stop)) {
        ws_prepare_quick(sm, sub_core, warp, entries, now);
    } else {
        ws_warp_reach_stop(sm, warp->slot, pc, now);
        ws_prepare(sm, sub_core, warp, TRUE);
    }
}

static inline void issue(WsSm *sm, WsSubCore *sub_core, WsWarp *warp, guint64 now)
{
    WsWarpRegisters *registers = &sm->state->registers[warp->slot];
    guint32 pc = warp->path.pc;
    const WsIssueInfo *issue = &sm->issues[pc];
    WsInstructionCounters *counters = &sm->counters[pc];
    guint guard = sm->instructions[pc].guard;
    const guint64 active = warp->path.active;
    guint64 mask = active;
    guint held = 0, late = 0; /* cycles that its reads hold up the next issue, and the result */

    WS_KEEP_ADDRESS(registers);
    WS_KEEP_ADDRESS(counters);
    counters->lanes += warp->lanes;
    if (guard != WS_PT) {
        mask = ws_guard_mask(&sm->instructions[pc], registers, mask);
        counters->lanes_on -= ws_count_lanes(active & ~mask);
    }
    if (IDEAL)
        ws_ideal_before_issue(sm, sub_core, warp, pc, mask, now);
    if (OBSERVED)
        ws_emit_issue(sm, warp->slot, pc, mask, now);
    ws_charge_issue(sub_core, warp, counters, now);
    counters->issued++;
    sub_core->issued++;
    ws_wake_clear(&sub_core->wake, warp->number);
    if (sm->ports.reads != NULL && !(IDEAL && ws_ideal_passes_ports(sub_core)))
        held = ws_read_registers(sm, &sub_core->ports, warp, pc, now, &late);
    if (G_UNLIKELY(ws_ports_expect_xu(&sub_core->ports, now) ||
                   issue->resource == WS_RESOURCE_XU) &&
        mask != 0) {
        guint waits = ws_wait_to_write(sm, &sub_core->ports, issue, now + late);

        held += waits;
        late += waits;
    }
    if (issue->interval > 1) {
        if (G_UNLIKELY(issue->holds))
            held += ws_hold_for_product(sm, warp, pc, now, &late);
        ws_pipes_issue(
            &sub_core->pipes, issue->resource, now,
            now + late +
                (IDEAL ? ws_ideal_interval(sm, sub_core, issue->interval) : issue->interval));
    }
    if (IDEAL)
        held = ws_ideal_hold(sub_core, held);
    if (held != 0)
        ws_dispatcher_block(&sub_core->dispatch, &sub_core->pipes, now + 1, now + 1 + held);
    ws_held_issue(&sub_core->held, &warp->held, warp->number, held);
    sub_core->view.last = warp->number;
    ws_issue_order_note(&sub_core->view.issues, warp->number);
    warp->last_issue = now;
    warp->earliest_issue = now + issue->step;
    warp->path.pc = pc + 1;
    if (G_LIKELY(issue->quick))
        issue_quick(sm, sub_core, warp, registers, pc, mask, now, late);
    else
        issue_other(sm, sub_core, warp, pc, mask, now, late);
    if (IDEAL)
        ws_ideal_after_issue(sm, sub_core, warp, now);
    if (OBSERVED)
        ws_emit_issued(sm, warp->slot, pc, active, mask, now);
}

/* The policy's choice among `eligible`. */
static inline guint choose(const WsSm *sm, WsSubCore *sub_core, guint64 eligible, guint64 now)
{
    guint8 last = sub_core->view.last;

    if (sm->greedy && last != WS_NO_WARP && (eligible >> last & 1))
        return last;
    sub_core->view.cycle = now;
    return sm->context->policy->pick(&sub_core->view, eligible);
}

#if IDEAL
/* Issues other warps while some of the slot is left. */
static void issue_more(WsSm *sm, WsSubCore *sub_core, guint32 number, guint64 now)
{
    guint64 eligible;

    while (sm->switch_cost == 0 && sm->state->stop.status == WS_STATUS_OK &&
           (eligible = ws_eligible(sub_core, now)) != 0 && ws_ideal_slot_is_left(sub_core)) {
        if (sm->admits && (eligible = ws_admit(sm, number, eligible, now)) == 0)
            return;
        guint next = choose(sm, sub_core, eligible, now);
        issue(sm, sub_core, &sm->state->warps[ws_slot_of(sm, number, next)], now);
    }
}
#else
#define issue_more(...)
#endif

void STEP(WsSm *sm, WsSubCore *sub_core, guint32 number, guint64 now)
{
    gboolean passed = sub_core->wake.deferred != 0;
    guint64 woken = ws_wake_due(&sub_core->wake, now), eligible, could;
    gboolean held = FALSE; /* warps that could issue, by the policy */
    guint number_of_warp = 0;
    WsWarp *warp;

    if (IDEAL)
        ws_ideal_begin_cycle(sub_core, now);
    if ((woken & sub_core->held.uncounted) != 0)
        woken = ws_wake_counted(sm, sub_core, number, woken, now);
    could = eligible = ws_eligible(sub_core, now);
    if (G_UNLIKELY(sm->admits) && eligible != 0) {
        eligible = ws_admit(sm, number, eligible, now);
        held = eligible == 0;
    }
    if (eligible != 0)
        number_of_warp = choose(sm, sub_core, eligible, now);
    /*
     * Counting starts before a switch or an issue makes anything busy; a warp that issues as soon
     * as it is ready needs none.
     */
    if (eligible == 0 || sm->switch_cost != 0 || passed)
        ws_account_woken(sm, sub_core, number, woken, now);
    else
        ws_account_woken(sm, sub_core, number, woken & ~((guint64)1 << number_of_warp), now);
    if (eligible == 0 ||
        (G_UNLIKELY(sm->switch_cost != 0) &&
         !ws_dispatcher_switch(&sub_core->dispatch, &sub_core->pipes, sub_core->view.last,
                               sm->switch_cost, now, &number_of_warp))) {
        sub_core->wake.next = held ? now + 1 : ws_next_look(sub_core, now);
        return;
    }
    warp = &sm->state->warps[ws_slot_of(sm, number, number_of_warp)];
    WS_KEEP_ADDRESS(warp);
    if (OBSERVED)
        ws_emit_choice(sm, warp->slot, could, eligible, now);
    issue(sm, sub_core, warp, now);
    if (IDEAL) {
        issue_more(sm, sub_core, number, now);
    }
    sub_core->wake.next = ws_next_look(sub_core, now);
}
