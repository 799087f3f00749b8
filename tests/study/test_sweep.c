/* Studies that are run: their rows and folders, ready studies with their answers, and advice. */
#include <glib/gstdio.h>
#include <string.h>

#include "sim/gpu/simulation.h"
#include "study/advise/advise.h"
#include "study/preset/preset.h"
#include "study/results/compilers.h"
#include "study/results/metrics.h"
#include "study/results/region_metrics.h"
#include "study/run/axes.h"
#include "study/run/slurm.h"
#include "study/run/sweep.h"
#include "tests/support/golden_text.h"
#include "tests/support/suite.h"

static char *launch_path(const char *name)
{
    return g_build_filename(g_getenv("WS_TEST_SOURCES"), name, NULL);
}

static void append_table(GString *out, const WsTable *table, const char *const *columns)
{
    for (guint r = 0; r < table->rows->len; r++) {
        char *const *cells = table->rows->pdata[r];
        for (guint c = 0; columns[c] != NULL; c++)
            g_string_append_printf(out, "%s%s", c == 0 ? "" : ",",
                                   cells[ws_table_column(table, columns[c])]);
        g_string_append_c(out, '\n');
    }
}

static void run_study(const WsStudy *study, WsStudyFolder *folder, const WsSweepOptions *options,
                      WsSweepCount *count)
{
    WsProgramStore *programs = ws_program_store_new();
    GError *error = NULL;

    ck_assert_msg(ws_sweep_run(study, folder, programs, options, count, &error), "%s",
                  error ? error->message : "");
    ws_program_store_free(programs);
}

static const WsStudyDigest digest = {.common = (char *)"digest"};
static const char *const columns[] = {"grid", "policy", "status", "error", "cycles", "ipc", NULL};

static WsStudy *new_study(const char *grids)
{
    g_autofree char *path = launch_path("tests/data/rooms/two_sides.yaml");
    WsStudy *study = ws_study_new(path);
    g_autofree char *grid = g_strconcat("grid=", grids, NULL);

    ck_assert(ws_study_add_text(study, grid, NULL));
    ck_assert(ws_study_add_text(study, "policy=lrr,gto", NULL));
    return study;
}

/* A part, then the rest; what is there is not run again; a point that cannot be loaded is a row. */
START_TEST(parts)
{
    g_autofree char *scratch = g_dir_make_tmp("warpstep-study-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(scratch, "results", NULL);
    g_autoptr(WsStudy) study = new_study("1,2,1000000000000");
    g_autoptr(GString) out = g_string_new(NULL);
    WsSweepOptions options = {.threads = 1, .first = 1, .last = 4};
    WsSweepCount count = {0};
    GError *error = NULL;
    guint failed = 0;

    WsStudyFolder *folder = ws_study_folder_open(path, study, &digest, FALSE, &error);
    ck_assert_msg(folder != NULL, "%s", error ? error->message : "");
    run_study(study, folder, &options, &count);
    ck_assert_uint_eq(count.points, 3);
    ck_assert_uint_eq(count.done, 3);
    ck_assert_uint_eq(count.skipped, 0);
    ck_assert(!ws_study_folder_has(folder, 0) && ws_study_folder_has(folder, 1));
    ws_study_folder_free(folder);

    folder = ws_study_folder_open(path, study, &digest, FALSE, &error);
    options = (WsSweepOptions){.threads = 2, .shard = 0, .shards = 2};
    run_study(study, folder, &options, &count); /* 0, 2, 4 */
    ck_assert_uint_eq(count.points, 2);
    ck_assert_uint_eq(count.failed, 1);
    ck_assert_uint_eq(count.skipped, 1);
    ck_assert_uint_eq(ws_study_folder_count(folder, &failed), 5);
    ck_assert_uint_eq(failed, 1);
    ck_assert(ws_study_folder_write_table(folder, NULL));
    g_autoptr(WsTable) table = ws_study_folder_table(folder);
    append_table(out, table, columns);
    ws_study_folder_free(folder);

    static const char *const files[] = {"columns.csv", "runs.csv"};
    for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *file = g_build_filename(path, files[i], NULL), *text = NULL;
        ck_assert(g_file_get_contents(file, &text, NULL, NULL));
        g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
        g_string_append_printf(out, "%s: %u lines, first %s\n", files[i], g_strv_length(lines),
                               lines[0]);
    }
    g_autoptr(WsStudy) other = new_study("1");
    ck_assert_ptr_null(ws_study_folder_open(path, other, &digest, FALSE, &error));
    ck_assert(g_error_matches(error, WS_ERROR, WS_ERROR_INPUT));
    g_clear_error(&error);
    folder = ws_study_folder_open(path, other, &digest, TRUE, &error);
    ck_assert(ws_study_folder_has(folder, 0) && ws_study_folder_has(folder, 1));
    ws_study_folder_free(folder);
    g_auto(WsStudyDigest) found = {0};
    g_autoptr(WsStudy) read = ws_study_folder_study(path, &found, &error);
    ck_assert_uint_eq(ws_study_points(read), 2);
    ck_assert_str_eq(found.common, "digest");
    ck_assert_ptr_null(found.targets);
    g_autofree char *command = g_strdup_printf("rm -r '%s'", scratch);
    ck_assert_int_eq(system(command), 0);
    g_autofree char *anywhere =
        golden_text_replace(out->str, g_getenv("WS_TEST_SOURCES"), "SOURCES");
    golden_text_check("sweep.txt", anywhere);
}
END_TEST

