#include "isa/bytecode/opcode.h"
#include "tests/support/memory_fixture.h"
#include "tests/support/suite.h"

#include <string.h>

static const char *const fixed[] = {"memory.model=fixed", NULL};
static const guint64 sizes[] = {4000, 64, 1 << 20};

static Machine *fixed_machine(guint32 local_bytes)
{
    Machine *machine = machine_new("h200", fixed, 1, sizes, 3, 1024, local_bytes);
    ws_sm_memory_begin_block(machine->memory[0], 0, 1024);
    return machine;
}

START_TEST(places)
{
    Machine *machine = fixed_machine(0);
    guint8 *data = machine->job.buffers[0].data;
    guint64 base = machine->job.buffers[0].address;
    ck_assert_ptr_eq(ws_global_memory_at(machine->contents, base + 5, 3), data + 5);
    ck_assert_ptr_eq(ws_global_memory_at(machine->contents, base, 4000), data);
    ck_assert_ptr_null(ws_global_memory_at(machine->contents, base, 4001));
    ck_assert_ptr_null(ws_global_memory_at(machine->contents, base + 3999, 2));
    ck_assert_ptr_null(ws_global_memory_at(machine->contents, base - 1, 1));
    ck_assert_ptr_null(ws_global_memory_at(machine->contents, 0, 1));
    ck_assert_ptr_null(ws_global_memory_at(machine->contents, G_MAXUINT64, 8));
    ck_assert_ptr_null(ws_global_memory_at(machine->contents, base, G_MAXUINT64));
    machine_free(machine);
}
END_TEST

START_TEST(fault_texts)
{
    static const struct {
        gint64 offset; /* from buffer b0, or an absolute address if below -1000000 */
        guint64 absolute;
        const char *text;
    } rows[] = {
        {4000, 0, "just past the end of buffer 'b0' (u32[1000])"},
        {4012, 0, "12 bytes past the end of buffer 'b0' (u32[1000])"},
        {-1, 0, "1 byte before the start of buffer 'b0' (u32[1000])"},
        {8, 0, "byte 8 of buffer 'b0' (u32[1000])"},
        {0, 0, "a null pointer"},
        {0, 16, "near a null pointer"},
        {0, WS_SHARED_WINDOW + 9, "byte 9 of the window of shared memory"},
        {0, WS_LOCAL_WINDOW + 3, "byte 3 of the window of local memory"},
    };
    Machine *machine = fixed_machine(0);
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        guint64 address = rows[i].offset != 0
                              ? machine->job.buffers[0].address + (guint64)rows[i].offset
                              : rows[i].absolute;
        g_autofree char *text = ws_global_memory_describe(machine->contents, address);
        ck_assert_str_eq(text, rows[i].text);
    }
    machine_free(machine);
}
END_TEST

static WsMemoryAccess load_at(Machine *machine, WsOpcode opcode, guint width, guint64 address)
{
    guint32 op = machine_op(machine, opcode, width, 0);
    machine_set_address(machine, 0, 0, 3, address);
    return machine_issue(machine, 0, 0, 0, op, 8);
}

START_TEST(faults)
{
    Machine *machine = fixed_machine(16);
    guint64 base = machine->job.buffers[0].address;
    ck_assert_str_eq(load_at(machine, WS_OP_LDG, WS_WIDTH_64, base + 4).fault, "misaligned");
    WsMemoryAccess access = load_at(machine, WS_OP_LDG, WS_WIDTH_128, base + 4000);
    ck_assert_str_eq(access.fault, "out of bounds");
    ck_assert_uint_eq(access.fault_lane, 3);
    ck_assert_uint_eq(access.fault_address, base + 4000);
    ck_assert_str_eq(load_at(machine, WS_OP_STG, WS_WIDTH_32, 0).fault, "out of bounds");
    ck_assert_str_eq(load_at(machine, WS_OP_LDG, WS_WIDTH_32, WS_SHARED_WINDOW).fault,
                     "wrong space");
    ck_assert_str_eq(load_at(machine, WS_OP_LD, WS_WIDTH_32, WS_LOCAL_WINDOW + 16).fault,
                     "out of bounds");
    ck_assert_str_eq(load_at(machine, WS_OP_LDL, WS_WIDTH_U16, 15).fault, "misaligned");
    ck_assert_str_eq(load_at(machine, WS_OP_LDG, WS_WIDTH_32, G_MAXUINT64 - 3).fault,
                     "out of bounds");
    ck_assert_int_eq(load_at(machine, WS_OP_LDG, WS_WIDTH_32, base + 3996).outcome, WS_ACCESS_DONE);
    machine_free(machine);
}
END_TEST

