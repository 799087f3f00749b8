/*
 * The barrier unit of an SM: when named barriers of its blocks serve arrivals, open, and hand out
 * reductions. Inside the library only. Who arrives, and who is let go, is in
 * sim/sm/block_barriers.c.
 *
 * Arrivals are served one after the other (`barrier.per_warp` cycles each). A barrier opens
 * `barrier.latency` after its last arrival has been served; the SM opens one barrier every
 * `barrier.open_interval_milli` thousandths of a cycle. One without a count waits for all warps of
 * the block that have not exited; one with a count waits for that many warps.
 *
 * An arrival that reads a register (of the number or the count, or the predicate of a reduction)
 * comes to the unit `barrier.register_latency` later; then opening takes a turn of the unit as
 * well. Measured on an H200 (docs/understand/measurements/barriers.md).
 */
#ifndef WS_SIM_SM_BARRIER_UNIT_H
#define WS_SIM_SM_BARRIER_UNIT_H

#include "sim/base/turns.h"
#include "sim/device/device.h"
#include "sim/policies/policy.h"

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

typedef struct {
    WsTurns arrivals; /* cycles in which it serves */
    WsTurns openings; /* and in which a barrier opens, 1/1000 cycle */
    guint32 mixed[2]; /* two BARs at which lanes met, the first time that happened */
} WsBarrierUnit;

/*
 * An arrival issues at `now` and comes to the unit `latency` later, 0 for one that reads no
 * register. Returns the cycle at which it has been served.
 */
guint64 ws_barrier_unit_serve(WsBarrierUnit *unit, const WsDevice *device, guint64 latency,
                              guint64 now);
/* The cycle at which the unit has read the registers of an arrival that was served at `served`. */
guint64 ws_barrier_unit_read(const WsDevice *device, guint64 served);
/* All arrivals have been served: the cycle at which the barrier opens. */
guint64 ws_barrier_unit_open(WsBarrierUnit *unit, const WsDevice *device, const WsBarrier *barrier,
                             guint64 now);
/*
 * The cycle at which a warp has its reduction of a barrier that opens at `opened`. It asks for it
 * then; the unit that serves arrivals hands the results out, one after the other.
 */
guint64 ws_barrier_unit_reduce(WsBarrierUnit *unit, const WsDevice *device, guint64 opened,
                               guint64 now);

#endif
