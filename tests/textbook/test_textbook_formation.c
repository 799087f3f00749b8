/* Textbook examples on how threads make warps. Figures: docs/learn/textbook.md. */
#include "tests/support/suite.h"

#include "tests/support/engine_fixture.h"

/* ---- which threads make a warp -----------------------------------------------------------------
 */

typedef struct {
    const char *block;
    guint x, y, z;
    guint warps, lanes_of_last;
} Shape;

static const Shape shapes[] = {
    {"block=256", 256, 1, 1, 8, 32},  {"block=[16, 16]", 16, 16, 1, 8, 32},
    {"block=[8, 8]", 8, 8, 1, 2, 32}, {"block=[4, 8, 2]", 4, 8, 2, 2, 32},
    {"block=48", 48, 1, 1, 2, 16},    {"block=255", 255, 1, 1, 8, 31},
    {"block=70", 70, 1, 1, 3, 6},     {"block=[4, 4]", 4, 4, 1, 1, 16},
};

/* The hardware says by lane and warp who is where; x runs fastest, then y, then z. */
START_TEST(block_shape)
{
    const Shape *shape = &shapes[_i];
    const char *values[] = {shape->block, NULL};
    Engine *e = engine_load("tests/textbook/formation.yaml", NULL, values);
    guint thread = 0;

    engine_run(e);
    for (guint z = 0; z < shape->z; z++)
        for (guint y = 0; y < shape->y; y++)
            for (guint x = 0; x < shape->x; x++)
                ck_assert_uint_eq(engine_words(e)[thread++], x | y << 10 | z << 20);
    for (; thread < 1024; thread++)
        ck_assert_uint_eq(engine_words(e)[thread], G_MAXUINT32);
    ck_assert_uint_eq(e->result->total.warps_launched, shape->warps);
    for (guint i = 0; i < e->issues->len; i++) {
        const Issue *issue = &g_array_index(e->issues, Issue, i);
        gboolean last = issue->warp == shape->warps - 1;

        ck_assert_uint_eq(issue->active,
                          last ? G_MAXUINT32 >> (32 - shape->lanes_of_last) : G_MAXUINT32);
    }
    engine_free(e);
}
END_TEST

static guint32 thread_of(Engine *e, guint warp, guint lane)
{
    return engine_words(e)[32 * warp + lane];
}

/* First and last threads of the warps, as the texts list them. */
START_TEST(ends_of_warps)
{
    static const char *const square[] = {"block=[16, 16]", NULL}, *const small[] = {"block=[8, 8]",
                                                                                    NULL};
    static const char *const solid[] = {"block=[4, 8, 2]", NULL};
    Engine *e = engine_load("tests/textbook/formation.yaml", NULL, square);

    engine_run(e); /* warp 0: rows 0 and 1 */
    ck_assert_uint_eq(thread_of(e, 0, 0), 0 | 0 << 10);
    ck_assert_uint_eq(thread_of(e, 0, 31), 15 | 1 << 10);
    ck_assert_uint_eq(thread_of(e, 1, 0), 0 | 2 << 10);
    engine_free(e);
    e = engine_load("tests/textbook/formation.yaml", NULL, small);
    engine_run(e); /* the texts write T(row, column) */
    ck_assert_uint_eq(thread_of(e, 0, 31), 7 | 3 << 10);
    ck_assert_uint_eq(thread_of(e, 1, 0), 0 | 4 << 10);
    ck_assert_uint_eq(thread_of(e, 1, 31), 7 | 7 << 10);
    engine_free(e);
    e = engine_load("tests/textbook/formation.yaml", NULL, solid);
    engine_run(e); /* z = 0, then z = 1 */
    ck_assert_uint_eq(thread_of(e, 0, 31), 3 | 7 << 10);
    ck_assert_uint_eq(thread_of(e, 1, 0), 1 << 20);
    ck_assert_uint_eq(thread_of(e, 1, 31), 3 | 7 << 10 | 1 << 20);
    engine_free(e);
}
END_TEST

/* ---- warps of several blocks --------------------------------------------------------------------
 */

typedef struct {
    guint resident, most;
    guint warps[64];
} Residency;

static void count_warps(void *data, const WsTraceEvent *event)
{
    Residency *residency = data;

    if (event->kind == WS_TRACE_BLOCK_END) {
        residency->resident -= residency->warps[event->block];
        return;
    }
    residency->warps[event->block] = event->block_begin.warps;
    residency->resident += event->block_begin.warps;
    residency->most = MAX(residency->most, residency->resident);
}

