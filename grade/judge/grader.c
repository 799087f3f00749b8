#include "grade/judge/grader.h"

#include "grade/judge/decide.h"
#include "grade/judge/test_pages.h"
#include "grade/judge/wanted_runs.h"

#include <math.h>
#include <string.h>

struct WsGrader {
    const WsAssignment *assignment;
    WsOwnRuns *runs;
    guint protection;
};

WsGrader *ws_grader_new(const WsAssignment *assignment, const char *cache)
{
    WsGrader *grader = g_new0(WsGrader, 1);
    grader->assignment = assignment;
    grader->runs = ws_own_runs_new(assignment, cache);
    grader->protection = ws_protection_of_host();
    return grader;
}

void ws_grader_free(WsGrader *grader)
{
    if (grader == NULL)
        return;
    ws_own_runs_free(grader->runs);
    g_free(grader);
}

WsOwnRuns *ws_grader_runs(const WsGrader *grader)
{
    return grader->runs;
}

guint ws_grader_protection(const WsGrader *grader)
{
    return grader->protection;
}

/* ---- a verdict --------------------------------------------------------------------------------
 */

static void verdict_free(gpointer data)
{
    WsVerdict *verdict = data;
    g_free(verdict->rationale);
    g_free(verdict->expected);
    g_free(verdict->actual);
    g_free(verdict->hint);
    g_ptr_array_unref(verdict->log);
    g_free(verdict);
}

/* The check that it needs and that has not passed, or NULL. */
static const WsRule *unmet_need(const WsGrade *grade, const GArray *needs)
{
    for (guint i = 0; i < needs->len; i++) {
        const WsVerdict *needed = ws_grade_verdict(grade, g_array_index(needs, guint, i));
        if (needed->kind != WS_VERDICT_PASSED)
            return needed->rule;
    }
    return NULL;
}

static void decide(const WsCase *of, const WsGrade *grade, WsVerdict *verdict)
{
    static void (*const decide_kind[])(const WsCase *, const WsRule *, WsVerdict *) = {
#define RULE(ENUM, name) ws_decide_##name,
#include "grade/assignment/rule_kinds.def"
#undef RULE
    };
    const WsRule *rule = verdict->rule, *unmet = unmet_need(grade, rule->needs);
    if (unmet != NULL) {
        verdict->kind = WS_VERDICT_SKIPPED;
        verdict->rationale = g_strdup_printf("'%s' must pass first", unmet->name);
        return;
    }
    decide_kind[rule->kind](of, rule, verdict);
    if (rule->kind != WS_RULE_GATES) /* these give theirs in parts */
        verdict->points = verdict->kind == WS_VERDICT_PASSED ? rule->points : 0;
}

/* ---- a grade ----------------------------------------------------------------------------------
 */

gboolean ws_grader_prepare(WsGrader *grader, const char *student, GError **error)
{
    const WsAssignment *assignment = grader->assignment;
    g_autofree gboolean *tests = g_new0(gboolean, assignment->tests->len + 1);
    g_autofree gboolean *references = g_new0(gboolean, assignment->tests->len + 1);
    ws_wanted_runs(assignment, NULL, tests, references);
    ws_own_runs_make(grader->runs, tests, references, student);
    return ws_check_all_figures(grader->runs, assignment, NULL, error);
}

/* Makes all runs that the wanted checks look at. */
static void run_all(WsCase *of, const gboolean *rules)
{
    const WsAssignment *assignment = of->assignment;
    g_autofree gboolean *tests = g_new0(gboolean, assignment->tests->len + 1);
    g_autofree gboolean *references = g_new0(gboolean, assignment->tests->len + 1);
    ws_wanted_runs(assignment, rules, tests, references);
    ws_own_runs_make(of->runs, tests, references, of->student);
    g_autoptr(GArray) handed_in = ws_select_tests(assignment, tests, FALSE);
    const WsSubject subject = ws_case_subject(of);
    if (of->submission->missing == NULL)
        ws_trials_run(&subject, handed_in, of->trials);
}

static void add_standings(const WsCase *of, WsGrade *grade)
{
    for (guint i = 0; i < of->assignment->rankings->len; i++) {
        WsStanding standing = {.ranking = g_ptr_array_index(of->assignment->rankings, i),
                               .value = (double)NAN};
        const WsTrial *trial = ws_case_trial(of, standing.ranking->test);
        if (unmet_need(grade, standing.ranking->needs) == NULL &&
            g_strcmp0(ws_trial_status(trial), "ok") == 0) {
            g_autofree double *values =
                ws_case_values(of, standing.ranking->figure, standing.ranking->test);
            standing.value = ws_formula_value(standing.ranking->figure, values);
        }
        g_array_append_val(grade->standings, standing);
    }
}

static void page_clear(gpointer data)
{
    WsTestPage *page = data;
    ws_run_page_free(page->page);
    g_free(page->missing);
}

