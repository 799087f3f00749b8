#include "sim/occupancy/occupancy.h"

#include "isa/base/size.h"
#include "sim/device/ideal_device.h"

static const char *const limit_names[] = {"warps", "registers", "shared", "blocks", "barriers"};
G_STATIC_ASSERT(G_N_ELEMENTS(limit_names) == WS_OCCUPANCY_LIMIT_COUNT);

const char *ws_occupancy_limit_name(WsOccupancyLimit limit)
{
    g_return_val_if_fail(limit < WS_OCCUPANCY_LIMIT_COUNT, NULL);
    return limit_names[limit];
}

static guint64 divide_up(guint64 value, guint64 unit)
{
    return value / unit + (value % unit != 0);
}

static guint64 round_up(guint64 value, guint64 unit)
{
    return ws_size_multiply(divide_up(value, unit), unit);
}

static guint32 to_limit(guint64 blocks)
{
    return (guint32)MIN(blocks, (guint64)WS_OCCUPANCY_UNLIMITED);
}

guint64 ws_occupancy_carveout(const WsDevice *device, guint64 bytes)
{
    const WsList *sizes = &device->shared_carveouts;
    for (guint32 i = 0; i < sizes->count; i++) {
        if (sizes->value[i] >= bytes)
            return sizes->value[i];
    }
    return sizes->count > 0 ? sizes->value[sizes->count - 1] : device->shared_bytes_per_sm;
}

guint32 ws_occupancy_slot_share(const WsDevice *device)
{
    if (device->slot_partition == WS_SLOTS_DYNAMIC)
        return 0;
    return (guint32)(device->max_warps_per_sm / device->max_blocks_per_sm);
}

static guint32 warps_limit(const WsDevice *device, const WsOccupancyQuery *query,
                           const WsOccupancy *result)
{
    if (query->threads > device->max_threads_per_block)
        return 0;
    if (device->slot_partition == WS_SLOTS_STATIC)
        return result->warps_per_block <= ws_occupancy_slot_share(device)
                   ? to_limit(device->max_blocks_per_sm)
                   : 0;
    return to_limit(device->max_warps_per_sm / result->warps_per_block);
}

static guint32 registers_limit(const WsDevice *device, const WsOccupancyQuery *query,
                               const WsOccupancy *result)
{
    if (query->registers > device->max_registers_per_thread + 1)
        return 0;
    if (result->registers_per_warp == 0 || device->ideal_blocks)
        return WS_OCCUPANCY_UNLIMITED;
    guint64 partitions = device->warp_allocation_granularity;
    /* The launch check assumes that a block takes registers of all sub-partitions alike. */
    guint64 assumed =
        ws_size_multiply(result->registers_per_warp, round_up(result->warps_per_block, partitions));
    if (assumed > device->registers_per_block)
        return 0;
    guint64 warps_per_partition =
        device->registers_per_sm / partitions / result->registers_per_warp;
    return to_limit(warps_per_partition * partitions / result->warps_per_block);
}

static guint64 preferred_carveout(const WsDevice *device, const WsOccupancyQuery *query)
{
    guint64 wanted = device->shared_bytes_per_sm;
    if (query->carveout_bytes != 0)
        wanted = query->carveout_bytes;
    else if (query->carveout >= 0)
        wanted = device->shared_bytes_per_sm * (guint64)query->carveout / 100;
    return ws_occupancy_carveout(device, wanted);
}

static guint32 shared_limit(const WsDevice *device, const WsOccupancyQuery *query,
                            WsOccupancy *result)
{
    result->carveout_bytes = preferred_carveout(device, query);
    if (result->shared_per_block >
        device->shared_bytes_per_block_optin + device->reserved_shared_bytes)
        return 0;
    if (result->shared_per_block == 0)
        return WS_OCCUPANCY_UNLIMITED;
    if (result->carveout_bytes < result->shared_per_block)
        result->carveout_bytes = ws_occupancy_carveout(device, result->shared_per_block);
    if (device->ideal_blocks)
        return WS_OCCUPANCY_UNLIMITED;
    return to_limit(result->carveout_bytes / result->shared_per_block);
}

void ws_occupancy(const WsDevice *device, const WsOccupancyQuery *query, WsOccupancy *ret)
{
    g_return_if_fail(query->threads >= 1);

    WsOccupancy result = {0};
    result.warps_per_block = (guint32)divide_up(query->threads, device->warp_size);
    result.registers_per_warp =
        round_up((guint64)query->registers * device->warp_size, device->register_allocation_unit);
    result.registers_per_block =
        ws_size_multiply(result.registers_per_warp, result.warps_per_block);
    result.shared_per_block =
        round_up(ws_size_add(ws_size_add(query->static_shared, query->dynamic_shared),
                             device->reserved_shared_bytes),
                 device->shared_allocation_unit);

    result.limits[WS_OCCUPANCY_WARPS] = warps_limit(device, query, &result);
    result.limits[WS_OCCUPANCY_REGISTERS] = registers_limit(device, query, &result);
    result.limits[WS_OCCUPANCY_SHARED] = shared_limit(device, query, &result);
    result.limits[WS_OCCUPANCY_BLOCKS] =
        device->ideal_blocks ? WS_IDEAL_BLOCKS : to_limit(device->max_blocks_per_sm);
    result.limits[WS_OCCUPANCY_BARRIERS] =
        query->barriers == 0 || device->barriers_per_sm == 0 || device->ideal_blocks
            ? WS_OCCUPANCY_UNLIMITED
            : to_limit(device->barriers_per_sm / query->barriers);

    result.blocks_per_sm = WS_OCCUPANCY_UNLIMITED;
    for (guint i = 0; i < WS_OCCUPANCY_LIMIT_COUNT; i++)
        result.blocks_per_sm = MIN(result.blocks_per_sm, result.limits[i]);
    for (guint i = 0; i < WS_OCCUPANCY_LIMIT_COUNT; i++)
        result.limiting[i] = result.limits[i] == result.blocks_per_sm;

    result.warps_per_sm = result.blocks_per_sm * result.warps_per_block;
    result.occupancy = (double)result.warps_per_sm / (double)device->max_warps_per_sm;
    *ret = result;
}
