/* Deciding a check, one function a kind. Inside the room only. */
#ifndef WS_GRADE_JUDGE_DECIDE_H
#define WS_GRADE_JUDGE_DECIDE_H

#include "grade/judge/case.h"
#include "grade/judge/verdict.h"

/*
 * Whether the test's program was compiled and its launch made; else the verdict says what failed.
 * `right`: the run must have ended well too, with the results that are expected.
 */
gboolean ws_decide_run(const WsCase *of, guint test, gboolean right, WsVerdict *verdict);

/* Sets kind and rationale, and where a check gives its points in parts, the points. */
#define RULE(ENUM, name)                                                                           \
    void ws_decide_##name(const WsCase *of, const WsRule *rule, WsVerdict *verdict);
#include "grade/assignment/rule_kinds.def"
#undef RULE

/*
 * Whether the figures that the assignment names are there, in the runs that have been made. Errors:
 * WS_ERROR_INPUT with position.
 */
gboolean ws_check_all_figures(const WsOwnRuns *own, const WsAssignment *assignment,
                              WsTrial *const *trials, GError **error);

/* The figures of a formula for a check of test `test`. g_free. */
double *ws_case_values(const WsCase *of, const WsFormula *formula, guint test);

/* "cycles = 1312, reference = 800". g_free. */
char *ws_values_text(const WsFormula *formula, const double *values);

/* As short as tells it from its neighbours. g_free. */
char *ws_number_text(double value);

/* What the run of a test lost its time to, and the assignment lets change; or NULL. g_free. */
char *ws_hint_of(const WsAssignment *assignment, const WsTrial *trial);

/* "transpose.cu:12" of an object with `file` and `line`, or NULL. g_free. */
char *ws_place_of(JsonObject *object);
/* The place instead of "the line below", which is how a report shows it; else behind the text. */
char *ws_with_place(const char *text, const char *place);

#endif
