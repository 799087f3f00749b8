/* What the preset studies vary, as the launch stands. */
#include "isa/base/size.h"
#include "study/preset/preset.h"

void ws_preset_occupancy(const WsJob *job, WsOccupancy *ret)
{
    const WsOccupancyQuery query = ws_launch_occupancy_query(&job->launches[0]);
    ws_occupancy(job->device, &query, ret);
}

static char *number(guint64 value)
{
    return g_strdup_printf("%" G_GUINT64_FORMAT, value);
}

char *ws_preset_now_policy(const WsJob *job)
{
    static const char *const policies[] = {WS_POLICIES(WS_POLICY_SETTING) NULL};
    return g_strdup(policies[job->device->policy]);
}

char *ws_preset_now_block(const WsJob *job)
{
    return number(job->launches[0].block[0]);
}

/* A launch file with a cap of its own has no row without one. */
char *ws_preset_now_registers(const WsJob *job)
{
    return number(job->max_registers != 0 ? job->max_registers
                                          : job->device->max_registers_per_thread);
}

char *ws_preset_now_shared(const WsJob *job)
{
    return number(job->launches[0].dynamic_shared_bytes);
}

char *ws_preset_now_latency(const WsJob *job)
{
    const WsDevice *device = job->device;
    return device->memory_model == WS_MEMORY_FIXED
               ? number(device->classes[WS_CLASS_GLOBAL_LOAD].latency)
               : number(device->dram_latency);
}

char *ws_preset_now_warp_size(const WsJob *job)
{
    return number(job->device->warp_size);
}

char *ws_preset_now_schedulers(const WsJob *job)
{
    return number(job->device->sub_cores);
}
