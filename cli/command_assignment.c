/* `warpstep assignment`: checks an assignment. */
#include "cli/command.h"
#include "cli/compile_cache.h"
#include "grade/verify/verify.h"

#include <string.h>

static int check(const WsAssignment *assignment)
{
    GError *error = NULL;
    gboolean good;
    g_autofree char *cache = ws_compile_cache_folder(FALSE);
    g_autoptr(GString) report = g_string_new(NULL);
    gboolean done = ws_assignment_verify(assignment, cache, report, &good, &error);
    ws_put(report->str);
    if (!done)
        return ws_report_error(error);
    return good ? 0 : WS_ERROR_CHECK;
}

int ws_command_assignment(const char *usage, const char *details, char **arguments)
{
    static const char *const actions[] = {"check", NULL};
    const GOptionEntry entries[] = {
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    if (!ws_parse_options(usage, details, entries, arguments, 2, 2))
        return WS_ERROR_USAGE;
    int action = ws_find_choice("assignment", arguments[1], actions);
    if (action < 0)
        return WS_ERROR_USAGE;
    GError *error = NULL;
    g_autoptr(WsAssignment) assignment = ws_assignment_load(arguments[2], &error);
    if (assignment == NULL)
        return ws_report_error(error);
    return check(assignment);
}