static WsGrade *grade_new(const WsAssignment *assignment, const char *student)
{
    WsGrade *grade = g_new0(WsGrade, 1);
    grade->assignment = assignment;
    grade->student = g_strdup(student);
    grade->verdicts = g_ptr_array_new_with_free_func(verdict_free);
    grade->standings = g_array_new(FALSE, FALSE, sizeof(WsStanding));
    grade->pages = g_array_new(FALSE, FALSE, sizeof(WsTestPage));
    g_array_set_clear_func(grade->pages, page_clear);
    for (guint i = 0; i < assignment->rules->len; i++) {
        WsVerdict *verdict = g_new0(WsVerdict, 1);
        verdict->rule = ws_assignment_rule(assignment, i);
        verdict->hidden = verdict->rule->test >= 0 &&
                          ws_assignment_test(assignment, (guint)verdict->rule->test)->hidden;
        verdict->log = g_ptr_array_new_with_free_func(g_free);
        g_ptr_array_add(grade->verdicts, verdict);
    }
    return grade;
}

/* Leaves the verdicts that were not asked for out, and sums the others. */
static void finish(WsGrade *grade, const char *check, const WsGradeOptions *options)
{
    for (guint i = grade->verdicts->len; i-- > 0;) {
        const WsVerdict *verdict = ws_grade_verdict(grade, i);
        if (check != NULL && strcmp(verdict->rule->name, check) != 0) {
            g_ptr_array_remove_index(grade->verdicts, i);
            continue;
        }
        grade->score += verdict->points;
    }
    for (guint i = 0; i < grade->verdicts->len && grade->error == NULL; i++) {
        const WsVerdict *verdict = ws_grade_verdict(grade, i);
        if (verdict->kind == WS_VERDICT_ERROR)
            grade->error = g_strdup(verdict->rationale);
    }
    grade->late_factor =
        ws_assignment_late_factor(grade->assignment, options->submitted, &grade->late);
    grade->total = grade->score * grade->late_factor;
}

static WsGrade *decide_all(WsCase *of, const gboolean *wanted, const WsGradeOptions *options)
{
    WsGrade *grade = grade_new(of->assignment, of->student);
    g_autoptr(GArray) order = ws_assignment_order(of->assignment);
    for (guint i = 0; i < order->len; i++) {
        guint rule = g_array_index(order, guint, i);
        if (wanted[rule])
            decide(of, grade, g_ptr_array_index(grade->verdicts, rule));
    }
    if (options->check == NULL)
        add_standings(of, grade);
    finish(grade, options->check, options);
    if (options->pages && of->submission->missing == NULL)
        ws_case_make_pages(of, grade);
    return grade;
}

/* What compiled a run, instead of `known` if that is NULL, or is `than` and this one is not. */
static const char *other_compiler(const WsTrial *trial, const char *known, const char *than)
{
    const char *name = trial == NULL ? NULL : ws_trial_compiler(trial);
    gboolean better = name != NULL &&
                      (known == NULL || (g_strcmp0(known, than) == 0 && strcmp(name, known) != 0));
    return better ? name : known;
}

/* One grader has one clang; the assignment's own programs may be compiled already. */
static void name_compilers(const WsCase *of, WsGrade *grade)
{
    const char *handed_in = NULL, *own = NULL;
    for (guint i = 0; i < of->assignment->tests->len && handed_in == NULL; i++)
        handed_in = other_compiler(of->trials[i], NULL, NULL);
    for (guint i = 0; i < of->assignment->tests->len; i++) {
        own = other_compiler(of->runs->references[i], own, handed_in);
        own = other_compiler(of->runs->own[i], own, handed_in);
    }
    grade->compiler = g_strdup(handed_in);
    /* Of a copy for students: what its numbers come from. */
    const char *numbers = of->assignment->compiler;
    if (numbers != NULL && (own == NULL || g_strcmp0(own, handed_in) == 0))
        own = numbers;
    grade->own_compiler = g_strdup(own);
}

WsGrade *ws_grader_grade(WsGrader *grader, const char *folder, const WsGradeOptions *options,
                         GError **error)
{
    const WsAssignment *assignment = grader->assignment;
    g_autoptr(WsSubmission) submission = ws_submission_open(assignment, folder, error);
    if (submission == NULL)
        return NULL;
    g_autofree char *name = g_path_get_basename(submission->folder);
    WsCase of = {.runs = grader->runs,
                 .assignment = assignment,
                 .submission = submission,
                 .student = options->student != NULL ? options->student : name,
                 .trials = g_new0(WsTrial *, assignment->tests->len + 1),
                 .reveal = options->reveal,
                 .is_own = options->is_own};
    g_autofree gboolean *wanted = ws_wanted_rules(assignment, options->check);
    run_all(&of, wanted);
    g_autoptr(WsGrade) grade = NULL;
    if (ws_check_all_figures(grader->runs, assignment, of.trials, error))
        grade = decide_all(&of, wanted, options);
    if (grade != NULL) {
        grade->protection = grader->protection;
        name_compilers(&of, grade);
    }
    for (guint i = 0; i < assignment->tests->len; i++)
        ws_trial_free(of.trials[i]);
    g_free(of.trials);
    return g_steal_pointer(&grade);
}
