#include "grade/assignment/reader.h"
#include "isa/bytecode/program.h"

#include "sim/check/findings.h"
#include "sim/launch/workload_files.h"

#include <string.h>

static const char *const assignment_keys[] = {
    "version",  "title",    "program",  "answers",     "reference", "starter",
    "handout",  "include",  "publish",  "seed",        "limits",    "due",
    "late",     "tests",    "checks",   "leaderboard", "check",     "fixed_inputs",
    "no_hints", "variants", "compiler", NULL};

enum { MOST_VARIANTS = 10000 };

/* What a run of a test may take where nothing is said. */
static const WsTestLimits default_limits = {.cycles = 20000000,
                                            .seconds = 20,
                                            .memory = G_GUINT64_CONSTANT(1) << 30,
                                            .compile_seconds = 20};

/* ---- leaderboard ------------------------------------------------------------------------------
 */

static void ranking_free(gpointer data)
{
    WsRanking *ranking = data;
    g_free(ranking->name);
    ws_formula_free(ranking->figure);
    g_array_unref(ranking->needs);
    g_free(ranking);
}

static gboolean read_ranking(const WsAssignment *assignment, const WsYamlNode *node,
                             WsRanking *ranking, GError **error)
{
    static const char *const keys[] = {"name", "test", "figure", "order", "needs", NULL};
    static const char *const orders[] = {"ascending", "descending", NULL};
    const WsYamlTree *tree = assignment->tree;
    guint order = 0;
    if (!ws_yaml_expect_mapping(tree, node, "leaderboard", keys, error))
        return FALSE;
    const WsYamlNode *name = ws_yaml_require(tree, node, "leaderboard", "name", error);
    const WsYamlNode *test =
        name == NULL ? NULL : ws_yaml_require(tree, node, "leaderboard", "test", error);
    const WsYamlNode *figure =
        test == NULL ? NULL : ws_yaml_require(tree, node, "leaderboard", "figure", error);
    const WsYamlNode *order_node = ws_yaml_get(node, "order");
    if (figure == NULL || !ws_read_text(tree, name, "name", &ranking->name, error) ||
        !ws_read_test_name(assignment, test, &ranking->test, error) ||
        (order_node != NULL && !ws_yaml_choice(tree, order_node, "order", orders, &order, error)) ||
        !ws_read_needs(assignment, ws_yaml_get(node, "needs"), ranking->needs, error))
        return FALSE;
    const WsTest *run = ws_assignment_test(assignment, ranking->test);
    if (run->hidden && !run->figures_shown)
        return ws_yaml_error(tree, test, error,
                             "the leaderboard would show figures of a hidden test: give the test "
                             "'show_figures: true'");
    ranking->ascending = order == 0;
    ranking->figure = ws_read_formula(tree, figure, "figure", error);
    return ranking->figure != NULL && ws_check_figures(assignment, figure, ranking->figure, error);
}

static gboolean read_rankings(WsAssignment *assignment, const WsYamlNode *node, GError **error)
{
    if (node == NULL)
        return TRUE;
    if (!ws_yaml_expect_sequence(assignment->tree, node, "leaderboard", error))
        return FALSE;
    for (guint i = 0; i < ws_yaml_count(node); i++) {
        WsRanking *ranking = g_new0(WsRanking, 1);
        ranking->needs = g_array_new(FALSE, FALSE, sizeof(guint));
        ranking->node = ws_yaml_item(node, i);
        g_ptr_array_add(assignment->rankings, ranking);
        if (!read_ranking(assignment, ranking->node, ranking, error))
            return FALSE;
    }
    return TRUE;
}

/* ---- the file ---------------------------------------------------------------------------------
 */

static gboolean read_program(WsAssignment *assignment, const WsYamlNode *node, GError **error)
{
    const WsYamlTree *tree = assignment->tree;
    const WsYamlNode *program = ws_yaml_require(tree, node, "the assignment", "program", error);
    const WsYamlNode *answers = ws_yaml_get(node, "answers");
    assignment->answers = g_strdup("answers.yaml");
    if (program == NULL || !ws_read_text(tree, program, "program", &assignment->program, error) ||
        !ws_read_text(tree, answers, "answers", &assignment->answers, error))
        return FALSE;
    if (strchr(assignment->program, '/') != NULL)
        return ws_yaml_error(tree, program, error, "program: the name of a file, without a folder");
    if (strchr(assignment->answers, '/') != NULL)
        return ws_yaml_error(tree, answers, error, "answers: the name of a file, without a folder");
    return TRUE;
}

static gboolean read_compiler(WsAssignment *assignment, const WsYamlNode *root, GError **error)
{
    const WsYamlNode *node = ws_yaml_get(root, "compiler");
    if (!ws_read_text(assignment->tree, node, "compiler", &assignment->compiler, error))
        return FALSE;
    const char *name = assignment->compiler;
    if (name == NULL || (strlen(name) <= WS_MAX_COMPILER_NAME &&
                         name[strspn(name, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS " .")] == '\0'))
        return TRUE;
    return ws_yaml_error(assignment->tree, node, error,
                         "compiler: a name and a version are expected, as in clang 14.0.6");
}

