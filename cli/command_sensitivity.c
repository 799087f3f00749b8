/* `warpstep sensitivity`: how much a figure moves when one parameter does. */
#include "cli/command.h"
#include "cli/results_options.h"
#include "cli/terminal.h"
#include "study/results/sensitivity.h"
#include "study/results/table_query.h"

#include <string.h>

typedef struct {
    char *y, *output;
    char **where, **base, **columns;
} Options;

static void options_clear(Options *options)
{
    g_free(options->y);
    g_free(options->output);
    g_strfreev(options->where);
    g_strfreev(options->columns);
    g_strfreev(options->base);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static gboolean parse(const WsCommand *command, char **arguments, Options *options)
{
    const GOptionEntry entries[] = {
        {"y", 'y', 0, G_OPTION_ARG_FILENAME, &options->y, "the figure (default: cycles)", "COLUMN"},
        {"base", 'b', 0, G_OPTION_ARG_FILENAME_ARRAY, &options->base,
         "a base value (default: those of the first row); may be repeated", "NAME=VALUE"},
        WS_COLUMN_ENTRY(&options->columns),
        {"where", 'w', 0, G_OPTION_ARG_FILENAME_ARRAY, &options->where,
         "only rows with this value; may be repeated", "COLUMN=VALUE"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options->output, "write a CSV file", "FILE"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    return ws_parse_options(command, entries, arguments, 1, 1);
}

static int run(const WsCommand *command, char **arguments)
{
    GError *error = NULL;
    g_auto(Options) options = {0};
    if (!parse(command, arguments, &options))
        return WS_ERROR_USAGE;
    const char *y = options.y != NULL ? options.y : "cycles";
    g_autoptr(WsTable) table = ws_results_read(arguments[1], options.columns, &error);
    const WsSensitivityOptions wanted = {.y = y, .where = options.where, .base = options.base};
    g_autoptr(WsSensitivity) sensitivity =
        table == NULL ? NULL : ws_sensitivity_new(table, &wanted, &error);
    if (sensitivity == NULL)
        return ws_report_error(error);
    if (options.output != NULL) {
        g_autofree char *csv = ws_sensitivity_csv(sensitivity);
        return ws_write_file(options.output, csv, strlen(csv), &error) ? 0 : ws_report_error(error);
    }
    g_autofree char *text = ws_sensitivity_text(sensitivity, y);
    ws_put(text);
    return 0;
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
