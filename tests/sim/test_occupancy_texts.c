/*
 * What is said of an occupancy: its working, the changes that would hold more warps, curves; and
 * where warps are lost while a grid runs.
 */
#include "sim/occupancy/curve.h"
#include "sim/occupancy/explain.h"
#include "sim/occupancy/loss.h"
#include "tests/support/golden_text.h"
#include "tests/support/suite.h"

/* ---- texts -------------------------------------------------------------------------------------
 */

/* Each limit, alone and together with another, each way in which a block is refused. */
static const struct {
    const char *title, *device;
    WsOccupancyQuery query;
    const char *settings[4];
} questions[] = {
    {"warps and registers", "h100", {256, 32, 0, 0, -1, 0, 1}, {NULL}},
    {"registers, and part of a warp", "h100", {250, 40, 100, 200, -1, 0, 1}, {NULL}},
    {"shared memory", "h100", {128, 16, 1000, 9000, -1, 0, 1}, {NULL}},
    {"a small carve-out", "h100", {128, 16, 1000, 9000, 12, 0, 1}, {NULL}},
    {"a carve-out in bytes that is too small", "h100", {128, 16, 0, 40000, 50, 8000, 1}, {NULL}},
    {"block slots", "h100", {32, 16, 0, 0, -1, 0, 1}, {NULL}},
    {"barriers", "h100", {32, 16, 0, 0, -1, 0, 9}, {NULL}},
    {"no barriers", "h100", {1024, 0, 0, 0, -1, 0, 0}, {NULL}},
    {"too many threads", "h100", {1025, 16, 0, 0, -1, 0, 1}, {NULL}},
    {"too many registers of a thread", "h100", {32, 257, 0, 0, -1, 0, 1}, {NULL}},
    {"as many registers as there are", "h100", {32, 256, 0, 0, -1, 0, 1}, {NULL}},
    {"too many registers of a block", "h100", {1024, 65, 0, 0, -1, 0, 1}, {NULL}},
    {"too much shared memory", "h100", {32, 16, 232449, 0, -1, 0, 1}, {NULL}},
    {"as much shared memory as there is", "h100", {32, 16, 0, 232448, -1, 0, 1}, {NULL}},
    {"no shared memory, none reserved", "v100", {64, 16, 0, 0, -1, 0, 1}, {NULL}},
    {"block slots that have warp slots of their own",
     "textbook",
     {64, 16, 0, 0, -1, 0, 1},
     {"limits.slot_partition=static", "limits.warps_per_sm=32", "limits.blocks_per_sm=8"}},
    {"a block that is larger than a block slot",
     "textbook",
     {160, 16, 0, 0, -1, 0, 1},
     {"limits.slot_partition=static", "limits.warps_per_sm=32", "limits.blocks_per_sm=8"}},
    {"more bytes than two blocks may have together",
     "h100",
     {64, 16, 0, 300000, -1, 0, 1},
     {"limits.shared_bytes_per_block_optin=100000"}},
};

static void append_changes(GString *out, const WsDevice *device, const WsOccupancyQuery *query,
                           const WsOccupancy *result)
{
    WsOccupancyChange changes[WS_OCCUPANCY_MAX_CHANGES];
    guint count = ws_occupancy_changes(device, query, result, changes);

    for (guint i = 0; i < count; i++) {
        g_autofree char *text = ws_occupancy_change_text(&changes[i]);

        g_string_append_printf(out, "%s\n", text);
    }
}

START_TEST(explanations)
{
    g_autoptr(GString) out = g_string_new(NULL);

    for (guint i = 0; i < G_N_ELEMENTS(questions); i++) {
        const WsOccupancyQuery *query = &questions[i].query;
        GError *error = NULL;
        g_autoptr(WsDevice) device =
            ws_device_load(questions[i].device, questions[i].settings, &error);
        WsOccupancy result;

        ck_assert_msg(device != NULL, "%s", error ? error->message : "");
        ws_occupancy(device, query, &result);
        g_autofree char *text = ws_occupancy_explain(device, query, &result);
        g_string_append_printf(out, "---- %s\n%s", questions[i].title, text);
        append_changes(out, device, query, &result);
    }
    golden_text_check("occupancy_texts.txt", out->str);
}
END_TEST

