/*
 * Grading submissions. What does not depend on them, runs of the reference and of the assignment's
 * own programs, is done once and kept.
 */
#ifndef WS_GRADE_JUDGE_GRADER_H
#define WS_GRADE_JUDGE_GRADER_H

#include "grade/judge/grade.h"
#include "grade/judge/own_runs.h"

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

/* Runs of the assignment's own that were made, or are made as they are asked for. */
WsOwnRuns *ws_grader_runs(const WsGrader *grader);

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

#endif
