#include "tests/support/engine_fixture.h"

#include <check.h>
#include <string.h>

#include "isa/bytecode/opcode.h"
#include "isa/codegen/code_generation.h"
#include "isa/cuda/ptx_cache.h"
#include "isa/ir/ir.h"
#include "isa/text/assembler.h"

static void record(void *data, const WsTraceEvent *event)
{
    Engine *engine = data;
    Issue issue;

    memset(&issue, 0, sizeof issue); /* tests compare bytes */
    issue.cycle = event->cycle;
    issue.sm = event->sm;
    issue.sub_core = event->sub_core;
    issue.warp = event->warp;
    issue.block = event->block;
    issue.warp_in_block = event->warp_in_block;
    issue.instruction = event->instruction;
    issue.active = event->issue.active;
    issue.executed = event->issue.executed;
    g_array_append_val(engine->issues, issue);
}

/* Bytecode, or PTX if it begins with its version. */
static WsProgram *compile(const char *text, const WsCompileOptions *options, GError **error)
{
    if (!g_str_has_prefix(text, ".version")) {
        g_autofree char *whole = g_strdup_printf(".kernel k\n.param u64 x\n%s", text);
        return ws_assemble("test.wsasm", whole, strlen(whole), options, error);
    }
    g_autoptr(WsIrModule) module = ws_ptx_to_ir("test.ptx", text, strlen(text), options, error);
    return module == NULL ? NULL : ws_ir_compile(module, options, error);
}

static WsJob *make_job(const char *device, const char *const *settings, const char *text,
                       guint32 blocks, guint32 threads, guint32 words)
{
    WsJob *job = g_new0(WsJob, 1);
    g_autofree char *file = NULL;
    WsCompileOptions options;
    GError *error = NULL;
    WsLaunch *launch;

    if (strchr(device, '/') != NULL)
        file = g_build_filename(g_getenv("WS_TEST_SOURCES"), device, NULL);
    job->device = ws_device_load(file != NULL ? file : device, settings, &error);
    ck_assert_msg(job->device != NULL, "%s", error ? error->message : "");
    ws_compile_options_init(&options);
    options.parameter_base = (guint32)job->device->parameter_base;
    job->program = compile(text, &options, &error);
    ck_assert_msg(job->program != NULL, "%s", error ? error->message : "");
    job->path = g_strdup("test");
    job->buffers = g_new0(WsBuffer, 1);
    job->buffer_count = 1;
    job->buffers[0] = (WsBuffer){.name = g_strdup("x"),
                                 .type = WS_TYPE_U32,
                                 .count = words,
                                 .bytes = 4 * (guint64)words,
                                 .address = WS_BUFFER_BASE,
                                 .data = g_malloc0(4 * (gsize)words + 4)};
    job->launches = launch = g_new0(WsLaunch, 1);
    job->launch_count = 1;
    launch->kernel = &job->program->kernels[0];
    for (guint i = 0; i < 3; i++)
        launch->grid[i] = launch->block[i] = 1;
    launch->grid[0] = blocks;
    launch->block[0] = threads;
    launch->carveout = -1;
    launch->parameters = g_malloc0(8);
    memcpy(launch->parameters, &job->buffers[0].address, 8);
    return job;
}

static Engine *observe(WsJob *job)
{
    Engine *engine = g_new0(Engine, 1);

    engine->job = job;
    engine->issues = g_array_new(FALSE, FALSE, sizeof(Issue));
    engine->observer = (WsObserver){.data = engine, .kinds = WS_TRACE_BIT(ISSUE), .event = record};
    engine->observers[0] = &engine->observer;
    ws_run_options_init(&engine->options);
    engine->options.observers = engine->observers;
    return engine;
}

Engine *engine_new(const char *device, const char *const *settings, const char *text,
                   guint32 blocks, guint32 threads, guint32 words)
{
    return observe(make_job(device, settings, text, blocks, threads, words));
}

