#include "sim/sm/sm.h"

#include <string.h>

#include "sim/device/passes.h"
#include "sim/sm/admission.h"
#include "sim/sm/ideal_time.h"
#include "sim/sm/issue_special.h"
#include "sim/sm/load_store_queue.h"
#include "sim/sm/membar_wait.h"
#include "sim/sm/stall_accounting.h"
#include "sim/sm/sub_core.h"
#include "sim/sm/watch.h"

/* ---- life ---------------------------------------------------------------------------------------
 */

enum { ARENA_ALIGNMENT = 256 }; /* of a WsWarp */

static gsize aligned(gsize bytes)
{
    return (bytes + 63) & ~(gsize)63;
}

/* The state, then what each warp slot has. */
static void make_arena(WsSm *sm)
{
    const WsLaunchContext *context = sm->context;
    gsize slots = context->warp_slots, registers = context->kernel->registers;
    gsize row_words = (gsize)context->decoded->rows * context->decoded->warp_size;
    gsize state_bytes = aligned(sizeof(WsSmState));
    gsize value_bytes = aligned(slots * row_words * sizeof(guint32));
    gsize entry_bytes = aligned(slots * context->issue_table->entries * sizeof(guint64));
    gsize late_bytes = aligned(slots * registers * sizeof(guint64));
    gsize writer_bytes = sm->control ? entry_bytes : 0;
    gsize path_bytes = aligned(slots * context->path_bytes);
    gsize policy_bytes = ws_policy_state_bytes(context);
    guint8 *arena;

    sm->arena_bytes = state_bytes + value_bytes + entry_bytes + late_bytes + writer_bytes +
                      path_bytes + aligned(policy_bytes);
    sm->arena = ws_state_alloc_table(sm->pending.arena, sm->arena_bytes + ARENA_ALIGNMENT, 1);
    arena =
        (guint8 *)(((guintptr)sm->arena + ARENA_ALIGNMENT - 1) & ~(guintptr)(ARENA_ALIGNMENT - 1));
    sm->state = (WsSmState *)(void *)arena;
    sm->values = (guint32 *)(void *)(arena + state_bytes);
    sm->entries = (guint64 *)(void *)(arena + state_bytes + value_bytes);
    sm->war = (guint64 *)(void *)(arena + state_bytes + value_bytes + entry_bytes);
    sm->writers = (guint64 *)(void *)((guint8 *)sm->war + late_bytes);
    sm->paths = (guint8 *)sm->war + late_bytes + writer_bytes;
    sm->policy = sm->paths + path_bytes;
    for (guint32 i = 0; i < slots; i++) {
        sm->slots[i] = &sm->state->registers[i];
        sm->slots[i]->registers = sm->values + i * row_words;
    }
}

static WsFetchRules fetch_rules(const WsLaunchContext *context, WsInstructionFetch *fetch,
                                WsConstantCache *constants)
{
    const guint32 all_in_one = 31;

    return (WsFetchRules){.fetch = fetch,
                          .constants = constants,
                          .first = context->kernel->first,
                          .line_shift = fetch != NULL ? WS_FETCH_LINE_SHIFT : all_in_one,
                          .buffer = fetch != NULL ? (guint32)context->device->fetch_buffer : 0};
}

static WsPortRules port_rules(const WsLaunchContext *context)
{
    guint32 passes = ws_warp_passes(context->device);
    guint32 read_cycles = (guint32)context->device->register_read_cycles;

    return (WsPortRules){.reads = context->issue_table->reads,
                         .passes = passes,
                         .read_cycles = read_cycles * passes,
                         .second_later = read_cycles > 2};
}

