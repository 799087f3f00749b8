/*
 * Named barriers of a block. Arrivals are served one after the other by a unit of the SM; a barrier
 * opens a fixed time after its last arrival has been served. One without a count waits for all
 * warps of the block that have not exited; one with a count waits for that many warps.
 */
#ifndef WS_SIM_SM_BARRIER_H
#define WS_SIM_SM_BARRIER_H

#include <glib.h>

enum { WS_NAMED_BARRIERS = 16 };

typedef struct {
    guint64 arrived;        /* warp slots */
    guint64 waiting;        /* of these: those that wait */
    guint64 served;         /* cycle at which the last arrival was served */
    gboolean opens_in_turn; /* an arrival read a register: opening takes the unit as well */
    guint32 expected;       /* warps, 0 = all */
    gboolean counts_differ; /* arrivals expect different numbers of warps: the last one holds */
    guint32 arrivals;       /* warps */
    guint32 true_threads;   /* .RED: threads whose predicate holds */
    guint32 all_threads;
    guint32 place; /* at its opening: 1 + instruction of the first warp's BAR */
} WsBarrier;

#endif
