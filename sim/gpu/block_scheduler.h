/*
 * The block scheduler of the GPU: which block starts on which SM, and when.
 *
 * The first wave goes out in the order of ws_launch_order(). After that the GPU deals with ends of
 * blocks one after the other, `launch.refill_interval_milli` apart. SMs of which it has heard take
 * turns; blocks go to the one whose end is dealt with, as many as it has room for. With
 * `launch.early_warps` that SM has then told how many warps have exited in all, also in blocks that
 * still run: measured on an H200, where blocks whose warps exit early are replaced several times
 * as fast as others, but not before one of them has ended.
 *
 * On one SM blocks of W warps start `launch.interval` + `launch.interval_per_warp` (W - 1) cycles
 * apart, or `launch.gap` + `launch.warp_interval` (W - 1) if that is more. They reach the SMs of a
 * TPC through one port, which each takes for an SM's share of that time: blocks for two SMs
 * alternate, also where one SM has been given all of its blocks before the other.
 *
 * A policy may refuse blocks for its SM (ws_sm_takes_block()). Then all SMs with room are asked
 * again for each window of the simulation.
 */
#ifndef WS_SIM_GPU_BLOCK_SCHEDULER_H
#define WS_SIM_GPU_BLOCK_SCHEDULER_H

#include "sim/base/turns.h"
#include "sim/occupancy/occupancy.h"
#include "sim/sm/sm.h"

/* The end of a block, of which the GPU has heard or will hear. */
typedef struct {
    guint64 heard;
    guint64 exited; /* warps that had left the SM by then */
} WsHeardEnd;

/* What the block scheduler knows of an SM. */
typedef struct {
    guint32 number, tpc;
    guint64 distance;      /* cycles that messages take longer than to the nearest */
    guint64 handed, known; /* warps of blocks that went there; of these: it has heard that exited */
    guint32 held;          /* blocks of which it has not heard that they ended */
    guint64 next_start;    /* the next block starts no earlier */
    WsStateArray ends;     /* of WsHeardEnd, not dealt with, earliest first */
} WsPlaces;

typedef struct {
    WsStateArena *arena; /* or NULL */
    const WsDevice *device;
    guint64 begin, blocks, next_block, ended_blocks;
    guint64 warps;        /* of a block */
    guint64 warp_room;    /* warps of an SM */
    guint32 most_held;    /* blocks of an SM, whatever their warps */
    guint64 gap;          /* between starts on an SM */
    guint64 report, lead; /* end of a block to the news of it; from there to a first issue */
    guint64 refill;       /* the sum of both */
    guint64 turn_free;    /* the next end is dealt with no earlier, 1/1000 cycle */
    /* Of guint32: SM number of the blocks of the first wave. NULL when that has been queued. */
    GArray *order;
    WsPlaces *places; /* of the SMs that run, by ascending number */
    guint32 count;    /* of these */
    WsTurns *ports;   /* by TPC */
    guint32 dealt;    /* place whose end was dealt with last */
    gboolean refused; /* a policy has refused a block: SMs with room may have no end to deal with */
} WsBlockScheduler;

void ws_block_scheduler_init(WsBlockScheduler *ret, WsStateArena *arena, const WsDevice *device,
                             const WsOccupancy *occupancy, guint64 blocks, guint64 begin);
void ws_block_scheduler_clear(WsBlockScheduler *scheduler);

/* Queues the first wave; `sms` are those of scheduler->places. */
void ws_block_scheduler_start(WsBlockScheduler *scheduler, WsSm *const *sms);

/* Takes note of blocks that ended in the window that ran last. */
void ws_block_scheduler_collect(WsBlockScheduler *scheduler, WsSm *const *sms);

/*
 * Queues the blocks that can be given out as long as no block ends before cycle `next`. SMs have
 * run up to `end`. Returns whether there were any.
 */
gboolean ws_block_scheduler_refill(WsBlockScheduler *scheduler, WsSm *const *sms, guint64 next,
                                   guint64 end);

#endif
