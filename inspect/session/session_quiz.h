/* Questions about the run of a session. */
#ifndef WS_INSPECT_SESSION_SESSION_QUIZ_H
#define WS_INSPECT_SESSION_SESSION_QUIZ_H

#include "inspect/quiz/quiz.h"
#include "inspect/session/session.h"

/* Those of the SM of the first highlight. NULL: as ws_session_find_highlights(). */
WsQuiz *ws_session_make_quiz(WsSession *session, GError **error);

#endif
