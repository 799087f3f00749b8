/* One launch against the device's limits and the kernel's needs. */
#include "isa/base/size.h"
#include "sim/launch/launch.h"
#include "sim/occupancy/occupancy.h"

static const char axis_names[] = "xyz";

static gboolean check_axes(const guint32 sizes[3], const guint64 limits[3], const char *what,
                           const WsPosition *position, GError **error)
{
    for (guint i = 0; i < 3; i++) {
        if (sizes[i] >= 1 && sizes[i] <= limits[i])
            continue;
        ws_set_error_at(error, WS_ERROR_INPUT, position,
                        "%s.%c is %u, but the device takes 1 to %" G_GUINT64_FORMAT
                        " (limits.%s_%c)",
                        what, axis_names[i], sizes[i], limits[i], what, axis_names[i]);
        return FALSE;
    }
    return TRUE;
}

/* Counters of threads, and reports, have room for this many. */
static gboolean check_grid(const WsLaunch *launch, guint64 threads, const WsPosition *position,
                           GError **error)
{
    const guint32 *grid = launch->grid;
    if (ws_size_multiply(ws_size_volume(grid), threads) <= G_MAXINT64)
        return TRUE;
    ws_set_error_at(error, WS_ERROR_INPUT, position,
                    "a grid of %u x %u x %u blocks has too many threads: a launch has at most "
                    "%" G_GINT64_FORMAT,
                    grid[0], grid[1], grid[2], G_MAXINT64);
    return FALSE;
}

/* What the kernel itself asks for: .reqntid and .maxntid. */
static gboolean check_kernel_block(const WsLaunch *launch, guint64 threads,
                                   const WsPosition *position, GError **error)
{
    const WsKernel *kernel = launch->kernel;
    const guint32 *required = kernel->required_block;
    for (guint i = 0; i < 3; i++) {
        if (required[0] == 0 || MAX(required[i], 1) == launch->block[i])
            continue;
        ws_set_error_at(error, WS_ERROR_INPUT, position,
                        "the kernel '%s' must be launched with blocks of %u x %u x %u threads",
                        kernel->display_name, required[0], MAX(required[1], 1),
                        MAX(required[2], 1));
        return FALSE;
    }
    if (kernel->max_threads != 0 && threads > kernel->max_threads) {
        ws_set_error_at(error, WS_ERROR_INPUT, position,
                        "a block has %" G_GUINT64_FORMAT
                        " threads, but the kernel '%s' is made for at most %u",
                        threads, kernel->display_name, kernel->max_threads);
        return FALSE;
    }
    return TRUE;
}

/* Local memory, of which the stack is a part, is at most what a thread may have. */
static gboolean check_stack(const WsLaunch *launch, const WsPosition *position, GError **error)
{
    guint32 bytes = ws_launch_local_bytes(launch);
    if (bytes <= WS_MAX_LOCAL_BYTES)
        return TRUE;
    ws_set_error_at(error, WS_ERROR_INPUT, position,
                    "with a stack of %u bytes a thread of the kernel '%s' has %u bytes of local "
                    "memory (at most %u)",
                    launch->stack_bytes, launch->kernel->display_name, bytes, WS_MAX_LOCAL_BYTES);
    return FALSE;
}

static gboolean check_shared(const WsLaunch *launch, const WsDevice *device,
                             const WsPosition *position, GError **error)
{
    guint64 bytes = (guint64)ws_kernel_shared_asked(launch->kernel) + launch->dynamic_shared_bytes;
    guint64 limit = device->shared_bytes_per_block_optin;
    if (bytes <= limit)
        return TRUE;
    ws_set_error_at(
        error, WS_ERROR_INPUT, position,
        "a block needs %" G_GUINT64_FORMAT " bytes of shared memory (%u static, %u "
        "dynamic), but the device has %" G_GUINT64_FORMAT " (limits.shared_bytes_per_block_optin)",
        bytes, ws_kernel_shared_asked(launch->kernel), launch->dynamic_shared_bytes, limit);
    return FALSE;
}

