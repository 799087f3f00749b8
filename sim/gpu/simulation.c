#include "sim/gpu/simulation.h"

#include "isa/base/size.h"
#include "sim/gpu/early_end.h"
#include "sim/gpu/gpu.h"
#include "sim/gpu/launch_order.h"
#include "sim/gpu/machine_memory.h"
#include "sim/gpu/reference_run.h"
#include "sim/report/expect.h"

enum { DEFAULT_MAX_CYCLES = 1000000000, DEFAULT_SPIN_LIMIT = 100000 };

void ws_run_options_init(WsRunOptions *ret)
{
    *ret = (WsRunOptions){
        .max_cycles = DEFAULT_MAX_CYCLES, .spin_limit = DEFAULT_SPIN_LIMIT, .threads = 1};
}

static gboolean run_launches(WsMachine *machine, GError **error)
{
    const WsJob *job = machine->job;

    for (guint32 i = 0; i < job->launch_count; i++) {
        if (i != 0 && !job->launches[i].keep_caches)
            ws_memory_system_flush(machine->system);
        if (!ws_gpu_launch(machine, i, error))
            return FALSE;
        if (machine->result->status != WS_STATUS_OK)
            return TRUE;
    }
    return TRUE;
}

static WsRunOptions with_defaults(const WsRunOptions *options)
{
    WsRunOptions filled;

    ws_run_options_init(&filled);
    if (options == NULL)
        return filled;
    filled = *options;
    if (filled.max_cycles == 0)
        filled.max_cycles = DEFAULT_MAX_CYCLES;
    if (filled.spin_limit == 0)
        filled.spin_limit = DEFAULT_SPIN_LIMIT;
    return filled;
}

WsResult *ws_simulation_run(WsJob *job, const WsRunOptions *options, GError **error)
{
    return ws_simulation_run_inspected(job, options, NULL, NULL, error);
}

/* Blocks of the largest launch. */
static guint64 most_blocks(const WsJob *job)
{
    guint64 most = 0;

    for (guint32 i = 0; i < job->launch_count; i++)
        most = MAX(most, ws_size_volume(job->launches[i].grid));
    return most;
}

WsResult *ws_simulation_run_inspected(WsJob *job, const WsRunOptions *options,
                                      void (*inspect)(void *data, WsSm *sm, guint64 cycle),
                                      void *data, GError **error)
{
    WsRunOptions filled = with_defaults(options);
    g_autoptr(WsResult) result = g_new0(WsResult, 1);
    WsMachine machine = {.job = job,
                         .options = &filled,
                         .result = result,
                         .warnings = g_ptr_array_new_with_free_func(g_free),
                         .max_cycles = filled.max_cycles,
                         .deadline = ws_deadline(filled.max_seconds),
                         .inspect = inspect,
                         .inspect_data = data};
    gboolean ok;

    for (guint32 i = 0; i < job->launch_count; i++)
        if (!ws_machine_memory_check(job, &job->launches[i], filled.threads, error))
            return NULL;
    if (!ws_reference_launches_run(job, machine.deadline, filled.interrupt, error))
        return NULL;
    result->launches = g_new0(WsLaunchResult, MAX(job->launch_count, 1));
    machine.contents = ws_global_memory_new(job);
    machine.system = ws_memory_system_new(job->device, machine.contents);
    machine.ranks = ws_launch_ranks(job->device, most_blocks(job));
    machine.fetch = g_new0(WsInstructionFetch *, job->device->sms);
    machine.constants = g_new0(WsConstantCache *, job->device->sms);
    ws_line_directory_init(&machine.code_in_l2, ws_instruction_fetch_lines(job->program));
    ws_line_directory_init(&machine.constants_in_l2, WS_CONSTANT_L15_LINES);
    ok = run_launches(&machine, error);
    for (guint64 i = 0; i < job->device->sms; i++) {
        ws_instruction_fetch_free(machine.fetch[i]);
        ws_constant_cache_free(machine.constants[i]);
    }
    g_free(machine.ranks);
    g_free(machine.fetch);
    g_free(machine.constants);
    ws_line_directory_clear(&machine.code_in_l2);
    ws_line_directory_clear(&machine.constants_in_l2);
    ws_memory_system_free(machine.system);
    ws_global_memory_free(machine.contents);
    g_ptr_array_add(machine.warnings, NULL);
    result->warnings = (char **)g_ptr_array_free(machine.warnings, FALSE);
    if (ok && result->status == WS_STATUS_OK) /* a run that stopped early has no results to check */
        ws_expectations_check(job, result);
    return ok ? g_steal_pointer(&result) : NULL;
}
