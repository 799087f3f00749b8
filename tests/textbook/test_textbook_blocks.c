/* Textbook examples on blocks and grids. Figures: docs/learn/textbook.md. */
#include "tests/support/suite.h"

#include <math.h>
#include <string.h>

#include "sim/occupancy/occupancy.h"
#include "tests/support/engine_fixture.h"

/* A block that only waits, so that blocks on one SM do not slow each other down. */
#define WAITS "NANOSLEEP 1000 ;\nEXIT ;\n"

/* The textbook machine, on which starting and replacing a block costs nothing, with some SMs. */
static Engine *on_sms(guint sms, guint resident, const char *text, guint blocks, guint threads,
                      guint words)
{
    g_autofree char *count = g_strdup_printf("sms=%u", sms);
    g_autofree char *places = g_strdup_printf("limits.blocks_per_sm=%u", resident);
    const char *settings[] = {
        count, places, "memory.model=cached", "sub_cores=4", "dependences=scoreboard", NULL};

    return engine_new("textbook", settings, text, blocks, threads, words);
}

static guint64 time_of(guint sms, guint resident, guint blocks)
{
    Engine *e = on_sms(sms, resident, WAITS, blocks, 32, 1);
    guint64 time = engine_run(e)->total.elapsed_cycles;

    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    ck_assert_uint_eq(e->result->launches[0].occupancy.idle_sms, blocks < sms ? sms - blocks : 0);
    engine_free(e);
    return time;
}

/* 1 to 40 blocks on 4 SMs that hold 2 each: time steps up behind every 8. */
START_TEST(waves)
{
    guint64 one = time_of(4, 2, 1), wave = time_of(4, 2, 9) - one;

    ck_assert_uint_ge(wave, 1000);
    ck_assert_uint_le(wave, one + 1);
    for (guint blocks = 1; blocks <= 40; blocks++)
        ck_assert_uint_eq(time_of(4, 2, blocks), one + (blocks - 1) / 8 * wave);
}
END_TEST

/* How many SMs had so many blocks. */
static void count_blocks(const Engine *e, guint sms, guint counts[8])
{
    g_autofree guint *blocks = g_new0(guint, sms);

    for (guint i = 0; i < e->issues->len; i++) {
        const Issue *issue = &g_array_index(e->issues, Issue, i);
        if (issue->instruction == 0 && issue->warp_in_block == 0)
            blocks[issue->sm]++;
    }
    memset(counts, 0, 8 * sizeof counts[0]);
    for (guint i = 0; i < sms; i++)
        counts[MIN(blocks[i], 7)]++;
}

/* 82 SMs: 40 blocks leave 42 idle; 200 and 300 are 2 to 4 for each SM. */
START_TEST(eighty_two_sms)
{
    static const struct {
        guint blocks, counts[5]; /* SMs with 0, 1, 2, 3, 4 blocks */
    } cases[] = {{40, {42, 40}}, {82, {0, 82}}, {200, {0, 0, 46, 36}}, {300, {0, 0, 0, 28, 54}}};
    guint counts[8];

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        Engine *e = engine_new("rtx3090", NULL, WAITS, cases[i].blocks, 256, 1);

        engine_run(e);
        ck_assert_uint_eq(e->result->launches[0].occupancy.sm_count, 82);
        ck_assert_uint_eq(e->result->launches[0].occupancy.idle_sms, cases[i].counts[0]);
        count_blocks(e, 82, counts);
        for (guint k = 0; k < 5; k++)
            ck_assert_uint_eq(counts[k], cases[i].counts[k]);
        engine_free(e);
    }
}
END_TEST

/* Every thread writes its number, and adds it to a sum. */
#define NUMBERS                                                                                    \
    "S2R R0, SR_TID.X ;\nS2R R1, SR_CTAID.X ;\nMOV R8, c[x] ;\nMOV R9, c[x+4] ;\n"                 \
    "IMAD R0, R1, 64, R0 ;\nIMAD.WIDE.U32 R2, R0, 4, R8 ;\nSTG.E [R2+4], R0 ;\n"                   \
    "RED.ADD [R8], R0 ;\nNANOSLEEP 1000 ;\nEXIT ;\n"

enum { GRID = 24, WORDS = 1 + GRID * 64 };

static void check_numbers(Engine *e)
{
    const guint32 *words = engine_words(e);

    ck_assert_uint_eq(words[0], (WORDS - 1) * (WORDS - 2) / 2);
    for (guint i = 0; i + 1 < WORDS; i++)
        ck_assert_uint_eq(words[i + 1], i);
}

