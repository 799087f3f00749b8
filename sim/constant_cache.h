/*
 * Constant memory as instructions see it. Constant operands go through a small cache of the
 * sub-core (L0): a miss holds the warp back. LDC and ULDC read the SM's L1, which also fills L0; a
 * miss there adds to their latency, one miss after the other. Behind L1 lie L1.5 with longer lines,
 * `constant.sm_latency_milli` farther from each SM than from the SM before, L2 and memory. All but
 * L2, which SMs share, are empty when a launch begins, except that L1.5 has bank 0, which the
 * launch itself writes (launch data and parameters).
 */
#ifndef WS_SIM_CONSTANT_CACHE_H
#define WS_SIM_CONSTANT_CACHE_H

#include "isa/program.h"
#include "sim/device.h"
#include "sim/line_cache.h"
#include "sim/line_directory.h"

enum {
    WS_CONSTANT_LINE_BYTES = 64,
    WS_CONSTANT_L15_LINE_BYTES = 256,
    WS_CONSTANT_MAX_SUB_CORES = 8,
    /* of all banks, as L1.5 and the directory of L2 count them */
    WS_CONSTANT_L15_LINES = WS_CONSTANT_BANKS * WS_CONSTANT_BANK_BYTES / WS_CONSTANT_L15_LINE_BYTES
};

/* Of one SM; goes on from launch to launch. */
typedef struct {
    const WsDevice *device;
    WsLineCache l0[WS_CONSTANT_MAX_SUB_CORES];
    WsLineCache l1, l15;
    guint64 way;                  /* to L1.5, beyond that of SM 0 */
    guint64 free;                 /* L1 can begin with its next miss */
    const WsLineDirectory *in_l2; /* of all SMs, by lines of L1.5 */
    GArray *asked;                /* of WsLineRequest: of memory, since L2 was told last */
} WsConstantCache;

/*
 * NULL if constants are always there (fetch.model: ideal). `in_l2` stays with the caller, who adds
 * `asked` to it while no SM runs.
 */
WsConstantCache *ws_constant_cache_new(const WsDevice *device, guint32 sm,
                                       const WsLineDirectory *in_l2);
void ws_constant_cache_free(WsConstantCache *cache);
/* Before a launch. */
void ws_constant_cache_begin(WsConstantCache *cache);

/* Number of the line that holds a byte of a bank. */
static inline guint32 ws_constant_line(guint bank, guint32 offset)
{
    return (bank % WS_CONSTANT_BANKS * WS_CONSTANT_BANK_BYTES +
            MIN(offset, WS_CONSTANT_BANK_BYTES - 1u)) /
           WS_CONSTANT_LINE_BYTES;
}

/* Cycle from which L1 has a line that is wanted at `cycle`. */
guint64 ws_constant_cache_load(WsConstantCache *cache, guint32 line, guint64 cycle);
/* The same for an operand, of the sub-core's L0. */
guint64 ws_constant_cache_operand(WsConstantCache *cache, guint sub_core, guint32 line,
                                  guint64 cycle);

#endif
