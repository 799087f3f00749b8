#include "grade/judge/wanted_runs.h"

#include <string.h>

gboolean *ws_wanted_rules(const WsAssignment *assignment, const char *check)
{
    gboolean *wanted = g_new0(gboolean, assignment->rules->len + 1);
    g_autoptr(GArray) order = ws_assignment_order(assignment);
    for (guint i = 0; i < assignment->rules->len; i++)
        wanted[i] = check == NULL || strcmp(ws_assignment_rule(assignment, i)->name, check) == 0;
    for (guint i = order->len; i-- > 0;) {
        guint rule = g_array_index(order, guint, i);
        const GArray *needs = ws_assignment_rule(assignment, rule)->needs;
        for (guint k = 0; wanted[rule] && k < needs->len; k++)
            wanted[g_array_index(needs, guint, k)] = TRUE;
    }
    return wanted;
}

static void want_formula(const WsAssignment *assignment, const WsFormula *formula, guint test,
                         gboolean *tests, gboolean *references)
{
    for (guint i = 0; formula != NULL && i < ws_formula_figure_count(formula); i++) {
        const WsFigure *figure = ws_formula_figure(formula, i);
        if (figure->of == WS_FIGURE_REFERENCE)
            references[test] = TRUE;
        if (figure->of == WS_FIGURE_TEST)
            tests[ws_assignment_find_test(assignment, figure->test)] = TRUE;
    }
}

/* The same by which students see what their gates depend on. */
static void want_public(const WsAssignment *assignment, const WsRule *rule, gboolean *tests,
                        gboolean *references)
{
    gint shown = ws_assignment_shown_test(assignment, (guint)rule->test);
    if (rule->kind != WS_RULE_GATES || shown < 0 || shown == rule->test)
        return;
    tests[shown] = TRUE;
    for (guint i = 0; i < rule->gates->len; i++) {
        const WsFormula *formula = g_array_index(rule->gates, WsGate, i).formula;
        for (guint k = 0; k < ws_formula_figure_count(formula); k++) {
            const WsFigure *figure = ws_formula_figure(formula, k);
            gint from = figure->of != WS_FIGURE_TEST
                            ? -1
                            : ws_assignment_shown_test(assignment, (guint)ws_assignment_find_test(
                                                                       assignment, figure->test));
            references[shown] |= figure->of == WS_FIGURE_REFERENCE;
            if (from >= 0)
                tests[from] = TRUE;
        }
    }
}

static void want_rule(const WsAssignment *assignment, const WsRule *rule, gboolean *tests,
                      gboolean *references)
{
    guint test = (guint)rule->test;
    tests[test] = TRUE;
    want_public(assignment, rule, tests, references);
    want_formula(assignment, rule->figure, test, tests, references);
    for (guint i = 0; i < rule->gates->len; i++)
        want_formula(assignment, g_array_index(rule->gates, WsGate, i).formula, test, tests,
                     references);
    for (guint i = 0; i < rule->choices->len; i++)
        want_formula(assignment, g_array_index(rule->choices, WsChoice, i).condition, test, tests,
                     references);
}

void ws_wanted_runs(const WsAssignment *assignment, const gboolean *rules, gboolean *tests,
                    gboolean *references)
{
    for (guint i = 0; i < assignment->rules->len; i++)
        if (rules == NULL || rules[i])
            want_rule(assignment, ws_assignment_rule(assignment, i), tests, references);
    for (guint i = 0; i < assignment->rankings->len; i++) {
        const WsRanking *ranking = g_ptr_array_index(assignment->rankings, i);
        tests[ranking->test] = TRUE;
        want_formula(assignment, ranking->figure, ranking->test, tests, references);
    }
    for (guint i = 0; i < assignment->tests->len; i++)
        references[i] |= tests[i] && ws_test_compares(ws_assignment_test(assignment, i));
}

GArray *ws_select_tests(const WsAssignment *assignment, const gboolean *wanted, gboolean own)
{
    GArray *tests = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < assignment->tests->len; i++)
        if (wanted[i] && ws_test_is_own(ws_assignment_test(assignment, i)) == own)
            g_array_append_val(tests, i);
    return tests;
}
