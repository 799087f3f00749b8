/* `sweep --study NAME`: the ready studies on the command line. */
#ifndef WS_CLI_READY_STUDY_H
#define WS_CLI_READY_STUDY_H

#include "study/ready/ready.h"
#include "study/results/folder.h"

/* The study, or NULL after a message that lists them. */
const WsReadyStudy *ws_ready_study_choose(const char *name);

/* The ready studies with their questions, a line each. g_free. */
char *ws_ready_study_list(void);

/*
 * Prints answer, table and curve of what is in `folder`; with `path` also writes NAME.html there.
 * `job` is the launch as it stands. Errors: WS_ERROR_INPUT.
 */
gboolean ws_ready_study_report(const WsReadyStudy *ready, const WsStudy *study, const WsJob *job,
                               const WsStudyFolder *folder, const char *path, GError **error);

#endif
