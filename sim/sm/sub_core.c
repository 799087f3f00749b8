#include "sim/sm/issue_special.h"

#include <string.h>

#include "sim/base/call_fault.h"
#include "sim/sm/stall_precedence.h"

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

guint64 ws_wake_counted(WsSm *sm, WsSubCore *sub_core, guint32 number, guint64 woken, guint64 now)
{
    guint64 warps = woken & sub_core->uncounted;

    sub_core->uncounted &= ~woken;
    for (; warps != 0; warps &= warps - 1) {
        guint bit = (guint)__builtin_ctzll(warps);
        WsWarp *warp = &sm->state->warps[ws_slot_of(sm, number, bit)];
        guint64 held = sub_core->held - warp->held - warp->held_counted;

        warp->held_counted += held;
        warp->until[WS_WAIT_FIXED] += held;
        warp->ready = MAX(warp->ready, warp->until[WS_WAIT_FIXED]);
        if (warp->ready <= now)
            continue;
        woken &= ~((guint64)1 << bit);
        sub_core->ready &= ~((guint64)1 << bit);
        ws_wake_later(sub_core, bit, warp->ready, now);
    }
    return woken;
}

/* First cycle after `cycle` at which a blocked warp may no longer be so, WS_NEVER if none is. */
static guint64 blocked_until(const WsSubCore *sub_core, guint64 cycle)
{
    guint64 until = WS_NEVER;

    if (sub_core->dispatch_free > cycle)
        return sub_core->dispatch_free;
    for (guint32 busy = sub_core->busy; busy != 0; busy &= busy - 1) {
        guint resource = (guint)__builtin_ctz(busy);

        if (sub_core->free[resource] > cycle && sub_core->want[resource] != 0)
            until = MIN(until, sub_core->free[resource]);
    }
    return until;
}

guint64 ws_next_look_if_blocked(WsSubCore *sub_core, guint64 now, guint64 blocked)
{
    guint64 waiting = sub_core->ready | sub_core->soon, next = ws_next_wake(sub_core, now);
    guint64 until = blocked_until(sub_core, now + 1);

    if (G_UNLIKELY(until - now >= WS_WHEEL))
        return sub_core->soon != 0 ? now + 1 : waiting != 0 ? MIN(next, until) : next;
    if (sub_core->soon != 0) {
        sub_core->passed = now + 1;
        sub_core->passed_end = until;
    }
    while (next < until && next != sub_core->far_next) {
        guint64 warps = sub_core->wheel[next % WS_WHEEL];

        if ((warps & ~blocked) != 0)
            return next;
        sub_core->passed = now + 1;
        sub_core->passed_end = until;
        waiting |= warps;
        next = ws_next_wake(sub_core, next);
    }
    return waiting != 0 ? MIN(next, until) : next;
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
    ws_dispatch_block(sub_core, now + 1, now + cost);
    return FALSE;
}

/* ---- accounting ---------------------------------------------------------------------------------
 */

/* Charges the cycles from `cursor` to `until` to a reason, as far as they lie before `end`. */
#define CHARGE(field, reason)                                                                      \
    until = MIN(MAX(warp->field, cursor), end);                                                    \
    counters->stalls[reason] += until - cursor;                                                    \
    cursor = until;

guint64 ws_charge_until_ready(WsWarp *warp, WsInstructionCounters *counters, guint64 end)
{
    guint64 cursor = warp->cursor, until;

    if (MAX(warp->front_until, MAX(warp->fetch_until, warp->constant_until)) <= cursor) {
        WS_OPERAND_HOLDS(CHARGE)
        return cursor;
    }
    WS_HOLDS(CHARGE)
    return cursor;
}

/* ---- dependences --------------------------------------------------------------------------------
 */

