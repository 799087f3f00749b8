/* `checks:` of an assignment. */
#include "grade/assignment/instruction_names.h"
#include "grade/assignment/reader.h"

#include <string.h>

enum { MAX_CHECKS = 1000 };

static void clear_gate(gpointer gate)
{
    ws_formula_free(((WsGate *)gate)->formula);
}

static void clear_choice(gpointer data)
{
    WsChoice *choice = data;
    g_free(choice->answer);
    ws_formula_free(choice->condition);
}

void ws_rule_free(gpointer data)
{
    WsRule *rule = data;
    g_free(rule->name);
    g_free(rule->description);
    g_free(rule->help);
    g_free(rule->answer);
    g_strfreev(rule->use);
    g_strfreev(rule->avoid);
    g_strfreev(rule->use_words);
    g_strfreev(rule->avoid_words);
    g_array_unref(rule->needs);
    g_array_unref(rule->gates);
    g_array_unref(rule->choices);
    ws_formula_free(rule->figure);
    g_free(rule);
}

static WsRule *rule_new(const WsYamlNode *node)
{
    WsRule *rule = g_new0(WsRule, 1);
    rule->node = node;
    rule->test = -1;
    rule->needs = g_array_new(FALSE, FALSE, sizeof(guint));
    rule->gates = g_array_new(FALSE, FALSE, sizeof(WsGate));
    rule->choices = g_array_new(FALSE, FALSE, sizeof(WsChoice));
    g_array_set_clear_func(rule->gates, clear_gate);
    g_array_set_clear_func(rule->choices, clear_choice);
    return rule;
}

/* ---- the kinds --------------------------------------------------------------------------------
 */

static gboolean read_gate(const WsAssignment *assignment, const WsYamlNode *key,
                          const WsYamlNode *points, WsRule *rule, GError **error)
{
    WsGate gate = {.node = key, .formula = ws_read_formula(assignment->tree, key, "gate", error)};
    if (gate.formula == NULL)
        return FALSE;
    if (!ws_read_amount(assignment->tree, points, "points", &gate.points, error)) {
        ws_formula_free(gate.formula);
        return FALSE;
    }
    g_array_append_val(rule->gates, gate);
    if (!ws_formula_is_condition(gate.formula))
        return ws_yaml_error(assignment->tree, key, error,
                             "gate: a comparison is expected, such as cycles <= 900");
    return ws_check_figures(assignment, key, gate.formula, error);
}

static gboolean read_gates(const WsAssignment *assignment, const WsYamlNode *node,
                           const WsYamlNode *gates, WsRule *rule, GError **error)
{
    static const char *const credits[] = {"sum", "best", "all", NULL};
    const WsYamlTree *tree = assignment->tree;
    const WsYamlNode *points = ws_yaml_get(node, "points"), *credit = ws_yaml_get(node, "credit");
    guint chosen = WS_CREDIT_SUM;
    rule->kind = WS_RULE_GATES;
    if (points != NULL)
        return ws_yaml_error(tree, points, error, "the points of a gate follow it");
    if (!ws_yaml_expect_mapping(tree, gates, "gates", NULL, error) ||
        (credit != NULL && !ws_yaml_choice(tree, credit, "credit", credits, &chosen, error)))
        return FALSE;
    rule->credit = (WsCredit)chosen;
    for (guint i = 0; i < ws_yaml_count(gates); i++) {
        if (!read_gate(assignment, ws_yaml_key(gates, i), ws_yaml_item(gates, i), rule, error))
            return FALSE;
        double each = g_array_index(rule->gates, WsGate, i).points;
        rule->points =
            rule->credit == WS_CREDIT_BEST ? MAX(rule->points, each) : rule->points + each;
    }
    if (rule->gates->len == 0)
        return ws_yaml_error(tree, gates, error, "gates: at least one is expected");
    return TRUE;
}

