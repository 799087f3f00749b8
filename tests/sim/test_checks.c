/*
 * The checks of sim/check on kernels of CUDA C, each with a mistake or without: what is found in
 * the optimised program, and in the unoptimised one. The kernels are those of the command's tests
 * (tests/cli/test_cli_check*.py), which know kinds and lines; here is all that is told.
 */
#include <string.h>

#include "check_cases.h"
#include "isa/cuda/find_clang.h"
#include "sim/check/check.h"
#include "tests/support/golden_text.h"
#include "tests/support/suite.h"

static WsJob *load(const char *name, gboolean plain)
{
    g_autofree char *path = g_strdup_printf("%s/%s.yaml", CHECK_CASES, name);
    static const char *const settings[] = {"sms=1", NULL};
    GError *error = NULL;
    WsJob *job = ws_job_load(
        path, &(WsJobOptions){.settings = settings, .for_checks = plain, .variables = plain},
        &error);

    ck_assert_msg(job != NULL, "%s", error ? error->message : "");
    return job;
}

static void append_touch(GString *out, const WsTouch *touch, char **lines)
{
    static const char *const actions[] = {"reads", "writes", "updates", "indexes", "waits"};
    const char *text = touch->line == 0 ? "?" : lines[touch->line - 1];

    g_string_append_printf(out, "    block %u, thread %u,%u,%u, warp %u, lane %u %s%s: %s\n",
                           touch->block[0], touch->thread[0], touch->thread[1], touch->thread[2],
                           touch->warp, touch->lane, actions[touch->action],
                           touch->instruction == WS_CHECK_NO_INSTRUCTION ? " (unoptimised)" : "",
                           g_strchug((char *)text));
    if (touch->inlined != NULL)
        g_string_append_printf(out, "      in %s\n", touch->inlined);
}

static char *findings_text(const WsFindings *findings, const WsJob *job, const char *name)
{
    g_autofree char *path = g_strdup_printf("%s/%s.cu", CHECK_CASES, name), *source = NULL;
    GString *out = g_string_new(NULL);
    guint32 launch = G_MAXUINT32;

    ck_assert(g_file_get_contents(path, &source, NULL, NULL));
    g_auto(GStrv) lines = g_strsplit(source, "\n", -1);
    for (guint i = 0; i < findings->list->len; i++) {
        const WsCheckFinding *of = findings->list->pdata[i];

        if (of->launch != launch)
            g_string_append_printf(out, "%s\n", job->launches[of->launch].kernel->name);
        launch = of->launch;
        g_string_append_printf(
            out, "  %s, %" G_GUINT64_FORMAT " times, %s, %s, array %s[%" G_GINT64_FORMAT "]: %s\n",
            ws_check_kind_name(of->kind), of->count, of->place, of->space ? of->space : "-",
            of->array ? of->array : "-", of->index, of->missing);
        for (guint t = 0; t < of->touches; t++)
            append_touch(out, &of->touch[t], lines);
    }
    g_string_append_printf(out, "%s\n", findings->incomplete ? findings->incomplete : "whole");
    return g_string_free(out, FALSE);
}

static const char *const programs[] = {"order", "source"};

START_TEST(findings)
{
    g_autofree char *clang = ws_find_clang(NULL);
    const char *name = programs[_i];
    g_autofree char *golden = g_strdup_printf("checks_%s.txt", name);

    /* Others merge other loads, and more or fewer instances are found. */
    if (clang == NULL || !g_str_has_suffix(clang, "-14"))
        return;
    g_autoptr(WsJob) job = load(name, FALSE);
    g_autoptr(WsJob) plain = load(name, TRUE);
    g_autoptr(WsCheck) check = ws_check_new(job, WS_ALL_CHECKS, NULL);
    ws_check_run(check, &(WsCheckLimits){0});
    ck_assert(ws_check_wants_plain(check));
    ws_check_run_plain(check, plain, &(WsCheckLimits){0});
    g_autoptr(WsFindings) found = ws_check_take_findings(check);
    g_autofree char *text = findings_text(found, job, name);
    golden_text_check(golden, text);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, findings, 0, G_N_ELEMENTS(programs));
}

int main(void)
{
    return run_suite("checks", add_tests);
}
