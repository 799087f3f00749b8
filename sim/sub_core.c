#include "sim/sub_core.h"

#include <string.h>

/* ---- waking and choosing ------------------------------------------------------------------------
 */

guint64 ws_wake_far(WsSm *sm, WsSubCore *sub_core, guint32 number, guint64 now)
{
    guint64 due = 0, next = WS_NEVER;

    for (guint64 far = sub_core->far; far != 0; far &= far - 1) {
        guint warp = (guint)__builtin_ctzll(far);
        guint64 ready = sm->state->warps[ws_slot_of(sm, number, warp)].ready;

        if (ready <= now)
            due |= (guint64)1 << warp;
        else
            next = MIN(next, ready);
    }
    sub_core->far &= ~due;
    sub_core->far_next = next;
    return due;
}

/*
 * While the dispatcher switches nothing issues: these cycles are the dispatcher's, so they no
 * longer count for resources that are busy at the same time.
 */
static void block_dispatch(WsSubCore *sub_core, guint64 from, guint64 until)
{
    for (guint r = 0; r < WS_RESOURCE_COUNT; r++)
        if (sub_core->free[r] > from)
            sub_core->blocked[r] -= MIN(sub_core->free[r], until) - from;
    sub_core->dispatch_blocked += until - from;
    sub_core->dispatch_free = until;
}

gboolean ws_switch_is_done(WsSubCore *sub_core, guint *warp, guint64 cost, guint64 now)
{
    if (sub_core->committed != WS_NO_WARP) {
        *warp = sub_core->committed;
        sub_core->committed = WS_NO_WARP;
        return TRUE;
    }
    if (sub_core->view.last == WS_NO_WARP || sub_core->view.last == *warp)
        return TRUE;
    sub_core->committed = (guint8)*warp;
    block_dispatch(sub_core, now + 1, now + cost);
    return FALSE;
}

/* ---- accounting ---------------------------------------------------------------------------------
 */

typedef struct {
    guint64 until;
    WsStall stall;
} Stretch;

enum { STRETCHES = 7 };

/* The reasons in order of precedence, each with the cycle at which it ends. */
static void find_stretches(const WsWarp *warp, Stretch ret[STRETCHES])
{
    ret[0] = (Stretch){MIN(warp->set_up_until, warp->front_until), WS_STALL_NO_INSTRUCTION};
    ret[1] = (Stretch){warp->front_until, warp->front_reason};
    ret[2] = (Stretch){warp->fetch_until, WS_STALL_NO_INSTRUCTION};
    ret[3] = (Stretch){warp->constant_until, WS_STALL_IMC_MISS};
    ret[4] = (Stretch){warp->until[WS_WAIT_LONG], WS_STALL_LONG_SCOREBOARD};
    ret[5] = (Stretch){warp->until[WS_WAIT_SHORT], WS_STALL_SHORT_SCOREBOARD};
    ret[6] = (Stretch){warp->until[WS_WAIT_FIXED], WS_STALL_WAIT};
}

guint64 ws_charge_until_ready(WsWarp *warp, WsInstructionCounters *counters, guint64 end)
{
    Stretch stretches[STRETCHES];
    guint64 cursor = warp->cursor;

    find_stretches(warp, stretches);
    for (guint i = 0; i < STRETCHES; i++) {
        guint64 until = MIN(stretches[i].until, end);
        if (until > cursor) {
            counters->stalls[stretches[i].stall] += until - cursor;
            cursor = until;
        }
    }
    return cursor;
}

/* ---- dependences --------------------------------------------------------------------------------
 */