/* What is short where no block fits, and the settings that say how much of it there is. */
static const char *const shortages[WS_OCCUPANCY_LIMIT_COUNT] = {
    [WS_OCCUPANCY_WARPS] = "too few warps (limits.warps_per_sm, limits.slot_partition, "
                           "limits.blocks_per_sm, warp_size)",
    [WS_OCCUPANCY_REGISTERS] =
        "too few registers (limits.registers_per_sm, limits.registers_per_block, "
        "limits.register_allocation_unit, limits.warp_allocation_granularity)",
    [WS_OCCUPANCY_SHARED] =
        "too little shared memory (limits.shared_bytes_per_sm, limits.shared_carveouts, "
        "limits.reserved_shared_bytes_per_block, limits.shared_allocation_unit)",
    [WS_OCCUPANCY_BLOCKS] = "too few block slots (limits.blocks_per_sm)",
    [WS_OCCUPANCY_BARRIERS] =
        "too few barriers (limits.barriers_per_sm, limits.barriers_per_block)",
};

/* Registers and whatever else keeps a block out: the occupancy rules decide. */
static gboolean check_fits(const WsLaunch *launch, const WsDevice *device, guint64 threads,
                           const WsPosition *position, GError **error)
{
    const WsKernel *kernel = launch->kernel;
    WsOccupancyQuery query = ws_launch_occupancy_query(launch);
    WsOccupancy occupancy;
    query.carveout = -1;
    ws_occupancy(device, &query, &occupancy);
    if (occupancy.blocks_per_sm > 0)
        return TRUE;
    const char *shortage = shortages[WS_OCCUPANCY_REGISTERS];
    for (guint i = 0; i < WS_OCCUPANCY_LIMIT_COUNT; i++)
        if (occupancy.limits[i] == 0)
            shortage = shortages[i];
    ws_set_error_at(error, WS_ERROR_INPUT, position,
                    "no block of %" G_GUINT64_FORMAT
                    " threads with %u registers each fits on an SM: %s",
                    threads, kernel->registers, shortage);
    return FALSE;
}

gboolean ws_launch_check(const WsLaunch *launch, const WsDevice *device, const WsPosition *grid,
                         const WsPosition *block, GError **error)
{
    const guint64 grid_limits[] = {device->max_grid_x, device->max_grid_y, device->max_grid_z};
    const guint64 block_limits[] = {device->max_block_x, device->max_block_y, device->max_block_z};
    const WsKernel *kernel = launch->kernel;
    if (!check_axes(launch->grid, grid_limits, "grid", grid, error) ||
        !check_axes(launch->block, block_limits, "block", block, error))
        return FALSE;
    guint64 threads = ws_size_volume(launch->block);
    if (threads > device->max_threads_per_block) {
        ws_set_error_at(error, WS_ERROR_INPUT, block,
                        "a block has %" G_GUINT64_FORMAT
                        " threads (%u x %u x %u), but the device takes at most %" G_GUINT64_FORMAT
                        " (limits.threads_per_block)",
                        threads, launch->block[0], launch->block[1], launch->block[2],
                        device->max_threads_per_block);
        return FALSE;
    }
    if (!check_grid(launch, threads, grid, error))
        return FALSE;
    if (kernel->names_lanes && device->warp_size != 32) {
        ws_set_error_at(error, WS_ERROR_INPUT, block,
                        "the kernel '%s' names lanes, which needs warps of 32, not of "
                        "%" G_GUINT64_FORMAT " (warp_size)",
                        kernel->display_name, device->warp_size);
        return FALSE;
    }
    if (kernel->registers > device->max_registers_per_thread) {
        ws_set_error_at(error, WS_ERROR_INPUT, block,
                        "the kernel '%s' needs %u registers a thread, but the device has "
                        "%" G_GUINT64_FORMAT " (limits.registers_per_thread)",
                        kernel->display_name, kernel->registers, device->max_registers_per_thread);
        return FALSE;
    }
    return check_kernel_block(launch, threads, block, error) && check_stack(launch, block, error) &&
           check_shared(launch, device, block, error) &&
           check_fits(launch, device, threads, block, error);
}
