/* `step --quiz`: questions at a terminal or from a pipe, or answers of a file graded. */
#ifndef WS_CLI_STEP_QUIZ_H
#define WS_CLI_STEP_QUIZ_H

#include "inspect/session/session.h"

/*
 * Asks the questions of the SM where something happened. `answers`: a file to grade in place of
 * asking, or NULL; `output`: a file for the answers as JSON, or NULL. Returns the exit code: 0, or
 * 1 where answers were graded and one is not right.
 */
int ws_step_quiz(WsSession *session, const char *answers, const char *output);

#endif