/* ---- budgets and curves ------------------------------------------------------------------------
 */

/* Shared memory for so many blocks: never more than a block may have, the reserved bytes apart. */
START_TEST(shared_budget)
{
    static const char *const settings[] = {"limits.shared_bytes_per_block_optin=50000",
                                           "limits.shared_allocation_unit=1024", NULL};
    static const struct {
        guint64 fixed;
        guint32 blocks;
        gint64 bytes;
    } cases[] = {{0, 1, 50000}, {300, 1, 49700}, {0, 4, 50000}, {0, 5, 45 * 1024 - 1024},
                 {50000, 1, 0}, {50001, 1, -1},  {0, 228, 0},   {1, 228, -1},
                 {0, 0, 50000}};
    g_autoptr(WsDevice) device = ws_device_load("h100", settings, NULL);

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        WsOccupancyQuery query = {
            .threads = 32, .static_shared = cases[i].fixed, .dynamic_shared = 7, .carveout = -1};
        ck_assert_msg(ws_occupancy_shared_budget(device, &query, cases[i].blocks) == cases[i].bytes,
                      "row %u", i);
    }
}
END_TEST

/* A preferred carve-out grows for static shared memory, and not for the dynamic one asked about. */
START_TEST(shared_budget_of_a_carveout)
{
    g_autoptr(WsDevice) device = ws_device_load("h100", NULL, NULL);
    WsOccupancyQuery query = {.threads = 32, .static_shared = 8192 - 1024, .dynamic_shared = 9999};

    ck_assert_int_eq(ws_occupancy_shared_budget(device, &query, 1), 0);
    query.static_shared++;
    ck_assert_int_eq(ws_occupancy_shared_budget(device, &query, 1), 8192 - 1);
}
END_TEST

/* The carve-out is the smallest one of the list that is large enough, or the largest; without a
 * list all that an SM has. */
START_TEST(carveouts)
{
    static const struct {
        guint64 bytes, carveout;
    } cases[] = {{0, 0},        {1, 8192},        {8192, 8192},
                 {8193, 16384}, {233472, 233472}, {300000, 233472}};
    g_autoptr(WsDevice) device = ws_device_load("h100", NULL, NULL);
    static const char *const none[] = {"limits.shared_carveouts=[]", NULL};
    g_autoptr(WsDevice) plain = ws_device_load("textbook", none, NULL);

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        ck_assert_uint_eq(ws_occupancy_carveout(device, cases[i].bytes), cases[i].carveout);
    ck_assert_uint_eq(ws_occupancy_carveout(plain, 1), plain->shared_bytes_per_sm);
}
END_TEST

/* Where a curve begins and ends, how far apart its points are, and where the query lies on it. */
START_TEST(curves)
{
    static const struct {
        const char *name, *label;
        guint64 here, first, last, step;
        guint32 first_warps, last_warps;
    } rows[] = {
        [WS_CURVE_BLOCK_SIZE] = {"block_size", "threads per block", 192, 32, 1024, 32, 23, 32},
        [WS_CURVE_REGISTERS] = {"registers", "registers per thread", 40, 1, 255, 1, 60, 6},
        [WS_CURVE_SHARED_MEMORY] = {"shared_memory", "shared memory per block (bytes)", 9000, 0,
                                    232448, 128, 48, 6},
    };
    g_autoptr(WsDevice) device = ws_device_load("h100", NULL, NULL);
    WsOccupancyQuery query = {.threads = 192,
                              .registers = 40,
                              .static_shared = 4000,
                              .dynamic_shared = 5000,
                              .carveout = -1};

    for (guint kind = 0; kind < WS_CURVE_COUNT; kind++) {
        g_autoptr(GArray) points = ws_occupancy_curve(device, &query, kind);
        const WsCurvePoint *point = (const WsCurvePoint *)(const void *)points->data;

        ck_assert_str_eq(ws_curve_name(kind), rows[kind].name);
        ck_assert_str_eq(ws_curve_label(kind), rows[kind].label);
        ck_assert_uint_eq(ws_occupancy_curve_here(&query, kind), rows[kind].here);
        ck_assert_uint_eq(point[0].x, rows[kind].first);
        ck_assert_uint_eq(point[1].x - point[0].x, rows[kind].step);
        ck_assert_uint_eq(point[points->len - 1].x, rows[kind].last);
        ck_assert_uint_eq(point[0].warps_per_sm, rows[kind].first_warps);
        ck_assert_uint_eq(point[points->len - 1].warps_per_sm, rows[kind].last_warps);
    }
}
END_TEST