/* The same grid on 1 to 24 SMs: the same result, and time in inverse proportion. */
START_TEST(transparent_scalability)
{
    static const guint sms[] = {1, 2, 3, 4, 6, 8, 12, 24};
    guint64 one = 0;

    for (guint i = G_N_ELEMENTS(sms); i-- > 0;) {
        Engine *e = on_sms(sms[i], 1, NUMBERS, GRID, 64, WORDS);
        double times = GRID / sms[i];

        engine_run(e);
        check_numbers(e);
        if (one == 0)
            one = e->result->total.elapsed_cycles;
        ck_assert_double_eq_tol((double)e->result->total.elapsed_cycles / (double)one, times,
                                0.05 * times);
        engine_free(e);
    }
    /* Blocks that touch no memory: exactly. */
    for (guint i = 0; i < G_N_ELEMENTS(sms); i++)
        ck_assert_uint_eq(time_of(sms[i], 1, GRID) - time_of(sms[i], 1, sms[i]),
                          (GRID / sms[i] - 1) * (time_of(1, 1, 2) - time_of(1, 1, 1)));
}
END_TEST

/* Blocks in the order in which they begin. */
static char *order_of(const Engine *e)
{
    GString *order = g_string_new(NULL);

    for (guint i = 0; i < e->issues->len; i++) {
        const Issue *issue = &g_array_index(e->issues, Issue, i);
        if (issue->instruction == 0 && issue->warp_in_block == 0)
            g_string_append_printf(order, " %u@%u", issue->block, issue->sm);
    }
    return g_string_free(order, FALSE);
}

/* Whichever SM a block comes to and beside which others it runs, the result is the same. */
START_TEST(any_order)
{
    static const struct {
        const char *device, *settings[3];
    } cases[] = {{"h200", {"sms=1"}},
                 {"h200", {"sms=1", "limits.blocks_per_sm=3"}},
                 {"h200", {"sms=5", "limits.blocks_per_sm=2"}},
                 {"h200", {"sms=7", "policy=lrr"}},
                 {"rtx3090", {NULL}},
                 {"v100", {"sms=3", "limits.slot_partition=static"}}};
    g_autoptr(GHashTable) orders = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const char *settings[] = {cases[i].settings[0], cases[i].settings[1], cases[i].settings[2],
                                  NULL};
        Engine *e = engine_new(cases[i].device, settings, NUMBERS, GRID, 64, WORDS);

        engine_run(e);
        check_numbers(e);
        g_hash_table_add(orders, order_of(e));
        engine_free(e);
    }
    ck_assert_uint_ge(g_hash_table_size(orders), 5);
}
END_TEST

/*
 * A block needs all its resources at once: where 12 warp slots hold one block of 8 warps, the next
 * one waits for the last warp, though 11 slots have been free for long.
 */
START_TEST(whole_blocks)
{
    const char *settings[] = {"limits.warps_per_sm=12", "dependences=scoreboard", NULL};
    Engine *e = engine_new("textbook", settings,
                           "S2R R0, SR_TID.X ;\nISETP.GE P0, R0, 32 ;\n@P0 EXIT ;\n"
                           "NANOSLEEP 1000 ;\nEXIT ;\n",
                           2, 256, 1);
    guint64 last[2] = {0}, first[2] = {G_MAXUINT64, G_MAXUINT64};

    engine_run(e);
    for (guint i = 0; i < e->issues->len; i++) {
        const Issue *issue = &g_array_index(e->issues, Issue, i);
        first[issue->block] = MIN(first[issue->block], issue->cycle);
        last[issue->block] = MAX(last[issue->block], issue->cycle);
    }
    ck_assert_uint_ge(last[0] - first[0], 1000);
    ck_assert_uint_gt(first[1], last[0]);
    engine_free(e);
}
END_TEST

/* 5 blocks on 4 SMs that hold 2: the first has two blocks, so twice the occupancy. */
START_TEST(differs_between_sms)
{
    Engine *e = on_sms(4, 2, WAITS, 5, 32, 1);
    const WsOccupancySummary *occupancy;

    engine_run(e);
    occupancy = &e->result->launches[0].occupancy;
    ck_assert_double_eq_tol(occupancy->per_sm[0], 2.0 / 64, 1e-12);
    for (guint sm = 1; sm < 4; sm++)
        ck_assert_double_eq_tol(occupancy->per_sm[sm], 1.0 / 64, 1e-12);
    ck_assert_double_eq_tol(occupancy->achieved, 5.0 / 4 / 64, 1e-12);
    engine_free(e);
}
END_TEST

/* 6 blocks of one warp on an SM that holds 4: four at first, then two, three on average. */
START_TEST(changes_over_time)
{
    Engine *e = on_sms(1, 4, WAITS, 6, 32, 1);
    const WsOccupancySummary *occupancy;

    engine_run(e);
    occupancy = &e->result->launches[0].occupancy;
    ck_assert_double_eq_tol(occupancy->theoretical, 4.0 / 64, 1e-12);
    ck_assert_double_eq_tol(occupancy->achieved, 3.0 / 64, 0.01 / 64);
    ck_assert_uint_gt(occupancy->losses[WS_LOSS_TAIL], 0);
    engine_free(e);
}
END_TEST

/* ---- partition of the slots ---------------------------------------------------------------------
 */

/* Blocks at once on an SM: what is begun and has not ended. */
typedef struct {
    guint now, most;
} Residency;

