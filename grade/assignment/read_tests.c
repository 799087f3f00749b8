/* `tests:` of an assignment. */
#include "grade/assignment/reader.h"
#include "sim/device/policies.h"

#include "sim/check/findings.h"

#include <string.h>

enum { MAX_TESTS = 1000 };

static void clear_comparison(gpointer comparison)
{
    g_free(((WsComparison *)comparison)->buffer);
    g_free(((WsComparison *)comparison)->kernel);
    g_free(((WsComparison *)comparison)->file);
}

static void clear_draw(gpointer draw)
{
    g_free(((WsDraw *)draw)->name);
}

void ws_test_free(gpointer data)
{
    WsTest *test = data;
    g_free(test->name);
    g_free(test->launch);
    ws_program_run_free(test->run);
    g_free(test->program);
    g_free(test->policy);
    g_strfreev(test->values);
    g_array_unref(test->draws);
    g_array_unref(test->comparisons);
    g_free(test);
}

static gboolean read_values(const WsYamlTree *tree, const WsYamlNode *node, WsTest *test,
                            GError **error)
{
    if (node == NULL)
        return TRUE;
    if (!ws_yaml_expect_mapping(tree, node, "with", NULL, error))
        return FALSE;
    guint count = ws_yaml_count(node);
    g_strfreev(test->values);
    test->values = g_new0(char *, count + 1);
    for (guint i = 0; i < count; i++) {
        const char *value = ws_yaml_text(tree, ws_yaml_item(node, i), "with", error);
        if (value == NULL)
            return FALSE;
        test->values[i] = g_strconcat(ws_yaml_key(node, i)->text, "=", value, NULL);
    }
    return TRUE;
}

/* What the comparison is of. */
static gboolean read_compared(const WsYamlTree *tree, const WsYamlNode *node, const WsTest *test,
                              WsComparison *ret, GError **error)
{
    static const char *const keys[] = {"buffer", "file", "rel", "abs", "equal_nan", NULL};
    if (test->run != NULL)
        return ws_read_launch_comparison(tree, node, ret, error);
    if (!ws_yaml_expect_mapping(tree, node, "compare", keys, error))
        return FALSE;
    const WsYamlNode *buffer = ws_yaml_require(tree, node, "compare", "buffer", error);
    return buffer != NULL && ws_read_text(tree, buffer, "buffer", &ret->buffer, error);
}

static gboolean read_comparison(const WsAssignment *assignment, const WsYamlNode *node,
                                WsTest *test, GError **error)
{
    const WsYamlTree *tree = assignment->tree;
    g_array_set_size(test->comparisons, test->comparisons->len + 1);
    WsComparison *added =
        &g_array_index(test->comparisons, WsComparison, test->comparisons->len - 1);
    if (!read_compared(tree, node, test, added, error))
        return FALSE;
    if (ws_yaml_get(node, "file") == NULL && assignment->reference == NULL)
        return ws_yaml_error(tree, node, error,
                             "compare: without 'file' it needs a 'reference', which the assignment "
                             "does not have");
    return ws_read_path(assignment, ws_yaml_get(node, "file"), "file", FALSE, &added->file,
                        error) &&
           ws_read_tolerance(tree, node, &added->relative, &added->absolute, error) &&
           ws_read_truth(tree, ws_yaml_get(node, "equal_nan"), "equal_nan", &added->equal_nan,
                         error);
}

static gboolean read_comparisons(const WsAssignment *assignment, const WsYamlNode *node,
                                 WsTest *test, GError **error)
{
    if (node == NULL)
        return TRUE;
    if (!ws_yaml_expect_sequence(assignment->tree, node, "compare", error))
        return FALSE;
    if (ws_test_is_own(test))
        return ws_yaml_error(assignment->tree, node, error,
                             "'compare' is for tests that run the submission");
    for (guint i = 0; i < ws_yaml_count(node); i++)
        if (!read_comparison(assignment, ws_yaml_item(node, i), test, error))
            return FALSE;
    return TRUE;
}

gboolean ws_read_looked_for(const WsYamlTree *tree, const WsYamlNode *node, guint *ret,
                            GError **error)
{
    g_auto(GStrv) names = NULL;
    if (node == NULL)
        return TRUE;
    if (!ws_read_texts(tree, node, "check", &names, error))
        return FALSE;
    *ret = 0;
    for (guint i = 0; names[i] != NULL; i++) {
        guint more;
        g_autofree char *wrong = NULL;
        const WsYamlNode *item = node->kind == WS_YAML_SCALAR ? node : ws_yaml_item(node, i);
        if (!ws_check_kinds_parse(names[i], &more, &wrong))
            return ws_yaml_error(tree, item, error,
                                 "check: '%s' is none of all, races, uninitialised, bounds, "
                                 "barriers",
                                 wrong);
        *ret |= more;
    }
    return TRUE;
}

/* Which program and which policy the test runs. */
static gboolean read_subject(const WsAssignment *assignment, const WsYamlNode *node, WsTest *test,
                             GError **error)
{
    static const char *const policies[] = {WS_POLICIES(WS_POLICY_SETTING) NULL};
    const WsYamlTree *tree = assignment->tree;
    const WsYamlNode *program = ws_yaml_get(node, "program");
    const WsYamlNode *policy = ws_yaml_get(node, "policy");
    guint which;
    if (!ws_assignment_takes_policy(assignment))
        return policy == NULL
                   ? ws_read_path(assignment, program, "program", FALSE, &test->program, error)
                   : ws_yaml_error(tree, policy, error,
                                   "'policy' is for assignments whose program is a policy, *.c");
    if (program != NULL)
        return ws_yaml_error(tree, program, error,
                             "the submission is a policy: the program is that of the launch file");
    if (policy == NULL)
        return TRUE;
    if (!ws_yaml_choice(tree, policy, "policy", policies, &which, error))
        return FALSE;
    test->policy = g_strdup(policies[which]);
    return TRUE;
}

