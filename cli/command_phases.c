/* `warpstep phases`: figures of stretches of a run, or of two runs, side by side. */
#include "cli/command.h"
#include "cli/output_file.h"
#include "cli/phases_text.h"

#include <string.h>

enum { MOST_RUNS = 2 };

typedef struct {
    char **phases;
    char *format, *output;
} Options;

static void options_clear(Options *options)
{
    g_strfreev(options->phases);
    g_free(options->format);
    g_free(options->output);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static gboolean parse(const WsCommand *command, char **arguments, Options *options)
{
    const GOptionEntry entries[] = {
        {"phase", 'p', 0, G_OPTION_ARG_FILENAME_ARRAY, &options->phases,
         "the samples that begin in these cycles, TO excluded; may be repeated (default: a phase "
         "for each launch)",
         "NAME=FROM..TO"},
        {"format", 'f', 0, G_OPTION_ARG_FILENAME, &options->format, "default: text", "text|csv"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options->output,
         "write to a file instead of stdout", "FILE"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };

    return ws_parse_options(command, entries, arguments, 1, MOST_RUNS);
}

static void clear_phase(gpointer phase)
{
    ws_phase_clear(phase);
}

static GArray *read_phases(char *const *texts, const WsSampleTable *table, GError **error)
{
    g_autoptr(GArray) phases = g_array_new(FALSE, TRUE, sizeof(WsPhase));

    g_array_set_clear_func(phases, clear_phase);
    for (; texts != NULL && *texts != NULL; texts++) {
        WsPhase phase = {0};

        if (!ws_phase_parse(*texts, &phase, error))
            return NULL;
        g_array_append_val(phases, phase);
    }
    if (phases->len == 0)
        ws_phases_of_launches(table, phases);
    return g_steal_pointer(&phases);
}

static void free_table(gpointer table)
{
    ws_sample_table_free(table);
}

static int compare(const Options *options, char *const *paths, gboolean csv)
{
    g_autoptr(GPtrArray) tables = g_ptr_array_new_with_free_func(free_table);
    guint runs = g_strv_length((char **)paths);
    GError *error = NULL;

    for (guint run = 0; run < runs; run++) {
        WsSampleTable *table = ws_sample_table_read(paths[run], &error);

        if (table == NULL)
            return ws_report_error(error);
        g_ptr_array_add(tables, table);
    }
    g_autoptr(GArray) phases = read_phases(options->phases, tables->pdata[0], &error);
    if (phases == NULL)
        return ws_report_error(error);
    g_autofree WsPhaseSums *sums = g_new(WsPhaseSums, phases->len * runs + 1);
    for (guint i = 0; i < phases->len * runs; i++)
        if (!ws_phase_sum(paths[i % runs], tables->pdata[i % runs],
                          &g_array_index(phases, WsPhase, i / runs), &sums[i], &error))
            return ws_report_error(error);
    g_autofree char *text =
        csv ? ws_phases_csv(phases, sums, runs) : ws_phases_text(phases, sums, runs);
    if (!ws_write_file(options->output != NULL ? options->output : "-", text, strlen(text), &error))
        return ws_report_error(error);
    return 0;
}

static int run(const WsCommand *command, char **arguments)
{
    static const char *const formats[] = {"text", "csv", NULL};
    g_auto(Options) options = {0};

    if (!parse(command, arguments, &options))
        return WS_ERROR_USAGE;
    int format = options.format == NULL ? 0 : ws_find_choice("--format", options.format, formats);
    return format < 0 ? WS_ERROR_USAGE : compare(&options, arguments + 1, format == 1);
}

const WsCommand ws_command_phases = {
    .name = "phases",
    .group = WS_GROUP_STUDY,
    .summary = "compare stretches of a run, or of two runs",
    .usage = "SAMPLES [SAMPLES]",
    .details =
        "SAMPLES is a file that run --samples has written. The figures of the phases stand side\n"
        "by side: IPC, lanes, occupancy, hit rates, bandwidths, and stall reasons as shares of\n"
        "the warp-cycles. With two files, of two runs, each phase is compared. A phase\n"
        "consists of whole samples.\n"
        "\n"
        "Examples:\n"
        "  warpstep run vecadd --sms 1 --samples samples.npz --sample-every 100\n"
        "  warpstep phases samples.npz --phase begin=0..2000 --phase rest=2000..\n",
    .run = run,
};
