/* What a change to a file makes of a study: points of one target run again, or it is another. */
#include <glib/gstdio.h>
#include <string.h>

#include "study/results/metrics.h"
#include "study/run/sweep.h"
#include "tests/support/golden_text.h"
#include "tests/support/suite.h"

static const char launch_text[] = "version: 1\nprogram: @.wsasm\ndevice: textbook\n"
                                  "buffers:\n"
                                  "  in: {type: u32, count: 1, init: {file: @.bin}}\n"
                                  "  out: {type: u32, count: 128}\n"
                                  "kernel: two_sides\ngrid: 2\nblock: 64\n"
                                  "params: [{ref: in}, {ref: out}]\n";
static const char policy_text[] = "#include <warpstep/policy.h>\n"
                                  "int pick(const ws_view *v) { return ws_first(v->eligible); }\n";

static char *in(const char *folder, const char *name)
{
    return g_build_filename(folder, name, NULL);
}

static void put(const char *folder, const char *name, const char *text)
{
    g_autofree char *path = in(folder, name);
    ck_assert(g_file_set_contents(path, text, -1, NULL));
}

/* A launch of NAME.wsasm, with data in NAME.bin. */
static void put_launch(const char *folder, const char *file, const char *name)
{
    g_autofree char *text = golden_text_replace(launch_text, "@", name);
    put(folder, file, text);
}

/* a.yaml has its own program and data; b.yaml and c.yaml share theirs. */
static char *make_files(void)
{
    char *folder = g_dir_make_tmp("warpstep-study-XXXXXX", NULL);
    g_autofree char *source = NULL;
    g_autofree char *path =
        g_build_filename(g_getenv("WS_TEST_SOURCES"), "tests/data/rooms/two_sides.wsasm", NULL);

    ck_assert(g_file_get_contents(path, &source, NULL, NULL));
    put(folder, "a.wsasm", source);
    put(folder, "b.wsasm", source);
    put(folder, "a.bin", "abcd");
    put(folder, "b.bin", "abcd");
    put_launch(folder, "a.yaml", "a");
    put_launch(folder, "b.yaml", "b");
    put_launch(folder, "c.yaml", "b");
    put(folder, "policy.c", policy_text);
    return folder;
}

static void remove_files(char *folder)
{
    g_autofree char *command = g_strdup_printf("rm -r '%s'", folder);
    ck_assert_int_eq(system(command), 0);
    g_free(folder);
}

/* The three targets; the policy in C varies, is that of all points, or is not used. */
typedef enum { NO_POLICY, POLICY_VARIES, POLICY_GIVEN } PolicyUse;

static WsStudy *new_study(const char *folder, PolicyUse use)
{
    WsStudy *study = ws_study_new(NULL);
    g_autofree char *policy = in(folder, "policy.c");
    g_autofree char *varied = g_strdup_printf("policy=lrr,%s", policy);
    g_autofree char *given = g_strdup_printf("policy=%s", policy);

    study->folder = g_strdup(folder);
    ck_assert(ws_study_add_text(study, "target=a.yaml,b.yaml,c.yaml", NULL));
    if (use == POLICY_GIVEN)
        study->settings = g_strsplit(given, "|", -1);
    ck_assert(ws_study_add_text(study, use == POLICY_VARIES ? varied : "sub_cores=1,2", NULL));
    ck_assert(ws_study_check(study, NULL));
    return study;
}

static void read_digest(const WsStudy *study, WsStudyDigest *ret)
{
    const WsSweepOptions options = {.threads = 1};
    GError *error = NULL;
    ck_assert_msg(ws_sweep_digest(study, &options, NULL, ret, &error), "%s",
                  error ? error->message : "");
    ck_assert_uint_eq(g_strv_length(ret->targets), 3);
}

/* A file, what it is changed to (NULL: it is removed), and which hashes are then different. */
static const struct {
    const char *name, *text;
    const char *changed; /* a letter for each target, P: what is common */
    PolicyUse use;
} changes[] = {
    {"a.bin", "efgh", "a", NO_POLICY},
    {"b.bin", "efgh", "bc", NO_POLICY},
    {"a.wsasm", "// empty\n", "a", NO_POLICY},
    {"b.wsasm", "// empty\n", "bc", NO_POLICY},
    {"b.yaml", "version: 1\n", "b", NO_POLICY},
    {"b.yaml", NULL, "b", NO_POLICY},
    {"a.yaml", NULL, "a", NO_POLICY}, /* the first */
    {"a.yaml", NULL, "a", POLICY_GIVEN},
    {"b.wsasm", NULL, "bc", NO_POLICY},
    {"unread.bin", "efgh", "", NO_POLICY},
    {"policy.c", "/* another */\n", "P", POLICY_GIVEN},
    {"policy.c", "/* another */\n", "P", POLICY_VARIES},
    {"policy.c", "/* another */\n", "", NO_POLICY},
};

/* `ret` gets the letters of the hashes that differ. */
static void append_differences(GString *ret, const WsStudyDigest *one, const WsStudyDigest *other)
{
    for (guint t = 0; t < 3; t++)
        if (strcmp(one->targets[t], other->targets[t]) != 0)
            g_string_append_c(ret, (gchar)('a' + (gchar)t));
    if (strcmp(one->common, other->common) != 0)
        g_string_append_c(ret, 'P');
}

