#include "sim/memory/fence.h"

guint64 ws_fence_take(WsFence *fence, const WsDevice *device, guint64 cycle, guint scope)
{
    guint64 latency = scope == WS_SCOPE_GPU ? device->membar_gpu : device->membar_sys;

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
    fence->free = fence->start + fence->latency - MIN(fence->latency, device->membar_overlap);
    return fence->start + fence->latency;
}
