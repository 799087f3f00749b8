#include "sim/occupancy/explain.h"

static void add_limit(GString *out, guint32 limit)
{
    if (limit == WS_OCCUPANCY_UNLIMITED)
        g_string_append(out, "no limit");
    else
        g_string_append_printf(out, "%u", limit);
}

static void explain_warps(GString *out, const WsDevice *device, const WsOccupancyQuery *query,
                          const WsOccupancy *result)
{
    guint64 warps = device->max_warps_per_sm;
    g_string_append_printf(out, "Block      %u threads / %" G_GUINT64_FORMAT " lanes a warp",
                           query->threads, device->warp_size);
    if (query->threads % device->warp_size != 0)
        g_string_append(out, ", rounded up");
    g_string_append_printf(out, " = %u warps\n", result->warps_per_block);
    if (query->threads > device->max_threads_per_block) {
        g_string_append_printf(
            out, "Warps      a block may have %" G_GUINT64_FORMAT " threads: 0 blocks\n",
            device->max_threads_per_block);
        return;
    }
    if (device->slot_partition == WS_SLOTS_STATIC) {
        g_string_append_printf(out,
                               "Warps      %" G_GUINT64_FORMAT " warp slots / %" G_GUINT64_FORMAT
                               " block slots = %u for each, a block needs %u: %u\n",
                               warps, device->max_blocks_per_sm, ws_occupancy_slot_share(device),
                               result->warps_per_block, result->limits[WS_OCCUPANCY_WARPS]);
        return;
    }
    g_string_append_printf(out,
                           "Warps      %" G_GUINT64_FORMAT " warp slots / %u, whole blocks: %u\n",
                           warps, result->warps_per_block, result->limits[WS_OCCUPANCY_WARPS]);
}

static void explain_registers(GString *out, const WsDevice *device, const WsOccupancyQuery *query,
                              const WsOccupancy *result)
{
    guint64 partitions = device->warp_allocation_granularity;
    guint64 per_warp = result->registers_per_warp;
    guint64 per_partition = device->registers_per_sm / partitions;
    g_string_append_printf(
        out,
        "Registers  %u a thread x %" G_GUINT64_FORMAT " lanes = %" G_GUINT64_FORMAT
        ", in units of %" G_GUINT64_FORMAT ": %" G_GUINT64_FORMAT " a warp\n",
        query->registers, device->warp_size, query->registers * device->warp_size,
        device->register_allocation_unit, per_warp);
    if (query->registers > device->max_registers_per_thread + 1) {
        g_string_append_printf(
            out, "           a thread may have %" G_GUINT64_FORMAT " registers: 0 blocks\n",
            device->max_registers_per_thread);
        return;
    }
    if (per_warp == 0) {
        g_string_append(out, "           no limit\n");
        return;
    }
    guint64 rounded = (result->warps_per_block + partitions - 1) / partitions * partitions;
    if (rounded * per_warp > device->registers_per_block) {
        g_string_append_printf(out,
                               "           launch check: %u warps, rounded up to %" G_GUINT64_FORMAT
                               " (%" G_GUINT64_FORMAT " sub-partitions) x %" G_GUINT64_FORMAT
                               " = %" G_GUINT64_FORMAT "\n           > %" G_GUINT64_FORMAT
                               " registers a block may have: 0 blocks\n",
                               result->warps_per_block, rounded, partitions, per_warp,
                               rounded * per_warp, device->registers_per_block);
        return;
    }
    guint64 warps = per_partition / per_warp;
    g_string_append_printf(
        out,
        "           %" G_GUINT64_FORMAT " / %" G_GUINT64_FORMAT
        " sub-partitions = %" G_GUINT64_FORMAT " registers each, / %" G_GUINT64_FORMAT
        " = %" G_GUINT64_FORMAT " whole warps\n           x %" G_GUINT64_FORMAT
        " sub-partitions = %" G_GUINT64_FORMAT " warps, / %u, whole blocks: %u\n",
        device->registers_per_sm, partitions, per_partition, per_warp, warps, partitions,
        warps * partitions, result->warps_per_block, result->limits[WS_OCCUPANCY_REGISTERS]);
}

