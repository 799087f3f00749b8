#include "sim/report/statistics.h"

#include <math.h>

void ws_instruction_counters_finish(WsInstructionCounters *counters, guint32 count)
{
    for (guint32 i = 0; i < count; i++) {
        counters[i].lanes_on += counters[i].lanes;
        counters[i].stalls[WS_STALL_SELECTED] = counters[i].issued;
    }
}

void ws_instruction_counters_add(WsInstructionCounters *to, const WsInstructionCounters *from,
                                 guint32 count)
{
    for (guint32 i = 0; i < count; i++) {
        to[i].issued += from[i].issued;
        to[i].lanes += from[i].lanes;
        to[i].lanes_on += from[i].lanes_on;
        to[i].divergent += from[i].divergent;
        to[i].extra_wavefronts += from[i].extra_wavefronts;
        to[i].sectors += from[i].sectors;
        to[i].extra_sectors += from[i].extra_sectors;
        for (guint s = 0; s < WS_STALL_COUNT; s++)
            to[i].stalls[s] += from[i].stalls[s];
    }
}

void ws_counters_from_instructions(WsCounters *counters, const WsInstructionCounters *instructions,
                                   guint32 count)
{
    for (guint32 i = 0; i < count; i++) {
        counters->warp_instructions += instructions[i].issued;
        counters->thread_instructions += instructions[i].lanes;
        counters->thread_instructions_pred_on += instructions[i].lanes_on;
        for (guint s = 0; s < WS_STALL_COUNT; s++)
            counters->stalls[s] += instructions[i].stalls[s];
    }
}

void ws_counters_add_sm(WsCounters *counters, const WsSm *sm)
{
    const WsSmState *state = sm->state;

    counters->cycles = MAX(counters->cycles, state->active_cycles);
    counters->active_sm_cycles += state->active_cycles;
    counters->elapsed_cycles = MAX(counters->elapsed_cycles, state->last_end - sm->context->begin);
    counters->warp_cycles += state->warp_cycles;
    counters->branches_executed += state->branches;
    counters->branches_divergent += state->divergent_branches;
    counters->warps_launched += state->warps_launched;
    counters->warps_diverged += state->warps_diverged;
    counters->diverged_warp_cycles += state->diverged_warp_cycles;
    counters->blocks_launched += state->blocks_launched;
    for (guint i = 0; i < sm->context->sub_cores; i++)
        counters->sub_core_instructions[i] += state->sub_cores[i].issued;
    ws_sm_memory_add_counters(sm->memory, counters);
}

void ws_counters_add_launch(WsCounters *total, const WsCounters *launch)
{
    guint64 *to = (guint64 *)(void *)total;
    const guint64 *from = (const guint64 *)(const void *)launch;

    G_STATIC_ASSERT(sizeof(WsCounters) % sizeof(guint64) == 0);
    for (gsize i = 0; i < sizeof(WsCounters) / sizeof(guint64); i++)
        to[i] += from[i];
}

static void add_limiters(WsOccupancySummary *summary, const WsOccupancy *occupancy)
{
    GPtrArray *names = g_ptr_array_new();

    for (guint i = 0; i < WS_OCCUPANCY_LIMIT_COUNT; i++)
        if (occupancy->limiting[i])
            g_ptr_array_add(names, g_strdup(ws_occupancy_limit_name(i)));
    g_ptr_array_add(names, NULL);
    summary->limiters = (char **)g_ptr_array_free(names, FALSE);
}

static void add_losses(WsOccupancySummary *summary, WsSm *const *sms, guint32 sm_count,
                       const WsCounters *counters)
{
    guint64 end = 0;

    summary->possible_warp_cycles =
        (guint64)summary->blocks_per_sm * summary->warps_per_block * counters->active_sm_cycles;
    for (guint32 i = 0; i < sm_count; i++)
        end = MAX(end, sms[i]->state->last_end);
    for (guint32 i = 0; i < sm_count; i++) {
        const WsSmState *state = sms[i]->state;

        summary->imbalance_sm_cycles += end - state->last_end;
        for (guint k = 0; k < WS_LOSS_COUNT; k++)
            summary->losses[k] += state->losses.losses[k];
    }
    summary->idle_sms = summary->sm_count - sm_count;
}

void ws_occupancy_summary(WsOccupancySummary *ret, const WsDevice *device,
                          const WsOccupancy *occupancy, WsSm *const *sms, guint32 sm_count,
                          const WsCounters *counters)
{
    double slots = (double)device->max_warps_per_sm;

    ret->blocks_per_sm = occupancy->blocks_per_sm;
    ret->warps_per_block = occupancy->warps_per_block;
    ret->theoretical = occupancy->occupancy;
    ret->achieved = counters->active_sm_cycles
                        ? (double)counters->warp_cycles / (double)counters->active_sm_cycles / slots
                        : NAN;
    ret->sm_count = (guint32)device->sms;
    ret->per_sm = g_new(double, ret->sm_count);
    for (guint32 i = 0; i < ret->sm_count; i++)
        ret->per_sm[i] = NAN;
    for (guint32 i = 0; i < sm_count; i++) {
        const WsSmState *state = sms[i]->state;
        if (state->active_cycles != 0)
            ret->per_sm[sms[i]->number] =
                (double)state->warp_cycles / (double)state->active_cycles / slots;
    }
    add_limiters(ret, occupancy);
    add_losses(ret, sms, sm_count, counters);
}
