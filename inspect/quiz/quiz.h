/*
 * Questions about a run, with the answers that the run gives: predict, then look. They are of one
 * SM, and the same run has the same questions.
 */
#ifndef WS_INSPECT_QUIZ_QUIZ_H
#define WS_INSPECT_QUIZ_QUIZ_H

#include "sim/launch/launch.h"
#include "sim/observe/observer.h"

typedef enum {
#define QUESTION(name, ...) WS_QUIZ_##name,
#include "inspect/quiz/quiz.def"
#undef QUESTION
    WS_QUIZ_KINDS
} WsQuizKind;

enum { WS_QUIZ_CHOICES = 4 };

typedef struct {
    WsQuizKind kind;
    guint64 cycle;    /* when it is asked, before the warps of that cycle are chosen */
    guint64 answered; /* the cycle that shows the answer */
    guint32 launch, sm, sub_core, slot, block, warp_in_block; /* WARP: of the one that issues */
    guint32 instruction;                                      /* that issues at the cycle */
    guint64 weight;                   /* STALL: cycles that the warp waits */
    guint count, answer;              /* of the choices, and the right one */
    guint64 last[WS_QUIZ_CHOICES];    /* WARP: cycles since they issued; 0 = they have not yet */
    guint64 choices[WS_QUIZ_CHOICES]; /* PATH: lanes; STALL: WsStall; WARP: slots */
} WsQuizQuestion;

typedef struct WsQuiz WsQuiz;

/* Of an SM with so many warp slots. */
WsQuiz *ws_quiz_new(guint32 sm, guint32 slots);
void ws_quiz_free(WsQuiz *quiz);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsQuiz, ws_quiz_free)

/* To be attached to one run; then the questions are chosen. */
const WsObserver *ws_quiz_observer(WsQuiz *quiz);
void ws_quiz_finish(WsQuiz *quiz);

/* In the order of time. */
guint ws_quiz_count(const WsQuiz *quiz);
const WsQuizQuestion *ws_quiz_at(const WsQuiz *quiz, guint index);

/* ---- in words: g_free --------------------------------------------------------------------------
 */

/* "path-1154-b29-w0": the same in each run of the same. */
char *ws_quiz_id(const WsQuizQuestion *question);
char *ws_quiz_prompt(const WsJob *job, const WsQuizQuestion *question);
char *ws_quiz_choice(const WsJob *job, const WsQuizQuestion *question, guint choice);
char *ws_quiz_explanation(const WsJob *job, const WsQuizQuestion *question);

#endif
