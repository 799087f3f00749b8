#include "isa/bytecode/opcode.h"
#include "sim/memory/edit.h"
#include "sim/memory/l2_cache.h"
#include "tests/support/memory_fixture.h"
#include "tests/support/split_mix.h"
#include "tests/support/suite.h"

#include <string.h>

enum { L1_BYTES = 262144 }; /* and shared memory, of the H200 */

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

static void number_words(Machine *machine)
{
    for (guint32 b = 0; b < machine->job.buffer_count; b++)
        for (guint32 i = 0; i < machine->job.buffers[b].bytes / 4; i++)
            memcpy(machine->job.buffers[b].data + i * 4, &i, 4);
}

START_TEST(miss_then_hit)
{
    Machine *machine = h200(1);
    number_words(machine);
    guint32 op = machine_op(machine, WS_OP_LDG, WS_WIDTH_32, 0);
    stride(machine, 0, 0, buffer(machine, 0), 4);
    guint64 ready = machine_complete(machine, 0, 0, 100, op, machine_all(machine));
    ck_assert_uint_gt(ready, 100 + 450);
    for (guint32 lane = 0; lane < 32; lane++)
        ck_assert_uint_eq(*machine_register(machine, 0, 0, R_RESULT, lane), lane);
    memset(machine_register(machine, 0, 0, R_RESULT, 0), 0, 128);
    WsMemoryAccess access = machine_issue(machine, 0, 0, 5000, op, machine_all(machine));
    ck_assert_int_eq(access.outcome, WS_ACCESS_DONE);
    ck_assert_uint_eq(access.ready_cycle, 5031);
    ck_assert_uint_eq(*machine_register(machine, 0, 0, R_RESULT, 31), 31);
    machine_free(machine);
}
END_TEST

/* Hits in L1, measured on an H200: 31, 35, 40; 31 + 2.24 per extra pass. */
START_TEST(hit_latencies)
{
    static const struct {
        guint width, bytes, stride;
        guint64 low, high;
    } rows[] = {
        {WS_WIDTH_32, 4, 4, 31, 31},  {WS_WIDTH_64, 8, 8, 34, 35},  {WS_WIDTH_128, 16, 16, 40, 41},
        {WS_WIDTH_32, 4, 8, 33, 33},  {WS_WIDTH_32, 4, 32, 46, 47}, {WS_WIDTH_32, 4, 128, 100, 101},
        {WS_WIDTH_64, 8, 32, 47, 49},
    };
    Machine *machine = h200(1);
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        guint32 op = machine_op(machine, WS_OP_LDG, rows[i].width, 0);
        stride(machine, 0, 0, buffer(machine, 0), rows[i].stride);
        guint64 now = 100000 * (i + 1);
        machine_complete(machine, 0, 0, now, op, machine_all(machine));
        WsMemoryAccess access = machine_issue(machine, 0, 0, now + 50000, op, machine_all(machine));
        ck_assert_int_eq(access.outcome, WS_ACCESS_DONE);
        ck_assert_uint_ge(access.ready_cycle - now - 50000, rows[i].low);
        ck_assert_uint_le(access.ready_cycle - now - 50000, rows[i].high);
    }
    machine_free(machine);
}
END_TEST

static guint64 hit_latency(Machine *machine, guint width, guint64 bytes, guint64 now)
{
    guint32 op = machine_op(machine, WS_OP_LDG, width, 0);
    stride(machine, 0, 0, buffer(machine, 0), bytes);
    machine_complete(machine, 0, 0, now, op, machine_all(machine));
    now += 50000;
    return machine_issue(machine, 0, 0, now, op, machine_all(machine)).ready_cycle - now;
}

START_TEST(wide_loads_take_longer_as_set)
{
    static const char *const settings[] = {"memory.l1.two_word_latency=12",
                                           "memory.l1.four_word_latency=33",
                                           "memory.l1.pass_latency_milli=0", NULL};
    Machine *machine = machine_new("h200", settings, 1, sizes, 2, 8192, 256);
    ck_assert_uint_eq(hit_latency(machine, WS_WIDTH_32, 4, 1000), 31);
    ck_assert_uint_eq(hit_latency(machine, WS_WIDTH_64, 8, 200000), 31 + 12);
    ck_assert_uint_eq(hit_latency(machine, WS_WIDTH_128, 16, 300000), 31 + 33);
    machine_free(machine);
}
END_TEST

