#include "sim/memory/fence.h"

#include "sim/base/turns.h"

/* Notes that a warp's MEMBAR.GPU ends at `end`, where it empties L1. */
static void note_end(WsFence *fence, guint64 end)
{
    guint oldest = 0;

    for (guint i = 0; i < WS_FENCE_GROUPS; i++) {
        if (fence->warps[i] != 0 && fence->ends[i] == end) {
            fence->warps[i]++;
            return;
        }
        if (fence->warps[i] == 0 ||
            (fence->warps[oldest] != 0 && fence->ends[i] < fence->ends[oldest]))
            oldest = i;
    }
    fence->ends[oldest] = end;
    fence->warps[oldest] = 1;
}

/* Cycle at which L1 has been emptied for all warps whose fences ended until `cycle`. */
static guint64 emptied(WsFence *fence, const WsDevice *device, guint64 cycle)
{
    for (guint i = 0; i < WS_FENCE_GROUPS; i++)
        if (fence->warps[i] != 0 && fence->ends[i] <= cycle) {
            fence->emptied = MAX(fence->emptied, fence->ends[i]) +
                             (fence->warps[i] - 1) * device->membar_empty_interval;
            fence->warps[i] = 0;
        }
    return fence->emptied;
}

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
    guint64 empty;

    cycle = turn_of(fence, device, cycle, scope);
    if (scope == WS_SCOPE_CTA)
        return cycle + device->membar_cta;
    empty = emptied(fence, device, cycle);
    if (scope == WS_SCOPE_GPU && fence->reach != 0) {
        cycle = MAX(cycle, empty);
        latency = MAX(latency, fence->reach + device->membar_behind);
    }
    fence->reach = 0;
    if (scope != fence->scope || cycle > fence->start + device->membar_window) {
        fence->start = MAX(cycle, fence->free);
        fence->scope = (guint8)scope;
        fence->latency = 0;
    }
    fence->latency = MAX(fence->latency, latency);
    fence->free = fence->start + MAX(device->membar_interval,
                                     fence->latency - MIN(fence->latency, device->membar_overlap));
    if (scope == WS_SCOPE_GPU)
        note_end(fence, fence->start + fence->latency);
    return fence->start + fence->latency;
}
