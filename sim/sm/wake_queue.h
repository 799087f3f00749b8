/*
 * When the warps of a sub-core are looked at again. Inside the library only.
 *
 * A warp whose next instruction is ready at a known cycle sleeps until then: in the wheel, which
 * has a place for each of the next WS_WHEEL cycles, or beyond it. One that is ready in the cycle
 * behind an issue is in `soon`, which costs less. A warp that waits for a response is nowhere.
 *
 * The queue also knows the next cycle at which the sub-core has anything to do: cycles before it
 * are skipped. Warps that wake in skipped cycles, because nothing could issue then, are deferred:
 * they wake in the cycle that is run next.
 */
#ifndef WS_SIM_SM_WAKE_QUEUE_H
#define WS_SIM_SM_WAKE_QUEUE_H

#include "sim/sm/cycle.h"

enum { WS_WHEEL = 64, WS_MAX_SUB_CORE_WARPS = 64 };

typedef struct {
    guint64 next;                   /* nothing happens on the sub-core before this cycle */
    guint64 ready;                  /* warps that have woken and not issued since, a bit each */
    guint64 soon;                   /* warps that wake in the cycle behind the last issue */
    guint64 used;                   /* a bit per place of the wheel that is not empty */
    guint64 far;                    /* warps that wake beyond the wheel */
    guint64 far_next;               /* the first cycle of these, WS_NEVER if there are none */
    guint64 deferred, deferred_end; /* wakes of these cycles are still to come; 0 = of none */
    guint64 wheel[WS_WHEEL];        /* warps that wake at cycle c: place c % WS_WHEEL */
    guint64 far_cycle[WS_MAX_SUB_CORE_WARPS]; /* of the warps in `far` */
} WsWakeQueue;

void ws_wake_queue_init(WsWakeQueue *queue);

/* Warps beyond the wheel that are due at `now`. */
guint64 ws_wake_far(WsWakeQueue *queue, guint64 now);

/* The warps of the deferred cycles before `now`. */
guint64 ws_wake_deferred(WsWakeQueue *queue, guint64 now);

/*
 * The next cycle with a wake of a warp that is not in `blocked`, at most `until`, the cycle at
 * which blocked warps no longer are. Wakes before it are deferred. WS_NEVER: nothing wakes.
 */
guint64 ws_wake_defer(WsWakeQueue *queue, guint64 now, guint64 blocked, guint64 until);

/* Has the warp wake at `cycle`, `now` or later. The caller sees to queue->next. */
static inline void ws_wake_at(WsWakeQueue *queue, guint warp, guint64 cycle, guint64 now)
{
    guint64 bit = (guint64)1 << warp;
    guint64 first = queue->deferred != 0 ? queue->deferred : now; /* place of the wheel in use */

    if (G_LIKELY(cycle - first < WS_WHEEL)) {
        queue->wheel[cycle % WS_WHEEL] |= bit;
        queue->used |= (guint64)1 << cycle % WS_WHEEL;
    } else {
        queue->far |= bit;
        queue->far_cycle[warp] = cycle;
        queue->far_next = MIN(queue->far_next, cycle);
    }
}

/* Has a warp that issues at `now` wake at `cycle`. */
static inline void ws_wake_behind_issue(WsWakeQueue *queue, guint warp, guint64 cycle, guint64 now)
{
    if (cycle == now + 1)
        queue->soon |= (guint64)1 << warp;
    else
        ws_wake_at(queue, warp, cycle, now);
}

/* Wakes the warps that are due at `now`, and returns which. */
static inline guint64 ws_wake_due(WsWakeQueue *queue, guint64 now)
{
    guint place = now % WS_WHEEL;
    guint64 warps = queue->soon;

    queue->soon = 0;
    if (queue->deferred != 0)
        warps |= ws_wake_deferred(queue, now);
    if (queue->used >> place & 1) {
        warps |= queue->wheel[place];
        queue->wheel[place] = 0;
        queue->used &= ~((guint64)1 << place);
    }
    if (G_UNLIKELY(queue->far_next <= now))
        warps |= ws_wake_far(queue, now);
    queue->ready |= warps;
    return warps;
}

/* A warp that was to wake at `cycle` does not. */
static inline void ws_wake_cancel(WsWakeQueue *queue, guint warp, guint64 cycle)
{
    guint64 *place = &queue->wheel[cycle % WS_WHEEL], bit = (guint64)1 << warp;

    queue->soon &= ~bit;
    queue->far &= ~bit; /* `far_next` may then be early, which does no harm */
    *place &= ~bit;
    if (*place == 0)
        queue->used &= ~((guint64)1 << cycle % WS_WHEEL);
}

/* The warp has issued, or has to sleep once more. */
static inline void ws_wake_clear(WsWakeQueue *queue, guint warp)
{
    queue->ready &= ~((guint64)1 << warp);
}

#endif