/* A submission could include what lies there: the assignment itself, or a solution. */
static gboolean check_include(const WsAssignment *assignment, const WsYamlNode *node,
                              const char *path, GError **error)
{
    const char *const kept[] = {"assignment.yaml", "mutants", WS_CARRIED_FOLDER,
                                assignment->reference};
    g_autofree char *below = g_strconcat(path, "/", NULL);
    for (guint i = 0; i < G_N_ELEMENTS(kept); i++) {
        g_autofree char *name =
            ws_assignment_path(assignment, kept[i] != NULL ? kept[i] : "mutants");
        g_autofree char *whole = g_canonicalize_filename(name, NULL);
        g_autofree char *inside = g_strconcat(whole, "/", NULL);
        if (g_str_has_prefix(inside, below) || g_str_has_prefix(below, inside))
            return ws_yaml_error(assignment->tree, node, error,
                                 "include: submissions could read '%s' there", kept[i]);
    }
    return TRUE;
}

static gboolean read_includes(WsAssignment *assignment, const WsYamlNode *node, GError **error)
{
    g_auto(GStrv) names = NULL;
    if (!ws_read_texts(assignment->tree, node, "include", &names, error))
        return FALSE;
    guint count = names == NULL ? 0 : g_strv_length(names);
    assignment->includes = g_new0(char *, count + 1);
    for (guint i = 0; i < count; i++) {
        g_autofree char *name = NULL;
        const WsYamlNode *item = node->kind == WS_YAML_SCALAR ? node : ws_yaml_item(node, i);
        if (!ws_read_path(assignment, item, "include", TRUE, &name, error))
            return FALSE;
        g_autofree char *path = ws_assignment_path(assignment, name);
        assignment->includes[i] = g_canonicalize_filename(path, NULL);
        if (!check_include(assignment, item, assignment->includes[i], error))
            return FALSE;
    }
    return TRUE;
}

static gboolean read_published(WsAssignment *assignment, const WsYamlNode *node, GError **error)
{
    assignment->published = g_new0(char *, 1);
    if (!ws_read_texts(assignment->tree, node, "publish", &assignment->published, error))
        return FALSE;
    for (guint i = 0; assignment->published[i] != NULL; i++) {
        g_autofree char *path = ws_assignment_path(assignment, assignment->published[i]);
        g_autofree char *name = NULL;
        const WsYamlNode *item = node->kind == WS_YAML_SCALAR ? node : ws_yaml_item(node, i);
        if (!ws_read_path(assignment, item, "publish", g_file_test(path, G_FILE_TEST_IS_DIR), &name,
                          error))
            return FALSE;
    }
    return TRUE;
}

static gboolean read_all(WsAssignment *assignment, GError **error)
{
    const WsYamlTree *tree = assignment->tree;
    const WsYamlNode *root = tree->root;
    WsTest given = {.limits = default_limits, .looked_for = WS_ALL_CHECKS};
    guint64 version, variants = 0;
    if (!ws_yaml_expect_mapping(tree, root, "the assignment", assignment_keys, error))
        return FALSE;
    const WsYamlNode *version_node =
        ws_yaml_require(tree, root, "the assignment", "version", error);
    if (version_node == NULL ||
        !ws_yaml_unsigned(tree, version_node, "version", 1, 1, &version, error))
        return FALSE;
    const WsYamlNode *seed = ws_yaml_get(root, "seed"), *shared = ws_yaml_get(root, "variants");
    if (shared != NULL &&
        !ws_yaml_unsigned(tree, shared, "variants", 1, MOST_VARIANTS, &variants, error))
        return FALSE;
    assignment->variants = (guint)variants;
    const WsYamlNode *tests = ws_yaml_require(tree, root, "the assignment", "tests", error);
    const WsYamlNode *checks =
        tests == NULL ? NULL : ws_yaml_require(tree, root, "the assignment", "checks", error);
    assignment->title = g_path_get_basename(assignment->folder);
    return checks != NULL &&
           ws_read_text(tree, ws_yaml_get(root, "title"), "title", &assignment->title, error) &&
           read_program(assignment, root, error) && read_compiler(assignment, root, error) &&
           ws_read_path(assignment, ws_yaml_get(root, "reference"), "reference", TRUE,
                        &assignment->reference, error) &&
           ws_read_path(assignment, ws_yaml_get(root, "starter"), "starter", TRUE,
                        &assignment->starter, error) &&
           ws_read_path(assignment, ws_yaml_get(root, "handout"), "handout", FALSE,
                        &assignment->handout, error) &&
           read_includes(assignment, ws_yaml_get(root, "include"), error) &&
           read_published(assignment, ws_yaml_get(root, "publish"), error) &&
           (seed == NULL ||
            ws_yaml_signed(tree, seed, "seed", G_MININT64, G_MAXINT64, &assignment->seed, error)) &&
           ws_read_truth(tree, ws_yaml_get(root, "fixed_inputs"), "fixed_inputs",
                         &assignment->accepts_fixed, error) &&
           ws_read_no_hints(assignment, ws_yaml_get(root, "no_hints"), error) &&
           ws_read_limits(tree, ws_yaml_get(root, "limits"), &given.limits, error) &&
           ws_read_looked_for(tree, ws_yaml_get(root, "check"), &given.looked_for, error) &&
           ws_read_late(assignment, ws_yaml_get(root, "due"), ws_yaml_get(root, "late"), error) &&
           ws_read_tests(assignment, tests, &given, error) &&
           ws_read_rules(assignment, checks, error) &&
           read_rankings(assignment, ws_yaml_get(root, "leaderboard"), error);
}

