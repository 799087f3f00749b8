#include "sim/fence.h"

#include "sim/turns.h"

/* The turn of a warp's fence that comes at `cycle`: the SM takes one of a scope in an interval. */
static guint64 turn_of(WsFence *fence, const WsDevice *device, guint64 cycle, guint scope)
{
    guint64 interval = scope == WS_SCOPE_CTA   ? device->membar_cta_interval
                       : scope == WS_SCOPE_GPU ? device->membar_gpu_interval
                                               : 0;
    return ws_turn_in_order(&fence->taken[scope], cycle, interval);
}

guint64 ws_fence_take(WsFence *fence, const WsDevice *device, guint64 cycle, guint scope)
{
    guint64 latency = scope == WS_SCOPE_GPU ? device->membar_gpu : device->membar_sys;

    cycle = turn_of(fence, device, cycle, scope);
    if (scope == WS_SCOPE_CTA)
        return cycle + device->membar_cta;
    if (scope == WS_SCOPE_GPU && fence->reach != 0)
        latency = MAX(latency, fence->reach + device->membar_behind);
    fence->reach = 0;
    if (scope != fence->scope || cycle > fence->start + device->membar_window) {
        fence->start = MAX(cycle, fence->free);
        fence->scope = (guint8)scope;
        fence->latency = 0;
    }
    fence->latency = MAX(fence->latency, latency);
    fence->free = fence->start + MAX(device->membar_interval,
                                     fence->latency - MIN(fence->latency, device->membar_overlap));
    return fence->start + fence->latency;
}
