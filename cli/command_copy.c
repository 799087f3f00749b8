/* `warpstep copy`: a built-in workload or lab to edit. */
#include "cli/command.h"
#include "sim/launch/workload_files.h"

#include <stdio.h>

static int run(const WsCommand *command, char **arguments)
{
    const GOptionEntry entries[] = {{NULL, 0, 0, 0, NULL, NULL, NULL}};
    if (!ws_parse_options(command, entries, arguments, 2, 2))
        return WS_ERROR_USAGE;
    GError *error = NULL;
    if (!ws_workload_copy(arguments[1], arguments[2], &error))
        return ws_report_error(error);
    gboolean is_lab = g_str_has_prefix(arguments[1], "labs/");
    printf("%s holds a copy of %s\n%s %s\n", arguments[2], arguments[1],
           is_lab ? "Try it: warpstep assignment check" : "Run it: warpstep run", arguments[2]);
    return 0;
}

const WsCommand ws_command_copy = {
    .name = "copy",
    .group = WS_GROUP_PROGRAM,
    .summary = "copy a built-in workload to a folder",
    .usage = "WORKLOAD FOLDER",
    .details = "Writes all files of a built-in workload (warpstep run --list), or of a lab\n"
               "(warpstep help teaching), to FOLDER, which must be new or empty.\n"
               "\n"
               "Examples:\n"
               "  warpstep copy matmul my_matmul\n"
               "  warpstep run my_matmul\n"
               "  warpstep copy labs/transpose my_lab\n",
    .run = run,
};
