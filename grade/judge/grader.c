#include "grade/judge/grader.h"

#include "grade/judge/decide.h"
#include "grade/judge/test_pages.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

struct WsGrader {
    const WsAssignment *assignment;
    char *reference_folder, *cache;
    char *carried; /* as in WsSubject, or NULL */
    gboolean carries;
    guint protection;
    char *student;   /* the last one ... */
    char *drawn_for; /* ... and those with the same numbers, for whom the drawn runs are */
    /* By test: of the reference or its own program; drawn ones are those of `drawn_for`. */
    WsTrial **references, **own;
};

/* ---- runs of the assignment's own -------------------------------------------------------------
 */

WsGrader *ws_grader_new(const WsAssignment *assignment, const char *cache)
{
    WsGrader *grader = g_new0(WsGrader, 1);
    grader->assignment = assignment;
    grader->cache = g_strdup(cache);
    grader->protection = ws_protection_of_host();
    if (assignment->reference != NULL)
        grader->reference_folder = ws_assignment_path(assignment, assignment->reference);
    grader->carried = ws_assignment_path(assignment, WS_CARRIED_FOLDER);
    if (!g_file_test(grader->carried, G_FILE_TEST_IS_DIR))
        g_clear_pointer(&grader->carried, g_free);
    grader->references = g_new0(WsTrial *, assignment->tests->len + 1);
    grader->own = g_new0(WsTrial *, assignment->tests->len + 1);
    return grader;
}

void ws_grader_carry_to(WsGrader *grader, const char *folder)
{
    g_free(grader->carried);
    grader->carried = g_strdup(folder);
    grader->carries = TRUE;
}

guint ws_grader_protection(const WsGrader *grader)
{
    return grader->protection;
}

void ws_grader_free(WsGrader *grader)
{
    if (grader == NULL)
        return;
    for (guint i = 0; i < grader->assignment->tests->len; i++) {
        ws_trial_free(grader->references[i]);
        ws_trial_free(grader->own[i]);
    }
    g_free(grader->references);
    g_free(grader->own);
    g_free(grader->reference_folder);
    g_free(grader->cache);
    g_free(grader->carried);
    g_free(grader->student);
    g_free(grader->drawn_for);
    g_free(grader);
}

/* Runs with numbers drawn for others are of no use. */
static void set_student(WsGrader *grader, const char *student)
{
    g_autofree char *whom = ws_assignment_drawn_for(grader->assignment, student);
    if (g_strcmp0(grader->drawn_for, whom) == 0)
        return;
    g_free(grader->student);
    g_free(grader->drawn_for);
    grader->student = g_strdup(student);
    grader->drawn_for = g_steal_pointer(&whom);
    for (guint i = 0; i < grader->assignment->tests->len; i++) {
        if (ws_assignment_test(grader->assignment, i)->draws->len == 0)
            continue;
        g_clear_pointer(&grader->references[i], ws_trial_free);
        g_clear_pointer(&grader->own[i], ws_trial_free);
    }
}

static void run_references(WsGrader *grader, const GArray *tests)
{
    const WsSubject subject = {.assignment = grader->assignment,
                               .folder = grader->reference_folder,
                               .program = grader->assignment->program,
                               .student = grader->student,
                               .cache = grader->cache,
                               .kernel_cache = grader->cache,
                               .carried = grader->carried,
                               .carries = grader->carries,
                               .keeps_memory = TRUE};
    ws_trials_run(&subject, tests, grader->references);
}

static void run_own(WsGrader *grader, const GArray *tests)
{
    const WsSubject subject = {.assignment = grader->assignment,
                               .folder = grader->assignment->folder,
                               .student = grader->student,
                               .cache = grader->cache,
                               .kernel_cache = grader->cache,
                               .carried = grader->carried,
                               .carries = grader->carries};
    ws_trials_run(&subject, tests, grader->own);
}

/* Those of `tests` (NULL: all) that run the assignment's own program, or what is handed in. */
static GArray *select_tests(const WsAssignment *assignment, const gboolean *wanted, gboolean own)
{
    GArray *tests = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < assignment->tests->len; i++)
        if ((wanted == NULL || wanted[i]) &&
            ws_test_is_own(ws_assignment_test(assignment, i)) == own)
            g_array_append_val(tests, i);
    return tests;
}

const WsTrial *ws_grader_reference(WsGrader *grader, guint test, const char *student)
{
    set_student(grader, student);
    if (grader->references[test] == NULL && grader->reference_folder != NULL) {
        g_autoptr(GArray) one = g_array_new(FALSE, FALSE, sizeof(guint));
        g_array_append_val(one, test);
        run_references(grader, one);
    }
    return grader->references[test];
}

const WsTrial *ws_grader_own(WsGrader *grader, guint test, const char *student)
{
    set_student(grader, student);
    if (grader->own[test] == NULL) {
        g_autoptr(GArray) one = g_array_new(FALSE, FALSE, sizeof(guint));
        g_array_append_val(one, test);
        run_own(grader, one);
    }
    return grader->own[test];
}

WsTrial *ws_grader_try(WsGrader *grader, const char *folder, guint test, const char *student)
{
    const WsSubject subject = {.assignment = grader->assignment,
                               .folder = folder,
                               .program = grader->assignment->program,
                               .student = student,
                               .cache = grader->cache,
                               .kernel_cache = grader->cache,
                               .carried = grader->carried,
                               .carries = grader->carries};
    g_autoptr(GArray) one = g_array_new(FALSE, FALSE, sizeof(guint));
    g_autofree WsTrial **trials = g_new0(WsTrial *, grader->assignment->tests->len + 1);
    g_array_append_val(one, test);
    ws_trials_run(&subject, one, trials);
    return trials[test];
}

