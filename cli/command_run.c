/* `warpstep run`: simulate, report, dump. */
#include "cli/colour_report.h"
#include "cli/command.h"
#include "cli/compile_cache.h"
#include "cli/compile_limit.h"
#include "cli/dump.h"
#include "cli/interrupt.h"
#include "cli/list_workloads.h"
#include "cli/report_text.h"
#include "cli/terminal.h"
#include "isa/base/escape.h"
#include "sim/gpu/simulation.h"
#include "sim/launch/buffer_slice.h"
#include "sim/launch/host_memory.h"
#include "sim/report/json.h"
#include "sim/report/line_profile.h"
#include "sim/report/occupancy_trace.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define POLICY_WORD(ENUM, name, setting) " " setting

static const gint64 NOT_GIVEN = G_MININT64;

typedef struct {
    char **settings, **launch_values, **dumps, **prints, **defines;
    char *device, *format, *policy, *output, *occupancy_csv, *occupancy_sms;
    gint64 max_cycles, sms, threads, max_registers;
    gint64 compile_seconds;
    double max_seconds;
    char *max_memory;
    guint64 memory; /* bytes; 0 = not given */
    gboolean list, confine, no_cache;
    GPtrArray *all_settings; /* of char*: --set and the shortcuts, NULL-terminated */
} Options;

