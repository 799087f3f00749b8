#include "sim/device/passes.h"

#include <string.h>

guint64 ws_pipe_lanes(const WsDevice *device)
{
    return device->pipe_lanes == 0 ? device->warp_size : device->pipe_lanes;
}

guint32 ws_warp_passes(const WsDevice *device)
{
    return (guint32)MAX(1, device->warp_size / ws_pipe_lanes(device));
}

guint64 ws_pass_cycles(const WsDevice *device, guint64 cycles)
{
    guint64 lanes = ws_pipe_lanes(device);
    return (cycles * device->warp_size + lanes - 1) / lanes;
}

static guint16 scaled(const WsDevice *device, guint16 cycles)
{
    return (guint16)MIN(ws_pass_cycles(device, cycles), G_MAXUINT16);
}

/* Whether instructions of the class are done lane by lane. */
static gboolean has_lanes(guint execution_class)
{
    WsPipe pipe = ws_class_pipe(execution_class);
    return pipe != WS_PIPE_UNIFORM && pipe != WS_PIPE_CONTROL &&
           execution_class != WS_CLASS_MEMORY_BARRIER;
}

static void fill_class(const WsDevice *device, guint execution_class, WsClassTiming *ret)
{
    const WsClassTiming *from = &device->classes[execution_class];
    guint predicate = from->predicate_latency ? from->predicate_latency : from->latency;
    guint branch = from->branch_latency ? from->branch_latency : predicate;

    if (!has_lanes(execution_class))
        return;
    ret->interval = scaled(device, from->interval);
    ret->half_interval = scaled(device, from->half_interval);
    ret->warp_interval = scaled(device, from->warp_interval);
    /* An access takes as many passes as a warp has lines or words: larger warps have more of them.
     */
    if (ws_class_memory(execution_class) == WS_CLASS_MEMORY_NONE)
        ret->sm_interval = scaled(device, from->sm_interval);
    ret->hold = scaled(device, from->hold);
    if (ret->interval > from->interval)
        ret->branch_latency =
            (guint16)MIN(branch + (guint)(ret->interval - from->interval), G_MAXUINT16);
}

void ws_device_fill_timing(WsDevice *device)
{
    memcpy(device->timing, device->classes, sizeof device->timing);
    if (ws_pipe_lanes(device) == device->warp_size)
        return;
    for (guint k = 0; k < WS_CLASS_COUNT; k++)
        fill_class(device, k, &device->timing[k]);
}
