#include "sim/sm/eligibility.h"
#include "tests/sm/units.h"

#include <string.h>

static WsSm *sm;
static WsWarp *warp;
static WsSubCore *sub_core;

static void setup(void)
{
    sm = g_new0(WsSm, 1);
    sm->state = g_aligned_alloc0(1, sizeof *sm->state, 256);
    warp = &sm->state->warps[5];
    sub_core = &sm->state->sub_cores[2];
    *warp = (WsWarp){.slot = 5, .sub_core = 2, .number = 1, .state = WS_WARP_TIMED};
}

static void teardown(void)
{
    g_aligned_free(sm->state);
    g_free(sm);
}

/*
 * Everything that can hold a warp back does, each a cycle shorter than the one above it: the reason
 * in each cycle shows the order.
 */
START_TEST(order_of_stalls)
{
    static const WsStall order[] = {
        WS_STALL_NO_INSTRUCTION, /* of a warp that is being set up */
        WS_STALL_SLEEPING,       /* what the last instruction makes it wait for */
        WS_STALL_NO_INSTRUCTION,     WS_STALL_IMC_MISS,     WS_STALL_LONG_SCOREBOARD,
        WS_STALL_SHORT_SCOREBOARD,   WS_STALL_WAIT,         WS_STALL_DISPATCH_STALL,
        WS_STALL_MATH_PIPE_THROTTLE, WS_STALL_NOT_SELECTED,
    };

    warp->resource = WS_RESOURCE_ALU;
    warp->front_end.set_up_until = 1;
    warp->hold = (WsIssueHold){2, WS_STALL_SLEEPING};
    warp->front_end.ready = 3;
    warp->front_end.constant_ready = 4;
    warp->operands.until[WS_WAIT_LONG] = 5;
    warp->operands.until[WS_WAIT_SHORT] = 6;
    warp->operands.until[WS_WAIT_FIXED] = 7;
    sub_core->dispatch.free = 8;
    sub_core->pipes.free[WS_RESOURCE_ALU] = 9;
    for (guint64 cycle = 0; cycle < G_N_ELEMENTS(order); cycle++) {
        WsStall reason = ws_warp_stall(sm, 5, cycle);

        ck_assert_msg(reason == order[cycle], "cycle %" G_GUINT64_FORMAT ": %s, not %s", cycle,
                      ws_stall_name(reason), ws_stall_name(order[cycle]));
    }
    /* A higher reason hides all below for as long as it holds. */
    warp->front_end.set_up_until = 20;
    for (guint64 cycle = 0; cycle < 20; cycle++)
        ck_assert_int_eq(ws_warp_stall(sm, 5, cycle), WS_STALL_NO_INSTRUCTION);
    ck_assert_int_eq(ws_warp_stall(sm, 5, 20), WS_STALL_NOT_SELECTED);
}
END_TEST

/* What the last instruction makes a warp wait for has its own name; a warp that drains has one too,
 * whatever else holds. */
START_TEST(names_of_holds)
{
    static const WsStall reasons[] = {WS_STALL_BARRIER, WS_STALL_MEMBAR, WS_STALL_SLEEPING,
                                      WS_STALL_BRANCH_RESOLVING};

    for (guint i = 0; i < G_N_ELEMENTS(reasons); i++) {
        warp->hold = (WsIssueHold){100, (guint8)reasons[i]};
        ck_assert_int_eq(ws_warp_stall(sm, 5, 99), reasons[i]);
        ck_assert_int_eq(ws_warp_stall(sm, 5, 100), WS_STALL_NOT_SELECTED);
    }
    warp->front_end.set_up_until = 200;
    warp->state = WS_WARP_DRAIN;
    ck_assert_int_eq(ws_warp_stall(sm, 5, 0), WS_STALL_DRAIN);
}
END_TEST

/* The pipe that the next instruction wants decides, and names the stall. */
START_TEST(pipe_of_the_next_instruction)
{
    static const struct {
        guint resource;
        WsStall reason;
    } table[] = {{WS_RESOURCE_LG, WS_STALL_LG_THROTTLE},
                 {WS_RESOURCE_MIO, WS_STALL_MIO_THROTTLE},
                 {WS_RESOURCE_XU, WS_STALL_MATH_PIPE_THROTTLE}};

    for (guint i = 0; i < G_N_ELEMENTS(table); i++) {
        memset(sub_core->pipes.free, 0, sizeof sub_core->pipes.free);
        sub_core->pipes.free[table[i].resource] = 10;
        warp->resource = (guint8)table[i].resource;
        ck_assert_int_eq(ws_warp_stall(sm, 5, 9), table[i].reason);
        warp->resource = WS_RESOURCE_UNIFORM;
        ck_assert_int_eq(ws_warp_stall(sm, 5, 9), WS_STALL_NOT_SELECTED);
    }
}
END_TEST

/* Cycles in which stall counts stood still make the wait longer, until the warp has woken. */
START_TEST(stall_counts_that_stood_still)
{
    warp->operands.until[WS_WAIT_FIXED] = 10;
    sub_core->held.cycles = 7;
    warp->held = (WsHeldWarp){.seen = 3, .counted = 1};
    ck_assert_int_eq(ws_warp_stall(sm, 5, 12), WS_STALL_WAIT);
    ck_assert_int_eq(ws_warp_stall(sm, 5, 13), WS_STALL_NOT_SELECTED);
    sub_core->wake.ready = 1 << 1;
    ck_assert_int_eq(ws_warp_stall(sm, 5, 10), WS_STALL_NOT_SELECTED);
}
END_TEST

void add_eligibility(TCase *cases)
{
    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, order_of_stalls);
    tcase_add_test(cases, names_of_holds);
    tcase_add_test(cases, pipe_of_the_next_instruction);
    tcase_add_test(cases, stall_counts_that_stood_still);
}
