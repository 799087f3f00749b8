#include "sim/sm/sm.h"

#include <string.h>

#include "sim/device/passes.h"
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
    gsize values = registers * context->decoded->warp_size * sizeof(guint32);
    gsize state_bytes = aligned(sizeof(WsSmState));
    gsize value_bytes = aligned(slots * values);
    gsize entry_bytes = aligned(slots * context->issue_table->entries * sizeof(guint64));
    gsize late_bytes = aligned(slots * registers * sizeof(guint64));
    gsize writer_bytes = sm->control ? entry_bytes : 0;
    gsize path_bytes = aligned(slots * context->path_bytes);
    gsize policy_bytes = ws_policy_state_bytes(context);
    guint8 *arena;

    sm->arena_bytes = state_bytes + value_bytes + entry_bytes + late_bytes + writer_bytes +
                      path_bytes + aligned(policy_bytes);
    /* Fresh pages of the host are zero, and touched where the SM runs: no memset here. */
    sm->arena = ws_state_alloc(sm->pending.arena, sm->arena_bytes + ARENA_ALIGNMENT, 1);
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
        sm->slots[i]->registers = sm->values + i * registers * context->decoded->warp_size;
    }
}

WsSm *ws_sm_new(const WsLaunchContext *context, WsStateArena *arena, guint32 number,
                WsSmMemory *memory, WsInstructionFetch *fetch, WsConstantCache *constants)
{
    WsSm *sm = ws_state_new(arena, WsSm, 1);

    sm->context = context;
    sm->instructions = context->decoded->instructions;
    sm->issues = context->issue_table->issues;
    sm->dependences = context->issue_table->dependences;
    sm->decoded = context->decoded;
    sm->greedy = context->policy->greedy;
    sm->admits = context->policy->admit != NULL || context->policy_code != NULL;
    sm->switch_cost = context->device->switch_cost;
    sm->later = context->issue_table->later;
    sm->latest = context->issue_table->latest;
    sm->control = context->issue_table->control;
    sm->number = number;
    sm->memory = memory;
    sm->fetch = fetch;
    sm->constants = constants;
    sm->first = context->kernel->first;
    sm->reads = context->issue_table->reads;
    sm->passes = ws_warp_passes(context->device);
    sm->read_cycles = (guint32)context->device->register_read_cycles * sm->passes;
    sm->two_later = context->device->register_read_cycles > 2;
    sm->line_shift = fetch != NULL ? WS_FETCH_LINE_SHIFT : 31; /* all in one line */
    sm->buffer = fetch != NULL ? (guint32)context->device->fetch_buffer : 0;
    sm->pending.arena = arena;
    ws_print_log_init(&sm->printed, arena, context->device->printf_bytes);
    make_arena(sm);
    for (guint32 i = 0; i < context->sub_cores; i++) {
        WsSubCore *sub_core = &sm->state->sub_cores[i];
        sub_core->next = sub_core->far_next = WS_NEVER;
        sub_core->committed = sub_core->view.last = WS_NO_WARP;
        ws_order_init(&sub_core->view.age);
        ws_block_age_init(&sub_core->view.blocks);
        ws_issue_order_init(&sub_core->view.issues);
    }
    sm->state->now = sm->state->last_end = context->begin;
    sm->state->event = WS_NEVER;
    sm->state->mixed_barrier[0] = WS_NOWHERE;
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
    ws_state_free(arena, sm->arena);
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

/* ---- blocks and warps ---------------------------------------------------------------------------
 */

void ws_sm_queue_block(WsSm *sm, const WsBlockStart *start)
{
    WsSmState *state = sm->state;

    state->starts[state->start_count++] = *start;
    state->event = MIN(state->event, state->starts[0].assigned);
}

static void init_registers(WsSm *sm, guint32 slot)
{
    const WsLaunchContext *context = sm->context;
    WsWarpRegisters *registers = &sm->state->registers[slot];
    guint32 *values = registers->registers;
    guint64 *entries = ws_sm_entries(sm, &sm->state->warps[slot]);
    gsize count = context->kernel->registers;

    memset(registers, 0, sizeof *registers);
    registers->registers = values;
    registers->predicates[WS_PT] = ~(guint64)0;
    registers->uniform_predicates = 1 << WS_PT;
    memset(values, 0, count * context->decoded->warp_size * sizeof *values);
    memset(sm->war + slot * count, 0, count * sizeof *sm->war);
    if (sm->control)
        memset(sm->writers + sm->state->warps[slot].first_entry, 0,
               context->issue_table->entries * sizeof *sm->writers);
    for (guint32 i = 0; i < context->issue_table->entries; i++)
        entries[i] = ws_entry(0, WS_VARIABLE);
}

static guint64 first_lanes(guint32 count)
{
    return count >= 64 ? ~(guint64)0 : ((guint64)1 << count) - 1;
}

/* A warp of block 0 that the launch starts in mid-flight. */
static void apply_initial(WsSm *sm, guint32 slot, const WsInitialWarp *initial)
{
    const WsLaunchContext *context = sm->context;
    WsWarp *warp = &sm->state->warps[slot];
    guint32 size = context->decoded->warp_size;

    if (initial->has_start)
        warp->path.pc = context->kernel->first + initial->start;
    for (guint32 i = 0; i < initial->register_count; i++)
        if (initial->registers[i].index < context->kernel->registers)
            for (guint32 lane = 0; lane < size; lane++)
                sm->state->registers[slot].registers[initial->registers[i].index * size + lane] =
                    initial->registers[i].value;
    warp->front_reason = (guint8)initial->stall_reason;
    warp->front_until = MAX(warp->front_until, context->begin + initial->ready_cycle);
}

static void begin_warp(WsSm *sm, guint32 slot, guint32 block_slot, guint32 number,
                       const WsBlockStart *start)
{
    const WsLaunchContext *context = sm->context;
    WsSmState *state = sm->state;
    WsBlockState *block = &state->blocks[block_slot];
    WsWarp *warp = &state->warps[slot];
    WsLaneContext *lanes = &state->lanes[slot];
    WsPolicyView *view;
    guint32 size = context->decoded->warp_size, first_thread = number * size;
    guint64 first = start->first + number * context->device->launch_warp_interval;

    *warp = (WsWarp){.cursor = start->assigned,
                     .resident_since = start->assigned,
                     .set_up_until = first,
                     .front_until = first,
                     .front_reason = WS_STALL_NO_INSTRUCTION,
                     .state = WS_WARP_TIMED,
                     .last_issue = WS_NEVER,
                     .line = WS_NO_LINE,
                     .fetched = WS_NO_LINE,
                     .ahead = WS_NO_LINE,
                     .slot = slot,
                     .first_entry = slot * context->issue_table->entries,
                     .block_slot = block_slot,
                     .warp_in_block = number,
                     .sub_core = (guint8)(slot % context->sub_cores),
                     .number = (guint8)(slot / context->sub_cores)};
    warp->path.active = first_lanes(MIN(size, context->threads_per_block - first_thread));
    warp->path.pc = context->kernel->first;
    warp->path.stop = WS_NOWHERE;
    warp->lanes = (guint8)ws_count_lanes(warp->path.active);
    context->divergence->begin(ws_sm_path_state(sm, slot), warp->path.active);
    *lanes = (WsLaneContext){.first_thread = first_thread,
                             .warp_slot = slot,
                             .sm = sm->number,
                             .launch = context->launch_index};
    memcpy(lanes->block_index, block->index, sizeof lanes->block_index);
    init_registers(sm, slot);
    ws_sm_memory_begin_warp(sm->memory, slot);
    ws_sm_memory_name_warp(sm->memory, slot, block->linear, number);
    for (guint32 i = 0; block->linear == 0 && i < context->launch->initial_count; i++)
        if (context->launch->initial[i].warp == number)
            apply_initial(sm, slot, &context->launch->initial[i]);
    /* ws_prepare() moves the warp from the resource it wanted before, which is number 0 here. */
    state->sub_cores[warp->sub_core].want[0] |= (guint64)1 << warp->number;
    warp->held = state->sub_cores[warp->sub_core].held;
    view = &state->sub_cores[warp->sub_core].view;
    ws_order_append(&view->age, warp->number);
    ws_block_age_append(&view->blocks, warp->block_slot, warp->number);
    ws_issue_order_append(&view->issues, warp->number);
    ws_policy_warp_begin(sm, slot);
    ws_warp_resume(sm, slot);
}

/* A free slot of a sub-core, round robin, or WS_NOWHERE. */
static guint32 free_slot_of(WsSm *sm, guint32 sub_core)
{
    guint32 *cursor = &sm->state->slot_cursors[sub_core], step = sm->context->sub_cores;
    guint32 rows = (sm->context->warp_slots + step - 1 - sub_core) / step;

    for (guint32 i = 0; i < rows; i++) {
        guint32 row = (*cursor + i) % rows, slot = row * step + sub_core;

        if (!(sm->state->resident >> slot & 1)) {
            *cursor = (row + 1) % rows;
            return slot;
        }
    }
    return WS_NOWHERE;
}

/* The next warp goes to the next sub-core that has a slot; the block scheduler saw to it. */
static guint32 next_free_slot(WsSm *sm)
{
    guint32 slot;

    do {
        slot = free_slot_of(sm, sm->state->next_sub_core);
        sm->state->next_sub_core = (sm->state->next_sub_core + 1) % sm->context->sub_cores;
    } while (slot == WS_NOWHERE);
    return slot;
}

/*
 * A block goes on at the sub-core where the one before stopped. If that is where it began, it
 * begins one further, so that warps of the same number spread over all sub-cores: measured on an
 * H200, by %warpid of blocks of 1 to 32 warps.
 */
static void rotate_sub_cores(WsSm *sm)
{
    if (sm->context->warps_per_block % sm->context->sub_cores == 0)
        sm->state->next_sub_core = (sm->state->next_sub_core + 1) % sm->context->sub_cores;
}

/* Cycles before `cycle` in which the SM had a resident warp; it is active at `cycle`. */
static guint64 active_clock(const WsSmState *state, guint64 cycle)
{
    return state->active_cycles + cycle - state->active_since;
}

static void begin_block(WsSm *sm, const WsBlockStart *start)
{
    const WsLaunchContext *context = sm->context;
    const guint32 *grid = context->launch->grid;
    WsSmState *state = sm->state;
    guint32 block_slot = 0;
    WsBlockState *block;
    guint64 linear = start->linear;

    while (state->blocks[block_slot].used)
        block_slot++;
    block = &state->blocks[block_slot];
    *block = (WsBlockState){.used = TRUE, .linear = (guint32)linear};
    block->index[0] = (guint32)(linear % grid[0]);
    block->index[1] = (guint32)(linear / grid[0] % grid[1]);
    block->index[2] = (guint32)(linear / grid[0] / grid[1]);
    /* A block may be told late that it began before the last warp left. */
    if (state->resident == 0)
        state->active_since = MAX(start->assigned, state->last_end);
    ws_losses_begin_block(&state->losses, context->warps_per_block,
                          active_clock(state, start->assigned));
    ws_sm_memory_begin_block(sm->memory, block_slot, context->shared_bytes);
    for (guint32 i = 0; i < context->warps_per_block; i++) {
        guint32 slot =
            context->slot_share != 0 ? block_slot * context->slot_share + i : next_free_slot(sm);
        state->resident |= (guint64)1 << slot;
        block->resident |= (guint64)1 << slot;
        begin_warp(sm, slot, block_slot, i, start);
    }
    rotate_sub_cores(sm);
    block->alive = block->resident;
    state->blocks_launched++;
    state->progress++;
    state->warps_launched += context->warps_per_block;
    ws_emit_block_begin(sm, block->resident, context->warps_per_block, start->assigned);
}

void ws_warp_exited(WsSm *sm, guint32 slot, guint64 now)
{
    WsSmState *state = sm->state;
    WsWarp *warp = &state->warps[slot];

    state->progress++;
    warp->state = WS_WARP_DRAIN;
    warp->front_reason = WS_STALL_DRAIN;
    /* A result on its way has nowhere to go without the warp. */
    warp->front_until = MAX(now + MAX(sm->context->device->drain_latency, 1), warp->unit_until);
    state->draining |= (guint64)1 << slot;
    state->event = MIN(state->event, warp->front_until);
    state->blocks[warp->block_slot].alive &= ~((guint64)1 << slot);
    ws_emit_warp(sm, slot, WS_TRACE_WARP_EXIT, now);
    ws_barrier_warp_left(sm, warp->block_slot, now);
}

static void end_block(WsSm *sm, guint32 block_slot, guint32 slot, guint64 now)
{
    WsSmState *state = sm->state;

    ws_emit_block_end(sm, slot, now);
    ws_losses_end_block(&state->losses, sm->context->warps_per_block,
                        state->blocks[block_slot].ends, active_clock(state, now));
    state->blocks[block_slot].used = FALSE;
    state->freed[state->freed_count++] =
        (WsBlockEnd){now, state->warps_launched - (guint64)__builtin_popcountll(state->resident)};
}

/* The warp has drained and leaves its slot at `now`. */
static void end_warp(WsSm *sm, guint32 slot, guint64 now)
{
    WsSmState *state = sm->state;
    WsWarp *warp = &state->warps[slot];
    WsBlockState *block = &state->blocks[warp->block_slot];
    WsSubCore *sub_core = &state->sub_cores[warp->sub_core];
    WsPolicyView *view = &sub_core->view;

    ws_warp_charge(sm, slot, now);
    state->warp_cycles += now - warp->resident_since;
    state->diverged_warp_cycles += warp->diverged * (now - warp->resident_since);
    state->last_end = now;
    state->draining &= ~((guint64)1 << slot);
    state->resident &= ~((guint64)1 << slot);
    block->resident &= ~((guint64)1 << slot);
    block->ends += active_clock(state, now);
    ws_emit_warp(sm, slot, WS_TRACE_WARP_END, now);
    sub_core->want[warp->resource] &= ~((guint64)1 << warp->number);
    ws_order_remove(&view->age, warp->number);
    ws_block_age_remove(&view->blocks, warp->number);
    ws_policy_warp_end(sm, slot);
    warp->state = WS_WARP_FREE;
    if (block->resident == 0)
        end_block(sm, warp->block_slot, slot, now);
    if (state->resident == 0)
        state->active_cycles += now - state->active_since;
}

/* ---- time ---------------------------------------------------------------------------------------
 */

static void take_responses(WsSm *sm, guint64 now)
{
    WsResponse response;

    while (ws_sm_memory_next_response(sm->memory) <= now)
        if (ws_sm_memory_deliver(sm->memory, now, sm->slots, &response))
            ws_warp_response(sm, &response);
        else
            break;
}

static void look_at_membars(WsSm *sm)
{
    for (guint64 m = sm->state->membar; m != 0; m &= m - 1) {
        guint32 slot = (guint32)__builtin_ctzll(m);

        ws_membar_look(sm, slot);
        if (sm->state->warps[slot].state == WS_WARP_TIMED)
            ws_warp_resume(sm, slot);
    }
}

/* Ends warps that have drained; returns when the next one may. */
static guint64 look_at_drains(WsSm *sm, guint64 now)
{
    guint64 next = WS_NEVER;

    for (guint64 m = sm->state->draining; m != 0; m &= m - 1) {
        guint32 slot = (guint32)__builtin_ctzll(m);
        guint64 until =
            MAX(sm->state->warps[slot].front_until, ws_sm_memory_drain_cycle(sm->memory, slot));

        if (until <= now && !ws_sm_memory_warp_busy(sm->memory, slot))
            end_warp(sm, slot, now);
        else if (until > now)
            next = MIN(next, until);
    }
    return next;
}

static void start_blocks(WsSm *sm, guint64 now)
{
    WsSmState *state = sm->state;
    guint32 due = 0;

    while (due < state->start_count && state->starts[due].assigned <= now)
        begin_block(sm, &state->starts[due++]);
    state->start_count -= due;
    memmove(state->starts, state->starts + due, state->start_count * sizeof state->starts[0]);
}

void ws_sm_take_events(WsSm *sm, guint64 now)
{
    WsSmState *state = sm->state;
    guint64 next;

    if (G_UNLIKELY(sm->watch != NULL))
        ws_emit_stalls_until(sm, now);
    state->now = now;
    if (state->event > now)
        return;
    take_responses(sm, now);
    ws_open_memory(sm, now);
    look_at_membars(sm);
    next = look_at_drains(sm, now);
    start_blocks(sm, now);
    next = MIN(next, ws_sm_memory_next_response(sm->memory));
    if (state->start_count != 0)
        next = MIN(next, state->starts[0].assigned);
    state->event = MIN(next, WS_NEVER);
}

static inline guint64 find_next(const WsSmState *state, const WsSubCore *end)
{
    guint64 next = state->event;

    for (const WsSubCore *sub_core = state->sub_cores; sub_core != end; sub_core++)
        next = MIN(next, sub_core->next);
    return next == WS_NEVER ? next : MAX(next, state->now);
}

guint64 ws_sm_next(const WsSm *sm)
{
    return find_next(sm->state, sm->state->sub_cores + sm->context->sub_cores);
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
            ws_sm_take_events(sm, now);
        for (WsSubCore *sub_core = sub_cores; sub_core != end; sub_core++, number++) {
            if (sub_core->next > now)
                continue;
            ws_sub_core_step_plain(sm, sub_core, number, now);
            if (G_UNLIKELY(state->stop.status != WS_STATUS_OK))
                return;
        }
    }
}