/* What is run: a launch file, or a whole program. */
static gboolean read_what(const WsAssignment *assignment, const WsYamlNode *node, WsTest *test,
                          GError **error)
{
    const WsYamlNode *launch = ws_yaml_get(node, "launch"), *run = ws_yaml_get(node, "run");
    if ((launch == NULL) == (run == NULL))
        return ws_yaml_error(assignment->tree, node, error,
                             "a test has either 'launch', a launch file, or 'run', for a whole "
                             "program");
    return run == NULL ? ws_read_path(assignment, launch, "launch", FALSE, &test->launch, error)
                       : ws_read_program_run(assignment, node, test, error);
}

static gboolean read_test(const WsAssignment *assignment, const WsYamlNode *node, WsTest *test,
                          GError **error)
{
    static const char *const keys[] = {
        "launch",       "run",    "program", "policy", "with",   "draw", "hidden",
        "show_figures", "limits", "compare", "check",  "public", NULL};
    const WsYamlTree *tree = assignment->tree;
    if (!ws_yaml_expect_mapping(tree, node, "a test", keys, error))
        return FALSE;
    const WsYamlNode *shown = ws_yaml_get(node, "show_figures");
    if (!read_subject(assignment, node, test, error) ||
        !read_values(tree, ws_yaml_get(node, "with"), test, error) ||
        !ws_read_draws(tree, ws_yaml_get(node, "draw"), test, error) ||
        !read_what(assignment, node, test, error) ||
        !ws_read_truth(tree, ws_yaml_get(node, "hidden"), "hidden", &test->hidden, error) ||
        !ws_read_truth(tree, shown, "show_figures", &test->figures_shown, error) ||
        !ws_read_limits(tree, ws_yaml_get(node, "limits"), &test->limits, error) ||
        !ws_read_looked_for(tree, ws_yaml_get(node, "check"), &test->looked_for, error) ||
        !read_comparisons(assignment, ws_yaml_get(node, "compare"), test, error))
        return FALSE;
    if (test->program != NULL && ws_yaml_get(node, "check") != NULL)
        return ws_yaml_error(tree, ws_yaml_get(node, "check"), error,
                             "'check' is for tests that run the submission");
    if (test->figures_shown && !test->hidden)
        return ws_yaml_error(tree, shown, error, "show_figures is for hidden tests");
    return test->run != NULL || ws_check_launch_names(assignment, node, test, error);
}

static gboolean check_name(const WsYamlTree *tree, const WsYamlNode *key, GError **error)
{
    gsize length = strspn(key->text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                     "0123456789_");
    if (length == strlen(key->text) && length > 0 && length <= 64)
        return TRUE;
    return ws_yaml_error(tree, key, error,
                         "the name of a test has letters, digits and _, at most 64 of them");
}

/* A hidden test may name a public one, also one below it, by which students see the same. */
static gboolean read_public_twins(const WsAssignment *assignment, const WsYamlNode *node,
                                  GError **error)
{
    for (guint i = 0; i < assignment->tests->len; i++) {
        WsTest *test = g_ptr_array_index(assignment->tests, i);
        const WsYamlNode *name = ws_yaml_get(ws_yaml_item(node, i), "public");
        guint place;
        if (name == NULL)
            continue;
        if (!test->hidden)
            return ws_yaml_error(assignment->tree, name, error, "'public' is for hidden tests");
        if (!ws_read_test_name(assignment, name, &place, error))
            return FALSE;
        const WsTest *twin = ws_assignment_test(assignment, place);
        if (twin->hidden || ws_test_is_own(twin) != ws_test_is_own(test))
            return ws_yaml_error(assignment->tree, name, error,
                                 "public: a test that is not hidden and runs the same: the "
                                 "submission, or a program of the assignment");
        test->shown_by = (gint)place;
    }
    return TRUE;
}

gboolean ws_read_tests(WsAssignment *assignment, const WsYamlNode *node, const WsTest *given,
                       GError **error)
{
    const WsYamlTree *tree = assignment->tree;
    if (!ws_yaml_expect_mapping(tree, node, "tests", NULL, error))
        return FALSE;
    if (ws_yaml_count(node) > MAX_TESTS)
        return ws_yaml_error(tree, node, error, "tests: at most %d are possible", MAX_TESTS);
    for (guint i = 0; i < ws_yaml_count(node); i++) {
        const WsYamlNode *key = ws_yaml_key(node, i);
        WsTest *test = g_new0(WsTest, 1);
        test->name = g_strdup(key->text);
        test->limits = given->limits;
        test->looked_for = given->looked_for;
        test->values = g_new0(char *, 1);
        test->shown_by = -1;
        test->draws = g_array_new(FALSE, FALSE, sizeof(WsDraw));
        g_array_set_clear_func(test->draws, clear_draw);
        test->comparisons = g_array_new(FALSE, TRUE, sizeof(WsComparison));
        g_array_set_clear_func(test->comparisons, clear_comparison);
        test->node = key;
        g_ptr_array_add(assignment->tests, test);
        if (!check_name(tree, key, error) ||
            !read_test(assignment, ws_yaml_item(node, i), test, error))
            return FALSE;
    }
    return read_public_twins(assignment, node, error);
}
