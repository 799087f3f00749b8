/* What the order of SMs and the number of host threads must not change; windows. */
#include "isa/bytecode/opcode.h"
#include "sim/memory/l2_cache.h"
#include "tests/support/memory_fixture.h"
#include "tests/support/split_mix.h"
#include "tests/support/suite.h"

#include <string.h>

static const guint64 sizes[] = {8 << 20, 1 << 20};
static const char *const no_refresh[] = {"memory.dram.refresh_interval=0", NULL};

static Machine *h200(guint32 sms)
{
    return machine_new("h200", no_refresh, sms, sizes, 2, 8192, 256);
}

static void stride(Machine *machine, guint32 sm, guint32 warp, guint64 base, guint64 bytes)
{
    for (guint32 lane = 0; lane < machine->decoded.warp_size; lane++)
        machine_set_address(machine, sm, warp, lane, base + lane * bytes);
}

static guint64 buffer(const Machine *machine, guint32 number)
{
    return machine->job.buffers[number].address;
}

/* Four SMs that add, store and load in the same lines; a digest of every cycle and value. */
static guint64 crowd(gboolean reverse, guint32 shares)
{
    Machine *machine = machine_new("h200", NULL, 4, sizes, 2, 8192, 0);
    machine->reverse = reverse;
    machine->shares = shares;
    guint32 ldg = machine_op(machine, WS_OP_LDG, WS_WIDTH_32, WS_CACHE_STRONG_GPU);
    guint32 stg = machine_op(machine, WS_OP_STG, WS_WIDTH_32, 0);
    guint32 atom = machine_atomic(machine, WS_OP_ATOMG, WS_ATOMIC_EXCH, WS_ATOMIC_U32);
    guint32 ops[] = {ldg, stg, atom};
    guint64 digest = 0, state[4] = {1, 2, 3, 4};
    for (guint64 window = 0; window < 60; window++) {
        for (guint32 k = 0; k < 4; k++) {
            guint32 sm = reverse ? 3 - k : k;
            for (guint64 cycle = 0; cycle < machine->window; cycle += 20) {
                guint32 warp = (guint32)(cycle / 20 % 16);
                if (ws_sm_memory_warp_busy(machine->memory[sm], warp))
                    continue;
                for (guint lane = 0; lane < 32; lane++) {
                    machine_set_address(machine, sm, warp, lane,
                                        buffer(machine, 0) + split_mix_next(&state[sm]) % 512 * 4);
                    *machine_register(machine, sm, warp, R_VALUE, lane) =
                        (guint32)split_mix_next(&state[sm]);
                }
                machine_issue(machine, sm, warp, window * machine->window + cycle,
                              ops[split_mix_next(&state[sm]) % 3], machine_all(machine));
            }
        }
        machine_run(machine, (window + 1) * machine->window);
    }
    digest = machine_drain(machine);
    for (guint32 sm = 0; sm < 4; sm++)
        for (guint32 warp = 0; warp < 16; warp++)
            for (guint lane = 0; lane < 32; lane++)
                digest = digest * 31 + *machine_register(machine, sm, warp, R_RESULT, lane);
    for (guint i = 0; i < 2048; i++)
        digest = digest * 31 + machine->job.buffers[0].data[i];
    machine_free(machine);
    return digest;
}

START_TEST(order_of_sms_does_not_matter)
{
    ck_assert_uint_eq(crowd(FALSE, 0), crowd(TRUE, 0));
}
END_TEST

/* One share also goes the way of several: answers wait until they are collected. */
START_TEST(shares_do_not_matter)
{
    guint64 digest = crowd(FALSE, 0);

    for (guint32 shares = 1; shares <= 7; shares += 2)
        ck_assert_uint_eq(crowd(FALSE, shares), digest);
}
END_TEST

/* Scattered loads of a few lines, and atomics and stores among them. */
static void scatter(Machine *machine, guint32 warp, guint64 *state)
{
    guint64 lines = split_mix_next(state) % 40 + 1;

    for (guint lane = 0; lane < 32; lane++) {
        guint64 place = split_mix_next(state) % lines * 128 + split_mix_next(state) % 32 * 4;
        machine_set_address(machine, 0, warp, lane, buffer(machine, 0) + place);
        *machine_register(machine, 0, warp, R_VALUE, lane) = (guint32)split_mix_next(state);
    }
}

