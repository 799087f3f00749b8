/*
 * Host threads that run the SMs of a window. An SM touches nothing of another one inside a window,
 * and what the threads count is summed, so their number and order do not show in any result.
 * Inside the library only.
 */
#ifndef WS_SIM_SM_POOL_H
#define WS_SIM_SM_POOL_H

#include "sim/sm.h"

typedef struct WsSmPool WsSmPool;

/*
 * `threads` of them, the caller's included; `counters` and `hazards` are the caller's, with one
 * entry for each of the program's `instructions`.
 */
WsSmPool *ws_sm_pool_new(WsSm *const *sms, guint32 sm_count, guint32 threads,
                         WsInstructionCounters *counters, guint32 *hazards, guint32 instructions);
/* Ends the threads and adds what they counted to the caller's arrays. */
void ws_sm_pool_free(WsSmPool *pool);

/* Runs one SM, on any of the threads. */
typedef void (*WsSmRun)(void *data, WsSm *sm);

/* Calls `run` for every SM; where hardly any has something to do before `until`, on one thread. */
void ws_sm_pool_run(WsSmPool *pool, guint64 until, WsSmRun run, void *data);

#endif
