/* What a check is decided from. Inside the room only. */
#ifndef WS_GRADE_JUDGE_CASE_H
#define WS_GRADE_JUDGE_CASE_H

#include "grade/judge/own_runs.h"
#include "grade/judge/submission.h"

typedef struct {
    WsOwnRuns *runs;
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

#endif
