/* The values of parameters, the points of a study, and what a study is written as. */
#include <glib/gstdio.h>
#include <string.h>

#include "study/plan/study_file.h"
#include "study/plan/values.h"
#include "tests/support/golden_text.h"
#include "tests/support/suite.h"

static const struct {
    const char *text, *values; /* or, from "error" on, what is wrong */
} lists[] = {
    {"8", "8"},
    {"a,b", "a|b"},
    {"8,16,24..64:8", "8|16|24|32|40|48|56|64"},
    {"1..64x2", "1|2|4|8|16|32|64"},
    {"1..5", "1|2|3|4|5"},
    {"3..3", "3"},
    {"1..6:2", "1|3|5"},
    {"10..4:-3", "10|7|4"},
    {"0.5..1.5:0.25", "0.5|0.75|1|1.25|1.5"},
    {"1..100x3", "1|3|9|27|81"},
    {"[1,2],(3,4),{5: 6, 7: 8}", "[1,2]|(3,4)|{5: 6, 7: 8}"},
    {"'a,b',\"c,d\"", "'a,b'|\"c,d\""},
    {"-2..2:2", "-2|0|2"},
    {"64..1x0.5", NULL},
    {"", NULL},
    {",", NULL},
    {"1,1", NULL},
    {"5..1", NULL},
    {"1..5:0", NULL},
    {"1..5:-1", NULL},
    {"1..5x1", NULL},
    {"0..5x2", NULL},
    {"1..5x-2", NULL},
    {"1..x", NULL},
    {"1..1000001", NULL},
    {"1..1000000", "many"},
};

START_TEST(values)
{
    g_autoptr(GString) out = g_string_new(NULL);

    for (guint i = 0; i < G_N_ELEMENTS(lists); i++) {
        GError *error = NULL;
        g_auto(GStrv) found = ws_study_values("n", lists[i].text, &error);

        ck_assert_msg((found != NULL) == (lists[i].values != NULL), "%s", lists[i].text);
        if (found == NULL)
            g_string_append_printf(out, "%s: %s\n", lists[i].text, error->message);
        else if (strcmp(lists[i].values, "many") == 0)
            ck_assert_uint_eq(g_strv_length(found), 1000000);
        else {
            g_autofree char *joined = g_strjoinv("|", found);
            ck_assert_str_eq(joined, lists[i].values);
        }
        g_clear_error(&error);
    }
    golden_text_check("study_values.txt", out->str);
}
END_TEST

static WsStudy *study_of(const char *const *texts, gboolean zipped)
{
    WsStudy *study = ws_study_new("some/launch.yaml");
    GError *error = NULL;

    study->design = zipped ? WS_DESIGN_ZIP : WS_DESIGN_CROSS;
    for (guint i = 0; texts[i] != NULL; i++)
        ck_assert_msg(ws_study_add_text(study, texts[i], &error), "%s",
                      error ? error->message : "");
    ck_assert_msg(ws_study_check(study, &error), "%s", error ? error->message : "");
    return study;
}

static const char *const texts[] = {"device=h200,textbook", "maxreg=32",   "define.SIZE=16,32",
                                    "set.policy=gto",       "sms=1,2",     "launch.grid=8",
                                    "params.0=1..3",        "warps='a b'", NULL};
static const char *const zipped_texts[] = {"warps=1..3", "policy=lrr,gto,two_level", NULL};

static const WsStudyDigest some_digest = {.common = (char *)"digest"};

