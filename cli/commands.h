/*
 * The table of the sub-commands. From it come the help, the manual pages and the completion of
 * shells: a new row appears in all of them.
 */
#ifndef WS_CLI_COMMANDS_H
#define WS_CLI_COMMANDS_H

#include "cli/command.h"

/* In the order of the help; the last row has no name. */
extern const WsCommand ws_commands[];

typedef struct {
    int code;
    const char *meaning;
} WsExitCode;

/* The last row has no meaning. */
extern const WsExitCode ws_exit_codes[];

#endif
