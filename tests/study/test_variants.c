/* What advice tries, and in which launches and on which machines it makes sense. */
#include <string.h>

#include "study/advise/variants.h"
#include "tests/support/suite.h"

typedef struct {
    WsDevice *device;
    WsJob *job;
    WsLaunch *launch;
    WsKernel *kernel;
    WsCounters *total;
} Scene;

static void nothing(Scene *scene)
{
}

static void loads_from_caches(Scene *scene)
{
    scene->device->memory_model = WS_MEMORY_CACHED;
    scene->total->global_load_requests = 1;
}

static void stores_to_caches(Scene *scene)
{
    scene->device->memory_model = WS_MEMORY_CACHED;
    scene->total->global_store_requests = 1;
}

static void caches_alone(Scene *scene)
{
    scene->device->memory_model = WS_MEMORY_CACHED;
}

static void loads_alone(Scene *scene)
{
    scene->total->global_load_requests = 1;
}

static void conflicts(Scene *scene)
{
    scene->total->shared_bank_conflicts = 1;
}

static void fetches(Scene *scene)
{
    scene->device->fetch_model = WS_FETCH_CACHED;
}

/* 64 warps, of two warps a block: 32 blocks. */
static void blocks_that_fit(Scene *scene)
{
    scene->launch->grid[0] = 32 * scene->device->sms;
}

static void blocks_that_wait(Scene *scene)
{
    scene->launch->grid[0] = 32 * scene->device->sms + 1;
    scene->device->max_warps_per_sm = 32;
}

static void two_dimensions(Scene *scene)
{
    scene->launch->block[1] = 2;
}

static void rows_of_blocks(Scene *scene)
{
    scene->launch->grid[1] = 2;
}

static void two_launches(Scene *scene)
{
    scene->job->launch_count = 2;
}

static void small_blocks(Scene *scene)
{
    scene->device->max_threads_per_block = 256;
}

static void other_numbers(Scene *scene)
{
    scene->launch->grid[0] = 3;
    scene->launch->block[0] = 128;
}

static void ptx(Scene *scene)
{
    g_free(scene->job->program->path);
    scene->job->program->path = g_strdup("k.ptx");
    scene->kernel->registers = 80;
}

static void cuda(Scene *scene)
{
    g_free(scene->job->program->path);
    scene->job->program->path = g_strdup("k.cu");
    scene->kernel->registers = 33;
}

static const struct {
    void (*change)(Scene *scene);
    const char *tries; /* besides policies: "WHAT" + if possible, * if it is another launch */
} scenes[] = {
    {nothing, "blocks of 128 threads+*"},
    {loads_from_caches, "ideal memory; blocks of 128 threads+*"},
    {stores_to_caches, "ideal memory; blocks of 128 threads+*"},
    {caches_alone, "blocks of 128 threads+*"},
    {loads_alone, "blocks of 128 threads+*"},
    {conflicts, "no bank conflicts+; blocks of 128 threads+*"},
    {fetches, "perfect fetch; blocks of 128 threads+*"},
    {blocks_that_fit, "blocks of 128 threads+*; blocks of 256 threads+*; blocks of 512 threads+*; "
                      "blocks of 1024 threads+*"},
    {blocks_that_wait, "more warps: an SM with twice the resources"},
    {two_dimensions, ""},
    {rows_of_blocks, ""},
    {two_launches, ""},
    {small_blocks, "blocks of 128 threads+*"},
    {other_numbers, "blocks of 64 threads+*"},
    {ptx, "blocks of 128 threads+*; at most 32 registers a thread+; at most 40 registers a "
          "thread+; at most 64 registers a thread+"},
    {cuda, "blocks of 128 threads+*; at most 32 registers a thread+"},
};

static Scene load(WsStudy **ret_study, WsResult *result)
{
    g_autofree char *path =
        g_build_filename(g_getenv("WS_TEST_SOURCES"), "tests/data/rooms/two_sides.yaml", NULL);
    WsJob *job = ws_job_load(path, &(WsJobOptions){0}, NULL);

    *ret_study = ws_study_new(path);
    return (Scene){job->device, job, &job->launches[0],
                   (WsKernel *)(gpointer)job->launches[0].kernel, &result->total};
}