static void append_point(GString *out, const WsStudy *study, guint point)
{
    g_autofree char *name = ws_study_point_name(study, point);
    g_autofree char *command = ws_study_point_command(study, point);
    g_autofree char *id = ws_study_point_id(study, &some_digest, point);
    g_auto(WsStudyPoint) of;

    ws_study_point_init(&of, study, point);
    g_string_append_printf(out, "%u: %s\n  %s\n  %u hex digits, device %s, registers %u\n", point,
                           name, command, (guint)strlen(id), of.options.device,
                           of.options.max_registers);
    const char *const *const given[] = {of.options.settings, of.options.launch_values,
                                        of.options.defines};
    for (guint k = 0; k < G_N_ELEMENTS(given); k++)
        for (guint i = 0; given[k] != NULL && given[k][i] != NULL; i++)
            g_string_append_printf(out, "  %s %s\n",
                                   k == 0   ? "set"
                                   : k == 1 ? "launch"
                                            : "define",
                                   given[k][i]);
}

/* The last parameter changes fastest; zipped, all change at once. */
START_TEST(points)
{
    g_autoptr(WsStudy) study = study_of(texts, FALSE), zipped = study_of(zipped_texts, TRUE);
    g_autoptr(GString) out = g_string_new(NULL);
    g_autoptr(GHashTable) ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

    ck_assert_uint_eq(ws_study_points(study), 24);
    ck_assert_uint_eq(ws_study_points(zipped), 3);
    study->max_cycles = 5000;
    study->lines = g_strsplit("a.cu:3-5", "|", -1);
    for (guint i = 0; i < 24; i += 7)
        append_point(out, study, i);
    for (guint i = 0; i < 24; i++)
        g_hash_table_add(ids, ws_study_point_id(study, &some_digest, i));
    ck_assert_uint_eq(g_hash_table_size(ids), 24);
    append_point(out, zipped, 2);
    ck_assert_str_eq(ws_study_value(study, 23, 6), "3");
    ck_assert_str_eq(ws_study_value(study, 0, 0), "h200");
    ck_assert_str_eq(ws_study_value(study, 12, 0), "textbook");
    golden_text_check("study_points.txt", out->str);
}
END_TEST

static const struct {
    gboolean zipped;
    const char *first, *second;
} wrong[] = {{FALSE, "=1", NULL},
             {FALSE, "a", NULL},
             {FALSE, "a=1", "a=2"},
             {TRUE, "a=1,2", "b=1"},
             {FALSE, "define.=1", NULL},
             {FALSE, "maxreg=x", NULL},
             {FALSE, "a=1..1001", "b=1..1000"},
             {FALSE, "a b=1", NULL},
             {FALSE, "set.nothing=1", NULL}};

START_TEST(errors)
{
    g_autoptr(GString) out = g_string_new(NULL);

    for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(WsStudy) study = ws_study_new("x.yaml");
        GError *error = NULL;

        study->design = wrong[i].zipped ? WS_DESIGN_ZIP : WS_DESIGN_CROSS;
        gboolean good =
            ws_study_add_text(study, wrong[i].first, &error) &&
            (wrong[i].second == NULL || ws_study_add_text(study, wrong[i].second, &error)) &&
            ws_study_check(study, &error);
        g_string_append_printf(out, "%s: %s\n", wrong[i].first, good ? "good" : error->message);
        g_clear_error(&error);
    }
    golden_text_check("study_errors.txt", out->str);
}
END_TEST

START_TEST(json)
{
    g_autoptr(WsStudy) study = study_of(texts, FALSE);
    static const WsStudyDigest given = {.common = (char *)"0123"};
    g_auto(WsStudyDigest) digest = {0};
    GError *error = NULL;

    study->settings = g_strsplit("policy=gto|dependences=scoreboard", "|", -1);
    study->launch_values = g_strsplit("n=3", "|", -1);
    study->defines = g_strsplit("A|B=2", "|", -1);
    study->max_registers = 40;
    study->max_cycles = 1234567;
    study->lines = g_strsplit("a.cu:3-5", "|", -1);
    study->regions = g_strsplit("loop|tail", "|", -1);
    study->reference = g_strsplit("sms=2", "|", -1);
    study->device = g_strdup("h200");
    g_autofree char *text = ws_study_to_json(study, &given);
    g_autofree char *ever = golden_text_replace(text, WS_VERSION, "VERSION");
    golden_text_check("study.json", ever);
    g_autoptr(WsStudy) read = ws_study_from_json("study.json", text, strlen(text), &digest, &error);
    ck_assert_msg(read != NULL, "%s", error ? error->message : "");
    ck_assert_str_eq(digest.common, "0123");
    ck_assert_ptr_null(digest.targets);
    g_autofree char *again = ws_study_to_json(read, &given);
    ck_assert_str_eq(again, text);
    /* Each line left out: an error, or another study, but not a crash. */
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i] != NULL; i++) {
        g_autofree char *line = lines[i];
        g_auto(WsStudyDigest) at = {0};
        lines[i] = g_strdup("");
        g_autofree char *less = g_strjoinv("\n", lines);
        WsStudy *of = ws_study_from_json("study.json", less, strlen(less), &at, NULL);
        g_clear_pointer(&of, ws_study_free);
        g_free(lines[i]);
        lines[i] = g_steal_pointer(&line);
    }
}
END_TEST

