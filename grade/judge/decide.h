/* Deciding a check, one function a kind. Inside the room only. */
#ifndef WS_GRADE_JUDGE_DECIDE_H
#define WS_GRADE_JUDGE_DECIDE_H

#include "grade/judge/grader.h"
#include "grade/judge/submission.h"

/* What a check is decided from. */
typedef struct {
    WsGrader *grader;
    const WsAssignment *assignment;
    const WsSubmission *submission;
    const char *student;
    WsTrial **trials;        /* of what was handed in, by test; NULL where not run */
    gboolean reveal, is_own; /* as in WsGradeOptions */
} WsCase;

/* Whether nothing of a test's run may be shown, or none of its figures. */
gboolean ws_case_hides(const WsCase *of, const WsTest *test);
gboolean ws_case_hides_figures(const WsCase *of, const WsTest *test);

/* What was handed in. */
WsSubject ws_case_subject(const WsCase *of);

/* The trial of a test that checks look at: of its own program, or of what was handed in. */
const WsTrial *ws_case_trial(const WsCase *of, guint test);

/* Sets kind and rationale. */
void ws_verdict_fail(WsVerdict *verdict, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* The same for a reason that is the check's own, which its `help` is about. */
void ws_verdict_fail_itself(WsVerdict *verdict, const char *format, ...) G_GNUC_PRINTF(2, 3);
void ws_verdict_break(WsVerdict *verdict, const char *format, ...) G_GNUC_PRINTF(2, 3);
void ws_verdict_log(WsVerdict *verdict, const char *text);

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
gboolean ws_check_all_figures(const WsGrader *grader, const WsAssignment *assignment,
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
