#include "sim/gpu/machine_memory.h"

#include "isa/base/size.h"
#include "sim/launch/host_memory.h"
#include "sim/memory/l1_cache.h"
#include "sim/occupancy/occupancy.h"
#include "sim/sm/sm.h"

enum {
    CACHE_ENTRY_BYTES = 64,   /* at most, beside a line's data: tag, stamps, lists */
    WARP_SLOT_BYTES = 4096,   /* at most: scoreboard beyond registers, paths, traffic */
    REGISTER_TIMES_BYTES = 16 /* when a register was written and is read, per warp */
};

static guint64 cache_bytes(guint64 bytes, guint64 line)
{
    return bytes / line * (line + CACHE_ENTRY_BYTES);
}

/* Caches of instructions and constants hold no data, only what is there and since when. */
static guint64 tag_bytes(guint64 bytes, guint64 line)
{
    return bytes / line * CACHE_ENTRY_BYTES;
}

static guint64 fetch_bytes(const WsDevice *d)
{
    enum { CODE_LINE = 128, CONSTANT_LINE = 64, FAR_CONSTANT_LINE = 256 };
    guint64 sub_core = tag_bytes(d->fetch_near_bytes, CODE_LINE) +
                       tag_bytes(d->fetch_l0_bytes, CODE_LINE) +
                       tag_bytes(d->constant_l0_bytes, CONSTANT_LINE);
    return d->sub_cores * sub_core + tag_bytes(d->fetch_l1_bytes, CODE_LINE) +
           tag_bytes(d->fetch_l15_bytes, CODE_LINE) +
           tag_bytes(d->constant_l1_bytes, CONSTANT_LINE) +
           tag_bytes(d->constant_l15_bytes, FAR_CONSTANT_LINE);
}

/* Settings are bounded, so that no sum or product of theirs leaves 64 bits. */
static guint64 sm_bytes(const WsDevice *d, const WsKernel *kernel)
{
    guint64 warp = kernel->registers * (d->warp_size * sizeof(guint32) + REGISTER_TIMES_BYTES);
    guint64 l1 = d->memory_model == WS_MEMORY_CACHED
                     ? cache_bytes(d->unified_bytes, WS_LINE_BYTES) + d->shared_bytes_per_sm
                     : d->shared_bytes_per_sm;
    return sizeof(WsSm) + sizeof(WsSmState) + d->max_warps_per_sm * (warp + WARP_SLOT_BYTES) + l1 +
           (d->fetch_model == WS_FETCH_CACHED ? fetch_bytes(d) : 0);
}

static guint64 local_bytes(const WsJob *job, const WsLaunch *launch, guint64 resident)
{
    guint64 words = ((guint64)ws_launch_local_bytes(launch) + 3) / 4;
    return ws_size_multiply(resident, words * 4 * job->device->warp_size);
}

static guint64 count_resident_warps(const WsJob *job, const WsLaunch *launch)
{
    const WsDevice *device = job->device;
    const WsOccupancyQuery query = ws_launch_occupancy_query(launch);
    WsOccupancy occupancy;
    ws_occupancy(device, &query, &occupancy);
    return MIN(ws_size_volume(launch->grid), device->sms * occupancy.blocks_per_sm) *
           occupancy.warps_per_block;
}

static guint64 counter_bytes(const WsJob *job, guint32 threads)
{
    return (guint64)job->program->instruction_count * MAX(threads, 1) *
           (sizeof(WsInstructionCounters) + sizeof(guint32));
}

gboolean ws_machine_memory_check(const WsJob *job, const WsLaunch *launch, guint32 threads,
                                 GError **error)
{
    const WsDevice *d = job->device;
    guint64 sms = MIN(d->sms, ws_size_volume(launch->grid));
    guint64 local = local_bytes(job, launch, count_resident_warps(job, launch));
    guint64 machine = sms * sm_bytes(d, launch->kernel) + counter_bytes(job, threads);
    if (d->memory_model == WS_MEMORY_CACHED)
        machine += cache_bytes(d->l2_bytes, WS_LINE_BYTES);
    guint64 all = ws_size_add(ws_size_add(machine, local), job->host_bytes);
    if (all <= ws_host_memory_limit(job))
        return TRUE;
    g_autofree char *all_text = ws_host_memory_text(all);
    g_autofree char *local_text = ws_host_memory_text(local);
    g_autofree char *buffer_text = ws_host_memory_text(job->host_bytes);
    g_autofree char *limit_text = ws_host_memory_text(ws_host_memory_limit(job));
    ws_set_error_at(error, WS_ERROR_INPUT, &(WsPosition){.file = job->path},
                    "kernel '%s' needs %s of the host's memory: buffers %s, local memory of the "
                    "threads that run at a time %s, the rest for %" G_GUINT64_FORMAT
                    " SMs; the limit is %s (--max-memory)",
                    launch->kernel->display_name, all_text, buffer_text, local_text, sms,
                    limit_text);
    return FALSE;
}
