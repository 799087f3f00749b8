/*
 * One launch on the whole GPU: the grid, the block scheduler, the SMs and the windows in which they
 * run. Inside the library only.
 */
#ifndef WS_SIM_GPU_GPU_H
#define WS_SIM_GPU_GPU_H

#include "sim/gpu/simulation.h"
#include "sim/memory/memory.h"
#include "sim/sm/sm.h"

/* What goes on from launch to launch of a job. */
typedef struct {
    WsJob *job;
    const WsRunOptions *options;
    WsGlobalMemory *contents;
    WsMemorySystem *system;
    WsResult *result;
    GPtrArray *warnings;
    guint64 cycle;                               /* where the next launch begins */
    guint64 max_cycles;                          /* of the job */
    gint64 deadline;                             /* of the host's clock: ws_deadline() */
    guint32 *ranks;                              /* by SM: ws_launch_ranks() */
    WsInstructionFetch **fetch;                  /* by SM, or NULL: instructions are always there */
    WsConstantCache **constants;                 /* likewise */
    WsLineDirectory code_in_l2, constants_in_l2; /* as SMs have asked for them */
    WsCounters before;                           /* memory system counters up to the last launch */
    gint64 progress_time;
    /* If not NULL: SMs run cycle by cycle, and this sees each before its warps issue. */
    void (*inspect)(void *data, WsSm *sm, guint64 cycle);
    void *inspect_data;
} WsMachine;

/*
 * Runs launch `index` and fills in its result; result->stop says if it did not complete. Errors:
 * WS_ERROR_INPUT (a launch or setting the machine cannot run).
 */
gboolean ws_gpu_launch(WsMachine *machine, guint32 index, GError **error);

/* ws_simulation_run() with an inspector. */
WsResult *ws_simulation_run_inspected(WsJob *job, const WsRunOptions *options,
                                      void (*inspect)(void *data, WsSm *sm, guint64 cycle),
                                      void *data, GError **error);

#endif
