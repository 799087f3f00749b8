#include "sim/result.h"

#include "isa/error.h"

typedef struct {
    const char *name;
    int exit_code;
} Status;

static const Status statuses[] = {
    [WS_STATUS_OK] = {"ok", 0},
    [WS_STATUS_CHECK_FAILED] = {"check_failed", WS_ERROR_CHECK},
    [WS_STATUS_FAULT] = {"fault", WS_ERROR_FAULT},
    [WS_STATUS_DEADLOCK] = {"deadlock", WS_ERROR_DEADLOCK},
    [WS_STATUS_LIVELOCK] = {"livelock", WS_ERROR_DEADLOCK},
    [WS_STATUS_LIMIT] = {"limit", WS_ERROR_LIMIT},
};

const char *ws_status_name(WsStatus status)
{
    return statuses[status].name;
}

int ws_status_exit_code(WsStatus status)
{
    return statuses[status].exit_code;
}

void ws_result_sum_losses(const WsResult *result, WsOccupancySummary *ret)
{
    *ret = (WsOccupancySummary){0};
    for (guint32 i = 0; i < result->launch_count; i++) {
        const WsOccupancySummary *launch = &result->launches[i].occupancy;

        ret->possible_warp_cycles += launch->possible_warp_cycles;
        ret->imbalance_sm_cycles += launch->imbalance_sm_cycles;
        ret->idle_sms = i == 0 ? launch->idle_sms : MIN(ret->idle_sms, launch->idle_sms);
        for (guint k = 0; k < WS_LOSS_COUNT; k++)
            ret->losses[k] += launch->losses[k];
    }
}

static void clear_launch(WsLaunchResult *launch)
{
    g_free(launch->kernel);
    g_free(launch->occupancy.per_sm);
    g_strfreev(launch->occupancy.limiters);
    g_free(launch->instructions);
}

void ws_result_free(WsResult *result)
{
    if (result == NULL)
        return;
    for (guint32 i = 0; i < result->launch_count; i++)
        clear_launch(&result->launches[i]);
    for (guint32 i = 0; i < result->check_count; i++) {
        g_free(result->checks[i].expected);
        g_free(result->checks[i].actual);
    }
    g_free(result->launches);
    g_free(result->checks);
    g_free(result->stop.message);
    g_free(result->stop.details);
    g_strfreev(result->warnings);
    g_free(result);
}
