/* Commands that `warpstep cc` runs: clang's. */
#ifndef WS_CLI_CC_RUN_H
#define WS_CLI_CC_RUN_H

#include <glib.h>

typedef struct {
    gboolean is_verbose; /* told on standard error, behind "#$ ", as nvcc tells its commands */
    gboolean is_dry_run; /* told and not run */
} WsCcRunning;

/* A word as a shell would need it. */
char *ws_cc_quote(const char *word);

/*
 * Runs a command, without the NULL behind it. `what` says what fails, as a part of a message. With
 * `ret_messages` (else NULL) what it writes on standard error is kept too; g_free.
 */
gboolean ws_cc_run(GPtrArray *arguments, const WsCcRunning *running, const char *what,
                   char **ret_messages, GError **error);

#endif
