#include "sim/sm/held_issue.h"
#include "tests/sm/units.h"

/* Warp 1 waits while others hold up the issue stage for 2 and 3 cycles: it waits 5 longer, once. */
START_TEST(stall_counts_stand_still)
{
    WsHeldIssue issue = {0};
    WsHeldWarp one = {0}, two = {0};

    ws_held_issue(&issue, &one, 1, 0);
    ck_assert_uint_eq(ws_held_uncounted(&issue, &one), 0);
    ck_assert_uint_eq(issue.uncounted, 0);
    ws_held_issue(&issue, &two, 2, 2);
    ck_assert_uint_eq(issue.uncounted, ~((guint64)1 << 2)); /* its own cycles it does not count */
    ck_assert_uint_eq(ws_held_uncounted(&issue, &two), 0);
    ck_assert_uint_eq(ws_held_uncounted(&issue, &one), 2);
    one.counted += 2;
    ck_assert_uint_eq(ws_held_uncounted(&issue, &one), 0);
    ws_held_issue(&issue, &two, 2, 3);
    ck_assert_uint_eq(ws_held_uncounted(&issue, &one), 3);
    /* Behind its next issue nothing of before counts. */
    ws_held_issue(&issue, &one, 1, 0);
    ck_assert_uint_eq(ws_held_uncounted(&issue, &one), 0);
    ck_assert_uint_eq(one.counted, 0);
    ck_assert_uint_eq(issue.cycles, 5);
    ck_assert_uint_eq(issue.uncounted, ~((guint64)1 << 2 | (guint64)1 << 1));
}
END_TEST

void add_held_issue(TCase *cases)
{
    tcase_add_test(cases, stall_counts_stand_still);
}