static const char *const axes[][2] = {{"define.NOTHING=1,2", NULL},
                                      {"policy=lrr,gto", NULL},
                                      {"grid=1,2", NULL},
                                      {"gridd=1,2", NULL}};

START_TEST(axes_that_change_nothing)
{
    g_autofree char *path = launch_path("tests/data/rooms/two_sides.yaml");
    g_autoptr(GString) out = g_string_new(NULL);

    for (guint i = 0; i < G_N_ELEMENTS(axes); i++) {
        g_autoptr(WsStudy) study = ws_study_new(path);
        const WsSweepOptions options = {.threads = 1};
        WsProgramStore *programs = ws_program_store_new();
        GError *error = NULL;

        ck_assert(ws_study_add_text(study, axes[i][0], NULL));
        g_auto(WsStudyDigest) found = {0};
        gboolean read = ws_sweep_digest(study, &options, programs, &found, &error);
        g_string_append_printf(out, "%s: %s, ", axes[i][0], read ? "digest" : error->message);
        g_clear_error(&error);
        gboolean good = ws_sweep_check_axes(study, &options, programs, &error);
        g_string_append_printf(out, "%s\n", good ? "good" : error->message);
        g_clear_error(&error);
        ws_program_store_free(programs);
    }
    g_autofree char *anywhere =
        golden_text_replace(out->str, g_getenv("WS_TEST_SOURCES"), "SOURCES");
    golden_text_check("sweep_axes.txt", anywhere);
}
END_TEST

/* A macro is of use if a source mentions it, or the code of its values differs. */
static const struct {
    const char *parameters[3];
    gboolean good;
} macros[] = {
    {{"define.NOTHING=1,2", NULL}, FALSE},
    {{"define.STEPS=1,2", NULL}, TRUE},
    {{"grid=1,2", "define.NOTHING=1,2", NULL}, FALSE},
    {{"define.NOTHING=1", NULL}, FALSE},
    {{"grid=1,2", NULL}, TRUE},
    {{"define.STEPS=1,2", "define.NOTHING=1,2", NULL}, FALSE},
    {{"define.STEP=1,2", NULL}, FALSE}, /* a part of a name is none */
};

