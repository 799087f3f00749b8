/* Memory instructions and those of units that the sub-cores share: issue and response. */
#include "sim/sm/control_fields.h"
#include "sim/sm/issue_special.h"
#include "sim/sm/load_store_queue.h"
#include "sim/sm/readiness.h"
#include "sim/sm/watch.h"

static void remember_access(WsSm *sm, guint32 token, guint32 slot, guint32 pc, guint64 lanes,
                            guint64 now)
{
    while (token >= sm->pending.count)
        ws_state_array_append(&sm->pending, WsSmAccess, (WsSmAccess){0});
    ws_state_array_index(&sm->pending, WsSmAccess, token) =
        (WsSmAccess){.cycle = now, .lanes = lanes, .pc = pc, .slot = (guint8)slot, .under_way = 1};
}

static void access_fault(WsSm *sm, guint32 slot, guint32 pc, const WsMemoryAccess *access)
{
    ws_sm_stop_at(sm, WS_STATUS_FAULT, slot, pc, access->fault_lane, access->fault);
    sm->state->stop.address = access->fault_address;
    sm->state->stop.has_address = TRUE;
}

/* The instruction reads its registers at `cycle`: until then nobody may overwrite them. */
static void set_war_reads(WsSm *sm, guint32 slot, const WsIssueInfo *issue, guint64 cycle)
{
    WsWarp *warp = &sm->state->warps[slot];

    ws_set_war_reads(sm->table, ws_sm_war(sm, warp), issue, cycle);
    warp->operands.war_until = MAX(warp->operands.war_until, cycle);
}

void ws_issue_memory(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now)
{
    const WsLaunchContext *context = sm->context;
    const WsIssueInfo *issue = &sm->issues[pc];
    WsWarp *warp = &sm->state->warps[slot];
    WsMemoryAccess access;

    warp->path.pc = pc + 1;
    if (mask == 0)
        return;
    access = ws_sm_memory_access(sm->memory, now, warp->sub_core, slot, warp->block_slot,
                                 context->decoded, &context->decoded->instructions[pc],
                                 &sm->state->registers[slot], mask);
    if (access.outcome == WS_ACCESS_FAULT) {
        access_fault(sm, slot, pc, &access);
        return;
    }
    WsInstructionCounters *counters = &sm->counters[pc];
    counters->extra_wavefronts += access.extra_wavefronts;
    counters->sectors += access.global_sectors;
    counters->extra_sectors += access.extra_sectors;
    ws_load_store_taken(sm, slot, now);
    if (access.outcome == WS_ACCESS_PENDING) {
        remember_access(sm, access.token, slot, pc, mask, now);
        sm->state->event = MIN(sm->state->event, ws_sm_memory_next_completion(sm->memory));
        access.ready_cycle = WS_NEVER;
    }
    ws_issue_result(sm, slot, issue,
                    ws_entry(access.ready_cycle, WS_VARIABLE + issue->execution_class));
    if (access.source_cycle > now + 1)
        set_war_reads(sm, slot, issue, access.source_cycle);
    if (sm->control)
        ws_control_set_barriers(sm, slot, issue, access.ready_cycle,
                                MAX(access.source_cycle, now + 1));
    ws_emit_request(sm, slot, pc, &access, mask, now);
}

/* Different values of a row over the lanes of `mask`: passes of an indexed constant load. */
static guint32 distinct_values(const guint32 *row, guint64 mask)
{
    guint32 count = 0;

    for (; mask != 0; count++) {
        guint32 value = row[__builtin_ctzll(mask)];
        for (guint64 m = mask; m != 0; m &= m - 1)
            if (row[__builtin_ctzll(m)] == value)
                mask &= ~(m & -m);
    }
    return count;
}

static guint32 unit_passes(WsSm *sm, guint32 slot, const WsIssueInfo *issue,
                           const WsDecoded *decoded, guint64 mask)
{
    if (decoded->a < 0 || (issue->execution_class != WS_CLASS_CONSTANT_LOAD &&
                           issue->execution_class != WS_CLASS_MATCH))
        return 1;
    return distinct_values(sm->state->registers[slot].registers +
                               (gsize)decoded->a * sm->context->decoded->warp_size,
                           mask);
}

