/* Named barriers of a block: who arrives, who waits, and who is let go. */
#include "sim/sm/block_barriers.h"

#include "sim/sm/control_fields.h"
#include "sim/sm/issue_special.h"
#include "sim/sm/operand_value.h"
#include "sim/sm/readiness.h"
#include "sim/sm/watch.h"

enum { NUMBER = 2, COUNT = 3 }; /* operands of BAR */

static gboolean is_complete(const WsBlockState *block, const WsBarrier *barrier)
{
    if (barrier->arrivals == 0)
        return FALSE;
    if (barrier->expected != 0)
        return barrier->arrivals >= barrier->expected;
    return (block->alive & ~barrier->arrived) == 0;
}

/* Result of the BAR.RED at `pc` for the lanes that executed it. */
static void write_reduction(WsSm *sm, guint32 slot, guint32 pc, guint64 lanes,
                            const WsBarrier *barrier)
{
    const WsLaunchContext *context = sm->context;
    WsWarpRegisters *registers = &sm->state->registers[slot];
    const WsInstruction *instruction = &context->program->instructions[pc];
    guint64 mask = ws_guard_mask(&context->decoded->instructions[pc], registers, lanes);
    guint32 index = instruction->operand[0].index, predicate = instruction->operand[1].index;
    gboolean holds = instruction->mod[WS_MOD_BARRIER] == WS_BAR_RED_AND
                         ? barrier->true_threads == barrier->all_threads
                         : barrier->true_threads != 0;

    if (index < context->kernel->registers)
        for (guint64 m = mask; m != 0; m &= m - 1)
            registers->registers[(gsize)index * context->decoded->warp_size +
                                 (guint)__builtin_ctzll(m)] = barrier->true_threads;
    if (predicate < WS_PT && holds)
        registers->predicates[predicate] |= mask;
    else if (predicate < WS_PT)
        registers->predicates[predicate] &= ~mask;
}

/* Lanes that meet at different BARs are allowed, and most often a mistake: noted for a warning. */
static void note_place(WsSm *sm, WsBarrier *barrier, guint32 pc)
{
    WsSmState *state = sm->state;

    if (barrier->place == 0)
        barrier->place = pc + 1;
    if (barrier->place == pc + 1 || state->barrier_unit.mixed[0] != WS_NOWHERE)
        return;
    state->barrier_unit.mixed[0] = MIN(barrier->place - 1, pc);
    state->barrier_unit.mixed[1] = MAX(barrier->place - 1, pc);
}

/* The lanes of the warp that the barrier lets go, by where they waited. */
static guint take_lanes(WsSm *sm, guint32 slot, WsLanesAt groups[WS_MAX_PATHS])
{
    const WsDivergenceModel *model = sm->context->divergence;
    WsWarp *warp = &sm->state->warps[slot];
    guint count = 1;

    if (warp->barrier.until == WS_NEVER) {
        groups[0] = (WsLanesAt){.lanes = warp->barrier.lanes, .pc = warp->wait_pc + 1};
        return 1;
    }
    groups[0] = (WsLanesAt){.lanes = warp->path.active, .pc = warp->wait_pc + 1};
    if (model->open != NULL)
        count = model->open(ws_sm_path_state(sm, slot), &warp->path, warp->barrier.number, groups);
    warp->lanes = (guint8)ws_count_lanes(warp->path.active);
    return count;
}

