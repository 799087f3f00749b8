/*
 * The tiling laws (tests/support/tiling.h) on every launch file of every workload, under every
 * divergence model and policy (tests/support/workload_pairs.h):
 *
 *   test_tiling WORKLOADS CYCLES [SHARE]
 *
 * The laws hold too where a run is stopped after CYCLES cycles.
 */
#include "tests/support/tiling.h"
#include "tests/support/workload_pairs.h"

static char *check_laws(const JobStart *start, guint64 cycles, guint64 seed)
{
    g_autoptr(GError) error = NULL;
    WsRunOptions options;
    ws_run_options_init(&options);
    options.max_cycles = cycles;
    g_autoptr(WsResult) result = ws_simulation_run(start->job, &options, &error);
    return result == NULL ? g_strdup(error->message) : tiling_problem(start->job->program, result);
}

int main(int argc, char **argv)
{
    return workload_pairs_main(argc, argv, 0, check_laws);
}