void ws_find_waits(const WsSm *sm, guint32 slot, const WsIssueInfo *issue,
                   guint64 until[WS_WAIT_COUNT])
{
    const WsSchedule *schedule = sm->context->schedule;
    const WsDependence *dependence = &schedule->dependences[issue->first];
    const guint64 *entries = ws_sm_entries(sm, &sm->state->warps[slot]);

    for (guint i = 0; i < issue->inputs; i++, dependence++) {
        guint64 entry = entries[dependence->entry];
        guint kind = ws_entry_kind(entry);
        guint64 cycle =
            ws_entry_cycle(entry) + (guint64)(gint64)schedule->later[kind][dependence->relation];
        guint64 *wait = &until[schedule->wait[kind]];
        *wait = MAX(*wait, cycle);
    }
    /* A write must come after the write before it: issue late enough for that. */
    for (guint i = 0; i < issue->ordered; i++, dependence++) {
        guint64 entry = entries[dependence->entry];
        guint kind = ws_entry_kind(entry);
        guint64 cycle = ws_entry_cycle(entry), early = kind < WS_VARIABLE ? issue->latency - 1u : 0;
        guint64 *wait = &until[schedule->wait[kind]];
        cycle = cycle > early ? cycle - early : 0;
        *wait = MAX(*wait, cycle);
    }
}

void ws_find_instruction(WsSm *sm, WsWarp *warp)
{
    guint32 at = warp->path.pc - sm->first, raw = (at + sm->buffer) >> sm->line_shift;
    guint32 line = at >> sm->line_shift;
    guint64 now = sm->state->now, cycle = MAX(now, warp->front_until);

    warp->line = raw;
    if (sm->fetch == NULL)
        return;
    if (warp->fetched != line) {
        warp->fetch_until = warp->ahead == line
                                ? warp->ahead_until
                                : ws_instruction_fetch(sm->fetch, warp->sub_core, line, cycle);
        warp->fetched = line;
    }
    if (raw == line)
        return;
    if (warp->ahead != raw) {
        warp->ahead = raw;
        warp->ahead_until =
            ws_instruction_fetch(sm->fetch, warp->sub_core, raw, MAX(cycle, warp->fetch_until));
    }
    if (warp->ahead_until > now) /* look again at the next instruction */
        warp->line = WS_NO_LINE;
}

void ws_prepare_waiting(WsSm *sm, WsSubCore *sub_core, WsWarp *warp, const WsIssueInfo *issue)
{
    guint64 until[WS_WAIT_COUNT] = {[WS_WAIT_FIXED] = warp->earliest};
    guint64 now = sm->state->now, ready;

    ws_find_waits(sm, warp->slot, issue, until);
    if (warp->late_until > now)
        ws_find_late_reads(sm, warp->slot, issue, until);
    if (sm->control)
        ws_control_find_values(sm, warp->slot, issue, until);
    ready = MAX(MAX(until[WS_WAIT_LONG], until[WS_WAIT_SHORT]),
                MAX(until[WS_WAIT_FIXED], warp->front_until));
    ready = MAX(ready, MAX(warp->fetch_until, warp->constant_until));
    memcpy(warp->until, until, sizeof until);
    warp->ready = MAX(ready, now);
    warp->state = ready < WS_NEVER ? WS_WARP_TIMED : WS_WARP_RESPONSE;
    if (ready < WS_NEVER)
        ws_wake_later(sub_core, warp->number, warp->ready, now);
}

/* ws_prepare() from outside of the sub-core's own issue. */
static void prepare(WsSm *sm, WsWarp *warp)
{
    WsSubCore *sub_core = &sm->state->sub_cores[warp->sub_core];

    ws_prepare(sm, sub_core, warp, FALSE);
    if (warp->state == WS_WARP_TIMED)
        sub_core->next = MIN(sub_core->next, warp->ready);
}

void ws_find_late_reads(const WsSm *sm, guint32 slot, const WsIssueInfo *issue,
                        guint64 until[WS_WAIT_COUNT])
{
    const WsSchedule *schedule = sm->context->schedule;
    const WsDependence *output = &schedule->dependences[issue->first + issue->inputs];
    guint32 registers = schedule->first_predicate;
    const guint64 *late = sm->late + (gsize)slot * registers;

    for (guint i = 0; i < issue->outputs; i++) {
        if (output[i].entry < registers) {
            guint64 *wait = &until[schedule->wait[ws_entry_kind(late[output[i].entry])]];
            *wait = MAX(*wait, ws_entry_cycle(late[output[i].entry]));
        }
    }
}

