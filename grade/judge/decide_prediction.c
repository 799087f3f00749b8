/* Predictions: answers that were written down before, and that a run decides. */
#include "grade/judge/decide.h"

#include <math.h>
#include <string.h>

static gboolean read_number(const char *text, double *ret)
{
    char *end;
    *ret = g_ascii_strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*ret);
}

static void decide_number(const WsCase *of, const WsRule *rule, const char *answer, gboolean hides,
                          WsVerdict *verdict)
{
    double given;
    if (!read_number(answer, &given)) {
        ws_verdict_fail(verdict, "the answer to '%s' is not a number", rule->answer);
        return;
    }
    g_autofree double *values = ws_case_values(of, rule->figure, (guint)rule->test);
    double right = ws_formula_value(rule->figure, values);
    if (isnan(right)) {
        ws_verdict_break(verdict, "'%s' has no value in test '%s'", ws_formula_text(rule->figure),
                         ws_assignment_test(of->assignment, (guint)rule->test)->name);
        return;
    }
    if (fabs(given - right) <= rule->absolute + rule->relative * fabs(right))
        return;
    ws_verdict_fail_itself(verdict, "the prediction does not agree with the run");
    verdict->actual = g_strdup_printf("%s = %s", rule->answer, answer);
    g_autofree char *number = ws_number_text(right);
    if (!hides)
        verdict->expected = g_strdup_printf("%s = %s", ws_formula_text(rule->figure), number);
}

/* The choice that the run says is right, NULL if none is. */
static const WsChoice *find_right(const WsCase *of, const WsRule *rule)
{
    for (guint i = 0; i < rule->choices->len; i++) {
        const WsChoice *choice = &g_array_index(rule->choices, WsChoice, i);
        g_autofree double *values = ws_case_values(of, choice->condition, (guint)rule->test);
        double value = ws_formula_value(choice->condition, values);
        if (!isnan(value) && value != 0)
            return choice;
    }
    return NULL;
}

static void decide_choice(const WsCase *of, const WsRule *rule, const char *answer, gboolean hides,
                          WsVerdict *verdict)
{
    g_autoptr(GString) list = g_string_new(NULL);
    gboolean known = FALSE;
    for (guint i = 0; i < rule->choices->len; i++) {
        const char *name = g_array_index(rule->choices, WsChoice, i).answer;
        g_string_append_printf(list, "%s%s", i == 0 ? "" : ", ", name);
        known |= strcmp(name, answer) == 0;
    }
    if (!known) {
        ws_verdict_fail(verdict, "the answer to '%s' must be one of: %s", rule->answer, list->str);
        return;
    }
    const WsChoice *right = find_right(of, rule);
    if (right == NULL) {
        ws_verdict_break(verdict, "none of the answers to '%s' is right by its condition",
                         rule->answer);
        return;
    }
    if (strcmp(right->answer, answer) == 0)
        return;
    ws_verdict_fail_itself(verdict, "the prediction does not agree with the run");
    verdict->actual = g_strdup_printf("%s = %s", rule->answer, answer);
    g_autofree double *values = ws_case_values(of, right->condition, (guint)rule->test);
    g_autofree char *shown = ws_values_text(right->condition, values);
    if (!hides)
        verdict->expected = g_strdup_printf("%s, because %s: %s", right->answer,
                                            ws_formula_text(right->condition), shown);
}

void ws_decide_prediction(const WsCase *of, const WsRule *rule, WsVerdict *verdict)
{
    const WsTest *test = ws_assignment_test(of->assignment, (guint)rule->test);
    if (of->submission->answers_wrong != NULL) {
        ws_verdict_fail(verdict, "%s", of->submission->answers_wrong);
        return;
    }
    const char *answer = ws_submission_answer(of->submission, rule->answer);
    if (answer == NULL) {
        ws_verdict_fail(verdict, "%s has no answer to '%s'", of->assignment->answers, rule->answer);
        return;
    }
    if (!ws_decide_run(of, (guint)rule->test, TRUE, verdict)) {
        if (ws_test_is_own(test))
            ws_verdict_break(verdict, "test '%s' of the assignment fails with its own program: %s",
                             test->name, verdict->rationale);
        return;
    }
    gboolean hides = ws_case_hides_figures(of, test);
    if (rule->figure != NULL)
        decide_number(of, rule, answer, hides, verdict);
    else
        decide_choice(of, rule, answer, hides, verdict);
}
