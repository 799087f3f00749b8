/*
 * The tiling laws (tests/support/tiling.h) on every launch file of every workload, under every
 * divergence model and policy:
 *
 *   test_tiling WORKLOADS CYCLES [SHARE]
 *
 * A run stops after CYCLES cycles; the laws hold there too. With SHARE n, a file is run with one in
 * n of the pairs of model and policy, another one for each file, and one in n of the .cu files is
 * left out in turn. The exit code is 1 if any law was broken.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/device/settings.h"
#include "sim/gpu/simulation.h"
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

/* NULL if the laws hold for this pair. */
static char *run_pair(const Start *start, guint model, guint policy, guint64 cycles)
{
    g_autoptr(GError) error = NULL;
    WsRunOptions options;
    ws_run_options_init(&options);
    options.max_cycles = cycles;
    start->job->device->divergence = model;
    start->job->device->policy = policy;
    start_restore(start);
    g_autoptr(WsResult) result = ws_simulation_run(start->job, &options, &error);
    return result == NULL ? g_strdup(error->message) : tiling_problem(start->job->program, result);
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
        g_autofree char *problem = run_pair(&start, model, policy, cycles);
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
