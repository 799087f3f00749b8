/* `warpstep sensitivity`: how much a figure moves when one parameter does. */
#include "cli/results_options.h"
#include "study/results/sensitivity.h"
#include "study/results/table_query.h"

static int run(const WsCommand *command, char **arguments)
{
    GError *error = NULL;
    g_auto(GStrv) base = NULL;
    g_auto(WsResultsOptions) options = {0};
    const GOptionEntry own[] = {
        {"base", 'b', 0, G_OPTION_ARG_FILENAME_ARRAY, &base,
         "a base value (default: those of the first row); may be repeated", "NAME=VALUE"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    if (!ws_results_options_parse(&options, command, own, arguments))
        return WS_ERROR_USAGE;
    g_autoptr(WsTable) table = ws_results_read(arguments[1], options.columns, &error);
    const WsSensitivityOptions wanted = {.y = options.y, .where = options.where, .base = base};
    g_autoptr(WsSensitivity) sensitivity =
        table == NULL ? NULL : ws_sensitivity_new(table, &wanted, &error);
    if (sensitivity == NULL)
        return ws_report_error(error);
    g_autofree char *csv = ws_sensitivity_csv(sensitivity);
    g_autofree char *text = ws_sensitivity_text(sensitivity, options.y);
    return ws_results_options_write(&options, csv, text);
}

const WsCommand ws_command_sensitivity = {
    .name = "sensitivity",
    .group = WS_GROUP_STUDY,
    .summary = "how much a figure moves when one parameter of a sweep does",
    .usage = "RESULTS",
    .details =
        "RESULTS is the folder of a sweep, or its runs.csv. Each row that differs from the\n"
        "base in one parameter shows the change of the figure, and for numbers the\n"
        "elasticity: -1 says that twice the parameter halves the figure. The parameter that\n"
        "moves the figure most is first. `sweep --one-at-a-time` runs just the points that\n"
        "this needs; the first value of each parameter is the base.\n"
        "\n"
        "Examples:\n"
        "  warpstep sweep vecadd --one-at-a-time -P sms=1,2 -P block=256,128 -o one\n"
        "  warpstep sensitivity one\n"
        "  warpstep sensitivity one -o sensitivity.csv\n",
    .run = run,
};
