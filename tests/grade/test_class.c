/* A class: results of all submissions, the tables of them, and what is graded anew. */
#include <string.h>

#include "grade/class/class.h"
#include "grade/export/grade_format.h"
#include "grade/pack/pack.h"
#include "grade/pack/parts.h"
#include "grade/pack/services.h"
#include "grade/verify/verify.h"
#include "tests/grade/lab.h"

/* In whatever order they are done. */
static void note(void *data, guint done, guint total, const char *name, const char *what)
{
    ck_assert_uint_ge(done, 1);
    ck_assert_uint_le(done, total);
    g_hash_table_replace(data, g_strdup(name), g_strdup(what));
}

static void append_file(GString *out, const char *folder, const char *name)
{
    g_autofree char *path = g_build_filename(folder, name, NULL), *text = NULL;

    ck_assert_msg(g_file_get_contents(path, &text, NULL, NULL), "%s", path);
    g_string_append_printf(out, "---- %s\n%s\n", name, text);
}

static WsClassResult grade_class(const WsAssignment *assignment, WsClassOptions *options)
{
    WsClassResult result = {0};
    GError *error = NULL;

    ck_assert_msg(ws_class_grade(assignment, options, &result, &error), "%s",
                  error ? error->message : "");
    ck_assert_uint_eq(result.errors, 0);
    g_free(result.compilers);
    return result;
}

START_TEST(tables)
{
    g_autoptr(WsAssignment) assignment = lab_load();
    g_autofree char *source = lab_path("handed_in"), *scratch = lab_scratch();
    g_autofree char *in = g_build_filename(scratch, "in", NULL);
    g_autofree char *output = g_build_filename(scratch, "out", NULL);
    g_autofree char *changed = g_build_filename(in, "slow", "answers.yaml", NULL);
    g_autofree char *times = g_build_filename(scratch, "times.csv", NULL);
    g_autoptr(GHashTable) told = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_autoptr(GString) out = g_string_new(NULL);
    GError *error = NULL;

    lab_copy(source, in);
    ck_assert(g_file_set_contents(times,
                                  "student,submitted\nann,2026-10-01T21:00:00Z\n"
                                  "slow,2026-10-01T23:00:00Z\nred,2026-10-03T21:00:00Z\n",
                                  -1, NULL));
    g_autoptr(GHashTable) submitted = ws_class_read_times(times, &error);
    ck_assert_msg(submitted != NULL, "%s", error ? error->message : "");
    WsClassOptions options = {.submissions = in,
                              .output = output,
                              .jobs = 1,
                              .submitted = submitted,
                              .progress = note,
                              .progress_data = told};
    WsClassResult first = grade_class(assignment, &options);
    ck_assert_uint_eq(first.graded, 9);
    ck_assert_uint_eq(first.kept, 0);
    append_file(out, output, "grades.csv");
    append_file(out, output, "leaderboard.html");
    /* This host's level of protection, which the tables name. */
    const char *level = ws_protection_level(ws_protection_of_host());
    g_autofree char *anywhere = golden_text_replace(out->str, level, "LEVEL");
    lab_check("class.txt", anywhere, scratch);
    ck_assert_uint_eq(g_hash_table_size(told), 9);
    ck_assert_str_eq(g_hash_table_lookup(told, "red"), "2.5 of 21.5 points");

    for (guint i = 0; ws_grade_formats[i] != NULL; i++) {
        g_autofree char *file = g_build_filename(output, "red", ws_grade_formats[i]->file, NULL);
        ck_assert_msg(g_file_test(file, G_FILE_TEST_IS_REGULAR), "%s", file);
    }
    WsClassResult second = grade_class(assignment, &options);
    ck_assert_uint_eq(second.graded, 0);
    ck_assert_uint_eq(second.kept, 9);
    ck_assert(g_file_set_contents(changed, "loads: 2\n", -1, NULL));
    WsClassResult third = grade_class(assignment, &options);
    ck_assert_uint_eq(third.graded, 1);
    options.shard = 1;
    options.shards = 3;
    g_free(output);
    options.output = output = g_build_filename(scratch, "part", NULL);
    ck_assert_uint_eq(grade_class(assignment, &options).graded, 3); /* 1, 4 and 7 of 0 to 8 */
    lab_remove(scratch);
}
END_TEST

