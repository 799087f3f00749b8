#include "sim/sm/wake_queue.h"
#include "tests/sm/units.h"

#define W(n) ((guint64)1 << (n))

/*
 * Warp n is asked to wake at the cycle in the table, all at cycle 100. What wakes in each cycle is
 * what the table says, near (in the wheel) and far.
 */
START_TEST(warps_wake_in_their_cycle)
{
    static const guint64 wakes[] = {100, 101, 101, 163, 164, 165, 227, 228, 400};
    WsWakeQueue queue = {0};
    guint64 woken = 0;

    ws_wake_queue_init(&queue);
    ck_assert_uint_eq(queue.next, WS_NEVER);
    for (guint i = 0; i < G_N_ELEMENTS(wakes); i++)
        ws_wake_at(&queue, i, wakes[i], 100);
    ck_assert_uint_eq(queue.far, W(4) | W(5) | W(6) | W(7) | W(8));
    ck_assert_uint_eq(queue.far_next, 164);
    for (guint64 now = 100; now <= 400; now++) {
        guint64 due = 0;

        for (guint i = 0; i < G_N_ELEMENTS(wakes); i++)
            due |= wakes[i] == now ? W(i) : 0;
        ck_assert_uint_eq(ws_wake_due(&queue, now), due);
        woken |= due;
        ck_assert_uint_eq(queue.ready, woken);
    }
    ck_assert_uint_eq(queue.used | queue.far, 0);
    ck_assert_uint_eq(queue.far_next, WS_NEVER);
}
END_TEST

/* A warp that issues is no longer ready; one that is ready in the next cycle is in `soon`. */
START_TEST(behind_an_issue)
{
    WsWakeQueue queue = {.ready = W(2) | W(3)};

    ws_wake_queue_init(&queue);
    ws_wake_clear(&queue, 2);
    ck_assert_uint_eq(queue.ready, W(3));
    ws_wake_behind_issue(&queue, 2, 11, 10);
    ck_assert_uint_eq(queue.soon, W(2));
    ck_assert_uint_eq(queue.used, 0);
    ws_wake_clear(&queue, 3);
    ws_wake_behind_issue(&queue, 3, 12, 10);
    ck_assert_uint_eq(queue.soon, W(2));
    ck_assert_uint_eq(ws_wake_due(&queue, 11), W(2));
    ck_assert_uint_eq(queue.soon, 0);
    ck_assert_uint_eq(ws_wake_due(&queue, 12), W(3));
}
END_TEST

/* Warps beyond the wheel wake when they are due, not before, whatever else is there. */
START_TEST(far_warps)
{
    WsWakeQueue queue = {0};

    ws_wake_queue_init(&queue);
    ws_wake_at(&queue, 63, 1000, 0);
    ws_wake_at(&queue, 0, 2000, 0);
    ck_assert_uint_eq(ws_wake_far(&queue, 999), 0);
    ck_assert_uint_eq(queue.far_next, 1000);
    ck_assert_uint_eq(ws_wake_far(&queue, 1000), W(63));
    ck_assert_uint_eq(queue.far_next, 2000);
    ck_assert_uint_eq(ws_wake_due(&queue, 5000), W(0));
}
END_TEST

/*
 * Where nothing can issue before `until`, the sub-core is run next when a warp wakes that can, or
 * at `until` if somebody waits by then; what wakes in between wakes then.
 */