static void set_late_reads(WsSm *sm, guint32 slot, const WsIssueInfo *issue, guint64 cycle)
{
    const WsSchedule *schedule = sm->context->schedule;
    const WsDependence *read =
        &schedule->dependences[issue->first + issue->inputs + issue->outputs];
    guint64 *late = sm->late + (gsize)slot * schedule->first_predicate;
    WsWarp *warp = &sm->state->warps[slot];

    for (guint i = 0; i < issue->late_reads; i++) {
        guint64 before = ws_entry_cycle(late[read[i].entry]);
        late[read[i].entry] = ws_entry(MAX(before, cycle), WS_VARIABLE + issue->execution_class);
    }
    warp->late_until = MAX(warp->late_until, cycle);
}

void ws_warp_resume(WsSm *sm, guint32 slot)
{
    WsWarp *warp = &sm->state->warps[slot];

    warp->state = WS_WARP_TIMED;
    if (warp->path.pc == warp->path.stop)
        ws_warp_meet(sm, slot, warp->wait_pc, sm->state->now);
    prepare(sm, warp);
}

/* ---- observers ----------------------------------------------------------------------------------
 */

static void tell_stall(const WsObserver *observer, WsEventSource *source, guint64 cycle,
                       WsStall *from, WsStall to)
{
    source->cycle = cycle;
    observer->stall(observer->data, source, *from, to);
    *from = to;
}

/* What the warp waited for since its last issue, and that it issues now. */
static void observe_stalls(WsSm *sm, const WsWarp *warp, WsEventSource *source, guint64 now)
{
    const WsObserver *observer = sm->context->observer;
    const WsSubCore *sub_core = &sm->state->sub_cores[warp->sub_core];
    WsStall from = WS_STALL_SELECTED;
    guint64 cursor = warp->cursor;
    Stretch stretches[STRETCHES];

    find_stretches(warp, stretches);
    for (guint i = 0; i < STRETCHES; i++) {
        if (MIN(stretches[i].until, now) <= cursor)
            continue;
        tell_stall(observer, source, cursor, &from, stretches[i].stall);
        cursor = MIN(stretches[i].until, now);
    }
    if (now > cursor) {
        gboolean busy = sub_core->blocked[warp->resource] != warp->busy;
        tell_stall(observer, source, cursor, &from,
                   busy ? ws_resource_stall(warp->resource) : WS_STALL_NOT_SELECTED);
    }
    if (from != WS_STALL_SELECTED)
        tell_stall(observer, source, now, &from, WS_STALL_SELECTED);
}

void ws_observe_issue(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now)
{
    const WsObserver *observer = sm->context->observer;
    const WsWarp *warp = &sm->state->warps[slot];
    WsEventSource source;

    ws_sm_source(sm, slot, now, &source);
    if (observer->stall != NULL)
        observe_stalls(sm, warp, &source, now);
    source.cycle = now;
    if (observer->issue != NULL)
        observer->issue(observer->data, &source, pc, warp->path.active, mask);
}

static void observe_paths(WsSm *sm, guint32 slot, guint32 pc, guint64 a, guint64 b, gboolean split)
{
    const WsObserver *observer = sm->context->observer;
    WsEventSource source;

    if (observer == NULL)
        return;
    ws_sm_source(sm, slot, sm->state->now, &source);
    if (split && observer->diverge != NULL)
        observer->diverge(observer->data, &source, pc, a, b);
    if (!split && observer->reconverge != NULL)
        observer->reconverge(observer->data, &source, pc, a);
}

/* ---- control flow -------------------------------------------------------------------------------
 */

static void front(WsWarp *warp, WsStall reason, guint64 until)
{
    warp->front_reason = (guint8)reason;
    warp->front_until = until;
}

/* The next instruction is elsewhere: what was fetched for the warp is of no use. */
static void instructions_lost(WsWarp *warp)
{
    warp->line = warp->fetched = warp->ahead = WS_NO_LINE;
}

static void path_changed(WsWarp *warp)
{
    instructions_lost(warp);
    warp->lanes = (guint8)ws_count_lanes(warp->path.active);
}

static void after_switch(WsSm *sm, guint32 slot, guint32 pc, WsConvergence how);