WsAssignment *ws_assignment_load(const char *path, GError **error)
{
    const WsPosition position = {.file = path};

    if (!g_file_test(path, G_FILE_TEST_EXISTS) && ws_workload_is_lab(path)) {
        ws_set_error_at(error, WS_ERROR_INPUT, &position,
                        "a built-in lab; make a copy to work with: warpstep copy %s my_lab", path);
        return NULL;
    }
    g_autoptr(WsAssignment) assignment = g_new0(WsAssignment, 1);
    gboolean is_folder = g_file_test(path, G_FILE_TEST_IS_DIR);
    g_autofree char *file =
        is_folder ? g_build_filename(path, "assignment.yaml", NULL) : g_strdup(path);
    g_autofree char *folder = g_path_get_dirname(file);
    assignment->folder = g_canonicalize_filename(folder, NULL);
    assignment->due = G_MININT64;
    assignment->late = g_array_new(FALSE, FALSE, sizeof(WsLateRow));
    assignment->tests = g_ptr_array_new_with_free_func(ws_test_free);
    assignment->rules = g_ptr_array_new_with_free_func(ws_rule_free);
    assignment->rankings = g_ptr_array_new_with_free_func(ranking_free);
    assignment->tree = ws_yaml_read(file, error);
    if (assignment->tree == NULL || !read_all(assignment, error))
        return NULL;
    return g_steal_pointer(&assignment);
}

void ws_assignment_free(WsAssignment *assignment)
{
    if (assignment == NULL)
        return;
    g_free(assignment->folder);
    g_free(assignment->title);
    g_free(assignment->program);
    g_free(assignment->answers);
    g_free(assignment->compiler);
    g_free(assignment->reference);
    g_free(assignment->starter);
    g_free(assignment->handout);
    g_strfreev(assignment->includes);
    g_strfreev(assignment->published);
    g_strfreev(assignment->no_hints);
    g_array_unref(assignment->late);
    g_ptr_array_unref(assignment->tests);
    g_ptr_array_unref(assignment->rules);
    g_ptr_array_unref(assignment->rankings);
    ws_yaml_free(assignment->tree);
    g_free(assignment);
}

/* ---- looking at it ----------------------------------------------------------------------------
 */

const WsTest *ws_assignment_test(const WsAssignment *assignment, guint index)
{
    return g_ptr_array_index(assignment->tests, index);
}

gboolean ws_test_is_own(const WsTest *test)
{
    return test->program != NULL || test->policy != NULL;
}

gboolean ws_test_compares(const WsTest *test)
{
    const WsProgramRun *run = test->run;
    return test->comparisons->len > 0 ||
           (run != NULL && run->compares && run->output == NULL && run->output_file == NULL);
}

gboolean ws_assignment_takes_policy(const WsAssignment *assignment)
{
    return ws_is_policy_name(assignment->program);
}

const WsRule *ws_assignment_rule(const WsAssignment *assignment, guint index)
{
    return g_ptr_array_index(assignment->rules, index);
}

gint ws_assignment_find_test(const WsAssignment *assignment, const char *name)
{
    for (guint i = 0; i < assignment->tests->len; i++)
        if (strcmp(ws_assignment_test(assignment, i)->name, name) == 0)
            return (gint)i;
    return -1;
}

gint ws_assignment_find_rule(const WsAssignment *assignment, const char *name)
{
    for (guint i = 0; i < assignment->rules->len; i++)
        if (strcmp(ws_assignment_rule(assignment, i)->name, name) == 0)
            return (gint)i;
    return -1;
}

char *ws_assignment_path(const WsAssignment *assignment, const char *name)
{
    return ws_path_in_folder(assignment->folder, name);
}

GArray *ws_assignment_order(const WsAssignment *assignment)
{
    guint count = assignment->rules->len;
    GArray *order = g_array_new(FALSE, FALSE, sizeof(guint));
    g_autofree gboolean *placed = g_new0(gboolean, count + 1);
    for (guint before = G_MAXUINT; before != order->len;) {
        before = order->len;
        for (guint i = 0; i < count; i++) {
            const GArray *needs = ws_assignment_rule(assignment, i)->needs;
            gboolean ready = !placed[i];
            for (guint k = 0; ready && k < needs->len; k++)
                ready = placed[g_array_index(needs, guint, k)];
            if (!ready)
                continue;
            placed[i] = TRUE;
            g_array_append_val(order, i);
        }
    }
    return order;
}
