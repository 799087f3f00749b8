#include "cli/commands.h"

#define COMMAND(name) extern const WsCommand ws_command_##name;
#include "cli/commands.def"
#undef COMMAND

const WsCommand *const ws_commands[] = {
#define COMMAND(name) &ws_command_##name,
#include "cli/commands.def"
#undef COMMAND
    NULL,
};

const char *const ws_command_groups[WS_GROUP_COUNT] = {
    [WS_GROUP_RUN] = "Run and inspect",
    [WS_GROUP_STUDY] = "Compare and study",
    [WS_GROUP_TEACH] = "Teach",
    [WS_GROUP_PROGRAM] = "Programs",
};

const WsExitCode ws_exit_codes[] = {
    {0, "done"},
    {WS_ERROR_CHECK, "a check failed"},
    {WS_ERROR_USAGE, "usage"},
    {WS_ERROR_INPUT, "bad input"},
    {WS_ERROR_FAULT, "fault in the kernel"},
    {WS_ERROR_DEADLOCK, "deadlock or livelock"},
    {WS_ERROR_LIMIT, "a limit was reached"},
    {WS_ERROR_INTERNAL, "internal error"},
    {0, NULL},
};
