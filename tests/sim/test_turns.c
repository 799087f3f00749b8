/* Turns of a unit that serves one request at a time. */
#include <string.h>

#include "sim/base/turns.h"
#include "tests/support/suite.h"

/* One that comes while another has its turn waits. */
START_TEST(one_after_the_other)
{
    WsTurns turns = {0};

    ck_assert_uint_eq(ws_turns_take(&turns, 10, 10, 4), 14);
    ck_assert_uint_eq(ws_turns_take(&turns, 11, 11, 4), 18);
    ck_assert_uint_eq(ws_turns_take(&turns, 12, 20, 4), 24);
    ck_assert_uint_eq(ws_turns_take(&turns, 30, 30, 4), 34);
}
END_TEST

/* One that comes before what was asked for earlier has the first gap that is long enough. */
START_TEST(gaps)
{
    WsTurns turns = {0};

    ck_assert_uint_eq(ws_turns_take(&turns, 0, 10, 4), 14);
    ck_assert_uint_eq(ws_turns_take(&turns, 0, 20, 4), 24);
    ck_assert_uint_eq(ws_turns_take(&turns, 1, 1, 4), 5);
    ck_assert_uint_eq(ws_turns_take(&turns, 1, 2, 4), 9);
    ck_assert_uint_eq(ws_turns_take(&turns, 1, 3, 4), 18);
    ck_assert_uint_eq(ws_turns_take(&turns, 1, 3, 4), 28);
    ck_assert_uint_eq(ws_turns_take(&turns, 1, 3, 2), 20);
    ck_assert_uint_eq(ws_turns_take(&turns, 1, 3, 1), 10);
    ck_assert_uint_eq(turns.count, 1);
    ck_assert_uint_eq(turns.from[0], 1);
    ck_assert_uint_eq(turns.to[0], 28);
}
END_TEST

/* What takes no time needs no turn. */
START_TEST(no_time)
{
    WsTurns turns = {0};

    ck_assert_uint_eq(ws_turns_take(&turns, 0, 5, 10), 15);
    ck_assert_uint_eq(ws_turns_take(&turns, 0, 6, 0), 6);
}
END_TEST

/*
 * Beside a list of all cycles. Where there are more gaps than can be kept, a turn may come later,
 * and still no two share a cycle.
 */
START_TEST(beside_a_list)
{
    enum { CYCLES = 20000 };
    g_autofree guint8 *busy = g_malloc0(CYCLES);
    WsTurns turns = {0};
    guint32 random = (guint32)_i + 1, full = 0;

    for (guint64 now = 0; now < CYCLES / 2; now += random >> 24 & 7) {
        guint64 come, cycles, end, first;

        random = random * 1664525 + 1013904223;
        cycles = 1 + (random >> 8) % 5;
        come = now + (random >> 16) % (_i % 2 == 0 ? 30 : 3000);
        end = ws_turns_take(&turns, now, come, cycles);
        ck_assert_uint_le(end, CYCLES);
        for (first = come; memchr(busy + first, 1, cycles) != NULL; first++)
            ;
        full += turns.count == WS_TURN_SPANS;
        if (full == 0)
            ck_assert_uint_eq(end, first + cycles);
        ck_assert_uint_ge(end, first + cycles);
        ck_assert(memchr(busy + end - cycles, 1, cycles) == NULL);
        memset(busy + end - cycles, 1, cycles);
    }
    ck_assert(_i % 2 == 0 || full != 0);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, one_after_the_other);
    tcase_add_test(cases, gaps);
    tcase_add_test(cases, no_time);
    tcase_add_loop_test(cases, beside_a_list, 0, 8);
}

int main(void)
{
    return run_suite("turns", add_tests);
}
