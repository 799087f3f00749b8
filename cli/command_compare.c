/* `warpstep compare`: a run beside what Nsight Compute measured. */
#include "cli/command.h"
#include "cli/compare_launches.h"
#include "cli/compare_report.h"
#include "cli/simulation_options.h"
#include "cli/terminal.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    WsSimulationOptions simulation;
    char **profiles;
    char *id, *format, *output;
    gint64 lines;
    gboolean all;
} Options;

static void options_clear(Options *options)
{
    ws_simulation_options_clear(&options->simulation);
    g_strfreev(options->profiles);
    g_free(options->id);
    g_free(options->format);
    g_free(options->output);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

enum { DEFAULT_LINES = 10, TEXT = 0, JSON, CSV };

static gboolean parse(const WsCommand *command, char **arguments, Options *options)
{
    const GOptionEntry entries[] = {
        {"ncu", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->profiles,
         "a CSV page of Nsight Compute: raw, details or source; may be repeated", "FILE"},
        {"launch-id", 0, 0, G_OPTION_ARG_STRING, &options->id,
         "compare with this launch of the profile: its column ID", "N"},
        {"all", 0, 0, G_OPTION_ARG_NONE, &options->all,
         "list every metric of the profile, those that are not compared too", NULL},
        {"lines", 0, 0, G_OPTION_ARG_INT64, &options->lines,
         "source lines and opcodes to list at most (default 10)", "N"},
        {"format", 'f', 0, G_OPTION_ARG_FILENAME, &options->format, "default: text",
         "text|json|csv"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options->output,
         "write to a file instead of stdout", "FILE"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };

    options->lines = DEFAULT_LINES;
    if (!ws_simulation_options_parse(&options->simulation, command, entries, arguments, 1, 1))
        return FALSE;
    if (options->profiles == NULL)
        ws_usage_error("--ncu FILE: a CSV page of Nsight Compute is expected (warpstep help "
                       "compare)");
    else if (options->lines < 0)
        ws_usage_error("--lines: a number is expected");
    else
        return TRUE;
    return FALSE;
}

static char *report_text(const Options *options, const WsCompareReport *report, int format)
{
    guint lines = (guint)MIN(options->lines, G_MAXINT);
    int width = options->output == NULL ? ws_terminal_width(stdout) : WS_WIDTH_NO_TERMINAL;

    return format == JSON  ? ws_compare_json(report)
           : format == CSV ? ws_compare_csv(report)
                           : ws_compare_text(report, lines, options->all, width);
}

static int compare(Options *options, const char *target, const WsMeasuredProfile *profile,
                   int format)
{
    GError *error = NULL;
    WsCompareReport report = {
        .target = target,
        .comparisons = g_ptr_array_new_with_free_func((GDestroyNotify)ws_profile_comparison_free),
        .only_simulated = g_ptr_array_new_with_free_func(g_free),
        .only_measured = g_ptr_array_new(),
    };
    int code = ws_compare_launches(&options->simulation, target, profile, options->id, &report);

    if (report.comparisons->len != 0) {
        g_autofree char *text = report_text(options, &report, format);

        if (!ws_write_file(options->output != NULL ? options->output : "-", text, strlen(text),
                           &error))
            code = ws_report_error(error);
    }
    g_free(report.device);
    g_ptr_array_unref(report.comparisons);
    g_ptr_array_unref(report.only_simulated);
    g_ptr_array_unref(report.only_measured);
    return code;
}

static int run(const WsCommand *command, char **arguments)
{
    static const char *const formats[] = {"text", "json", "csv", NULL};
    g_auto(Options) options = {0};
    GError *error = NULL;

    if (!parse(command, arguments, &options))
        return WS_ERROR_USAGE;
    int format =
        options.format == NULL ? TEXT : ws_find_choice("--format", options.format, formats);
    if (format < 0)
        return WS_ERROR_USAGE;
    WsOutput output = {"--output", options.output};
    if (!ws_outputs_check(&output, 1, &error))
        return ws_report_error(error);
    g_autoptr(WsMeasuredProfile) profile =
        ws_measured_profile_read((const char *const *)options.profiles, &error);
    if (profile == NULL)
        return ws_report_error(error);
    return compare(&options, arguments[1], profile, format);
}

const WsCommand ws_command_compare = {
    .name = "compare",
    .group = WS_GROUP_STUDY,
    .summary = "show a run beside a profile that Nsight Compute measured on a GPU",
    .usage = "TARGET --ncu FILE [-- ARGUMENTS]",
    .details =
        "TARGET is " WS_RUN_IN_WORDS ",\n"
        "or a whole CUDA program, whose launches are matched with those of the profile by kernel\n"
        "and order. FILE is what ncu --csv writes, with --page raw, details or source; several\n"
        "pages of one profile may be given. Each metric of the profile is compared, or named with\n"
        "the reason why it is not (warpstep help profile).\n"
        "\n"
        "Examples:\n"
        "  warpstep copy matmul mm\n"
        "  warpstep compare mm --ncu mm/h200_profile.csv --sms 132\n"
        "  warpstep compare mm --ncu mm/h200_profile.csv --format csv -o beside.csv\n",
    .run = run,
};