/* An instruction that there is not could neither be used nor avoided. */
static gboolean check_instructions(const WsYamlTree *tree, const WsYamlNode *node,
                                   char *const *names, GError **error)
{
    for (guint i = 0; node != NULL && names[i] != NULL; i++) {
        g_autofree char *nearest = NULL, *shown = ws_printable(names[i]);
        const WsYamlNode *item = node->kind == WS_YAML_SCALAR ? node : ws_yaml_item(node, i);
        if (ws_is_base_mnemonic(names[i], &nearest))
            continue;
        if (nearest != NULL)
            return ws_yaml_error(tree, item, error,
                                 "there is no instruction '%s'; did you mean '%s'?", shown,
                                 nearest);
        return ws_yaml_error(tree, item, error, "there is no instruction '%s'", shown);
    }
    return TRUE;
}

static gboolean read_source(const WsAssignment *assignment, const WsYamlNode *source, WsRule *rule,
                            GError **error)
{
    static const char *const keys[] = {"use", "avoid", "use_words", "avoid_words", NULL};
    const WsYamlTree *tree = assignment->tree;
    char ***const lists[] = {&rule->use, &rule->avoid, &rule->use_words, &rule->avoid_words};
    rule->kind = WS_RULE_SOURCE;
    if (!ws_yaml_expect_mapping(tree, source, "source", keys, error))
        return FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(lists); i++)
        if (!ws_read_texts(tree, ws_yaml_get(source, keys[i]), keys[i], lists[i], error))
            return FALSE;
    for (guint i = 0; i < 2; i++)
        if (!check_instructions(tree, ws_yaml_get(source, keys[i]), *lists[i], error))
            return FALSE;
    if (ws_yaml_count(source) == 0)
        return ws_yaml_error(tree, source, error,
                             "source: use, avoid, use_words or avoid_words "
                             "is expected");
    return TRUE;
}