WsSm *ws_sm_new(const WsLaunchContext *context, WsStateArena *arena, guint32 number,
                WsSmMemory *memory, WsInstructionFetch *fetch, WsConstantCache *constants)
{
    WsSm *sm = ws_state_new(arena, WsSm, 1);

    sm->context = context;
    sm->instructions = context->decoded->instructions;
    sm->issues = context->issue_table->issues;
    sm->table = context->issue_table;
    sm->decoded = context->decoded;
    sm->greedy = context->policy->greedy;
    sm->admits = context->policy->admit != NULL || context->policy_code != NULL;
    sm->switch_cost = context->device->switch_cost;
    sm->control = context->issue_table->control;
    sm->ideal = ws_ideal_time_is_on(context->device);
    sm->number = number;
    sm->memory = memory;
    sm->fetch = fetch_rules(context, fetch, constants);
    sm->ports = port_rules(context);
    sm->pending.arena = arena;
    ws_print_log_init(&sm->printed, arena, context->device->printf_bytes);
    make_arena(sm);
    /* By control fields a warp may read registers that its load has not written, as a GPU lets it.
     */
    if (!sm->control)
        ws_sm_memory_batch(memory, sm->slots);
    for (guint32 i = 0; i < context->sub_cores; i++) {
        WsSubCore *sub_core = &sm->state->sub_cores[i];
        ws_wake_queue_init(&sub_core->wake);
        sub_core->dispatch.committed = sub_core->view.last = WS_NO_WARP;
        ws_order_init(&sub_core->view.age);
        ws_block_age_init(&sub_core->view.blocks);
        ws_issue_order_init(&sub_core->view.issues);
    }
    sm->state->now = sm->state->last_end = context->begin;
    sm->state->event = WS_NEVER;
    sm->state->barrier_unit.mixed[0] = WS_NOWHERE;
    ws_policy_begin(sm);
    return sm;
}

void ws_sm_free(WsSm *sm)
{
    WsStateArena *arena = sm != NULL ? sm->pending.arena : NULL;

    if (sm == NULL)
        return;
    ws_sm_memory_free(sm->memory);
    ws_sm_watch_free(sm->watch);
    ws_state_array_clear(&sm->pending);
    ws_print_log_clear(&sm->printed);
    ws_state_free_table(arena, sm->arena, sm->arena_bytes + ARENA_ALIGNMENT, 1);
    ws_state_free(arena, sm);
}

void ws_sm_stop_at(WsSm *sm, WsStatus status, guint32 slot, guint32 pc, guint32 lane,
                   const char *what)
{
    const WsWarp *warp = &sm->state->warps[slot];
    WsSmStop *stop = &sm->state->stop;

    if (stop->status != WS_STATUS_OK)
        return;
    stop->status = status;
    stop->cycle = sm->state->now;
    stop->sub_core = warp->sub_core;
    stop->warp = slot;
    stop->lane = lane;
    stop->pc = pc;
    stop->block_slot = warp->block_slot;
    stop->what = what;
    ws_emit_stop(sm, slot);
}

/* ---- time ---------------------------------------------------------------------------------------
 */

static void take_responses(WsSm *sm, guint64 now)
{
    WsResponse response;

    while (ws_sm_memory_deliver(sm->memory, now, sm->slots, &response))
        ws_warp_response(sm, &response);
}

static void take_events(WsSm *sm, guint64 now)
{
    WsSmState *state = sm->state;
    guint64 next;

    take_responses(sm, now);
    ws_load_store_open(sm, now);
    ws_membar_look_at_all(sm);
    next = ws_sm_end_warps(sm, now);
    ws_sm_start_blocks(sm, now);
    next = MIN(next, ws_sm_memory_next_completion(sm->memory));
    if (state->start_count != 0)
        next = MIN(next, state->starts[0].assigned);
    state->event = MIN(next, WS_NEVER);
}

void ws_sm_take_events(WsSm *sm, guint64 now)
{
    if (G_UNLIKELY(sm->watch != NULL))
        ws_emit_stalls_until(sm, now);
    sm->state->now = now;
    if (MIN(sm->state->event, ws_sm_memory_next_response(sm->memory)) <= now)
        take_events(sm, now);
}

static inline guint64 find_next(const WsSmState *state, const WsSubCore *end)
{
    guint64 next = state->event;

    for (const WsSubCore *sub_core = state->sub_cores; sub_core != end; sub_core++)
        next = MIN(next, sub_core->wake.next);
    return next == WS_NEVER ? next : MAX(next, state->now);
}