START_TEST(homes_are_dealt_in_pieces_as_set)
{
    static const char *const settings[] = {"memory.l2.home_bytes=65536", NULL};
    Machine *machine = machine_new("h200", settings, 1, sizes, 2, 8192, 256);
    WsL2Geometry geometry;
    guint pieces_at[2] = {0, 0};
    ws_l2_geometry_init(&geometry, machine->device);
    for (guint64 piece = 0; piece < 1000; piece++) {
        guint32 home = ws_l2_home_of(&geometry, piece * 512);
        for (guint64 line = 1; line < 512; line++)
            ck_assert_uint_eq(ws_l2_home_of(&geometry, piece * 512 + line), home);
        pieces_at[home]++;
    }
    ck_assert_uint_gt(pieces_at[0], 400);
    ck_assert_uint_gt(pieces_at[1], 400);
    machine_free(machine);
}
END_TEST

/* Mean over lines of a chain of loads that bypass L1. */
static double chase(Machine *machine, guint32 loads, guint64 step, guint64 *least, guint64 *most,
                    guint64 from)
{
    guint32 op = machine_op(machine, WS_OP_LDG, WS_WIDTH_32, WS_CACHE_STRONG_GPU);
    guint64 now = from, index = 0;
    *least = G_MAXUINT64;
    *most = 0;
    for (guint32 i = 0; i < loads; i++) {
        index = (index * 5 + 12345) % (sizes[0] / step);
        machine_set_address(machine, 0, 0, 0, buffer(machine, 0) + index * step);
        guint64 ready = machine_complete(machine, 0, 0, now, op, 1);
        *least = MIN(*least, ready - now);
        *most = MAX(*most, ready - now);
        now = ready;
    }
    return (double)(now - from) / loads;
}

START_TEST(l2_and_dram_latency)
{
    Machine *machine = machine_new("h200", NULL, 1, sizes, 2, 8192, 0);
    guint64 least, most;
    double cold = chase(machine, 4096, 2048, &least, &most, 1000);
    ck_assert_msg(cold > 640 && cold < 665, "DRAM %.1f (%u..%u)", cold, (guint)least, (guint)most);
    double warm = chase(machine, 4096, 2048, &least, &most, 10000000);
    ck_assert_msg(warm > 275 && warm < 286, "L2 %.1f", warm);
    ck_assert_msg(least >= 250 && most <= 316, "L2 %u..%u", (guint)least, (guint)most);
    machine_free(machine);
}
END_TEST

/* Cycles per instruction of an SM: 32 warps, each waits for its load before the next. */
static double throughput(Machine *machine, guint32 op, guint64 start, guint32 rounds, guint64 bytes,
                         guint64 warp_bytes, guint64 round_bytes, guint32 in_flight)
{
    enum { WARPS = 32 };
    guint64 ready[WARPS] = {0};
    guint32 token[WARPS];
    gboolean waiting[WARPS] = {FALSE};
    guint32 issued[WARPS] = {0};
    guint64 now = start, last = start;
    guint32 left = WARPS * rounds;
    for (; left != 0 && now < start + 10000000; now++) {
        machine_run(machine, now);
        for (guint32 warp = 0; warp < WARPS; warp++) {
            if (waiting[warp] && machine->ready[0][token[warp]] != 0) {
                ready[warp] = machine->ready[0][token[warp]];
                waiting[warp] = FALSE;
                last = MAX(last, ready[warp]);
            }
        }
        for (guint32 core = 0; core < 4; core++) {
            for (guint32 k = 0; k < WARPS / 4; k++) {
                guint32 warp = core + 4 * ((k + (guint32)now) % (WARPS / 4));
                if (waiting[warp] || issued[warp] == rounds || ready[warp] > now ||
                    ws_sm_memory_full(machine->memory[0]) ||
                    ws_sm_memory_free_cycle(machine->memory[0], core) > now)
                    continue;
                stride(machine, 0, warp,
                       buffer(machine, 0) + warp * warp_bytes + issued[warp] * round_bytes, bytes);
                WsMemoryAccess access =
                    machine_issue(machine, 0, warp, now, op, machine_all(machine));
                issued[warp]++;
                left--;
                if (access.outcome == WS_ACCESS_PENDING && in_flight == 1) {
                    waiting[warp] = TRUE;
                    token[warp] = access.token;
                } else if (in_flight == 1) {
                    ready[warp] = access.ready_cycle;
                }
                last = MAX(last, access.ready_cycle);
                break;
            }
        }
    }
    last = MAX(last, now);
    return (double)(last - start) / (WARPS * rounds);
}

