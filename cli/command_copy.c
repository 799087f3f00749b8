/* `warpstep copy`: a built-in workload to edit. */
#include "cli/command.h"
#include "sim/launch/workload_files.h"

#include <stdio.h>

int ws_command_copy(const char *usage, const char *details, char **arguments)
{
    const GOptionEntry entries[] = {{NULL, 0, 0, 0, NULL, NULL, NULL}};
    if (!ws_parse_options(usage, details, entries, arguments, 2, 2))
        return WS_ERROR_USAGE;
    GError *error = NULL;
    if (!ws_workload_copy(arguments[1], arguments[2], &error))
        return ws_report_error(error);
    printf("%s holds a copy of %s\nRun it: warpstep run %s\n", arguments[2], arguments[1],
           arguments[2]);
    return 0;
}
