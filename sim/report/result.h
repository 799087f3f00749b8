/* What a run tells: counters of one launch and of a whole job. Names as in `run --format json`. */
#ifndef WS_SIM_REPORT_RESULT_H
#define WS_SIM_REPORT_RESULT_H

#include "sim/base/counters.h"
#include "sim/base/print_log.h"
#include "sim/base/status.h"
#include "sim/check/findings.h"
#include "sim/launch/launch.h"
#include "sim/occupancy/loss.h"

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
    WsPrintLog printed;    /* by its printf */
    guint64 l2_held_bytes; /* of L2 in use at the end, what earlier launches left included */
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

/* The figures of a region of the job (sim/launch/code_regions.h). */
typedef struct {
    guint64 cycles;           /* with a warp inside: of the SM that has most; sum over launches */
    guint64 active_sm_cycles; /* the same, summed over SMs */
    guint64 warp_cycles;      /* all of counters.stalls */
    WsInstructionCounters counters; /* of its instructions together, over all launches */
} WsRegionResult;

/* Where and why a run stopped early. */
typedef struct {
    char *message; /* one line, no prefix */
    char *details; /* further lines (who waits where), or NULL */
    guint64 cycle;
    guint32 launch;
    guint32 block[3], thread[3];
    gint32 sm, warp, lane; /* -1 = does not apply */
    gint32 slot;           /* of the warp on its SM, likewise */
    gint64 instruction;    /* index in the program, -1 */
    GPtrArray *waits;      /* of WsWaiting (sim/report/waits.h): who waits for whom; or NULL */
} WsStop;

typedef struct {
    gboolean functional; /* it ran without time: figures are counts of instructions alone */
    WsStatus status;
    WsStop stop; /* message NULL if the run completed */
    WsLaunchResult *launches;
    guint32 launch_count; /* launches that began */
    WsCounters total;
    WsCheckResult *checks;
    guint32 check_count;
    WsRegionResult *regions; /* [job->region_count], or NULL where there are none */
    WsFindings *findings;    /* of sim/check/check.h; NULL: nothing was looked for */
    char **warnings;         /* NULL-terminated */
} WsResult;

/*
 * The losses of occupancy over all launches, everything else of `ret` zero. Idle SMs are those that
 * no launch gave a block.
 */
void ws_result_sum_losses(const WsResult *result, WsOccupancySummary *ret);

/* Frees what it holds, and leaves it zero. */
void ws_stop_clear(WsStop *stop);
/* `ret` is not cleared. */
void ws_stop_copy(const WsStop *stop, WsStop *ret);
/* Frees what it holds, and leaves it zero. */
void ws_launch_result_clear(WsLaunchResult *launch);
/* Behind those that there are. */
void ws_result_add_warning(WsResult *result, const char *text);
void ws_result_free(WsResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsResult, ws_result_free)

#endif
