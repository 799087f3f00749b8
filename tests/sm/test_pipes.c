#include "sim/sm/pipes.h"
#include "tests/sm/units.h"

#define W(n) ((guint64)1 << (n))

/* The next instruction for a pipe issues `interval` cycles after the one before. */
START_TEST(interval)
{
    static const struct {
        guint resource;
        guint64 interval;
    } table[] = {{WS_RESOURCE_ALU, 2}, {WS_RESOURCE_FP64, 4}, {WS_RESOURCE_XU, 8}};

    for (guint i = 0; i < G_N_ELEMENTS(table); i++) {
        guint r = table[i].resource;
        guint64 end = 100 + table[i].interval;
        WsPipes pipes = {0};

        ws_pipes_want(&pipes, 3, 0, r);
        ws_pipes_want(&pipes, 4, 0, WS_RESOURCE_UNIFORM);
        ws_pipes_issue(&pipes, r, 100, end);
        ck_assert_uint_eq(ws_pipes_blocked(&pipes, end - 1), W(3));
        ck_assert_uint_eq(ws_pipes_blocked_until(&pipes, end - 1), end);
        ck_assert_uint_eq(ws_pipes_blocked(&pipes, end), 0);
        ck_assert_uint_eq(ws_pipes_blocked_until(&pipes, end), WS_NEVER);
        ck_assert_uint_eq(pipes.busy, 0);
    }
}
END_TEST

/* A pipe that nobody wants is no reason to look again. */
START_TEST(blocked_until_counts_wanted_pipes)
{
    WsPipes pipes = {0};

    ws_pipes_block(&pipes, WS_RESOURCE_ALU, 10, 20);
    ws_pipes_block(&pipes, WS_RESOURCE_XU, 10, 15);
    ck_assert_uint_eq(ws_pipes_blocked_until(&pipes, 12), WS_NEVER);
    ws_pipes_want(&pipes, 0, 0, WS_RESOURCE_ALU);
    ck_assert_uint_eq(ws_pipes_blocked_until(&pipes, 12), 20);
    ws_pipes_want(&pipes, 1, 0, WS_RESOURCE_XU);
    ck_assert_uint_eq(ws_pipes_blocked_until(&pipes, 12), 15);
}
END_TEST

/* A warp wants one resource at a time, and what was checked before no longer holds. */
START_TEST(want)
{
    WsPipes pipes = {.checked = 7};

    ws_pipes_want(&pipes, 9, WS_RESOURCE_FMA, WS_RESOURCE_LG);
    ck_assert_uint_eq(pipes.want[WS_RESOURCE_LG], W(9));
    ck_assert_uint_eq(pipes.checked, WS_NEVER);
    ws_pipes_want(&pipes, 9, WS_RESOURCE_LG, WS_RESOURCE_ALU);
    ck_assert_uint_eq(pipes.want[WS_RESOURCE_LG], 0);
    ck_assert_uint_eq(pipes.want[WS_RESOURCE_ALU], W(9));
}
END_TEST

/*
 * The FMA pipe: products take its one half, what either half can do takes the half that is free.
 * Cycles from which each kind may issue again, after the instructions of a row.
 */
START_TEST(halves_of_the_fma_pipe)
{
    enum { P = WS_RESOURCE_FMA, E = WS_RESOURCE_EITHER };
    static const struct {
        guint first, second; /* issue at 10 and 11, for 4 cycles */
        guint64 product, either;
    } table[] = {
        {E, E, 15, 14}, /* the half without products, then the other one */
        {P, E, 14, 14}, /* a product's half, then the other */
        {E, P, 15, 14}, /* the same the other way round */
    };

    for (guint i = 0; i < G_N_ELEMENTS(table); i++) {
        WsPipes pipes = {0};

        ws_pipes_issue(&pipes, table[i].first, 10, 14);
        ck_assert_uint_le(pipes.free[table[i].second], 11);
        ws_pipes_issue(&pipes, table[i].second, 11, 15);
        ck_assert_uint_eq(pipes.free[P], table[i].product);
        ck_assert_uint_eq(pipes.free[E], table[i].either);
    }
}
END_TEST

/* busy_cycles runs ahead up to `free`; a reading at a cycle leaves out what is still to come, and
 * what the dispatcher takes. */