static const struct {
    WsOpcode opcode;
    guint width, cache;
    guint64 stride, warp, round;
    guint32 in_flight;
    double low, high;
} rates[] = {
    /* L1 hits: as many cycles as passes */
    {WS_OP_LDG, WS_WIDTH_32, 0, 4, 0, 0, 1, 0.95, 1.3},
    {WS_OP_LDG, WS_WIDTH_32, 0, 16, 0, 0, 1, 3.9, 4.8},
    {WS_OP_LDG, WS_WIDTH_32, 0, 128, 0, 0, 1, 31, 34},
    {WS_OP_LDG, WS_WIDTH_128, 0, 16, 0, 0, 1, 3.9, 4.8},
    /* stores, measured: 4, 10, 20, 40, 48; 8 and 16 for wide ones */
    {WS_OP_STG, WS_WIDTH_32, 0, 4, 4096, 0, 8, 3.9, 4.4},
    {WS_OP_STG, WS_WIDTH_32, 0, 8, 4096, 0, 8, 9.8, 10.5},
    {WS_OP_STG, WS_WIDTH_32, 0, 16, 4096, 0, 8, 19.5, 20.8},
    {WS_OP_STG, WS_WIDTH_32, 0, 32, 4096, 0, 8, 39, 41.5},
    {WS_OP_STG, WS_WIDTH_32, 0, 64, 4096, 0, 8, 47, 50},
    {WS_OP_STG, WS_WIDTH_64, 0, 8, 4096, 0, 8, 7.8, 8.5},
    {WS_OP_STG, WS_WIDTH_128, 0, 16, 4096, 0, 8, 15.6, 17},
};

START_TEST(throughputs)
{
    Machine *machine = h200(1);
    guint32 op = machine_op(machine, rates[_i].opcode, rates[_i].width, rates[_i].cache);
    throughput(machine, op, 1000, 4, rates[_i].stride, rates[_i].warp, rates[_i].round, 1);
    guint64 start = machine_drain(machine) + 1000;
    double cycles = throughput(machine, op, start, 100, rates[_i].stride, rates[_i].warp,
                               rates[_i].round, rates[_i].in_flight);
    ck_assert_msg(cycles > rates[_i].low && cycles < rates[_i].high, "row %d: %.2f", _i, cycles);
    machine_free(machine);
}
END_TEST

START_TEST(merging_misses)
{
    Machine *machine = h200(1);
    number_words(machine);
    guint32 op = machine_op(machine, WS_OP_LDG, WS_WIDTH_32, 0);
    WsCounters counters = {0};
    for (guint32 warp = 0; warp < 8; warp++) {
        stride(machine, 0, warp, buffer(machine, 0), 4);
        ck_assert_int_eq(machine_issue(machine, 0, warp, warp, op, machine_all(machine)).outcome,
                         WS_ACCESS_PENDING);
    }
    machine_drain(machine);
    for (guint32 warp = 0; warp < 8; warp++)
        ck_assert_uint_eq(*machine_register(machine, 0, warp, R_RESULT, 9), 9);
    ws_memory_system_add_counters(machine->system, &counters);
    ck_assert_uint_eq(counters.l2_lookups, 4);
    ck_assert_uint_eq(counters.dram_read_bytes, 128);
    machine_free(machine);
}
END_TEST

