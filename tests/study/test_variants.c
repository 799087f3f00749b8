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
    WsInstructionCounters *counters; /* by instruction */
} Scene;

static void nothing(Scene *scene)
{
}

static void loads_from_caches(Scene *scene)
{
    scene->device->memory_model = WS_MEMORY_CACHED;
    scene->total->global_load_requests = 1;
}

static void lanes_that_are_off(Scene *scene)
{
    scene->counters[0].issued = 2; /* of 8 lanes, in one of the two */
    scene->counters[0].lanes_on = 8;
}

static void sectors_too_many(Scene *scene)
{
    scene->device->memory_model = WS_MEMORY_CACHED;
    scene->counters[0].extra_sectors = 1;
}

static void barriers(Scene *scene)
{
    scene->counters[0].stalls[WS_STALL_BARRIER] = 1;
}

static void waits(Scene *scene)
{
    scene->counters[0].stalls[WS_STALL_WAIT] = 1;
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
    scene->launch->grid[0] = 16 * scene->device->sms + 1;
    scene->device->max_blocks_per_sm = 16;
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
    {loads_from_caches, "twice the memory bandwidth; all cache hits; blocks of 128 threads+*"},
    {stores_to_caches, "twice the memory bandwidth; all cache hits; blocks of 128 threads+*"},
    {caches_alone, "blocks of 128 threads+*"},
    {loads_alone, "blocks of 128 threads+*"},
    {conflicts, "no bank conflicts; blocks of 128 threads+*"},
    {lanes_that_are_off, "no divergence; blocks of 128 threads+*"},
    {sectors_too_many, "ideal coalescing; blocks of 128 threads+*"},
    {barriers, "no barrier waits; blocks of 128 threads+*"},
    {waits, "no dependence latency; blocks of 128 threads+*"},
    {fetches, "no instruction cache misses; blocks of 128 threads+*"},
    {blocks_that_fit, "blocks of 128 threads+*; blocks of 256 threads+*; blocks of 512 threads+*; "
                      "blocks of 1024 threads+*"},
    {blocks_that_wait, "more resident blocks"},
    {two_dimensions, ""},
    {rows_of_blocks, ""},
    {two_launches, ""},
    {small_blocks, "blocks of 128 threads+*"},
    {other_numbers, "blocks of 64 threads+*"},
    {ptx, "blocks of 128 threads+*; at most 32 registers a thread+; at most 40 registers a "
          "thread+; at most 64 registers a thread+"},
    {cuda, "blocks of 128 threads+*; at most 32 registers a thread+"},
};

static void unload(Scene *scene, WsStudy *study, WsResult *result)
{
    g_free(result->launches[0].instructions);
    g_free(result->launches);
    ws_job_free(scene->job);
    ws_study_free(study);
}

static Scene load(WsStudy **ret_study, WsResult *result)
{
    g_autofree char *path =
        g_build_filename(g_getenv("WS_TEST_SOURCES"), "tests/data/rooms/two_sides.yaml", NULL);
    WsJob *job = ws_job_load(path, &(WsJobOptions){0}, NULL);

    *ret_study = ws_study_new(path);
    result->launch_count = 1;
    result->launches = g_new0(WsLaunchResult, 1);
    result->launches[0].instructions =
        g_new0(WsInstructionCounters, job->program->instruction_count);
    return (Scene){job->device,       job,
                   &job->launches[0], (WsKernel *)(gpointer)job->launches[0].kernel,
                   &result->total,    result->launches[0].instructions};
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
    unload(&scene, study, &result);
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
    unload(&scene, study, &result);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, tries, 0, G_N_ELEMENTS(scenes));
    tcase_add_test(cases, all_else_stays);
}

int main(void)
{
    return run_suite("variants", add_tests);
}
