/* What a run tells: counters of one launch and of a whole job. Names as in `run --format json`. */
#ifndef WS_SIM_RESULT_H
#define WS_SIM_RESULT_H

#include "sim/launch.h"
#include "sim/occupancy_loss.h"
#include "sim/stall.h"

typedef enum {
    WS_STATUS_OK,
    WS_STATUS_CHECK_FAILED,
    WS_STATUS_FAULT,
    WS_STATUS_DEADLOCK,
    WS_STATUS_LIVELOCK,
    WS_STATUS_LIMIT
} WsStatus;

const char *ws_status_name(WsStatus status);
int ws_status_exit_code(WsStatus status);

/* Counters of one instruction of the program, summed over warps. */
typedef struct {
    guint64 issued;                 /* warp instructions */
    guint64 lanes;                  /* active lanes, predicated-off included */
    guint64 lanes_on;               /* of these, guard true */
    guint64 divergent;              /* times it split the active lanes */
    guint64 stalls[WS_STALL_COUNT]; /* warp-cycles spent waiting to issue it; SELECTED = issued */
} WsInstructionCounters;

typedef struct {
    guint64 cycles;           /* largest over SMs of cycles with a resident warp */
    guint64 elapsed_cycles;   /* first launch to last completion */
    guint64 active_sm_cycles; /* sum over SMs of cycles with a resident warp */
    guint64 warp_instructions;
    guint64 thread_instructions;
    guint64 thread_instructions_pred_on;
    guint64 branches_executed;
    guint64 branches_divergent;
    guint64 warps_launched;
    guint64 warps_diverged;
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

typedef struct {
    guint32 blocks_per_sm; /* theoretical */
    guint32 warps_per_block;
    double theoretical; /* warps / warp slots */
    double achieved;    /* average resident warps per active SM cycle / warp slots */
    guint32 sm_count;
    double *per_sm;                /* achieved, by SM; NaN for an SM that had no warp */
    char **limiters;               /* NULL-terminated: warps, registers, shared, blocks, barriers */
    guint64 possible_warp_cycles;  /* theoretical warps x active_sm_cycles */
    guint64 losses[WS_LOSS_COUNT]; /* of these; together with counters.warp_cycles all of them */
    guint32 idle_sms;              /* never had a block */
    /* Imbalance: cycles from an SM's last warp to the last one of all, summed over SMs that had a
     * block. They are no active cycles, so achieved occupancy does not see them. */
    guint64 imbalance_sm_cycles;
} WsOccupancySummary;

typedef struct {
    char *kernel; /* display name */
    guint32 registers_per_thread;
    WsCounters counters;
    WsOccupancySummary occupancy;
    WsInstructionCounters *instructions; /* [program->instruction_count] */
} WsLaunchResult;

typedef struct {
    guint32 expectation;
    gboolean passed;
    guint64 mismatches;
    guint64 first_index;     /* of the first mismatch */
    char *expected, *actual; /* of the first mismatch, as text; NULL if passed */
    double largest_error;    /* absolute */
} WsCheckResult;

/* Where and why a run stopped early. */
typedef struct {
    char *message; /* one line, no prefix */
    char *details; /* further lines (who waits where), or NULL */
    guint64 cycle;
    guint32 launch;
    guint32 block[3], thread[3];
    gint32 sm, warp, lane; /* -1 = does not apply */
    gint64 instruction;    /* index in the program, -1 */
} WsStop;

typedef struct {
    WsStatus status;
    WsStop stop; /* message NULL if the run completed */
    WsLaunchResult *launches;
    guint32 launch_count; /* launches that began */
    WsCounters total;
    WsCheckResult *checks;
    guint32 check_count;
    char **warnings; /* NULL-terminated */
} WsResult;

/*
 * The losses of occupancy over all launches, everything else of `ret` zero. Idle SMs are those that
 * no launch gave a block.
 */
void ws_result_sum_losses(const WsResult *result, WsOccupancySummary *ret);

void ws_result_free(WsResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsResult, ws_result_free)

#endif