guint64 ws_sm_next(const WsSm *sm)
{
    guint64 next = find_next(sm->state, sm->state->sub_cores + sm->context->sub_cores);
    guint64 response = ws_sm_memory_next_response(sm->memory);

    return MIN(next, MAX(response, sm->state->now));
}

static void run_plain(WsSm *sm, guint64 until)
{
    WsSmState *state = sm->state;
    WsSubCore *sub_cores = state->sub_cores, *end = sub_cores + sm->context->sub_cores;
    guint64 now;

    while ((now = find_next(state, end)) < until) {
        guint32 number = 0;

        state->now = now;
        if (state->event <= now)
            take_events(sm, now);
        for (WsSubCore *sub_core = sub_cores; sub_core != end; sub_core++, number++) {
            if (sub_core->wake.next > now)
                continue;
            ws_sub_core_step_plain(sm, sub_core, number, now);
            if (G_UNLIKELY(state->stop.status != WS_STATUS_OK))
                return;
        }
    }
}

/* A cycle of a sub-core where stalls are told, or where a what-if run does not care for speed. */
static void step(WsSm *sm, guint32 sub_core, guint64 now)
{
    if (sm->ideal)
        ws_sub_core_step_ideal(sm, &sm->state->sub_cores[sub_core], sub_core, now);
    else
        ws_sub_core_step_observed(sm, &sm->state->sub_cores[sub_core], sub_core, now);
}

/* The same with stalls told, if somebody watches. */
static void run_observed(WsSm *sm, guint64 until)
{
    WsSmState *state = sm->state;
    guint32 count = sm->context->sub_cores;
    guint64 now;

    while ((now = find_next(state, state->sub_cores + count)) < until) {
        ws_sm_take_events(sm, now);
        if (sm->watch != NULL)
            ws_find_stalls(sm, now);
        for (guint32 i = 0; i < count && state->stop.status == WS_STATUS_OK; i++)
            if (state->sub_cores[i].wake.next <= now)
                step(sm, i, now);
        if (sm->watch != NULL)
            ws_emit_found_stalls(sm, now);
        if (state->stop.status != WS_STATUS_OK)
            return;
    }
    if (sm->watch != NULL)
        ws_emit_stalls_until(sm, until);
}

void ws_sm_run(WsSm *sm, guint64 until)
{
    if (sm->state->stop.status != WS_STATUS_OK)
        return;
    if (sm->watch != NULL || sm->ideal)
        run_observed(sm, until);
    else
        run_plain(sm, until);
    if (sm->state->stop.status != WS_STATUS_OK) {
        ws_sm_memory_end_batch(sm->memory, sm->state->now);
        return;
    }
    if (until > 0)
        ws_sm_memory_end_batch(sm->memory, until - 1);
    sm->state->now = MAX(sm->state->now, until);
}

void ws_sm_after_settle(WsSm *sm)
{
    WsSmState *state = sm->state;

    /* Responses, and through them ends of stores, may be known now. */
    ws_membar_look_at_all(sm);
    state->event = MIN(state->event, ws_sm_end_warps(sm, state->now));
    state->event = MIN(state->event, ws_sm_memory_next_completion(sm->memory));
    state->event = MIN(state->event, WS_NEVER);
}

void ws_sm_charge_all(WsSm *sm, guint64 end)
{
    WsSmState *state = sm->state;

    for (guint64 m = state->resident; m != 0; m &= m - 1) {
        guint32 slot = (guint32)__builtin_ctzll(m);
        WsWarp *warp = &state->warps[slot];

        if (warp->account.counted_to < end)
            ws_warp_charge(sm, slot, end);
        guint64 until = MAX(end, warp->account.counted_to);
        state->warp_cycles += until - warp->resident_since;
        state->diverged_warp_cycles += warp->diverged * (until - warp->resident_since);
    }
    if (state->resident != 0) {
        state->active_cycles += end - state->active_since;
        state->active_since = end;
    }
    state->last_end = MAX(state->last_end, end);
}