START_TEST(changed_files)
{
    char *folder = make_files();
    g_autoptr(WsStudy) study = new_study(folder, changes[_i].use);
    g_auto(WsStudyDigest) before = {0}, again = {0}, after = {0};
    g_autoptr(GString) same = g_string_new(NULL), changed = g_string_new(NULL);
    g_autofree char *path = in(folder, changes[_i].name);
    g_autofree char *text =
        g_strconcat(g_str_has_suffix(path, ".c") ? policy_text : "", changes[_i].text, NULL);

    read_digest(study, &before);
    read_digest(study, &again);
    append_differences(same, &before, &again);
    ck_assert_str_eq(same->str, "");
    if (changes[_i].text != NULL)
        put(folder, changes[_i].name, text);
    else
        ck_assert_int_eq(g_unlink(path), 0);
    read_digest(study, &after);
    append_differences(changed, &before, &after);
    ck_assert_msg(strcmp(changed->str, changes[_i].changed) == 0, "row %d: %s", _i, changed->str);
    remove_files(folder);
}
END_TEST

/* No target can be loaded: the error is that of the first. */
START_TEST(nothing_to_load)
{
    char *folder = make_files();
    g_autoptr(WsStudy) study = new_study(folder, NO_POLICY);
    static const char *const names[] = {"a.yaml", "b.yaml", "c.yaml"};
    const WsSweepOptions options = {.threads = 1};
    g_auto(WsStudyDigest) digest = {0};
    GError *error = NULL;

    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = in(folder, names[i]);
        ck_assert_int_eq(g_unlink(path), 0);
    }
    ck_assert(!ws_sweep_digest(study, &options, NULL, &digest, &error));
    ck_assert_ptr_nonnull(strstr(error->message, "a.yaml"));
    g_clear_error(&error);
    remove_files(folder);
}
END_TEST

/* A folder goes on with other files of some targets, and with the rows of the others. */
static const struct {
    const char *common, *targets; /* a letter for each target */
    const char *changed;          /* NULL: another study */
} claims[] = {
    {"x", "abc", ""},   {"x", "dbc", "0"},  {"x", "dbe", "02"},
    {"x", "def", NULL}, {"y", "abc", NULL}, {"y", "dbc", NULL},
};

static WsStudyDigest digest_of(const char *common, const char *letters)
{
    WsStudyDigest digest = {.common = g_strdup(common), .targets = g_new0(char *, 4)};
    for (guint i = 0; i < 3; i++)
        digest.targets[i] = g_strndup(letters + i, 1);
    return digest;
}

static WsStudyFolder *open_folder(const char *path, const WsStudy *study, const char *common,
                                  const char *letters)
{
    g_auto(WsStudyDigest) digest = digest_of(common, letters);
    return ws_study_folder_open(path, study, &digest, FALSE, NULL);
}

START_TEST(claimed_folders)
{
    char *folder = make_files();
    g_autofree char *path = in(folder, "out");
    g_autoptr(WsStudy) study = new_study(folder, NO_POLICY);
    g_auto(GStrv) metrics = ws_metrics_of_error("");
    g_free(metrics[0]);
    metrics[0] = g_strdup("ok");

    WsStudyFolder *first = open_folder(path, study, "x", "abc");
    for (guint i = 0; i < ws_study_points(study); i++)
        ck_assert(ws_study_folder_add(first, i, metrics, NULL));
    WsStudyFolder *second = open_folder(path, study, claims[_i].common, claims[_i].targets);
    ck_assert_int_eq(second != NULL, claims[_i].changed != NULL);
    for (guint i = 0; second != NULL && i < ws_study_points(study); i++) {
        gboolean changed = ws_study_folder_changed(second, ws_study_target_of(study, i));
        gboolean wanted = strchr(claims[_i].changed, '0' + (char)(i / 2)) != NULL;
        ck_assert_int_eq(changed, wanted);
        ck_assert_int_eq(ws_study_folder_has(second, i), !changed);
    }
    /* The table is that of the study that the folder has now. */
    g_autoptr(GError) error = NULL;
    gboolean replaced = second != NULL && *claims[_i].changed != '\0';
    ck_assert_int_eq(ws_study_folder_write_table(first, &error), !replaced);
    ck_assert(!replaced || strstr(error->message, "another sweep") != NULL);
    ws_study_folder_free(first);
    if (second != NULL) {
        ck_assert(ws_study_folder_write_table(second, NULL));
        WsStudyFolder *third = open_folder(path, study, claims[_i].common, claims[_i].targets);
        for (guint t = 0; t < 3; t++)
            ck_assert(!ws_study_folder_changed(third, t));
        ws_study_folder_free(third);
    }
    ws_study_folder_free(second);
    remove_files(folder);
}
END_TEST

/* A folder of an earlier version has no hash of each target: its rows are those it had. */
START_TEST(folders_of_earlier_versions)
{
    char *folder = make_files();
    g_autofree char *path = in(folder, "out");
    g_autoptr(WsStudy) study = new_study(folder, NO_POLICY);
    const WsStudyDigest old = {.common = (char *)"x"};

    WsStudyFolder *first = ws_study_folder_open(path, study, &old, FALSE, NULL);
    ck_assert_ptr_nonnull(first);
    ws_study_folder_free(first);
    ck_assert_ptr_null(open_folder(path, study, "x", "abc"));
    g_auto(WsStudyDigest) found = {0};
    g_autoptr(WsStudy) read = ws_study_folder_study(path, &found, NULL);
    ck_assert_ptr_nonnull(read);
    ck_assert_ptr_null(found.targets);
    for (guint i = 0; i < ws_study_points(study); i++) {
        g_autofree char *before = ws_study_point_id(study, &old, i);
        g_autofree char *after = ws_study_point_id(read, &found, i);
        ck_assert_str_eq(before, after);
    }
    remove_files(folder);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, changed_files, 0, G_N_ELEMENTS(changes));
    tcase_add_test(cases, nothing_to_load);
    tcase_add_loop_test(cases, claimed_folders, 0, G_N_ELEMENTS(claims));
    tcase_add_test(cases, folders_of_earlier_versions);
}

int main(void)
{
    return run_suite("study_digest", add_tests);
}
