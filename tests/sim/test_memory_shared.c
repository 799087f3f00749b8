#include "tests/support/memory_fixture.h"

#include "isa/bytecode/opcode.h"
#include "tests/support/suite.h"

static Machine *shared_machine(void)
{
    guint64 bytes = 4096;
    Machine *machine = machine_new("h200", NULL, 1, &bytes, 1, 65536, 0);
    ws_sm_memory_begin_block(machine->memory[0], 0, 65536);
    return machine;
}

static WsMemoryAccess strided(Machine *machine, guint64 cycle, guint32 op, guint32 bytes,
                              guint32 stride)
{
    for (guint32 lane = 0; lane < 32; lane++)
        machine_set_address(machine, 0, 0, lane, (guint64)lane * stride * bytes % 65536);
    return machine_issue(machine, 0, 0, cycle, op, machine_all(machine));
}

/* Cycles per instruction with all four sub-cores busy, measured on an H200. */
static const struct {
    guint width, bytes, stride, passes;
} bank_rows[] = {{WS_WIDTH_32, 4, 0, 1},    {WS_WIDTH_32, 4, 1, 1},   {WS_WIDTH_32, 4, 2, 2},
                 {WS_WIDTH_32, 4, 3, 1},    {WS_WIDTH_32, 4, 4, 4},   {WS_WIDTH_32, 4, 8, 8},
                 {WS_WIDTH_32, 4, 16, 16},  {WS_WIDTH_32, 4, 32, 32}, {WS_WIDTH_32, 4, 33, 1},
                 {WS_WIDTH_64, 8, 0, 1},    {WS_WIDTH_64, 8, 1, 2},   {WS_WIDTH_64, 8, 2, 4},
                 {WS_WIDTH_64, 8, 4, 8},    {WS_WIDTH_64, 8, 16, 32}, {WS_WIDTH_64, 8, 33, 2},
                 {WS_WIDTH_128, 16, 0, 2},  {WS_WIDTH_128, 16, 1, 4}, {WS_WIDTH_128, 16, 2, 8},
                 {WS_WIDTH_128, 16, 8, 32}, {WS_WIDTH_128, 16, 33, 4}};

START_TEST(banks_of_loads)
{
    Machine *machine = shared_machine();
    guint32 op = machine_op(machine, WS_OP_LDS, bank_rows[_i].width, 0);
    WsMemoryAccess access = strided(machine, 1000, op, bank_rows[_i].bytes, bank_rows[_i].stride);
    ck_assert_int_eq(access.outcome, WS_ACCESS_DONE);
    ck_assert_uint_eq(access.wavefronts, bank_rows[_i].passes);
    /* the SM serves one pass a cycle, one sub-core one in two */
    WsMemoryAccess next = strided(machine, 1001, op, bank_rows[_i].bytes, bank_rows[_i].stride);
    guint64 step = next.ready_cycle - access.ready_cycle;
    ck_assert_uint_eq(step, MAX(4, 2 * bank_rows[_i].passes));
    machine_free(machine);
}
END_TEST

START_TEST(latencies)
{
    static const struct {
        guint width, bytes, stride, latency;
    } rows[] = {{WS_WIDTH_32, 4, 1, 23},
                {WS_WIDTH_64, 8, 1, 26},
                {WS_WIDTH_128, 16, 1, 32},
                {WS_WIDTH_32, 4, 2, 25},
                {WS_WIDTH_32, 4, 32, 85}};
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        Machine *machine = shared_machine();
        guint32 op = machine_op(machine, WS_OP_LDS, rows[i].width, 0);
        WsMemoryAccess access = strided(machine, 500, op, rows[i].bytes, rows[i].stride);
        ck_assert_uint_eq(access.ready_cycle, 500 + rows[i].latency);
        machine_free(machine);
    }
}
END_TEST

START_TEST(broadcast_of_stores_is_not_merged)
{
    Machine *machine = shared_machine();
    guint32 op = machine_op(machine, WS_OP_STS, WS_WIDTH_64, 0);
    ck_assert_uint_eq(strided(machine, 0, op, 8, 0).wavefronts, 2);
    op = machine_op(machine, WS_OP_STS, WS_WIDTH_128, 0);
    ck_assert_uint_eq(strided(machine, 100, op, 16, 0).wavefronts, 4);
    machine_free(machine);
}
END_TEST

START_TEST(four_sub_cores_share_one_pass_a_cycle)
{
    Machine *machine = shared_machine();
    guint32 op = machine_op(machine, WS_OP_LDS, WS_WIDTH_32, 0);
    guint64 last = 0;
    for (guint32 warp = 0; warp < 4; warp++)
        for (guint32 lane = 0; lane < 32; lane++)
            machine_set_address(machine, 0, warp, lane, lane * 128);
    for (guint32 round = 0; round < 10; round++)
        for (guint32 warp = 0; warp < 4; warp++)
            last = machine_issue(machine, 0, warp, round, op, machine_all(machine)).ready_cycle;
    ck_assert_uint_ge(last, 39 * 32);
    ck_assert_uint_le(last, 39 * 32 + 90);
    machine_free(machine);
}
END_TEST

