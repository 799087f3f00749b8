#include "tests/support/workload_pairs.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/cuda/ptx_cache.h"
#include "sim/device/settings.h"

/* ---- a job's start ------------------------------------------------------------------------------
 */

static void job_start_save(JobStart *ret, WsJob *job)
{
    ret->job = job;
    ret->buffers = g_new0(guint8 *, job->buffer_count + 1);
    for (guint32 i = 0; i < job->buffer_count; i++) {
        ret->buffers[i] = g_memdup2(job->buffers[i].data, job->buffers[i].bytes);
    }
    ret->module = g_memdup2(job->module_data, job->program->module_bytes);
}

void job_start_restore(const JobStart *start)
{
    for (guint32 i = 0; i < start->job->buffer_count; i++) {
        memcpy(start->job->buffers[i].data, start->buffers[i], start->job->buffers[i].bytes);
    }
    if (start->module != NULL) {
        memcpy(start->job->module_data, start->module, start->job->program->module_bytes);
    }
}

static void job_start_clear(JobStart *start)
{
    for (guint32 i = 0; i < start->job->buffer_count; i++) {
        g_free(start->buffers[i]);
    }
    g_free(start->buffers);
    g_free(start->module);
}

/* ---- files and pairs ----------------------------------------------------------------------------
 */

static guint count_of(const char *path)
{
    const WsSetting *setting = ws_setting_at((guint)ws_setting_find(path));
    return g_strv_length((char **)setting->names);
}

static const char *name_of(const char *path, guint n)
{
    return ws_setting_at((guint)ws_setting_find(path))->names[n];
}

typedef struct {
    guint most_sms;
    PairCheck check;
    guint64 cycles;
    guint share, runs, failed;
} Round;

static WsJob *load(const char *path, guint most_sms, GError **error)
{
    g_autofree char *setting = g_strdup_printf("sms=%u", most_sms);
    const char *settings[] = {setting, NULL};
    g_autofree char *cache = ws_ptx_cache_folder();
    WsJobOptions options = {.bounds = {.cache = cache, .header_cache = cache}};
    g_autoptr(WsJob) job = ws_job_load(path, &options, error);

    if (job == NULL || most_sms == 0 || job->device->sms <= most_sms) {
        return g_steal_pointer(&job);
    }
    options.settings = settings;
    return ws_job_load(path, &options, error);
}

static void run_file(Round *round, const char *path, guint number)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(WsJob) job = load(path, round->most_sms, &error);
    guint policies = count_of("policy"), pairs = policies * count_of("divergence.model");
    JobStart start;
    if (job == NULL) {
        printf("%s: %s\n", path, error->message);
        round->failed++;
        return;
    }
    job_start_save(&start, job);
    for (guint pair = number % round->share; pair < pairs; pair += round->share) {
        guint model = pair / policies, policy = pair % policies;
        job->device->divergence = model;
        job->device->policy = policy;
        job_start_restore(&start);
        g_autofree char *problem =
            round->check(&start, round->cycles, (guint64)number * pairs + pair);
        round->runs++;
        if (problem != NULL) {
            printf("FAILED %s with divergence.model=%s policy=%s: %s\n", path,
                   name_of("divergence.model", model), name_of("policy", policy), problem);
            round->failed++;
        }
    }
    job_start_clear(&start);
    if (round->share == 1) {
        printf("%s: %u runs, %u failed so far\n", path, round->runs, round->failed);
    }
}

static gboolean is_cuda(const char *path)
{
    g_autofree char *text = NULL;
    return g_file_get_contents(path, &text, NULL, NULL) && strstr(text, ".cu\n") != NULL;
}

int workload_pairs_main(int argc, char **argv, guint most_sms, PairCheck check)
{
    Round round = {.most_sms = most_sms, .check = check};
    glob_t files;
    guint cuda = 0;
    if (argc < 3) {
        fprintf(stderr, "usage: %s WORKLOADS CYCLES [SHARE]\n", argv[0]);
        return EXIT_FAILURE;
    }
    setvbuf(stdout, NULL, _IOLBF, 0); /* a long round may be looked at */
    round.cycles = g_ascii_strtoull(argv[2], NULL, 10);
    round.share = argc > 3 ? (guint)MAX(g_ascii_strtoull(argv[3], NULL, 10), 1) : 1;
    g_autofree char *pattern = g_build_filename(argv[1], "*", "*.yaml", NULL);
    if (glob(pattern, 0, NULL, &files) != 0) {
        fprintf(stderr, "no launch files in %s\n", argv[1]);
        return EXIT_FAILURE;
    }
    for (gsize i = 0; i < files.gl_pathc; i++) {
        if (is_cuda(files.gl_pathv[i]) && cuda++ % round.share != 0) {
            continue;
        }
        run_file(&round, files.gl_pathv[i], (guint)i);
    }
    globfree(&files);
    printf("%u runs, %u failed\n", round.runs, round.failed);
    return round.failed == 0 && round.runs > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