/* The same with stalls told. */
static void run_observed(WsSm *sm, guint64 until)
{
    WsSmState *state = sm->state;
    guint32 count = sm->context->sub_cores;
    guint64 now;

    while ((now = find_next(state, state->sub_cores + count)) < until) {
        ws_sm_take_events(sm, now);
        ws_find_stalls(sm, now);
        for (guint32 i = 0; i < count && state->stop.status == WS_STATUS_OK; i++)
            if (state->sub_cores[i].next <= now)
                ws_sub_core_step_observed(sm, &state->sub_cores[i], i, now);
        ws_emit_found_stalls(sm, now);
        if (state->stop.status != WS_STATUS_OK)
            return;
    }
    ws_emit_stalls_until(sm, until);
}

void ws_sm_run(WsSm *sm, guint64 until)
{
    if (sm->state->stop.status != WS_STATUS_OK)
        return;
    if (sm->watch != NULL)
        run_observed(sm, until);
    else
        run_plain(sm, until);
    if (sm->state->stop.status == WS_STATUS_OK)
        sm->state->now = MAX(sm->state->now, until);
}

void ws_sm_after_settle(WsSm *sm)
{
    WsSmState *state = sm->state;

    /* Responses, and through them ends of stores, may be known now. */
    look_at_membars(sm);
    state->event = MIN(state->event, look_at_drains(sm, state->now));
    state->event = MIN(state->event, ws_sm_memory_next_response(sm->memory));
    state->event = MIN(state->event, WS_NEVER);
}

