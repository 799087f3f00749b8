/*
 * Theoretical occupancy: every row of the occupancy examples that teaching texts print, with the
 * exact answer (NVIDIA's calculator gives the same), and properties of the rules.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sim/occupancy/curve.h"
#include "sim/occupancy/explain.h"

typedef struct {
    const char *device;
    guint32 block, registers;
    guint64 shared;
    guint64 carveout_bytes; /* 0 = the largest */
    guint32 blocks, warps;
    double percent;
    const char *limiters; /* joined by + */
} Row;

/* The comment says what the text prints where that is wrong. */
static const Row rows[] = {
    /* "51 warps, 79.7 %; 28 blocks by shared memory" */
    {"h100", 256, 40, 8192, 0, 6, 48, 75.00, "registers"},
    /* "79.7 %" for all three */
    {"h100", 128, 40, 0, 0, 12, 48, 75.00, "registers"},
    {"h100", 256, 40, 0, 0, 6, 48, 75.00, "registers"},
    {"h100", 512, 40, 0, 0, 3, 48, 75.00, "registers"},
    {"h100", 128, 32, 0, 0, 16, 64, 100.00, "warps+registers"},
    {"h100", 256, 32, 0, 0, 8, 64, 100.00, "warps+registers"},
    {"h100", 512, 32, 0, 0, 4, 64, 100.00, "warps+registers"},
    {"h100", 256, 32, 16384, 0, 8, 64, 100.00, "warps+registers"},
    {"h100", 256, 32, 4096, 0, 8, 64, 100.00, "warps+registers"},
    /* "about 50 %" */
    {"h100", 1024, 20, 8448, 0, 2, 64, 100.00, "warps+registers"},
    {"a100", 1024, 16, 0, 0, 2, 64, 100.00, "warps"},
    {"a100", 512, 16, 0, 0, 4, 64, 100.00, "warps"},
    {"a100", 256, 16, 0, 0, 8, 64, 100.00, "warps"},
    {"a100", 128, 16, 0, 0, 16, 64, 100.00, "warps"},
    {"a100", 64, 16, 0, 0, 32, 64, 100.00, "warps+blocks"},
    {"a100", 32, 16, 0, 0, 32, 32, 50.00, "blocks"},
    {"a100", 768, 16, 0, 0, 2, 48, 75.00, "warps"},
    {"a100", 512, 31, 0, 0, 4, 64, 100.00, "warps+registers"},
    {"a100", 512, 33, 0, 0, 3, 48, 75.00, "registers"},
    /* "residency 8 -> 16": the register limit moves, the warps do not */
    {"a100", 256, 32, 0, 0, 8, 64, 100.00, "warps+registers"},
    {"rtx4090", 70, 16, 0, 0, 16, 48, 100.00, "warps"},
    {"rtx4090", 32, 16, 0, 0, 24, 24, 50.00, "blocks"},
    {"rtx4090", 256, 16, 0, 0, 6, 48, 100.00, "warps"},
    {"rtx4090", 160, 16, 0, 0, 9, 45, 93.75, "warps"},
    {"rtx4090", 128, 51, 0, 0, 9, 36, 75.00, "registers"},
    {"rtx4090", 128, 90, 0, 0, 5, 20, 41.66, "registers"},
    {"rtx4090", 128, 16, 5000, 102400, 12, 48, 100.00, "warps"},
    /* "(5*3)/48 = 0.4166": a block has 4 warps */
    {"rtx4090", 128, 16, 5000, 32768, 5, 20, 41.66, "shared"},
    /* "warps allocated in fours", so 5 blocks: blocks are not rounded to four warps */
    {"rtx4090", 96, 90, 0, 0, 6, 18, 37.50, "registers"},
};

static WsDevice *load(const char *name)
{
    g_autoptr(GError) error = NULL;
    WsDevice *device = ws_device_load(name, NULL, &error);
    ck_assert_msg(device != NULL, "%s", error != NULL ? error->message : "?");
    return device;
}

static WsOccupancy ask(const char *name, WsOccupancyQuery query)
{
    g_autoptr(WsDevice) device = load(name);
    query.carveout = -1;
    query.barriers = 1;
    WsOccupancy result;
    ws_occupancy(device, &query, &result);
    return result;
}