/* 8 KiB of L1: 64 lines of one set; the 65th line pushes out the least recently used. */
START_TEST(least_recently_used)
{
    static const char *const settings[] = {"memory.l1.ways=64",
                                           "memory.l1.replacement=least_recent", NULL};
    Machine *machine = machine_new("h200", settings, 1, sizes, 2, L1_BYTES - 8192, 0);
    guint32 op = machine_op(machine, WS_OP_LDG, WS_WIDTH_32, 0);
    guint64 now = 0;
    for (guint32 line = 0; line < 65; line++) {
        machine_set_address(machine, 0, 0, 0, buffer(machine, 0) + line * 128);
        now = machine_complete(machine, 0, 0, now + 2000, op, 1);
        if (line == 63) { /* line 0 becomes the newest */
            machine_set_address(machine, 0, 0, 0, buffer(machine, 0));
            ck_assert_int_eq(machine_issue(machine, 0, 0, now + 100, op, 1).outcome,
                             WS_ACCESS_DONE);
        }
    }
    static const struct {
        guint32 line;
        WsAccessOutcome outcome;
    } rows[] = {
        {0, WS_ACCESS_DONE}, {2, WS_ACCESS_DONE}, {64, WS_ACCESS_DONE}, {1, WS_ACCESS_PENDING}};
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        machine_set_address(machine, 0, 0, 0, buffer(machine, 0) + rows[i].line * 128);
        ck_assert_int_eq(machine_issue(machine, 0, 0, now + 5000 + i * 40, op, 1).outcome,
                         rows[i].outcome);
    }
    machine_free(machine);
}
END_TEST

/* L1 of 16 KiB with a hand: of 128 lines 56 are reserved, so that 72 fit, at any stride. */
START_TEST(clock_hand)
{
    enum { FIT = 72 };
    static const char *const settings[] = {"memory.l1.spare_above=1024", NULL};
    Machine *machine = machine_new("h200", settings, 1, sizes, 2, L1_BYTES - 16384, 0);
    guint32 op = machine_op(machine, WS_OP_LDG, WS_WIDTH_32, 0);
    guint64 now = 0;
    guint hits = 0;

    for (guint32 load = 0; load < 3 * FIT + 1; load++) {
        guint32 line = load == 2 * FIT ? FIT : load > 2 * FIT ? load - 1 : load;

        machine_set_address(machine, 0, 0, 0, buffer(machine, 0) + line % FIT * (128 << _i));
        if (load == 2 * FIT) /* one too many: one of the others leaves */
            machine_set_address(machine, 0, 0, 0, buffer(machine, 0) + FIT * (128 << _i));
        WsMemoryAccess access = machine_issue(machine, 0, 0, now += 5000, op, 1);
        if (load >= FIT && load < 2 * FIT)
            ck_assert_int_eq(access.outcome, WS_ACCESS_DONE);
        else if (load > 2 * FIT)
            hits += access.outcome == WS_ACCESS_DONE;
        if (access.outcome == WS_ACCESS_PENDING)
            now = machine_drain(machine);
    }
    ck_assert_uint_lt(hits, FIT);
    ck_assert_uint_gt(hits, FIT / 2);
    machine_free(machine);
}
END_TEST

/* Loads of a line each, also those past L1, wait for room: 8 lines are under way at a time. */
START_TEST(room_for_lines)
{
    enum { LINES = 8, QUEUE = 20 };
    static const char *const settings[] = {"memory.dram.refresh_interval=0",
                                           "memory.l1.lines_under_way=100", NULL};
    Machine *machine = machine_new("h200", settings, 1, sizes, 2, L1_BYTES - LINES * 128, 0);
    guint32 op = machine_op(machine, WS_OP_LDG, WS_WIDTH_32, WS_CACHE_STRONG_GPU);
    guint32 token[LINES + QUEUE];
    guint64 now = 100, first;
    for (guint32 load = 0; load < LINES + QUEUE; load++) {
        ck_assert(!ws_sm_memory_full(machine->memory[0]));
        stride(machine, 0, load, buffer(machine, 0) + load * 128, 4);
        WsMemoryAccess access = machine_issue(machine, 0, load, now += 4, op, machine_all(machine));
        ck_assert_int_eq(access.outcome, WS_ACCESS_PENDING);
        token[load] = access.token;
    }
    ck_assert(ws_sm_memory_full(machine->memory[0]));
    while (machine->ready[0][token[0]] == 0)
        machine_run(machine, ++now);
    first = machine->ready[0][token[0]];
    while (machine->ready[0][token[LINES]] == 0)
        machine_run(machine, ++now);
    ck_assert(!ws_sm_memory_full(machine->memory[0]));
    ck_assert_uint_gt(machine->ready[0][token[LINES]], first + 400);
    machine_drain(machine);
    machine_free(machine);
}
END_TEST