START_TEST(three_blocks_on_an_sm)
{
    static const char *const values[] = {"grid=3", "block=256", NULL};
    Engine *e = engine_load("tests/textbook/formation.yaml", NULL, values);
    Residency residency = {0};
    WsObserver observer = {.data = &residency,
                           .kinds = WS_TRACE_BIT(BLOCK_BEGIN) | WS_TRACE_BIT(BLOCK_END),
                           .event = count_warps};

    e->options.observers = (const WsObserver *const[]){&observer, NULL};
    engine_run(e);
    ck_assert_uint_eq(residency.most, 24);
    ck_assert_uint_eq(residency.resident, 0);
    engine_free(e);
}
END_TEST

/* ---- the size of a warp
 * -------------------------------------------------------------------------- */

START_TEST(every_device_has_32_lanes)
{
    for (const char *const *name = ws_device_names(); *name != NULL; name++) {
        g_autoptr(WsDevice) device = ws_device_load(*name, NULL, NULL);

        ck_assert_uint_eq(device->warp_size, 32);
    }
}
END_TEST

/* What tests/textbook/formation.wsasm says of kernel `trips`. */
static guint trips_of(guint32 i)
{
    guint32 h = i * i * 0x41c64e6du >> 28;

    return 1 + (h * h * h >> 6);
}

static const guint sizes[] = {8, 16, 32, 64};

static Engine *with_warp_size(const char *path, guint size)
{
    g_autofree char *setting = g_strdup_printf("warp_size=%u", size);
    const char *settings[] = {setting, NULL};
    Engine *e = engine_load(path, settings, NULL);

    engine_run(e);
    ck_assert_int_eq(e->result->status, WS_STATUS_OK);
    return e;
}

/* A warp goes round a loop as often as its slowest lane: the larger the warp, the more is lost. */
START_TEST(warp_size_and_trips)
{
    guint size = sizes[_i];
    guint64 passes = 0, lanes = 0;
    Engine *e = with_warp_size("tests/textbook/warp_size_trips.yaml", size);
    const WsInstructionCounters *loop =
        &e->result->launches[0].instructions[engine_label(e, "again")];

    for (guint warp = 0; warp < 1024 / size; warp++) {
        guint most = 0;

        for (guint i = warp * size; i < (warp + 1) * size; i++) {
            ck_assert_uint_eq(engine_words(e)[i], trips_of(i));
            most = MAX(most, trips_of(i));
            lanes += trips_of(i);
        }
        passes += most;
    }
    ck_assert_uint_eq(loop->issued, passes);
    ck_assert_uint_eq(loop->lanes, lanes);
    ck_assert_uint_eq(e->result->total.warps_launched, 1024 / size);
    engine_free(e);
}
END_TEST

/* Fewer lanes lose less to divergence, but there are more instructions to issue. */
START_TEST(why_32)
{
    double efficiency = 2;
    guint64 issued = G_MAXUINT64;

    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
        Engine *e = with_warp_size("tests/textbook/warp_size_trips.yaml", sizes[i]);
        const WsCounters *total = &e->result->total;
        double used =
            (double)total->thread_instructions / (double)(sizes[i] * total->warp_instructions);

        ck_assert_double_lt(used, efficiency);
        ck_assert_uint_lt(total->warp_instructions, issued);
        efficiency = used;
        issued = total->warp_instructions;
        engine_free(e);
    }
}
END_TEST

/* Every eight threads on the other side: warps of 8 never part, larger ones always do. */
START_TEST(warp_size_and_sides)
{
    guint size = sizes[_i];
    Engine *e = with_warp_size("tests/textbook/warp_size_sides.yaml", size);
    const WsInstructionCounters *counters = e->result->launches[0].instructions;
    guint warps = 512 / size;

    ck_assert_uint_eq(e->result->total.warps_diverged, size == 8 ? 0 : warps);
    ck_assert_uint_eq(counters[engine_label(e, "first")].issued, size == 8 ? warps / 2 : warps);
    ck_assert_uint_eq(counters[engine_label(e, "second")].issued, size == 8 ? warps / 2 : warps);
    ck_assert_uint_eq(counters[engine_label(e, "first")].lanes, 256);
    ck_assert_uint_eq(counters[engine_label(e, "join")].issued, warps);
    for (guint i = 0; i < 512; i++)
        ck_assert_uint_eq(engine_words(e)[i], i & 8 ? 16 : 7);
    engine_free(e);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, block_shape, 0, G_N_ELEMENTS(shapes));
    tcase_add_test(cases, ends_of_warps);
    tcase_add_test(cases, three_blocks_on_an_sm);
    tcase_add_test(cases, every_device_has_32_lanes);
    tcase_add_loop_test(cases, warp_size_and_trips, 0, G_N_ELEMENTS(sizes));
    tcase_add_test(cases, why_32);
    tcase_add_loop_test(cases, warp_size_and_sides, 0, G_N_ELEMENTS(sizes));
}

int main(void)
{
    return run_suite("textbook_formation", add_tests);
}