static void explain_shared(GString *out, const WsDevice *device, const WsOccupancyQuery *query,
                           const WsOccupancy *result)
{
    g_string_append_printf(
        out,
        "Shared     %" G_GUINT64_FORMAT " static + %" G_GUINT64_FORMAT
        " dynamic + %" G_GUINT64_FORMAT " reserved, in units of %" G_GUINT64_FORMAT
        ": %" G_GUINT64_FORMAT " bytes a block\n",
        query->static_shared, query->dynamic_shared, device->reserved_shared_bytes,
        device->shared_allocation_unit, result->shared_per_block);
    guint64 most = device->shared_bytes_per_block_optin + device->reserved_shared_bytes;
    if (result->shared_per_block > most) {
        g_string_append_printf(out,
                               "           a block may have %" G_GUINT64_FORMAT
                               " bytes besides the reserved ones: 0 blocks\n",
                               device->shared_bytes_per_block_optin);
        return;
    }
    g_string_append_printf(out, "           carve-out of %" G_GUINT64_FORMAT " bytes",
                           result->carveout_bytes);
    if (result->shared_per_block == 0)
        g_string_append(out, ": no limit\n");
    else
        g_string_append_printf(out, " / %" G_GUINT64_FORMAT ", whole blocks: %u\n",
                               result->shared_per_block, result->limits[WS_OCCUPANCY_SHARED]);
}

static void explain_result(GString *out, const WsDevice *device, const WsOccupancy *result)
{
    g_string_append(out, "Result     smallest of ");
    for (guint i = 0; i < WS_OCCUPANCY_LIMIT_COUNT; i++) {
        g_string_append_printf(out, "%s%s ", i == 0 ? "" : ", ", ws_occupancy_limit_name(i));
        add_limit(out, result->limits[i]);
    }
    g_string_append_printf(out, ":\n           %u blocks, limited by ", result->blocks_per_sm);
    gboolean first = TRUE;
    for (guint i = 0; i < WS_OCCUPANCY_LIMIT_COUNT; i++) {
        if (!result->limiting[i])
            continue;
        g_string_append_printf(out, "%s%s", first ? "" : " and ", ws_occupancy_limit_name(i));
        first = FALSE;
    }
    g_string_append_printf(
        out, "\n           %u blocks x %u warps = %u of %" G_GUINT64_FORMAT " warps = %.2f %%\n",
        result->blocks_per_sm, result->warps_per_block, result->warps_per_sm,
        device->max_warps_per_sm, 100.0 * result->occupancy);
}

char *ws_occupancy_explain(const WsDevice *device, const WsOccupancyQuery *query,
                           const WsOccupancy *result)
{
    GString *out = g_string_new(NULL);
    explain_warps(out, device, query, result);
    explain_registers(out, device, query, result);
    explain_shared(out, device, query, result);
    g_string_append_printf(out, "Blocks     %u block slots\n", result->limits[WS_OCCUPANCY_BLOCKS]);
    if (result->limits[WS_OCCUPANCY_BARRIERS] != WS_OCCUPANCY_UNLIMITED)
        g_string_append_printf(out, "Barriers   %" G_GUINT64_FORMAT " of an SM / %u: %u\n",
                               device->barriers_per_sm, query->barriers,
                               result->limits[WS_OCCUPANCY_BARRIERS]);
    explain_result(out, device, result);
    return g_string_free(out, FALSE);
}

/* Tries `query`; TRUE and `change` filled in if it holds more warps than `result`. */
static gboolean try_change(const WsDevice *device, const WsOccupancyQuery *query,
                           const WsOccupancy *result, WsOccupancyChange *change)
{
    WsOccupancy tried;
    ws_occupancy(device, query, &tried);
    if (tried.warps_per_sm <= result->warps_per_sm)
        return FALSE;
    change->warps_per_sm = tried.warps_per_sm;
    change->occupancy = tried.occupancy;
    return TRUE;
}

static gboolean change_registers(const WsDevice *device, const WsOccupancyQuery *query,
                                 const WsOccupancy *result, WsOccupancyChange *change)
{
    WsOccupancyQuery tried = *query;
    while (tried.registers > 1) {
        tried.registers--;
        if (try_change(device, &tried, result, change)) {
            *change = (WsOccupancyChange){WS_OCCUPANCY_CHANGE_REGISTERS, query->registers,
                                          tried.registers, change->warps_per_sm, change->occupancy};
            return TRUE;
        }
    }
    return FALSE;
}

