#include "sim/barrier.h"

#include "sim/sub_core.h"

static void observe(WsSm *sm, guint32 slot, guint32 number, guint64 cycle, gboolean release)
{
    const WsObserver *observer = sm->context->observer;
    WsEventSource source;

    if (observer == NULL)
        return;
    ws_sm_source(sm, slot, cycle, &source);
    if (release && observer->barrier_release != NULL)
        observer->barrier_release(observer->data, &source, number);
    if (!release && observer->barrier_arrive != NULL)
        observer->barrier_arrive(observer->data, &source, number);
}

static gboolean is_complete(const WsBlockState *block, const WsBarrier *barrier)
{
    if (barrier->arrivals == 0)
        return FALSE;
    if (barrier->expected != 0)
        return barrier->arrivals >= barrier->expected;
    return (block->alive & ~barrier->arrived) == 0;
}

/* Result of a BAR.RED for the lanes that executed it. */
static void write_reduction(WsSm *sm, guint32 slot, const WsBarrier *barrier)
{
    const WsLaunchContext *context = sm->context;
    WsWarp *warp = &sm->state->warps[slot];
    WsWarpRegisters *registers = &sm->state->registers[slot];
    const WsInstruction *instruction = &context->program->instructions[warp->wait_pc];
    guint64 mask =
        ws_guard_mask(&context->decoded->instructions[warp->wait_pc], registers, warp->path.active);
    guint32 index = instruction->operand[0].index, predicate = instruction->operand[1].index;
    gboolean holds = instruction->mod[WS_MOD_BARRIER] == WS_BAR_RED_AND
                         ? barrier->true_threads == barrier->all_threads
                         : barrier->true_threads != 0;

    if (index < context->kernel->registers)
        for (guint64 m = mask; m != 0; m &= m - 1)
            registers->registers[(gsize)index * context->decoded->warp_size +
                                 (guint)__builtin_ctzll(m)] = barrier->true_threads;
    if (predicate < WS_PT)
        registers->predicates[predicate] = holds ? registers->predicates[predicate] | mask
                                                 : registers->predicates[predicate] & ~mask;
}

/* Lets the waiting warps go. The warp `current` is issuing and will be prepared by its issue. */
static void release(WsSm *sm, WsBlockState *block, WsBarrier *barrier, guint32 current)
{
    const WsLaunchContext *context = sm->context;
    guint64 cycle = MAX(barrier->served + context->device->barrier_latency, sm->state->now + 1);
    WsBarrier done = *barrier;

    *barrier = (WsBarrier){0};
    block->waiting &= ~done.waiting;
    for (guint64 waiting = done.waiting; waiting != 0; waiting &= waiting - 1) {
        guint32 slot = (guint32)__builtin_ctzll(waiting);
        WsWarp *warp = &sm->state->warps[slot];
        const WsIssueInfo *issue = &context->schedule->issues[warp->wait_pc];

        if (context->program->instructions[warp->wait_pc].mod[WS_MOD_BARRIER] >= WS_BAR_RED_POPC)
            write_reduction(sm, slot, &done);
        ws_set_outputs(sm, slot, issue, ws_entry(cycle, WS_VARIABLE + issue->execution_class));
        warp->front_reason = WS_STALL_BARRIER;
        warp->front_until = cycle;
        observe(sm, slot, warp->barrier, cycle, TRUE);
        if (slot == current)
            warp->state = WS_WARP_TIMED;
        else
            ws_warp_resume(sm, slot);
    }
}

/* Warps that wait can only be let go by warps of their block that do not. */
static void check_deadlock(WsSm *sm, const WsBlockState *block)
{
    if (block->alive != 0 && block->waiting == block->alive) {
        guint32 slot = (guint32)__builtin_ctzll(block->waiting);
        ws_sm_stop_at(sm, WS_STATUS_DEADLOCK, slot, sm->state->warps[slot].wait_pc, WS_NOWHERE,
                      "a block barrier can never complete");
    }
}

static void arrive(WsSm *sm, guint32 slot, WsBarrier *barrier, guint64 now)
{
    WsSmState *state = sm->state;

    barrier->arrived |= (guint64)1 << slot;
    barrier->arrivals++;
    barrier->served = MAX(now, state->barrier_free) + sm->context->device->barrier_per_warp;
    state->barrier_free = barrier->served;
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

/* Lanes of the warp are alive on another path: what the barrier waits for cannot be said. */
static gboolean has_other_lanes(const WsSm *sm, guint32 slot)
{
    WsLanesAt elsewhere[64];

    return sm->context->divergence->waiting(ws_sm_path_state(sm, slot),
                                            &sm->state->warps[slot].path, elsewhere) != 0;
}

void ws_barrier_execute(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now)
{
    const WsLaunchContext *context = sm->context;
    WsWarp *warp = &sm->state->warps[slot];
    WsBlockState *block = &sm->state->blocks[warp->block_slot];
    guint32 number = ws_warp_operand(sm, slot, pc, 2), count = ws_warp_operand(sm, slot, pc, 3);
    guint8 mode = context->program->instructions[pc].mod[WS_MOD_BARRIER];
    WsBarrier *barrier;

    if (number >= WS_NAMED_BARRIERS) {
        ws_sm_stop_at(sm, WS_STATUS_FAULT, slot, pc, (guint32)__builtin_ctzll(mask),
                      "barrier number above 15");
        return;
    }
    if (has_other_lanes(sm, slot)) {
        ws_sm_stop_at(sm, WS_STATUS_FAULT, slot, pc, (guint32)__builtin_ctzll(mask),
                      "block barrier inside divergent code: lanes of the warp are elsewhere");
        return;
    }
    barrier = &block->barriers[number];
    arrive(sm, slot, barrier, now);
    barrier->expected =
        count / context->decoded->warp_size + (count % context->decoded->warp_size != 0);
    if (mode >= WS_BAR_RED_POPC)
        add_reduction(sm, slot, pc, mask, barrier);
    warp->barrier = number;
    warp->wait_pc = pc;
    observe(sm, slot, number, now, FALSE);
    if (mode != WS_BAR_ARRIVE) {
        warp->state = WS_WARP_BARRIER;
        warp->front_reason = WS_STALL_BARRIER;
        warp->front_until = WS_NEVER;
        barrier->waiting |= (guint64)1 << slot;
        block->waiting |= (guint64)1 << slot;
    }
    if (is_complete(block, barrier))
        release(sm, block, barrier, slot);
    else
        check_deadlock(sm, block);
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
