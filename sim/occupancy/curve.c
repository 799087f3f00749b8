#include "sim/occupancy/curve.h"

static const struct {
    const char *name;
    const char *label;
} curves[] = {
    [WS_CURVE_BLOCK_SIZE] = {"block_size", "threads per block"},
    [WS_CURVE_REGISTERS] = {"registers", "registers per thread"},
    [WS_CURVE_SHARED_MEMORY] = {"shared_memory", "shared memory per block (bytes)"},
};

const char *ws_curve_name(WsCurveKind kind)
{
    g_return_val_if_fail(kind < WS_CURVE_COUNT, NULL);
    return curves[kind].name;
}

const char *ws_curve_label(WsCurveKind kind)
{
    g_return_val_if_fail(kind < WS_CURVE_COUNT, NULL);
    return curves[kind].label;
}

guint64 ws_occupancy_curve_here(const WsOccupancyQuery *query, WsCurveKind kind)
{
    switch (kind) {
    case WS_CURVE_BLOCK_SIZE:
        return query->threads;
    case WS_CURVE_REGISTERS:
        return query->registers;
    default:
        return query->static_shared + query->dynamic_shared;
    }
}

typedef struct {
    guint64 first, last, step;
} Range;

static Range curve_range(const WsDevice *device, WsCurveKind kind)
{
    switch (kind) {
    case WS_CURVE_BLOCK_SIZE:
        return (Range){device->warp_size, device->max_threads_per_block, device->warp_size};
    case WS_CURVE_REGISTERS:
        return (Range){1, device->max_registers_per_thread, 1};
    default:
        return (Range){0, device->shared_bytes_per_block_optin, device->shared_allocation_unit};
    }
}

static void set_x(WsOccupancyQuery *query, WsCurveKind kind, guint64 x)
{
    switch (kind) {
    case WS_CURVE_BLOCK_SIZE:
        query->threads = (guint32)x;
        break;
    case WS_CURVE_REGISTERS:
        query->registers = (guint32)x;
        break;
    default:
        query->static_shared = 0;
        query->dynamic_shared = x;
    }
}

GArray *ws_occupancy_curve(const WsDevice *device, const WsOccupancyQuery *query, WsCurveKind kind)
{
    GArray *points = g_array_new(FALSE, FALSE, sizeof(WsCurvePoint));
    Range range = curve_range(device, kind);
    WsOccupancyQuery tried = *query;
    for (guint64 x = range.first; x <= range.last; x += range.step) {
        WsOccupancy result;
        set_x(&tried, kind, x);
        ws_occupancy(device, &tried, &result);
        WsCurvePoint point = {x, result.warps_per_sm};
        g_array_append_val(points, point);
    }
    return points;
}

GArray *ws_occupancy_best_blocks(const WsDevice *device, const WsOccupancyQuery *query)
{
    g_autoptr(GArray) points = ws_occupancy_curve(device, query, WS_CURVE_BLOCK_SIZE);
    guint32 most = 1;
    for (guint i = 0; i < points->len; i++)
        most = MAX(most, g_array_index(points, WsCurvePoint, i).warps_per_sm);

    GArray *best = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint i = 0; i < points->len; i++) {
        const WsCurvePoint *point = &g_array_index(points, WsCurvePoint, i);
        if (point->warps_per_sm == most) {
            guint32 threads = (guint32)point->x;
            g_array_append_val(best, threads);
        }
    }
    return best;
}
