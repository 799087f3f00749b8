#include "sim/sm/stall_accounting.h"
#include "tests/sm/units.h"

static WsInstructionCounters counters;
static WsWarp *warp;

static void setup(void)
{
    counters = (WsInstructionCounters){0};
    warp = g_aligned_alloc0(1, sizeof *warp, 256);
}

static void teardown(void)
{
    g_aligned_free(warp);
}

/* Cycles charged to each reason, of those that have any. */
static void check(const char *what, const guint64 expected[WS_STALL_COUNT])
{
    for (guint i = 0; i < WS_STALL_COUNT; i++)
        ck_assert_msg(counters.stalls[i] == expected[i], "%s: %s has %u cycles, not %u", what,
                      ws_stall_name(i), (guint)counters.stalls[i], (guint)expected[i]);
}

/* Each reason has the stretch in which no higher one holds; the rest up to the issue is the pipe's,
 * the dispatcher's or the policy's. */
START_TEST(stretches)
{
    WsSubCore *sub_core = g_new0(WsSubCore, 1);

    warp->account.counted_to = 100;
    warp->hold = (WsIssueHold){104, WS_STALL_BARRIER};
    warp->front_end.ready = 103; /* hidden */
    warp->front_end.constant_ready = 106;
    warp->operands.until[WS_WAIT_LONG] = 106; /* hidden */
    warp->operands.until[WS_WAIT_SHORT] = 109;
    warp->operands.until[WS_WAIT_FIXED] = 110;
    warp->ready = 110;
    warp->resource = WS_RESOURCE_XU;
    /* Readings when it became ready, at 110, and now: the pipe was busy 3 cycles, the dispatcher 2.
     */
    warp->account.pipe_busy = 40;
    warp->account.dispatch_busy = 7;
    sub_core->pipes.busy_cycles[WS_RESOURCE_XU] = 43;
    sub_core->dispatch.busy_cycles = 9;
    ws_charge_issue(sub_core, warp, &counters, 120);
    check("stretches", (const guint64[WS_STALL_COUNT]){[WS_STALL_BARRIER] = 4,
                                                       [WS_STALL_IMC_MISS] = 2,
                                                       [WS_STALL_SHORT_SCOREBOARD] = 3,
                                                       [WS_STALL_WAIT] = 1,
                                                       [WS_STALL_MATH_PIPE_THROTTLE] = 3,
                                                       [WS_STALL_DISPATCH_STALL] = 2,
                                                       [WS_STALL_NOT_SELECTED] = 5});
    ck_assert_uint_eq(warp->account.counted_to, 121); /* the issue's own cycle is `selected` */
    g_free(sub_core);
}
END_TEST

/* A warp that issues in the cycle behind its last issue has waited for nothing. */
START_TEST(issue_by_issue)
{
    WsSubCore *sub_core = g_new0(WsSubCore, 1);

    warp->account.counted_to = 100;
    warp->ready = 100;
    ws_charge_issue(sub_core, warp, &counters, 100);
    check("issue by issue", (const guint64[WS_STALL_COUNT]){0});
    ck_assert_uint_eq(warp->account.counted_to, 101);
    g_free(sub_core);
}
END_TEST

/* Charging stops at `end`, also where a reason goes on, and nothing is charged twice. */
START_TEST(up_to_an_end)
{
    warp->account.counted_to = 100;
    warp->operands.until[WS_WAIT_LONG] = WS_NEVER;
    ck_assert_uint_eq(ws_charge_until_ready(warp, &counters, 150), 150);
    check("up to an end", (const guint64[WS_STALL_COUNT]){[WS_STALL_LONG_SCOREBOARD] = 50});
    warp->account.counted_to = 150;
    warp->operands.until[WS_WAIT_LONG] = 155;
    ck_assert_uint_eq(ws_charge_until_ready(warp, &counters, 170), 155);
    check("the rest", (const guint64[WS_STALL_COUNT]){[WS_STALL_LONG_SCOREBOARD] = 55});
}
END_TEST

/* A new warp waits for its first instructions, before anything else. */
START_TEST(set_up)
{
    warp->account.counted_to = 10;
    warp->front_end.set_up_until = 14;
    warp->hold = (WsIssueHold){14, WS_STALL_NO_INSTRUCTION};
    warp->front_end.ready = 20;
    ck_assert_uint_eq(ws_charge_until_ready(warp, &counters, 100), 20);
    check("set up", (const guint64[WS_STALL_COUNT]){[WS_STALL_NO_INSTRUCTION] = 10});
}
END_TEST

/* The reading of a pipe leaves out what is still to come of it. */
START_TEST(readings)
{
    WsSubCore *sub_core = g_new0(WsSubCore, 1);

    warp->resource = WS_RESOURCE_FP64;
    ws_pipes_block(&sub_core->pipes, WS_RESOURCE_FP64, 10, 20);
    ws_dispatcher_block(&sub_core->dispatch, &sub_core->pipes, 12, 14);
    ws_account_ready(sub_core, warp, 13);
    ck_assert_uint_eq(warp->account.pipe_busy, 2); /* 10 and 11 */
    ck_assert_uint_eq(warp->account.dispatch_busy, 1);
    ws_account_ready(sub_core, warp, 16);
    ck_assert_uint_eq(warp->account.pipe_busy, 4);
    ck_assert_uint_eq(warp->account.dispatch_busy, 2);
    g_free(sub_core);
}
END_TEST

void add_stall_accounting(TCase *cases)
{
    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, stretches);
    tcase_add_test(cases, issue_by_issue);
    tcase_add_test(cases, up_to_an_end);
    tcase_add_test(cases, set_up);
    tcase_add_test(cases, readings);
}
