#include "tests/support/tiling.h"

/* Sums of one launch over its instructions, against its totals. */
static char *instructions_problem(const WsProgram *program, const WsLaunchResult *launch)
{
    const WsCounters *counters = &launch->counters;
    guint64 stalls[WS_STALL_COUNT] = {0}, issued = 0, lanes = 0, lanes_on = 0;
    for (guint32 i = 0; i < program->instruction_count; i++) {
        const WsInstructionCounters *instruction = &launch->instructions[i];
        for (guint s = 0; s < WS_STALL_COUNT; s++) {
            stalls[s] += instruction->stalls[s];
        }
        if (instruction->stalls[WS_STALL_SELECTED] != instruction->issued) {
            return g_strdup_printf("instruction %u: selected is not issued", i);
        }
        issued += instruction->issued;
        lanes += instruction->lanes;
        lanes_on += instruction->lanes_on;
    }
    for (guint s = 0; s < WS_STALL_COUNT; s++) {
        if (stalls[s] != counters->stalls[s]) {
            return g_strdup_printf("instructions do not add up to the stalls %s", ws_stall_name(s));
        }
    }
    if (issued != counters->warp_instructions || lanes != counters->thread_instructions ||
        lanes_on != counters->thread_instructions_pred_on) {
        return g_strdup("instructions do not add up to the counters");
    }
    return NULL;
}

/* Stalls and losses of one launch or of the whole job. */
static char *residency_problem(const WsCounters *counters)
{
    guint64 residency = 0;
    for (guint s = 0; s < WS_STALL_COUNT; s++) {
        residency += counters->stalls[s];
    }
    if (residency != counters->warp_cycles) {
        return g_strdup_printf("stalls add up to %" G_GUINT64_FORMAT
                               ", residency is %" G_GUINT64_FORMAT,
                               residency, counters->warp_cycles);
    }
    if (counters->stalls[WS_STALL_SELECTED] != counters->warp_instructions) {
        return g_strdup("selected is not the number of issues");
    }
    return NULL;
}

static char *launch_problem(const WsProgram *program, const WsLaunchResult *launch)
{
    guint64 sum = launch->counters.warp_cycles;
    char *problem = instructions_problem(program, launch);
    if (problem == NULL) {
        problem = residency_problem(&launch->counters);
    }
    for (guint k = 0; k < WS_LOSS_COUNT; k++) {
        sum += launch->occupancy.losses[k];
    }
    if (problem == NULL && sum != launch->occupancy.possible_warp_cycles) {
        problem = g_strdup_printf("residency and losses are %" G_GUINT64_FORMAT
                                  ", the theoretical occupancy %" G_GUINT64_FORMAT,
                                  sum, launch->occupancy.possible_warp_cycles);
    }
    return problem;
}

char *tiling_problem(const WsProgram *program, const WsResult *result)
{
    guint64 warp_cycles = 0, issued = 0;
    char *problem = residency_problem(&result->total);
    for (guint32 i = 0; i < result->launch_count && problem == NULL; i++) {
        problem = launch_problem(program, &result->launches[i]);
        warp_cycles += result->launches[i].counters.warp_cycles;
        issued += result->launches[i].counters.warp_instructions;
    }
    if (problem == NULL &&
        (warp_cycles != result->total.warp_cycles || issued != result->total.warp_instructions)) {
        problem = g_strdup("launches do not add up to the totals");
    }
    return problem;
}
