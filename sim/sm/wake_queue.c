#include "sim/sm/wake_queue.h"

/* Places of the wheel in use, that of cycle `from` lowest. */
static guint64 used_from(const WsWakeQueue *queue, guint64 from)
{
    guint turn = from % WS_WHEEL;

    return turn ? queue->used >> turn | queue->used << (WS_WHEEL - turn) : queue->used;
}

/* The next cycle after `now` at which a warp wakes. */
static guint64 next_wake(const WsWakeQueue *queue, guint64 now)
{
    guint64 used = used_from(queue, now + 1);

    return used == 0 ? queue->far_next
                     : MIN(queue->far_next, now + 1 + (guint64)__builtin_ctzll(used));
}

void ws_wake_queue_init(WsWakeQueue *queue)
{
    queue->next = queue->far_next = WS_NEVER;
}

guint64 ws_wake_far(WsWakeQueue *queue, guint64 now)
{
    guint64 due = 0, next = WS_NEVER;

    for (guint64 far = queue->far; far != 0; far &= far - 1) {
        guint warp = (guint)__builtin_ctzll(far);

        if (queue->far_cycle[warp] <= now)
            due |= far & -far;
        else
            next = MIN(next, queue->far_cycle[warp]);
    }
    queue->far &= ~due;
    queue->far_next = next;
    return due;
}

guint64 ws_wake_deferred(WsWakeQueue *queue, guint64 now)
{
    guint64 warps = 0, count = MIN(now, queue->deferred_end) - queue->deferred;
    guint64 used = used_from(queue, queue->deferred) & (((guint64)1 << count) - 1);

    for (; used != 0; used &= used - 1) {
        guint place = (queue->deferred + (guint)__builtin_ctzll(used)) % WS_WHEEL;

        warps |= queue->wheel[place];
        queue->used &= ~((guint64)1 << place);
        queue->wheel[place] = 0;
    }
    queue->deferred = 0;
    return warps;
}

guint64 ws_wake_defer(WsWakeQueue *queue, guint64 now, guint64 blocked, guint64 until)
{
    guint64 waiting = queue->ready | queue->soon, next = next_wake(queue, now);

    if (G_UNLIKELY(until - now >= WS_WHEEL)) /* more cycles than the wheel tells apart */
        return queue->soon != 0 ? now + 1 : waiting != 0 ? MIN(next, until) : next;
    if (queue->soon != 0) {
        queue->deferred = now + 1;
        queue->deferred_end = until;
    }
    while (next < until && next != queue->far_next) {
        guint64 warps = queue->wheel[next % WS_WHEEL];

        if ((warps & ~blocked) != 0)
            return next;
        queue->deferred = now + 1;
        queue->deferred_end = until;
        waiting |= warps;
        next = next_wake(queue, next);
    }
    return waiting != 0 ? MIN(next, until) : next;
}
