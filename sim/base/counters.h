/* What SMs count while they run. Names as in `run --format json`. */
#ifndef WS_SIM_BASE_COUNTERS_H
#define WS_SIM_BASE_COUNTERS_H

#include <glib.h>

#include "sim/base/stall.h"

enum { WS_MAX_SUB_CORES = 8 }; /* of an SM */

/* Counters of one instruction of the program, summed over warps. */
typedef struct {
    guint64 issued;                 /* warp instructions */
    guint64 lanes;                  /* active lanes, predicated-off included */
    guint64 lanes_on;               /* of these, guard true */
    guint64 divergent;              /* times it split the active lanes */
    guint64 extra_wavefronts;       /* of shared memory: those of bank conflicts */
    guint64 sectors;                /* of global memory */
    guint64 extra_sectors;          /* of these, more than the bytes asked for would fill */
    guint64 stalls[WS_STALL_COUNT]; /* warp-cycles spent waiting to issue it; SELECTED = issued */
} WsInstructionCounters;

typedef struct {
    guint64 cycles;           /* largest over SMs of cycles with a resident warp */
    guint64 elapsed_cycles;   /* first launch to last completion */
    guint64 active_sm_cycles; /* sum over SMs of cycles with a resident warp */
    guint64 warp_instructions;
    guint64 sub_core_instructions[WS_MAX_SUB_CORES]; /* of these, by sub-core, summed over SMs */
    guint64 thread_instructions;
    guint64 thread_instructions_pred_on;
    guint64 branches_executed;
    guint64 branches_divergent;
    guint64 warps_launched;
    guint64 warps_diverged;
    guint64 diverged_warp_cycles; /* residency of these */
    guint64 blocks_launched;
    guint64 warp_cycles; /* residency; equals the sum of stalls */
    guint64 stalls[WS_STALL_COUNT];
    guint64 global_load_requests, global_load_sectors;
    guint64 global_store_requests, global_store_sectors;
    guint64 texture_requests, texture_sectors;
    guint64 local_load_requests, local_store_requests;
    guint64 shared_wavefronts, shared_bank_conflicts;
    guint64 l1_lookups, l1_hits; /* sectors */
    guint64 l2_lookups, l2_hits; /* sectors */
    guint64 dram_read_bytes, dram_write_bytes;
} WsCounters;

#endif
