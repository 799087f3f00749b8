#include "sim/sm/dispatcher.h"
#include "tests/sm/units.h"

#define W(n) ((guint64)1 << (n))

/* While the dispatcher is kept nothing issues, and busy pipes do not count. */
START_TEST(kept)
{
    WsDispatcher dispatcher = {.committed = WS_NO_WARP};
    WsPipes pipes = {0};

    ws_pipes_want(&pipes, 1, 0, WS_RESOURCE_ALU);
    ws_pipes_block(&pipes, WS_RESOURCE_ALU, 10, 14);
    ws_dispatcher_block(&dispatcher, &pipes, 11, 13);
    ck_assert_uint_eq(ws_issue_blocked(&dispatcher, &pipes, 12), ~(guint64)0);
    ck_assert_uint_eq(ws_issue_blocked_until(&dispatcher, &pipes, 12), 13);
    ck_assert_uint_eq(ws_issue_blocked(&dispatcher, &pipes, 13), W(1));
    ck_assert_uint_eq(ws_issue_blocked_until(&dispatcher, &pipes, 13), 14);
    ck_assert_uint_eq(ws_issue_blocked(&dispatcher, &pipes, 14), 0);
    ck_assert_uint_eq(ws_issue_blocked_until(&dispatcher, &pipes, 14), WS_NEVER);
    ck_assert_uint_eq(dispatcher.busy_cycles, 2);
    ck_assert_uint_eq(ws_dispatcher_busy_cycles(&dispatcher, 11), 0);
    ck_assert_uint_eq(ws_dispatcher_busy_cycles(&dispatcher, 12), 1);
    ck_assert_uint_eq(ws_dispatcher_busy_cycles(&dispatcher, 13), 2);
    ck_assert_uint_eq(ws_dispatcher_busy_cycles(&dispatcher, 99), 2);
    ck_assert_uint_eq(pipes.busy_cycles[WS_RESOURCE_ALU], 2); /* 10 and 13 */
}
END_TEST

/* Warps that want to issue at 100, after `last` has: who issues when, with a switch of 3 cycles. */
START_TEST(switches)
{
    static const struct {
        guint last, wanted;
        gboolean at_once;
    } table[] = {{WS_NO_WARP, 4, TRUE}, {4, 4, TRUE}, {4, 5, FALSE}};

    for (guint i = 0; i < G_N_ELEMENTS(table); i++) {
        WsDispatcher dispatcher = {.committed = WS_NO_WARP};
        WsPipes pipes = {0};
        guint warp = table[i].wanted;
        gboolean issues = ws_dispatcher_switch(&dispatcher, &pipes, table[i].last, 3, 100, &warp);

        ck_assert_int_eq(issues, table[i].at_once);
        ck_assert_uint_eq(warp, table[i].wanted);
        if (issues) {
            ck_assert_uint_eq(dispatcher.free, 0);
            continue;
        }
        ck_assert_uint_eq(dispatcher.free, 103);
        ck_assert_uint_eq(dispatcher.busy_cycles, 2);
        ck_assert_uint_eq(dispatcher.committed, table[i].wanted);
        /* Now the policy would choose another one. */
        warp = 6;
        ck_assert(ws_dispatcher_switch(&dispatcher, &pipes, table[i].last, 3, 103, &warp));
        ck_assert_uint_eq(warp, table[i].wanted);
        ck_assert_uint_eq(dispatcher.committed, WS_NO_WARP);
    }
}
END_TEST

void add_dispatcher(TCase *cases)
{
    tcase_add_test(cases, kept);
    tcase_add_test(cases, switches);
}
