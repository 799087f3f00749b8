/* Whole programs: how each way of being wrong is told, what students get of such an assignment. */
#include <string.h>

#include "grade/judge/wanted_runs.h"
#include "grade/pack/parts.h"
#include "tests/grade/lab.h"

static WsAssignment *assignment;
static WsGrader *grader;
static gboolean *all;

/* The reference compiles for seconds: once for all tests. */
static void set_up(void)
{
    g_autofree char *path = lab_path("program");
    GError *error = NULL;

    assignment = ws_assignment_load(path, &error);
    ck_assert_msg(assignment != NULL, "%s", error ? error->message : "");
    grader = ws_grader_new(assignment, NULL);
    all = g_new(gboolean, assignment->tests->len);
    g_autofree gboolean *none = g_new0(gboolean, assignment->tests->len);
    for (guint i = 0; i < assignment->tests->len; i++)
        all[i] = TRUE;
    ws_own_runs_make(ws_grader_runs(grader), none, all, WS_PACKED_STUDENT);
}

static void tear_down(void)
{
    g_free(all);
    ws_grader_free(grader);
    ws_assignment_free(assignment);
}

/* The figures of a launch or a kernel that no compiler changes. */
static void append_counts(GString *out, JsonObject *of)
{
    static const char *const names[] = {"launches", "buffers", "buffer_bytes"};

    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        if (json_object_has_member(of, names[i]))
            g_string_append_printf(out, " %s %" G_GINT64_FORMAT, names[i],
                                   json_object_get_int_member(of, names[i]));
    JsonObject *blocks = json_object_get_object_member(of, "blocks");
    g_string_append_printf(out, " blocks %" G_GINT64_FORMAT "\n",
                           json_object_get_int_member(blocks, "launched"));
}

static void append_kernels(GString *out, JsonObject *run)
{
    JsonObject *kernels = json_object_get_object_member(run, "kernels");
    g_autoptr(GList) names = json_object_get_members(kernels);

    for (GList *at = names; at != NULL; at = at->next) {
        JsonObject *kernel = json_object_get_object_member(kernels, at->data);
        g_string_append_printf(out, "  %s:", (char *)at->data);
        append_counts(out, kernel);
        for (guint i = 1;; i++) {
            g_autofree char *name = g_strdup_printf("launch_%u", i);
            if (!json_object_has_member(kernel, name))
                break;
            g_string_append_printf(out, "    %s:", name);
            append_counts(out, json_object_get_object_member(kernel, name));
        }
    }
}

static void append_failure(GString *out, JsonObject *report)
{
    static const char *const names[] = {"words", "text", "expected", "actual"};
    JsonObject *program = json_object_get_object_member(report, "program");

    if (json_object_get_null_member(program, "failure"))
        return;
    JsonObject *failure = json_object_get_object_member(program, "failure");
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        g_string_append_printf(
            out, "  %s: %s\n", names[i],
            json_object_get_string_member_with_default(failure, names[i], "none"));
    JsonArray *log = json_object_get_array_member(failure, "log");
    for (guint i = 0; i < json_array_get_length(log); i++)
        g_string_append_printf(out, "  log: %s\n", json_array_get_string_element(log, i));
}

static void append_checks(GString *out, JsonObject *run)
{
    JsonArray *checks = json_object_get_array_member(run, "checks");

    for (guint i = 0; i < json_array_get_length(checks); i++) {
        g_autofree char *text = json_to_string(json_array_get_element(checks, i), FALSE);
        g_string_append_printf(out, "  check: %s\n", text);
    }
    if (!json_object_get_null_member(run, "error")) {
        JsonObject *error = json_object_get_object_member(run, "error");
        g_string_append_printf(out, "  stopped in launch %" G_GINT64_FORMAT "\n",
                               json_object_get_int_member(error, "launch"));
    }
}

static void append_trial(GString *out, const WsTest *test, const WsTrial *trial)
{
    JsonObject *run = ws_trial_run_object(trial);

    g_string_append_printf(out, "%s: state %d, %s\n", test->name, (int)trial->state,
                           trial->message ? trial->message : ws_trial_status(trial));
    if (run == NULL)
        return;
    g_string_append_printf(out, "  %" G_GINT64_FORMAT " launches\n",
                           json_object_get_int_member(run, "launches"));
    append_failure(out, json_node_get_object(trial->report));
    append_checks(out, run);
    append_kernels(out, run);
}

/* The first failure counts; kernels have figures together and by launch. */
START_TEST(endings)
{
    g_autofree char *folder = lab_path("program/handed_in");
    g_autofree WsTrial **trials = g_new0(WsTrial *, assignment->tests->len);
    g_autoptr(GArray) tests = ws_select_tests(assignment, all, FALSE);
    g_autoptr(GString) out = g_string_new(NULL);
    WsTrial **references = ws_grader_runs(grader)->references;
    const WsSubject subject = {.assignment = assignment,
                               .folder = folder,
                               .program = assignment->program,
                               .student = WS_PACKED_STUDENT,
                               .references = references};

    ws_trials_run(&subject, tests, trials);
    for (guint i = 0; i < assignment->tests->len; i++) {
        const WsTest *test = ws_assignment_test(assignment, i);
        ck_assert_msg(g_strcmp0(ws_trial_status(references[i]), "ok") == 0, "%s", test->name);
        append_trial(out, test, trials[i]);
        ws_trial_free(trials[i]);
    }
    lab_check("program_trials.txt", out->str, NULL);
}
END_TEST

/* What is compared with the reference becomes files. */
START_TEST(packs)
{
    g_autoptr(GHashTable) files = ws_file_set_new();
    g_autoptr(GString) out = g_string_new(NULL);
    GError *error = NULL;

    ck_assert_msg(ws_pack_assignment_file(assignment, grader, files, &error), "%s",
                  error ? error->message : "");
    g_autoptr(GList) names = g_list_sort(g_hash_table_get_keys(files), (GCompareFunc)strcmp);
    for (GList *at = names; at != NULL; at = at->next) {
        GBytes *bytes = g_hash_table_lookup(files, at->data);
        gsize length = g_bytes_get_size(bytes);
        g_string_append_printf(out, "---- %s, %zu bytes\n", (char *)at->data, length);
        if (g_str_has_suffix(at->data, ".bin"))
            g_string_append_printf(out, "begins with %g\n",
                                   (double)*(const float *)g_bytes_get_data(bytes, NULL));
        else
            g_string_append_len(out, g_bytes_get_data(bytes, NULL), (gssize)length);
    }
    const WsTrial *known = ws_own_runs_known(ws_grader_runs(grader), 0);
    g_autofree char *text = golden_text_replace(out->str, ws_trial_compiler(known), "COMPILER");
    lab_check("program_pack.txt", text, NULL);
}
END_TEST

/* A kernel that lacks a part of the protection runs no programs. */
static void add_tests(TCase *cases)
{
    if (ws_protection_of_host() != WS_PROTECTION_ALL)
        return;
    tcase_add_unchecked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, endings);
    tcase_add_test(cases, packs);
}

int main(void)
{
    return run_suite("program_trials", add_tests);
}
