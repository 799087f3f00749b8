/* `warpstep effects`: what each parameter of a sweep of two values each does. */
#include "cli/command.h"
#include "cli/results_options.h"
#include "cli/terminal.h"
#include "study/results/effects.h"
#include "study/results/table_query.h"

#include <string.h>

typedef struct {
    char *y, *output;
    char **where, **columns;
    gboolean logarithms;
} Options;

static void options_clear(Options *options)
{
    g_free(options->y);
    g_free(options->output);
    g_strfreev(options->where);
    g_strfreev(options->columns);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static gboolean parse(const WsCommand *command, char **arguments, Options *options)
{
    const GOptionEntry entries[] = {
        {"y", 'y', 0, G_OPTION_ARG_FILENAME, &options->y, "the figure (default: cycles)", "COLUMN"},
        WS_COLUMN_ENTRY(&options->columns),
        {"where", 'w', 0, G_OPTION_ARG_FILENAME_ARRAY, &options->where,
         "only rows with this value; may be repeated", "COLUMN=VALUE"},
        {"log", 0, 0, G_OPTION_ARG_NONE, &options->logarithms,
         "effects as factors instead of differences: of the figure's logarithm", NULL},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options->output,
         "write all effects into a CSV file", "FILE"},
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
    const WsEffectsOptions wanted = {
        .y = y, .where = options.where, .logarithms = options.logarithms};
    g_autoptr(WsEffects) effects = table == NULL ? NULL : ws_effects_new(table, &wanted, &error);
    if (effects == NULL)
        return ws_report_error(error);
    if (options.output != NULL) {
        g_autofree char *csv = ws_effects_csv(effects);
        if (!ws_write_file(options.output, csv, strlen(csv), &error))
            return ws_report_error(error);
        return 0;
    }
    g_autofree char *text = ws_effects_text(effects, y);
    ws_put(text);
    return 0;
}

const WsCommand ws_command_effects = {
    .name = "effects",
    .group = WS_GROUP_STUDY,
    .summary = "rank what the parameters of a sweep do",
    .usage = "RESULTS",
    .details =
        "RESULTS is the folder of a sweep in which each parameter takes two values (a\n"
        "factorial design), or its runs.csv. The effect of a parameter is the mean of the\n"
        "figure with its second value less the mean with its first; an interaction says how\n"
        "much that depends on the other parameter. The share is that of the variation that\n"
        "the effect explains.\n"
        "\n"
        "Examples:\n"
        "  warpstep sweep vecadd --sms 1 -P policy=lrr,gto -P sub_cores=2,4 -o two\n"
        "  warpstep effects two\n"
        "  warpstep effects two --y ipc --log -o effects.csv\n",
    .run = run,
};
