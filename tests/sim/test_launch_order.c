/* The order in which blocks go to SMs, and how they are replaced. */
#include "tests/support/suite.h"

#include <math.h>
#include <string.h>

#include "sim/gpu/launch_order.h"
#include "tests/support/engine_fixture.h"

/*
 * SMs of blocks 0 to 131 on an H200 by %smid: 132 blocks of 8 warps and 200 KiB of shared memory.
 * So on two machines, and in every repetition; but some launches begin with another GPC than the
 * first, and go round from there.
 */
static const guint32 measured[132] = {
    124, 125, 126, 127, 128, 129, 130, 131, 0,   1,   16, 17,  32,  33,  48,  49,  2,   3,   18,
    19,  34,  35,  50,  51,  64,  65,  78,  79,  92,  93, 106, 107, 4,   5,   20,  21,  36,  37,
    52,  53,  66,  67,  80,  81,  94,  95,  108, 109, 6,  7,   22,  23,  38,  39,  54,  55,  68,
    69,  82,  83,  96,  97,  110, 111, 8,   9,   24,  25, 40,  41,  56,  57,  70,  71,  84,  85,
    98,  99,  112, 113, 10,  11,  26,  27,  42,  43,  58, 59,  72,  73,  86,  87,  100, 101, 114,
    115, 12,  13,  28,  29,  44,  45,  60,  61,  74,  75, 88,  89,  102, 103, 116, 117, 120, 121,
    14,  15,  30,  31,  46,  47,  62,  63,  76,  77,  90, 91,  104, 105, 118, 119, 122, 123,
};

static GArray *order_with(const char *device, const char *setting, guint64 blocks, guint32 places)
{
    const char *settings[] = {setting, NULL};
    WsDevice *loaded = ws_device_load(device, settings, NULL);
    GArray *order = ws_launch_order(loaded, blocks, places);

    ws_device_free(loaded);
    return order;
}

/* A block for each SM, also if it could hold more. */
START_TEST(one_round)
{
    static const guint32 places[] = {1, 8, 32};
    g_autoptr(GArray) order = order_with("h200", NULL, 132, places[_i]);

    ck_assert_uint_eq(order->len, 132);
    ck_assert_mem_eq(order->data, measured, sizeof measured);
}
END_TEST

/* Turns of GPCs, S for the SMs outside them, as on the same machine. */
static const struct {
    guint32 blocks, places;
    const char *turns;
} walks[] = {
    {1056, 8, "S01234S567012S345670S123456S701234S567012S345670S12345670123456701234567"},
    {2112, 8, "S01234S567012S345670S123456S701234S567012S345670S12345670123456701234567"},
    {1056, 4, "S01234S567012S345670S123456701234567"},
    {264, 2, "S01234S56701234567"},
    {264, 8, "S01234S56701234567"},
};

START_TEST(several_rounds)
{
    g_autoptr(WsDevice) device = ws_device_load("h200", NULL, NULL);
    g_autoptr(GArray) order = ws_launch_order(device, walks[_i].blocks, walks[_i].places);
    g_autoptr(GString) turns = g_string_new(NULL);

    for (guint i = 0; i < order->len; i++) {
        guint32 gpc = ws_gpc_of(device, g_array_index(order, guint32, i));
        char name = gpc == 8 ? 'S' : (char)('0' + gpc);

        if (turns->len == 0 || turns->str[turns->len - 1] != name)
            g_string_append_c(turns, name);
    }
    ck_assert_str_eq(turns->str, walks[_i].turns);
}
END_TEST

/* Fewer blocks than SMs, on the same machine: blocks by GPC, and a GPC's SMs. */
static const struct {
    guint32 blocks, gpcs[9];
    guint32 gpc, count, sms[16];
} parts[] = {
    {12, {1, 1, 1, 1, 0, 0, 0, 0, 8}, 3, 1, {6}},
    {40, {4, 4, 4, 4, 4, 4, 4, 4, 8}, 4, 4, {8, 24, 40, 56}},
    {100,
     {8, 12, 12, 12, 12, 12, 12, 12, 8},
     6,
     12,
     {12, 13, 28, 29, 44, 45, 60, 74, 88, 102, 116, 120}},
};

