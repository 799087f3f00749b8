#include "grade/judge/own_runs.h"

#include <math.h>

#include "grade/judge/wanted_runs.h"

WsOwnRuns *ws_own_runs_new(const WsAssignment *assignment, const char *cache)
{
    WsOwnRuns *runs = g_new0(WsOwnRuns, 1);
    runs->assignment = assignment;
    runs->cache = g_strdup(cache);
    if (assignment->reference != NULL)
        runs->reference_folder = ws_assignment_path(assignment, assignment->reference);
    runs->carried = ws_assignment_path(assignment, WS_CARRIED_FOLDER);
    if (!g_file_test(runs->carried, G_FILE_TEST_IS_DIR))
        g_clear_pointer(&runs->carried, g_free);
    runs->references = g_new0(WsTrial *, assignment->tests->len + 1);
    runs->own = g_new0(WsTrial *, assignment->tests->len + 1);
    return runs;
}

void ws_own_runs_carry_to(WsOwnRuns *runs, const char *folder)
{
    g_free(runs->carried);
    runs->carried = g_strdup(folder);
    runs->carries = TRUE;
}

void ws_own_runs_free(WsOwnRuns *runs)
{
    if (runs == NULL)
        return;
    for (guint i = 0; i < runs->assignment->tests->len; i++) {
        ws_trial_free(runs->references[i]);
        ws_trial_free(runs->own[i]);
    }
    g_free(runs->references);
    g_free(runs->own);
    g_free(runs->reference_folder);
    g_free(runs->cache);
    g_free(runs->carried);
    g_free(runs->student);
    g_free(runs->drawn_for);
    g_free(runs);
}

/* Runs with numbers drawn for others are of no use. */
static void set_student(WsOwnRuns *runs, const char *student)
{
    g_autofree char *whom = ws_assignment_drawn_for(runs->assignment, student);
    if (g_strcmp0(runs->drawn_for, whom) == 0)
        return;
    g_free(runs->student);
    g_free(runs->drawn_for);
    runs->student = g_strdup(student);
    runs->drawn_for = g_steal_pointer(&whom);
    for (guint i = 0; i < runs->assignment->tests->len; i++) {
        if (ws_assignment_test(runs->assignment, i)->draws->len == 0)
            continue;
        g_clear_pointer(&runs->references[i], ws_trial_free);
        g_clear_pointer(&runs->own[i], ws_trial_free);
    }
}

static void run_references(WsOwnRuns *runs, const GArray *tests)
{
    const WsSubject subject = {.assignment = runs->assignment,
                               .folder = runs->reference_folder,
                               .program = runs->assignment->program,
                               .student = runs->student,
                               .cache = runs->cache,
                               .kernel_cache = runs->cache,
                               .carried = runs->carried,
                               .carries = runs->carries,
                               .keeps_memory = TRUE};
    ws_trials_run(&subject, tests, runs->references);
}

static void run_own(WsOwnRuns *runs, const GArray *tests)
{
    const WsSubject subject = {.assignment = runs->assignment,
                               .folder = runs->assignment->folder,
                               .student = runs->student,
                               .cache = runs->cache,
                               .kernel_cache = runs->cache,
                               .carried = runs->carried,
                               .carries = runs->carries};
    ws_trials_run(&subject, tests, runs->own);
}

const WsTrial *ws_own_runs_reference(WsOwnRuns *runs, guint test, const char *student)
{
    set_student(runs, student);
    if (runs->references[test] == NULL && runs->reference_folder != NULL) {
        g_autoptr(GArray) one = g_array_new(FALSE, FALSE, sizeof(guint));
        g_array_append_val(one, test);
        run_references(runs, one);
    }
    return runs->references[test];
}

const WsTrial *ws_own_runs_own(WsOwnRuns *runs, guint test, const char *student)
{
    set_student(runs, student);
    if (runs->own[test] == NULL) {
        g_autoptr(GArray) one = g_array_new(FALSE, FALSE, sizeof(guint));
        g_array_append_val(one, test);
        run_own(runs, one);
    }
    return runs->own[test];
}

void ws_own_runs_make(WsOwnRuns *runs, const gboolean *tests, const gboolean *references,
                      const char *student)
{
    g_autoptr(GArray) own = ws_select_tests(runs->assignment, tests, TRUE);
    g_autoptr(GArray) compared = ws_select_tests(runs->assignment, references, FALSE);
    set_student(runs, student);
    run_own(runs, own);
    if (runs->reference_folder != NULL)
        run_references(runs, compared);
}

WsTrial *ws_own_runs_try(WsOwnRuns *runs, const char *folder, guint test, const char *student)
{
    const WsSubject subject = {.assignment = runs->assignment,
                               .folder = folder,
                               .program = runs->assignment->program,
                               .student = student,
                               .cache = runs->cache,
                               .kernel_cache = runs->cache,
                               .carried = runs->carried,
                               .carries = runs->carries};
    g_autoptr(GArray) one = g_array_new(FALSE, FALSE, sizeof(guint));
    g_autofree WsTrial **trials = g_new0(WsTrial *, runs->assignment->tests->len + 1);
    g_array_append_val(one, test);
    ws_trials_run(&subject, one, trials);
    return trials[test];
}

const WsTrial *ws_own_runs_known(const WsOwnRuns *runs, guint test)
{
    gboolean own = ws_test_is_own(ws_assignment_test(runs->assignment, test));
    return own ? runs->own[test] : runs->references[test];
}

double *ws_own_runs_reference_values(WsOwnRuns *runs, const WsFormula *formula, guint test,
                                     const char *student)
{
    guint count = ws_formula_figure_count(formula);
    double *values = g_new(double, count + 1);
    for (guint i = 0; i < count; i++) {
        const WsFigure *figure = ws_formula_figure(formula, i);
        values[i] = (double)NAN;
        if (figure->of == WS_FIGURE_REFERENCE)
            values[i] = ws_trial_figure(ws_own_runs_reference(runs, test, student), figure);
    }
    return values;
}
