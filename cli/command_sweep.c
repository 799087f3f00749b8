/* `warpstep sweep`: one launch file, run for many values of its parameters. */
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/load_options.h"
#include "cli/machine_options.h"
#include "cli/preset_study.h"
#include "cli/results_options.h"
#include "cli/submit_slurm.h"
#include "cli/sweep_changes.h"
#include "cli/sweep_progress.h"
#include "cli/sweep_summary.h"
#include "cli/terminal.h"
#include "cli/whole_program.h"
#include "sim/launch/code_regions.h"
#include "sim/launch/host_memory.h"
#include "study/plan/design.h"
#include "study/plan/study_file.h"
#include "study/run/axes.h"
#include "study/run/slurm.h"
#include "study/run/sweep.h"

#include <malloc.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    char **parameters, **reference, **generators, **columns, **sbatch_options, **settings,
        **launch_values, **defines, **lines;
    char *device, *output, *max_memory, *shard, *points, *study, *fraction;
    gint64 max_cycles, max_registers, threads, slurm, chunk;
    double max_seconds;
    gboolean zip, one_at_a_time, fail_fast, replace, plan, collect;
    WsMachineOptions machine;
    WsLoadOptions load;
    guint64 memory;
} Options;

static void options_clear(Options *options)
{
    g_strfreev(options->parameters);
    g_strfreev(options->reference);
    g_strfreev(options->generators);
    g_strfreev(options->columns);
    g_strfreev(options->sbatch_options);
    g_strfreev(options->settings);
    g_strfreev(options->launch_values);
    g_strfreev(options->lines);
    g_strfreev(options->defines);
    g_free(options->device);
    ws_machine_options_clear(&options->machine);
    g_free(options->output);
    g_free(options->max_memory);
    g_free(options->shard);
    g_free(options->points);
    g_free(options->study);
    g_free(options->fraction);
    ws_load_options_clear(&options->load);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

/* Options: what varies, and where the results go. */
static void append_study(GArray *all, Options *options)
{
    const GOptionEntry entries[] = {
        {"parameter", 'P', 0, G_OPTION_ARG_FILENAME_ARRAY, &options->parameters,
         "values: 8,16,32 or 1..64:4 (steps of 4) or 1..64x2 (times 2); several: their cross "
         "product",
         "NAME=VALUES"},
        {"study", 0, 0, G_OPTION_ARG_FILENAME, &options->study,
         "a preset study: its parameter and values, and the answer in a sentence", "NAME"},
        {"zip", 'z', 0, G_OPTION_ARG_NONE, &options->zip,
         "pair the parameters' values instead: all first values, all second values ...", NULL},
        {"one-at-a-time", 0, 0, G_OPTION_ARG_NONE, &options->one_at_a_time,
         "change one parameter at a time: the first values of all are the base", NULL},
        {"fraction", 0, 0, G_OPTION_ARG_FILENAME, &options->fraction,
         "of parameters with two values only this part of all combinations, such as 1/2 or 1/4: a "
         "fractional factorial design",
         "PART"},
        {"generator", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->generators,
         "the same with a parameter whose value follows from others, as in policy=sms*ways; may be "
         "repeated",
         "NAME=A*B"},
        {"relative-to", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->reference,
         "also print speeds relative to the points with this value of a parameter, and their "
         "geometric mean; may be repeated",
         "NAME=VALUE"},
        WS_COLUMN_ENTRY(&options->columns),
        {"out", 'o', 0, G_OPTION_ARG_FILENAME, &options->output,
         "folder of the results; points already finished there are not run again", "FOLDER"},
    };
    g_array_append_vals(all, entries, G_N_ELEMENTS(entries));
}

/* Options: what holds for all points. */
static void append_machine(GArray *all, Options *options)
{
    const GOptionEntry entries[] = {
        {"device", 'd', 0, G_OPTION_ARG_FILENAME, &options->device,
         "for all points: a built-in device (warpstep devices) or a YAML file", "DEVICE"},
        {"set", 's', 0, G_OPTION_ARG_FILENAME_ARRAY, &options->settings,
         "for all points: change a setting of the device; may be repeated", "PATH=VALUE"},
        WS_POLICY_ENTRY(&options->machine),
        WS_SMS_ENTRY(&options->machine),
        WS_SHARE_ENTRY(&options->machine),
        {"launch", 'l', 0, G_OPTION_ARG_FILENAME_ARRAY, &options->launch_values,
         "for all points: change a launch, as in run; may be repeated", "KEY=VALUE"},
        {"define", 'D', 0, G_OPTION_ARG_FILENAME_ARRAY, &options->defines,
         "for all points: define a macro of a .cu; may be repeated", "NAME[=VALUE]"},
        {"lines", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->lines,
         "columns for these source lines, as in run", "[NAME=][FILE:]A-B,..."},
        {"maxreg", 0, 0, G_OPTION_ARG_INT64, &options->max_registers,
         "for all points: maximum registers of a thread", "N"},
    };
    g_array_append_vals(all, entries, G_N_ELEMENTS(entries));
}

/* Options: limits. */
static void append_limits(GArray *all, Options *options)
{
    const GOptionEntry entries[] = {
        {"max-cycles", 0, 0, G_OPTION_ARG_INT64, &options->max_cycles,
         "stop a point after this many cycles (default 1000000000)", "N"},
        {"max-seconds", 0, 0, G_OPTION_ARG_DOUBLE, &options->max_seconds,
         "stop a point after this many seconds of processor time (default: no limit)", "N"},
        {"max-memory", 0, 0, G_OPTION_ARG_FILENAME, &options->max_memory,
         "limit on host memory of a point (default 4G)", "BYTES"},
        {"threads", 0, 0, G_OPTION_ARG_INT64, &options->threads,
         "parallel points (default: one per processor); the results do not depend on it", "N"},
        {"fail-fast", 0, 0, G_OPTION_ARG_NONE, &options->fail_fast,
         "stop at the first point that fails", NULL},
        {"replace", 0, 0, G_OPTION_ARG_NONE, &options->replace,
         "replace another study in the folder", NULL},
    };
    g_array_append_vals(all, entries, G_N_ELEMENTS(entries));
}

/* Options: parts of a sweep, and other machines. */
static void append_parts(GArray *all, Options *options)
{
    const GOptionEntry entries[] = {
        {"plan", 0, 0, G_OPTION_ARG_NONE, &options->plan,
         "only print a command for each remaining point", NULL},
        {"chunk", 0, 0, G_OPTION_ARG_INT64, &options->chunk,
         "points per command of --plan (default 1); use many for short points", "N"},
        {"points", 0, 0, G_OPTION_ARG_FILENAME, &options->points,
         "only these points, counted from 0", "A-B"},
        {"shard", 0, 0, G_OPTION_ARG_FILENAME, &options->shard,
         "run only every N-th point, from point I on (0 to N - 1)", "I/N"},
        {"collect", 0, 0, G_OPTION_ARG_NONE, &options->collect,
         "run nothing, only write the table of the points that are finished", NULL},
        {"slurm", 0, 0, G_OPTION_ARG_INT64, &options->slurm,
         "submit an array job with this many tasks to Slurm instead of running", "N"},
        {"sbatch-option", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->sbatch_options,
         "for --slurm, such as --sbatch-option=--time=1:00:00; may be repeated", "OPTION"},
        WS_COMPILE_LIMIT_ENTRY(&options->load),
        WS_CONFINE_ENTRIES(&options->load),
        WS_NO_CACHE_ENTRY(&options->load),
    };
    g_array_append_vals(all, entries, G_N_ELEMENTS(entries));
}

static gboolean parse(const WsCommand *command, char **arguments, Options *options)
{
    g_autoptr(GArray) all = g_array_new(TRUE, FALSE, sizeof(GOptionEntry));
    append_study(all, options);
    append_machine(all, options);
    append_limits(all, options);
    append_parts(all, options);
    return ws_parse_options(command, (const GOptionEntry *)(void *)all->data, arguments, 0, 1);
}

/* ---- the command line --------------------------------------------------------------------- */

static gboolean check_numbers(const Options *options)
{
    return ws_check_run_numbers(&options->machine, options->max_cycles, options->threads) &&
           ws_check_number_option("--maxreg", options->max_registers, 255) &&
           ws_check_number_option("--slurm", options->slurm, WS_MAX_SLURM_TASKS) &&
           ws_check_number_option("--chunk", options->chunk, WS_MAX_STUDY_POINTS) &&
           ws_check_max_seconds(options->max_seconds);
}

static gboolean read_pair(const char *option, const char *text, char between, guint *ret_first,
                          guint *ret_second)
{
    char *end;
    guint64 first = g_ascii_strtoull(text, &end, 10), second;
    if (!g_ascii_isdigit(*text) || *end != between || !g_ascii_isdigit(end[1]))
        return FALSE;
    second = g_ascii_strtoull(end + 1, &end, 10);
    if (*end != '\0' || first > WS_MAX_STUDY_POINTS || second > WS_MAX_STUDY_POINTS)
        return FALSE;
    *ret_first = (guint)first;
    *ret_second = (guint)second;
    return TRUE;
}

/* Which points this process is to run. */
static gboolean read_part(const Options *options, guint points, WsSweepOptions *sweep)
{
    if (options->points != NULL) {
        if (!read_pair("--points", options->points, '-', &sweep->first, &sweep->last) ||
            sweep->first > sweep->last || sweep->last >= points) {
            g_autofree char *shown = ws_printable(options->points);
            ws_usage_error("--points %s: A-B is expected, with numbers from 0 to %u", shown,
                           points - 1);
            return FALSE;
        }
        sweep->last++;
    }
    if (options->shard != NULL &&
        (!read_pair("--shard", options->shard, '/', &sweep->shard, &sweep->shards) ||
         sweep->shard >= sweep->shards)) {
        g_autofree char *shown = ws_printable(options->shard);
        ws_usage_error("--shard %s: I/N is expected, with I from 0 to N - 1", shown);
        return FALSE;
    }
    return TRUE;
}

static void append_text(char ***list, const char *text)
{
    guint count = *list == NULL ? 0 : g_strv_length(*list);
    *list = g_renew(char *, *list, count + 2);
    (*list)[count] = g_strdup(text);
    (*list)[count + 1] = NULL;
}

static void append_texts(char ***list, char *const *texts)
{
    for (; texts != NULL && *texts != NULL; texts++)
        append_text(list, *texts);
}

/* What the command line says, on top of what a study file does. */
static gboolean take_options(WsStudy *study, const Options *options, GError **error)
{
    if (options->device != NULL) {
        g_free(study->device);
        study->device = g_strdup(options->device);
    }
    append_texts(&study->settings, options->settings);
    append_texts(&study->launch_values, options->launch_values);
    append_texts(&study->defines, options->defines);
    append_texts(&study->lines, options->lines);
    append_texts(&study->reference, options->reference);
    append_texts(&study->generators, options->generators);
    append_texts(&study->columns, options->columns);
    g_auto(GStrv) more = ws_machine_options_settings(&options->machine);
    append_texts(&study->settings, more);
    if (options->max_registers != WS_NOT_GIVEN)
        study->max_registers = (guint32)options->max_registers;
    if (options->max_cycles != WS_NOT_GIVEN)
        study->max_cycles = (guint64)options->max_cycles;
    return TRUE;
}

static gboolean take_parameters(WsStudy *study, const Options *options, GError **error)
{
    if (options->zip || options->one_at_a_time)
        study->design = options->zip ? WS_DESIGN_ZIP : WS_DESIGN_ONE_AT_A_TIME;
    for (char **text = options->parameters; text != NULL && *text != NULL; text++)
        if (!ws_study_add_text(study, *text, error))
            return FALSE;
    if (options->fraction != NULL && !ws_design_add_fraction(study, options->fraction, error))
        return FALSE;
    if (study->parameters->len > 0)
        return ws_study_check(study, error);
    ws_set_error(error, WS_ERROR_USAGE,
                 "no parameter varies: give one, as in -P warps=8,16,32 or -P policy=lrr,gto");
    return FALSE;
}

static gboolean describes_study(const Options *options)
{
    return options->parameters != NULL || options->reference != NULL || options->settings != NULL ||
           options->launch_values != NULL || options->defines != NULL || options->device != NULL ||
           options->lines != NULL || options->machine.policy != NULL ||
           options->machine.share != NULL || options->machine.sms != WS_NOT_GIVEN || options->zip ||
           options->one_at_a_time || options->fraction != NULL || options->generators != NULL ||
           options->columns != NULL || options->max_registers != WS_NOT_GIVEN ||
           options->max_cycles != WS_NOT_GIVEN;
}

/* A folder that has a study goes on with it. */
static gboolean is_results(const char *target)
{
    if (target == NULL)
        return FALSE;
    g_autofree char *file = g_build_filename(target, "study.json", NULL);
    return g_file_test(file, G_FILE_TEST_IS_REGULAR);
}

/* `target` may be NULL: a parameter says it. */
static WsStudy *make_study(const char *target, const Options *options, GError **error)
{
    g_autofree char *named = target != NULL ? ws_study_target(target) : NULL;
    g_autoptr(WsStudy) study = target != NULL && ws_study_file_is_study(target)
                                   ? ws_study_file_read(target, error)
                                   : ws_study_new(named);
    if (study != NULL && study->folder == NULL)
        study->folder = g_get_current_dir();
    return study != NULL && take_options(study, options, error) &&
                   take_parameters(study, options, error)
               ? g_steal_pointer(&study)
               : NULL;
}

/* The launch at a point; without parameters, the launch as it stands is that of point 0. */
static WsJob *load_point(const WsStudy *study, guint number, const WsSweepOptions *sweep,
                         WsProgramStore *programs, GError **error)
{
    g_auto(WsStudyPoint) point = {0};
    ws_study_point_init(&point, study, number);
    return ws_sweep_load(study, &point, sweep, programs, error);
}

static gboolean add_regions(WsStudy *study, guint point, const WsSweepOptions *sweep,
                            WsProgramStore *programs, GError **error)
{
    g_autoptr(GError) failure = NULL;
    g_autoptr(WsJob) job = load_point(study, point, sweep, programs, &failure);
    if (job == NULL && failure->code == WS_ERROR_USAGE && study->lines != NULL) {
        g_propagate_error(error, g_steal_pointer(&failure));
        return FALSE;
    }
    for (guint32 i = 0; job != NULL && i < job->region_count; i++)
        if (study->regions == NULL ||
            !g_strv_contains((const char *const *)study->regions, job->regions[i].name))
            append_text(&study->regions, job->regions[i].name);
    return TRUE;
}

/*
 * Each region of the programs has columns: those of the first point, and of each target. What else
 * is wrong with a launch its row tells.
 */
static gboolean find_regions(WsStudy *study, const WsSweepOptions *sweep, WsProgramStore *programs,
                             GError **error)
{
    gint axis = ws_study_target_axis(study);
    if (axis < 0)
        return add_regions(study, 0, sweep, programs, error);
    for (guint v = 0; v < ws_study_parameter(study, axis)->count; v++)
        if (!add_regions(study, ws_study_first_point(study, (guint)axis, v), sweep, programs,
                         error))
            return FALSE;
    return TRUE;
}

/* A preset study; `ret_job` is the launch as it stands. */
static WsStudy *make_ready(const WsPresetStudy *ready, const char *target, const Options *options,
                           const WsSweepOptions *sweep, WsProgramStore *programs, WsJob **ret_job,
                           GError **error)
{
    g_autofree char *named = ws_study_target(target);
    g_autoptr(WsStudy) study = ws_study_new(named);
    study->folder = g_get_current_dir();
    if (!take_options(study, options, error))
        return NULL;
    *ret_job = load_point(study, 0, sweep, programs, error);
    if (*ret_job == NULL || !ready->prepare(study, *ret_job, error))
        return NULL;
    if (study->design == WS_DESIGN_ZIP && options->parameters != NULL) {
        ws_set_error(error, WS_ERROR_USAGE, "the study '%s' takes no additional parameters",
                     ready->name);
        return NULL;
    }
    return take_parameters(study, options, error) ? g_steal_pointer(&study) : NULL;
}

/* ---- what it does -----------------------------------------------------------------------------
 */

static gboolean is_left(const WsStudyFolder *folder, const WsSweepOptions *sweep, guint point)
{
    return !ws_study_folder_has(folder, point) &&
           (sweep->shards < 2 || point % sweep->shards == sweep->shard);
}

/*
 * "/usr/bin/warpstep sweep FOLDER --points 7-7" for each point without a row, or for so many in a
 * row. The path of this program: whoever runs the lines may have another PATH.
 */
static int print_plan(const WsStudy *study, const WsStudyFolder *folder, const char *path,
                      const WsSweepOptions *sweep, guint chunk)
{
    GError *error = NULL;
    g_autofree char *program = g_file_read_link("/proc/self/exe", &error);
    if (program == NULL)
        return ws_report_error(error);
    g_autofree char *quoted_program = ws_study_shell_word(program);
    g_autofree char *absolute = g_canonicalize_filename(path, NULL);
    g_autofree char *quoted = g_shell_quote(absolute);
    guint last = sweep->last == 0 ? ws_study_points(study) : sweep->last;
    for (guint first = sweep->first; first < last; first++) {
        guint end = first;
        while (end < last && end - first < chunk && is_left(folder, sweep, end))
            end++;
        if (end == first)
            continue;
        printf("%s sweep %s --points %u-%u\n", quoted_program, quoted, first, end - 1);
        first = end - 1;
    }
    return 0;
}

/*
 * What a point gives back to the allocator is what the next one asks for. Left to itself glibc
 * maps and unmaps it each time, and the kernel clears its pages: half of the time of short points.
 */
static void keep_freed_memory(void)
{
    enum { KEPT_BYTES = 64 << 20, LARGEST_KEPT = 32 << 20 };
    mallopt(M_MMAP_THRESHOLD, LARGEST_KEPT);
    mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
}

/* `ready` and `job` may be NULL. */
static int run_points(const WsStudy *study, WsStudyFolder *folder, WsProgramStore *programs,
                      WsSweepOptions *sweep, const char *path, const WsPresetStudy *ready,
                      const WsJob *job)
{
    GError *error = NULL;
    WsSweepCount count;
    g_autoptr(WsSweepProgress) progress = ws_sweep_progress_new(study);
    sweep->progress = ws_sweep_progress_show;
    sweep->failure = ws_sweep_progress_failure;
    sweep->data = progress;
    sweep->interrupt = ws_interrupt_watch();
    keep_freed_memory();
    gboolean done = ws_sweep_run(study, folder, programs, sweep, &count, &error);
    gboolean interrupted = g_atomic_int_get(sweep->interrupt) != 0;
    ws_interrupt_unwatch();
    ws_sweep_progress_end(progress);
    if (!done || (ready != NULL && !interrupted &&
                  !ws_preset_study_report(ready, study, job, folder, path, &error)))
        return ws_report_error(error);
    return ws_sweep_summarise(study, folder, path, &count, interrupted);
}

static gboolean same_targets(const WsStudyDigest *one, const WsStudyDigest *other)
{
    return one->targets != NULL && other->targets != NULL &&
           g_strv_equal((const char *const *)one->targets, (const char *const *)other->targets);
}

/* The study, and the digest (to be cleared) of all that it reads as that is now. */
static WsStudy *begin(const char *target, const WsPresetStudy *ready, const Options *options,
                      const WsSweepOptions *sweep, WsProgramStore *programs,
                      WsStudyDigest *ret_digest, WsJob **ret_job, GError **error)
{
    g_auto(WsStudyDigest) before = {0};
    gboolean goes_on = ready == NULL && is_results(target);
    g_autoptr(WsStudy) study =
        goes_on         ? ws_study_folder_study(target, &before, error)
        : ready != NULL ? make_ready(ready, target, options, sweep, programs, ret_job, error)
                        : make_study(target, options, error);
    if (study == NULL)
        return NULL;
    if (goes_on && options->collect) {
        *ret_digest = before;
        before = (WsStudyDigest){0};
        return g_steal_pointer(&study);
    }
    if ((!goes_on && !ws_sweep_check_axes(study, sweep, programs, error)) ||
        !ws_sweep_digest(study, sweep, programs, ret_digest, error))
        return NULL;
    /* Other files may have other regions: then the table has other columns. */
    if (goes_on && same_targets(&before, ret_digest))
        return g_steal_pointer(&study);
    g_clear_pointer(&study->regions, g_strfreev);
    return find_regions(study, sweep, programs, error) ? g_steal_pointer(&study) : NULL;
}

static int sweep_target(const char *target, const WsPresetStudy *ready, const Options *options)
{
    const char *path = ready == NULL && is_results(target) ? target : options->output;
    WsSweepOptions sweep = {
        .threads = options->threads > 0 ? (guint)options->threads : 0,
        .fail_fast = options->fail_fast,
        .bounds = ws_load_options_bounds(&options->load),
        .max_memory = options->memory,
        .max_seconds = options->max_seconds,
    };
    g_auto(WsStudyDigest) digest = {0};
    GError *error = NULL;
    g_autoptr(WsProgramStore) programs = ws_program_store_new();
    g_autoptr(WsJob) job = NULL;
    if (target != NULL && !ws_refuse_whole_program(target, &error))
        return ws_report_error(error);
    ws_load_options_begin_limit(&options->load); /* each point then has clang's limit */
    g_autoptr(WsStudy) study =
        begin(target, ready, options, &sweep, programs, &digest, &job, &error);
    ws_load_options_end_limit();
    if (study == NULL)
        return ws_report_error(error);
    if (!read_part(options, ws_study_points(study), &sweep))
        return WS_ERROR_USAGE;
    g_autoptr(WsStudyFolder) folder =
        ws_study_folder_open(path, study, &digest, options->replace, &error);
    if (folder == NULL)
        return ws_report_error(error);
    ws_sweep_tell_changed_targets(study, folder, path);
    if (options->slurm != WS_NOT_GIVEN)
        return ws_submit_slurm(path, (guint)options->slurm, options->sbatch_options);
    if (options->plan)
        return print_plan(study, folder, path, &sweep,
                          options->chunk > 0 ? (guint)options->chunk : 1);
    if (!options->collect)
        return run_points(study, folder, programs, &sweep, path, ready, job);
    return ws_study_folder_write_table(folder, &error)
               ? ws_sweep_summarise(study, folder, path, NULL, FALSE)
               : ws_report_error(error);
}

static int run(const WsCommand *command, char **arguments)
{
    g_auto(Options) options = {.machine = {.sms = WS_NOT_GIVEN},
                               .max_cycles = WS_NOT_GIVEN,
                               .max_registers = WS_NOT_GIVEN,
                               .threads = WS_NOT_GIVEN,
                               .slurm = WS_NOT_GIVEN,
                               .chunk = WS_NOT_GIVEN};
    ws_load_options_init(&options.load);
    if (!parse(command, arguments, &options) || !check_numbers(&options) ||
        !ws_load_options_finish(&options.load))
        return WS_ERROR_USAGE;
    if (options.max_memory != NULL && !ws_host_memory_parse(options.max_memory, &options.memory))
        return ws_usage_error("--max-memory: a number of bytes is expected, such as 8G or 500M");
    if (options.zip && options.one_at_a_time)
        return ws_usage_error("--zip and --one-at-a-time exclude each other");
    if (options.plan + options.collect + (options.slurm != WS_NOT_GIVEN) > 1)
        return ws_usage_error("--plan, --slurm and --collect exclude each other");
    const WsPresetStudy *ready =
        options.study == NULL ? NULL : ws_preset_study_choose(options.study);
    if (options.study != NULL && ready == NULL)
        return WS_ERROR_USAGE;
    const char *target = arguments[1] != NULL ? arguments[1] : ready != NULL ? ready->target : NULL;
    if (target == NULL && (ready != NULL || options.parameters == NULL))
        return ws_usage_error("an argument is missing; usage: warpstep sweep %s", command->usage);
    gboolean goes_on = ready == NULL && is_results(target);
    g_autofree char *shown = ws_printable(target != NULL ? target : "");
    if (goes_on && (describes_study(&options) || options.output != NULL))
        return ws_usage_error(
            "%s holds a study, which is resumed as it is: no parameters, settings or --out", shown);
    if ((ready == NULL || options.plan || options.collect || options.slurm != WS_NOT_GIVEN) &&
        !goes_on && options.output == NULL)
        return ws_usage_error("--out FOLDER is needed, for the results");
    return sweep_target(target, ready, &options);
}

const WsCommand ws_command_sweep = {
    .name = "sweep",
    .group = WS_GROUP_STUDY,
    .summary = "run a launch file for many values of its parameters",
    .usage = "[TARGET]",
    .details = WS_TARGET_IS
    ",\n"
    "a study file, a built-in study such as literature/volkov, or a folder of results, whose\n"
    "study is resumed. Several launch files are a parameter: `-P target=A.yaml,B.yaml`,\n"
    "without TARGET.\n"
    "\n"
    "A parameter is `device`, `maxreg`, `define.NAME`, a setting of the device by its path\n"
    "(`policy`, `sms`, `memory.l1.ways`), or anything that --launch takes: `block`, `grid`,\n"
    "a value of `let`. If a name is both a setting and a key of --launch, write `set.PATH` or\n"
    "`launch.KEY`.\n"
    "\n"
    "FOLDER gets runs.csv, one row per point. The same command resumes a sweep that was\n"
    "stopped.\n"
    "\n"
    "Examples:\n"
    "  warpstep sweep latency_hiding -P warps=8..64:8 -P policy=lrr,gto -o warps\n"
    "  warpstep sweep vecadd --sms 1 -P device=v100,a100,h200 -o devices\n"
    "  warpstep sweep -P target=vecadd,matmul -P policy=lrr,gto --sms 1 -o suite\n"
    "  warpstep sweep warps --plan\n"
    "  warpstep sweep literature/volkov -o volkov\n",
    .run = run,
};
