/* Which checks, and so which runs of which tests, a grade takes. Inside the room only. */
#ifndef WS_GRADE_JUDGE_WANTED_RUNS_H
#define WS_GRADE_JUDGE_WANTED_RUNS_H

#include "grade/assignment/assignment.h"

/* The checks that are decided, by number: all (`check` NULL), or one and those it needs. g_free. */
gboolean *ws_wanted_rules(const WsAssignment *assignment, const char *check);

/*
 * Marks the tests whose runs the checks look at (`rules` NULL: all of them): in `tests` those of
 * what is handed in, or of the assignment's own programs, in `references` those of the reference.
 */
void ws_wanted_runs(const WsAssignment *assignment, const gboolean *rules, gboolean *tests,
                    gboolean *references);

/*
 * Those of `wanted` that run the assignment's own program (`own`), or what is handed in. guint;
 * g_array_unref.
 */
GArray *ws_select_tests(const WsAssignment *assignment, const gboolean *wanted, gboolean own);

#endif
