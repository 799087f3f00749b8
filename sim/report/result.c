#include "sim/report/result.h"

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

void ws_stop_clear(WsStop *stop)
{
    g_free(stop->message);
    g_free(stop->details);
    if (stop->waits != NULL)
        g_ptr_array_unref(stop->waits);
    *stop = (WsStop){0};
}

void ws_stop_copy(const WsStop *stop, WsStop *ret)
{
    *ret = *stop;
    ret->message = g_strdup(stop->message);
    ret->details = g_strdup(stop->details);
    if (stop->waits != NULL)
        ret->waits = g_ptr_array_ref(stop->waits);
}

void ws_launch_result_clear(WsLaunchResult *launch)
{
    g_free(launch->kernel);
    g_free(launch->occupancy.per_sm);
    g_strfreev(launch->occupancy.limiters);
    g_free(launch->instructions);
    ws_print_log_clear(&launch->printed);
    *launch = (WsLaunchResult){0};
}

void ws_result_add_warning(WsResult *result, const char *text)
{
    guint count = result->warnings != NULL ? g_strv_length(result->warnings) : 0;

    result->warnings = g_renew(char *, result->warnings, count + 2);
    result->warnings[count] = g_strdup(text);
    result->warnings[count + 1] = NULL;
}

void ws_result_free(WsResult *result)
{
    if (result == NULL)
        return;
    for (guint32 i = 0; i < result->launch_count; i++)
        ws_launch_result_clear(&result->launches[i]);
    for (guint32 i = 0; i < result->check_count; i++) {
        g_free(result->checks[i].expected);
        g_free(result->checks[i].actual);
    }
    g_free(result->launches);
    g_free(result->checks);
    g_free(result->regions);
    ws_stop_clear(&result->stop);
    ws_findings_free(result->findings);
    g_strfreev(result->warnings);
    g_free(result);
}
