/*
 * Theoretical occupancy: how many blocks of a kernel an SM holds at a time, and what limits it. The
 * block scheduler places blocks by the same numbers.
 *
 * The rules are those of NVIDIA's occupancy calculator (cuda_occupancy.h of CUDA 12 and 13, compute
 * capability 7.0 and later), with every number taken from the device's settings:
 *   warps      warp slots / warps of a block; where slots are partitioned statically
 *              (limits.slot_partition), all block slots if a block fits into the share of one
 *   registers  a warp gets registers x lanes rounded up to the allocation unit; each sub-partition
 *              holds whole warps; a block is refused if its warps, rounded up to the number of
 *              sub-partitions, would need more registers than a block may have
 *   shared     static + dynamic + reserved bytes, rounded up to the allocation unit, into the
 * carve-out blocks     block slots barriers   named barriers of the SM / barriers of a block
 */
#ifndef WS_SIM_OCCUPANCY_OCCUPANCY_H
#define WS_SIM_OCCUPANCY_OCCUPANCY_H

#include "sim/device/device.h"

typedef enum {
    WS_OCCUPANCY_WARPS,
    WS_OCCUPANCY_REGISTERS,
    WS_OCCUPANCY_SHARED,
    WS_OCCUPANCY_BLOCKS,
    WS_OCCUPANCY_BARRIERS,
    WS_OCCUPANCY_LIMIT_COUNT
} WsOccupancyLimit;

/* "warps", "registers", "shared", "blocks", "barriers": the names of reports. */
const char *ws_occupancy_limit_name(WsOccupancyLimit limit);

enum { WS_OCCUPANCY_UNLIMITED = G_MAXUINT32 };

typedef struct {
    guint32 threads;        /* of a block */
    guint32 registers;      /* of a thread */
    guint64 static_shared;  /* bytes of a block */
    guint64 dynamic_shared; /* bytes of a block */
    gint32 carveout;        /* percent of shared memory preferred, -1 = the largest */
    guint64 carveout_bytes; /* the same in bytes; 0 = use `carveout` */
    guint32 barriers;       /* named barriers of a block; 0 = no limit from barriers */
} WsOccupancyQuery;

typedef struct {
    guint32 blocks_per_sm; /* 0: the block cannot run at all */
    guint32 warps_per_block;
    guint32 warps_per_sm;
    double occupancy;                            /* warps_per_sm / warp slots */
    guint32 limits[WS_OCCUPANCY_LIMIT_COUNT];    /* blocks by each resource, or UNLIMITED */
    gboolean limiting[WS_OCCUPANCY_LIMIT_COUNT]; /* limit equals blocks_per_sm */
    guint64 registers_per_warp;                  /* allocated */
    guint64 registers_per_block;                 /* allocated */
    guint64 shared_per_block;                    /* allocated, reserved bytes included */
    guint64 carveout_bytes; /* size of the shared part that the limit was computed for */
} WsOccupancy;

/* Answers a query. `query->threads` must be at least 1; everything else may be anything. */
void ws_occupancy(const WsDevice *device, const WsOccupancyQuery *query, WsOccupancy *ret);

/* Warp slots of a block slot if they are partitioned statically, rounded down; else 0. */
guint32 ws_occupancy_slot_share(const WsDevice *device);

/*
 * Smallest listed carve-out that holds `bytes`; the largest one if none does. This is what a run
 * takes for its resident blocks unless the launch prefers a size.
 */
guint64 ws_occupancy_carveout(const WsDevice *device, guint64 bytes);

#endif