static gboolean read_choices(const WsAssignment *assignment, const WsYamlNode *node, WsRule *rule,
                             GError **error)
{
    if (!ws_yaml_expect_mapping(assignment->tree, node, "choices", NULL, error))
        return FALSE;
    for (guint i = 0; i < ws_yaml_count(node); i++) {
        const WsYamlNode *value = ws_yaml_item(node, i);
        WsChoice choice = {.node = value,
                           .condition = ws_read_formula(assignment->tree, value, "choices", error)};
        if (choice.condition == NULL)
            return FALSE;
        choice.answer = g_strdup(ws_yaml_key(node, i)->text);
        g_array_append_val(rule->choices, choice);
        if (!ws_formula_is_condition(choice.condition))
            return ws_yaml_error(assignment->tree, value, error,
                                 "choices: the condition of an answer is a comparison");
        if (!ws_check_figures(assignment, value, choice.condition, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean read_prediction(const WsAssignment *assignment, const WsYamlNode *node,
                                WsRule *rule, GError **error)
{
    const WsYamlTree *tree = assignment->tree;
    const WsYamlNode *figure = ws_yaml_get(node, "figure"), *choices = ws_yaml_get(node, "choices");
    rule->kind = WS_RULE_PREDICTION;
    if ((figure == NULL) == (choices == NULL))
        return ws_yaml_error(tree, node, error,
                             "a prediction has either a 'figure' or 'choices' that decide it");
    if (!ws_read_text(tree, ws_yaml_get(node, "answer"), "answer", &rule->answer, error) ||
        !ws_read_tolerance(tree, node, &rule->relative, &rule->absolute, error))
        return FALSE;
    if (choices != NULL)
        return read_choices(assignment, choices, rule, error);
    rule->figure_node = figure;
    rule->figure = ws_read_formula(tree, figure, "figure", error);
    return rule->figure != NULL && ws_check_figures(assignment, figure, rule->figure, error);
}

/* ---- a check ----------------------------------------------------------------------------------
 */

static gboolean read_kind(const WsAssignment *assignment, const WsYamlNode *node, WsRule *rule,
                          GError **error)
{
    const WsYamlNode *gates = ws_yaml_get(node, "gates"), *source = ws_yaml_get(node, "source"),
                     *answer = ws_yaml_get(node, "answer");
    if ((gates != NULL) + (source != NULL) + (answer != NULL) > 1)
        return ws_yaml_error(assignment->tree, node, error,
                             "a check has one of 'gates', 'source' and 'answer'; without them the "
                             "results of its test are checked");
    rule->points = 1;
    if (!ws_read_amount(assignment->tree, ws_yaml_get(node, "points"), "points", &rule->points,
                        error))
        return FALSE;
    if (gates != NULL) {
        rule->points = 0;
        return read_gates(assignment, node, gates, rule, error);
    }
    if (source != NULL)
        return read_source(assignment, source, rule, error);
    if (answer != NULL)
        return read_prediction(assignment, node, rule, error);
    return TRUE;
}

static gboolean check_test(const WsAssignment *assignment, const WsYamlNode *node,
                           const WsRule *rule, GError **error)
{
    if (rule->test < 0)
        return ws_yaml_error(assignment->tree, node, error, "a check lacks the key 'test'");
    gboolean own = ws_assignment_test(assignment, (guint)rule->test)->program != NULL;
    if (own && rule->kind != WS_RULE_PREDICTION)
        return ws_yaml_error(assignment->tree, ws_yaml_get(node, "test"), error,
                             "this test runs a program of the assignment, not the submission");
    return TRUE;
}

static gboolean read_rule(const WsAssignment *assignment, const WsYamlNode *node, WsRule *rule,
                          GError **error)
{
    static const char *const keys[] = {"name",   "description", "help",   "test",   "points",
                                       "needs",  "gates",       "credit", "source", "answer",
                                       "figure", "choices",     "rel",    "abs",    NULL};
    const WsYamlTree *tree = assignment->tree;
    if (!ws_yaml_expect_mapping(tree, node, "a check", keys, error))
        return FALSE;
    const WsYamlNode *name = ws_yaml_require(tree, node, "a check", "name", error);
    const WsYamlNode *test = ws_yaml_get(node, "test");
    guint place = 0;
    if (name == NULL || !ws_read_text(tree, name, "name", &rule->name, error))
        return FALSE;
    if (ws_assignment_find_rule(assignment, rule->name) >= 0)
        return ws_yaml_error(tree, name, error, "there is another check of this name");
    if (strpbrk(rule->name, ",\n\r\t") != NULL)
        return ws_yaml_error(tree, name, error, "the name of a check has no comma and one line");
    rule->description = g_strdup(rule->name);
    if (test != NULL) {
        if (!ws_read_test_name(assignment, test, &place, error))
            return FALSE;
        rule->test = (gint)place;
    }
    return ws_read_text(tree, ws_yaml_get(node, "description"), "description", &rule->description,
                        error) &&
           ws_read_text(tree, ws_yaml_get(node, "help"), "help", &rule->help, error) &&
           read_kind(assignment, node, rule, error) && check_test(assignment, node, rule, error);
}

/* A check can need another that stands below it, so this comes when all are known. */
static gboolean read_all_needs(WsAssignment *assignment, GError **error)
{
    for (guint i = 0; i < assignment->rules->len; i++) {
        WsRule *rule = g_ptr_array_index(assignment->rules, i);
        if (!ws_read_needs(assignment, ws_yaml_get(rule->node, "needs"), rule->needs, error))
            return FALSE;
    }
    g_autoptr(GArray) order = ws_assignment_order(assignment);
    if (order->len == assignment->rules->len)
        return TRUE;
    for (guint i = 0; i < assignment->rules->len; i++) {
        gboolean placed = FALSE;
        for (guint k = 0; k < order->len; k++)
            placed = placed || g_array_index(order, guint, k) == i;
        const WsRule *rule = ws_assignment_rule(assignment, i);
        if (!placed)
            return ws_yaml_error(assignment->tree, rule->node, error,
                                 "the check '%s' needs itself, by way of 'needs'", rule->name);
    }
    return TRUE;
}

gboolean ws_read_rules(WsAssignment *assignment, const WsYamlNode *node, GError **error)
{
    const WsYamlTree *tree = assignment->tree;
    if (!ws_yaml_expect_sequence(tree, node, "checks", error))
        return FALSE;
    if (ws_yaml_count(node) > MAX_CHECKS)
        return ws_yaml_error(tree, node, error, "checks: at most %d are possible", MAX_CHECKS);
    for (guint i = 0; i < ws_yaml_count(node); i++) {
        WsRule *rule = rule_new(ws_yaml_item(node, i));
        gboolean ok = read_rule(assignment, ws_yaml_item(node, i), rule, error);
        g_ptr_array_add(assignment->rules, rule);
        if (!ok)
            return FALSE;
        assignment->points += rule->points;
    }
    return read_all_needs(assignment, error);
}