static const char *const wrong_times[] = {
    "", "student\nann\n", "student,submitted\nann,yesterday\n",
    "student,submitted\nann,2026-10-01T21:00:00Z\nann,2026-10-01T22:00:00Z\n"};

static const char *const shared_numbers[] = {"variants: 4", "# its own"};

/* A gate on a figure that no run has: nobody is graded, whether or not students share numbers. */
START_TEST(no_such_figure)
{
    g_autofree char *lab = lab_path("lab"), *in = lab_path("handed_in"), *scratch = lab_scratch();
    g_autofree char *copy = g_build_filename(scratch, "lab", NULL), *text = NULL;
    g_autofree char *path = g_build_filename(copy, "assignment.yaml", NULL);
    g_autofree char *output = g_build_filename(scratch, "out", NULL);
    const WsClassOptions options = {.submissions = in, .output = output, .jobs = 1};
    WsClassResult result = {0};
    GError *error = NULL;

    lab_copy(lab, copy);
    ck_assert(g_file_get_contents(path, &text, NULL, NULL));
    g_autofree char *wrong = golden_text_replace(text, "warp_instructions <=", "warp_instruct <=");
    g_autofree char *changed = golden_text_replace(wrong, shared_numbers[0], shared_numbers[_i]);
    ck_assert(g_file_set_contents(path, changed, -1, NULL));
    g_autoptr(WsAssignment) assignment = ws_assignment_load(copy, &error);
    ck_assert_msg(assignment != NULL, "%s", error ? error->message : "");
    ck_assert(!ws_class_grade(assignment, &options, &result, &error));
    lab_check("class_no_figure.txt", error->message, scratch);
    g_clear_error(&error);
    lab_remove(scratch);
}
END_TEST

START_TEST(times)
{
    g_autofree char *scratch = lab_scratch();
    g_autofree char *path = g_build_filename(scratch, "times.csv", NULL);
    g_autoptr(GString) out = g_string_new(NULL);

    for (guint i = 0; i < G_N_ELEMENTS(wrong_times); i++) {
        GError *error = NULL;
        ck_assert(g_file_set_contents(path, wrong_times[i], -1, NULL));
        GHashTable *read = ws_class_read_times(path, &error);
        g_string_append_printf(out, "%s\n", read ? "read" : error->message);
        g_clear_pointer(&read, g_hash_table_unref);
        g_clear_error(&error);
    }
    lab_check("class_times.txt", out->str, scratch);
    lab_remove(scratch);
}
END_TEST

START_TEST(verifies)
{
    g_autoptr(WsAssignment) assignment = lab_load();
    g_autoptr(GString) report = g_string_new(NULL);
    gboolean good = TRUE;
    GError *error = NULL;

    ck_assert_msg(ws_assignment_verify(assignment, NULL, report, &good, &error), "%s",
                  error ? error->message : "");
    ck_assert(!good);
    lab_check("verify.txt", report->str, NULL);
}
END_TEST

static int by_name(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void append_folder(GString *out, const char *folder, const char *name)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    const char *entry;

    while ((entry = g_dir_read_name(dir)) != NULL)
        g_ptr_array_add(names, g_build_filename(name, entry, NULL));
    g_ptr_array_sort(names, by_name);
    for (guint i = 0; i < names->len; i++) {
        g_autofree char *whole = g_build_filename(folder, names->pdata[i], NULL);
        if (g_file_test(whole, G_FILE_TEST_IS_DIR))
            append_folder(out, folder, names->pdata[i]);
        else if (g_str_has_suffix(names->pdata[i], ".zip"))
            g_string_append_printf(out, "%s\n", (char *)names->pdata[i]);
        else
            append_file(out, folder, names->pdata[i]);
    }
}