START_TEST(busy_cycles)
{
    WsPipes pipes = {0};

    ws_pipes_block(&pipes, WS_RESOURCE_XU, 10, 18);
    ck_assert_uint_eq(pipes.busy_cycles[WS_RESOURCE_XU], 8);
    ck_assert_uint_eq(ws_pipes_busy_cycles(&pipes, WS_RESOURCE_XU, 10, 0), 0);
    ck_assert_uint_eq(ws_pipes_busy_cycles(&pipes, WS_RESOURCE_XU, 13, 0), 3);
    ck_assert_uint_eq(ws_pipes_busy_cycles(&pipes, WS_RESOURCE_XU, 40, 0), 8);
    /* Longer, and not counted twice. */
    ws_pipes_block(&pipes, WS_RESOURCE_XU, 14, 21);
    ck_assert_uint_eq(pipes.busy_cycles[WS_RESOURCE_XU], 11);
    ws_pipes_block(&pipes, WS_RESOURCE_XU, 14, 20);
    ck_assert_uint_eq(pipes.free[WS_RESOURCE_XU], 21);
    ck_assert_uint_eq(pipes.busy_cycles[WS_RESOURCE_XU], 11);
    /* Cycles 12 to 16 are the dispatcher's: 4 of the 11 no longer count. */
    ws_pipes_leave_to_dispatcher(&pipes, 12, 16);
    ck_assert_uint_eq(pipes.busy_cycles[WS_RESOURCE_XU], 7);
    ck_assert_uint_eq(ws_pipes_busy_cycles(&pipes, WS_RESOURCE_XU, 13, 16), 2);
    ck_assert_uint_eq(ws_pipes_busy_cycles(&pipes, WS_RESOURCE_XU, 18, 16), 4);
    ws_pipes_leave_to_dispatcher(&pipes, 19, 30); /* only 19 and 20 were busy */
    ck_assert_uint_eq(pipes.busy_cycles[WS_RESOURCE_XU], 5);
}
END_TEST

/* While L1 takes nothing, no access to global memory issues; when it opens, from the cycle on at
 * which the pipe, and the queue, are free as well. */
START_TEST(closed_memory)
{
    static const struct {
        guint64 busy_until, opened, queue_free, free;
    } table[] = {{0, 50, 0, 50}, {60, 50, 0, 60}, {0, 50, 70, 70}, {0, 5, 0, 20}};

    for (guint i = 0; i < G_N_ELEMENTS(table); i++) {
        WsPipes pipes = {0};

        ws_pipes_want(&pipes, 2, 0, WS_RESOURCE_LG);
        ws_pipes_block(&pipes, WS_RESOURCE_LG, 10, table[i].busy_until);
        ws_pipes_close(&pipes, 20);
        ck_assert_uint_eq(ws_pipes_blocked(&pipes, 1000000), W(2));
        ck_assert_uint_eq(ws_pipes_open(&pipes, table[i].opened, table[i].queue_free),
                          table[i].free);
        ck_assert_uint_eq(pipes.free[WS_RESOURCE_LG], table[i].free);
        ck_assert_uint_eq(ws_pipes_blocked(&pipes, table[i].free), 0);
        ck_assert_uint_eq(pipes.busy_cycles[WS_RESOURCE_LG],
                          table[i].free - (table[i].busy_until > 0 ? 10 : 20));
    }
}
END_TEST

START_TEST(stall_of_a_busy_resource)
{
    ck_assert_int_eq(ws_resource_stall(WS_RESOURCE_LG), WS_STALL_LG_THROTTLE);
    ck_assert_int_eq(ws_resource_stall(WS_RESOURCE_MIO), WS_STALL_MIO_THROTTLE);
    for (guint r = 0; r < WS_RESOURCE_COUNT; r++)
        if (r != WS_RESOURCE_LG && r != WS_RESOURCE_MIO)
            ck_assert_int_eq(ws_resource_stall(r), WS_STALL_MATH_PIPE_THROTTLE);
}
END_TEST

void add_pipes(TCase *cases)
{
    tcase_add_test(cases, interval);
    tcase_add_test(cases, blocked_until_counts_wanted_pipes);
    tcase_add_test(cases, want);
    tcase_add_test(cases, halves_of_the_fma_pipe);
    tcase_add_test(cases, busy_cycles);
    tcase_add_test(cases, closed_memory);
    tcase_add_test(cases, stall_of_a_busy_resource);
}