/* A digest of every cycle and value, and the number of cycles at which answers were delivered. */
static guint64 crowded_l1(const char *const *settings, guint64 carveout, guint64 seed,
                          gboolean batch, guint64 *ret_arrived)
{
    Machine *machine = machine_new("h200", settings, 1, sizes, 1, carveout, 0);
    guint32 load = machine_op(machine, WS_OP_LDG, WS_WIDTH_32, 0);
    guint32 store = machine_op(machine, WS_OP_STG, WS_WIDTH_32, 0);
    guint32 atomic = machine_atomic(machine, WS_OP_ATOMG, WS_ATOMIC_ADD, WS_ATOMIC_U32);
    guint64 state = seed, digest = 0;
    WsCounters counters = {0};

    if (batch)
        machine_batch(machine);
    for (guint64 cycle = 0; cycle < 6000; cycle += split_mix_next(&state) % 40 + 1) {
        guint32 warp = (guint32)(split_mix_next(&state) % 32);
        guint64 kind = split_mix_next(&state) % 16;
        guint32 op = kind == 0 ? store : kind == 1 ? atomic : load;
        WsMemoryAccess access;
        scatter(machine, warp, &state);
        machine_run(machine, cycle);
        digest = digest * 31 + ws_sm_memory_full(machine->memory[0]);
        if (ws_sm_memory_full(machine->memory[0]) ||
            ws_sm_memory_warp_busy(machine->memory[0], warp))
            continue;
        access = machine_issue(machine, 0, warp, cycle, op, machine_all(machine));
        digest = digest * 31 + access.ready_cycle;
    }
    machine_drain(machine);
    for (guint i = 0; i < 4096; i++)
        digest = digest * 31 + machine->ready[0][i];
    for (guint32 warp = 0; warp < 32; warp++)
        for (guint lane = 0; lane < 32; lane++)
            digest = digest * 31 + *machine_register(machine, 0, warp, R_RESULT, lane);
    ws_sm_memory_add_counters(machine->memory[0], &counters);
    *ret_arrived = machine->arrived;
    machine_free(machine);
    return digest * 31 + counters.l1_hits;
}

/* Delivered when somebody looks, answers have the effects of answers delivered when they come. */
START_TEST(batches_do_not_matter)
{
    static const char *const few_misses[] = {"memory.l1.mshrs=48", "memory.l1.miss_queue=3", NULL};
    static const char *const small_l1[] = {"memory.l1.miss_queue=2", NULL};
    const struct {
        const char *const *settings;
        guint64 carveout;
    } cases[] = {{no_refresh, 8192}, {few_misses, 8192}, {small_l1, 262144 - 8192}};
    guint64 each = 0, batches = 0;

    for (guint64 seed = 0; seed < 10; seed++)
        for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
            guint64 arrived, fewer;
            ck_assert_uint_eq(
                crowded_l1(cases[i].settings, cases[i].carveout, seed, FALSE, &arrived),
                crowded_l1(cases[i].settings, cases[i].carveout, seed, TRUE, &fewer));
            each += arrived;
            batches += fewer;
        }
    ck_assert_uint_lt(batches * 2, each);
}
END_TEST

/* Whichever share has filled a line, a flush empties it. */
START_TEST(flush_empties_every_share)
{
    for (guint32 k = 0; k < 8; k++) {
        Machine *machine = machine_new("h200", NULL, 1, sizes, 2, 8192, 0);
        WsCounters counters = {0};
        machine->shares = 3;
        guint32 op = machine_op(machine, WS_OP_LDG, WS_WIDTH_32, WS_CACHE_STRONG_GPU);
        stride(machine, 0, 0, buffer(machine, 0) + k * 128, 4);
        for (guint64 n = 0; n < 2; n++) {
            machine_complete(machine, 0, 0, n * 100000, op, machine_all(machine));
            machine_drain(machine);
            ws_memory_system_flush(machine->system);
        }
        ws_memory_system_add_counters(machine->system, &counters);
        ck_assert_uint_eq(counters.l2_lookups, 8);
        ck_assert_uint_eq(counters.l2_hits, 0);
        machine_free(machine);
    }
}
END_TEST

/* A response never falls into the window in which its request was sent. */
START_TEST(window_rule)
{
    Machine *machine = h200(1);
    guint32 op = machine_op(machine, WS_OP_LDG, WS_WIDTH_32, 0);
    for (guint32 i = 0; i < 64; i++) {
        stride(machine, 0, i, buffer(machine, 0) + (i % 8) * 128, 4);
        machine_issue(machine, 0, i, i, op, machine_all(machine));
    }
    ws_memory_system_settle(machine->system, machine->window);
    ck_assert_uint_ge(ws_sm_memory_next_response(machine->memory[0]), machine->window);
    machine_drain(machine);
    machine_free(machine);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, order_of_sms_does_not_matter);
    tcase_add_test(tests, shares_do_not_matter);
    tcase_add_test(tests, batches_do_not_matter);
    tcase_add_test(tests, flush_empties_every_share);
    tcase_add_test(tests, window_rule);
}

int main(void)
{
    return run_suite("memory_order", add_tests);
}