START_TEST(macros_of_use)
{
    g_autofree char *folder = g_dir_make_tmp("warpstep-study-XXXXXX", NULL);
    g_autofree char *program = g_build_filename(folder, "k.cu", NULL);
    g_autofree char *launch = g_build_filename(folder, "k.yaml", NULL);
    const WsSweepOptions options = {.threads = 1};
    GError *error = NULL;

    ck_assert(g_file_set_contents(program,
                                  "#ifndef STEPS\n#define STEPS 3\n#endif\n"
                                  "__global__ void k(int *p) { p[threadIdx.x] = STEPS; }\n",
                                  -1, NULL));
    ck_assert(g_file_set_contents(launch,
                                  "version: 1\nprogram: k.cu\ndevice: textbook\n"
                                  "buffers: {p: {type: s32, count: 32}}\n"
                                  "kernel: k\ngrid: 1\nblock: 32\nparams: [{ref: p}]\n",
                                  -1, NULL));
    g_autoptr(WsStudy) study = ws_study_new(launch);
    for (guint i = 0; macros[_i].parameters[i] != NULL; i++)
        ck_assert(ws_study_add_text(study, macros[_i].parameters[i], NULL));
    g_autoptr(WsProgramStore) programs = ws_program_store_new();
    gboolean good = ws_sweep_check_axes(study, &options, programs, &error);
    ck_assert_msg(good == macros[_i].good, "row %d: %s", _i, error ? error->message : "good");
    ck_assert(good || strstr(error->message, "has no effect") != NULL);
    g_clear_error(&error);
    g_unlink(program);
    g_unlink(launch);
    g_rmdir(folder);
}
END_TEST

static char *digest_of(const char *const *parameters, const char *device)
{
    g_autofree char *path = launch_path("tests/data/rooms/two_sides.yaml");
    g_autoptr(WsStudy) study = ws_study_new(path);
    const WsSweepOptions options = {.threads = 1};
    GError *error = NULL;

    study->device = g_strdup(device);
    for (guint i = 0; parameters[i] != NULL; i++)
        ck_assert(ws_study_add_text(study, parameters[i], NULL));
    g_auto(WsStudyDigest) found = {0};
    ck_assert_msg(ws_sweep_digest(study, &options, NULL, &found, &error), "%s",
                  error ? error->message : "");
    ck_assert_uint_eq(g_strv_length(found.targets), 1);
    return g_strjoin(" ", found.common, found.targets[0], NULL);
}

/* All devices and all policies of a study count, wherever they stand; numbers do not. */
static const struct {
    const char *one[3], *other[3];
    gboolean same;
} digests[] = {
    {{"grid=1,2", NULL}, {"grid=1,2", NULL}, TRUE},
    {{"device=textbook,h200", NULL}, {"device=textbook,h100", NULL}, FALSE},
    {{"device=textbook,h200", NULL}, {"device=textbook,h200", NULL}, TRUE},
    {{"grid=1,2", "device=textbook,h200", NULL}, {"grid=1,2", "device=textbook,h100", NULL}, FALSE},
    {{"policy=lrr,@one.c", NULL}, {"policy=lrr,@other.c", NULL}, FALSE},
    {{"grid=1,2", "policy=lrr,@one.c", NULL}, {"grid=1,2", "policy=lrr,@other.c", NULL}, FALSE},
    {{"policy=lrr,@one.c", NULL}, {"policy=lrr,@one.c", NULL}, TRUE},
};

START_TEST(digests_of_studies)
{
    g_autofree char *folder = g_dir_make_tmp("warpstep-study-XXXXXX", NULL);
    g_autofree char *one = g_build_filename(folder, "one.c", NULL);
    g_autofree char *other = g_build_filename(folder, "other.c", NULL);
    g_autofree char *at = g_strconcat(folder, "/", NULL);
    char *found[2];

    ck_assert(g_file_set_contents(one,
                                  "#include <warpstep/policy.h>\n"
                                  "int pick(const ws_view *v) { return ws_first(v->eligible); }\n",
                                  -1, NULL));
    ck_assert(
        g_file_set_contents(other,
                            "#include <warpstep/policy.h>\n"
                            "int pick(const ws_view *v) { return ws_youngest(v, v->eligible); }\n",
                            -1, NULL));
    for (guint side = 0; side < 2; side++) {
        const char *const *parameters = side == 0 ? digests[_i].one : digests[_i].other;
        g_auto(GStrv) whole = g_new0(char *, 3);
        for (guint i = 0; parameters[i] != NULL; i++)
            whole[i] = golden_text_replace(parameters[i], "@", at);
        found[side] = digest_of((const char *const *)whole, NULL);
    }
    ck_assert_msg((strcmp(found[0], found[1]) == 0) == digests[_i].same, "row %d", _i);
    g_free(found[0]);
    g_free(found[1]);
    g_unlink(one);
    g_unlink(other);
    g_rmdir(folder);
}
END_TEST

