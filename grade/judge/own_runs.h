/*
 * Runs of the assignment's own: of the reference, and of the tests' own programs. They do not
 * depend on what is handed in, so they are made once and kept.
 */
#ifndef WS_GRADE_JUDGE_OWN_RUNS_H
#define WS_GRADE_JUDGE_OWN_RUNS_H

#include "grade/trial/trial.h"

typedef struct {
    const WsAssignment *assignment;
    char *reference_folder, *cache;
    char *carried; /* as in WsSubject, or NULL */
    gboolean carries;
    char *student;   /* the last one ... */
    char *drawn_for; /* ... and those with the same numbers, for whom the drawn runs are */
    /* By test: of the reference or its own program; drawn ones are those of `drawn_for`. */
    WsTrial **references, **own;
} WsOwnRuns;

/* `assignment` must stay. `cache` as in ws_grader_new(). */
WsOwnRuns *ws_own_runs_new(const WsAssignment *assignment, const char *cache);
void ws_own_runs_free(WsOwnRuns *runs);

/*
 * Puts what is compiled from now on into `folder`, which may be empty, as what the assignment
 * carries (WsLoadBounds.carried); else it is taken from the assignment's own, if it has one.
 */
void ws_own_runs_carry_to(WsOwnRuns *runs, const char *folder);

/* Makes the runs of the marked tests for a student at once: ws_wanted_runs(). */
void ws_own_runs_make(WsOwnRuns *runs, const gboolean *tests, const gboolean *references,
                      const char *student);

/* The run of the reference, or of the test's own program, if it was made for anybody; else NULL. */
const WsTrial *ws_own_runs_known(const WsOwnRuns *runs, guint test);
/* The run of the reference, or of the test's own program, for a student. Owned by `runs`. */
const WsTrial *ws_own_runs_reference(WsOwnRuns *runs, guint test, const char *student);
const WsTrial *ws_own_runs_own(WsOwnRuns *runs, guint test, const char *student);

/* Runs a test with the program in a folder of the assignment's, as with one handed in. */
WsTrial *ws_own_runs_try(WsOwnRuns *runs, const char *folder, guint test, const char *student);

/* The values of a formula's figures in the reference's runs alone; NaN for others. g_free. */
double *ws_own_runs_reference_values(WsOwnRuns *runs, const WsFormula *formula, guint test,
                                     const char *student);

#endif