/* Lets the lanes of one warp go at `cycle`. */
static void release_warp(WsSm *sm, guint32 slot, WsBarrier *barrier, guint64 cycle)
{
    const WsLaunchContext *context = sm->context;
    WsWarp *warp = &sm->state->warps[slot];
    WsLanesAt groups[WS_MAX_PATHS];
    guint count = take_lanes(sm, slot, groups);
    guint64 ready = cycle;

    for (guint i = 0; i < count; i++) {
        guint32 pc = groups[i].pc - 1;
        const WsIssueInfo *issue = &sm->issues[pc];

        note_place(sm, barrier, pc);
        if (context->program->instructions[pc].mod[WS_MOD_BARRIER] >= WS_BAR_RED_POPC) {
            write_reduction(sm, slot, pc, groups[i].lanes, barrier);
            ready = ws_barrier_unit_reduce(&sm->state->barrier_unit, context->device, cycle,
                                           sm->state->now);
            if (sm->control)
                ws_control_set_barriers(sm, slot, issue, ready, cycle);
        }
        ws_issue_result(sm, slot, issue, ws_entry(ready, WS_VARIABLE + issue->execution_class));
        ws_emit_result(sm, slot, pc, ready, groups[i].lanes, sm->state->now);
    }
    if (warp->barrier.until == WS_NEVER) {
        warp->barrier.until = cycle;
    } else {
        ws_hold(warp, WS_STALL_BARRIER, cycle);
    }
    ws_emit_barrier(sm, slot, WS_TRACE_BARRIER_RELEASE, warp->barrier.number, cycle);
    ws_emit_paths(sm, slot, warp->wait_pc);
}

/* The warp may go on. One that issues what passes the barrier finds out when it is through. */
static void resume(WsSm *sm, guint32 slot, gboolean passing)
{
    WsWarp *warp = &sm->state->warps[slot];

    if (!passing)
        ws_warp_resume(sm, slot);
    else if (warp->state == WS_WARP_BARRIER || warp->state == WS_WARP_RESPONSE)
        ws_prepare_outside(sm, warp);
}

/* Lets the waiting warps go. The warp `current` is issuing and will be prepared by its issue. */
static void release(WsSm *sm, WsBlockState *block, WsBarrier *barrier, guint32 current)
{
    guint64 cycle = ws_barrier_unit_open(&sm->state->barrier_unit, sm->context->device, barrier,
                                         sm->state->now);
    WsBarrier done = *barrier;

    *barrier = (WsBarrier){0};
    block->waiting &= ~done.waiting;
    for (guint64 waiting = done.waiting; waiting != 0; waiting &= waiting - 1) {
        guint32 slot = (guint32)__builtin_ctzll(waiting);
        gboolean passing = sm->state->warps[slot].barrier.until == WS_NEVER;

        release_warp(sm, slot, &done, cycle);
        if (slot == current)
            sm->state->warps[slot].state = WS_WARP_TIMED;
        else
            resume(sm, slot, passing);
    }
}

/* Warps that wait can only be let go by warps of their block that do not. */
static void check_deadlock(WsSm *sm, const WsBlockState *block)
{
    gboolean arrived = FALSE;
    guint32 slot;

    if (block->alive == 0 || block->waiting != block->alive)
        return;
    for (guint i = 0; i < WS_NAMED_BARRIERS; i++)
        arrived = arrived || block->barriers[i].arrivals != 0;
    slot = (guint32)__builtin_ctzll(block->waiting);
    ws_sm_stop_at(sm, WS_STATUS_DEADLOCK, slot, sm->state->warps[slot].wait_pc, WS_NOWHERE,
                  arrived ? "a block barrier can never complete"
                          : "lanes wait for each other and none can continue");
}

/* An arrival that reads a register, or the predicate of a reduction, comes later by that time. */
static guint64 operand_latency(const WsSm *sm, guint32 pc)
{
    const WsInstruction *instruction = &sm->context->program->instructions[pc];
    gboolean reads = instruction->mod[WS_MOD_BARRIER] >= WS_BAR_RED_POPC;

    for (guint n = NUMBER; n <= COUNT; n++)
        reads |= instruction->operand[n].kind == WS_OPERAND_REGISTER &&
                 instruction->operand[n].index != WS_RZ;
    return reads ? sm->context->device->barrier_register_latency : 0;
}