static void options_clear(Options *options)
{
    g_strfreev(options->settings);
    g_strfreev(options->launch_values);
    g_strfreev(options->dumps);
    g_strfreev(options->prints);
    g_strfreev(options->defines);
    g_free(options->device);
    g_free(options->format);
    g_free(options->policy);
    g_free(options->output);
    g_free(options->max_memory);
    g_free(options->occupancy_csv);
    g_free(options->occupancy_sms);
    g_clear_pointer(&options->all_settings, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static gboolean parse(const char *usage, const char *details, char **arguments, Options *options)
{
    const GOptionEntry entries[] = {
        {"device", 'd', 0, G_OPTION_ARG_FILENAME, &options->device,
         "a built-in device (warpstep devices) or a YAML file", "DEVICE"},
        {"set", 's', 0, G_OPTION_ARG_FILENAME_ARRAY, &options->settings,
         "change a setting of the device; may be repeated", "PATH=VALUE"},
        {"policy", 0, 0, G_OPTION_ARG_FILENAME, &options->policy,
         "the same as --set policy=POLICY:" WS_POLICIES(POLICY_WORD), "POLICY"},
        {"sms", 0, 0, G_OPTION_ARG_INT64, &options->sms, "the same as --set sms=N", "N"},
        {"launch", 'l', 0, G_OPTION_ARG_FILENAME_ARRAY, &options->launch_values,
         "change a launch: grid, block, dynamic_shared_bytes, carveout, cache, params.N, or a "
         "value "
         "of let",
         "KEY=VALUE"},
        {"define", 'D', 0, G_OPTION_ARG_FILENAME_ARRAY, &options->defines,
         "define a macro of a .cu, instead of the launch file's; may be repeated", "NAME[=VALUE]"},
        {"maxreg", 0, 0, G_OPTION_ARG_INT64, &options->max_registers,
         "registers of a thread at most, for a .cu or .ptx", "N"},
        {"format", 'f', 0, G_OPTION_ARG_FILENAME, &options->format, "default: text", "text|json"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options->output,
         "write the report to a file instead of stdout", "FILE"},
        {"dump", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->dumps,
         "write a buffer, raw, after the run; may be repeated", "NAME=FILE"},
        {"print", 'p', 0, G_OPTION_ARG_FILENAME_ARRAY, &options->prints,
         "show values of a buffer after the report; may be repeated", "BUFFER[FROM:TO]"},
        {"occupancy-csv", 0, 0, G_OPTION_ARG_FILENAME, &options->occupancy_csv,
         "write resident warps over time: sm,cycle,warps at every change", "FILE"},
        {"occupancy-sms", 0, 0, G_OPTION_ARG_FILENAME, &options->occupancy_sms,
         "of these SMs only, such as 0-3,7", "LIST"},
        {"max-cycles", 0, 0, G_OPTION_ARG_INT64, &options->max_cycles,
         "stop after so many cycles (default 1000000000)", "N"},
        {"max-seconds", 0, 0, G_OPTION_ARG_DOUBLE, &options->max_seconds,
         "stop after so many seconds of simulation (default: no limit)", "N"},
        {"max-compile-seconds", 0, 0, G_OPTION_ARG_INT64, &options->compile_seconds,
         WS_COMPILE_LIMIT_HELP, "N"},
        {"max-memory", 0, 0, G_OPTION_ARG_FILENAME, &options->max_memory,
         "memory of this machine that the run may take (default 4G)", "BYTES"},
        {"threads", 0, 0, G_OPTION_ARG_INT64, &options->threads,
         "host threads (default 1); the output does not depend on them", "N"},
        {"confine", 0, 0, G_OPTION_ARG_NONE, &options->confine,
         "read nothing outside of the target's folder (docs/security.md)", NULL},
        WS_NO_CACHE_ENTRY(&options->no_cache),
        {"list", 0, 0, G_OPTION_ARG_NONE, &options->list, "list the built-in workloads", NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    /* --list needs no target */
    return ws_parse_options(usage, details, entries, arguments,
                            g_strv_contains((const char *const *)arguments, "--list") ? 0 : 1, 1);
}

static gboolean check_options(Options *options)
{
    const struct {
        const char *name;
        gint64 value, maximum;
    } numbers[] = {
        {"--max-cycles", options->max_cycles, G_MAXINT64},
        {"--sms", options->sms, 1024},
        {"--threads", options->threads, 1024},
        {"--maxreg", options->max_registers, 255},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++) {
        if (numbers[i].value == NOT_GIVEN ||
            (numbers[i].value >= 1 && numbers[i].value <= numbers[i].maximum))
            continue;
        ws_usage_error("%s: a number from 1 to %" G_GINT64_FORMAT " is expected", numbers[i].name,
                       numbers[i].maximum);
        return FALSE;
    }
    if (!ws_compile_limit_check(options->compile_seconds))
        return FALSE;
    if (options->max_memory != NULL &&
        !ws_host_memory_parse(options->max_memory, &options->memory)) {
        ws_usage_error("--max-memory: a number of bytes is expected, such as 8G or 500M");
        return FALSE;
    }
    if (options->max_seconds != 0 && !(options->max_seconds > 0)) {
        ws_usage_error("--max-seconds: a number above 0 is expected");
        return FALSE;
    }
    if (options->occupancy_sms != NULL && options->occupancy_csv == NULL) {
        ws_usage_error("--occupancy-sms goes with --occupancy-csv");
        return FALSE;
    }
    options->all_settings = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; options->settings != NULL && options->settings[i] != NULL; i++)
        g_ptr_array_add(options->all_settings, g_strdup(options->settings[i]));
    if (options->policy != NULL)
        g_ptr_array_add(options->all_settings, g_strconcat("policy=", options->policy, NULL));
    if (options->sms != NOT_GIVEN)
        g_ptr_array_add(options->all_settings,
                        g_strdup_printf("sms=%" G_GINT64_FORMAT, options->sms));
    g_ptr_array_add(options->all_settings, NULL);
    return TRUE;
}

/* All files that are to be written, before the work and not after it. */
static gboolean check_outputs(const Options *options, GError **error)
{
    const WsOutput named[] = {
        {options->output != NULL ? "--output" : "the report",
         options->output != NULL ? options->output : "-"},
        {"--occupancy-csv", options->occupancy_csv},
    };
    g_autoptr(GArray) outputs = g_array_new(FALSE, FALSE, sizeof(WsOutput));
    g_array_append_vals(outputs, named, G_N_ELEMENTS(named));
    return ws_dumps_add_outputs(options->dumps, outputs, error) &&
           ws_outputs_check((const WsOutput *)(void *)outputs->data, outputs->len, error);
}

/* ---- progress ---------------------------------------------------------------------------------
 */

typedef struct {
    gint64 start; /* microseconds */
    gboolean shown;
} Progress;

enum { SILENT_MICROSECONDS = 2000000 };

static void show_progress(void *data, guint64 cycles, double share)
{
    Progress *progress = data;
    if (g_get_monotonic_time() - progress->start < SILENT_MICROSECONDS)
        return;
    fprintf(stderr, "\r  %" G_GUINT64_FORMAT " cycles, %.0f %% of the blocks done ", cycles,
            100 * share);
    fflush(stderr);
    progress->shown = TRUE;
}

static void clear_progress(const Progress *progress)
{
    if (progress->shown)
        fprintf(stderr, "\r%60s\r", "");
}

/* ---- after the run ----------------------------------------------------------------------------
 */

/* What stopped the run, as "file:line:column: error: text", and who waits where. */
static void print_stop(const WsJob *job, const WsResult *result)
{
    const WsStop *stop = &result->stop;
    if (stop->message == NULL)
        return;
    WsPosition position = {.file = job->path};
    const WsProgram *program = job->program;
    if (stop->instruction >= 0 && stop->instruction < program->instruction_count) {
        guint32 file, line;
        ws_line_of_instruction(program, (guint32)stop->instruction, &file, &line);
        if (file != 0)
            position = (WsPosition){.file = program->files[file], .line = line};
    }
    g_autoptr(GError) error = NULL;
    ws_set_error_at(&error, WS_ERROR_FAULT, &position, "%s", stop->message);
    ws_print_message(error->message);
    if (stop->details != NULL) {
        g_autofree char *details = ws_escape_text(stop->details);
        fprintf(stderr, "%s%s", details, g_str_has_suffix(details, "\n") ? "" : "\n");
    }
}

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
    print_stop(job, result);
    for (char **warning = result->warnings; warning != NULL && *warning != NULL; warning++) {
        g_autofree char *message = g_strdup_printf("%s: warning: %s", job->path, *warning);
        ws_print_message(message);
    }
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

static int simulate(WsJob *job, const Options *options, gboolean json)
{
    GError *error = NULL;
    if (!ws_dumps_check(options->dumps, job, &error) ||
        !ws_job_show(job, "--print", options->prints, &error))
        return ws_report_error(error);
    Progress progress = {.start = g_get_monotonic_time()};
    WsRunOptions run;
    ws_run_options_init(&run);
    if (options->max_cycles > 0)
        run.max_cycles = (guint64)options->max_cycles;
    run.max_seconds = options->max_seconds;
    if (options->threads > 0)
        run.threads = (guint32)options->threads;
    if (isatty(STDERR_FILENO)) {
        run.progress = show_progress;
        run.progress_data = &progress;
    }
    g_autoptr(WsOccupancyTrace) trace = NULL;
    const WsObserver *observers[] = {NULL, NULL};
    if (options->occupancy_csv != NULL) {
        trace = ws_occupancy_trace_new(options->occupancy_sms, (guint32)job->device->sms, &error);
        if (trace == NULL)
            return ws_report_error(error);
        observers[0] = ws_occupancy_trace_observer(trace);
        run.observers = observers;
    }
    run.interrupt = ws_interrupt_watch();
    g_autoptr(WsResult) result = ws_simulation_run(job, &run, &error);
    ws_interrupt_unwatch();
    clear_progress(&progress);
    if (result == NULL)
        return ws_report_error(error);
    int code = trace != NULL ? write_trace(trace, options->occupancy_csv) : 0;
    return code != 0 ? code : report(job, result, options, json);
}

int ws_command_run(const char *usage, const char *details, char **arguments)
{
    static const char *const formats[] = {"text", "json", NULL};
    g_auto(Options) options = {.max_cycles = NOT_GIVEN,
                               .sms = NOT_GIVEN,
                               .threads = NOT_GIVEN,
                               .max_registers = NOT_GIVEN,
                               .compile_seconds = WS_DEFAULT_COMPILE_SECONDS};
    if (!parse(usage, details, arguments, &options) || !check_options(&options))
        return WS_ERROR_USAGE;
    if (options.list) {
        ws_list_workloads();
        return 0;
    }
    int format = options.format == NULL ? 0 : ws_find_choice("--format", options.format, formats);
    if (format < 0)
        return WS_ERROR_USAGE;
    g_autofree char *cache = ws_compile_cache_folder(options.no_cache);
    WsJobOptions job_options = {
        .device = options.device,
        .settings = (const char *const *)options.all_settings->pdata,
        .launch_values = (const char *const *)options.launch_values,
        .max_memory = options.memory,
        .confined = options.confine,
        .cache = cache,
        .defines = (const char *const *)options.defines,
        .max_registers = options.max_registers > 0 ? (guint32)options.max_registers : 0,
    };
    GError *error = NULL;
    if (!check_outputs(&options, &error))
        return ws_report_error(error);
    ws_compile_limit_begin(options.compile_seconds);
    g_autoptr(WsJob) job = ws_job_load(arguments[1], &job_options, &error);
    ws_compile_limit_end();
    if (job == NULL)
        return ws_report_error(error);
    return simulate(job, &options, format == 1);
}
