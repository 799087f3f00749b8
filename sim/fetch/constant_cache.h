/*
 * Constant memory as instructions see it. Constant operands go through a small cache of the
 * sub-core (L0): a miss holds the warp back. LDC and ULDC read the SM's L1, which also fills L0; a
 * miss there adds to their latency, one miss after the other. Behind L1 lie L1.5 with longer lines,
 * `constant.sm_latency_milli` farther from each SM than from the SM before, L2 and memory. All but
 * L2, which SMs share, are empty when a launch begins, except that L1.5 has bank 0, which the
 * launch itself writes (launch data and parameters).
 *
 * With `launch.parameters: sent` lines of bank 0 come from L1.5 to each L0 and to L1 by themselves,
 * and L1.5 is that of a GPC: it gives the SMs of the launch in the GPC a line each in turn. What
 * LDC lacks is asked for `constant.l1.latency` after its issue, behind operands that are asked for
 * before.
 */
#ifndef WS_SIM_FETCH_CONSTANT_CACHE_H
#define WS_SIM_FETCH_CONSTANT_CACHE_H

#include "isa/bytecode/program.h"
#include "sim/base/line_directory.h"
#include "sim/device/device.h"
#include "sim/memory/line_cache.h"

enum {
    WS_CONSTANT_LINE_BYTES = 64,
    WS_CONSTANT_L15_LINE_BYTES = 256,
    WS_CONSTANT_MAX_SUB_CORES = 8,
    WS_CONSTANT_MAX_QUEUE = 64,
    /* of all banks, as L1.5 and the directory of L2 count them */
    WS_CONSTANT_L15_LINES = WS_CONSTANT_BANKS * WS_CONSTANT_BANK_BYTES / WS_CONSTANT_L15_LINE_BYTES
};

/* The LDCs of a sub-core that were issued last, a ring; with `sent` they end in order. */
typedef struct {
    guint64 done[WS_CONSTANT_MAX_QUEUE];
    guint32 oldest;
    guint64 late; /* `done` of the last one that waited for a line */
} WsConstantQueue;

/* Of one SM; goes on from launch to launch. */
typedef struct {
    const WsDevice *device;
    WsLineCache l0[WS_CONSTANT_MAX_SUB_CORES];
    WsLineCache l1, l15;
    guint64 way;        /* to L1.5, beyond that of SM 0 */
    guint64 free;       /* L1 can begin with its next miss */
    guint64 turn_every; /* L1.5 gives the SM a line of bank 0 so often */
    guint64 turn;       /* no earlier than this */
    guint64 load_turn;  /* when it gives L1 the line that was asked for last, */
    guint32 load_place; /* place of it, or WS_LINE_ABSENT */
    WsConstantQueue queues[WS_CONSTANT_MAX_SUB_CORES];
    const WsLineDirectory *in_l2; /* of all SMs, by lines of L1.5 */
    WsStateArray asked;           /* of WsLineRequest: of memory, since L2 was told last */
} WsConstantCache;

/*
 * NULL if constants are always there (fetch.model: ideal). `in_l2` stays with the caller, who adds
 * `asked` to it while no SM runs.
 */
WsConstantCache *ws_constant_cache_new(const WsDevice *device, guint32 sm,
                                       const WsLineDirectory *in_l2, WsStateArena *arena);
void ws_constant_cache_free(WsConstantCache *cache);
/* Before a launch that runs on `sharing` SMs of the GPC, this one included. */
void ws_constant_cache_begin(WsConstantCache *cache, guint32 sharing);

/* Number of the line that holds a byte of a bank. */
static inline guint32 ws_constant_line(guint bank, guint32 offset)
{
    return (bank % WS_CONSTANT_BANKS * WS_CONSTANT_BANK_BYTES +
            MIN(offset, WS_CONSTANT_BANK_BYTES - 1u)) /
           WS_CONSTANT_LINE_BYTES;
}

/* Cycle from which L1 has a line that is wanted at `cycle`. */
guint64 ws_constant_cache_load(WsConstantCache *cache, guint32 line, guint64 cycle);
/*
 * An LDC is issued whose result is there at `ready`, `late` cycles of which it waits for lines.
 * Returns when it ends; with `sent` that is behind those before it.
 */
guint64 ws_constant_cache_queue(WsConstantCache *cache, guint sub_core, guint64 ready,
                                guint64 late);
/* Cycle from which the sub-core has room for another LDC. */
static inline guint64 ws_constant_cache_room(const WsConstantCache *cache, guint sub_core)
{
    const WsConstantQueue *queue = &cache->queues[sub_core];

    return queue->done[queue->oldest];
}
/* The same for an operand, of the sub-core's L0. */
guint64 ws_constant_cache_operand(WsConstantCache *cache, guint sub_core, guint32 line,
                                  guint64 cycle);

#endif
