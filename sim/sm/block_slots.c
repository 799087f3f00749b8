#include "sim/sm/block_slots.h"

#include <string.h>

#include "sim/sm/admission.h"
#include "sim/sm/block_barriers.h"
#include "sim/sm/readiness.h"
#include "sim/sm/stall_accounting.h"
#include "sim/sm/watch.h"

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
    ws_init_predicates(registers);
    memset(values, 0, (gsize)context->decoded->rows * context->decoded->warp_size * sizeof *values);
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
    ws_hold(warp, (WsStall)initial->stall_reason,
            MAX(warp->hold.until, context->begin + initial->ready_cycle));
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

    *warp = (WsWarp){.account.counted_to = start->assigned,
                     .resident_since = start->assigned,
                     .hold = {first, WS_STALL_NO_INSTRUCTION},
                     .state = WS_WARP_TIMED,
                     .last_issue = WS_NEVER,
                     .slot = slot,
                     .first_entry = slot * context->issue_table->entries,
                     .block_slot = block_slot,
                     .warp_in_block = number,
                     .sub_core = (guint8)(slot % context->sub_cores),
                     .number = (guint8)(slot / context->sub_cores)};
    ws_front_end_begin(&warp->front_end, first);
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
    state->sub_cores[warp->sub_core].pipes.want[0] |= (guint64)1 << warp->number;
    warp->held.seen = state->sub_cores[warp->sub_core].held.cycles;
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
    /* A result on its way has nowhere to go without the warp. */
    ws_hold(warp, WS_STALL_DRAIN,
            MAX(now + MAX(sm->context->device->drain_latency, 1), warp->unit_until));
    state->draining |= (guint64)1 << slot;
    state->event = MIN(state->event, warp->hold.until);
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
    sub_core->pipes.want[warp->resource] &= ~((guint64)1 << warp->number);
    ws_order_remove(&view->age, warp->number);
    ws_block_age_remove(&view->blocks, warp->number);
    ws_policy_warp_end(sm, slot);
    warp->state = WS_WARP_FREE;
    if (block->resident == 0)
        end_block(sm, warp->block_slot, slot, now);
    if (state->resident == 0)
        state->active_cycles += now - state->active_since;
}

/* Ends warps that have drained; returns when the next one may. */
guint64 ws_sm_end_warps(WsSm *sm, guint64 now)
{
    guint64 next = WS_NEVER;

    for (guint64 m = sm->state->draining; m != 0; m &= m - 1) {
        guint32 slot = (guint32)__builtin_ctzll(m);
        guint64 until =
            MAX(sm->state->warps[slot].hold.until, ws_sm_memory_drain_cycle(sm->memory, slot));

        if (until <= now && !ws_sm_memory_warp_busy(sm->memory, slot))
            end_warp(sm, slot, now);
        else if (until > now)
            next = MIN(next, until);
    }
    return next;
}

void ws_sm_start_blocks(WsSm *sm, guint64 now)
{
    WsSmState *state = sm->state;
    guint32 due = 0;

    while (due < state->start_count && state->starts[due].assigned <= now)
        begin_block(sm, &state->starts[due++]);
    state->start_count -= due;
    memmove(state->starts, state->starts + due, state->start_count * sizeof state->starts[0]);
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
