/* Figures that no run has are the assignment's fault: nobody loses points by a name that is
 * misspelt. */
#include "grade/judge/decide.h"

typedef struct {
    const WsOwnRuns *own;
    const WsAssignment *assignment;
    WsTrial *const *trials; /* of what was handed in, where the reference was not run; or NULL */
} Runs;

static const WsTrial *run_of(const Runs *runs, guint test)
{
    const WsTrial *known = ws_own_runs_known(runs->own, test);
    return known != NULL || runs->trials == NULL ? known : runs->trials[test];
}

static gboolean check_formula(const Runs *runs, const WsYamlNode *node, const WsFormula *formula,
                              guint test, GError **error)
{
    for (guint i = 0; formula != NULL && i < ws_formula_figure_count(formula); i++) {
        const WsFigure *figure = ws_formula_figure(formula, i);
        guint from = figure->of == WS_FIGURE_TEST
                         ? (guint)ws_assignment_find_test(runs->assignment, figure->test)
                         : test;
        const WsTrial *trial = run_of(runs, from);
        g_autofree char *nearest = NULL;
        if (ws_trial_may_lack(figure) && trial != ws_own_runs_known(runs->own, from))
            continue;
        if (ws_trial_run_object(trial) == NULL || ws_trial_has_figure(trial, figure, &nearest))
            continue;
        if (nearest != NULL)
            return ws_yaml_error(runs->assignment->tree, node, error,
                                 "a run has no figure '%s'; did you mean '%s'?", figure->path,
                                 nearest);
        return ws_yaml_error(runs->assignment->tree, node, error, "a run has no figure '%s'",
                             figure->path);
    }
    return TRUE;
}

static gboolean check_rule(const Runs *runs, const WsRule *rule, GError **error)
{
    guint test = (guint)rule->test;
    if (!check_formula(runs, rule->figure_node, rule->figure, test, error))
        return FALSE;
    for (guint i = 0; i < rule->gates->len; i++) {
        const WsGate *gate = &g_array_index(rule->gates, WsGate, i);
        if (!check_formula(runs, gate->node, gate->formula, test, error))
            return FALSE;
    }
    for (guint i = 0; i < rule->choices->len; i++) {
        const WsChoice *choice = &g_array_index(rule->choices, WsChoice, i);
        if (!check_formula(runs, choice->node, choice->condition, test, error))
            return FALSE;
    }
    return TRUE;
}

gboolean ws_check_all_figures(const WsOwnRuns *own, const WsAssignment *assignment,
                              WsTrial *const *trials, GError **error)
{
    const Runs runs = {own, assignment, trials};
    for (guint i = 0; i < assignment->rules->len; i++)
        if (!check_rule(&runs, ws_assignment_rule(assignment, i), error))
            return FALSE;
    for (guint i = 0; i < assignment->rankings->len; i++) {
        const WsRanking *ranking = g_ptr_array_index(assignment->rankings, i);
        if (!check_formula(&runs, ranking->node, ranking->figure, ranking->test, error))
            return FALSE;
    }
    return TRUE;
}
