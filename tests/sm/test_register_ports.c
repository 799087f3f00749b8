#include "sim/sm/register_ports.h"
#include "tests/sm/units.h"

/*
 * An instruction that issues at 100, on ports that are free from `even` and `odd` on: how long its
 * reads hold up the next issue, how much later its result comes, and when the ports are free. With
 * `read_cycles` 2 (an H200 has 2), one pass.
 */
START_TEST(reads)
{
    static const struct {
        guint64 even, odd;
        WsBankReads reads;
        guint held, late;
        guint64 free_even, free_odd;
    } table[] = {
        {0, 0, {0, 0}, 0, 0, 100, 100},     {0, 0, {1, 1}, 0, 0, 101, 101},
        {0, 0, {2, 1}, 0, 0, 102, 101},     {0, 0, {3, 0}, 1, 0, 103, 100},
        {0, 0, {1, 3}, 1, 0, 101, 103},     {101, 0, {1, 0}, 0, 0, 102, 100},
        {102, 0, {1, 0}, 1, 1, 103, 100},   {0, 102, {0, 2}, 2, 2, 100, 104},
        {102, 102, {3, 1}, 3, 2, 105, 103}, {105, 0, {0, 1}, 3, 3, 105, 101},
    };
    WsPortRules rules = {.passes = 1, .read_cycles = 2};

    for (guint i = 0; i < G_N_ELEMENTS(table); i++) {
        WsRegisterPorts ports = {.free = {table[i].even, table[i].odd}};
        guint late = 0, held = 0;

        if (!ws_ports_read_at_once(&ports, &rules, table[i].reads, 100))
            held = ws_ports_read(&ports, &rules, table[i].reads, 100, 100, &late);
        ck_assert_msg(held == table[i].held && late == table[i].late, "row %u: %u, %u", i, held,
                      late);
        ck_assert_uint_eq(ports.free[0], table[i].free_even);
        ck_assert_uint_eq(ports.free[1], table[i].free_odd);
    }
}
END_TEST

/* With three cycles to read, two reads of a bank begin in the second. Two passes take twice as
 * long. A register that is not there yet is read when it is. */
START_TEST(other_ports)
{
    static const struct {
        WsPortRules rules;
        WsBankReads reads;
        guint64 first;
        guint held;
        guint64 free_even, free_odd;
    } table[] = {
        {{.passes = 1, .read_cycles = 3, .second_later = TRUE}, {2, 1}, 100, 0, 103, 101},
        {{.passes = 1, .read_cycles = 3, .second_later = TRUE}, {2, 2}, 100, 0, 103, 103},
        {{.passes = 1, .read_cycles = 3, .second_later = TRUE}, {1, 2}, 101, 1, 102, 104},
        {{.passes = 2, .read_cycles = 4}, {2, 1}, 100, 0, 104, 102},
        {{.passes = 2, .read_cycles = 4}, {3, 1}, 100, 2, 106, 102},
        {{.passes = 1, .read_cycles = 2}, {2, 0}, 103, 3, 105, 103},
    };

    for (guint i = 0; i < G_N_ELEMENTS(table); i++) {
        WsRegisterPorts ports = {0};
        guint late = 0;
        guint held =
            ws_ports_read(&ports, &table[i].rules, table[i].reads, 100, table[i].first, &late);

        ck_assert_msg(held == table[i].held, "row %u: %u", i, held);
        ck_assert_uint_eq(ports.free[0], table[i].free_even);
        ck_assert_uint_eq(ports.free[1], table[i].free_odd);
    }
}
END_TEST

