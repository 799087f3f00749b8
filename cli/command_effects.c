/* `warpstep effects`: what each parameter of a sweep of two values each does. */
#include "cli/results_options.h"
#include "study/results/effects.h"
#include "study/results/table_query.h"

static int run(const WsCommand *command, char **arguments)
{
    GError *error = NULL;
    gboolean logarithms = FALSE;
    g_auto(WsResultsOptions) options = {0};
    const GOptionEntry own[] = {
        {"log", 0, 0, G_OPTION_ARG_NONE, &logarithms,
         "effects as factors instead of differences: of the figure's logarithm", NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    if (!ws_results_options_parse(&options, command, own, arguments))
        return WS_ERROR_USAGE;
    g_autoptr(WsTable) table = ws_results_read(arguments[1], options.columns, &error);
    const WsEffectsOptions wanted = {
        .y = options.y, .where = options.where, .logarithms = logarithms};
    g_autoptr(WsEffects) effects = table == NULL ? NULL : ws_effects_new(table, &wanted, &error);
    if (effects == NULL)
        return ws_report_error(error);
    g_autofree char *csv = ws_effects_csv(effects), *text = ws_effects_text(effects, options.y);
    return ws_results_options_write(&options, csv, text);
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
