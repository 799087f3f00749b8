/*
 * Endless loops that keep lanes of their own warp waiting: a spin lock whose holder waits at the
 * join, for instance. After `limit` cycles in which no warp ended, no barrier opened and nothing
 * was stored, the warps are watched for a while. One that comes to the same instruction with the
 * same lanes, registers and predicates again will do so for ever, as long as memory does not
 * change; if all warps that do not wait at a barrier repeat themselves, memory cannot change.
 *
 * Atomics that only compare, swap or exchange do not count as stores: a lock that is not free is
 * tried with them. Inside the library only.
 */
#ifndef WS_SIM_SM_LIVELOCK_H
#define WS_SIM_SM_LIVELOCK_H

#include "sim/sm/sm.h"

typedef struct {
    guint64 hash;
    guint64 visits; /* of instruction `pc` */
    guint32 pc;
    guint8 repeated;
} WsLivelockMark;

typedef struct {
    WsStateArena *arena; /* or NULL */
    guint64 limit;
    guint64 watch_cycles; /* doubled with the limit: paths that wait for their turn repeat late */
    guint64 since;        /* cycle of the last progress seen */
    guint64 progress;     /* its number */
    guint64 watch_until;
    gboolean watching;
    WsLivelockMark (*marks)[WS_MAX_WARP_SLOTS]; /* by SM of the launch */
    guint32 sm_count;
} WsLivelock;

void ws_livelock_init(WsLivelock *ret, WsStateArena *arena, guint64 limit, guint32 sm_count);
void ws_livelock_clear(WsLivelock *livelock);
/* While watching: before each cycle of an SM that follows one in which it may have issued. */
void ws_livelock_watch(WsLivelock *livelock, const WsSm *sm, guint64 cycle);
/* After each window; TRUE if nothing but endless loops is left. */
gboolean ws_livelock_look(WsLivelock *livelock, WsSm *const *sms, guint64 cycle);

#endif