static void count_residency(void *data, const WsTraceEvent *event)
{
    Residency *residency = data;

    residency->now += event->kind == WS_TRACE_BLOCK_BEGIN ? 1 : -1;
    residency->most = MAX(residency->most, residency->now);
}

/* Most blocks of so many threads at a time on one SM of the textbook machine; 0 = refused. */
static guint most_resident(const char *const *settings, guint threads, guint32 *calculated)
{
    Engine *e = engine_new("textbook", settings, WAITS, 70, threads, 1);
    Residency residency = {0};
    WsOccupancyQuery query = {.threads = threads,
                              .registers = e->job->launches[0].kernel->registers,
                              .carveout = -1,
                              .barriers = e->job->launches[0].kernel->barriers};
    WsOccupancy occupancy;

    ws_occupancy(e->job->device, &query, &occupancy);
    *calculated = occupancy.blocks_per_sm;
    e->observer = (WsObserver){.data = &residency,
                               .kinds = WS_TRACE_BIT(BLOCK_BEGIN) | WS_TRACE_BIT(BLOCK_END),
                               .event = count_residency};
    if (*calculated != 0) {
        engine_run(e);
        ck_assert_int_eq(e->result->status, WS_STATUS_OK);
        ck_assert_uint_eq(e->result->total.blocks_launched, 70);
    } else {
        g_autoptr(GError) error = NULL;

        ck_assert_ptr_null(ws_simulation_run(e->job, &e->options, &error));
        ck_assert_ptr_nonnull(strstr(error->message, "does not fit"));
    }
    engine_free(e);
    return residency.most;
}

/*
 * 64 warp slots, 8 block slots. A fixed share of 8 for each block slot wastes those that small
 * blocks leave and cannot hold blocks of more than 8 warps; slots given as needed hold fewer large
 * blocks, and with more block slots more small ones.
 */
START_TEST(fixed_and_dynamic_slots)
{
    static const guint threads[] = {32, 64, 128, 256, 512, 1024};
    static const guint fixed[] = {8, 8, 8, 8, 0, 0};
    static const guint dynamic[] = {8, 8, 8, 8, 4, 2};
    static const guint many[] = {32, 32, 16, 8, 4, 2};
    static const char *const settings[3][3] = {
        {"limits.blocks_per_sm=8", "limits.slot_partition=static"},
        {"limits.blocks_per_sm=8"},
        {"limits.blocks_per_sm=32"}};
    guint32 calculated;

    for (guint i = 0; i < G_N_ELEMENTS(threads); i++) {
        ck_assert_uint_eq(most_resident(settings[0], threads[i], &calculated), fixed[i]);
        ck_assert_uint_eq(most_resident(settings[1], threads[i], &calculated), dynamic[i]);
        ck_assert_uint_eq(most_resident(settings[2], threads[i], &calculated), many[i]);
    }
}
END_TEST

/*
 * Every warp size, number of schedulers and number of warp slots, with some number of block slots,
 * block size and partition: as many blocks are resident as the calculator says.
 */
START_TEST(residency_is_calculated)
{
    guint32 random = 12345 + (guint32)_i, refused = 0;
    guint size = 8u << _i, blocks, threads;

    for (guint slots = 1; slots <= 64; slots++)
        for (guint sub_cores = 1; sub_cores <= 8; sub_cores++) {
            g_autoptr(GPtrArray) settings = g_ptr_array_new_with_free_func(g_free);
            guint32 calculated;

            random = random * 1664525 + 1013904223;
            blocks = 1 + (random >> 8) % 32;
            threads = 1 + (random >> 16) % MIN(1024, (slots + 2) * size);
            g_ptr_array_add(settings, g_strdup_printf("warp_size=%u", size));
            g_ptr_array_add(settings, g_strdup_printf("sub_cores=%u", sub_cores));
            g_ptr_array_add(settings, g_strdup_printf("limits.warps_per_sm=%u", slots));
            g_ptr_array_add(settings, g_strdup_printf("limits.blocks_per_sm=%u", blocks));
            g_ptr_array_add(settings, g_strdup_printf("limits.slot_partition=%s",
                                                      random >> 30 ? "dynamic" : "static"));
            g_ptr_array_add(settings, NULL);
            ck_assert_uint_eq(
                most_resident((const char *const *)settings->pdata, threads, &calculated),
                calculated);
            refused += calculated == 0;
        }
    ck_assert_uint_lt(refused, 256);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_set_timeout(cases, 60);
    tcase_add_test(cases, waves);
    tcase_add_test(cases, eighty_two_sms);
    tcase_add_test(cases, transparent_scalability);
    tcase_add_test(cases, any_order);
    tcase_add_test(cases, whole_blocks);
    tcase_add_test(cases, differs_between_sms);
    tcase_add_test(cases, changes_over_time);
    tcase_add_test(cases, fixed_and_dynamic_slots);
    tcase_add_loop_test(cases, residency_is_calculated, 0, 4);
}

int main(void)
{
    return run_suite("textbook_blocks", add_tests);
}