static char *limiters(const WsOccupancy *result)
{
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < WS_OCCUPANCY_LIMIT_COUNT; i++) {
        if (result->limiting[i])
            g_string_append_printf(out, "%s%s", out->len > 0 ? "+" : "",
                                   ws_occupancy_limit_name(i));
    }
    return g_string_free(out, FALSE);
}

START_TEST(texts)
{
    const Row *row = &rows[_i];
    WsOccupancy result =
        ask(row->device, (WsOccupancyQuery){.threads = row->block,
                                            .registers = row->registers,
                                            .static_shared = row->shared,
                                            .carveout_bytes = row->carveout_bytes});
    ck_assert_uint_eq(result.blocks_per_sm, row->blocks);
    ck_assert_uint_eq(result.warps_per_sm, row->warps);
    ck_assert_double_eq_tol(100.0 * result.occupancy, row->percent, 0.01);
    g_autofree char *names = limiters(&result);
    ck_assert_str_eq(names, row->limiters);
}
END_TEST

START_TEST(limits_that_do_not_bind)
{
    WsOccupancy result =
        ask("h100", (WsOccupancyQuery){.threads = 256, .registers = 40, .static_shared = 8192});
    ck_assert_uint_eq(result.limits[WS_OCCUPANCY_SHARED], 25); /* a text: 28 */
    result =
        ask("h100", (WsOccupancyQuery){.threads = 256, .registers = 32, .static_shared = 16384});
    ck_assert_uint_eq(result.limits[WS_OCCUPANCY_SHARED], 13); /* a text: 14 */
    result =
        ask("h100", (WsOccupancyQuery){.threads = 256, .registers = 32, .static_shared = 4096});
    ck_assert_uint_eq(result.limits[WS_OCCUPANCY_SHARED], 45); /* a text: 57 */
    result = ask("a100", (WsOccupancyQuery){.threads = 256, .registers = 32});
    ck_assert_uint_eq(result.limits[WS_OCCUPANCY_REGISTERS], 8);
    result = ask("a100", (WsOccupancyQuery){.threads = 256, .registers = 16});
    ck_assert_uint_eq(result.limits[WS_OCCUPANCY_REGISTERS], 16);
    ck_assert_uint_eq(result.blocks_per_sm, 8);
}
END_TEST

/* A100, blocks of 512: the cliff between 31 and 33 registers, with the allocated numbers. */
START_TEST(register_cliff)
{
    WsOccupancy before = ask("a100", (WsOccupancyQuery){.threads = 512, .registers = 31});
    WsOccupancy after = ask("a100", (WsOccupancyQuery){.threads = 512, .registers = 33});
    ck_assert_uint_eq(4 * before.registers_per_block, 65536);
    ck_assert_uint_eq(4 * after.registers_per_block, 81920);
    ck_assert_uint_eq(3 * after.registers_per_block, 61440);
}
END_TEST

START_TEST(at_most_half_with_64_registers)
{
    g_autoptr(WsDevice) device = load("a100");
    gboolean half = FALSE;
    for (guint32 threads = 1; threads <= 1024; threads++) {
        WsOccupancyQuery query = {.threads = threads, .registers = 64, .carveout = -1};
        WsOccupancy result;
        ws_occupancy(device, &query, &result);
        ck_assert_uint_le(result.warps_per_sm, 32);
        half |= result.warps_per_sm == 32;
    }
    ck_assert(half);
}
END_TEST

START_TEST(launch_bounds)
{
    g_autoptr(WsDevice) device = load("h100");
    ck_assert_uint_eq(ws_occupancy_register_budget(device, 256, 8), 32);
    ck_assert_uint_eq(ws_occupancy_register_budget(device, 256, 1), 255);
    ck_assert_uint_eq(ws_occupancy_register_budget(device, 1024, 1), 64);
    ck_assert_uint_eq(ws_occupancy_register_budget(device, 1024, 3), 0);
}
END_TEST