void ws_find_waits(const WsSm *sm, guint32 slot, const WsIssueInfo *issue,
                   guint64 until[WS_WAIT_COUNT])
{
    const WsIssueTable *table = sm->context->issue_table;
    const WsDependence *dependence = &table->dependences[issue->first];
    const WsWarp *warp = &sm->state->warps[slot];
    const guint64 *entries = ws_sm_entries(sm, warp);
    /* What was there before the warp's last issue is no reason for any cycle since. */
    guint64 old = warp->cursor < sm->latest ? 0 : ws_entry(warp->cursor - sm->latest, 0);

    for (guint i = 0; i < issue->inputs; i++, dependence++) {
        guint64 entry = entries[dependence->entry];
        if (entry < old)
            continue;
        guint kind = ws_entry_kind(entry);
        guint64 cycle =
            ws_entry_cycle(entry) + (guint64)(gint64)table->later[kind][dependence->relation];
        guint64 *wait = &until[table->wait[kind]];
        *wait = MAX(*wait, cycle);
    }
    /* A write must come after the write before it: issue late enough for that. */
    for (guint i = 0; i < issue->ordered; i++, dependence++) {
        guint64 entry = entries[dependence->entry];
        if (entry < old)
            continue;
        guint kind = ws_entry_kind(entry);
        guint64 cycle = ws_entry_cycle(entry), early = kind < WS_VARIABLE ? issue->latency - 1u : 0;
        guint64 *wait = &until[table->wait[kind]];
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
    if (warp->last_issue == WS_NEVER)
        cycle = MAX(now, ws_fetch_before(sm->fetch, warp->set_up_until));
    if (warp->fetched != line) {
        warp->fetch_until = warp->ahead == line ? warp->ahead_until
                                                : ws_instruction_fetch(sm->fetch, warp->sub_core,
                                                                       line, cycle, FALSE);
        warp->fetched = line;
        warp->held_until = MAX(warp->held_until, warp->fetch_until);
    }
    if (raw == line)
        return;
    if (warp->ahead != raw) {
        warp->ahead = raw;
        warp->ahead_until = ws_instruction_fetch(sm->fetch, warp->sub_core, raw,
                                                 MAX(cycle, warp->fetch_until), TRUE);
    }
    if (warp->ahead_until > now) /* look again at the next instruction */
        warp->line = WS_NO_LINE;
}

void ws_prepare_waiting(WsSm *sm, WsSubCore *sub_core, WsWarp *warp, const WsIssueInfo *issue)
{
    guint64 until[WS_WAIT_COUNT] = {[WS_WAIT_FIXED] = warp->earliest};
    guint64 now = sm->state->now, held, ready;

    if (warp->barrier_until > now && !issue->passes) {
        warp->front_reason = WS_STALL_BARRIER;
        warp->front_until = warp->barrier_until;
    }
    ws_find_waits(sm, warp->slot, issue, until);
    if (G_UNLIKELY(warp->war_until > now) && issue->outputs != 0)
        ws_find_war_waits(sm, warp->slot, issue, until);
    if (sm->control)
        ws_control_find_values(sm, warp->slot, issue, until);
    held = MAX(warp->front_until, warp->fetch_until);
    held = MAX(held, warp->constant_until);
    ready = MAX(until[WS_WAIT_LONG], until[WS_WAIT_SHORT]);
    ready = MAX(ready, until[WS_WAIT_FIXED]);
    ready = MAX(ready, held);
    memcpy(warp->until, until, sizeof until);
    warp->held_counted = 0;
    warp->ready = MAX(ready, now);
    warp->held_until = MAX(held, MAX(warp->war_until, warp->barrier_until));
    if (warp->front_until >= WS_NEVER)
        warp->state = WS_WARP_BARRIER;
    else
        warp->state = ready < WS_NEVER ? WS_WARP_TIMED : WS_WARP_RESPONSE;
    if (ready < WS_NEVER)
        ws_wake_later(sub_core, warp->number, warp->ready, now);
}

/* No register that the instruction writes is still to be read. */
static gboolean outputs_are_read(const WsSm *sm, const WsWarp *warp, const WsIssueInfo *issue,
                                 guint64 cycle)
{
    const WsDependence *output = &sm->dependences[issue->first + issue->inputs];
    guint32 registers = sm->context->issue_table->first_predicate;
    const guint64 *war = sm->war + (gsize)warp->slot * registers;

    for (guint i = 0; i < issue->outputs; i++)
        if (output[i].entry < registers && ws_entry_cycle(war[output[i].entry]) > cycle)
            return FALSE;
    return TRUE;
}

void ws_prepare_held(WsSm *sm, WsSubCore *sub_core, WsWarp *warp, const WsIssueInfo *issue)
{
    guint64 next = sm->state->now + 1;

    if (warp->state == WS_WARP_TIMED && !sm->control && warp->earliest == next &&
        warp->front_until <= next && warp->fetch_until <= next && warp->constant_until <= next &&
        warp->barrier_until < next &&
        ws_operands_are_ready(sm, ws_sm_entries(sm, warp), issue, next) &&
        outputs_are_read(sm, warp, issue, next)) {
        warp->held_until = MAX(next, warp->war_until);
        warp->until[WS_WAIT_FIXED] = warp->ready = next;
        sub_core->soon |= (guint64)1 << warp->number;
    } else {
        ws_prepare_waiting(sm, sub_core, warp, issue);
    }
}

void ws_prepare(WsSm *sm, WsSubCore *sub_core, WsWarp *warp, gboolean issuing)
{
    const WsIssueInfo *issue = &sm->issues[warp->path.pc];
    guint64 now = sm->state->now, earliest = warp->earliest;

    ws_find_front(sm, sub_core, warp, issue);
    if (warp->state == WS_WARP_TIMED && warp->front_until <= earliest &&
        warp->fetch_until <= earliest && warp->constant_until <= earliest &&
        MAX(warp->war_until, warp->barrier_until) <= now && earliest >= now &&
        ws_operands_are_ready(sm, ws_sm_entries(sm, warp), issue, earliest)) {
        warp->held_until = warp->until[WS_WAIT_FIXED] = warp->ready = earliest;
        warp->held_counted = 0;
        if (issuing && earliest == now + 1)
            sub_core->soon |= (guint64)1 << warp->number;
        else
            ws_wake_later(sub_core, warp->number, earliest, now);
    } else if (issuing) {
        ws_prepare_held(sm, sub_core, warp, issue);
    } else {
        ws_prepare_waiting(sm, sub_core, warp, issue);
    }
}

void ws_prepare_outside(WsSm *sm, WsWarp *warp)
{
    WsSubCore *sub_core = &sm->state->sub_cores[warp->sub_core];

    ws_prepare(sm, sub_core, warp, FALSE);
    if (warp->state == WS_WARP_TIMED)
        sub_core->next = MIN(sub_core->next, warp->ready);
}

void ws_find_war_waits(const WsSm *sm, guint32 slot, const WsIssueInfo *issue,
                       guint64 until[WS_WAIT_COUNT])
{
    const WsIssueTable *table = sm->context->issue_table;
    const WsDependence *output = &table->dependences[issue->first + issue->inputs];
    guint32 registers = table->first_predicate;
    const guint64 *war = sm->war + (gsize)slot * registers;

    for (guint i = 0; i < issue->outputs; i++) {
        if (output[i].entry < registers && war[output[i].entry] != 0) {
            guint64 *wait = &until[table->wait[ws_entry_kind(war[output[i].entry])]];
            *wait = MAX(*wait, ws_entry_cycle(war[output[i].entry]));
        }
    }
}

void ws_set_war_reads(WsSm *sm, guint32 slot, const WsIssueInfo *issue, guint64 cycle)
{
    const WsIssueTable *table = sm->context->issue_table;
    const WsDependence *read = &table->dependences[issue->first + issue->inputs + issue->outputs];
    guint kind = WS_VARIABLE + issue->execution_class;
    guint64 *war = sm->war + (gsize)slot * table->first_predicate;
    WsWarp *warp = &sm->state->warps[slot];

    for (guint i = 0; i < issue->war_reads; i++) {
        guint64 *entry = &war[read[i].entry];
        *entry = ws_entry(MAX(ws_entry_cycle(*entry), cycle), kind);
    }
    warp->war_until = MAX(warp->war_until, cycle);
}

void ws_warp_resume(WsSm *sm, guint32 slot)
{
    WsWarp *warp = &sm->state->warps[slot];

    warp->state = WS_WARP_TIMED;
    if (warp->path.pc == warp->path.stop)
        ws_warp_reach_stop(sm, slot, warp->wait_pc, sm->state->now);
    ws_prepare_outside(sm, warp);
}

/* ---- reads of registers -------------------------------------------------------------------------
 */

guint64 ws_first_read(const WsSm *sm, const WsWarp *warp, guint32 pc, guint64 now)
{
    const WsIssueTable *table = sm->context->issue_table;
    const WsIssueInfo *issue = &table->issues[pc];
    const guint64 *entries = ws_sm_entries(sm, warp);
    guint64 last[WS_REGISTER_BANKS] = {0}, ret = now;
    guint32 read[WS_REGISTER_BANKS] = {0}; /* the register of `last` */
    guint first = issue->first, count = issue->inputs;

    if (table->control) {
        first += issue->inputs + issue->outputs + issue->war_reads;
        count = issue->checks;
    }
    for (guint i = 0; i < count; i++) {
        guint entry = table->dependences[first + i].entry, bank = entry % WS_REGISTER_BANKS;
        guint kind = ws_entry_kind(entries[entry]);
        guint64 written;

        if (entry >= table->first_predicate || kind >= WS_VARIABLE ||
            (last[bank] != 0 && read[bank] == entry))
            continue;
        written = ws_entry_cycle(entries[entry]) + table->written[kind];
        if (written <= now)
            continue;
        if (last[bank] != 0) /* the earlier one comes from the register file */
            ret = MAX(ret, MIN(last[bank], written) + 1);
        if (written > last[bank]) {
            last[bank] = written;
            read[bank] = entry;
        }
    }
    return ret;
}

/* ---- writes of registers ------------------------------------------------------------------------
 */

guint ws_wait_to_write(const WsSm *sm, WsSubCore *sub_core, const WsIssueInfo *issue, guint64 now)
{
    const WsIssueTable *table = sm->context->issue_table;
    guint later = table->written[issue->execution_class], waits = 0, entry;
    guint64 *writes = sub_core->xu_writes, bank, written;

    if (issue->outputs == 0)
        return 0;
    entry = table->dependences[issue->first + issue->inputs].entry;
    bank = entry % WS_REGISTER_BANKS;
    if (entry >= table->first_predicate)
        return 0;
    if (issue->resource == WS_RESOURCE_XU) {
        writes[1] = writes[0];
        writes[0] = (now + issue->latency - 1) << 1 | bank;
        return 0;
    }
    if (later == 0)
        return 0;
    for (;; waits++) {
        written = (now + waits + issue->latency + later) << 1 | bank;
        if (written != writes[0] && written != writes[1])
            return waits;
    }
}

/* ---- 64-bit products ----------------------------------------------------------------------------
 */

guint ws_hold_issue(WsSm *sm, const WsWarp *warp, guint32 pc, guint64 now, guint *late)
{
    const WsIssueTable *table = sm->context->issue_table;
    const WsIssueInfo *issue = &table->issues[pc];
    guint64 *entries = ws_sm_entries(sm, warp);
    guint first = issue->first, count = issue->inputs;
    guint64 read = now + *late; /* the cycle from which it takes what it needs */
    guint held = table->hold[issue->execution_class];

    if (table->control) { /* the inputs are dependence barriers, the operands stand behind */
        first += issue->inputs + issue->outputs + issue->war_reads;
        count = issue->checks;
    }
    for (guint i = 0; i < count; i++) {
        const WsDependence *dependence = &table->dependences[first + i];
        guint64 entry = entries[dependence->entry];
        guint kind = ws_entry_kind(entry);

        if (dependence->relation == WS_RELATION_FACTOR && kind < WS_VARIABLE)
            read = MAX(read, ws_entry_cycle(entry) + table->written[kind]);
    }
    held += (guint)(read - now) - *late;
    *late = (guint)(read - now);
    /* Compiled code counts what it waits for, and the warp does not count now either. */
    first = issue->first + issue->inputs + issue->outputs + issue->war_reads + issue->checks;
    for (guint i = 0; i < table->frozen[pc]; i++) {
        guint64 *entry = &entries[table->dependences[first + i].entry];

        if (ws_entry_kind(*entry) < WS_VARIABLE && ws_entry_cycle(*entry) + table->latest > now)
            *entry += ws_entry(held, 0);
    }
    return held;
}

void ws_delay_high_outputs(WsSm *sm, const WsWarp *warp, const WsIssueInfo *issue)
{
    const WsIssueTable *table = sm->context->issue_table;
    const WsDependence *output = &table->dependences[issue->first + issue->inputs];
    guint64 *entries = ws_sm_entries(sm, warp);

    for (guint i = 1; i < issue->outputs; i++)
        entries[output[i].entry] += ws_entry(table->high_later[issue->execution_class], 0);
}

/* ---- what is neither plain, memory nor control flow ----
 */

guint32 ws_operand_value(const WsSm *sm, guint32 slot, const WsOperand *operand, guint lane)
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

    return ws_operand_value(sm, slot, &sm->context->program->instructions[pc].operand[n], lane);
}