Engine *engine_load(const char *path, const char *const *settings, const char *const *values)
{
    g_autofree char *whole = g_build_filename(g_getenv("WS_TEST_SOURCES"), path, NULL);
    g_autofree char *cache = ws_ptx_cache_folder();
    WsJobOptions options = {
        .settings = settings, .launch_values = values, .bounds = {.cache = cache}};
    GError *error = NULL;
    WsJob *job = ws_job_load(whole, &options, &error);

    ck_assert_msg(job != NULL, "%s", error ? error->message : "");
    return observe(job);
}

Engine *engine_plain_with(const char *setting, const char *text, guint32 blocks, guint32 threads,
                          guint32 words)
{
    const char *settings[] = {"dependences=scoreboard", setting, NULL};

    return engine_new("textbook", settings, text, blocks, threads, words);
}

Engine *engine_plain(const char *text, guint32 blocks, guint32 threads, guint32 words)
{
    return engine_plain_with(NULL, text, blocks, threads, words);
}

void engine_free(Engine *engine)
{
    ws_result_free(engine->result);
    ws_job_free(engine->job);
    g_array_unref(engine->issues);
    g_free(engine);
}

static void check_tiling(const WsResult *result)
{
    guint64 sum = 0, issued = 0;

    for (guint s = 0; s < WS_STALL_COUNT; s++)
        sum += result->total.stalls[s];
    ck_assert_uint_eq(sum, result->total.warp_cycles);
    for (guint32 i = 0; i < result->launch_count; i++) {
        const WsOccupancySummary *occupancy = &result->launches[i].occupancy;

        issued += result->launches[i].counters.warp_instructions;
        sum = result->launches[i].counters.warp_cycles;
        for (guint k = 0; k < WS_LOSS_COUNT; k++) {
            ck_assert_uint_le(occupancy->losses[k], occupancy->possible_warp_cycles);
            sum += occupancy->losses[k];
        }
        ck_assert_uint_eq(sum, occupancy->possible_warp_cycles);
    }
    ck_assert_uint_eq(result->total.stalls[WS_STALL_SELECTED], issued);
}

WsResult *engine_run(Engine *engine)
{
    GError *error = NULL;

    g_clear_pointer(&engine->result, ws_result_free);
    g_array_set_size(engine->issues, 0);
    engine->result = ws_simulation_run(engine->job, &engine->options, &error);
    ck_assert_msg(engine->result != NULL, "%s", error ? error->message : "");
    check_tiling(engine->result);
    return engine->result;
}

guint32 *engine_words(Engine *engine)
{
    return (guint32 *)(void *)engine->job->buffers[0].data;
}

guint64 engine_issue_cycle(const Engine *engine, guint32 warp, guint n)
{
    for (guint i = 0; i < engine->issues->len; i++) {
        const Issue *issue = &g_array_index(engine->issues, Issue, i);
        if (issue->sm == 0 && issue->warp == warp && n-- == 0)
            return issue->cycle;
    }
    ck_abort_msg("warp %u did not issue that often", warp);
    return 0;
}

guint32 engine_label(const Engine *engine, const char *name)
{
    const WsProgram *program = engine->job->program;
    const WsKernel *kernel = engine->job->launches[0].kernel;

    for (guint32 i = kernel->first; i < kernel->first + kernel->count; i++)
        if (g_strcmp0(program->labels[i], name) == 0) {
            WsOpcode opcode = program->instructions[i].opcode;
            return opcode == WS_OP_BSSY || opcode == WS_OP_BSYNC ? i + 1 : i;
        }
    ck_abort_msg("no label %s", name);
    return 0;
}

char *engine_issue_order(const Engine *engine, guint count)
{
    GString *text = g_string_new(NULL);
    guint64 cycle = 0;

    for (guint i = 0, k = 0; k < count && i < engine->issues->len; k++, cycle++) {
        const Issue *issue = &g_array_index(engine->issues, Issue, i);
        g_string_append(text, k ? " " : "");
        if (issue->cycle != cycle)
            g_string_append_c(text, '-');
        else
            g_string_append_printf(text, "w%u", issue->warp), i++;
    }
    return g_string_free(text, FALSE);
}