static void arrive(WsSm *sm, guint32 slot, WsBarrier *barrier, guint64 now)
{
    const WsDevice *device = sm->context->device;
    guint32 pc = sm->state->warps[slot].wait_pc;
    guint64 latency = operand_latency(sm, pc);
    guint64 served = ws_barrier_unit_serve(&sm->state->barrier_unit, device, latency, now);

    if (sm->control && sm->context->program->instructions[pc].mod[WS_MOD_BARRIER] < WS_BAR_RED_POPC)
        ws_control_set_read_barrier(sm, slot, &sm->table->issues[pc],
                                    ws_barrier_unit_read(device, served));
    barrier->arrived |= (guint64)1 << slot;
    barrier->arrivals++;
    barrier->served = MAX(barrier->served, served);
    barrier->opens_in_turn |= latency != 0;
}

/* Threads that arrive, and of these those whose operand Pp holds. */
static void add_reduction(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, WsBarrier *barrier)
{
    const WsOperand *operand = &sm->context->program->instructions[pc].operand[4];
    guint64 predicate = sm->state->registers[slot].predicates[operand->index & WS_PT];

    if (operand->flags & WS_OPERAND_NEGATE)
        predicate = ~predicate;
    barrier->all_threads += ws_count_lanes(mask);
    barrier->true_threads += ws_count_lanes(mask & predicate);
}

/* The lanes go on at an EXIT, perhaps behind a BSYNC: as good as gone. */
static gboolean only_exits(const WsSm *sm, guint32 pc)
{
    const WsInstruction *instruction = &sm->context->program->instructions[pc];

    if (ws_is_kind(instruction, WS_KIND_BSYNC))
        instruction++;
    return ws_is_kind(instruction, WS_KIND_EXIT) && instruction->guard == WS_PT &&
           instruction->operand[0].index == WS_PT;
}

/* Lanes of the warp are alive on another path. */
static gboolean has_other_lanes(const WsSm *sm, guint32 slot)
{
    WsLanesAt elsewhere[WS_MAX_PATHS];
    guint count = sm->context->divergence->waiting(ws_sm_path_state(sm, slot),
                                                   &sm->state->warps[slot].path, elsewhere);

    for (guint i = 0; i < count; i++)
        if (!only_exits(sm, elsewhere[i].pc))
            return TRUE;
    return FALSE;
}

void ws_barrier_nothing_runs(WsSm *sm, guint32 slot)
{
    WsWarp *warp = &sm->state->warps[slot];
    WsBlockState *block = &sm->state->blocks[warp->block_slot];

    warp->state = WS_WARP_BARRIER;
    ws_hold(warp, WS_STALL_BARRIER, WS_NEVER);
    block->waiting |= (guint64)1 << slot;
    check_deadlock(sm, block);
}

/* All lanes of the warp are at the barrier. With `passing`, its path goes on with what passes. */
static void come(WsSm *sm, guint32 slot, guint32 number, guint64 now, gboolean passing)
{
    WsWarp *warp = &sm->state->warps[slot];
    WsBlockState *block = &sm->state->blocks[warp->block_slot];
    WsBarrier *barrier = &block->barriers[number];

    arrive(sm, slot, barrier, now);
    warp->barrier.number = number;
    if (passing) {
        warp->barrier.lanes = warp->path.active;
        warp->barrier.until = WS_NEVER;
    } else {
        warp->state = WS_WARP_BARRIER;
        ws_hold(warp, WS_STALL_BARRIER, WS_NEVER);
    }
    barrier->waiting |= (guint64)1 << slot;
    block->waiting |= (guint64)1 << slot;
    if (is_complete(block, barrier))
        release(sm, block, barrier, slot);
    else
        check_deadlock(sm, block);
}

/*
 * Whether the path may issue what passes the barrier: all lanes of the warp are on it, so that
 * there is no other to turn to, and nothing behind it waits for the result of a reduction.
 */
static gboolean may_pass(const WsSm *sm, guint32 slot, guint32 pc)
{
    const WsDivergenceModel *model = sm->context->divergence;
    WsLanesAt elsewhere[WS_MAX_PATHS];

    return sm->table->any_passes &&
           sm->context->program->instructions[pc].mod[WS_MOD_BARRIER] == WS_BAR_SYNC &&
           model->waiting(ws_sm_path_state(sm, slot), &sm->state->warps[slot].path, elsewhere) == 0;
}

