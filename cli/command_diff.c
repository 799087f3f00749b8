/* `warpstep diff`: two runs beside each other. */
#include "cli/command.h"
#include "cli/diff_report.h"
#include "cli/interrupt.h"
#include "cli/simulation_options.h"

#include <string.h>

typedef struct {
    WsSimulationOptions simulation[WS_SIDES];
    const char *target[WS_SIDES];
    char *format, *output;
    gint64 lines;
    gboolean split; /* there is a --vs */
} Options;

static void options_clear(Options *options)
{
    for (guint i = 0; i < WS_SIDES; i++)
        ws_simulation_options_clear(&options->simulation[i]);
    g_free(options->format);
    g_free(options->output);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

enum { DEFAULT_LINES = 10 };

/* ---- options ------------------------------------------------------------------------------------
 */

/* The place of --vs, or of the end. */
static guint find_vs(char **arguments)
{
    guint i = 0;

    while (arguments[i] != NULL && strcmp(arguments[i], "--vs") != 0)
        i++;
    return i;
}

static gboolean parse_left(const WsCommand *command, char **arguments, Options *options)
{
    gboolean ignored = FALSE;
    const GOptionEntry entries[] = {
        {"vs", 0, 0, G_OPTION_ARG_NONE, &ignored,
         "the rest is for B: its options, and its target if it differs", NULL},
        {"format", 'f', 0, G_OPTION_ARG_FILENAME, &options->format, "default: text", "text|json"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options->output,
         "write to a file instead of stdout", "FILE"},
        {"lines", 0, 0, G_OPTION_ARG_INT64, &options->lines,
         "source lines to list at most (default 10)", "N"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    guint targets = options->split ? 1 : 2;

    return ws_simulation_options_parse(&options->simulation[WS_SIDE_A], command, entries, arguments,
                                       targets, targets);
}

/* `arguments` as main() has them, cut in two at --vs. */
static gboolean parse(const WsCommand *command, char **arguments, Options *options)
{
    const GOptionEntry none[] = {{NULL, 0, 0, 0, NULL, NULL, NULL}};
    guint at = find_vs(arguments);
    char **right = &arguments[at];

    options->lines = DEFAULT_LINES;
    options->split = *right != NULL;
    arguments[at] = NULL;
    if (!parse_left(command, arguments, options))
        return FALSE;
    if (options->lines < 0) {
        ws_usage_error("--lines: a number is expected");
        return FALSE;
    }
    options->target[WS_SIDE_A] = arguments[1];
    options->target[WS_SIDE_B] = options->split ? arguments[1] : arguments[2];
    if (!options->split)
        return TRUE;
    right[0] = arguments[0];
    if (!ws_simulation_options_parse(&options->simulation[WS_SIDE_B], command, none, right, 0, 1))
        return FALSE;
    ws_simulation_options_inherit_limits(&options->simulation[WS_SIDE_B],
                                         &options->simulation[WS_SIDE_A]);
    if (right[1] != NULL)
        options->target[WS_SIDE_B] = right[1];
    return TRUE;
}

/* ---- running ------------------------------------------------------------------------------------
 */

typedef struct {
    WsLockstep *lockstep;
    guint side;
    WsJob *job;
    WsRunOptions options;
    WsResult *result;
    GError *error;
} Run;

static gpointer run_side(gpointer data)
{
    Run *run = data;

    run->result = ws_simulation_run(run->job, &run->options, &run->error);
    ws_lockstep_end(run->lockstep, run->side);
    return NULL;
}

/* Runs both, A on this thread. Errors: those of ws_simulation_run(), of A first. */
static gboolean run_both(const Options *options, WsLockstep *lockstep, WsJob *const jobs[WS_SIDES],
                         WsResult *ret_results[WS_SIDES], GError **error)
{
    const gint *interrupt = ws_interrupt_watch();
    const WsObserver *observers[WS_SIDES][2] = {{NULL}};
    Run runs[WS_SIDES];
    GThread *thread;

    for (guint i = 0; i < WS_SIDES; i++) {
        runs[i] = (Run){.lockstep = lockstep, .side = i, .job = jobs[i]};
        ws_simulation_options_fill(&options->simulation[options->split ? i : WS_SIDE_A],
                                   &runs[i].options);
        observers[i][0] = ws_lockstep_observer(lockstep, i);
        runs[i].options.observers = observers[i];
        runs[i].options.interrupt = interrupt;
    }
    thread = g_thread_new("B", run_side, &runs[WS_SIDE_B]);
    run_side(&runs[WS_SIDE_A]);
    g_thread_join(thread);
    ws_interrupt_unwatch();
    for (guint i = 0; i < WS_SIDES; i++)
        ret_results[i] = runs[i].result;
    if (runs[WS_SIDE_A].error != NULL)
        g_clear_error(&runs[WS_SIDE_B].error);
    if (runs[WS_SIDE_A].error == NULL && runs[WS_SIDE_B].error == NULL)
        return TRUE;
    g_propagate_error(error, runs[WS_SIDE_A].error != NULL ? runs[WS_SIDE_A].error
                                                           : runs[WS_SIDE_B].error);
    return FALSE;
}

static int report(const Options *options, const WsDiff *diff, gboolean json)
{
    g_autofree char *text =
        json ? ws_diff_json(diff) : ws_diff_text(diff, (guint)MIN(options->lines, G_MAXINT));
    GError *error = NULL;

    if (!ws_write_file(options->output != NULL ? options->output : "-", text, strlen(text), &error))
        return ws_report_error(error);
    return diff->parting->parted || diff->comparison->buffers->len != 0 ? WS_ERROR_CHECK : 0;
}

static int compare(const Options *options, WsJob *const jobs[WS_SIDES], gboolean json)
{
    g_autoptr(WsLockstep) lockstep = ws_lockstep_new();
    WsResult *results[WS_SIDES] = {NULL};
    GError *error = NULL;
    int code = 0;

    if (run_both(options, lockstep, jobs, results, &error)) {
        g_autoptr(WsComparison) comparison =
            ws_comparison_new((const WsJob *const *)jobs, (const WsResult *const *)results);
        WsDiff diff = {.parting = ws_lockstep_first_difference(lockstep), .comparison = comparison};

        for (guint i = 0; i < WS_SIDES; i++) {
            diff.job[i] = jobs[i];
            diff.result[i] = results[i];
            diff.launch[i] = ws_lockstep_launch(lockstep, i);
            ws_print_messages(jobs[i], results[i]);
        }
        code = report(options, &diff, json);
    } else {
        code = ws_report_error(error);
    }
    for (guint i = 0; i < WS_SIDES; i++)
        ws_result_free(results[i]);
    return code;
}

static int run(const WsCommand *command, char **arguments)
{
    static const char *const formats[] = {"text", "json", NULL};
    g_auto(Options) options = {0};
    GError *error = NULL;

    if (!parse(command, arguments, &options))
        return WS_ERROR_USAGE;
    int format = options.format == NULL ? 0 : ws_find_choice("--format", options.format, formats);
    if (format < 0)
        return WS_ERROR_USAGE;
    WsOutput output = {"--output", options.output};
    if (!ws_outputs_check(&output, 1, &error))
        return ws_report_error(error);
    g_autoptr(WsJob) a = ws_simulation_options_load(&options.simulation[WS_SIDE_A],
                                                    options.target[WS_SIDE_A], &error);
    if (a == NULL)
        return ws_report_error(error);
    g_autoptr(WsJob) b =
        ws_simulation_options_load(&options.simulation[options.split ? WS_SIDE_B : WS_SIDE_A],
                                   options.target[WS_SIDE_B], &error);
    if (b == NULL)
        return ws_report_error(error);
    WsJob *const jobs[WS_SIDES] = {a, b};
    int code = compare(&options, jobs, format == 1);

    for (guint i = 0; i < WS_SIDES; i++)
        code = ws_simulation_options_exit_code(&options.simulation[i], code);
    return code;
}

const WsCommand ws_command_diff = {
    .name = "diff",
    .group = WS_GROUP_STUDY,
    .summary = "report where two runs first differ, and how their figures differ",
    .usage = "A B | A --vs [B]",
    .details =
        "A and B are each " WS_RUN_IN_WORDS ".\n"
        "Options apply to both; options after --vs apply only to B, whose target may then be\n"
        "omitted. The events of the two runs are compared one by one, then their figures. The\n"
        "exit code is 0 if the runs are the same and 1 if not.\n"
        "\n"
        "Examples:\n"
        "  warpstep diff if_else if_else/switch.yaml  # exit code 1\n"
        "  warpstep diff vecadd --policy lrr --vs --policy gto  # exit code 1\n",
    .run = run,
};