START_TEST(queue_holds_five)
{
    Machine *machine = shared_machine();
    guint32 op = machine_op(machine, WS_OP_LDS, WS_WIDTH_32, 0);
    guint64 cycle = 100, issued[8];
    for (guint32 i = 0; i < 8; i++) {
        guint64 free = ws_sm_memory_free_cycle(machine->memory[0], 0);
        cycle = MAX(cycle, free);
        issued[i] = cycle;
        strided(machine, cycle++, op, 4, 1);
    }
    ck_assert_uint_eq(issued[4], 104);
    ck_assert_uint_eq(issued[5], 111);
    ck_assert_uint_eq(issued[6], 115);
    ck_assert_uint_eq(issued[7], 119);
    machine_free(machine);
}
END_TEST

START_TEST(values_and_widths)
{
    Machine *machine = shared_machine();
    static const guint widths[] = {WS_WIDTH_U8, WS_WIDTH_S8, WS_WIDTH_U16, WS_WIDTH_S16};
    static const guint32 expected[] = {0x85, 0xffffff85, 0x8685, 0xffff8685};
    guint32 sts = machine_op(machine, WS_OP_STS, WS_WIDTH_128, 0);
    for (guint32 lane = 0; lane < 32; lane++) {
        machine_set_address(machine, 0, 0, lane, lane * 16);
        for (guint32 word = 0; word < 4; word++)
            *machine_register(machine, 0, 0, R_VALUE + word, lane) = 0x88878685 + lane + word;
    }
    machine_issue(machine, 0, 0, 0, sts, machine_all(machine));
    guint32 lds = machine_op(machine, WS_OP_LDS, WS_WIDTH_128, 0);
    machine_issue(machine, 0, 0, 50, lds, 0xffff0000);
    ck_assert_uint_eq(*machine_register(machine, 0, 0, R_RESULT + 3, 20), 0x88878685 + 23);
    ck_assert_uint_eq(*machine_register(machine, 0, 0, R_RESULT, 15), 0);
    for (guint i = 0; i < 4; i++) {
        guint32 op = machine_op(machine, WS_OP_LDS, widths[i], 0);
        machine_issue(machine, 0, 0, 100, op, 1);
        ck_assert_uint_eq(*machine_register(machine, 0, 0, R_RESULT, 0), expected[i]);
    }
    machine_free(machine);
}
END_TEST

START_TEST(atomics_serialise_and_add_up)
{
    Machine *machine = shared_machine();
    guint32 op = machine_atomic(machine, WS_OP_ATOMS, WS_ATOMIC_ADD, WS_ATOMIC_U32);
    for (guint32 lane = 0; lane < 32; lane++) {
        machine_set_address(machine, 0, 0, lane, 64);
        *machine_register(machine, 0, 0, R_VALUE, lane) = lane + 1;
    }
    WsMemoryAccess access = machine_issue(machine, 0, 0, 0, op, machine_all(machine));
    ck_assert_uint_eq(access.wavefronts, 32);
    ck_assert_uint_eq(access.ready_cycle, 26 + 2 * 31);
    guint32 sum = 0;
    for (guint32 lane = 0; lane < 32; sum += ++lane)
        ck_assert_uint_eq(*machine_register(machine, 0, 0, R_RESULT, lane), sum);
    guint32 cas = machine_atomic(machine, WS_OP_ATOMS_CAS, 0, WS_ATOMIC_U32);
    for (guint32 lane = 0; lane < 32; lane++) {
        *machine_register(machine, 0, 0, R_VALUE, lane) = lane == 5 ? sum : 0;
        *machine_register(machine, 0, 0, R_SECOND, lane) = 77;
    }
    access = machine_issue(machine, 0, 0, 200, cas, machine_all(machine));
    ck_assert_uint_eq(access.ready_cycle, 200 + 30 + 4 * 31);
    ck_assert_uint_eq(*machine_register(machine, 0, 0, R_RESULT, 5), sum);
    ck_assert_uint_eq(*machine_register(machine, 0, 0, R_RESULT, 6), 77);
    machine_free(machine);
}
END_TEST

START_TEST(bounds_and_alignment)
{
    Machine *machine = shared_machine();
    guint32 op = machine_op(machine, WS_OP_LDS, WS_WIDTH_64, 0);
    strided(machine, 0, op, 8, 1);
    machine_set_address(machine, 0, 0, 7, 65532);
    WsMemoryAccess access = machine_issue(machine, 0, 0, 10, op, machine_all(machine));
    ck_assert_int_eq(access.outcome, WS_ACCESS_FAULT);
    ck_assert_uint_eq(access.fault_lane, 7);
    ck_assert_str_eq(access.fault, "misaligned");
    machine_set_address(machine, 0, 0, 7, 65536);
    access = machine_issue(machine, 0, 0, 10, op, machine_all(machine));
    ck_assert_str_eq(access.fault, "out of bounds");
    ck_assert_uint_eq(access.fault_address, WS_SHARED_WINDOW + 65536);
    /* a lane that does not take part does not fault */
    access = machine_issue(machine, 0, 0, 10, op, machine_all(machine) & ~(guint64)0x80);
    ck_assert_int_eq(access.outcome, WS_ACCESS_DONE);
    machine_free(machine);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_loop_test(tests, banks_of_loads, 0, G_N_ELEMENTS(bank_rows));
    tcase_add_test(tests, latencies);
    tcase_add_test(tests, broadcast_of_stores_is_not_merged);
    tcase_add_test(tests, four_sub_cores_share_one_pass_a_cycle);
    tcase_add_test(tests, queue_holds_five);
    tcase_add_test(tests, values_and_widths);
    tcase_add_test(tests, atomics_serialise_and_add_up);
    tcase_add_test(tests, bounds_and_alignment);
}

int main(void)
{
    return run_suite("memory_shared", add_tests);
}