/* With 8 sectors under way at most, the third line is asked for when the first one has come. */
START_TEST(limit_of_misses)
{
    enum { LOADS = 3 };
    static const char *const few[] = {"memory.l1.mshrs=8", "memory.dram.refresh_interval=0", NULL};
    guint64 last[2];
    for (guint limited = 0; limited < 2; limited++) {
        Machine *machine = machine_new("h200", limited ? few : no_refresh, 1, sizes, 2, 0, 0);
        guint32 op = machine_op(machine, WS_OP_LDG, WS_WIDTH_32, 0), token[LOADS];
        for (guint32 load = 0; load < LOADS; load++) {
            stride(machine, 0, load, buffer(machine, 0) + load * 128, 4);
            token[load] =
                machine_issue(machine, 0, load, 100 + 4 * load, op, machine_all(machine)).token;
        }
        machine_drain(machine);
        last[limited] = machine->ready[0][token[2]];
        ck_assert(limited == (last[limited] > machine->ready[0][token[0]] + 400));
        machine_free(machine);
    }
    ck_assert_uint_gt(last[1], last[0] + 400);
}
END_TEST

/* L1s are not coherent: another SM's store is not seen in a line that L1 holds. */
START_TEST(stale_reads)
{
    Machine *machine = h200(2);
    guint32 ldg = machine_op(machine, WS_OP_LDG, WS_WIDTH_32, 0);
    guint32 strong = machine_op(machine, WS_OP_LDG, WS_WIDTH_32, WS_CACHE_STRONG_GPU);
    guint32 stg = machine_op(machine, WS_OP_STG, WS_WIDTH_32, 0);
    guint64 base = buffer(machine, 0);
    machine_set_address(machine, 0, 0, 0, base);
    machine_set_address(machine, 1, 0, 0, base);
    *machine_register(machine, 1, 0, R_VALUE, 0) = 77;
    machine_complete(machine, 0, 0, 0, ldg, 1);
    machine_issue(machine, 1, 0, 2000, stg, 1);
    machine_run(machine, 4000);
    machine_complete(machine, 0, 0, 5000, ldg, 1);
    ck_assert_uint_eq(*machine_register(machine, 0, 0, R_RESULT, 0), 0);
    machine_complete(machine, 0, 0, 6000, strong, 1);
    ck_assert_uint_eq(*machine_register(machine, 0, 0, R_RESULT, 0), 77);
    machine_complete(machine, 0, 0, 7000, ldg, 1);
    ck_assert_uint_eq(*machine_register(machine, 0, 0, R_RESULT, 0), 0);
    /* a fence makes the SM forget */
    ck_assert_uint_ge(ws_sm_memory_membar(machine->memory[0], 8000, 0, WS_SCOPE_GPU), 8263);
    machine_complete(machine, 0, 0, 9000, ldg, 1);
    ck_assert_uint_eq(*machine_register(machine, 0, 0, R_RESULT, 0), 77);
    machine_free(machine);
}
END_TEST

/* More than one sector of a line takes longer, as set; how many more does not matter. */
START_TEST(sectors_of_a_line)
{
    static const struct {
        guint lanes; /* 8 are a sector */
        guint64 later;
    } rows[] = {{8, 0}, {9, 7}, {16, 7}, {24, 7}, {32, 7}};
    static const char *const settings[][3] = {
        {"memory.dram.refresh_interval=0", "memory.l2.sectors_latency=0", NULL},
        {"memory.dram.refresh_interval=0", "memory.l2.sectors_latency=7", NULL}};

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        guint64 ready[2];
        for (guint k = 0; k < 2; k++) {
            Machine *machine = machine_new("h200", settings[k], 1, sizes, 2, 8192, 256);
            guint32 op = machine_op(machine, WS_OP_LDG, WS_WIDTH_32, 0);
            stride(machine, 0, 0, buffer(machine, 0), 4);
            ready[k] = machine_complete(machine, 0, 0, 100, op,
                                        machine_all(machine) >> (32 - rows[i].lanes));
            machine_free(machine);
        }
        ck_assert_msg(ready[1] - ready[0] == rows[i].later, "%u lanes: %u later", rows[i].lanes,
                      (guint)(ready[1] - ready[0]));
    }
}
END_TEST

