/* Running a job. How to run it step by step: sim/gpu/stepping.h. */
#ifndef WS_SIM_GPU_SIMULATION_H
#define WS_SIM_GPU_SIMULATION_H

#include "sim/observe/observer.h"
#include "sim/observe/sampling.h"
#include "sim/report/result.h"

typedef struct {
    guint64 max_cycles; /* per job; 0 = 10^9 */
    double max_seconds; /* per job, as in sim/base/time_limit.h; 0 = no limit */
    /* The run ends early when this becomes other than 0, or NULL. A signal handler may set it. */
    const gint *interrupt;
    guint64 spin_limit; /* livelock: instructions of a warp without progress; 0 = default */
    guint32 threads;    /* host threads, 0 = 1 */
    const WsObserver *const *observers; /* NULL-terminated, or NULL */
    const WsSampleSink *sampling;       /* or NULL */
    /* Called now and then (about ten times a second) with cycles so far and the share of blocks
     * done. */
    void (*progress)(void *data, guint64 cycles, double share);
    void *progress_data;
} WsRunOptions;

void ws_run_options_init(WsRunOptions *ret);

/*
 * Runs every launch of the job, in order, then compares the expectations. Buffers of the job hold
 * the results afterwards. Faults, deadlocks and limits are results, not errors: the status says so
 * and the counters up to then are filled in. NULL with `error` set only for WS_ERROR_INTERNAL,
 * WS_ERROR_INPUT (a launch the device cannot hold) and a reference kernel that stops early
 * (sim/launch/reference_launch.h).
 */
WsResult *ws_simulation_run(WsJob *job, const WsRunOptions *options, GError **error);

#endif
