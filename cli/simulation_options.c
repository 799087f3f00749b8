#include "cli/simulation_options.h"

#include "cli/built_program.h"
#include "cli/captured_launch.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/program_launch.h"
#include "cli/spelt_options.h"
#include "cli/terminal.h"
#include "isa/base/escape.h"
#include "sim/gpu/functional_run.h"
#include "sim/launch/code_regions.h"
#include "sim/launch/host_memory.h"
#include "sim/report/line_profile.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

void ws_simulation_options_clear(WsSimulationOptions *options)
{
    g_strfreev(options->settings);
    g_strfreev(options->launch_values);
    g_free(options->program);
    g_strfreev(options->lines);
    g_strfreev(options->defines);
    g_strfreev(options->includes);
    g_free(options->kernel);
    g_free(options->device);
    ws_machine_options_clear(&options->machine);
    g_free(options->max_memory);
    ws_load_options_clear(&options->load);
    g_free(options->replay_text);
    g_clear_pointer(&options->all_settings, g_ptr_array_unref);
}

/* ---- parsing ------------------------------------------------------------------------------------
 */

static gboolean check_numbers(WsSimulationOptions *options)
{
    if (!ws_check_run_numbers(&options->machine, options->max_cycles, options->threads) ||
        !ws_check_number_option("--maxreg", options->max_registers, 255))
        return FALSE;
    if (options->max_memory != NULL &&
        !ws_host_memory_parse(options->max_memory, &options->memory)) {
        ws_usage_error("--max-memory: a number of bytes is expected, such as 8G or 500M");
        return FALSE;
    }
    return ws_check_max_seconds(options->max_seconds);
}

static void join_settings(WsSimulationOptions *options)
{
    options->all_settings = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; options->settings != NULL && options->settings[i] != NULL; i++)
        g_ptr_array_add(options->all_settings, g_strdup(options->settings[i]));
    g_autofree char **more = ws_machine_options_settings(&options->machine);
    for (char **setting = more; *setting != NULL; setting++)
        g_ptr_array_add(options->all_settings, *setting);
    g_ptr_array_add(options->all_settings, NULL);
}

static gboolean parse(const WsSimulationOptions *ret, const WsCommand *command,
                      const GOptionEntry *entries, const GOptionEntry *machine,
                      const GOptionEntry *limits, char **arguments, guint minimum, guint maximum)
{
    g_autoptr(GArray) all = g_array_new(TRUE, FALSE, sizeof(GOptionEntry));
    const GOptionEntry *lists[] = {machine, entries, limits};

    for (guint i = 0; i < G_N_ELEMENTS(lists); i++)
        for (const GOptionEntry *entry = lists[i]; entry->long_name != NULL; entry++)
            g_array_append_vals(all, entry, 1);
    return ws_parse_compiler_options(command, (const GOptionEntry *)(void *)all->data, arguments,
                                     minimum, maximum);
}

/* What stands behind "--" after a .cu, or a program that was built before, is the program's own;
 * cuts it off. */
static char **cut_arguments(char **arguments)
{
    gboolean has_program = FALSE;
    for (guint i = 1; arguments[i] != NULL; i++) {
        if (has_program && strcmp(arguments[i], "--") == 0) {
            arguments[i] = NULL;
            return arguments + i + 1;
        }
        has_program = has_program || g_str_has_suffix(arguments[i], ".cu") ||
                      ws_is_built_program(arguments[i]);
    }
    return NULL;
}

static void begin_options(WsSimulationOptions *ret, char **arguments)
{
    *ret = (WsSimulationOptions){.max_cycles = WS_NOT_GIVEN,
                                 .machine = {.sms = WS_NOT_GIVEN},
                                 .threads = WS_NOT_GIVEN,
                                 .max_registers = WS_NOT_GIVEN,
                                 .arguments = cut_arguments(arguments)};
    ws_load_options_init(&ret->load);
}