/* What is changed from outside is there at once, in L1 of every SM too; not beside buffers. */
START_TEST(edits_from_outside)
{
    Machine *machine = h200(2);
    const guint8 bytes[4] = {1, 2, 3, 4};
    guint32 ldg = machine_op(machine, WS_OP_LDG, WS_WIDTH_32, 0);
    guint64 base = buffer(machine, 0);

    number_words(machine);
    for (guint32 sm = 0; sm < 2; sm++) {
        machine_set_address(machine, sm, 0, 0, base + 4);
        machine_set_address(machine, sm, 0, 1, base + 128);
        machine_complete(machine, sm, 0, 2000 * sm, ldg, 3);
    }
    ck_assert(ws_memory_edit_global(machine->system, base + 6, bytes, 2));
    ck_assert(ws_memory_edit_global(machine->system, base + 126, bytes, 4));
    for (guint32 sm = 0; sm < 2; sm++) {
        machine_complete(machine, sm, 0, 9000 + 2000 * sm, ldg, 3);
        ck_assert_uint_eq(*machine_register(machine, sm, 0, R_RESULT, 0), 0x02010001);
        ck_assert_uint_eq(*machine_register(machine, sm, 0, R_RESULT, 1), 0x0403 | 32 >> 16);
    }
    ck_assert(!ws_memory_edit_global(machine->system, base - 1, bytes, 1));
    ck_assert(ws_memory_edit_global(machine->system, base + sizes[0] - 4, bytes, 4));
    ck_assert(!ws_memory_edit_global(machine->system, base + sizes[0] - 3, bytes, 4));
    ck_assert(ws_memory_edit_local(machine->memory[0], 0, 3, 252, bytes, 4));
    ck_assert(!ws_memory_edit_local(machine->memory[0], 0, 3, 253, bytes, 4));
    machine_free(machine);
}
END_TEST

/* A load under way, a store behind it, a load behind that: old, then new; and new from then on. */
START_TEST(store_into_a_miss)
{
    Machine *machine = h200(1);
    number_words(machine);
    guint32 ldg = machine_op(machine, WS_OP_LDG, WS_WIDTH_32, 0);
    guint32 stg = machine_op(machine, WS_OP_STG, WS_WIDTH_32, 0);
    for (guint32 warp = 0; warp < 3; warp++)
        machine_set_address(machine, 0, warp, 0, buffer(machine, 0) + 4 * 5);
    *machine_register(machine, 0, 1, R_VALUE, 0) = 4711;
    machine_issue(machine, 0, 0, 0, ldg, 1);
    machine_issue(machine, 0, 1, 10, stg, 1);
    machine_issue(machine, 0, 2, 20, ldg, 1);
    guint64 now = machine_drain(machine);
    ck_assert_uint_eq(*machine_register(machine, 0, 0, R_RESULT, 0), 5);
    ck_assert_uint_eq(*machine_register(machine, 0, 2, R_RESULT, 0), 4711);
    WsMemoryAccess access = machine_issue(machine, 0, 0, now + 100, ldg, 1);
    ck_assert_int_eq(access.outcome, WS_ACCESS_DONE);
    ck_assert_uint_eq(*machine_register(machine, 0, 0, R_RESULT, 0), 4711);
    machine_free(machine);
}
END_TEST

START_TEST(atomics)
{
    Machine *machine = h200(2);
    guint32 atom = machine_atomic(machine, WS_OP_ATOMG, WS_ATOMIC_ADD, WS_ATOMIC_U32);
    guint32 red = machine_atomic(machine, WS_OP_RED, WS_ATOMIC_ADD, WS_ATOMIC_U32);
    guint32 ldg = machine_op(machine, WS_OP_LDG, WS_WIDTH_32, 0);
    stride(machine, 0, 0, buffer(machine, 0), 0);
    stride(machine, 1, 0, buffer(machine, 0), 0);
    for (guint32 lane = 0; lane < 32; lane++) {
        *machine_register(machine, 0, 0, R_VALUE, lane) = 1;
        *machine_register(machine, 1, 0, R_VALUE, lane) = 1000;
    }
    machine_complete(machine, 0, 0, 0, ldg, 1); /* L1 of SM 0 holds the line */
    machine_complete(machine, 0, 0, 3000, atom, machine_all(machine));
    for (guint32 lane = 0; lane < 32; lane++)
        ck_assert_uint_eq(*machine_register(machine, 0, 0, R_RESULT, lane), lane);
    ck_assert_int_eq(machine_issue(machine, 1, 0, 5000, red, machine_all(machine)).outcome,
                     WS_ACCESS_DONE);
    machine_run(machine, 7000);
    machine_complete(machine, 0, 0, 8000, ldg, 1);
    ck_assert_uint_eq(*machine_register(machine, 0, 0, R_RESULT, 0), 32032);
    /* 32 lanes on one word take about 66 cycles more than one lane, measured */
    guint64 one = machine_complete(machine, 0, 0, 20000, atom, 1) - 20000;
    guint64 all = machine_complete(machine, 0, 0, 30000, atom, machine_all(machine)) - 30000;
    ck_assert_uint_ge(all - one, 60);
    ck_assert_uint_le(all - one, 70);
    machine_free(machine);
}
END_TEST

