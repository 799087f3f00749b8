/* The JSON of runs, whole: figures, stops, waits, checks of results, regions. */
#include "sim/launch/code_regions.h"
#include "sim/report/json.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/golden_text.h"
#include "tests/support/suite.h"

static const char *const cached[] = {"memory.model=cached", "sms=2", "memory.l2.bytes=65536",
                                     "memory.share=fair", NULL};

static const struct {
    const char *title, *path;
    const char *const *settings;
    const char *values[2], *lines;
} runs[] = {
    {"of all kinds", "tests/data/rooms/varied.yaml", cached, {NULL}, NULL},
    {"a region, fixed latencies", "tests/data/rooms/two_sides.yaml", NULL, {NULL}, "part=6-9"},
    {"checks of results", "tests/data/rooms/everything.yaml", NULL, {NULL}, NULL},
    {"warps that part at a barrier", "tests/data/rooms/faulty.yaml", NULL, {"which=2"}, NULL},
};

START_TEST(whole)
{
    g_autofree char *golden = g_strdup_printf("report_%d.json", _i);
    Engine *e = engine_load(runs[_i].path, runs[_i].settings, runs[_i].values);

    if (runs[_i].lines != NULL)
        ck_assert(ws_job_add_region(e->job, "--lines", runs[_i].lines, NULL));
    engine_run(e);
    g_autofree char *text = ws_report_json(e->job, e->result);
    g_autofree char *anywhere = golden_text_replace(text, g_getenv("WS_TEST_SOURCES"), "SOURCES");
    g_autofree char *ever = golden_text_replace(anywhere, WS_VERSION, "VERSION");
    golden_text_check(golden, ever);
    engine_free(e);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, whole, 0, G_N_ELEMENTS(runs));
}

int main(void)
{
    return run_suite("report_json", add_tests);
}