START_TEST(part_of_a_round)
{
    g_autoptr(WsDevice) device = ws_device_load("h200", NULL, NULL);
    g_autoptr(GArray) order = ws_launch_order(device, parts[_i].blocks, 8);
    guint32 gpcs[9] = {0}, n = 0;

    ck_assert_uint_eq(order->len, parts[_i].blocks);
    for (guint i = 0; i < order->len; i++) {
        guint32 sm = g_array_index(order, guint32, i), gpc = ws_gpc_of(device, sm);

        gpcs[gpc]++;
        ck_assert(i >= 8 || gpc == 8);
        if (gpc == parts[_i].gpc)
            ck_assert_uint_eq(sm, parts[_i].sms[n++]);
    }
    ck_assert_uint_eq(n, parts[_i].count);
    ck_assert_mem_eq(gpcs, parts[_i].gpcs, sizeof gpcs);
}
END_TEST

/* Without GPCs, and with the first SMs of a device alone. */
START_TEST(by_number)
{
    g_autoptr(GArray) plain = order_with("rtx3090", NULL, 86, 2);
    g_autoptr(GArray) few = order_with("h200", "sms=4", 10, 2);
    static const guint32 expected[] = {0, 1, 2, 3, 0, 1, 2, 3};

    ck_assert_uint_eq(plain->len, 86);
    for (guint i = 0; i < plain->len; i++) /* what is left goes to a TPC each */
        ck_assert_uint_eq(g_array_index(plain, guint32, i), i < 82 ? i : 2 * (i - 82));
    ck_assert_uint_eq(few->len, 8);
    ck_assert_mem_eq(few->data, expected, sizeof expected);
}
END_TEST

#define WHERE                                                                                      \
    "S2R R0, SR_CTAID.X ;\nS2R R1, SR_VIRTUALSMID ;\nMOV R8, c[x] ;\nMOV R9, c[x+4] ;\n"           \
    "IMAD.WIDE.U32 R8, R0, 4, R8 ;\nSTG.E [R8], R1 ;\nNANOSLEEP 1000 ;\nEXIT ;\n"

/* Blocks see the SM they run on as CUDA programs do, and those of no block stay idle. */
START_TEST(blocks_see_their_sm)
{
    static const guint32 grids[] = {1, 20, 132, 300};
    guint32 blocks = grids[_i];
    g_autoptr(GArray) order = order_with("h200", NULL, blocks, 2);
    Engine *e = engine_new("h200", NULL, WHERE, blocks, 1024, blocks);

    engine_run(e);
    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    for (guint i = 0; i < order->len; i++)
        ck_assert_uint_eq(engine_words(e)[i], g_array_index(order, guint32, i));
    for (guint i = 0; i < e->issues->len; i++) {
        const Issue *issue = &g_array_index(e->issues, Issue, i);
        ck_assert_uint_eq(issue->sm, engine_words(e)[issue->block]);
    }
    ck_assert_uint_eq(e->result->launches[0].occupancy.idle_sms, blocks < 132 ? 132 - blocks : 0);
    for (guint32 sm = 0; sm < 132; sm++) {
        gboolean used = FALSE;

        for (guint i = 0; i < blocks; i++)
            used |= engine_words(e)[i] == sm;
        ck_assert((isnan(e->result->launches[0].occupancy.per_sm[sm]) != 0) != used);
    }
    engine_free(e);
}
END_TEST

static guint64 start_of(const Engine *e, guint32 block)
{
    for (guint i = 0; i < e->issues->len; i++) {
        const Issue *issue = &g_array_index(e->issues, Issue, i);
        if (issue->block == block)
            return issue->cycle;
    }
    ck_abort_msg("block %u did not start", block);
    return 0;
}

/* Both SMs of a TPC get blocks through one port: the second half an interval after the first. */
START_TEST(one_port_for_a_tpc)
{
    static const guint32 warps[] = {1, 8, 16, 32}, apart[] = {12, 15, 23, 49};
    const char *settings[] = {"sms=2", "fetch.model=ideal", NULL};
    Engine *e = engine_new("h200", settings, "NANOSLEEP 1000 ;\nEXIT ;\n", 2, 32 * warps[_i], 1);

    engine_run(e);
    ck_assert_uint_eq(start_of(e, 1) - start_of(e, 0), apart[_i]);
    engine_free(e);
}
END_TEST

