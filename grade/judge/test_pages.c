#include "grade/judge/test_pages.h"

#include <string.h>

/* The test of a check, or the public one that shows students what the hidden one does not. */
static gint page_test(const WsCase *of, const WsRule *rule)
{
    gboolean hidden =
        rule->test >= 0 && ws_case_hides(of, ws_assignment_test(of->assignment, (guint)rule->test));
    return hidden && rule->kind == WS_RULE_GATES
               ? ws_assignment_shown_test(of->assignment, (guint)rule->test)
               : rule->test;
}

/* A run that did not end well, or that did too slowly: what its check says is told by the run. */
static gboolean has_page(const WsCase *of, const WsVerdict *verdict)
{
    gint index = page_test(of, verdict->rule);
    if (verdict->kind != WS_VERDICT_FAILED || index < 0)
        return FALSE;
    const WsTest *test = ws_assignment_test(of->assignment, (guint)index);
    const WsTrial *trial = of->trials[index];
    if (ws_case_hides(of, test) || ws_test_is_own(test) || test->run != NULL || trial == NULL ||
        trial->state != WS_TRIAL_RAN)
        return FALSE;
    return verdict->rule->kind == WS_RULE_RESULT || verdict->rule->kind == WS_RULE_GATES ||
           g_strcmp0(ws_trial_status(trial), "ok") != 0;
}

static GArray *find_tests(const WsCase *of, const WsGrade *grade)
{
    GArray *tests = g_array_new(FALSE, FALSE, sizeof(guint));
    g_autofree gboolean *wanted = g_new0(gboolean, of->assignment->tests->len + 1);
    for (guint i = 0; i < grade->verdicts->len; i++)
        if (has_page(of, ws_grade_verdict(grade, i)))
            wanted[page_test(of, ws_grade_verdict(grade, i)->rule)] = TRUE;
    for (guint i = 0; i < of->assignment->tests->len; i++)
        if (wanted[i])
            g_array_append_val(tests, i);
    return tests;
}

void ws_case_make_pages(const WsCase *of, WsGrade *grade)
{
    g_autoptr(GArray) tests = find_tests(of, grade);
    if (tests->len == 0 || !ws_run_page_is_built())
        return;
    WsSubject subject = ws_case_subject(of);
    subject.shown = of->trials;
    g_autofree WsTrial **made = g_new0(WsTrial *, of->assignment->tests->len + 1);
    ws_trials_run(&subject, tests, made);
    for (guint i = 0; i < tests->len; i++) {
        WsTestPage page = {.test = g_array_index(tests, guint, i)};
        WsTrial *trial = made[page.test];
        page.page = g_steal_pointer(&trial->page);
        page.missing = trial->state == WS_TRIAL_STOPPED
                           ? g_strdup("its run takes too long to be recorded")
                           : g_steal_pointer(&trial->message);
        g_array_append_val(grade->pages, page);
        ws_trial_free(trial);
    }
}
