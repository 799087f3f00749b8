#include "sim/gpu/functional_run.h"

#include "isa/base/size.h"
#include "sim/gpu/prepared_launch.h"
#include "sim/gpu/reference_run.h"
#include "sim/interpreter/interpreter.h"
#include "sim/report/expect.h"

#include <math.h>
#include <string.h>

/* FALSE: the error is one of the run's own, no result. */
static gboolean note_stop(WsResult *result, guint32 launch, const GError *failure)
{
    const char *text = failure->message;
    switch ((WsErrorCode)failure->code) {
    case WS_ERROR_FAULT:
        result->status = WS_STATUS_FAULT;
        break;
    case WS_ERROR_DEADLOCK:
        result->status = WS_STATUS_DEADLOCK;
        break;
    case WS_ERROR_LIMIT:
        result->status = WS_STATUS_LIMIT;
        break;
    default:
        return FALSE;
    }
    if (g_str_has_prefix(text, "error: "))
        text += strlen("error: ");
    result->stop = (WsStop){.message = g_strdup(text),
                            .launch = launch,
                            .sm = -1,
                            .warp = -1,
                            .lane = -1,
                            .slot = -1,
                            .instruction = -1};
    return TRUE;
}

static guint64 warps_of(const WsJob *job, const WsLaunch *launch)
{
    const guint64 size = (guint64)job->device->warp_size;
    return ws_size_volume(launch->grid) * ((ws_size_volume(launch->block) + size - 1) / size);
}

static void note_launch(WsResult *result, const WsJob *job, guint32 index,
                        const WsInterpretCounts *counts)
{
    const WsLaunch *launch = &job->launches[index];
    WsLaunchResult *of = &result->launches[index];
    of->kernel = g_strdup(launch->kernel->display_name);
    of->registers_per_thread = launch->kernel->registers;
    of->occupancy.achieved = NAN;
    of->counters.warp_instructions = counts->warp_instructions;
    of->counters.thread_instructions = counts->thread_instructions;
    of->counters.warps_launched = warps_of(job, launch);
    of->instructions = g_new0(WsInstructionCounters, MAX(job->program->instruction_count, 1));
    result->launch_count = index + 1;
    result->total.warp_instructions += counts->warp_instructions;
    result->total.thread_instructions += counts->thread_instructions;
    result->total.warps_launched += of->counters.warps_launched;
}

WsResult *ws_functional_run(WsJob *job, const WsRunOptions *options, GError **error)
{
    WsInterpretOptions how = {.interrupt = options->interrupt,
                              .time_limit = ws_time_limit(options->max_seconds),
                              .max_warp_instructions = G_MAXUINT64};
    if (!ws_reference_launches_run(job, &how.time_limit, options->interrupt, error))
        return NULL;
    g_autoptr(WsResult) result = g_new0(WsResult, 1);
    result->functional = TRUE;
    result->launches = g_new0(WsLaunchResult, MAX(job->launch_count, 1));
    result->warnings = g_new0(char *, 1);
    for (guint32 i = 0; i < job->launch_count && result->status == WS_STATUS_OK; i++) {
        WsInterpretCounts counts = {0};
        WsOccupancy occupancy;
        GError *failure = NULL;
        if (!ws_launch_occupancy(job->device, &job->launches[i], &occupancy, error))
            return NULL;
        WsPrintLog *printed = &result->launches[i].printed;
        ws_print_log_init(printed, NULL, job->device->printf_bytes);
        how.printed = printed;
        const gboolean done = ws_interpret(job, i, &how, &counts, &failure);
        note_launch(result, job, i, &counts);
        if (done)
            continue;
        if (!note_stop(result, i, failure)) {
            g_propagate_error(error, failure);
            return NULL;
        }
        g_error_free(failure);
    }
    if (result->status == WS_STATUS_LIMIT && options->interrupt != NULL &&
        g_atomic_int_get(options->interrupt) != 0)
        result->status = WS_STATUS_INTERRUPTED;
    if (result->status == WS_STATUS_OK) /* as in a run with time */
        ws_expectations_check(job, result);
    return g_steal_pointer(&result);
}