/* The device that is given counts, beside those of parameters. */
START_TEST(digest_of_the_device)
{
    static const char *const grid[] = {"grid=1,2", NULL};
    g_autofree char *first = digest_of(grid, "textbook"), *second = digest_of(grid, "h200");
    g_autofree char *again = digest_of(grid, "textbook"), *none = digest_of(grid, NULL);

    ck_assert_str_ne(first, second);
    ck_assert_str_eq(first, again);
    ck_assert_str_ne(first, none);
}
END_TEST

START_TEST(slurm)
{
    static char *const options[] = {(char *)"--time=10", (char *)"--partition=a b", NULL};
    g_autofree char *some = ws_slurm_script("/usr/bin/warpstep", "/home/me/my results", 7, options);
    g_autofree char *one = ws_slurm_script("/usr/bin/warpstep", "/x", 1, NULL);
    g_autofree char *both = g_strconcat(some, one, NULL);

    golden_text_check("slurm.txt", both);
}
END_TEST

/* All metrics of a run with their units, and those of two regions. */
START_TEST(metrics)
{
    static char *const regions[] = {(char *)"load", (char *)"none", NULL};
    static const char *const lines[] = {"two_sides.cu:3-4", NULL};
    g_autofree char *path = launch_path("tests/data/rooms/two_sides.yaml");
    const WsJobOptions options = {.lines = lines};
    g_autoptr(WsJob) job = ws_job_load(path, &options, NULL);
    g_autoptr(GString) out = g_string_new(NULL);
    WsRunOptions run;

    ws_run_options_init(&run);
    WsResult *result = ws_simulation_run(job, &run, NULL);
    g_auto(GStrv) cells = ws_metrics_of_run(job, result);
    ck_assert_uint_eq(g_strv_length(cells), ws_metric_count());
    for (guint i = 0; i < ws_metric_count(); i++) {
        WsMetric metric = ws_metric_at(i);
        ck_assert_int_eq(ws_metric_find(metric.name), (int)i);
        g_string_append_printf(out, "%s [%s] %s\n", metric.name, metric.unit, cells[i]);
    }
    ck_assert_int_eq(ws_metric_find("nothing"), -1);
    g_auto(GStrv) of_regions = ws_region_metrics_of_run(job, result, regions);
    for (guint i = 0; of_regions[i] != NULL; i++) {
        g_autofree char *column =
            ws_region_column(regions[i / ws_region_metric_count()], i % ws_region_metric_count());
        g_string_append_printf(out, "%s %s\n", column, of_regions[i]);
    }
    g_auto(GStrv) failed = ws_metrics_of_error("no way");
    ck_assert_str_eq(failed[ws_metric_find("status")], "error");
    ck_assert_str_eq(failed[ws_metric_find("error")], "no way");
    guint64 hash = ws_results_hash(job);
    job->buffers[1].data[5] ^= 1;
    ck_assert_uint_ne(ws_results_hash(job), hash);
    golden_text_check("metrics.txt", out->str);
    ws_result_free(result);
}
END_TEST

static const struct {
    double value;
    const char *text;
} numbers[] = {
    {1, "1"}, {0.1, "0.1"}, {1.0 / 3, "0.3333333333333333"}, {1e300, "1e+300"}, {0.0 / 0.0, ""}};

START_TEST(texts_of_numbers)
{
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++) {
        g_autofree char *text = ws_metric_number(numbers[i].value);
        ck_assert_str_eq(text, numbers[i].text);
    }
}
END_TEST

