/*
 * Runs that never end: warps that repeat themselves for ever. After `limit` cycles in which no
 * block began and no warp ended, the machine is watched for a while. A warp that comes to the same
 * instruction in the same state again (lanes, paths, registers, predicates, local memory) does so
 * for ever, as long as what it reads does not change; and if all warps that do not wait at a
 * barrier have repeated themselves, and memory did not change from the first of these states to the
 * last, nothing is left that could change it. That holds for any number of warps, blocks and SMs,
 * whatever their timing, and whatever the policy.
 *
 * Left to limits, because more than values decides: a warp that reads a clock or the result of a
 * barrier's reduction in the loop, a warp that the policy never picks, and loops that write
 * different values in turn.
 *
 * States are compared themselves, not by their hashes alone. Inside the library only.
 */
#ifndef WS_SIM_SM_LIVELOCK_H
#define WS_SIM_SM_LIVELOCK_H

#include "sim/sm/sm.h"

/* A warp at an instruction that it came to before. */
typedef struct {
    guint64 hash;                /* of one lane: tells most states apart */
    guint64 visits;              /* of instruction `pc` */
    guint64 elsewhere, patience; /* visits of others since, and how many are too many */
    guint32 pc;
    guint8 repeated;
    guint8 timed;  /* it has come to an instruction whose result depends on time */
    guint8 kept;   /* `state` is that of the mark */
    gsize bytes;   /* of `state` */
    guint8 *state; /* or NULL */
} WsLivelockMark;

typedef struct {
    WsStateArena *arena; /* or NULL */
    WsMemorySystem *system;
    guint64 limit;
    guint64 watch_cycles; /* of a watch; all three grow with each that found nothing */
    guint64 most_visits;  /* a warp that has come by so often without repeating itself counts */
    guint64 since;        /* cycle of the last progress seen, or of the end of the last watch */
    guint64 progress;     /* its number */
    guint64 watch_until;
    guint64 settled; /* all repeat: cycle at which what they stored before has taken effect, or 0 */
    gboolean watching;
    WsLivelockMark (*marks)[WS_MAX_WARP_SLOTS]; /* by SM of the launch */
    guint32 sm_count;
} WsLivelock;

void ws_livelock_init(WsLivelock *ret, WsStateArena *arena, WsMemorySystem *system, guint64 limit,
                      guint32 sm_count);
void ws_livelock_clear(WsLivelock *livelock);
/* While watching: before each cycle of an SM that follows one in which it may have issued. */
void ws_livelock_watch(WsLivelock *livelock, const WsSm *sm, guint64 cycle);
/* After each window, which ends at `cycle`; TRUE if nothing but endless loops is left. */
gboolean ws_livelock_look(WsLivelock *livelock, WsSm *const *sms, guint64 cycle);

#endif