/* Where no block size runs there is no best one. */
START_TEST(best_blocks)
{
    g_autoptr(WsDevice) device = ws_device_load("h100", NULL, NULL);
    WsOccupancyQuery query = {.registers = 257, .carveout = -1};
    g_autoptr(GArray) none = ws_occupancy_best_blocks(device, &query);

    ck_assert_uint_eq(none->len, 0);
    query.registers = 255; /* 8 warps of an SM: by 1, 2, 4 or 8 */
    g_autoptr(GArray) some = ws_occupancy_best_blocks(device, &query);
    ck_assert_uint_eq(some->len, 4);
    ck_assert_uint_eq(g_array_index(some, guint32, 0), 32);
    ck_assert_uint_eq(g_array_index(some, guint32, 3), 256);
}
END_TEST

/* ---- where warps are lost ----------------------------------------------------------------------
 */

enum { PLAN, BEGIN, END, CUT };

typedef struct {
    guint what;
    guint64 clock;
    guint32 warps;
    guint64 ends; /* of the block's warps, added up */
} Event;

/* Blocks of 2 warps in places for 2 blocks: what happens, and warp-cycles by cause. */
static const struct {
    const char *title;
    Event events[8];
    guint count;
    guint64 end; /* when the SM is done */
    guint32 followed;
    guint64 losses[WS_LOSS_COUNT]; /* ramp up, turnover, too few, tail, short warps */
} stories[] = {
    {"two blocks, the second 10 cycles later",
     {{PLAN, 0, 0, 0},
      {PLAN, 0, 0, 0},
      {BEGIN, 0, 2, 0},
      {BEGIN, 10, 2, 0},
      {END, 100, 2, 200},
      {END, 100, 2, 200}},
     6,
     100,
     0,
     {20, 0, 0, 0, 0}},
    {"one block for two places",
     {{PLAN, 0, 0, 0}, {BEGIN, 0, 2, 0}, {END, 100, 2, 200}},
     3,
     100,
     0,
     {0, 0, 200, 0, 0}},
    {"a block follows after 5 cycles, nobody follows the other one",
     {{PLAN, 0, 0, 0},
      {PLAN, 0, 0, 0},
      {BEGIN, 0, 2, 0},
      {BEGIN, 0, 2, 0},
      {END, 40, 2, 80},
      {END, 60, 2, 120},
      {BEGIN, 45, 2, 0},
      {END, 100, 2, 200}},
     8,
     100,
     0,
     {0, 10, 0, 80, 0}},
    {"it would still be followed",
     {{PLAN, 0, 0, 0},
      {PLAN, 0, 0, 0},
      {BEGIN, 0, 2, 0},
      {BEGIN, 0, 2, 0},
      {END, 40, 2, 80},
      {END, 60, 2, 120}},
     6,
     100,
     1,
     {0, 120, 0, 80, 0}},
    {"a warp ends 30 cycles before its block",
     {{PLAN, 0, 0, 0},
      {PLAN, 0, 0, 0},
      {BEGIN, 0, 2, 0},
      {BEGIN, 0, 2, 0},
      {END, 100, 2, 170},
      {END, 100, 2, 200}},
     6,
     100,
     0,
     {0, 0, 0, 0, 30}},
    {"one is stopped while it runs, with a warp that ended at 60",
     {{PLAN, 0, 0, 0},
      {PLAN, 0, 0, 0},
      {BEGIN, 0, 2, 0},
      {BEGIN, 0, 2, 0},
      {CUT, 100, 1, 60},
      {END, 100, 2, 200}},
     6,
     100,
     0,
     {0, 0, 0, 0, 40}},
    {"one has still to start when the SM is stopped",
     {{PLAN, 0, 0, 0}, {PLAN, 0, 0, 0}, {BEGIN, 0, 2, 0}, {CUT, 50, 0, 0}},
     4,
     50,
     0,
     {100, 0, 0, 0, 0}},
    {"a block begins where warps have ended, before its place is free",
     {{PLAN, 0, 0, 0},
      {PLAN, 0, 0, 0},
      {BEGIN, 0, 2, 0},
      {BEGIN, 0, 2, 0},
      {BEGIN, 70, 2, 0},
      {END, 100, 2, 80},
      {END, 100, 2, 200},
      {END, 100, 2, 200}},
     8,
     100,
     0,
     {0, 0, 0, 0, 60}},
    {"the same, and the SM is stopped before",
     {{PLAN, 0, 0, 0},
      {PLAN, 0, 0, 0},
      {BEGIN, 0, 2, 0},
      {BEGIN, 0, 2, 0},
      {BEGIN, 70, 2, 0},
      {CUT, 90, 2, 80}},
     6,
     90,
     0,
     {0, 0, 0, 0, 60}},
};

