/* `warpstep trace`: what happens in a run, event by event. */
#include "cli/command.h"
#include "cli/export_files.h"
#include "cli/simulation_options.h"
#include "sim/base/number_list.h"

/* "|text|csv": how shells complete --format. */
static const char formats[] =
#define EXPORTER(name) "|" #name
#include "inspect/export/exporters.def"
#undef EXPORTER
    ;

/* "none|gzip|zstd": likewise. */
static const char compressions[] = "none"
#define COMPRESSION(name) "|" #name
#include "inspect/export/compressions.def"
#undef COMPRESSION
    ;

typedef struct {
    WsSimulationOptions simulation;
    char *format, *output, *compress, *events, *sms, *warps, *blocks;
    gint64 from, to; /* -1: not given */
    WsTraceFilter filter;
} Options;

static void options_clear(Options *options)
{
    ws_simulation_options_clear(&options->simulation);
    ws_trace_filter_clear(&options->filter);
    g_free(options->format);
    g_free(options->output);
    g_free(options->compress);
    g_free(options->events);
    g_free(options->sms);
    g_free(options->warps);
    g_free(options->blocks);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static gboolean parse(const WsCommand *command, char **arguments, Options *options)
{
    const GOptionEntry entries[] = {
        {"format", 'f', 0, G_OPTION_ARG_FILENAME, &options->format, "default: text", formats + 1},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options->output,
         "write to a file instead of stdout", "FILE"},
        {"compress", 0, 0, G_OPTION_ARG_FILENAME, &options->compress,
         "default: as the suffix of the file's name says, .gz or .zst", compressions},
        {"events", 0, 0, G_OPTION_ARG_FILENAME, &options->events,
         "only events of these kinds, such as issue,stall; all = every kind", "LIST"},
        {"sm", 0, 0, G_OPTION_ARG_FILENAME, &options->sms, "only of these SMs, such as 0-3,7",
         "LIST"},
        {"warp", 0, 0, G_OPTION_ARG_FILENAME, &options->warps,
         "only of warps in these slots of their SM", "LIST"},
        {"block", 0, 0, G_OPTION_ARG_FILENAME, &options->blocks,
         "only of these blocks, by linear index in the grid", "LIST"},
        {"from", 0, 0, G_OPTION_ARG_INT64, &options->from, "only events from this cycle on",
         "CYCLE"},
        {"to", 0, 0, G_OPTION_ARG_INT64, &options->to,
         "only events up to this cycle; the run ends there", "CYCLE"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };

    options->from = options->to = -1;
    gboolean ok =
        ws_simulation_options_parse(&options->simulation, command, entries, arguments, 1, 1);

    options->simulation.variables = TRUE; /* whose scopes tell the calls of inlined functions */
    return ok;
}

static gboolean read_list(const char *option, const char *text, GArray **ret)
{
    g_autofree char *shown = text == NULL ? NULL : ws_printable(text);

    if (text == NULL)
        return TRUE;
    *ret = ws_number_list_parse(text);
    if (*ret == NULL)
        ws_usage_error("%s: '%s' is no list of numbers such as 0-3,7", option, shown);
    return *ret != NULL;
}

static gboolean read_filter(Options *options)
{
    WsTraceFilter *filter = &options->filter;
    GError *error = NULL;

    ws_trace_filter_init(filter);
    if (!ws_trace_kinds_parse("--events", options->events, &filter->kinds, &error)) {
        ws_report_error(error);
        return FALSE;
    }
    if (options->from < -1 || options->to < -1 ||
        (options->to >= 0 && options->to < options->from)) {
        ws_usage_error("--from, --to: cycles are expected, the first not after the last");
        return FALSE;
    }
    if (options->from >= 0)
        filter->from = (guint64)options->from;
    if (options->to >= 0)
        filter->to = (guint64)options->to;
    return read_list("--sm", options->sms, &filter->sms) &&
           read_list("--warp", options->warps, &filter->warps) &&
           read_list("--block", options->blocks, &filter->blocks);
}

static const WsExporter *find_format(const char *name)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    int chosen;

    for (guint i = 0; ws_exporters[i] != NULL; i++)
        g_ptr_array_add(names, (gpointer)ws_exporter_name(ws_exporters[i]));
    g_ptr_array_add(names, NULL);
    chosen = name == NULL ? 0 : ws_find_choice("--format", name, (const char *const *)names->pdata);
    return chosen < 0 ? NULL : ws_exporters[chosen];
}

/* FALSE: there is no such kind. NULL in `ret`: not compressed. */
static gboolean find_compression(const Options *options, const WsCompression **ret)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();

    *ret = options->output != NULL ? ws_compression_of_file(options->output) : NULL;
    if (options->compress == NULL)
        return TRUE;
    g_ptr_array_add(names, "none");
    for (guint i = 0; ws_compressions[i] != NULL; i++)
        g_ptr_array_add(names, (gpointer)ws_compressions[i]->name);
    g_ptr_array_add(names, NULL);
    int chosen = ws_find_choice("--compress", options->compress, (const char *const *)names->pdata);
    *ret = chosen > 0 ? ws_compressions[chosen - 1] : NULL;
    return chosen >= 0;
}

static int run(const WsCommand *command, char **arguments)
{
    g_auto(Options) options = {0};
    GError *error = NULL;

    if (!parse(command, arguments, &options) || !read_filter(&options))
        return WS_ERROR_USAGE;
    const WsExporter *exporter = find_format(options.format);
    const WsCompression *compression;
    if (exporter == NULL || !find_compression(&options, &compression))
        return WS_ERROR_USAGE;
    WsOutput output = {"--output", options.output != NULL ? options.output : "-"};
    if (!ws_outputs_check(&output, 1, &error))
        return ws_report_error(error);
    g_autoptr(WsJob) job = ws_simulation_options_load(&options.simulation, arguments[1], &error);
    if (job == NULL)
        return ws_report_error(error);
    g_autoptr(WsExportFiles) files = ws_export_files_new();
    if (!ws_export_files_open(files, exporter, output.path, compression, &options.filter, &error))
        return ws_report_error(error);
    g_autoptr(WsResult) result =
        ws_simulation_options_run(&options.simulation, job, ws_export_files_observers(files),
                                  options.to >= 0 ? options.filter.to + 1 : 0, &error);
    if (result == NULL || !ws_export_files_finish(files, &error))
        return ws_report_error(error);
    return ws_simulation_options_exit_code(&options.simulation,
                                           ws_status_exit_code(result->status));
}

const WsCommand ws_command_trace = {
    .name = "trace",
    .group = WS_GROUP_RUN,
    .summary = "write the events of a run",
    .usage = "TARGET",
    .details = WS_RUN_IS
    ".\n"
    "\n"
    "Text has one line per event; other formats are for other programs. 'warpstep help trace'\n"
    "lists the events and says what each format shows.\n"
    "\n"
    "Examples:\n"
    "  warpstep trace if_else --to 60\n"
    "  warpstep trace vecadd --sms 1 --warp 0 --events issue,stall\n"
    "  warpstep trace vecadd --sms 1 --format perfetto -o vecadd.pftrace\n"
    "  warpstep trace vecadd --sms 1 --format chrome -o vecadd.json.gz\n",
    .run = run,
};
