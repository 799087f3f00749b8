/* A folder that is handed in: its program and its answers. Nothing outside of it is read. */
#ifndef WS_GRADE_JUDGE_SUBMISSION_H
#define WS_GRADE_JUDGE_SUBMISSION_H

#include "grade/assignment/assignment.h"

typedef struct {
    char *folder;
    WsReadScope *scope;
    char *missing;       /* why there is no program, or NULL */
    GBytes *source;      /* of the program, or NULL */
    WsYamlTree *answers; /* NULL: none */
    char *answers_wrong; /* why, or NULL */
} WsSubmission;

/* Errors: WS_ERROR_INPUT, if the folder cannot be opened. */
WsSubmission *ws_submission_open(const WsAssignment *assignment, const char *folder,
                                 GError **error);
void ws_submission_free(WsSubmission *submission);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsSubmission, ws_submission_free)

/* The answer to a question, or NULL. Owned by the submission. */
const char *ws_submission_answer(const WsSubmission *submission, const char *key);

#endif