static gboolean change_shared(const WsDevice *device, const WsOccupancyQuery *query,
                              const WsOccupancy *result, WsOccupancyChange *change)
{
    guint64 total = query->static_shared + query->dynamic_shared;
    WsOccupancyQuery tried = *query;
    tried.static_shared = 0;
    /* Only sizes at the top of an allocation unit can matter. */
    guint64 unit = device->shared_allocation_unit;
    guint64 bytes = MIN(total, device->shared_bytes_per_block_optin + unit);
    bytes -= (bytes + device->reserved_shared_bytes) % unit;
    for (; bytes <= total; bytes -= unit) {
        tried.dynamic_shared = bytes;
        if (bytes != total && try_change(device, &tried, result, change)) {
            *change = (WsOccupancyChange){WS_OCCUPANCY_CHANGE_SHARED, total, bytes,
                                          change->warps_per_sm, change->occupancy};
            return TRUE;
        }
        if (bytes < unit)
            break;
    }
    return FALSE;
}

static gboolean change_threads(const WsDevice *device, const WsOccupancyQuery *query,
                               const WsOccupancy *result, WsOccupancyChange *change)
{
    gint64 lanes = (gint64)device->warp_size;
    gint64 here = (gint64)query->threads / lanes;
    gint64 most = (gint64)device->max_threads_per_block / lanes;
    WsOccupancyQuery tried = *query;
    for (gint64 distance = 0; distance <= MAX(here, most); distance++) {
        const gint64 warps[2] = {here - distance, here + distance};
        for (guint side = 0; side < 2; side++) {
            if (warps[side] < 1 || warps[side] > most)
                continue;
            tried.threads = (guint32)(warps[side] * lanes);
            if (try_change(device, &tried, result, change)) {
                *change =
                    (WsOccupancyChange){WS_OCCUPANCY_CHANGE_THREADS, query->threads, tried.threads,
                                        change->warps_per_sm, change->occupancy};
                return TRUE;
            }
        }
    }
    return FALSE;
}

guint ws_occupancy_changes(const WsDevice *device, const WsOccupancyQuery *query,
                           const WsOccupancy *result,
                           WsOccupancyChange ret[WS_OCCUPANCY_MAX_CHANGES])
{
    guint count = 0;
    count += change_registers(device, query, result, &ret[count]);
    count += change_shared(device, query, result, &ret[count]);
    count += change_threads(device, query, result, &ret[count]);
    return count;
}

char *ws_occupancy_change_text(const WsOccupancyChange *change)
{
    static const char *const nouns[][2] = {
        {"register a thread", "registers a thread"},
        {"byte of shared memory a block", "bytes of shared memory a block"},
        {"thread a block", "threads a block"},
    };
    guint64 difference =
        change->to > change->from ? change->to - change->from : change->from - change->to;
    return g_strdup_printf("%" G_GUINT64_FORMAT " %s %s (%" G_GUINT64_FORMAT
                           ") would hold %u warps, %.2f %%",
                           difference, nouns[change->kind][difference != 1],
                           change->to > change->from ? "more" : "less", change->to,
                           change->warps_per_sm, 100.0 * change->occupancy);
}

gint64 ws_occupancy_shared_budget(const WsDevice *device, const WsOccupancyQuery *query,
                                  guint32 blocks)
{
    WsOccupancyQuery none = *query;
    WsOccupancy result;

    none.dynamic_shared = 0;
    ws_occupancy(device, &none, &result);
    guint64 unit = MAX(device->shared_allocation_unit, 1);
    guint64 share = result.carveout_bytes / MAX(blocks, 1) / unit * unit;
    share = MIN(share, device->shared_bytes_per_block_optin + device->reserved_shared_bytes);
    guint64 taken = query->static_shared + device->reserved_shared_bytes;
    return share < taken ? -1 : (gint64)(share - taken);
}

guint32 ws_occupancy_register_budget(const WsDevice *device, guint32 threads, guint32 blocks)
{
    WsOccupancyQuery query = {.threads = threads, .carveout = -1};
    for (guint32 registers = (guint32)device->max_registers_per_thread; registers > 0;
         registers--) {
        WsOccupancy result;
        query.registers = registers;
        ws_occupancy(device, &query, &result);
        if (result.blocks_per_sm >= blocks)
            return registers;
    }
    return 0;
}
