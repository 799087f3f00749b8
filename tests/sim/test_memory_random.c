/* Random loads, stores and atomics of one SM, against a plain array. */
#include "isa/bytecode/opcode.h"
#include "tests/support/memory_fixture.h"
#include "tests/support/split_mix.h"
#include "tests/support/suite.h"

#include <string.h>

enum { STEPS = 1000, MORE_STEPS = 4000 };

static guint32 steps = STEPS;

enum { L1_BYTES = 262144 }; /* and shared memory, of the H200 */

static guint64 buffer(const Machine *machine, guint32 number)
{
    return machine->job.buffers[number].address;
}

/* One warp's load under way and what it must bring. */
typedef struct {
    gboolean busy;
    guint bytes;
    guint64 mask;
    guint8 expected[32][16];
} PendingLoad;

/* An access to be issued: kinds 0 to 2 load, 3 loads strongly, 4 to 6 store, 7 adds. */
typedef struct {
    guint kind, bytes;
    guint64 mask, region, start, step_bytes;
    gboolean regular;
} RandomAccess;

enum { WIDTHS = 5 };

static const guint width_bytes[WIDTHS] = {4, 1, 8, 16, 2};

static void check_load(Machine *machine, guint32 warp, PendingLoad *load, guint64 *now)
{
    while (ws_sm_memory_warp_busy(machine->memory[0], warp))
        machine_run(machine, *now += 50);
    for (guint lane = 0; lane < 32; lane++)
        for (guint byte = 0; (load->mask >> lane & 1) && byte < load->bytes; byte++)
            ck_assert_uint_eq(*machine_register(machine, 0, warp, R_RESULT + byte / 4, lane) >>
                                      (byte % 4 * 8) &
                                  0xff,
                              load->expected[lane][byte]);
    load->busy = FALSE;
}

/* What the access does to the plain array, or expects of it. */
static void apply_to_plain(const RandomAccess *access, const guint32 value[4], guint8 *plain,
                           guint8 *expected)
{
    if (access->kind < 4) {
        memcpy(expected, plain, access->bytes);
    } else if (access->kind < 7) {
        for (guint byte = 0; byte < access->bytes; byte++)
            plain[byte] = (guint8)(value[byte / 4] >> (byte % 4 * 8));
    } else {
        guint32 word;
        memcpy(&word, plain, 4);
        word += value[0];
        memcpy(plain, &word, 4);
    }
}

/* Addresses and values of all lanes, of which only those of the mask take part. */
static void prepare_lanes(Machine *machine, guint32 warp, const RandomAccess *access,
                          guint64 *state, guint8 *plain, PendingLoad *load)
{
    guint64 size = machine->job.buffers[0].bytes;
    for (guint lane = 0; lane < 32; lane++) {
        guint64 offset = access->regular ? (access->start + lane * access->step_bytes) % size
                                         : split_mix_next(state) %
                                               (access->region / access->bytes) * access->bytes;
        machine_set_address(machine, 0, warp, lane, buffer(machine, 0) + offset);
        guint32 value[4];
        for (guint word = 0; word < 4; word++) {
            value[word] = (guint32)split_mix_next(state);
            *machine_register(machine, 0, warp, R_VALUE + word, lane) = value[word];
        }
        if (access->mask >> lane & 1)
            apply_to_plain(access, value, plain + offset, load->expected[lane]);
    }
}

/*
 * One SM, one warp after the other's access, all kinds, with tiny caches so that everything is
 * evicted all the time. Every load must see what the plain array holds: one SM sees its own stores
 * in order, whatever is under way.
 */
START_TEST(random_accesses)
{
    const char *const settings[] = {"memory.l1.ways=4",
                                    "memory.l1.sweep_ways=4",
                                    "memory.l1.mshrs=24",
                                    "memory.l2.bytes=49152",
                                    "memory.l2.slices=4",
                                    "memory.l2.ways=2",
                                    "memory.l1.reserved_lines=4",
                                    _i < 6   ? "memory.l1.replacement=least_recent"
                                    : _i < 9 ? "memory.l1.spare_above=8"
                                             : "memory.l1.spare_above=64",
                                    NULL};
    static const guint widths[WIDTHS] = {WS_WIDTH_32, WS_WIDTH_U8, WS_WIDTH_64, WS_WIDTH_128,
                                         WS_WIDTH_U16};
    guint64 size = 32768, state = (guint64)_i + 1, now = 0;
    Machine *machine = machine_new("h200", settings, 1, &size, 1, L1_BYTES - 2048, 0);
    g_autofree guint8 *plain = g_malloc0(size);
    guint32 operations[8][WIDTHS];
    for (guint kind = 0; kind < 8; kind++)
        for (guint i = 0; i < WIDTHS; i++)
            operations[kind][i] =
                kind == 7   ? machine_atomic(machine, WS_OP_RED, WS_ATOMIC_ADD, WS_ATOMIC_U32)
                : kind >= 4 ? machine_op(machine, WS_OP_STG, widths[i], 0)
                            : machine_op(machine, WS_OP_LDG, widths[i],
                                         kind == 3 ? WS_CACHE_STRONG_GPU : 0);
    PendingLoad loads[8] = {0};
    for (guint32 step = 0; step < steps; step++) {
        guint32 warp = step % G_N_ELEMENTS(loads);
        now += split_mix_next(&state) % 40;
        machine_run(machine, now);
        if (loads[warp].busy)
            check_load(machine, warp, &loads[warp], &now);
        RandomAccess random = {.kind = split_mix_next(&state) % 8};
        guint width = split_mix_next(&state) % WIDTHS;
        random.bytes = random.kind == 7 ? 4 : width_bytes[width];
        random.mask =
            split_mix_next(&state) % 3 == 0 ? split_mix_next(&state) & 0xffffffff : 0xffffffff;
        random.region = split_mix_next(&state) % 4 == 0 ? size : 2048;
        random.start = split_mix_next(&state) % (size / 16) * 16;
        random.regular = split_mix_next(&state) % 2;
        random.step_bytes = split_mix_next(&state) % 3 * random.bytes;
        prepare_lanes(machine, warp, &random, &state, plain, &loads[warp]);
        WsMemoryAccess access =
            machine_issue(machine, 0, warp, now, operations[random.kind][width], random.mask);
        ck_assert_int_ne(access.outcome, WS_ACCESS_FAULT);
        loads[warp].busy = random.kind < 4;
        loads[warp].bytes = random.bytes;
        loads[warp].mask = random.mask;
    }
    machine_drain(machine);
    ws_memory_system_flush(machine->system);
    ck_assert_mem_eq(machine->job.buffers[0].data, plain, size);
    machine_free(machine);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, random_accesses, 0, 12);
}

int main(int argc, char **argv)
{
    if (argc > 1 && g_str_equal(argv[1], "more"))
        steps = MORE_STEPS;
    return run_suite("memory_random", add_tests);
}
