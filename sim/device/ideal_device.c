#include "sim/device/ideal_device.h"

/* Results that come after a fixed time; those of memory, shared units and XU are not among them. */
static gboolean has_fixed_latency(guint execution_class)
{
    WsPipe pipe = ws_class_pipe(execution_class);
    return pipe != WS_PIPE_LSU && pipe != WS_PIPE_XU && pipe != WS_PIPE_CONTROL;
}

static void free_dependences(WsDevice *device)
{
    for (guint k = 0; k < WS_CLASS_COUNT; k++) {
        WsClassTiming *timing = &device->timing[k];
        if (!has_fixed_latency(k))
            continue;
        timing->latency = 1;
        timing->cross_latency = timing->predicate_latency = timing->branch_latency = 0;
        timing->address_latency = timing->factor_latency = timing->xu_latency = 0;
        timing->idle_latency = timing->high_later = timing->written_latency = 0;
    }
    device->xu_overwrite = device->xu_spacing = device->convergence_behind = 0;
    if (device->dependences == WS_DEPENDENCES_CONTROL) /* stall counts are for the latencies */
        device->dependences = WS_DEPENDENCES_SCOREBOARD;
}

static void free_barriers(WsDevice *device)
{
    device->barrier_latency = 1;
    device->barrier_per_warp = device->barrier_open_interval_milli = 0;
    device->barrier_register_latency = device->barrier_reduction_latency = 0;
}

static void free_atomics(WsDevice *device)
{
    device->atomic_l2_interval_milli = device->reduction_l2_interval_milli = 0;
    device->float_atomic_interval_milli = 0;
}

/*
 * L2 answers as soon as L1 would, and takes no time for anything: a miss is as fast as a hit, and
 * data and their order are those of L2 as always. An atomic takes as long as before.
 */
static void free_caches(WsDevice *device)
{
    guint64 hit = device->timing[WS_CLASS_GLOBAL_LOAD].latency;
    guint64 before = MIN(device->l2_near_latency, device->l2_far_latency);

    device->atomic_l2_latency += before > hit ? before - hit : 0;
    device->classes[WS_CLASS_GLOBAL_LOAD].latency = 0; /* what follows an answer: nothing */
    device->l1_lookup_latency = 0;
    device->l2_near_latency = device->l2_far_latency = hit + 1; /* the port takes its last one */
    device->l2_latency_spread = device->l2_cross_latency = device->l2_sectors_latency = 0;
    device->l2_slice_interval = 0;
    device->l1_mshrs = device->l1_miss_queue = G_MAXUINT16;
    device->l1_lines_under_way = 100;
    device->dram_latency = device->dram_interval_milli = device->dram_row_cycles = 0;
    device->dram_refresh_interval = 0;
}

static void widen_memory(WsDevice *device)
{
    guint64 times = device->ideal_bandwidth;

    device->dram_interval_milli = MAX(device->dram_interval_milli / times, 1);
    device->dram_row_cycles /= times;
    device->dram_refresh_cycles /= times;
    device->l2_sm_bytes_per_cycle *= times;
}

WsDevice *ws_ideal_device_new(const WsDevice *device)
{
    WsDevice *ideal;

    if (!device->ideal_dependences && !device->ideal_barriers && !device->ideal_atomics &&
        !device->ideal_caches && !device->ideal_coalescing && device->ideal_bandwidth == 1)
        return NULL;
    ideal = g_memdup2(device, sizeof *device);
    if (ideal->ideal_dependences)
        free_dependences(ideal);
    if (ideal->ideal_barriers)
        free_barriers(ideal);
    if (ideal->ideal_atomics)
        free_atomics(ideal);
    if (ideal->ideal_caches)
        free_caches(ideal);
    if (ideal->ideal_coalescing)
        ideal->l1_mshrs = G_MAXUINT16;
    widen_memory(ideal);
    return ideal;
}