/* Largest for which so many blocks fit; one byte more is too much. */
START_TEST(shared_budget)
{
    static const struct {
        const char *device;
        guint64 fixed;
        guint32 blocks;
        gint64 bytes;
    } cases[] = {
        {"h100", 0, 8, 233472 / 8 / 128 * 128 - 1024},
        {"h100", 1000, 8, 233472 / 8 / 128 * 128 - 2024},
        {"h100", 0, 1, 232448}, /* what a block may have */
        {"v100", 0, 3, 98304 / 3 / 256 * 256},
        {"h100", 233000, 1, -1},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(WsDevice) device = load(cases[i].device);
        WsOccupancyQuery query = {
            .threads = 32, .registers = 16, .static_shared = cases[i].fixed, .carveout = -1};
        WsOccupancy result;
        ck_assert_int_eq(ws_occupancy_shared_budget(device, &query, cases[i].blocks),
                         cases[i].bytes);
        if (cases[i].bytes < 0)
            continue;
        query.dynamic_shared = (guint64)cases[i].bytes;
        ws_occupancy(device, &query, &result);
        ck_assert_uint_ge(result.limits[WS_OCCUPANCY_SHARED], cases[i].blocks);
        query.dynamic_shared++;
        ws_occupancy(device, &query, &result);
        ck_assert_uint_lt(result.limits[WS_OCCUPANCY_SHARED], cases[i].blocks);
    }
}
END_TEST

/*
 * A block of compute capability 3.2, 5.3 or 6.2 may have 32 K registers of the SM's 64 K (CUDA C++
 * Programming Guide, technical specifications). By the calculator's rule a block is then refused
 * whose warps, rounded up to four, need more, whatever the SM has.
 */
START_TEST(fewer_registers_for_a_block)
{
    static const struct {
        guint32 threads, registers, half, whole;
    } cases[] = {
        {256, 128, 2, 2},                   /* 8 warps of 4096: all 32,768 */
        {256, 129, 0, 1},                   /* 8 of 4352 */
        {1024, 32, 2, 2}, {1024, 33, 0, 1}, /* 32 warps of 1024 and of 1280 */
        {160, 128, 3, 3},                   /* 5 warps count as 8 */
        {160, 136, 0, 2}, {32, 255, 8, 8},
    };
    static const char *const less[] = {"limits.registers_per_block=32768", NULL};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        WsOccupancyQuery query = {
            .threads = cases[i].threads, .registers = cases[i].registers, .carveout = -1};
        WsOccupancy result;
        g_autoptr(WsDevice) whole = load("v100");
        g_autoptr(WsDevice) half = ws_device_load("v100", less, NULL);
        ck_assert_ptr_nonnull(half);
        ws_occupancy(whole, &query, &result);
        ck_assert_uint_eq(result.blocks_per_sm, cases[i].whole);
        ws_occupancy(half, &query, &result);
        ck_assert_uint_eq(result.blocks_per_sm, cases[i].half);
        ck_assert(cases[i].half > 0 || result.limiting[WS_OCCUPANCY_REGISTERS]);
    }
}
END_TEST

START_TEST(impossible_blocks)
{
    WsOccupancy result = ask("h100", (WsOccupancyQuery){.threads = 1025, .registers = 16});
    ck_assert_uint_eq(result.blocks_per_sm, 0);
    ck_assert(result.limiting[WS_OCCUPANCY_WARPS]);
    result = ask("h100", (WsOccupancyQuery){.threads = 1024, .registers = 65});
    ck_assert_uint_eq(result.blocks_per_sm, 0);
    ck_assert(result.limiting[WS_OCCUPANCY_REGISTERS]);
    result =
        ask("h100", (WsOccupancyQuery){.threads = 32, .registers = 16, .dynamic_shared = 232449});
    ck_assert_uint_eq(result.blocks_per_sm, 0);
    ck_assert(result.limiting[WS_OCCUPANCY_SHARED]);
    result =
        ask("h100", (WsOccupancyQuery){.threads = 32, .registers = 16, .dynamic_shared = 232448});
    ck_assert_uint_eq(result.blocks_per_sm, 1);
}
END_TEST

