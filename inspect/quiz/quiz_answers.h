/*
 * What somebody answered, as JSON: written by a page or by `step`, and graded by the questions of
 * the grader's own run. The names are in docs/reference/formats.md.
 */
#ifndef WS_INSPECT_QUIZ_QUIZ_ANSWERS_H
#define WS_INSPECT_QUIZ_QUIZ_ANSWERS_H

#include "inspect/quiz/quiz.h"

enum { WS_NO_ANSWER = -1 };

/* How many of `given`, one a question (the number of a choice from 0, or WS_NO_ANSWER), are right.
 */
guint ws_quiz_score(const WsQuiz *quiz, const gint *given);

/* All of it as one document. g_free. */
char *ws_quiz_answers_json(const WsJob *job, const WsQuiz *quiz, const gint *given);

/*
 * The answers of a document, one a question of the quiz: what it says is right counts for nothing,
 * nor do answers to other questions. g_free; NULL with WS_ERROR_INPUT where it is no such document.
 * `name` is for messages.
 */
gint *ws_quiz_answers_read(const WsQuiz *quiz, const char *name, const char *text, gssize length,
                           GError **error);

#endif