const WsTrial *ws_grader_known(const WsGrader *grader, guint test)
{
    gboolean own = ws_test_is_own(ws_assignment_test(grader->assignment, test));
    return own ? grader->own[test] : grader->references[test];
}

double *ws_grader_reference_values(WsGrader *grader, const WsFormula *formula, guint test,
                                   const char *student)
{
    guint count = ws_formula_figure_count(formula);
    double *values = g_new(double, count + 1);
    for (guint i = 0; i < count; i++) {
        const WsFigure *figure = ws_formula_figure(formula, i);
        values[i] = (double)NAN;
        if (figure->of == WS_FIGURE_REFERENCE)
            values[i] = ws_trial_figure(ws_grader_reference(grader, test, student), figure);
    }
    return values;
}

/* ---- a case -----------------------------------------------------------------------------------
 */

gboolean ws_case_hides(const WsCase *of, const WsTest *test)
{
    return test->hidden && !of->reveal;
}

gboolean ws_case_hides_figures(const WsCase *of, const WsTest *test)
{
    return ws_case_hides(of, test) && !test->figures_shown;
}

WsSubject ws_case_subject(const WsCase *of)
{
    return (WsSubject){.assignment = of->assignment,
                       .folder = of->submission->folder,
                       .program = of->assignment->program,
                       .student = of->student,
                       .cache = of->is_own ? of->grader->cache : NULL,
                       .is_looked_at = TRUE,
                       .references = of->grader->references,
                       .kernel_cache = of->grader->cache,
                       .carried = of->grader->carried};
}

const WsTrial *ws_case_trial(const WsCase *of, guint test)
{
    if (ws_test_is_own(ws_assignment_test(of->assignment, test)))
        return ws_grader_own(of->grader, test, of->student);
    return of->trials[test];
}

static void set_rationale(WsVerdict *verdict, WsVerdictKind kind, const char *format,
                          va_list arguments)
{
    char *text = g_strdup_vprintf(format, arguments);
    verdict->kind = kind;
    g_free(verdict->rationale);
    verdict->rationale = text;
}

void ws_verdict_fail(WsVerdict *verdict, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_rationale(verdict, WS_VERDICT_FAILED, format, arguments);
    va_end(arguments);
}

void ws_verdict_fail_itself(WsVerdict *verdict, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_rationale(verdict, WS_VERDICT_FAILED, format, arguments);
    va_end(arguments);
    verdict->help = verdict->rule->help;
}

void ws_verdict_break(WsVerdict *verdict, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_rationale(verdict, WS_VERDICT_ERROR, format, arguments);
    va_end(arguments);
    verdict->help = NULL;
}

void ws_verdict_log(WsVerdict *verdict, const char *text)
{
    g_ptr_array_add(verdict->log, g_strdup(text));
}

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

/* The checks that are decided: all, or one and those that it needs. */
static gboolean *wanted_rules(const WsAssignment *assignment, const char *check)
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

/* The runs that the checks look at (`rules` NULL: all of them), of what is handed in, or of the
 * assignment's own programs, and of the reference. */
static void want_all(const WsAssignment *assignment, const gboolean *rules, gboolean *tests,
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

gboolean ws_grader_prepare(WsGrader *grader, const char *student, GError **error)
{
    const WsAssignment *assignment = grader->assignment;
    g_autofree gboolean *tests = g_new0(gboolean, assignment->tests->len + 1);
    g_autofree gboolean *references = g_new0(gboolean, assignment->tests->len + 1);
    want_all(assignment, NULL, tests, references);
    g_autoptr(GArray) own = select_tests(assignment, tests, TRUE);
    g_autoptr(GArray) compared = select_tests(assignment, references, FALSE);
    set_student(grader, student);
    run_own(grader, own);
    if (grader->reference_folder != NULL)
        run_references(grader, compared);
    return ws_check_all_figures(grader, assignment, NULL, error);
}

/* Makes all runs that the wanted checks look at. */
static void run_all(WsCase *of, const gboolean *rules)
{
    const WsAssignment *assignment = of->assignment;
    g_autofree gboolean *tests = g_new0(gboolean, assignment->tests->len + 1);
    g_autofree gboolean *references = g_new0(gboolean, assignment->tests->len + 1);
    want_all(assignment, rules, tests, references);
    set_student(of->grader, of->student);
    g_autoptr(GArray) own = select_tests(assignment, tests, TRUE);
    g_autoptr(GArray) compared = select_tests(assignment, references, FALSE);
    g_autoptr(GArray) handed_in = select_tests(assignment, tests, FALSE);
    run_own(of->grader, own);
    if (of->grader->reference_folder != NULL)
        run_references(of->grader, compared);
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
        own = other_compiler(of->grader->references[i], own, handed_in);
        own = other_compiler(of->grader->own[i], own, handed_in);
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
    WsCase of = {.grader = grader,
                 .assignment = assignment,
                 .submission = submission,
                 .student = options->student != NULL ? options->student : name,
                 .trials = g_new0(WsTrial *, assignment->tests->len + 1),
                 .reveal = options->reveal,
                 .is_own = options->is_own};
    g_autofree gboolean *wanted = wanted_rules(assignment, options->check);
    run_all(&of, wanted);
    g_autoptr(WsGrade) grade = NULL;
    if (ws_check_all_figures(grader, assignment, of.trials, error))
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