START_TEST(tries)
{
    WsResult result = {0};
    WsStudy *study;
    Scene scene = load(&study, &result);
    g_autoptr(GString) out = g_string_new(NULL);
    guint policies = 0, fair = 0;

    scene.launch->grid[0] = 2;
    scenes[_i].change(&scene);
    g_autoptr(GArray) variants = ws_variants(study, scene.job, &result);
    for (guint i = 0; i < variants->len; i++) {
        const WsVariant *at = &g_array_index(variants, WsVariant, i);
        ck_assert_ptr_nonnull(at->how);
        fair += at->fair;
        if (g_str_has_prefix(at->what, "policy ")) {
            policies++;
            ck_assert(!at->possible && !at->launch);
            ck_assert_int_eq(at->fair, strcmp(at->what, "policy lrr") == 0);
            continue;
        }
        g_string_append_printf(out, "%s%s%s%s", out->len == 0 ? "" : "; ", at->what,
                               at->possible ? "+" : "", at->launch ? "*" : "");
    }
    ck_assert_msg(strcmp(out->str, scenes[_i].tries) == 0, "scene %d: %s", _i, out->str);
    ck_assert_uint_eq(policies, 8); /* all but the one that the device has */
    ck_assert_uint_eq(fair, 1);
    scene.job->launch_count = 1;
    ws_job_free(scene.job);
    ws_study_free(study);
}
END_TEST

/* Twice of each resource, and code that keeps the registers it has. */
START_TEST(room)
{
    WsResult result = {0};
    WsStudy *study;
    Scene scene = load(&study, &result);
    WsDevice *d = scene.device;

    blocks_that_wait(&scene);
    d->max_blocks_per_sm = 16;
    d->registers_per_sm = 32768;
    d->shared_bytes_per_sm = 65536;
    d->unified_bytes = 131072;
    d->shared_carveouts = (WsList){.count = 2, .value = {0, 32768}};
    g_autoptr(GArray) variants = ws_variants(study, scene.job, &result);
    const WsVariant *more = &g_array_index(variants, WsVariant, 0);
    g_auto(WsStudyPoint) point = {0};
    ws_study_point_init(&point, more->study, 0);
    g_autofree char *all = g_strjoinv(" ", (char **)(gpointer)point.options.settings);
    ck_assert_str_eq(all, "lower.budget_warps=32 lower.budget_registers=32768 "
                          "limits.registers_per_sm=65536 limits.warps_per_sm=64 "
                          "limits.blocks_per_sm=32 limits.shared_bytes_per_sm=131072 "
                          "limits.shared_carveouts=[0,32768,131072] "
                          "memory.l1.unified_bytes=196608");
    ws_job_free(scene.job);
    ws_study_free(study);
}
END_TEST

/* A variant is the launch as it stands but for what it tries. */
START_TEST(all_else_stays)
{
    WsResult result = {0};
    WsStudy *study;
    Scene scene = load(&study, &result);

    study->device = g_strdup("textbook");
    study->settings = g_strsplit("sms=2|dependences=scoreboard", "|", -1);
    study->launch_values = g_strsplit("n=3", "|", -1);
    study->defines = g_strsplit("A|B=2", "|", -1);
    study->max_registers = 40;
    study->max_cycles = 5000;
    g_autofree char *now = ws_study_point_command(study, 0);
    g_autoptr(GArray) variants = ws_variants(study, scene.job, &result);
    for (guint i = 0; i < variants->len; i++) {
        WsVariant *at = &g_array_index(variants, WsVariant, i);
        ck_assert_uint_ge(at->study->parameters->len, 1);
        ck_assert_str_eq(at->study->target, study->target);
        g_array_set_size(at->study->parameters, 0);
        g_autofree char *plain = ws_study_point_command(at->study, 0);
        ck_assert_str_eq(plain, now);
    }
    ws_job_free(scene.job);
    ws_study_free(study);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, tries, 0, G_N_ELEMENTS(scenes));
    tcase_add_test(cases, room);
    tcase_add_test(cases, all_else_stays);
}

int main(void)
{
    return run_suite("variants", add_tests);
}