START_TEST(skipped_cycles)
{
    static const struct {
        guint64 blocked, until; /* warps, and until when */
        guint64 next;           /* the cycle that is run next */
        guint64 woken;          /* who wakes then */
    } table[] = {
        {W(1) | W(2) | W(3), 30, 30, W(1) | W(2) | W(3)}, /* all wait for the same pipe */
        {W(1) | W(2), 30, 25, W(1) | W(2) | W(3)},        /* 3 does not */
        {W(1), 30, 18, W(1) | W(2)},                      /* 2 does not, nor 3 */
        {0, 30, 14, W(1)},
        {W(1) | W(2) | W(3), 20, 20, W(1) | W(2)}, /* 3 still sleeps then */
        {W(1) | W(2) | W(3), 14, 14, W(1)},
        {W(1) | W(2) | W(3), 12, 14, W(1)}, /* nobody waits at 12 */
    };

    for (guint i = 0; i < G_N_ELEMENTS(table); i++) {
        WsWakeQueue queue = {0};

        ws_wake_queue_init(&queue);
        ws_wake_at(&queue, 1, 14, 10);
        ws_wake_at(&queue, 2, 18, 10);
        ws_wake_at(&queue, 3, 25, 10);
        ck_assert_uint_eq(ws_wake_defer(&queue, 10, table[i].blocked, table[i].until),
                          table[i].next);
        ck_assert_uint_eq(ws_wake_due(&queue, table[i].next), table[i].woken);
        ck_assert_uint_eq(queue.deferred, 0);
    }
}
END_TEST

/* Somebody who is ready and blocked waits for `until`; one that is `soon` wakes in the next cycle
 * and waits too. */
START_TEST(blocked_warps_wait)
{
    WsWakeQueue ready = {.ready = W(5)}, soon = {.soon = W(5)}, none = {0};

    ws_wake_queue_init(&ready);
    ck_assert_uint_eq(ws_wake_defer(&ready, 10, W(5), 40), 40);
    ck_assert_uint_eq(ready.deferred, 0);
    ws_wake_queue_init(&soon);
    ck_assert_uint_eq(ws_wake_defer(&soon, 10, W(5), 40), 40);
    ck_assert_uint_eq(soon.deferred, 11);
    ck_assert_uint_eq(ws_wake_due(&soon, 40), W(5));
    ws_wake_queue_init(&none);
    ck_assert_uint_eq(ws_wake_defer(&none, 10, 0, 40), WS_NEVER);
}
END_TEST

/* Beyond the wheel nothing is skipped that would have to be deferred. */
START_TEST(blocked_for_long)
{
    WsWakeQueue queue = {0};

    ws_wake_queue_init(&queue);
    ws_wake_at(&queue, 1, 14, 10);
    ck_assert_uint_eq(ws_wake_defer(&queue, 10, W(1), 10 + WS_WHEEL), 14);
    ck_assert_uint_eq(ws_wake_defer(&queue, 10, W(1), 10 + WS_WHEEL - 1), 10 + WS_WHEEL - 1);
    ws_wake_queue_init(&queue);
    queue.soon = W(2);
    ck_assert_uint_eq(ws_wake_defer(&queue, 10, W(1) | W(2), WS_NEVER), 11);
}
END_TEST

/* While wakes are deferred, the wheel begins at the first deferred cycle: a later one that would
 * fall on a place in use goes beyond the wheel. */
START_TEST(wheel_in_use_while_deferred)
{
    WsWakeQueue queue = {0};

    ws_wake_queue_init(&queue);
    ws_wake_at(&queue, 1, 14, 10);
    ck_assert_uint_eq(ws_wake_defer(&queue, 10, W(1), 30), 30);
    ws_wake_at(&queue, 2, 11 + WS_WHEEL - 1, 29);
    ck_assert_uint_eq(queue.far, 0);
    ws_wake_at(&queue, 3, 11 + WS_WHEEL, 29);
    ck_assert_uint_eq(queue.far, W(3));
    ck_assert_uint_eq(ws_wake_due(&queue, 30), W(1));
}
END_TEST

void add_wake_queue(TCase *cases)
{
    tcase_add_test(cases, warps_wake_in_their_cycle);
    tcase_add_test(cases, behind_an_issue);
    tcase_add_test(cases, far_warps);
    tcase_add_test(cases, skipped_cycles);
    tcase_add_test(cases, blocked_warps_wait);
    tcase_add_test(cases, blocked_for_long);
    tcase_add_test(cases, wheel_in_use_while_deferred);
}