/* The path waits; the warp arrives once all of its lanes do. */
static void wait_at(WsSm *sm, guint32 slot, guint32 number, guint64 now)
{
    const WsDivergenceModel *model = sm->context->divergence;
    WsWarp *warp = &sm->state->warps[slot];
    void *state = ws_sm_path_state(sm, slot);

    if (may_pass(sm, slot, warp->wait_pc)) {
        come(sm, slot, number, now, TRUE);
        return;
    }
    if (model->wait != NULL) {
        model->wait(state, &warp->path, number);
        warp->lanes = (guint8)ws_count_lanes(warp->path.active);
    }
    if (model->wait == NULL || model->all_wait(state, number))
        come(sm, slot, number, now, FALSE);
    else if (warp->path.active == 0)
        ws_barrier_nothing_runs(sm, slot);
}

/* An arrival that does not wait. */
static void pass(WsSm *sm, guint32 slot, WsBlockState *block, WsBarrier *barrier, guint64 now)
{
    arrive(sm, slot, barrier, now);
    if (is_complete(block, barrier))
        release(sm, block, barrier, slot);
}

static const char *find_fault(const WsSm *sm, guint32 slot, guint32 number, gboolean passes)
{
    if (number >= WS_NAMED_BARRIERS)
        return "barrier number above 15";
    if ((sm->context->divergence->wait == NULL || passes) && has_other_lanes(sm, slot))
        return "block barrier inside divergent code: lanes of the warp are elsewhere";
    return NULL;
}

void ws_barrier_execute(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now)
{
    const WsLaunchContext *context = sm->context;
    WsWarp *warp = &sm->state->warps[slot];
    WsBlockState *block = &sm->state->blocks[warp->block_slot];
    guint32 number = ws_warp_operand(sm, slot, pc, NUMBER);
    guint32 count = ws_warp_operand(sm, slot, pc, COUNT);
    guint8 mode = context->program->instructions[pc].mod[WS_MOD_BARRIER];
    const char *fault = find_fault(sm, slot, number, mode == WS_BAR_ARRIVE);
    WsBarrier *barrier;

    if (fault != NULL) {
        ws_sm_stop_at(sm, WS_STATUS_FAULT, slot, pc, (guint32)__builtin_ctzll(mask), fault);
        return;
    }
    barrier = &block->barriers[number];
    count = count / context->decoded->warp_size + (count % context->decoded->warp_size != 0);
    barrier->counts_differ |= barrier->arrivals != 0 && barrier->expected != count;
    barrier->expected = count;
    if (mode >= WS_BAR_RED_POPC)
        add_reduction(sm, slot, pc, mask, barrier);
    warp->wait_pc = pc;
    ws_emit_barrier(sm, slot, WS_TRACE_BARRIER_ARRIVE, number, now);
    if (mode == WS_BAR_ARRIVE)
        pass(sm, slot, block, barrier, now);
    else
        wait_at(sm, slot, number, now);
}

void ws_barrier_lanes_left(WsSm *sm, guint32 slot, guint64 now)
{
    const WsDivergenceModel *model = sm->context->divergence;
    WsWarp *warp = &sm->state->warps[slot];

    if (warp->path.active != 0)
        return;
    for (guint i = 0; i < WS_NAMED_BARRIERS; i++)
        if (model->all_wait(ws_sm_path_state(sm, slot), i)) {
            come(sm, slot, i, now, FALSE);
            return;
        }
    ws_barrier_nothing_runs(sm, slot);
}

void ws_barrier_warp_left(WsSm *sm, guint32 block_slot, guint64 now)
{
    WsBlockState *block = &sm->state->blocks[block_slot];

    for (guint i = 0; i < WS_NAMED_BARRIERS; i++)
        if (is_complete(block, &block->barriers[i])) {
            block->barriers[i].served = MAX(block->barriers[i].served, now);
            release(sm, block, &block->barriers[i], WS_MAX_WARP_SLOTS);
        }
    check_deadlock(sm, block);
}