/* The nearest change that holds more warps is found, and one step less far is not enough. */
START_TEST(next_step_up)
{
    g_autoptr(WsDevice) device = load("h100");
    WsOccupancyQuery query = {.threads = 256, .registers = 33, .carveout = -1};
    WsOccupancy result;
    ws_occupancy(device, &query, &result);
    WsOccupancyChange changes[WS_OCCUPANCY_MAX_CHANGES];
    guint count = ws_occupancy_changes(device, &query, &result, changes);
    ck_assert_uint_ge(count, 1);
    ck_assert_uint_eq(changes[0].kind, WS_OCCUPANCY_CHANGE_REGISTERS);
    ck_assert_uint_eq(changes[0].to, 32);
    ck_assert_uint_eq(changes[0].warps_per_sm, 64);
    g_autofree char *text = ws_occupancy_change_text(&changes[0]);
    ck_assert_str_eq(text, "1 register a thread less (32) would hold 64 warps, 100.00 %");

    query = (WsOccupancyQuery){
        .threads = 256, .registers = 32, .dynamic_shared = 40000, .carveout = -1};
    ws_occupancy(device, &query, &result);
    ck_assert_uint_eq(result.blocks_per_sm, 5);
    count = ws_occupancy_changes(device, &query, &result, changes);
    ck_assert_uint_ge(count, 1);
    ck_assert_uint_eq(changes[0].kind, WS_OCCUPANCY_CHANGE_SHARED);
    query.dynamic_shared = changes[0].to;
    ws_occupancy(device, &query, &result);
    ck_assert_uint_eq(result.blocks_per_sm, 6);
    query.dynamic_shared = changes[0].to + 1;
    ws_occupancy(device, &query, &result);
    ck_assert_uint_eq(result.blocks_per_sm, 5);
}
END_TEST

START_TEST(best_blocks)
{
    g_autoptr(WsDevice) device = load("a100");
    WsOccupancyQuery query = {.threads = 32, .registers = 16, .carveout = -1};
    g_autoptr(GArray) best = ws_occupancy_best_blocks(device, &query);
    ck_assert_uint_ge(best->len, 5);
    ck_assert_uint_eq(g_array_index(best, guint32, 0), 64);
    ck_assert_uint_eq(g_array_index(best, guint32, best->len - 1), 1024);
}
END_TEST

/* More of a resource a block never holds more blocks. */
START_TEST(curves_never_rise)
{
    g_autoptr(WsDevice) device = load("h200");
    WsOccupancyQuery query = {
        .threads = 192, .registers = 40, .dynamic_shared = 5000, .carveout = -1};
    for (guint kind = WS_CURVE_REGISTERS; kind < WS_CURVE_COUNT; kind++) {
        g_autoptr(GArray) points = ws_occupancy_curve(device, &query, kind);
        ck_assert_uint_gt(points->len, 100);
        for (guint i = 1; i < points->len; i++)
            ck_assert_uint_le(g_array_index(points, WsCurvePoint, i).warps_per_sm,
                              g_array_index(points, WsCurvePoint, i - 1).warps_per_sm);
    }
}
END_TEST

START_TEST(explanation)
{
    g_autoptr(WsDevice) device = load("h100");
    WsOccupancyQuery query = {
        .threads = 256, .registers = 40, .static_shared = 8192, .carveout = -1, .barriers = 1};
    WsOccupancy result;
    ws_occupancy(device, &query, &result);
    g_autofree char *text = ws_occupancy_explain(device, &query, &result);
    static const char expected[] =
        "Block      256 threads / 32 lanes a warp = 8 warps\n"
        "Warps      64 warp slots / 8, whole blocks: 8\n"
        "Registers  40 a thread x 32 lanes = 1280, in units of 256: 1280 a warp\n"
        "           65536 / 4 sub-partitions = 16384 registers each, / 1280 = 12 whole warps\n"
        "           x 4 sub-partitions = 48 warps, / 8, whole blocks: 6\n"
        "Shared     8192 static + 0 dynamic + 1024 reserved, in units of 128: 9216 bytes a block\n"
        "           carve-out of 233472 bytes / 9216, whole blocks: 25\n"
        "Blocks     32 block slots\n"
        "Barriers   64 of an SM / 1: 64\n"
        "Result     smallest of warps 8, registers 6, shared 25, blocks 32, barriers 64:\n"
        "           6 blocks, limited by registers\n"
        "           6 blocks x 8 warps = 48 of 64 warps = 75.00 %\n";
    ck_assert_str_eq(text, expected);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("occupancy");
    TCase *tests = tcase_create("occupancy");
    tcase_add_loop_test(tests, texts, 0, G_N_ELEMENTS(rows));
    tcase_add_test(tests, limits_that_do_not_bind);
    tcase_add_test(tests, register_cliff);
    tcase_add_test(tests, at_most_half_with_64_registers);
    tcase_add_test(tests, launch_bounds);
    tcase_add_test(tests, shared_budget);
    tcase_add_test(tests, fewer_registers_for_a_block);
    tcase_add_test(tests, impossible_blocks);
    tcase_add_test(tests, next_step_up);
    tcase_add_test(tests, best_blocks);
    tcase_add_test(tests, curves_never_rise);
    tcase_add_test(tests, explanation);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