static void note_divergence(WsSm *sm, guint32 slot, guint32 pc, guint64 taken, guint64 rest)
{
    WsWarp *warp = &sm->state->warps[slot];

    sm->counters[pc].divergent++;
    if (!warp->diverged) {
        warp->diverged = TRUE;
        sm->state->warps_diverged++;
    }
    observe_paths(sm, slot, pc, taken, rest, TRUE);
}

void ws_warp_meet(WsSm *sm, guint32 slot, guint32 pc, guint64 now)
{
    const WsLaunchContext *context = sm->context;
    WsWarp *warp = &sm->state->warps[slot];
    guint32 at = warp->path.pc;

    while (warp->path.active != 0 && warp->path.pc == warp->path.stop)
        if (context->divergence->stop(ws_sm_path_state(sm, slot), &warp->path) ==
            WS_CONVERGED_JOINED)
            observe_paths(sm, slot, at, warp->path.active, 0, FALSE);
    path_changed(warp);
}

/* Lanes where the guard and condition operand Pp hold. */
static guint64 condition(const WsDecoded *decoded, const WsWarpRegisters *registers, guint64 mask)
{
    guint64 predicate = registers->predicates[decoded->predicate_in & 7];

    return mask & (decoded->predicate_in & 8 ? ~predicate : predicate);
}

/* `taken` lanes of the path go to `target`, the others to `next`. */
static void go(WsSm *sm, guint32 slot, guint32 pc, guint64 taken, guint32 target, guint32 next,
               guint64 now)
{
    const WsLaunchContext *context = sm->context;
    WsWarp *warp = &sm->state->warps[slot];
    guint64 rest = warp->path.active & ~taken, cost = context->device->branch_cost;

    sm->state->branches++;
    if (taken == 0) {
        warp->path.pc = next;
        cost = context->device->branch_fall_through_cost;
    } else if (rest == 0) {
        warp->path.pc = target;
    } else {
        sm->state->divergent_branches++;
        note_divergence(sm, slot, pc, taken, rest);
        context->divergence->split(ws_sm_path_state(sm, slot), &warp->path, taken, target, next,
                                   context->schedule->issues[pc].reconvergence,
                                   context->device->first_side);
        path_changed(warp);
        if (warp->path.pc == next)
            cost = context->device->branch_fall_through_cost;
    }
    if (taken != 0)
        instructions_lost(warp);
    front(warp, WS_STALL_BRANCH_RESOLVING, now + MAX(cost, 1));
    if (target <= pc && taken != 0 && context->divergence->turn != NULL &&
        context->device->progress_after != 0 &&
        context->divergence->turn(ws_sm_path_state(sm, slot), context->device->progress_after)) {
        WsConvergence how = context->divergence->yield(ws_sm_path_state(sm, slot), &warp->path);
        if (how != WS_CONVERGED_NOTHING)
            after_switch(sm, slot, pc, how);
    }
}

/*
 * BRX and RET: lanes may have many targets. Those with the lowest lane's go there; the rest stay
 * and issue the branch again, one more time for each target.
 */
static void go_indirect(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now)
{
    const WsLaunchContext *context = sm->context;
    guint32 targets[WS_MAX_WARP_SIZE], target;
    guint64 taken = 0;
    guint lane;

    if (mask == 0) {
        go(sm, slot, pc, 0, pc + 1, pc + 1, now);
        return;
    }
    ws_lane_targets(context->decoded, &context->decoded->instructions[pc],
                    &sm->state->registers[slot], mask, targets);
    lane = (guint)__builtin_ctzll(mask);
    target = targets[lane];
    if (target < context->kernel->first ||
        target - context->kernel->first >= context->kernel->count) {
        ws_sm_stop_at(sm, WS_STATUS_FAULT, slot, pc, lane, "jump to an address outside the kernel");
        return;
    }
    for (guint64 m = mask; m != 0; m &= m - 1)
        if (targets[__builtin_ctzll(m)] == target)
            taken |= m & -m;
    go(sm, slot, pc, taken, target, mask & ~taken ? pc : pc + 1, now);
}

