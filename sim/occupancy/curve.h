/* The three curves "impact of varying ..." of NVIDIA's calculator, and the best block sizes. */
#ifndef WS_SIM_OCCUPANCY_CURVE_H
#define WS_SIM_OCCUPANCY_CURVE_H

#include "sim/occupancy/occupancy.h"

typedef enum {
    WS_CURVE_BLOCK_SIZE,    /* threads, in steps of a warp */
    WS_CURVE_REGISTERS,     /* registers of a thread, 1.. the device's limit */
    WS_CURVE_SHARED_MEMORY, /* bytes of a block (static + dynamic), in steps of the allocation unit
                             */
    WS_CURVE_COUNT
} WsCurveKind;

/* "block_size", "registers", "shared_memory"; and as an axis label with its unit. */
const char *ws_curve_name(WsCurveKind kind);
const char *ws_curve_label(WsCurveKind kind);

typedef struct {
    guint64 x;
    guint32 warps_per_sm;
} WsCurvePoint;

/*
 * The curve of `kind` through `query`, everything else fixed: points in ascending x (WsCurvePoint).
 * Shared memory is varied as dynamic memory with no static memory. g_array_unref.
 */
GArray *ws_occupancy_curve(const WsDevice *device, const WsOccupancyQuery *query, WsCurveKind kind);

/* The value of x at `query` itself. */
guint64 ws_occupancy_curve_here(const WsOccupancyQuery *query, WsCurveKind kind);

/*
 * Block sizes, multiples of the warp size, that give the highest occupancy with everything else as
 * in `query`; ascending guint32, the first is the smallest. Empty if no block size runs.
 * g_array_unref.
 */
GArray *ws_occupancy_best_blocks(const WsDevice *device, const WsOccupancyQuery *query);

#endif