/* Near 279 to 333, far 451 to 536 measured: each home within a few cycles of that. */
START_TEST(atomic_latency)
{
    Machine *machine = h200(1);
    guint32 atom = machine_atomic(machine, WS_OP_ATOMG, WS_ATOMIC_ADD, WS_ATOMIC_U32);
    guint32 near = 0, far = 0;
    for (guint32 i = 0; i < 200; i++) {
        machine_set_address(machine, 0, 0, 0, buffer(machine, 0) + i * 4096);
        machine_complete(machine, 0, 0, 10000 * i, atom, 1);
        guint64 start = 10000 * i + 5000;
        guint64 latency = machine_complete(machine, 0, 0, start, atom, 1) - start;
        near += latency > 275 && latency < 337;
        far += latency > 447 && latency < 540;
    }
    ck_assert_uint_eq(near + far, 200);
    ck_assert_uint_gt(near, 50);
    ck_assert_uint_gt(far, 50);
    machine_free(machine);
}
END_TEST

/* A spilled register comes back from L1; another warp has its own. */
START_TEST(local_memory)
{
    Machine *machine = h200(1);
    guint32 stl = machine_op(machine, WS_OP_STL, WS_WIDTH_64, 0);
    guint32 ldl = machine_op(machine, WS_OP_LDL, WS_WIDTH_64, 0);
    for (guint32 lane = 0; lane < 32; lane++) {
        machine_set_address(machine, 0, 0, lane, 16);
        *machine_register(machine, 0, 0, R_VALUE, lane) = lane;
        *machine_register(machine, 0, 0, R_VALUE + 1, lane) = lane + 50;
    }
    machine_issue(machine, 0, 0, 0, stl, machine_all(machine));
    WsMemoryAccess access = machine_issue(machine, 0, 0, 40, ldl, machine_all(machine));
    ck_assert_int_eq(access.outcome, WS_ACCESS_DONE);
    ck_assert_uint_eq(*machine_register(machine, 0, 0, R_RESULT + 1, 31), 81);
    stride(machine, 0, 1, 16, 0);
    guint64 ready = machine_complete(machine, 0, 1, 100, ldl, machine_all(machine));
    ck_assert_uint_gt(ready, 300);
    ck_assert_uint_eq(*machine_register(machine, 0, 1, R_RESULT, 3), 0);
    machine_free(machine);
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, miss_then_hit);
    tcase_add_test(tests, hit_latencies);
    tcase_add_test(tests, wide_loads_take_longer_as_set);
    tcase_add_test(tests, homes_are_dealt_in_pieces_as_set);
    tcase_add_test(tests, l2_and_dram_latency);
    tcase_add_loop_test(tests, throughputs, 0, G_N_ELEMENTS(rates));
    tcase_add_test(tests, merging_misses);
    tcase_add_test(tests, least_recently_used);
    tcase_add_loop_test(tests, clock_hand, 0, 4);
    tcase_add_test(tests, room_for_lines);
    tcase_add_test(tests, limit_of_misses);
    tcase_add_test(tests, sectors_of_a_line);
    tcase_add_test(tests, edits_from_outside);
    tcase_add_test(tests, stale_reads);
    tcase_add_test(tests, store_into_a_miss);
    tcase_add_test(tests, atomics);
    tcase_add_test(tests, atomic_latency);
    tcase_add_test(tests, local_memory);
}

int main(void)
{
    return run_suite("memory_cached", add_tests);
}