void ws_warp_charge(WsSm *sm, guint32 slot, guint64 end)
{
    WsWarp *warp = &sm->state->warps[slot];
    const WsSubCore *sub_core = &sm->state->sub_cores[warp->sub_core];
    WsInstructionCounters *counters;

    if (warp->state == WS_WARP_DRAIN) {
        sm->counters[warp->wait_pc].stalls[WS_STALL_DRAIN] += end - warp->cursor;
    } else {
        guint64 cursor;
        counters = &sm->counters[warp->path.pc];
        cursor = ws_charge_until_ready(warp, counters, end);
        /* A stop may come before the sub-core has seen in this cycle that the warp became ready. */
        if (!(sub_core->ready >> slot / sm->context->sub_cores & 1)) {
            warp->busy = ws_resource_blocked(sub_core, warp->resource, cursor);
            warp->dispatch = ws_dispatch_blocked(sub_core, cursor);
        }
        if (end > cursor)
            ws_charge_ready(warp, counters, end - cursor,
                            ws_resource_blocked(sub_core, warp->resource, end) - warp->busy,
                            ws_dispatch_blocked(sub_core, end) - warp->dispatch);
    }
    warp->cursor = end;
}

void ws_sm_charge_all(WsSm *sm, guint64 end)
{
    WsSmState *state = sm->state;

    for (guint64 m = state->resident; m != 0; m &= m - 1) {
        guint32 slot = (guint32)__builtin_ctzll(m);
        WsWarp *warp = &state->warps[slot];

        if (warp->cursor < end)
            ws_warp_charge(sm, slot, end);
        guint64 until = MAX(end, warp->cursor);
        state->warp_cycles += until - warp->resident_since;
        state->diverged_warp_cycles += warp->diverged * (until - warp->resident_since);
    }
    if (state->resident != 0) {
        state->active_cycles += end - state->active_since;
        state->active_since = end;
    }
    state->last_end = MAX(state->last_end, end);
}

void ws_sm_finish_losses(WsSm *sm, gboolean more)
{
    const WsLaunchContext *context = sm->context;
    WsSmState *state = sm->state;
    WsOccupancyLosses *losses = &state->losses;

    for (guint32 i = 0; i < WS_MAX_BLOCK_SLOTS; i++) {
        const WsBlockState *block = &state->blocks[i];
        guint32 left = (guint32)__builtin_popcountll(block->resident);

        if (block->used)
            ws_losses_cut_block(losses, context->warps_per_block - left, block->ends,
                                state->active_cycles);
    }
    ws_losses_finish(losses, context->block_slots, context->warps_per_block,
                     more ? context->block_slots : state->start_count - losses->pending,
                     state->active_cycles);
}