/*
 * An LDC waits for lines that L1 of constant memory lacks, and keeps its place in a queue of the
 * sub-core till it ends. Returns when, where it would be at `ready` with all lines.
 */
static guint64 constant_load(WsSm *sm, guint32 slot, const WsDecoded *decoded, guint64 mask,
                             guint64 now, guint64 ready)
{
    const WsWarpRegisters *registers = &sm->state->registers[slot];
    guint8 number = sm->state->warps[slot].sub_core;
    guint bank = ws_decoded_modifier(decoded, BANK);
    guint32 line = WS_NO_LINE;
    guint64 lines = now;

    if (decoded->a < 0)
        mask &= -mask;
    for (; mask != 0; mask &= mask - 1) {
        guint32 base =
            ws_row_value(sm->context->decoded, registers, decoded->a, (guint)__builtin_ctzll(mask));
        guint32 next = ws_constant_line(bank, base + decoded->immediate);
        if (next != line)
            lines = MAX(lines, ws_constant_cache_load(sm->fetch.constants, next, now));
        line = next;
    }
    ready = ws_constant_cache_queue(sm->fetch.constants, number, ready + lines - now, lines - now);
    ws_pipes_block(&sm->state->sub_cores[number].pipes, WS_RESOURCE_MIO, now + 1,
                   ws_constant_cache_room(sm->fetch.constants, number));
    return ready;
}

void ws_issue_unit(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now)
{
    const WsLaunchContext *context = sm->context;
    const WsDecoded *decoded = &context->decoded->instructions[pc];
    const WsIssueInfo *issue = &sm->issues[pc];
    WsWarp *warp = &sm->state->warps[slot];
    guint64 ready;
    guint32 passes;

    warp->path.pc = pc + 1;
    if (mask == 0)
        return;
    passes = unit_passes(sm, slot, issue, decoded, mask);
    decoded->body(context->decoded, decoded, &sm->state->registers[slot], &sm->state->lanes[slot],
                  mask);
    ready = ws_sm_memory_unit(sm->memory, now, warp->sub_core, issue->execution_class, passes);
    ready += issue->latency - context->device->classes[issue->execution_class].latency;
    if (sm->fetch.constants != NULL && issue->execution_class == WS_CLASS_CONSTANT_LOAD)
        ready = constant_load(sm, slot, decoded, mask, now, ready);
    if (issue->execution_class == WS_CLASS_CONSTANT_LOAD)
        ws_emit_constant_load(sm, slot, pc, mask, now, ready);
    ws_load_store_taken(sm, slot, now);
    warp->unit_until = MAX(warp->unit_until, ready);
    ws_issue_result(sm, slot, issue, ws_entry(ready, WS_VARIABLE + issue->execution_class));
    if (sm->control)
        ws_control_set_barriers(sm, slot, issue, ready, now + 1);
}

/* ---- responses ----------------------------------------------------------------------------------
 */

void ws_warp_response(WsSm *sm, const WsResponse *response)
{
    guint32 slot = response->warp_slot;
    WsSmAccess *access = &ws_state_array_index(&sm->pending, WsSmAccess, response->token);
    guint32 pc = access->pc;
    const WsIssueInfo *issue = &sm->table->issues[pc];
    guint64 ready = MAX(response->ready_cycle, sm->state->now);

    ws_issue_result(sm, slot, issue, ws_entry(ready, WS_VARIABLE + issue->execution_class));
    if (sm->control)
        ws_control_response(sm, slot, issue, ready);
    access->under_way = FALSE;
    ws_emit_response(sm, slot, pc, response, ready);
    if (sm->state->warps[slot].state == WS_WARP_RESPONSE)
        ws_prepare_outside(sm, &sm->state->warps[slot]);
}