/* SMs of far GPCs start, and replace their blocks, later: 35 cycles, and twice that. */
START_TEST(far_gpcs)
{
    const char *settings[] = {"sms=4", "fetch.model=ideal", "launch.block_interval_milli=0",
                              "launch.refill_interval_milli=0", NULL};
    Engine *e = engine_new("h200", settings, "NOP ;\nEXIT ;\n", 8, 1024, 1);

    e->job->device->max_blocks_per_sm = 1;
    engine_run(e);
    ck_assert_uint_eq(start_of(e, 2) - start_of(e, 0), 35);
    ck_assert_uint_eq((start_of(e, 6) - start_of(e, 2)) - (start_of(e, 4) - start_of(e, 0)), 70);
    engine_free(e);
}
END_TEST

/* One warp of each block goes on for long, the others exit at once. */
#define ONE_STAYS                                                                                  \
    "S2R R0, SR_TID.X ;\nS2R R1, SR_CTAID.X ;\nISETP.GE P0, R0, 32 ;\n@P0 EXIT ;\n"                \
    "ISETP.EQ P0, R1, 0 ;\n@P0 BRA short ;\nNANOSLEEP 8000 ;\nEXIT ;\n"                            \
    "short: NANOSLEEP 2000 ;\nEXIT ;\n"

/*
 * Blocks of 8 warps of which 7 exit early, 8 places: nothing starts before a block ends; then as
 * many start as have room among the warps. (On an H200: 7 of 8 blocks are replaced together.)
 */
START_TEST(early_warps)
{
    const char *settings[] = {"sms=1", "fetch.model=ideal",
                              _i == 0 ? "launch.early_warps=off" : "launch.early_warps=on", NULL};
    Engine *e = engine_new("h200", settings, ONE_STAYS, 16, 256, 1);
    guint64 first, after = 0;

    engine_run(e);
    first = start_of(e, 8);
    ck_assert_uint_gt(first, start_of(e, 0) + 2000);
    for (guint32 block = 8; block < 16; block++)
        after += start_of(e, block) < start_of(e, 0) + 6000;
    ck_assert_uint_eq(after, _i == 0 ? 1 : 7);
    engine_free(e);
}
END_TEST

/* Residency and losses tile what is possible (engine_run() looks) wherever such a run is cut. */
START_TEST(early_warps_cut_short)
{
    const char *settings[] = {"sms=2", NULL};
    Engine *e = engine_new("h200", settings, ONE_STAYS, 60, 256, 1);

    e->options.max_cycles = 500 + 700 * (guint64)_i;
    engine_run(e);
    ck_assert_int_eq(e->result->status, WS_STATUS_LIMIT);
    engine_free(e);
}
END_TEST

/* A warp that is alone on an SM of a high number is watched like any other. */
START_TEST(endless_on_any_sm)
{
    Engine *e = engine_new("h200", NULL,
                           "S2R R0, SR_TID.X ;\nISETP.EQ P0, R0, 0 ;\nBSSY B0, join ;\n"
                           "@P0 BRA join ;\nloop: BRA loop ;\njoin: BSYNC B0 ;\nEXIT ;\n",
                           1, 32, 1);

    engine_run(e);
    ck_assert_int_eq(e->result->status, WS_STATUS_LIVELOCK);
    ck_assert_ptr_nonnull(strstr(e->result->stop.details, "SM 124"));
    engine_free(e);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, one_round, 0, 3);
    tcase_add_loop_test(cases, several_rounds, 0, G_N_ELEMENTS(walks));
    tcase_add_loop_test(cases, part_of_a_round, 0, G_N_ELEMENTS(parts));
    tcase_add_test(cases, by_number);
    tcase_add_loop_test(cases, blocks_see_their_sm, 0, 4);
    tcase_add_loop_test(cases, one_port_for_a_tpc, 0, 4);
    tcase_add_test(cases, far_gpcs);
    tcase_add_loop_test(cases, early_warps, 0, 2);
    tcase_add_loop_test(cases, early_warps_cut_short, 0, 40);
    tcase_add_test(cases, endless_on_any_sm);
}

int main(void)
{
    return run_suite("launch_order", add_tests);
}