START_TEST(packs)
{
    g_autoptr(WsAssignment) assignment = lab_load();
    g_autofree char *scratch = lab_scratch();
    g_autofree char *folder = g_build_filename(scratch, "out", NULL);
    g_autoptr(GString) out = g_string_new(NULL);
    const WsPackOptions options = {
        .classroom = "org/tests@0123456789012345678901234567890123456789:lab",
        .warpstep = "org/warpstep@0123456789012345678901234567890123456789"};
    GError *error = NULL;

    ck_assert_msg(ws_assignment_pack(assignment, folder, &options, &error), "%s",
                  error ? error->message : "");
    append_folder(out, folder, "");
    ck_assert_ptr_null(strstr(out->str, "secret_token"));
    lab_check("pack.txt", out->str, scratch);
    lab_remove(scratch);
}
END_TEST

/* A tarball that is not there, and one that is none. */
START_TEST(packs_no_tarball)
{
    g_autoptr(WsAssignment) assignment = lab_load();
    g_autofree char *scratch = lab_scratch();
    g_autofree char *folder = g_build_filename(scratch, "out", NULL);
    g_autofree char *tarball = g_build_filename(scratch, "warpstep.tar.xz", NULL);
    const WsPackOptions options = {.tarball = tarball};
    g_autoptr(GString) out = g_string_new(NULL);

    for (guint i = 0; i < 2; i++) {
        GError *error = NULL;
        ck_assert(!ws_assignment_pack(assignment, folder, &options, &error));
        g_string_append_printf(out, "%s\n", error->message);
        g_clear_error(&error);
        ck_assert(g_file_set_contents(tarball,
                                      "\xfd"
                                      "7zXY",
                                      -1, NULL));
    }
    lab_check("pack_no_tarball.txt", out->str, scratch);
    lab_remove(scratch);
}
END_TEST

/* An archive that unzip reads: names, order and bits; the same bytes each time. */
START_TEST(zips)
{
    static const char *const programs[] = {"run", NULL};
    g_autoptr(GHashTable) files = ws_file_set_new();
    g_autoptr(GString) out = g_string_new(NULL);

    ws_file_set_add_text(files, "run", "#!/bin/sh\n");
    ws_file_set_add_text(files, "b/text", "some text some text some text some text\n");
    ws_file_set_add_text(files, "empty", "");
    g_autoptr(GBytes) zip = ws_file_set_zip(files, programs);
    const guint8 *bytes = g_bytes_get_data(zip, NULL);
    for (gsize i = 0; i < g_bytes_get_size(zip); i++)
        g_string_append_printf(out, "%02x%c", bytes[i], i % 32 == 31 ? '\n' : ' ');
    lab_check("pack_zip.txt", out->str, NULL);
}
END_TEST

static const char *const repositories[] = {"org/name@0123456789012345678901234567890123456789",
                                           "org/name",
                                           "org@0123456789012345678901234567890123456789",
                                           "org/name@012345",
                                           "org/na me@0123456789012345678901234567890123456789",
                                           "org/name@0123456789012345678901234567890123456789:../x",
                                           "org/name@0123456789012345678901234567890123456789:"};

START_TEST(workflows)
{
    g_autoptr(GString) out = g_string_new(NULL);

    for (guint i = 0; i < G_N_ELEMENTS(repositories); i++) {
        GError *error = NULL;
        g_autofree char *text = ws_classroom_workflow(repositories[i], NULL, i == 0, &error);
        g_string_append_printf(out, "%s\n", text ? text : error->message);
        g_clear_error(&error);
    }
    g_autofree char *text = ws_classroom_workflow(NULL, NULL, FALSE, NULL);
    g_string_append(out, text);
    lab_check("pack_workflows.txt", out->str, NULL);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, tables);
    tcase_add_loop_test(cases, no_such_figure, 0, G_N_ELEMENTS(shared_numbers));
    tcase_add_test(cases, times);
    tcase_add_test(cases, verifies);
    tcase_add_test(cases, packs);
    tcase_add_test(cases, packs_no_tarball);
    tcase_add_test(cases, zips);
    tcase_add_test(cases, workflows);
}

int main(void)
{
    return run_suite("class", add_tests);
}