/* The register that CALL leaves its return address in. */
static void set_return_address(WsSm *sm, guint32 slot, guint32 pc, guint64 mask)
{
    const WsLaunchContext *context = sm->context;
    const WsInstruction *instruction = &context->program->instructions[pc];
    guint32 size = context->decoded->warp_size, *row;

    if (instruction->operand[0].index >= context->kernel->registers)
        return;
    row = sm->state->registers[slot].registers + (gsize)instruction->operand[0].index * size;
    for (guint64 m = mask; m != 0; m &= m - 1)
        row[__builtin_ctzll(m)] = (pc + 1) * WS_INSTRUCTION_BYTES;
}

static void issue_branch(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now)
{
    const WsDecoded *decoded = &sm->context->decoded->instructions[pc];
    const WsIssueInfo *issue = &sm->context->schedule->issues[pc];

    switch (decoded->opcode) {
    case WS_OP_BRA:
        mask = condition(decoded, &sm->state->registers[slot], mask);
        go(sm, slot, pc, mask, issue->target, pc + 1, now);
        break;
    case WS_OP_CALL:
        set_return_address(sm, slot, pc, mask);
        ws_set_outputs(sm, slot, issue, ws_entry(now + issue->latency, issue->execution_class));
        go(sm, slot, pc, mask, issue->target, pc + 1, now);
        break;
    default:
        go_indirect(sm, slot, pc, mask, now);
        break;
    }
}

static void issue_exit(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now)
{
    const WsLaunchContext *context = sm->context;
    WsWarp *warp = &sm->state->warps[slot];
    guint64 lanes =
        condition(&context->decoded->instructions[pc], &sm->state->registers[slot], mask);

    if (lanes == 0)
        return;
    if (lanes != warp->path.active)
        note_divergence(sm, slot, pc, lanes, warp->path.active & ~lanes);
    warp->wait_pc = pc;
    if (context->divergence->exit(ws_sm_path_state(sm, slot), &warp->path, lanes)) {
        ws_warp_exited(sm, slot, now);
        return;
    }
    path_changed(warp);
    if (context->divergence->wait != NULL)
        ws_barrier_lanes_left(sm, slot, now);
}

/* ---- memory and shared units --------------------------------------------------------------------
 */

/* After the load-store unit took something: its queue may be full now. */
static void block_queues(WsSm *sm, guint32 slot, guint64 now)
{
    guint8 number = sm->state->warps[slot].sub_core;
    WsSubCore *sub_core = &sm->state->sub_cores[number];

    ws_resource_block(sub_core, WS_RESOURCE_LG, now + 1,
                      ws_sm_memory_free_cycle(sm->memory, number, WS_CLASS_GLOBAL_LOAD));
    ws_resource_block(sub_core, WS_RESOURCE_MIO, now + 1,
                      ws_sm_memory_free_cycle(sm->memory, number, WS_CLASS_SHARED_LOAD));
}

static void remember_access(WsSm *sm, guint32 token, guint32 pc)
{
    if (token >= sm->pending->len)
        g_array_set_size(sm->pending, token + 1);
    g_array_index(sm->pending, guint32, token) = pc;
}

static void access_fault(WsSm *sm, guint32 slot, guint32 pc, const WsAccess *access)
{
    ws_sm_stop_at(sm, WS_STATUS_FAULT, slot, pc, access->fault_lane, access->fault);
    sm->state->stop.address = access->fault_address;
    sm->state->stop.has_address = TRUE;
}

static void observe_access(WsSm *sm, guint32 slot, guint32 pc, guint32 sectors, gboolean response)
{
    const WsObserver *observer = sm->context->observer;
    WsEventSource source;

    if (observer == NULL)
        return;
    ws_sm_source(sm, slot, sm->state->now, &source);
    if (response && observer->memory_response != NULL)
        observer->memory_response(observer->data, &source, pc);
    if (!response && observer->memory_request != NULL)
        observer->memory_request(observer->data, &source, pc, sectors);
}