/* A study is YAML with `parameters`, in a file that is called so. */
static const struct {
    const char *name, *text;
    gboolean is_study;
} kinds[] = {
    {"a.yaml", "version: 1\ntarget: x.yaml\nparameters: {n: [1]}\n", TRUE},
    {"a.yml", "version: 1\ntarget: x.yaml\nparameters: {n: [1]}\n", FALSE},
    {"a.yaml", "version: 1\nprogram: x.cu\n", FALSE},
    {"a.yaml", "[parameters]\n", FALSE},
    {"a.yaml", "parameters: {\n", FALSE},
    {"a.yaml", "", FALSE},
    {"a.yaml", NULL, FALSE},
};

START_TEST(files_that_are_studies)
{
    g_autofree char *folder = g_dir_make_tmp("warpstep-plan-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, kinds[_i].name, NULL);

    if (kinds[_i].text != NULL)
        ck_assert(g_file_set_contents(path, kinds[_i].text, -1, NULL));
    ck_assert_int_eq(ws_study_file_is_study(path), kinds[_i].is_study);
    g_unlink(path);
    g_rmdir(folder);
}
END_TEST

static const char *const written[] = {
    "version: 1\ntarget: x.yaml\nparameters: {n: [1, 2], policy: lrr}\n",
    "version: 1\ntarget: x.yaml\ndevice: h200\nset: {sms: 2, policy: gto}\nlaunch: {n: 3}\n"
    "define: [A=1, B=x y]\nmaxreg: 40\nmax_cycles: 1000\nlines: [a.cu:3-5]\n"
    "parameters: {n: 1..3, m: \"8,16\"}\n",
    "version: 1\ntarget: x.yaml\nzip: true\nparameters: {n: [1, 2], m: [3, 4]}\n",
    "version: 1\ntarget: x.yaml\nparameters: {n: {from: 1, to: 9, step: 4}}\n",
    "version: 1\ntarget: x.yaml\nparameters: {n: {from: 1, to: 9, factor: 3}}\n",
    "version: 1\ntarget: x.yaml\nparameters: {n: {from: 1, to: 9, factor: 3, step: 2}}\n",
    "version: 1\ntarget: x.yaml\nparameters: {n: {from: 1}}\n",
    "version: 1\ntarget: x.yaml\nparameters: {n: {from: a, to: 9}}\n",
    "version: 1\ntarget: x.yaml\nparameters: {n: {from: 1, to: 9, by: 2}}\n",
    "version: 1\ntarget: x.yaml\nparameters: {n: {from: 9, to: 1}}\n",
    "version: 1\ntarget: x.yaml\nparameters: {n: []}\n",
    "version: 1\ntarget: x.yaml\nparameters: [n]\n",
    "version: 1\ntarget: x.yaml\nzip: true\nparameters: {n: [1, 2], m: [3]}\n",
    "version: 1\ntarget: x.yaml\nzip: maybe\nparameters: {n: [1]}\n",
    "version: 1\ntarget: x.yaml\nmaxreg: 1000\nparameters: {n: [1]}\n",
    "version: 1\ntarget: x.yaml\nset: [sms]\nparameters: {n: [1]}\n",
    "version: 1\ntarget: x.yaml\nsets: {sms: 1}\nparameters: {n: [1]}\n",
    "version: 1\ntarget: x.yaml\nparameters: {n: [1], n: [2]}\n",
    "version: 1\nparameters: {n: [1]}\n",
    "version: 2\ntarget: x.yaml\nparameters: {n: [1]}\n",
};

/* A name of the bundle, as no file has it; it names built-in workloads, so it has no folder. */
START_TEST(built_in_studies)
{
    g_autoptr(GError) error = NULL;

    ck_assert(!ws_study_file_is_study("latency_hiding"));
    ck_assert(!ws_study_file_is_study("literature/chains"));
    ck_assert(!ws_study_file_is_study("literature/"));
    ck_assert(!ws_study_file_is_study("nothing/little"));
    ck_assert(ws_study_file_is_study("literature/little"));
    g_autoptr(WsStudy) study = ws_study_file_read("literature/little", &error);
    ck_assert_ptr_nonnull(study);
    ck_assert_ptr_null(study->folder);
    ck_assert_str_eq(study->target, "latency_hiding/bytecode-in_four.yaml");
    ck_assert_uint_eq(ws_study_points(study), 24);
    g_autofree char *last = ws_study_point_name(study, 23);
    ck_assert_str_eq(last, "wait=124, warps=32");
}
END_TEST

/* As its points, or what is wrong. */
START_TEST(studies_that_people_write)
{
    g_autofree char *folder = g_dir_make_tmp("warpstep-plan-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "study.yaml", NULL);
    g_autoptr(GString) out = g_string_new(NULL);

    for (guint i = 0; i < G_N_ELEMENTS(written); i++) {
        GError *error = NULL;
        ck_assert(g_file_set_contents(path, written[i], -1, NULL));
        g_autoptr(WsStudy) study = ws_study_file_read(path, &error);
        g_string_append_printf(out, "---- %u\n", i);
        if (study == NULL)
            g_string_append_printf(out, "%s\n", error->message);
        for (guint p = 0; study != NULL && p < ws_study_points(study); p++) {
            g_autofree char *name = ws_study_point_name(study, p);
            g_autofree char *command = ws_study_point_command(study, p);
            g_string_append_printf(out, "%s: %s\n", name, command);
        }
        g_clear_error(&error);
    }
    g_unlink(path);
    g_rmdir(folder);
    g_autofree char *anywhere = golden_text_replace(out->str, folder, "FOLDER");
    golden_text_check("study_written.txt", anywhere);
}
END_TEST

static const struct {
    const char *word, *shell;
} words[] = {{"abc", "abc"}, {"", "''"},     {"a b", "'a b'"},           {"it's", "'it'\\''s'"},
             {"a=1", "a=1"}, {"$x", "'$x'"}, {"a/b.c-d_e", "a/b.c-d_e"}, {"[1,2]", "'[1,2]'"},
             {"~x", "'~x'"}};

START_TEST(shell_words)
{
    for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
        g_autofree char *word = ws_study_shell_word(words[i].word);
        ck_assert_str_eq(word, words[i].shell);
    }
}
END_TEST

/* Targets as a parameter: each is a file beside the study, or a built-in workload. */
START_TEST(targets)
{
    g_autofree char *scratch = g_dir_make_tmp("warpstep-plan-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(scratch, "study.yaml", NULL);
    g_autofree char *launch = g_build_filename(scratch, "a.yaml", NULL);
    static char *const hashes[] = {(char *)"one", (char *)"two", NULL};
    static const WsStudyDigest given = {(char *)"d", (char **)hashes};
    g_auto(WsStudyDigest) digest = {0};
    GError *error = NULL;

    ck_assert(g_file_set_contents(launch, "version: 1\n", -1, NULL));
    ck_assert(g_file_set_contents(path,
                                  "version: 1\ntargets: [a.yaml, vecadd]\n"
                                  "relative: {policy: lrr}\nparameters: {policy: [lrr, gto]}\n",
                                  -1, NULL));
    g_autoptr(WsStudy) read = ws_study_file_read(path, &error);
    ck_assert_msg(read != NULL && ws_study_check(read, &error), "%s", error ? error->message : "");
    g_autofree char *text = ws_study_to_json(read, &given);
    g_autoptr(WsStudy) study = ws_study_from_json("x.json", text, strlen(text), &digest, &error);
    ck_assert_msg(study != NULL, "%s", error ? error->message : "");
    ck_assert_ptr_null(study->target);
    ck_assert_int_eq(ws_study_target_axis(study), 0);
    ck_assert_str_eq(digest.common, "d");
    ck_assert(g_strv_equal((const char *const *)digest.targets, (const char *const *)hashes));
    ck_assert_uint_eq(ws_study_first_point(study, 0, 1), 2);
    ck_assert_str_eq(study->reference[0], "policy=lrr");
    g_autofree char *first = ws_study_point_command(study, 1);
    g_autofree char *second = ws_study_point_command(study, 2);
    g_autofree char *expected = g_strdup_printf("warpstep run %s --set policy=gto", launch);
    ck_assert_str_eq(first, expected);
    ck_assert_str_eq(second, "warpstep run vecadd --set policy=lrr");
    g_unlink(path);
    g_unlink(launch);
    g_rmdir(scratch);
}
END_TEST

/* What a study may not say about its targets and its reference. */
START_TEST(targets_and_references)
{
    static const struct {
        const char *target, *parameters, *reference, *message;
    } rows[] = {
        {NULL, "policy=lrr", NULL, "no launch file is given: TARGET, or -P target=A.yaml,B.yaml"},
        {"x.yaml", "target=a,b", NULL,
         "the target is given twice: once for all points, and as a parameter"},
        {NULL, "target=a,b", "target=a", "NAME=VALUE of a parameter of the study is expected"},
        {"x.yaml", "policy=lrr", "sms=1", "NAME=VALUE of a parameter of the study is expected"},
        {"x.yaml", "policy=lrr", "policy", "NAME=VALUE of a parameter of the study is expected"},
        {"x.yaml", "policy=lrr", "policy=gto", "the parameter does not take this value"},
        {NULL, "target=a,b", NULL, NULL},
        {"x.yaml", "policy=lrr", "policy=lrr", NULL},
    };

    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(WsStudy) study = ws_study_new(rows[i].target);
        g_autoptr(GError) error = NULL;

        if (rows[i].reference != NULL)
            study->reference = g_strsplit(rows[i].reference, "|", -1);
        ck_assert(ws_study_add_text(study, rows[i].parameters, NULL));
        ck_assert_int_eq(ws_study_check(study, &error), rows[i].message == NULL);
        ck_assert(error == NULL || strstr(error->message, rows[i].message) != NULL);
    }
    g_autoptr(WsStudy) zipped = ws_study_new("x.yaml");
    zipped->design = WS_DESIGN_ZIP;
    zipped->reference = g_strsplit("policy=lrr", "|", -1);
    ck_assert(ws_study_add_text(zipped, "policy=lrr,gto", NULL));
    ck_assert(!ws_study_check(zipped, NULL));
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, values);
    tcase_add_test(cases, points);
    tcase_add_test(cases, errors);
    tcase_add_test(cases, json);
    tcase_add_test(cases, shell_words);
    tcase_add_loop_test(cases, files_that_are_studies, 0, G_N_ELEMENTS(kinds));
    tcase_add_test(cases, built_in_studies);
    tcase_add_test(cases, studies_that_people_write);
    tcase_add_test(cases, targets);
    tcase_add_test(cases, targets_and_references);
}

int main(void)
{
    return run_suite("plan", add_tests);
}
