/* Writing a verdict: kind and rationale. Inside the room only. */
#ifndef WS_GRADE_JUDGE_VERDICT_H
#define WS_GRADE_JUDGE_VERDICT_H

#include "grade/judge/grade.h"

void ws_verdict_fail(WsVerdict *verdict, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* The same for a reason that is the check's own, which its `help` is about. */
void ws_verdict_fail_itself(WsVerdict *verdict, const char *format, ...) G_GNUC_PRINTF(2, 3);
void ws_verdict_break(WsVerdict *verdict, const char *format, ...) G_GNUC_PRINTF(2, 3);
void ws_verdict_log(WsVerdict *verdict, const char *text);

#endif