static const char *const compiled[] = {"compiler\nclang 14\n\nclang 14\n",
                                       "compiler\nclang 19\nclang 14\n\nclang 14\n", "a\n1\n",
                                       "compiler\na\nb\nc\n"};

START_TEST(compilers)
{
    g_autoptr(GString) out = g_string_new(NULL);

    for (guint i = 0; i < G_N_ELEMENTS(compiled); i++) {
        g_autofree char *path = NULL;
        g_close(g_file_open_tmp("warpstep-table-XXXXXX", &path, NULL), NULL);
        ck_assert(g_file_set_contents(path, compiled[i], -1, NULL));
        g_autoptr(WsTable) table = ws_table_read(path, NULL);
        g_autofree char *text = ws_table_compilers(table);
        g_string_append_printf(out, "%s\n", text ? text : "none");
        g_unlink(path);
    }
    golden_text_check("compilers.txt", out->str);
}
END_TEST

static void append_preset(GString *out, const WsPresetStudy *preset, const char *target)
{
    g_autofree char *path = launch_path(target);
    g_autoptr(WsStudy) study = ws_study_new(path);
    g_autoptr(WsJob) job = ws_job_load(path, &(WsJobOptions){0}, NULL);
    const WsSweepOptions options = {.threads = 1};
    WsSweepCount count = {0};
    GError *error = NULL;

    g_string_append_printf(out, "---- %s of %s: %s\n", preset->name, target, preset->question);
    if (!preset->prepare(study, job, &error)) {
        g_string_append_printf(out, "%s\n", error->message);
        g_clear_error(&error);
        return;
    }
    WsStudyFolder *folder = ws_study_folder_open(NULL, study, &digest, FALSE, &error);
    ck_assert_msg(folder != NULL, "%s", error ? error->message : "");
    run_study(study, folder, &options, &count);
    g_autoptr(WsTable) table = ws_study_folder_table(folder);
    g_autofree char *answer = ws_preset_answer(preset, study, table, job);
    g_autofree char *rows = ws_preset_table(preset, study, table);
    g_string_append_printf(out, "%s\n%s\n", answer, rows);
    ws_study_folder_free(folder);
}

START_TEST(presets)
{
    static const char *const targets[] = {"tests/data/rooms/two_sides.yaml",
                                          "tests/data/rooms/varied.yaml"};
    g_autoptr(GString) out = g_string_new(NULL);
    guint count;
    const WsPresetStudy *all = ws_preset_studies(&count);

    for (guint i = 0; i < count; i++)
        for (guint t = 0; t < G_N_ELEMENTS(targets); t++)
            append_preset(out, &all[i], targets[t]);
    g_autofree char *anywhere =
        golden_text_replace(out->str, g_getenv("WS_TEST_SOURCES"), "SOURCES");
    golden_text_check("presets.txt", anywhere);
}
END_TEST

