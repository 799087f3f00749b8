/*
 * Grading submissions. What does not depend on them, runs of the reference and of the assignment's
 * own programs, is done once and kept.
 */
#ifndef WS_GRADE_JUDGE_GRADER_H
#define WS_GRADE_JUDGE_GRADER_H

#include "grade/judge/grade.h"

typedef struct WsGrader WsGrader;

/*
 * `assignment` must stay. `cache`: where compiles of the assignment's own programs are kept
 * (WsLoadBounds.cache), or NULL; those of what is handed in are not, but
 * use the headers that are precompiled there.
 */
WsGrader *ws_grader_new(const WsAssignment *assignment, const char *cache);
void ws_grader_free(WsGrader *grader);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsGrader, ws_grader_free)

/*
 * Makes the runs that all submissions need, and those of one student: before processes are made
 * that grade many. Errors: WS_ERROR_INPUT with position, for figures that they do not have.
 */
gboolean ws_grader_prepare(WsGrader *grader, const char *student, GError **error);

/*
 * Puts what is compiled from now on into `folder`, which may be empty, as what the assignment
 * carries (WsLoadBounds.carried); else it is taken from the assignment's own, if it has one.
 */
void ws_grader_carry_to(WsGrader *grader, const char *folder);

/* Runs a test with the program in a folder of the assignment's, as with one handed in. */
WsTrial *ws_grader_try(WsGrader *grader, const char *folder, guint test, const char *student);

/* The parts of WsProtection that clang has in all of its runs. */
guint ws_grader_protection(const WsGrader *grader);

typedef struct {
    const char *student; /* NULL: the name of the folder */
    gint64 submitted;    /* seconds since 1970; G_MININT64 = on time */
    const char *check;   /* only this one and those it needs; NULL = all */
    gboolean reveal;     /* show of hidden tests what is shown of others */
    gboolean pages;      /* make WsGrade.pages */
    gboolean is_own;     /* it is the assignment's own, so its compiles are kept as well */
} WsGradeOptions;

/*
 * Grades the folder `folder`. Errors: WS_ERROR_INPUT, if it is none; all else is in the grade.
 */
WsGrade *ws_grader_grade(WsGrader *grader, const char *folder, const WsGradeOptions *options,
                         GError **error);

/* The run of the reference, or of the test's own program, if it was made for anybody; else NULL. */
const WsTrial *ws_grader_known(const WsGrader *grader, guint test);
/* The run of the reference, or of the test's own program, for a student. Owned by the grader. */
const WsTrial *ws_grader_reference(WsGrader *grader, guint test, const char *student);
const WsTrial *ws_grader_own(WsGrader *grader, guint test, const char *student);

/* The values of a formula's figures in the reference's runs alone; NaN for others. g_free. */
double *ws_grader_reference_values(WsGrader *grader, const WsFormula *formula, guint test,
                                   const char *student);

#endif
