/* The assignment.yaml that students get. */
#include "grade/pack/parts.h"
#include "sim/launch/launch.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

/* ---- writing YAML -----------------------------------------------------------------------------
 */

/* In quotes, as JSON and YAML both read it. */
static void put_text(GString *out, const char *text)
{
    g_autoptr(JsonNode) node = json_node_init_string(json_node_alloc(), text);
    g_autofree char *quoted = json_to_string(node, FALSE);
    g_string_append(out, quoted);
}

/* As it was written, in one line. The depth of the tree is bounded. */
static void put_node(GString *out, const WsYamlNode *node)
{
    if (node->kind == WS_YAML_SCALAR) {
        if (node->quoted || strpbrk(node->text, ":#{}[],\"'\n") != NULL)
            put_text(out, node->text);
        else
            g_string_append(out, node->text);
        return;
    }
    gboolean mapping = node->kind == WS_YAML_MAPPING;
    g_string_append_c(out, mapping ? '{' : '[');
    for (guint i = 0; i < ws_yaml_count(node); i++) {
        g_string_append(out, i == 0 ? "" : ", ");
        if (mapping) {
            put_node(out, ws_yaml_key(node, i));
            g_string_append(out, ": ");
        }
        put_node(out, ws_yaml_item(node, i));
    }
    g_string_append_c(out, mapping ? '}' : ']');
}

/* `key: value` of a mapping, if it is there. */
static void put_key(GString *out, const char *indent, const WsYamlNode *mapping, const char *key)
{
    const WsYamlNode *value = ws_yaml_get(mapping, key);
    if (value == NULL)
        return;
    g_string_append_printf(out, "%s%s: ", indent, key);
    put_node(out, value);
    g_string_append_c(out, '\n');
}

/* ---- tests ------------------------------------------------------------------------------------
 */

static const WsTest *given_test(const WsAssignment *assignment, guint index)
{
    const WsTest *test = ws_assignment_test(assignment, index);
    return test->hidden ? NULL : test;
}

