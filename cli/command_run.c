/* `warpstep run`: simulate, report, dump. */
#include "cli/colour_report.h"
#include "cli/command.h"
#include "cli/dump.h"
#include "cli/export_files.h"
#include "cli/list_workloads.h"
#include "cli/report_text.h"
#include "cli/run_checks.h"
#include "cli/run_program.h"
#include "cli/sample_options.h"
#include "cli/simulation_options.h"
#include "cli/terminal.h"
#include "cli/whole_program.h"
#include "sim/launch/buffer_slice.h"
#include "sim/report/json.h"
#include "sim/report/occupancy_trace.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    WsSimulationOptions simulation;
    WsSampleOptions samples;
    char **dumps, **prints, **exports;
    char *format, *output, *occupancy_csv, *occupancy_sms, *record, *check, *capture, *sample;
    const char *target;
    gint64 record_every;
    guint checks; /* WS_CHECK_BIT()s */
    gboolean list;
} Options;

static void options_clear(Options *options)
{
    ws_simulation_options_clear(&options->simulation);
    ws_sample_options_clear(&options->samples);
    g_strfreev(options->dumps);
    g_strfreev(options->prints);
    g_strfreev(options->exports);
    g_free(options->format);
    g_free(options->output);
    g_free(options->occupancy_csv);
    g_free(options->occupancy_sms);
    g_free(options->record);
    g_free(options->check);
    g_free(options->capture);
    g_free(options->sample);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

/* What only a run with time has. */
static gboolean check_functional(const Options *options)
{
    const struct {
        const char *name;
        gboolean given;
    } timed[] = {
        {"--lines", options->simulation.lines != NULL},
        {"--export", options->exports != NULL},
        {"--occupancy-csv", options->occupancy_csv != NULL},
        {"--samples", options->samples.file != NULL},
        {"--record", options->record != NULL},
        {"--policy", options->simulation.machine.policy != NULL},
        {"--max-cycles", options->simulation.max_cycles != G_MININT64},
    };
    for (guint i = 0; i < G_N_ELEMENTS(timed); i++)
        if (timed[i].given) {
            ws_usage_error("--functional runs without timing, and %s needs timing", timed[i].name);
            return FALSE;
        }
    return TRUE;
}

/* Names of files, and options that go with others. */
static gboolean check_together(const Options *options)
{
    if (options->record != NULL && !ws_is_recording(options->record)) {
        ws_usage_error("--record: a name that ends in .wsrec is expected");
        return FALSE;
    }
    if (options->record_every < 0 || (options->record_every != 0 && options->record == NULL)) {
        ws_usage_error("--record-every: a number above 0 is expected, beside --record");
        return FALSE;
    }
    if (options->occupancy_sms != NULL && options->occupancy_csv == NULL) {
        ws_usage_error("--occupancy-sms goes with --occupancy-csv");
        return FALSE;
    }
    return TRUE;
}

static gboolean parse(const WsCommand *command, char **arguments, Options *options)
{
    const GOptionEntry entries[] = {
        {"format", 'f', 0, G_OPTION_ARG_FILENAME, &options->format, "default: text", "text|json"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options->output,
         "write the report to a file instead of stdout", "FILE"},
        {"lines", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->simulation.lines,
         "figures of these source lines (warpstep help results); may be repeated",
         "[NAME=][FILE:]A-B,..."},
        {"check", 0, 0, G_OPTION_ARG_FILENAME, &options->check,
         "check for races, uninitialised, bounds, barriers, or all (warpstep help checks)",
         "KIND,..."},
        {"dump", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->dumps,
         "write a buffer, raw, after the run; may be repeated", "NAME=FILE"},
        {"print", 'p', 0, G_OPTION_ARG_FILENAME_ARRAY, &options->prints,
         "show values of a buffer after the report; may be repeated", "BUFFER[FROM:TO]"},
        {"export", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->exports,
         "write a trace, in one of the formats of warpstep trace; may be repeated", "FORMAT=FILE"},
        {"occupancy-csv", 0, 0, G_OPTION_ARG_FILENAME, &options->occupancy_csv,
         "write the number of resident warps over time: sm,cycle,warps at every change", "FILE"},
        {"occupancy-sms", 0, 0, G_OPTION_ARG_FILENAME, &options->occupancy_sms,
         "with --occupancy-csv: only these SMs, such as 0-3,7", "LIST"},
        WS_SAMPLE_ENTRIES(&options->samples),
        {"record", 0, 0, G_OPTION_ARG_FILENAME, &options->record,
         "record the run in a file (warpstep help step)", "FILE.wsrec"},
        {"record-every", 0, 0, G_OPTION_ARG_INT64, &options->record_every,
         "with --record: a hash of the state every N cycles (default: chosen so that a run "
         "has 16 to 32)",
         "N"},
        {"capture", 0, 0, G_OPTION_ARG_FILENAME, &options->capture,
         "for whole programs: write its launches, or those of --kernel, as launch files", "FOLDER"},
        {"sample", 0, 0, G_OPTION_ARG_FILENAME, &options->sample,
         "for whole programs: of similar launches, simulate these with timing, the others without",
         "first|every:N|nth:N"},
        {"functional", 0, 0, G_OPTION_ARG_NONE, &options->simulation.functional,
         "run without timing: values, faults, checks and instruction counts, no cycles", NULL},
        {"list", 0, 0, G_OPTION_ARG_NONE, &options->list, "list the built-in workloads", NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    /* --list needs no target */
    if (!ws_simulation_options_parse(
            &options->simulation, command, entries, arguments,
            g_strv_contains((const char *const *)arguments, "--list") ? 0 : 1, 1))
        return FALSE;
    if (options->check != NULL &&
        !ws_run_checks_parse(options->check, &options->simulation, &options->checks))
        return FALSE;
    return check_together(options) && ws_sample_options_check(&options->samples) &&
           (!options->simulation.functional || check_functional(options));
}

/* All files that are to be written, before the work and not after it. */
static gboolean check_outputs(const Options *options, GError **error)
{
    const WsOutput named[] = {
        {options->output != NULL ? "--output" : "the report",
         options->output != NULL ? options->output : "-"},
        {"--occupancy-csv", options->occupancy_csv},
        {"--samples", options->samples.file},
        {"--record", options->record},
    };
    g_autoptr(GArray) outputs = g_array_new(FALSE, FALSE, sizeof(WsOutput));
    g_array_append_vals(outputs, named, G_N_ELEMENTS(named));
    return ws_dumps_add_outputs(options->dumps, outputs, error) &&
           ws_exports_add_outputs(options->exports, outputs, error) &&
           ws_outputs_check((const WsOutput *)(void *)outputs->data, outputs->len, error);
}

/* ---- after the run ----------------------------------------------------------------------------
 */

static char *report_text(const WsJob *job, const WsResult *result, int width)
{
    g_autofree char *report = ws_report_text(job, result, width);
    g_autoptr(GString) text = g_string_new(report);
    for (guint32 i = 0; i < job->shown_count; i++) {
        g_autofree char *values = ws_buffer_slice_text(job, &job->shown[i]);
        g_string_append_printf(text, "%s%s", i == 0 ? "\nBuffers\n" : "", values);
    }
    return g_string_free(g_steal_pointer(&text), FALSE);
}

static int report(const WsJob *job, const WsResult *result, const Options *options, gboolean json)
{
    int width = options->output == NULL ? ws_terminal_width(stdout) : WS_WIDTH_NO_TERMINAL;
    g_autofree char *text = json ? ws_report_json(job, result) : report_text(job, result, width);
    GError *error = NULL;
    if (options->output == NULL && !json)
        ws_put_report(text);
    else if (!ws_write_file(options->output != NULL ? options->output : "-", text, strlen(text),
                            &error))
        return ws_report_error(error);
    if (!ws_dumps_write(options->dumps, job, &error))
        return ws_report_error(error);
    return ws_status_exit_code(result->status);
}

static int write_trace(const WsOccupancyTrace *trace, const char *path)
{
    g_autofree char *text = ws_occupancy_trace_csv(trace);
    GError *error = NULL;
    return ws_write_file(path, text, strlen(text), &error) ? 0 : ws_report_error(error);
}

/* Runs the job, recorded if that is wanted. `opened`: the recording that it is of, or NULL. */
static WsResult *run_recorded(WsJob *job, const Options *options,
                              const WsObserver *const *observers, WsRecording *opened,
                              WsReplay *replay, GError **error)
{
    const WsSimulationOptions *simulation = &options->simulation;

    if (options->record == NULL)
        return opened != NULL
                   ? ws_simulation_options_replay(simulation, opened, observers, replay, error)
                   : ws_simulation_options_run(simulation, job, observers, 0, error);
    g_autoptr(GVariant) image = ws_recording_begin(job, error);
    if (image == NULL)
        return NULL;
    g_autoptr(WsRecording) recording = g_new0(WsRecording, 1);
    recording->version = g_strdup(WS_VERSION);
    recording->every = (guint64)options->record_every;
    recording->trail = g_array_new(FALSE, TRUE, sizeof(WsTrailPoint));
    g_autoptr(WsResult) result =
        ws_simulation_options_record(simulation, job, observers, recording, error);
    g_autoptr(GBytes) file = result != NULL ? ws_recording_bytes(recording, image, error) : NULL;
    if (file == NULL || !ws_write_file(options->record, g_bytes_get_data(file, NULL),
                                       g_bytes_get_size(file), error))
        return NULL;
    return g_steal_pointer(&result);
}

/* What the replay of `opened` showed, on stderr. */
static void report_replay(Options *options, const WsRecording *opened, const WsReplay *replay)
{
    g_autofree char *text = ws_replay_text(opened, replay);

    ws_simulation_options_report_replay(&options->simulation, options->target, replay, text);
}

static int simulate(WsJob *job, Options *options, WsRecording *opened, gboolean json)
{
    WsReplay replay;

    GError *error = NULL;
    if (!ws_dumps_check(options->dumps, job, &error) ||
        !ws_job_show(job, "--print", options->prints, &error))
        return ws_report_error(error);
    g_autoptr(WsExportFiles) exports = ws_export_files_new();
    g_autoptr(WsOccupancyTrace) trace = NULL;
    if (options->occupancy_csv != NULL) {
        trace = ws_occupancy_trace_new(options->occupancy_sms, (guint32)job->device->sms, &error);
        if (trace == NULL)
            return ws_report_error(error);
        ws_export_files_watch(exports, ws_occupancy_trace_observer(trace));
    }
    g_autoptr(WsCheck) check =
        options->checks != 0 ? ws_check_new(job, options->checks, &error) : NULL;
    if ((options->checks != 0 && check == NULL) ||
        !ws_export_files_open_all(exports, options->exports, &error))
        return ws_report_error(error);
    g_autoptr(WsSampleFile) samples = ws_sample_options_open(&options->samples, job);
    options->simulation.sampling = samples != NULL ? ws_sample_file_sampling(samples) : NULL;
    g_autoptr(WsResult) result =
        run_recorded(job, options, ws_export_files_observers(exports), opened, &replay, &error);
    if (result == NULL || !ws_export_files_finish(exports, &error) ||
        (samples != NULL && !ws_sample_options_write(&options->samples, samples, result, &error)))
        return ws_report_error(error);
    if (check != NULL)
        ws_run_checks(check, job, &options->simulation, options->target, result);
    int code = trace != NULL ? write_trace(trace, options->occupancy_csv) : 0;
    if (code == 0)
        code = report(job, result, options, json);
    if (opened != NULL)
        report_replay(options, opened, &replay);
    return ws_simulation_options_exit_code(&options->simulation, code);
}

/* All launches of a whole program. */
static int run_program(const Options *options, gboolean json)
{
    const struct {
        const char *name;
        gboolean given;
    } rows[] = {{"--check", options->check != NULL},
                {"--dump", options->dumps != NULL},
                {"--print", options->prints != NULL},
                {"--export", options->exports != NULL},
                {"--record", options->record != NULL},
                {"--occupancy-csv", options->occupancy_csv != NULL},
                {"--samples", options->samples.file != NULL}};
    WsRunProgram wanted = {.output = options->output,
                           .capture = options->capture,
                           .sample = options->sample,
                           .json = json};
    for (guint i = 0; i < G_N_ELEMENTS(rows) && wanted.one_only == NULL; i++)
        if (rows[i].given)
            wanted.one_only = rows[i].name;
    return ws_run_program(&options->simulation, options->target, &wanted);
}

static int run(const WsCommand *command, char **arguments)
{
    static const char *const formats[] = {"text", "json", NULL};
    g_auto(Options) options = {0};
    if (!parse(command, arguments, &options))
        return WS_ERROR_USAGE;
    if (options.list) {
        ws_list_workloads();
        return 0;
    }
    int format = options.format == NULL ? 0 : ws_find_choice("--format", options.format, formats);
    if (format < 0)
        return WS_ERROR_USAGE;
    options.target = arguments[1];
    if (ws_is_whole_program(options.target) &&
        (options.simulation.kernel == NULL || options.capture != NULL))
        return run_program(&options, format == 1);
    if (options.capture != NULL)
        return ws_usage_error(
            "--capture is for whole programs: a .cu with a main(), or a program of nvcc");
    if (options.sample != NULL)
        return ws_usage_error("--sample is for all launches of a whole program");
    if (options.simulation.functional && ws_is_recording(options.target)) {
        ws_usage_error("--functional: a recording has timing");
        return WS_ERROR_USAGE;
    }
    GError *error = NULL;
    if (!check_outputs(&options, &error))
        return ws_report_error(error);
    if (ws_is_recording(arguments[1]) && options.record == NULL) { /* replayed by the run itself */
        g_autoptr(WsRecording) recording =
            ws_simulation_options_open(&options.simulation, arguments[1], &error);
        return recording == NULL ? ws_report_error(error)
                                 : simulate(recording->job, &options, recording, format == 1);
    }
    g_autoptr(WsJob) job = ws_simulation_options_load(&options.simulation, arguments[1], &error);
    return job == NULL ? ws_report_error(error) : simulate(job, &options, NULL, format == 1);
}

const WsCommand ws_command_run = {
    .name = "run",
    .group = WS_GROUP_RUN,
    .summary = "simulate kernels and report where the cycles went",
    .usage = "TARGET [-- ARGUMENTS]",
    .details = WS_TARGET_IS
    ",\n"
    "a recording (run --record), or a whole CUDA program: a .cu with a main(). A whole\n"
    "program is compiled as by cc and run, and its launches are reported; --kernel selects\n"
    "one of them. The program's own arguments follow after -- (warpstep help programs). A\n"
    "program that nvcc has built runs too, if it is linked with -cudart shared and contains\n"
    "PTX.\n"
    "\n"
    "Examples:\n"
    "  warpstep run vecadd --sms 1\n"
    "  warpstep run vecadd --device a100 --policy lrr --set sub_cores=2\n"
    "  warpstep run vecadd --format json --output vecadd.json\n",
    .run = run,
};