static void tell(WsOccupancyLosses *losses, const Event *event)
{
    switch (event->what) {
    case PLAN:
        ws_losses_plan(losses);
        break;
    case BEGIN:
        ws_losses_begin_block(losses, event->warps, event->clock);
        break;
    case END:
        ws_losses_end_block(losses, event->warps, event->ends, event->clock);
        break;
    default:
        ws_losses_cut_block(losses, event->warps, event->ends, event->clock);
        break;
    }
}

START_TEST(losses_by_cause)
{
    WsOccupancyLosses losses = {0};

    for (guint i = 0; i < stories[_i].count; i++)
        tell(&losses, &stories[_i].events[i]);
    ws_losses_finish(&losses, 2, 2, stories[_i].followed, stories[_i].end);
    for (guint i = 0; i < WS_LOSS_COUNT; i++)
        ck_assert_msg(losses.losses[i] == stories[_i].losses[i], "%s: %s is %u", stories[_i].title,
                      ws_occupancy_loss_name(i), (guint)losses.losses[i]);
}
END_TEST

/* A place is taken by the block that begins next after it was left: the oldest first, for ever. */
START_TEST(places_in_order)
{
    WsOccupancyLosses losses = {0};
    guint64 clock = 0;

    for (guint i = 0; i < 2; i++)
        ws_losses_plan(&losses);
    for (guint i = 0; i < 2; i++)
        ws_losses_begin_block(&losses, 1, 0);
    for (guint i = 0; i < 3 * WS_LOSS_MAX_BLOCKS; i++) {
        ws_losses_end_block(&losses, 1, clock + 1, clock + 1);
        ws_losses_end_block(&losses, 1, clock + 4, clock + 4);
        ws_losses_begin_block(&losses, 1, clock + 6); /* 5 behind the first */
        ws_losses_begin_block(&losses, 1, clock + 6); /* 2 behind the second */
        clock += 10;
    }
    for (guint i = 0; i < 3 * WS_LOSS_MAX_BLOCKS; i++) {
        ws_losses_begin_block(&losses, 1, clock + 2);
        ws_losses_begin_block(&losses, 1, clock + 3);
        ws_losses_end_block(&losses, 1, clock + 7, clock + 7);
        ws_losses_end_block(&losses, 1, clock + 7, clock + 7);
        clock += 10;
    }
    ws_losses_finish(&losses, 2, 1, 0, clock);
    ck_assert_uint_eq(losses.losses[WS_LOSS_TURNOVER], 3 * WS_LOSS_MAX_BLOCKS * 7);
    /* Those that came early ran beside others: what they ran is taken off. */
    ck_assert_int_eq((gint64)losses.losses[WS_LOSS_SHORT_WARPS],
                     -(gint64)(3 * WS_LOSS_MAX_BLOCKS * 9));
    ck_assert_uint_eq(losses.losses[WS_LOSS_TAIL], 0);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, explanations);
    tcase_add_test(cases, shared_budget);
    tcase_add_test(cases, shared_budget_of_a_carveout);
    tcase_add_test(cases, carveouts);
    tcase_add_test(cases, curves);
    tcase_add_test(cases, best_blocks);
    tcase_add_loop_test(cases, losses_by_cause, 0, G_N_ELEMENTS(stories));
    tcase_add_test(cases, places_in_order);
}

int main(void)
{
    return run_suite("occupancy_texts", add_tests);
}