void ws_membar_look(WsSm *sm, guint32 slot)
{
    WsWarp *warp = &sm->state->warps[slot];
    guint64 done = ws_sm_memory_membar(sm->memory, MAX(warp->last_issue, sm->state->now), slot,
                                       warp->membar_scope);

    if (done >= WS_NEVER) {
        warp->state = WS_WARP_MEMBAR;
        sm->state->membar |= (guint64)1 << slot;
        ws_front(warp, WS_STALL_MEMBAR, WS_NEVER);
        return;
    }
    sm->state->membar &= ~((guint64)1 << slot);
    warp->state = WS_WARP_TIMED;
    ws_front(warp, WS_STALL_MEMBAR, MAX(done, MAX(warp->last_issue + 1, sm->state->now)));
}

void ws_issue_special(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now)
{
    const WsInstruction *instruction = &sm->context->program->instructions[pc];
    WsWarp *warp = &sm->state->warps[slot];

    switch ((WsKind)sm->context->decoded->instructions[pc].kind) {
    case WS_KIND_LANES:
        ws_issue_unit(sm, slot, pc, mask, now);
        return;
    case WS_KIND_MATRIX:
        ws_issue_matrix(sm, slot, pc, mask, now);
        return;
    case WS_KIND_MEMORY:
    case WS_KIND_MATRIX_LOAD:
    case WS_KIND_TEXTURE:
        ws_issue_memory(sm, slot, pc, mask, now);
        return;
    case WS_KIND_SYSTEM:
        ws_issue_system(sm, slot, pc, mask, now);
        break;
    case WS_KIND_BRANCH:
        ws_issue_branch(sm, slot, pc, mask, now);
        return;
    case WS_KIND_EXIT:
        ws_issue_exit(sm, slot, pc, mask, now);
        return;
    case WS_KIND_BARRIER:
        if (mask != 0)
            ws_barrier_execute(sm, slot, pc, mask, now);
        return;
    case WS_KIND_TRAP:
        if (mask != 0)
            ws_sm_stop_at(sm, WS_STATUS_FAULT, slot, pc, (guint32)__builtin_ctzll(mask),
                          ws_trap_text(instruction->opcode == WS_OP_ASSERTFAIL
                                           ? WS_TRAP_ASSERT
                                           : instruction->mod[WS_MOD_TRAP]));
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
            ws_issue_sleep(sm, slot, pc, now);
        break;
    case WS_KIND_CONVERGENCE:
        ws_issue_convergence(sm, slot, pc, mask, now);
        break;
    case WS_KIND_NOP:
        break;
    }
}
