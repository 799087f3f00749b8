/*
 * The tiling laws (tests/support/tiling.h) on every launch file of every workload, under every
 * divergence model and policy, and that a run which is saved and restored on its way ends the same:
 *
 *   test_tiling WORKLOADS CYCLES [SHARE]
 *
 * A run stops after CYCLES cycles; the laws hold there too. With SHARE n, a file is run with one in
 * n of the pairs of model and policy, another one for each file, and of the .cu files only one in n
 * is run; states are saved in the first of its pairs. The exit code is 1 if any law was broken.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/contents.h"
#include "sim/device/settings.h"
#include "sim/gpu/stepping.h"
#include "tests/support/tiling.h"

/* What a run changes, as it was. */
typedef struct {
    WsJob *job;
    guint8 **buffers;
    guint8 *module;
} Start;

static guint count_of(const char *path)
{
    const WsSetting *setting = ws_setting_at((guint)ws_setting_find(path));
    return g_strv_length((char **)setting->names);
}

static const char *name_of(const char *path, guint n)
{
    return ws_setting_at((guint)ws_setting_find(path))->names[n];
}

static void start_save(Start *ret, WsJob *job)
{
    ret->job = job;
    ret->buffers = g_new0(guint8 *, job->buffer_count + 1);
    for (guint32 i = 0; i < job->buffer_count; i++) {
        ret->buffers[i] = g_memdup2(job->buffers[i].data, job->buffers[i].bytes);
    }
    ret->module = g_memdup2(job->module_data, job->program->module_bytes);
}

static void start_restore(const Start *start)
{
    for (guint32 i = 0; i < start->job->buffer_count; i++) {
        memcpy(start->job->buffers[i].data, start->buffers[i], start->job->buffers[i].bytes);
    }
    if (start->module != NULL) {
        memcpy(start->job->module_data, start->module, start->job->program->module_bytes);
    }
}

static void start_clear(Start *start)
{
    for (guint32 i = 0; i < start->job->buffer_count; i++) {
        g_free(start->buffers[i]);
    }
    g_free(start->buffers);
    g_free(start->module);
}

/* The start of a file holds what `other` left in memory. */
static gboolean same_memory(const Start *other)
{
    const WsJob *job = other->job;

    for (guint32 i = 0; i < job->buffer_count; i++)
        if (memcmp(job->buffers[i].data, other->buffers[i], job->buffers[i].bytes) != 0)
            return FALSE;
    return other->module == NULL ||
           memcmp(job->module_data, other->module, job->program->module_bytes) == 0;
}

/*
 * Runs to a cycle, saves, runs on, restores, runs to the end: what it passes twice is the same, and
 * the end is that of the run in one go. NULL if so.
 */
static char *saved_problem(const WsJob *job, WsSimulation *simulation, const WsResult *plain,
                           const Start *left, guint64 seed)
{
    guint64 end = MAX(plain->total.elapsed_cycles, 2), at = ws_split_mix(seed, 0) % end;
    guint64 later = MIN(at + 1 + ws_split_mix(seed, 1) % 2000, end - 1), digest;
    g_autoptr(WsSavedState) state = NULL;
    g_autoptr(WsResult) result = NULL;

    if (!ws_simulation_advance(simulation, at, NULL))
        return g_strdup("a run that can be saved does not run");
    if (ws_simulation_is_over(simulation))
        return g_strdup_printf("it is over at cycle %" G_GUINT64_FORMAT, at);
    state = ws_simulation_save(simulation, NULL);
    ws_simulation_advance(simulation, later, NULL);
    digest = ws_simulation_digest(simulation, later);
    ws_simulation_restore(simulation, state);
    ws_simulation_advance(simulation, later, NULL);
    if (ws_simulation_digest(simulation, later) != digest)
        return g_strdup_printf("cycle %" G_GUINT64_FORMAT " is another one behind a state saved at "
                               "%" G_GUINT64_FORMAT,
                               later, at);
    ws_simulation_restore(simulation, state);
    ws_simulation_advance(simulation, G_MAXUINT64, NULL);
    result = ws_simulation_finish(simulation);
    if (result->status != plain->status ||
        memcmp(&result->total, &plain->total, sizeof plain->total) != 0 ||
        result->launch_count != plain->launch_count)
        return g_strdup_printf("the run ends otherwise from a state saved at %" G_GUINT64_FORMAT,
                               at);
    for (guint32 i = 0; i < plain->launch_count; i++)
        if (memcmp(result->launches[i].instructions, plain->launches[i].instructions,
                   job->program->instruction_count * sizeof(WsInstructionCounters)) != 0)
            return g_strdup_printf("an instruction counts otherwise from a state saved at "
                                   "%" G_GUINT64_FORMAT,
                                   at);
    return same_memory(left) ? NULL : g_strdup("memory holds other values from a saved state");
}