/* A grid of its own is kept at the threads it has; one that follows the block needs no help. */
START_TEST(grids_of_other_blocks)
{
    static const char *const grids[] = {"grid: 2", "grid: ceil_div(128, block.x)"};
    static const char *const added[] = {"grid=ceil_div(128, block.x)", NULL};
    g_autofree char *original = launch_path("tests/data/rooms/two_sides.yaml"), *text = NULL;
    g_autofree char *program = launch_path("tests/data/rooms/two_sides.wsasm");
    g_autofree char *folder = g_dir_make_tmp("warpstep-study-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "launch.yaml", NULL);
    GError *error = NULL;

    ck_assert(g_file_get_contents(original, &text, NULL, NULL));
    g_autofree char *whole = golden_text_replace(text, "two_sides.wsasm", program);
    ck_assert(strstr(whole, grids[0]) != NULL);
    g_autofree char *changed = golden_text_replace(whole, grids[0], grids[_i]);
    ck_assert(g_file_set_contents(path, changed, -1, NULL));
    g_autoptr(WsStudy) study = ws_study_new(path);
    g_autoptr(WsJob) job = ws_job_load(path, &(WsJobOptions){0}, &error);
    ck_assert_msg(job != NULL, "%s", error ? error->message : "");
    ck_assert_msg(ws_preset_prepare_block(study, job, &error), "%s", error ? error->message : "");
    const char *first = study->launch_values == NULL ? NULL : study->launch_values[0];
    ck_assert_msg(g_strcmp0(first, added[_i]) == 0, "%s: %s", grids[_i], first ? first : "none");
    g_unlink(path);
    g_rmdir(folder);
}
END_TEST

static void append_advise(GString *out, const char *target)
{
    g_autofree char *path = launch_path(target);
    g_autoptr(WsStudy) study = ws_study_new(path);
    const WsAdviseOptions options = {.threads = 1};
    GError *error = NULL;
    g_autoptr(WsAdvise) advise = ws_advise(study, &options, &error);

    ck_assert_msg(advise != NULL, "%s", error ? error->message : "");
    g_string_append_printf(out, "%s: %" G_GUINT64_FORMAT " cycles, ipc %.3f, %s; %s; %s\n", target,
                           advise->cycles, advise->ipc, advise->share, advise->warning,
                           advise->starving);
    for (guint i = 0; i < advise->advice->len; i++) {
        const WsAdvice *at = &g_array_index(advise->advice, WsAdvice, i);
        g_string_append_printf(out,
                               "%s (%s): possible %d, ran %d, differs %d, %" G_GUINT64_FORMAT
                               " cycles, ipc %.3f\n  %s\n",
                               at->what, at->how, at->possible, at->ran, at->differs, at->cycles,
                               at->ipc, at->command);
        if (at->line != 0)
            g_string_append_printf(out, "  %s:%u %.3f %s\n", at->file, at->line, at->share,
                                   at->source);
    }
}

START_TEST(advice)
{
    g_autoptr(GString) out = g_string_new(NULL);

    append_advise(out, "tests/data/rooms/two_sides.yaml");
    append_advise(out, "tests/data/rooms/varied.yaml");
    g_autofree char *anywhere =
        golden_text_replace(out->str, g_getenv("WS_TEST_SOURCES"), "SOURCES");
    golden_text_check("advise.txt", anywhere);
}
END_TEST

/* Advice is for runs that come to their end; the study's limit holds for the first one, too. */
START_TEST(no_advice)
{
    static const struct {
        const char *target;
        guint64 max_cycles;
        const char *message;
    } rows[] = {
        {"tests/data/rooms/two_sides.yaml", 20, "the run ended with 'limit'"},
        {"tests/data/rooms/faulty.yaml", 0, NULL},
        {"tests/data/rooms/nothing.yaml", 0, "no such file"},
    };

    ws_advise_free(NULL);
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *path = launch_path(rows[i].target);
        g_autoptr(WsStudy) study = ws_study_new(path);
        const WsAdviseOptions options = {.threads = 1};
        GError *error = NULL;

        study->max_cycles = rows[i].max_cycles;
        g_autoptr(WsAdvise) advise = ws_advise(study, &options, &error);
        ck_assert_msg((advise != NULL) == (rows[i].message == NULL), "row %u: %s", i,
                      error ? error->message : "advice");
        ck_assert_msg(advise != NULL || strstr(error->message, rows[i].message) != NULL,
                      "row %u: %s", i, error ? error->message : "advice");
        g_clear_error(&error);
    }
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, parts);
    tcase_add_test(cases, axes_that_change_nothing);
    tcase_add_loop_test(cases, macros_of_use, 0, G_N_ELEMENTS(macros));
    tcase_add_loop_test(cases, digests_of_studies, 0, G_N_ELEMENTS(digests));
    tcase_add_test(cases, digest_of_the_device);
    tcase_add_test(cases, slurm);
    tcase_add_test(cases, metrics);
    tcase_add_test(cases, texts_of_numbers);
    tcase_add_test(cases, compilers);
    tcase_add_test(cases, presets);
    tcase_add_loop_test(cases, grids_of_other_blocks, 0, 2);
    tcase_add_test(cases, advice);
    tcase_add_test(cases, no_advice);
}

int main(void)
{
    return run_suite("sweep", add_tests);
}