/* Ports that are still busy, or two reads of a bank, are not done at once. */
START_TEST(at_once)
{
    const WsPortRules rules = {.passes = 1, .read_cycles = 2};
    WsRegisterPorts free = {.free = {100, 100}}, even = {.free = {101, 0}},
                    odd = {.free = {0, 101}};

    ck_assert(ws_ports_read_at_once(&free, &rules, (WsBankReads){1, 0}, 100));
    ck_assert(!ws_ports_read_at_once(&even, &rules, (WsBankReads){0, 1}, 100));
    ck_assert(!ws_ports_read_at_once(&odd, &rules, (WsBankReads){1, 0}, 100));
    ck_assert(!ws_ports_read_at_once(&free, &rules, (WsBankReads){2, 0}, 200));
    ck_assert(!ws_ports_read_at_once(&free, &rules, (WsBankReads){0, 2}, 200));
}
END_TEST

/* Operands cached by instructions right before, of the same warp and in line: reads[] has the
 * number for each length of such a run. */
START_TEST(runs)
{
    guint64 counts[12];
    const WsPortRules rules = {.reads = counts};
    WsRegisterPorts ports = {0};

    /* Byte r: r even reads, and 7 - r odd ones. */
    for (guint pc = 0; pc < G_N_ELEMENTS(counts); pc++) {
        counts[pc] = 0;
        for (guint64 run = 0; run < WS_READ_RUNS; run++)
            counts[pc] |= (run | (7 - run) << WS_READ_BITS) << 8 * run;
    }
    static const struct {
        guint32 pc;
        guint warp, run;
    } table[] = {
        {0, 1, 0}, {1, 1, 1}, {2, 1, 2}, {3, 2, 0}, {4, 1, 0}, /* another warp in between */
        {5, 1, 1}, {8, 1, 0},                                  /* a jump */
        {9, 1, 1}, {9, 1, 0},                                  /* the same instruction again */
    };
    for (guint i = 0; i < G_N_ELEMENTS(table); i++) {
        WsBankReads next = ws_ports_next(&ports, &rules, table[i].pc, table[i].warp);
        ck_assert_uint_eq(next.even, table[i].run);
        ck_assert_uint_eq(next.odd, 7 - table[i].run);
    }
    /* A long run counts as the longest that matters. */
    for (guint32 pc = 0; pc < G_N_ELEMENTS(counts); pc++)
        ck_assert_uint_eq(ws_ports_next(&ports, &rules, pc, 3).even, MIN(pc, WS_READ_RUNS - 1));
}
END_TEST

/* A bank takes one result a cycle, and the XU pipe's come first. */
START_TEST(results_of_the_xu_pipe)
{
    WsRegisterPorts ports = {0};

    ck_assert(!ws_ports_expect_xu(&ports, 0));
    ws_ports_write_xu(&ports, 0, 20);
    ws_ports_write_xu(&ports, 0, 21);
    ck_assert(ws_ports_expect_xu(&ports, 20));
    ck_assert(!ws_ports_expect_xu(&ports, 21));
    ck_assert_uint_eq(ws_ports_wait_to_write(&ports, 0, 19), 0);
    ck_assert_uint_eq(ws_ports_wait_to_write(&ports, 0, 20), 2);
    ck_assert_uint_eq(ws_ports_wait_to_write(&ports, 0, 21), 1);
    ck_assert_uint_eq(ws_ports_wait_to_write(&ports, 0, 22), 0);
    ck_assert_uint_eq(ws_ports_wait_to_write(&ports, 1, 20), 0);
    ws_ports_write_xu(&ports, 1, 30);
    ck_assert_uint_eq(ws_ports_wait_to_write(&ports, 0, 20), 0); /* long past by then */
    ck_assert_uint_eq(ws_ports_wait_to_write(&ports, 0, 21), 1);
    ck_assert_uint_eq(ws_ports_wait_to_write(&ports, 1, 30), 1);
}
END_TEST

void add_register_ports(TCase *cases)
{
    tcase_add_test(cases, reads);
    tcase_add_test(cases, other_ports);
    tcase_add_test(cases, at_once);
    tcase_add_test(cases, runs);
    tcase_add_test(cases, results_of_the_xu_pipe);
}
