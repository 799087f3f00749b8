/*
 * Host threads that run the SMs of a window. An SM touches nothing of another one inside a window,
 * and what the threads count is summed, so their number and order do not show in any result.
 * Inside the library only.
 */
#ifndef WS_SIM_GPU_SM_POOL_H
#define WS_SIM_GPU_SM_POOL_H

#include "sim/sm/sm.h"

typedef struct WsSmPool WsSmPool;

/*
 * `threads` of them, the caller's included; `counters` and `hazards` are the caller's, with one
 * entry for each of the program's `instructions`.
 */
WsSmPool *ws_sm_pool_new(WsSm *const *sms, guint32 sm_count, guint32 threads,
                         WsInstructionCounters *counters, guint32 *hazards, guint32 instructions);
/* Each SM goes on counting its instructions where it does now, not in an array of the thread. */
void ws_sm_pool_keep_counters(WsSmPool *pool);
/* How many threads there are, and the array of one of them: not while they run. */
guint32 ws_sm_pool_workers(const WsSmPool *pool);
const WsInstructionCounters *ws_sm_pool_counters(const WsSmPool *pool, guint32 worker);
/* Ends the threads and adds what they counted to the caller's arrays. */
void ws_sm_pool_free(WsSmPool *pool);

/* Runs one SM, on any of the threads. */
typedef void (*WsSmRun)(void *data, WsSm *sm);

/*
 * Calls `run` for every SM. Where hardly any has something to do before `until` that is on one
 * thread: FALSE.
 */
gboolean ws_sm_pool_run(WsSmPool *pool, guint64 until, WsSmRun run, void *data);
/* The same on all threads. */
void ws_sm_pool_run_all(WsSmPool *pool, WsSmRun run, void *data);

/* Does a piece of work that is not an SM's, on any of the threads. */
typedef void (*WsPoolTask)(void *data, guint32 number);
void ws_sm_pool_do(WsSmPool *pool, guint32 count, WsPoolTask task, void *data);

#endif