START_TEST(fixed_latency)
{
    static const char *const settings[] = {"memory.model=fixed", "classes.global_load.latency=4",
                                           NULL};
    Machine *machine = machine_new("h200", settings, 1, sizes, 3, 0, 0);
    guint64 base = machine->job.buffers[2].address;
    guint32 op = machine_op(machine, WS_OP_LDG, WS_WIDTH_32, 0);
    for (guint32 lane = 0; lane < 32; lane++)
        machine_set_address(machine, 0, 0, lane, base + lane * 4096);
    WsMemoryAccess access = machine_issue(machine, 0, 0, 10, op, machine_all(machine));
    ck_assert_int_eq(access.outcome, WS_ACCESS_DONE);
    ck_assert_uint_eq(access.ready_cycle, 14);
    ck_assert_uint_eq(access.sectors, 32);
    machine_free(machine);
}
END_TEST

/* One generic store and load whose lanes are in three spaces. */
START_TEST(generic_splits_by_lane)
{
    Machine *machine = fixed_machine(256);
    guint64 base = machine->job.buffers[2].address;
    guint32 st = machine_op(machine, WS_OP_ST, WS_WIDTH_64, 0);
    guint32 ld = machine_op(machine, WS_OP_LD, WS_WIDTH_64, 0);
    for (guint32 lane = 0; lane < 32; lane++) {
        static const guint64 windows[] = {WS_SHARED_WINDOW, WS_LOCAL_WINDOW};
        guint64 start = lane % 3 == 2 ? base : windows[lane % 3];
        machine_set_address(machine, 0, 0, lane, start + 8 * (lane / 3 + 4));
        *machine_register(machine, 0, 0, R_VALUE, lane) = 100 + lane;
        *machine_register(machine, 0, 0, R_VALUE + 1, lane) = 200 + lane;
    }
    machine_issue(machine, 0, 0, 0, st, machine_all(machine));
    WsMemoryAccess access = machine_issue(machine, 0, 0, 90, ld, machine_all(machine));
    ck_assert_int_eq(access.outcome, WS_ACCESS_DONE);
    for (guint32 lane = 0; lane < 32; lane++) {
        ck_assert_uint_eq(*machine_register(machine, 0, 0, R_RESULT, lane), 100 + lane);
        ck_assert_uint_eq(*machine_register(machine, 0, 0, R_RESULT + 1, lane), 200 + lane);
    }
    guint32 word;
    memcpy(&word, machine->job.buffers[2].data + 32, 4);
    ck_assert_uint_eq(word, 102);
    machine_free(machine);
}
END_TEST

/* Each thread has its own local memory, and a new warp finds zeros. */
START_TEST(local_memory_is_private)
{
    Machine *machine = fixed_machine(20);
    guint32 stl = machine_op(machine, WS_OP_STL, WS_WIDTH_32, 0);
    guint32 ldl = machine_op(machine, WS_OP_LDL, WS_WIDTH_32, 0);
    for (guint32 warp = 0; warp < 2; warp++) {
        for (guint32 lane = 0; lane < 32; lane++) {
            machine_set_address(machine, 0, warp, lane, 16);
            *machine_register(machine, 0, warp, R_VALUE, lane) = warp * 100 + lane;
        }
        machine_issue(machine, 0, warp, warp, stl, machine_all(machine));
    }
    machine_issue(machine, 0, 0, 50, ldl, machine_all(machine));
    ck_assert_uint_eq(*machine_register(machine, 0, 0, R_RESULT, 31), 31);
    ws_sm_memory_begin_warp(machine->memory[0], 0);
    machine_issue(machine, 0, 0, 90, ldl, machine_all(machine));
    ck_assert_uint_eq(*machine_register(machine, 0, 0, R_RESULT, 31), 0);
    machine_issue(machine, 0, 1, 90, ldl, machine_all(machine));
    ck_assert_uint_eq(*machine_register(machine, 0, 1, R_RESULT, 5), 105);
    machine_free(machine);
}
END_TEST

START_TEST(rz_stores_zero)
{
    Machine *machine = fixed_machine(0);
    guint32 op = machine_op(machine, WS_OP_STG, WS_WIDTH_128, 0);
    machine->decoded.instructions[op].b = -1;
    guint64 base = machine->job.buffers[1].address;
    memset(machine->job.buffers[1].data, 0xff, 64);
    machine_set_address(machine, 0, 0, 0, base + 16);
    machine_issue(machine, 0, 0, 0, op, 1);
    for (guint i = 0; i < 64; i++)
        ck_assert_uint_eq(machine->job.buffers[1].data[i], i >= 16 && i < 32 ? 0 : 0xff);
    machine_free(machine);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_test(tests, places);
    tcase_add_test(tests, fault_texts);
    tcase_add_test(tests, faults);
    tcase_add_test(tests, fixed_latency);
    tcase_add_test(tests, generic_splits_by_lane);
    tcase_add_test(tests, local_memory_is_private);
    tcase_add_test(tests, rz_stores_zero);
}

int main(void)
{
    return run_suite("memory_contents", add_tests);
}
