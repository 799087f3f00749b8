/* Gates: conditions on the figures of a run. */
#include "grade/judge/decide.h"

#include <math.h>
#include <string.h>

char *ws_number_text(double value)
{
    if (isnan(value))
        return g_strdup("no value");
    for (int digits = 6; digits < 17; digits++) {
        char format[8], text[G_ASCII_DTOSTR_BUF_SIZE];
        g_snprintf(format, sizeof format, "%%.%dg", digits);
        g_ascii_formatd(text, sizeof text, format, value);
        if (value != floor(value) || g_ascii_strtod(text, NULL) == value)
            return g_strdup(text);
    }
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    return g_strdup(g_ascii_formatd(text, sizeof text, "%.17g", value));
}

char *ws_values_text(const WsFormula *formula, const double *values)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < ws_formula_figure_count(formula); i++) {
        g_autofree char *value = ws_number_text(values[i]);
        g_string_append_printf(text, "%s%s = %s", i == 0 ? "" : ", ",
                               ws_formula_figure(formula, i)->text, value);
    }
    return g_string_free(text, FALSE);
}

/* The test of a figure, or with `shown` the one by which students see it; -1 if there is none. */
static gint test_of(const WsCase *of, const WsFigure *figure, guint test, gboolean shown)
{
    guint from = figure->of != WS_FIGURE_TEST
                     ? test
                     : (guint)ws_assignment_find_test(of->assignment, figure->test);
    return shown ? ws_assignment_shown_test(of->assignment, from) : (gint)from;
}

static double *values_of(const WsCase *of, const WsFormula *formula, guint test, gboolean shown)
{
    guint count = ws_formula_figure_count(formula);
    double *values = ws_own_runs_reference_values(of->runs, formula, test, of->student);
    for (guint i = 0; i < count; i++) {
        const WsFigure *figure = ws_formula_figure(formula, i);
        gint from = test_of(of, figure, test, shown);
        if (figure->of != WS_FIGURE_REFERENCE)
            values[i] =
                from < 0 ? (double)NAN : ws_trial_figure(ws_case_trial(of, (guint)from), figure);
    }
    return values;
}

double *ws_case_values(const WsCase *of, const WsFormula *formula, guint test)
{
    return values_of(of, formula, test, FALSE);
}

/* Whether a figure of a hidden test would be shown with the formula's values. */
static gboolean hides_values(const WsCase *of, const WsFormula *formula, guint test)
{
    gboolean hides = ws_case_hides_figures(of, ws_assignment_test(of->assignment, test));
    for (guint i = 0; i < ws_formula_figure_count(formula); i++) {
        const WsFigure *figure = ws_formula_figure(formula, i);
        if (figure->of != WS_FIGURE_TEST)
            continue;
        gint from = ws_assignment_find_test(of->assignment, figure->test);
        hides |= ws_case_hides_figures(of, ws_assignment_test(of->assignment, (guint)from));
    }
    return hides;
}

/* A figure of another test counts only if that test's results are right. */
static gboolean others_are_right(const WsCase *of, const WsFormula *formula, WsVerdict *verdict)
{
    for (guint i = 0; i < ws_formula_figure_count(formula); i++) {
        const WsFigure *figure = ws_formula_figure(formula, i);
        gint from = figure->of == WS_FIGURE_TEST
                        ? ws_assignment_find_test(of->assignment, figure->test)
                        : -1;
        if (from >= 0 && !ws_decide_run(of, (guint)from, TRUE, verdict))
            return FALSE;
    }
    return TRUE;
}

/* What students can see of a gate that does not hold in a hidden test: the same in a public one. */
static void report_public(const WsCase *of, const WsRule *rule, const WsGate *gate,
                          WsVerdict *verdict)
{
    gint shown = ws_assignment_shown_test(of->assignment, (guint)rule->test);
    const WsTrial *trial = shown < 0 ? NULL : ws_case_trial(of, (guint)shown);
    if (trial == NULL || trial->state != WS_TRIAL_RAN)
        return;
    g_autofree double *values = values_of(of, gate->formula, (guint)shown, TRUE);
    g_autofree char *text = ws_values_text(gate->formula, values);
    double value = ws_formula_value(gate->formula, values);
    g_autofree char *line = g_strdup_printf(
        "in the public test '%s' it %s: %s", ws_assignment_test(of->assignment, (guint)shown)->name,
        !isnan(value) && value != 0 ? "holds" : "does not hold either", text);
    ws_verdict_log(verdict, line);
    if (verdict->hint == NULL)
        verdict->hint = ws_hint_of(of->assignment, trial);
}

static gboolean decide_gate(const WsCase *of, const WsRule *rule, const WsGate *gate,
                            WsVerdict *verdict)
{
    guint test = (guint)rule->test;
    const char *text = ws_formula_text(gate->formula);
    if (!others_are_right(of, gate->formula, verdict))
        return FALSE;
    g_autofree double *values = ws_case_values(of, gate->formula, test);
    double value = ws_formula_value(gate->formula, values);
    gboolean holds = !isnan(value) && value != 0;
    gboolean hides = hides_values(of, gate->formula, test);
    g_autofree char *shown = hides ? NULL : ws_values_text(gate->formula, values);
    g_autofree char *line = g_strdup_printf(
        "%s %s (%g point%s)%s%s", holds ? "holds:" : "does not hold:", text, gate->points,
        gate->points == 1 ? "" : "s", hides ? "" : ": ", hides ? "" : shown);
    gboolean alone = rule->gates->len == 1;
    if (!alone)
        ws_verdict_log(verdict, line);
    if (!holds && hides)
        report_public(of, rule, gate, verdict);
    if (holds || verdict->rationale != NULL)
        return holds;
    ws_verdict_fail_itself(verdict, "%s does not hold", text);
    if (alone) {
        verdict->expected = g_strdup(text);
        verdict->actual = g_steal_pointer(&shown);
    }
    if (!hides)
        verdict->hint = ws_hint_of(of->assignment, ws_case_trial(of, test));
    return FALSE;
}

void ws_decide_gates(const WsCase *of, const WsRule *rule, WsVerdict *verdict)
{
    double sum = 0, best = 0;
    guint held = 0, best_held = 0;
    if (!ws_decide_run(of, (guint)rule->test, TRUE, verdict))
        return;
    for (guint i = 0; i < rule->gates->len && verdict->kind != WS_VERDICT_ERROR; i++) {
        const WsGate *gate = &g_array_index(rule->gates, WsGate, i);
        if (!decide_gate(of, rule, gate, verdict))
            continue;
        held++;
        sum += gate->points;
        best = MAX(best, gate->points);
        best_held |= gate->points == rule->points;
    }
    if (verdict->kind == WS_VERDICT_ERROR)
        return;
    gboolean all = held == rule->gates->len;
    if (rule->credit == WS_CREDIT_BEST && best_held) {
        verdict->kind = WS_VERDICT_PASSED;
        g_clear_pointer(&verdict->rationale, g_free);
        g_clear_pointer(&verdict->hint, g_free);
        verdict->help = NULL;
    }
    verdict->points = rule->credit == WS_CREDIT_BEST  ? best
                      : rule->credit == WS_CREDIT_SUM ? sum
                      : all                           ? rule->points
                                                      : 0;
}