static void issue_memory(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now)
{
    const WsLaunchContext *context = sm->context;
    const WsIssueInfo *issue = &context->schedule->issues[pc];
    WsWarp *warp = &sm->state->warps[slot];
    WsAccess access;

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
    sm->state->progress += issue->stores;
    block_queues(sm, slot, now);
    if (access.outcome == WS_ACCESS_PENDING) {
        remember_access(sm, access.token, pc);
        sm->state->event = MIN(sm->state->event, ws_sm_memory_next_response(sm->memory));
        access.ready_cycle = WS_NEVER;
    }
    ws_set_outputs(sm, slot, issue,
                   ws_entry(access.ready_cycle, WS_VARIABLE + issue->execution_class));
    if (access.source_cycle > now + 1)
        set_late_reads(sm, slot, issue, access.source_cycle);
    if (sm->control)
        ws_control_set_barriers(sm, slot, issue, access.ready_cycle,
                                MAX(access.source_cycle, now + 1));
    observe_access(sm, slot, pc, access.sectors, FALSE);
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

/* What LDC and ULDC wait for lines that L1 of constant memory lacks. */
static guint64 constant_delay(WsSm *sm, guint32 slot, const WsDecoded *decoded,
                              const WsIssueInfo *issue, guint64 mask, guint64 now)
{
    const WsWarpRegisters *registers = &sm->state->registers[slot];
    guint bank = ws_decoded_modifier(decoded, BANK);
    guint32 line = WS_NO_LINE;
    guint64 ready = now;

    if (sm->constants == NULL || issue->execution_class != WS_CLASS_CONSTANT_LOAD)
        return 0;
    if (decoded->opcode == WS_OP_ULDC || decoded->a < 0)
        mask &= -mask;
    for (; mask != 0; mask &= mask - 1) {
        guint32 base =
            ws_row_value(sm->context->decoded, registers, decoded->a, (guint)__builtin_ctzll(mask));
        guint32 next = ws_constant_line(bank, base + decoded->immediate);
        if (next != line)
            ready = MAX(ready, ws_constant_cache_load(sm->constants, next, now));
        line = next;
    }
    return ready - now;
}

/* A lane operation in a unit that the sub-cores share. */
static void issue_unit(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now)
{
    const WsLaunchContext *context = sm->context;
    const WsDecoded *decoded = &context->decoded->instructions[pc];
    const WsIssueInfo *issue = &context->schedule->issues[pc];
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
    ready += constant_delay(sm, slot, decoded, issue, mask, now);
    block_queues(sm, slot, now);
    warp->unit_until = MAX(warp->unit_until, ready);
    ws_set_outputs(sm, slot, issue, ws_entry(ready, WS_VARIABLE + issue->execution_class));
    if (sm->control)
        ws_control_set_barriers(sm, slot, issue, ready, now + 1);
}

/* ---- the rest -----------------------------------------------------------------------------------
 */

/* Value that an operand has in a lane. */
static guint32 operand_value(const WsSm *sm, guint32 slot, const WsOperand *operand, guint lane)
{
    const WsDecodedProgram *decoded = sm->context->decoded;
    const WsWarpRegisters *registers = &sm->state->registers[slot];
    guint32 value = 0;

    switch (operand->kind) {
    case WS_OPERAND_REGISTER:
        if (operand->index < sm->context->kernel->registers)
            value = registers->registers[(gsize)operand->index * decoded->warp_size + lane];
        break;
    case WS_OPERAND_UNIFORM_REGISTER:
        value = registers->uniform[operand->index & 63];
        break;
    case WS_OPERAND_IMMEDIATE:
        value = operand->value;
        break;
    case WS_OPERAND_CONSTANT:
        if (operand->value <= WS_CONSTANT_BANK_BYTES - 4 && operand->bank < WS_CONSTANT_BANKS)
            memcpy(&value, decoded->constants[operand->bank] + operand->value, 4);
        break;
    default:
        break;
    }
    return value;
}

guint32 ws_warp_operand(const WsSm *sm, guint32 slot, guint32 pc, guint n)
{
    const WsWarp *warp = &sm->state->warps[slot];
    guint lane = (guint)__builtin_ctzll(warp->path.active);

    return operand_value(sm, slot, &sm->context->program->instructions[pc].operand[n], lane);
}

void ws_membar_look(WsSm *sm, guint32 slot)
{
    WsWarp *warp = &sm->state->warps[slot];
    guint64 done = ws_sm_memory_membar(sm->memory, warp->last_issue, slot, warp->membar_scope);

    if (done >= WS_NEVER) {
        warp->state = WS_WARP_MEMBAR;
        sm->state->membar |= (guint64)1 << slot;
        front(warp, WS_STALL_MEMBAR, WS_NEVER);
        return;
    }
    sm->state->membar &= ~((guint64)1 << slot);
    warp->state = WS_WARP_TIMED;
    front(warp, WS_STALL_MEMBAR, MAX(done, MAX(warp->last_issue + 1, sm->state->now)));
}

/* BMOV: a convergence barrier register is written or read. */
static void move_barrier(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now)
{
    const WsLaunchContext *context = sm->context;
    const WsInstruction *instruction = &context->program->instructions[pc];
    const WsDivergenceModel *model = context->divergence;
    const WsIssueInfo *issue = &context->schedule->issues[pc];
    const WsPath *path = &sm->state->warps[slot].path;
    void *state = ws_sm_path_state(sm, slot);
    guint32 size = context->decoded->warp_size;

    if (instruction->opcode == WS_OP_BMOV_TO) {
        guint lane = (guint)__builtin_ctzll(mask);
        if (model->set != NULL)
            model->set(state, path, instruction->operand[0].index & 15,
                       operand_value(sm, slot, &instruction->operand[1], lane));
    } else if (instruction->operand[0].index < context->kernel->registers) {
        guint barrier = instruction->operand[1].index & 15;
        guint64 lanes = model->get != NULL ? model->get(state, path, barrier) : 0;
        guint32 *row =
            sm->state->registers[slot].registers + (gsize)instruction->operand[0].index * size;
        for (guint64 m = mask; m != 0; m &= m - 1)
            row[__builtin_ctzll(m)] = (guint32)lanes;
    }
    ws_set_outputs(sm, slot, issue, ws_entry(now + issue->latency, issue->execution_class));
}

/* What a convergence instruction does to the path; NOTHING where it only takes its slot. */
static WsConvergence converge(WsSm *sm, guint32 slot, guint32 pc, guint64 mask)
{
    const WsInstruction *instruction = &sm->context->program->instructions[pc];
    const WsDivergenceModel *model = sm->context->divergence;
    const WsDecoded *decoded = &sm->context->decoded->instructions[pc];
    WsPath *path = &sm->state->warps[slot].path;
    void *state = ws_sm_path_state(sm, slot);
    guint barrier = instruction->operand[0].index & 15;

    switch (instruction->opcode) {
    case WS_OP_BSSY:
        if (model->enter != NULL)
            model->enter(state, path, barrier);
        break;
    case WS_OP_BSYNC:
        return model->sync != NULL ? model->sync(state, path, barrier) : WS_CONVERGED_NOTHING;
    case WS_OP_BREAK:
        if (model->leave != NULL)
            model->leave(state, path, instruction->operand[1].index & 15,
                         condition(decoded, &sm->state->registers[slot], mask));
        break;
    case WS_OP_WARPSYNC:
        if (model->meet != NULL)
            return model->meet(state, path, ws_warp_operand(sm, slot, pc, 0));
        break;
    case WS_OP_YIELD:
        return model->yield != NULL ? model->yield(state, path) : WS_CONVERGED_NOTHING;
    default:
        break;
    }
    return WS_CONVERGED_NOTHING;
}

/* The path has changed hands, or ends here until a block barrier opens. */
static void after_switch(WsSm *sm, guint32 slot, guint32 pc, WsConvergence how)
{
    const WsDevice *device = sm->context->device;
    WsWarp *warp = &sm->state->warps[slot];
    guint64 cost =
        how == WS_CONVERGED_SWITCHED ? device->path_switch_cost : device->convergence_cost;

    path_changed(warp);
    if (warp->path.active == 0) {
        warp->wait_pc = pc;
        ws_barrier_nothing_runs(sm, slot);
        return;
    }
    if (how == WS_CONVERGED_JOINED)
        observe_paths(sm, slot, pc, warp->path.active, 0, FALSE);
    front(warp, WS_STALL_BRANCH_RESOLVING, MAX(warp->front_until, sm->state->now + cost));
}

static void issue_convergence(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now)
{
    guint16 opcode = sm->context->program->instructions[pc].opcode;
    const WsDivergenceModel *model = sm->context->divergence;
    WsWarp *warp = &sm->state->warps[slot];
    WsConvergence how;

    if (mask == 0)
        return;
    if (opcode == WS_OP_BMOV_TO || opcode == WS_OP_BMOV_FROM) {
        move_barrier(sm, slot, pc, mask, now);
        return;
    }
    how = converge(sm, slot, pc, mask);
    if (how != WS_CONVERGED_NOTHING)
        after_switch(sm, slot, pc, how);
    else if (opcode == WS_OP_BSYNC && model->sync != NULL)
        front(warp, WS_STALL_BRANCH_RESOLVING, now + sm->context->device->convergence_cost);
}

/* "Sleeps about Sb nanoseconds": the minimum and the time on top (257 cycles for 100 ns on an
 * H200). Another path of the warp runs afterwards.
 */
static void issue_sleep(WsSm *sm, guint32 slot, guint32 pc, guint64 now)
{
    const WsDevice *device = sm->context->device;
    const WsDivergenceModel *model = sm->context->divergence;
    WsWarp *warp = &sm->state->warps[slot];
    guint64 nanoseconds = ws_warp_operand(sm, slot, pc, 0);

    front(warp, WS_STALL_SLEEPING,
          now + MAX(device->nanosleep_minimum, 1) + nanoseconds * device->clock_khz / 1000000);
    if (model->yield != NULL &&
        model->yield(ws_sm_path_state(sm, slot), &warp->path) != WS_CONVERGED_NOTHING)
        path_changed(warp);
}

void ws_issue_special(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now)
{
    const WsInstruction *instruction = &sm->context->program->instructions[pc];
    WsWarp *warp = &sm->state->warps[slot];

    switch ((WsKind)sm->context->decoded->instructions[pc].kind) {
    case WS_KIND_LANES:
        issue_unit(sm, slot, pc, mask, now);
        return;
    case WS_KIND_MEMORY:
        issue_memory(sm, slot, pc, mask, now);
        return;
    case WS_KIND_BRANCH:
        issue_branch(sm, slot, pc, mask, now);
        return;
    case WS_KIND_EXIT:
        issue_exit(sm, slot, pc, mask, now);
        return;
    case WS_KIND_BARRIER:
        if (mask != 0)
            ws_barrier_execute(sm, slot, pc, mask, now);
        return;
    case WS_KIND_TRAP:
        if (mask != 0)
            ws_sm_stop_at(sm, WS_STATUS_FAULT, slot, pc, (guint32)__builtin_ctzll(mask),
                          instruction->mod[WS_MOD_TRAP] == WS_TRAP_ASSERT ? "assertion failed"
                                                                          : "trap");
        break;
    case WS_KIND_MEMBAR:
        if (mask != 0) {
            warp->wait_pc = pc;
            warp->membar_scope = instruction->mod[WS_MOD_SCOPE];
            ws_membar_look(sm, slot);
        }
        break;
    case WS_KIND_SLEEP:
        if (mask != 0)
            issue_sleep(sm, slot, pc, now);
        break;
    case WS_KIND_CONVERGENCE:
        issue_convergence(sm, slot, pc, mask, now);
        break;
    case WS_KIND_NOP:
        break;
    }
}

/* ---- responses ----------------------------------------------------------------------------------
 */

void ws_warp_response(WsSm *sm, const WsResponse *response)
{
    guint32 slot = response->warp_slot;
    guint32 pc = g_array_index(sm->pending, guint32, response->token);
    const WsIssueInfo *issue = &sm->context->schedule->issues[pc];
    guint64 ready = MAX(response->ready_cycle, sm->state->now);

    ws_set_outputs(sm, slot, issue, ws_entry(ready, WS_VARIABLE + issue->execution_class));
    if (sm->control)
        ws_control_response(sm, slot, issue, ready);
    observe_access(sm, slot, pc, 0, TRUE);
    if (sm->state->warps[slot].state == WS_WARP_RESPONSE)
        prepare(sm, &sm->state->warps[slot]);
}