/* `start`: memory as it was in front of `plain`, which has just run. */
static char *run_saved(const Start *start, const WsRunOptions *options, const WsResult *plain,
                       guint64 seed)
{
    WsSimulation *simulation;
    GError *error = NULL;
    char *problem;
    Start left;

    start_save(&left, start->job);
    start_restore(start);
    simulation = ws_simulation_new(start->job, options, TRUE, &error);
    problem = simulation != NULL ? saved_problem(start->job, simulation, plain, &left, seed)
                                 : g_strdup(error->message);
    g_clear_error(&error);
    ws_simulation_free(simulation);
    start_clear(&left);
    return problem;
}

/* NULL if the laws hold for this pair. */
static char *run_pair(const Start *start, guint model, guint policy, guint64 cycles, gboolean saved)
{
    char *problem;

    g_autoptr(GError) error = NULL;
    WsRunOptions options;
    ws_run_options_init(&options);
    options.max_cycles = cycles;
    start->job->device->divergence = model;
    start->job->device->policy = policy;
    start_restore(start);
    g_autoptr(WsResult) result = ws_simulation_run(start->job, &options, &error);
    if (result == NULL)
        return g_strdup(error->message);
    problem = tiling_problem(start->job->program, result);
    return problem != NULL || !saved
               ? problem
               : run_saved(start, &options, result, model * 100 + policy + cycles);
}

static guint run_file(const char *path, guint number, guint64 cycles, guint share, guint *runs)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(WsJob) job = ws_job_load(path, NULL, &error);
    guint failed = 0, policies = count_of("policy"),
          pairs = policies * count_of("divergence.model");
    Start start;
    if (job == NULL) {
        printf("%s: %s\n", path, error->message);
        return 1;
    }
    start_save(&start, job);
    for (guint pair = number % share; pair < pairs; pair += share) {
        guint model = pair / policies, policy = pair % policies;
        g_autofree char *problem =
            run_pair(&start, model, policy, cycles, share == 1 || pair < share);
        (*runs)++;
        if (problem != NULL) {
            printf("FAILED %s with divergence.model=%s policy=%s: %s\n", path,
                   name_of("divergence.model", model), name_of("policy", policy), problem);
            failed++;
        }
    }
    start_clear(&start);
    return failed;
}

static gboolean is_cuda(const char *path)
{
    g_autofree char *text = NULL;
    return g_file_get_contents(path, &text, NULL, NULL) && strstr(text, "kernel.cu") != NULL;
}

int main(int argc, char **argv)
{
    glob_t files;
    guint failed = 0, runs = 0, cuda = 0;
    if (argc < 3) {
        fprintf(stderr, "usage: test_tiling WORKLOADS CYCLES [SHARE]\n");
        return EXIT_FAILURE;
    }
    guint64 cycles = g_ascii_strtoull(argv[2], NULL, 10);
    guint share = argc > 3 ? (guint)MAX(g_ascii_strtoull(argv[3], NULL, 10), 1) : 1;
    g_autofree char *pattern = g_build_filename(argv[1], "*", "*.yaml", NULL);
    if (glob(pattern, 0, NULL, &files) != 0) {
        fprintf(stderr, "no launch files in %s\n", argv[1]);
        return EXIT_FAILURE;
    }
    for (gsize i = 0; i < files.gl_pathc; i++) {
        if (is_cuda(files.gl_pathv[i]) && cuda++ % share != 0) {
            continue;
        }
        failed += run_file(files.gl_pathv[i], (guint)i, cycles, share, &runs);
    }
    globfree(&files);
    printf("%u runs, %u failed\n", runs, failed);
    return failed == 0 && runs > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