static void put_tolerance(GString *out, double relative, double absolute)
{
    char texts[2][G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_printf(out, ", rel: %s, abs: %s",
                           g_ascii_dtostr(texts[0], sizeof texts[0], relative),
                           g_ascii_dtostr(texts[1], sizeof texts[1], absolute));
}

/* The file of what the reference has left in place `place` of its memory; added to `files`. */
static char *put_reference(const WsTest *test, const WsTrial *reference, guint place,
                           const char *name, GHashTable *files, GError **error)
{
    if (reference == NULL || reference->memory == NULL || place >= reference->memory->len) {
        ws_set_error(error, WS_ERROR_CHECK,
                     "the reference fails test '%s'; warpstep assignment check says why",
                     test->name);
        return NULL;
    }
    char *file = g_strdup_printf("expected/%s-%s", test->name, name);
    g_hash_table_insert(files, g_strdup(file), g_bytes_ref(reference->memory->pdata[place]));
    return file;
}

/* What a whole program must print, from a file. */
static gboolean put_output(GString *out, const WsTest *test, const WsTrial *reference,
                           GHashTable *files, GError **error)
{
    const WsProgramRun *run = test->run;
    if (!run->compares)
        return TRUE;
    g_autofree char *file = run->output != NULL || run->output_file != NULL
                                ? g_strdup(run->output_file)
                                : put_reference(test, reference, 0, "output.txt", files, error);
    if (file == NULL && run->output == NULL)
        return FALSE;
    g_string_append_printf(out, "      output: {%s: ", file != NULL ? "file" : "text");
    put_text(out, file != NULL ? file : run->output);
    if (run->numbers)
        put_tolerance(out, run->relative, run->absolute);
    g_string_append(out, "}\n");
    return TRUE;
}

static gboolean put_program_run(GString *out, const WsTest *test, const WsYamlNode *node,
                                const WsTrial *reference, GHashTable *files, GError **error)
{
    static const char *const keys[] = {"arguments", "input",  "files", "exit_code",
                                       "launches",  "device", "set"};
    const WsYamlNode *run = ws_yaml_get(node, "run");
    g_string_append(out, ws_yaml_count(run) == 0 ? "    run: {}\n" : "    run:\n");
    for (guint i = 0; i < G_N_ELEMENTS(keys); i++)
        put_key(out, "      ", run, keys[i]);
    return put_output(out, test, reference, files, error);
}

static gboolean put_launch_comparisons(GString *out, const WsTest *test, const WsTrial *reference,
                                       GHashTable *files, GError **error)
{
    g_string_append(out, test->comparisons->len > 0 ? "    compare:\n" : "");
    for (guint i = 0; i < test->comparisons->len; i++) {
        const WsComparison *wanted = &g_array_index(test->comparisons, WsComparison, i);
        g_autofree char *name = g_strdup_printf("%u.bin", i + 1);
        g_autofree char *file = wanted->file != NULL
                                    ? g_strdup(wanted->file)
                                    : put_reference(test, reference, i + 1, name, files, error);
        if (file == NULL)
            return FALSE;
        g_string_append(out, "      - {kernel: ");
        put_text(out, wanted->kernel);
        g_string_append_printf(
            out, ", launch: %u, parameter: %u, before: %s, type: %s, file: ", wanted->launch,
            wanted->parameter, wanted->before ? "true" : "false", ws_type_name(wanted->type));
        put_text(out, file);
        put_tolerance(out, wanted->relative, wanted->absolute);
        g_string_append_printf(out, ", equal_nan: %s}\n", wanted->equal_nan ? "true" : "false");
    }
    return TRUE;
}

static gboolean put_comparisons(GString *out, const WsTest *test, const WsTrial *reference,
                                const char *const *names, GHashTable *files, GError **error)
{
    if (test->comparisons->len == 0)
        return TRUE;
    g_string_append(out, "    compare:\n");
    for (guint i = 0; i < test->comparisons->len; i++) {
        const WsComparison *wanted = &g_array_index(test->comparisons, WsComparison, i);
        g_autofree char *name = g_strconcat(wanted->buffer, ".bin", NULL);
        guint place = 0;
        while (names[place] != NULL && strcmp(names[place], wanted->buffer) != 0)
            place++;
        g_autofree char *file = wanted->file != NULL
                                    ? g_strdup(wanted->file)
                                    : put_reference(test, reference, place, name, files, error);
        if (file == NULL)
            return FALSE;
        g_string_append(out, "      - {buffer: ");
        put_text(out, wanted->buffer);
        g_string_append(out, ", file: ");
        put_text(out, file);
        put_tolerance(out, wanted->relative, wanted->absolute);
        g_string_append_printf(out, ", equal_nan: %s}\n", wanted->equal_nan ? "true" : "false");
    }
    return TRUE;
}

/* With the numbers that were drawn for whom the results are computed. */
static void put_values(GString *out, const WsAssignment *assignment, const WsTest *test)
{
    g_auto(GStrv) drawn = ws_assignment_draw(assignment, test, WS_PACKED_STUDENT);
    char *const *const lists[] = {test->values, drawn};
    const char *before = "    with: {";
    for (guint list = 0; list < G_N_ELEMENTS(lists); list++) {
        for (guint i = 0; lists[list][i] != NULL; i++) {
            const char *equals = strchr(lists[list][i], '=');
            g_string_append_printf(out, "%s%.*s: ", before, (int)(equals - lists[list][i]),
                                   lists[list][i]);
            put_text(out, equals + 1);
            before = ", ";
        }
    }
    g_string_append(out, *before == ',' ? "}\n" : "");
}

/* The names of a launch's buffers, in the order in which runs keep them. */
static char **buffer_names(const WsTrial *trial)
{
    GPtrArray *names = g_ptr_array_new();
    JsonObject *report =
        trial == NULL || trial->report == NULL ? NULL : json_node_get_object(trial->report);
    JsonArray *list = report == NULL ? NULL : json_object_get_array_member(report, "buffer_names");
    for (guint i = 0; list != NULL && i < json_array_get_length(list); i++)
        g_ptr_array_add(names, g_strdup(json_array_get_string_element(list, i)));
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_free(names, FALSE);
}

static gboolean put_tests(GString *out, const WsAssignment *assignment, WsGrader *grader,
                          GHashTable *files, GError **error)
{
    const WsYamlNode *tests = ws_yaml_get(assignment->tree->root, "tests");
    g_string_append(out, "tests:\n");
    for (guint i = 0; i < assignment->tests->len; i++) {
        const WsTest *test = given_test(assignment, i);
        if (test == NULL)
            continue;
        const WsYamlNode *node = ws_yaml_item(tests, i);
        g_string_append_printf(out, "  %s:\n", test->name);
        put_key(out, "    ", node, "launch");
        put_key(out, "    ", node, "program");
        put_key(out, "    ", node, "policy");
        put_key(out, "    ", node, "limits");
        put_key(out, "    ", node, "check");
        put_values(out, assignment, test);
        const WsTrial *reference =
            !ws_test_compares(test) || ws_test_is_own(test)
                ? NULL
                : ws_own_runs_reference(ws_grader_runs(grader), i, WS_PACKED_STUDENT);
        if (test->run != NULL) {
            if (!put_program_run(out, test, node, reference, files, error) ||
                !put_launch_comparisons(out, test, reference, files, error))
                return FALSE;
            continue;
        }
        g_auto(GStrv) names = buffer_names(reference);
        if (!put_comparisons(out, test, reference, (const char *const *)names, files, error))
            return FALSE;
    }
    return TRUE;
}

/* ---- checks -----------------------------------------------------------------------------------
 */

/* The test by which students see a check; -1 if they do not. Of hidden tests they see the gates. */
static gint shown_test(const WsAssignment *assignment, const WsRule *rule)
{
    gboolean hidden = ws_assignment_test(assignment, (guint)rule->test)->hidden;
    if (rule->kind == WS_RULE_PREDICTION || (hidden && rule->kind != WS_RULE_GATES))
        return -1;
    return ws_assignment_shown_test(assignment, (guint)rule->test);
}

/* The test of a figure, as students see it, or NULL. */
static const char *shown_name(const WsAssignment *assignment, const WsFigure *figure)
{
    gint test = ws_assignment_shown_test(assignment,
                                         (guint)ws_assignment_find_test(assignment, figure->test));
    return test < 0 ? NULL : ws_assignment_test(assignment, (guint)test)->name;
}

static gboolean looks_at_hidden(const WsAssignment *assignment, const WsFormula *formula)
{
    for (guint i = 0; i < ws_formula_figure_count(formula); i++) {
        const WsFigure *figure = ws_formula_figure(formula, i);
        if (figure->of == WS_FIGURE_TEST && shown_name(assignment, figure) == NULL)
            return TRUE;
    }
    return FALSE;
}

/* Whether students may see a test, a check. */
static gboolean is_in_student_package(const WsAssignment *assignment, const WsRule *rule)
{
    gboolean any = rule->kind != WS_RULE_GATES;
    for (guint i = 0; i < rule->gates->len; i++)
        any |= !looks_at_hidden(assignment, g_array_index(rule->gates, WsGate, i).formula);
    return any && shown_test(assignment, rule) >= 0;
}

static void put_gates(GString *out, const WsAssignment *assignment, WsGrader *grader,
                      const WsRule *rule)
{
    g_string_append(out, "    gates:\n");
    for (guint i = 0; i < rule->gates->len; i++) {
        const WsGate *gate = &g_array_index(rule->gates, WsGate, i);
        guint count = ws_formula_figure_count(gate->formula);
        if (looks_at_hidden(assignment, gate->formula))
            continue;
        g_autofree const char **tests = g_new0(const char *, count + 1);
        for (guint k = 0; k < count; k++)
            if (ws_formula_figure(gate->formula, k)->of == WS_FIGURE_TEST)
                tests[k] = shown_name(assignment, ws_formula_figure(gate->formula, k));
        g_autofree double *values =
            ws_own_runs_reference_values(ws_grader_runs(grader), gate->formula,
                                         (guint)shown_test(assignment, rule), WS_PACKED_STUDENT);
        g_autofree char *text = ws_formula_without_reference(gate->formula, values, tests);
        char points[G_ASCII_DTOSTR_BUF_SIZE];
        g_string_append(out, "      ");
        put_text(out, text);
        g_string_append_printf(out, ": %s\n",
                               g_ascii_formatd(points, sizeof points, "%g", gate->points));
    }
}

static void put_needs(GString *out, const WsAssignment *assignment, const WsRule *rule)
{
    gboolean first = TRUE;
    for (guint i = 0; i < rule->needs->len; i++) {
        const WsRule *needed = ws_assignment_rule(assignment, g_array_index(rule->needs, guint, i));
        if (!is_in_student_package(assignment, needed))
            continue;
        g_string_append(out, first ? "    needs: [" : ", ");
        put_text(out, needed->name);
        first = FALSE;
    }
    g_string_append(out, first ? "" : "]\n");
}

static void put_rules(GString *out, const WsAssignment *assignment, WsGrader *grader)
{
    static const char *const keys[] = {"description", "help", "points", "credit", "source"};
    g_string_append(out, "checks:\n");
    for (guint i = 0; i < assignment->rules->len; i++) {
        const WsRule *rule = ws_assignment_rule(assignment, i);
        if (!is_in_student_package(assignment, rule))
            continue;
        g_string_append(out, "  - name: ");
        put_text(out, rule->name);
        g_string_append_c(out, '\n');
        for (guint k = 0; k < G_N_ELEMENTS(keys); k++)
            put_key(out, "    ", rule->node, keys[k]);
        g_string_append_printf(
            out, "    test: %s\n",
            ws_assignment_test(assignment, (guint)shown_test(assignment, rule))->name);
        put_needs(out, assignment, rule);
        if (rule->kind == WS_RULE_GATES)
            put_gates(out, assignment, grader, rule);
    }
}

/* Of the runs whose results and figures stand in it: who grades with another one is told so. */
static void put_compiler(GString *out, const WsAssignment *assignment, const WsGrader *grader)
{
    const char *name = NULL;
    for (guint i = 0; i < assignment->tests->len && name == NULL; i++) {
        const WsTrial *known = ws_own_runs_known(ws_grader_runs(grader), i);
        name = known == NULL ? NULL : ws_trial_compiler(known);
    }
    if (name == NULL)
        return;
    g_string_append(out, "compiler: ");
    put_text(out, name);
    g_string_append_c(out, '\n');
}

gboolean ws_pack_assignment_file(const WsAssignment *assignment, WsGrader *grader,
                                 GHashTable *files, GError **error)
{
    static const char *const keys[] = {"title",   "program", "answers", "handout",
                                       "include", "limits",  "check",   "no_hints"};
    g_autoptr(GString) out = g_string_new(
        "# Made by `warpstep assignment pack`: the tests that students get. Grade yourself with\n"
        "#     warpstep grade . .\n"
        "# Hidden tests and predictions are graded in addition.\nversion: 1\n");
    for (guint i = 0; i < G_N_ELEMENTS(keys); i++)
        put_key(out, "", assignment->tree->root, keys[i]);
    if (!put_tests(out, assignment, grader, files, error))
        return FALSE;
    put_rules(out, assignment, grader);
    put_compiler(out, assignment, grader);
    ws_file_set_add_text(files, "assignment.yaml", out->str);
    return TRUE;
}
