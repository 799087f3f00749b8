/*
 * Observers: who watches a run. The issue loop is compiled twice, plain and observed, so that
 * nobody pays for what is not attached. An observer never changes the run.
 *
 * Events come in the order (cycle, SM, sequence on the SM), the same with any number of host
 * threads: SMs keep theirs until the window that they run ends (sim/observe/event_merge.h). All of
 * an observer's functions are called on the thread that runs the simulation.
 */
#ifndef WS_SIM_OBSERVE_OBSERVER_H
#define WS_SIM_OBSERVE_OBSERVER_H

#include "sim/observe/trace_event.h"

/* A launch that begins, for those who name things. What it points to lives as long as the job. */
typedef struct {
    guint32 number; /* in the job, from 0 */
    guint64 cycle;
    const char *device; /* its name: "NVIDIA H200" */
    const WsProgram *program;
    const WsKernel *kernel;
    guint32 grid[3], block[3];
    guint32 warp_size, warps_per_block;
    guint32 sms, sub_cores, warp_slots; /* of the device; sub-cores and slots of an SM */
    guint32 clock_khz;
} WsTraceLaunch;

typedef struct {
    void *data;
    guint64 kinds; /* WS_TRACE_BIT()s of the events that it wants */
    /* Each may be NULL. */
    void (*launch_begin)(void *data, const WsTraceLaunch *launch);
    void (*event)(void *data, const WsTraceEvent *event);
    void (*launch_end)(void *data, guint32 launch, guint64 cycle);
} WsObserver;

#endif
