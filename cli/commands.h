/*
 * The sub-commands. From commands.def come the build, the help, the manual pages and the completion
 * of shells: a new row appears in all of them.
 */
#ifndef WS_CLI_COMMANDS_H
#define WS_CLI_COMMANDS_H

#include "cli/command.h"

/* In the order of the help, up to NULL. */
extern const WsCommand *const ws_commands[];

/* The heading of each group. */
extern const char *const ws_command_groups[WS_GROUP_COUNT];

typedef struct {
    int code;
    const char *meaning;
} WsExitCode;

/* The last row has no meaning. */
extern const WsExitCode ws_exit_codes[];

#endif
