/* Two runs side by side: where they part and why, and which figures differ. */
#include <check.h>

#include "inspect/compare/comparison.h"
#include "inspect/compare/part_reason.h"
#include "tests/support/engine_fixture.h"
#include "tests/support/golden_text.h"
#include "tests/support/suite.h"

typedef struct {
    Engine *engine;
    WsLockstep *lockstep;
    guint side;
} Run;

static gpointer run(gpointer data)
{
    Run *of = data;

    engine_run(of->engine);
    ws_lockstep_end(of->lockstep, of->side);
    return NULL;
}

static void append_parting(GString *out, const WsFirstDifference *parting)
{
    g_string_append_printf(out, "common: %" G_GUINT64_FORMAT "\n", parting->common);
    if (!parting->parted) {
        g_string_append(out, "the same\n");
        return;
    }
    for (guint s = 0; s < WS_SIDES; s++)
        g_string_append_printf(
            out, "%c: %s cycle %" G_GUINT64_FORMAT " warp %u kind %d, wait %s\n", "AB"[s],
            parting -> has[s] ? "event," : "none,", parting->event[s].cycle, parting->event[s].warp,
            (int)parting->event[s].kind, parting->has_wait[s] ? "known" : "none");
    g_autofree char *reason = ws_parting_reason(parting);
    g_string_append_printf(out, "first %u: %s\n", ws_parting_first(parting), reason);
}

static void append_comparison(GString *out, const WsComparison *of)
{
    for (guint i = 0; i < of->settings->len; i++) {
        const WsSettingDifference *at = &g_array_index(of->settings, WsSettingDifference, i);
        g_string_append_printf(out, "%s: %s %s\n", at->path, at->value[0], at->value[1]);
    }
    for (guint i = 0; i < of->figures->len; i++) {
        const WsFigure *at = &g_array_index(of->figures, WsFigure, i);
        g_string_append_printf(out, "%s: %.*f %.*f\n", at->name, (int)at->decimals, at->value[0],
                               (int)at->decimals, at->value[1]);
    }
    for (guint i = 0; i < of->stalls->len; i++) {
        const WsStallDifference *at = &g_array_index(of->stalls, WsStallDifference, i);
        g_string_append_printf(out, "stall %d: %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n",
                               (int)at->stall, at->cycles[0], at->cycles[1]);
    }
    for (guint i = 0; i < of->lines->len; i++) {
        const WsLineDifference *at = &g_array_index(of->lines, WsLineDifference, i);
        g_string_append_printf(out,
                               "%s: %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
                               ", issued %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n",
                               at->place, at->cycles[0], at->cycles[1], at->instructions[0],
                               at->instructions[1]);
    }
    for (guint i = 0; i < of->buffers->len; i++) {
        const WsBufferDifference *at = &g_array_index(of->buffers, WsBufferDifference, i);
        g_string_append_printf(out, "%s: %" G_GUINT64_FORMAT " from %" G_GUINT64_FORMAT "\n",
                               at->name, at->elements, at->first);
    }
}

static const struct {
    const char *name;
    const char *settings[2]; /* of A, of B */
    const char *values[2];
    const char *other; /* launch of B, or NULL: the same */
} pairs[] = {
    {"same", {NULL, NULL}, {NULL, NULL}, NULL},
    {"elsewhere", {NULL, NULL}, {NULL, NULL}, "tests/data/rooms/behind.yaml"},
    {"policies", {"policy=lrr", "policy=gto"}, {NULL, NULL}, NULL},
    {"latency",
     {"classes.global_load.latency=30", "classes.global_load.latency=31"},
     {NULL, NULL},
     NULL},
    {"blocks", {NULL, NULL}, {"grid=2", "grid=1"}, NULL},
    {"models", {"divergence.model=stack", "divergence.model=its"}, {NULL, NULL}, NULL},
};

START_TEST(two_runs)
{
    WsLockstep *lockstep = ws_lockstep_new();
    g_autoptr(GString) out = g_string_new(NULL);
    g_autofree char *name = g_strdup_printf("compare_%s.txt", pairs[_i].name);
    Run runs[WS_SIDES];
    GThread *threads[WS_SIDES];

    for (guint s = 0; s < WS_SIDES; s++) {
        const char *settings[] = {pairs[_i].settings[s], NULL};
        const char *values[] = {pairs[_i].values[s], NULL};
        runs[s] =
            (Run){engine_load(s == WS_SIDE_B && pairs[_i].other ? pairs[_i].other
                                                                : "tests/data/rooms/two_sides.yaml",
                              settings, values),
                  lockstep, s};
        runs[s].engine->observers[0] = ws_lockstep_observer(lockstep, s);
    }
    for (guint s = 0; s < WS_SIDES; s++)
        threads[s] = g_thread_new("side", run, &runs[s]);
    for (guint s = 0; s < WS_SIDES; s++)
        g_thread_join(threads[s]);
    append_parting(out, ws_lockstep_first_difference(lockstep));
    const WsJob *jobs[] = {runs[0].engine->job, runs[1].engine->job};
    const WsResult *results[] = {runs[0].engine->result, runs[1].engine->result};
    g_autoptr(WsComparison) comparison = ws_comparison_new(jobs, results);
    append_comparison(out, comparison);
    golden_text_check(name, out->str);
    ws_lockstep_free(lockstep); /* it knows the programs */
    for (guint s = 0; s < WS_SIDES; s++)
        engine_free(runs[s].engine);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, two_runs, 0, G_N_ELEMENTS(pairs));
}

int main(void)
{
    return run_suite("compare", add_tests);
}