gboolean ws_simulation_options_parse(WsSimulationOptions *ret, const WsCommand *command,
                                     const GOptionEntry *entries, char **arguments, guint minimum,
                                     guint maximum)
{
    const GOptionEntry machine[] = {
        {"device", 'd', 0, G_OPTION_ARG_FILENAME, &ret->device,
         "a built-in device (warpstep devices) or a YAML file", "DEVICE"},
        {"set", 's', 0, G_OPTION_ARG_FILENAME_ARRAY, &ret->settings,
         "change a setting of the device; may be repeated", "PATH=VALUE"},
        WS_POLICY_ENTRY(&ret->machine),
        WS_SMS_ENTRY(&ret->machine),
        WS_SHARE_ENTRY(&ret->machine),
        {"launch", 'l', 0, G_OPTION_ARG_FILENAME_ARRAY, &ret->launch_values,
         "change a launch: grid, block, dynamic_shared_bytes, carveout, cache, params.N, or a "
         "value of let",
         "KEY=VALUE"},
        {"program", 0, 0, G_OPTION_ARG_FILENAME, &ret->program,
         "run this program instead of the launch file's: .cu, .ptx, .wsasm, .wsbin or .sass "
         "(warpstep "
         "help sass)",
         "FILE"},
        {"kernel", 0, 0, G_OPTION_ARG_FILENAME, &ret->kernel,
         "for whole programs (warpstep help programs): which launch (default: the first)",
         "NAME[,NTH]"},
        {"define", 'D', 0, G_OPTION_ARG_FILENAME_ARRAY, &ret->defines,
         "define a macro of a .cu, instead of the launch file's; may be repeated", "NAME[=VALUE]"},
        {"include", 'I', 0, G_OPTION_ARG_FILENAME_ARRAY, &ret->includes,
         "additional include folder for a .cu; may be repeated", "FOLDER"},
        {"maxreg", 0, 0, G_OPTION_ARG_INT64, &ret->max_registers,
         "maximum registers of a thread, for a .cu or .ptx", "N"},
        {"debug", 0, 0, G_OPTION_ARG_NONE, &ret->debug,
         "compile a .cu or .ptx without optimisation, so that every variable keeps its value until "
         "its scope ends",
         NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    const GOptionEntry limits[] = {
        {"max-cycles", 0, 0, G_OPTION_ARG_INT64, &ret->max_cycles,
         "stop after this many cycles (default 1000000000)", "N"},
        {"max-seconds", 0, 0, G_OPTION_ARG_DOUBLE, &ret->max_seconds,
         "stop after this many seconds of processor time (default: no limit)", "N"},
        WS_COMPILE_LIMIT_ENTRY(&ret->load),
        {"max-memory", 0, 0, G_OPTION_ARG_FILENAME, &ret->max_memory,
         "limit on host memory (default 4G)", "BYTES"},
        {"threads", 0, 0, G_OPTION_ARG_INT64, &ret->threads,
         "host threads (default 1); the output does not depend on them", "N"},
        WS_CONFINE_ENTRIES(&ret->load),
        WS_NO_CACHE_ENTRY(&ret->load),
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };

    begin_options(ret, arguments);
    if (!parse(ret, command, entries, machine, limits, arguments, minimum, maximum) ||
        !check_numbers(ret) || !ws_load_options_finish(&ret->load))
        return FALSE;
    join_settings(ret);
    return TRUE;
}

void ws_simulation_options_inherit_limits(WsSimulationOptions *options,
                                          const WsSimulationOptions *from)
{
    ws_load_options_inherit(&options->load, &from->load);
    if (options->max_cycles == WS_NOT_GIVEN)
        options->max_cycles = from->max_cycles;
    if (options->max_seconds == 0)
        options->max_seconds = from->max_seconds;
    if (options->memory == 0)
        options->memory = from->memory;
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

/* ---- running ------------------------------------------------------------------------------------
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

static void print_warnings(const WsJob *job, const WsResult *result)
{
    for (char **warning = result->warnings; warning != NULL && *warning != NULL; warning++) {
        g_autofree char *message = g_strdup_printf("%s: warning: %s", job->path, *warning);
        ws_print_message(message);
    }
}

void ws_print_messages(const WsJob *job, const WsResult *result)
{
    print_stop(job, result);
    print_warnings(job, result);
}

void ws_simulation_options_fill(const WsSimulationOptions *options, WsRunOptions *ret)
{
    ws_run_options_init(ret);
    if (options->max_cycles > 0)
        ret->max_cycles = (guint64)options->max_cycles;
    ret->max_seconds = options->max_seconds;
    if (options->threads > 0)
        ret->threads = (guint32)options->threads;
}

/* From here to end_watch() `run` is shown on a terminal, and ended by Ctrl-C. */
static void begin_watch(WsRunOptions *run, Progress *progress)
{
    *progress = (Progress){.start = g_get_monotonic_time()};
    if (isatty(STDERR_FILENO)) {
        run->progress = show_progress;
        run->progress_data = progress;
    }
    run->interrupt = ws_interrupt_watch();
}

static void end_watch(const Progress *progress)
{
    ws_interrupt_unwatch();
    clear_progress(progress);
}

/* A job, on its own, with its recording that is to come, or of one that was opened. */
typedef struct {
    WsJob *job;
    WsRecording *recording; /* or NULL */
    WsReplay *replay;       /* or NULL */
} Work;

/* A run that somebody's patience ended is one with a limit on cycles for those who run it anew. */
static guint64 limit_of(const WsRunOptions *run, const WsResult *result)
{
    gboolean cut = result->status == WS_STATUS_LIMIT || result->status == WS_STATUS_INTERRUPTED;

    return cut ? MIN(run->max_cycles, MAX(result->stop.cycle, 1)) : run->max_cycles;
}

static WsResult *do_work(const WsSimulationOptions *options, const Work *work, WsRunOptions *run,
                         GError **error)
{
    WsResult *result;

    if (options->functional)
        return ws_functional_run(work->job, run, error);
    if (work->recording == NULL)
        return ws_simulation_run(work->job, run, error);
    if (work->replay != NULL)
        return ws_recording_replay(work->recording, run, work->replay, error);
    result =
        ws_recording_run(work->job, run, work->recording->every, work->recording->trail, error);
    if (result != NULL)
        work->recording->max_cycles = limit_of(run, result);
    return result;
}

static WsResult *run_job(const WsSimulationOptions *options, const Work *work,
                         const WsObserver *const *observers, guint64 enough, GError **error)
{
    Progress progress;
    WsRunOptions run;
    WsResult *result;

    ws_simulation_options_fill(options, &run);
    if (enough != 0)
        run.max_cycles = MIN(run.max_cycles, enough);
    run.observers = observers;
    run.sampling = options->sampling;
    begin_watch(&run, &progress);
    result = do_work(options, work, &run, error);
    end_watch(&progress);
    if (result == NULL)
        return NULL;
    if (enough != 0 && result->status == WS_STATUS_LIMIT && result->stop.cycle == enough)
        result->status = WS_STATUS_OK;
    else
        print_stop(work->job, result);
    print_warnings(work->job, result);
    return result;
}

WsResult *ws_simulation_options_run(const WsSimulationOptions *options, WsJob *job,
                                    const WsObserver *const *observers, guint64 enough,
                                    GError **error)
{
    return run_job(options, &(Work){.job = job}, observers, enough, error);
}

gboolean ws_simulation_options_run_again(const WsSimulationOptions *options, WsJob *job,
                                         const WsObserver *const *observers, const WsResult *result,
                                         GError **error)
{
    Progress progress;
    WsRunOptions run;
    g_autoptr(WsResult) again = NULL;

    ws_simulation_options_fill(options, &run);
    run.max_cycles = limit_of(&run, result);
    run.max_seconds = 0;
    run.observers = observers;
    begin_watch(&run, &progress);
    again = ws_simulation_run(job, &run, error);
    end_watch(&progress);
    if (again == NULL)
        return FALSE;
    if (again->status == WS_STATUS_INTERRUPTED && result->status != WS_STATUS_INTERRUPTED) {
        ws_set_error(error, WS_ERROR_LIMIT, "interrupted");
        return FALSE;
    }
    return TRUE;
}

WsResult *ws_simulation_options_record(const WsSimulationOptions *options, WsJob *job,
                                       const WsObserver *const *observers, WsRecording *recording,
                                       GError **error)
{
    return run_job(options, &(Work){.job = job, .recording = recording}, observers, 0, error);
}

WsResult *ws_simulation_options_replay(const WsSimulationOptions *options, WsRecording *recording,
                                       const WsObserver *const *observers, WsReplay *ret,
                                       GError **error)
{
    const Work work = {.job = recording->job, .recording = recording, .replay = ret};

    return run_job(options, &work, observers, 0, error);
}

/* ---- loading ------------------------------------------------------------------------------------
 */

/* A recording says how the run was; it is the same each time. */
static gboolean check_unchanged(const WsSimulationOptions *options, GError **error)
{
    const struct {
        const char *name;
        gboolean given;
    } changing[] = {
        {"--device", options->device != NULL},
        {"--set", options->settings != NULL},
        {"--policy", options->machine.policy != NULL},
        {"--sms", options->machine.sms != WS_NOT_GIVEN},
        {"--share", options->machine.share != NULL},
        {"--launch", options->launch_values != NULL},
        {"--program", options->program != NULL},
        {"--define", options->defines != NULL},
        {"--include", options->includes != NULL},
        {"--maxreg", options->max_registers != WS_NOT_GIVEN},
        {"--debug", options->debug},
    };

    for (guint i = 0; i < G_N_ELEMENTS(changing); i++) {
        if (!changing[i].given)
            continue;
        ws_set_error(error, WS_ERROR_USAGE,
                     "%s would change the run, and a recording is of one run", changing[i].name);
        return FALSE;
    }
    return TRUE;
}

static void take_limit(WsSimulationOptions *options, const WsRecording *recording)
{
    if (options->max_cycles == WS_NOT_GIVEN)
        options->max_cycles = (gint64)MIN(recording->max_cycles, G_MAXINT64);
}

/* To the job of a recording. */
static gboolean add_lines(const WsSimulationOptions *options, WsJob *job, GError **error)
{
    for (guint i = 0; options->lines != NULL && options->lines[i] != NULL; i++)
        if (!ws_job_add_region(job, "--lines", options->lines[i], error))
            return FALSE;
    return TRUE;
}

WsRecording *ws_simulation_options_open(WsSimulationOptions *options, const char *target,
                                        GError **error)
{
    WsRecording *recording;

    if (!check_unchanged(options, error))
        return NULL;
    recording = ws_recording_open(target, options->memory, error);
    if (recording == NULL)
        return NULL;
    if (!add_lines(options, recording->job, error)) {
        ws_recording_free(recording);
        return NULL;
    }
    take_limit(options, recording);
    return recording;
}

void ws_simulation_options_report_replay(WsSimulationOptions *options, const char *target,
                                         const WsReplay *replay, const char *text)
{
    g_autofree char *message = NULL;

    options->parted |= replay->parted;
    g_free(options->replay_text);
    options->replay_text = g_strdup(text);
    if (text == NULL)
        return;
    message = g_strdup_printf("%s: %s: %s", target, replay->parted ? "error" : "warning", text);
    ws_print_message(message);
}

int ws_simulation_options_exit_code(const WsSimulationOptions *options, int code)
{
    return code == 0 && options->parted ? WS_ERROR_CHECK : code;
}

static WsJob *load_recording(WsSimulationOptions *options, const char *target, GError **error)
{
    g_autoptr(WsRecording) recording = NULL;
    g_autofree char *text = NULL;
    Progress progress;
    WsRunOptions run;
    WsReplay replay;

    if (!check_unchanged(options, error))
        return NULL;
    ws_simulation_options_fill(options, &run);
    if (options->max_cycles == WS_NOT_GIVEN)
        run.max_cycles = 0;
    begin_watch(&run, &progress);
    recording = ws_recording_open_replayed(target, options->memory, &run, &replay, &text, error);
    end_watch(&progress);
    if (recording == NULL || !add_lines(options, recording->job, error))
        return NULL;
    take_limit(options, recording);
    ws_simulation_options_report_replay(options, target, &replay, text);
    return g_steal_pointer(&recording->job);
}

static WsJob *load_job(const WsSimulationOptions *options, const char *target, gboolean for_checks,
                       GError **error)
{
    WsJobOptions job_options = {
        .device = options->device,
        .settings = (const char *const *)options->all_settings->pdata,
        .launch_values = (const char *const *)options->launch_values,
        .program_file = options->program,
        .max_memory = options->memory,
        .bounds = ws_load_options_bounds(&options->load),
        .for_checks = for_checks,
        .variables = options->variables || for_checks,
        .debug = options->debug,
        .defines = (const char *const *)options->defines,
        .includes = (const char *const *)options->includes,
        .lines = (const char *const *)options->lines,
        .max_registers = options->max_registers > 0 ? (guint32)options->max_registers : 0,
    };
    WsCompileOptions compile;
    g_autoptr(GError) failure = NULL;
    WsJob *job = NULL;

    ws_compile_options_init(&compile);
    compile.bounds = job_options.bounds;
    compile.defines = job_options.defines;
    compile.includes = job_options.includes;
    compile.max_registers = job_options.max_registers;
    g_autoptr(WsTemporaryFolder) folder = NULL;
    g_autofree char *captured = ws_captured_launch(options, target, &folder, &failure);
    if (captured != NULL) /* they are in its program */
        job_options.defines = job_options.includes = NULL;
    ws_load_options_begin_limit(&options->load);
    g_autofree char *launch = captured != NULL || failure != NULL
                                  ? g_steal_pointer(&captured)
                                  : ws_program_launch_file(target, &compile, &failure);
    if (failure != NULL)
        g_propagate_error(error, g_steal_pointer(&failure));
    else
        job = ws_job_load(launch != NULL ? launch : target, &job_options, error);
    ws_load_options_end_limit();
    if (job != NULL && folder != NULL) { /* its file goes now */
        g_free(job->path);
        job->path = g_strdup(target);
    }
    return job;
}

WsJob *ws_simulation_options_load(WsSimulationOptions *options, const char *target, GError **error)
{
    return ws_is_recording(target) ? load_recording(options, target, error)
                                   : load_job(options, target, FALSE, error);
}

WsJob *ws_simulation_options_load_for_checks(const WsSimulationOptions *options, const char *target,
                                             GError **error)
{
    return load_job(options, target, TRUE, error);
}
