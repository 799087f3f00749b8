/*
 * The whole GPU while a job runs: launch after launch, the block scheduler, the SMs and the windows
 * in which they run. Everything in here that changes lies in the machine's arena, if it has one.
 * Inside the library only.
 */
#ifndef WS_SIM_GPU_GPU_H
#define WS_SIM_GPU_GPU_H

#include "sim/base/time_limit.h"
#include "sim/gpu/block_scheduler.h"
#include "sim/gpu/prepared_launch.h"
#include "sim/gpu/simulation.h"
#include "sim/gpu/sm_pool.h"
#include "sim/memory/memory.h"
#include "sim/observe/event_merge.h"
#include "sim/sm/livelock.h"
#include "sim/sm/sm.h"

typedef struct WsMachine WsMachine;
typedef struct WsSimulation WsSimulation;

/* A launch under way. */
typedef struct {
    WsMachine *machine;
    const WsPreparedLaunch *prepared;
    WsSm **sms;
    guint32 sm_count;
    WsInstructionCounters *counters; /* by instruction of the program */
    guint32 *hazards;
    WsBlockScheduler scheduler;
    guint64 length; /* of a window at most, for memory alone */
    WsLivelock livelock;
    WsPrintLog printed;        /* in the windows that are closed */
    WsEventMerge *merge;       /* or NULL: nobody watches */
    struct WsSampler *sampler; /* or NULL: nobody wants samples (sim/gpu/sampler.h) */
    WsSmPool *pool;            /* host threads; NULL: one, the caller's */
    guint64 from, end;         /* the window that is run now or was run last */
    guint64 until;             /* the SMs have run the cycles before this one */
    gboolean open;             /* the window has not been closed */
    gboolean ended;            /* nothing of the launch is left to run */
} WsGpuLaunch;

/* What goes on from launch to launch of a job. */
struct WsMachine {
    WsStateArena *arena; /* or NULL */
    WsJob *job;
    WsDevice *ideal;        /* of a what-if run (sim/device/ideal_device.h), or NULL */
    const WsDevice *device; /* that is simulated: `ideal`, or that of the job */
    const WsRunOptions *options;
    WsGlobalMemory *contents;
    WsMemorySystem *system;
    WsResult *result;            /* of the launches that have ended, and why the last one did */
    char ***warnings;            /* by launch that has ended: NULL-terminated */
    WsPreparedLaunch **prepared; /* by launch: kept where there is an arena, else of this one */
    guint32 index;               /* of `launch`, or of the next one if that is NULL */
    WsGpuLaunch *launch;         /* under way, or the last one that was */
    gboolean over;               /* nothing is left to run */
    guint64 cycle;               /* where the next launch begins */
    guint64 max_cycles;          /* of the job */
    WsTimeLimit time_limit;      /* of the job */
    guint32 *ranks;              /* by SM: ws_launch_ranks() */
    WsInstructionFetch **fetch;  /* by SM, or NULL: instructions are always there */
    WsConstantCache **constants; /* likewise */
    WsLineDirectory code_in_l2, constants_in_l2; /* as SMs have asked for them */
    WsCounters before;                           /* memory system counters up to the last launch */
    gint64 progress_time;
    /* If not NULL: SMs run cycle by cycle, and this sees each before its warps issue. */
    void (*inspect)(void *data, WsSm *sm, guint64 cycle);
    void *inspect_data;
};

/* Begins launch machine->index, which nothing has been run of. Errors: WS_ERROR_INPUT. */
gboolean ws_gpu_launch_begin(WsMachine *machine, GError **error);
/*
 * Runs the cycles of the launch before `until`, or all that are left where fewer are: then it has
 * `ended`, and the status of the result says how.
 */
void ws_gpu_launch_advance(WsGpuLaunch *launch, guint64 until);
/* The launch has ended: fills in its part of the machine's result. */
void ws_gpu_launch_finish(WsGpuLaunch *launch);
void ws_gpu_launch_free(WsGpuLaunch *launch); /* NULL does nothing */

/* The launch under way, or the last one that was; NULL before the first. */
const WsGpuLaunch *ws_simulation_gpu_launch(const WsSimulation *simulation);

/* ws_simulation_run() with an inspector. */
WsResult *ws_simulation_run_inspected(WsJob *job, const WsRunOptions *options,
                                      void (*inspect)(void *data, WsSm *sm, guint64 cycle),
                                      void *data, GError **error);

#endif
