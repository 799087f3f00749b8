/*
 * Chains of one operation of PTX: what the front end makes of it, timed. One module holds a kernel
 * for each row of ptx_chains.def; `calibrate --ptx` prints it, and the numbers measured are those
 * of the same text compiled by ptxas.
 */
#include <stdlib.h>
#include <string.h>

#include "isa/codegen/code_generation.h"
#include "isa/container/verifier.h"
#include "isa/ir/ir.h"
#include "rows.h"
#include "sim/device/target.h"

typedef enum { X, Y, F, G, S, H, B } Kind;

typedef struct {
    Kind kind;
    double start;
    guint steps;
    const char *text;
} Chain;

#define CHAIN(name, kind, start, steps, text, measured, tolerance) {kind, start, steps, text},
static const Chain chains[] = {
#include "ptx_chains.def"
};
#undef CHAIN

static gboolean is_wide(const Chain *chain)
{
    return chain->kind == Y || chain->kind == G;
}

/* The start's bits. Halves are whole numbers of both: 1.0 is all that is needed. */
static guint64 start_bits(const Chain *chain)
{
    float single = (float)chain->start;
    guint32 bits;
    guint64 wide;

    memcpy(&bits, &single, sizeof bits);
    memcpy(&wide, &chain->start, sizeof wide);
    switch (chain->kind) {
    case F:
        return bits;
    case G:
        return wide;
    case S:
    case H:
        return 0x3c003c00;
    case B:
        return bits >> 16 | (bits & 0xffff0000);
    default:
        return (guint64)chain->start;
    }
}

/* Constants of the steps: register, declaration and bits. */
typedef struct {
    const char *name;
    guint bits;
    guint64 value;
} Constant;

static const Constant constants[] = {
    {"%a", 32, 0x9e3779b9},
    {"%b", 32, 0x7f4a7c15},
    {"%c", 32, 12},
    {"%five", 32, 5},
    {"%e", 32, 0x3f7ff972}, /* 0.9999 */
    {"%f", 32, 0x38d1be39}, /* 0.0001 */
    {"%g", 32, 0x3fa00000}, /* 1.25 */
    {"%n", 32, 0x3bff3bff}, /* 0.9995, twice */
    {"%m", 32, 0x14001400}, /* 0.001, twice */
    {"%bn", 32, 0x3f7f3f7f},
    {"%bm", 32, 0x3a803a80},
    {"%ha", 16, 0x79b9},
    {"%hb", 16, 0x7c15},
    {"%hn", 16, 0x3bff},
    {"%hm", 16, 0x1400},
    {"%p", 64, G_GUINT64_CONSTANT(0x9e3779b97f4a7c15)},
    {"%q", 64, G_GUINT64_CONSTANT(0x85ebca6bc2b2ae35)},
    {"%l", 64, G_GUINT64_CONSTANT(0x100000000)},
    {"%s", 64, 7000000},
    {"%v", 64, G_GUINT64_CONSTANT(0x3feffe5c91d14e3c)}, /* 0.9998 */
    {"%w", 64, G_GUINT64_CONSTANT(0x3ff4000000000000)}, /* 1.25 */
};

static void append_table(GString *text)
{
    g_string_append_printf(text, ".global .align 8 .b64 constants[%u] = {",
                           (guint)(G_N_ELEMENTS(constants) + G_N_ELEMENTS(chains)));
    for (guint i = 0; i < G_N_ELEMENTS(constants); i++)
        g_string_append_printf(text, "%s0x%" G_GINT64_MODIFIER "x", i == 0 ? "" : ", ",
                               constants[i].value);
    for (guint i = 0; i < G_N_ELEMENTS(chains); i++)
        g_string_append_printf(text, ", 0x%" G_GINT64_MODIFIER "x", start_bits(&chains[i]));
    g_string_append(text, "};\n");
}

/*
 * From a load behind the clock read on to a store before the next: nothing passes either. Each lane
 * has its own cell, so that no compiler takes the value for one of the whole warp.
 */
static void append_segment(GString *text, const Chain *chain, guint number, guint steps)
{
    const char *value = is_wide(chain) ? "b64" : chain->kind == S ? "b16" : "b32";
    const char *name = is_wide(chain) ? "%y" : chain->kind == S ? "%h" : "%x";

    g_string_append_printf(text, "mov.u64 %%k%u, %%clock64;\nld.volatile.shared.%s %s, [%%cell];\n",
                           number, value, name);
    for (guint i = 0; i < steps; i++)
        g_string_append_printf(text, "%s\n", chain->text);
    g_string_append_printf(text, "st.volatile.shared.%s [%%cell], %s;\n", value, name);
}

static void append_kernel(GString *text, guint number)
{
    const Chain *chain = &chains[number];

    g_string_append_printf(text,
                           ".visible .entry k%u(.param .u64 out)\n{\n"
                           ".shared .align 8 .b64 cells[32];\n"
                           ".reg .b32 %%x, %%pass, %%cell, %%base, %%t<4>;\n"
                           ".reg .b64 %%y, %%z, %%at, %%start, %%out, %%u<4>, %%k<4>;\n"
                           ".reg .b16 %%h, %%h<4>;\n.reg .pred %%q<4>, %%again;\n"
                           "ld.param.u64 %%out, [out];\ncvta.to.global.u64 %%out, %%out;\n"
                           "mov.u32 %%cell, %%tid.x;\nmov.u32 %%base, cells;\n"
                           "mad.lo.u32 %%cell, %%cell, 8, %%base;\n"
                           "mov.u64 %%at, constants;\n",
                           number);
    for (guint i = 0; i < G_N_ELEMENTS(constants); i++)
        g_string_append_printf(text, ".reg .b%u %s; ld.volatile.global.b%u %s, [%%at+%u];\n",
                               constants[i].bits, constants[i].name, constants[i].bits,
                               constants[i].name, 8 * i);
    g_string_append_printf(text,
                           "ld.volatile.global.b64 %%start, [%%at+%u];\nmov.b32 %%pass, 0;\n"
                           "mov.b64 %%z, %%p;\nagain:\nst.volatile.shared.b64 [%%cell], %%start;\n",
                           8 * ((guint)G_N_ELEMENTS(constants) + number));
    append_segment(text, chain, 0, chain->steps / 4);
    append_segment(text, chain, 1, chain->steps);
    g_string_append(text, "mov.u64 %k2, %clock64;\n"
                          "add.u32 %pass, %pass, 1;\nsetp.lt.u32 %again, %pass, 3;\n"
                          "@%again bra again;\nsub.u64 %k0, %k1, %k0;\nsub.u64 %k1, %k2, %k1;\n"
                          "st.global.u64 [%out], %k0;\nst.global.u64 [%out+8], %k1;\n"
                          "st.global.u64 [%out+16], %z;\nret;\n}\n");
}

char *ptx_chains_text(void)
{
    GString *text = g_string_new(".version 8.0\n.target sm_90\n.address_size 64\n");

    append_table(text);
    for (guint i = 0; i < G_N_ELEMENTS(chains); i++)
        append_kernel(text, i);
    return g_string_free(text, FALSE);
}

/* ---- the simulation ---- */

static WsProgram *compile(const WsDevice *device, guint number, GError **error)
{
    g_autoptr(GString) text = g_string_new(".version 8.0\n.target sm_90\n.address_size 64\n");
    g_autoptr(WsIrModule) module = NULL;
    g_autoptr(WsProgram) program = NULL;
    WsCodeTarget target;
    WsCompileOptions options;

    append_table(text);
    append_kernel(text, number);
    ws_compile_options_init(&options);
    ws_code_target_of_device(device, &target);
    options.parameter_base = (guint32)device->parameter_base;
    options.if_convert = device->if_convert == 1;
    options.load_constants = device->load_constants == 1;
    options.schedule = device->schedule == 1;
    options.target = &target;
    module = ws_ptx_to_ir("chain.ptx", text->str, text->len, &options, error);
    if (module != NULL)
        program = ws_ir_compile(module, &options, error);
    return program != NULL && ws_verify(program, error) ? g_steal_pointer(&program) : NULL;
}

static void add_launch(WsJob *job)
{
    const WsSymbol *table = &job->program->symbols[0];
    WsLaunch *launch = g_new0(WsLaunch, 1);

    launch->kernel = &job->program->kernels[0];
    for (guint i = 0; i < 3; i++)
        launch->grid[i] = launch->block[i] = 1;
    launch->block[0] = 32;
    launch->carveout = -1;
    launch->parameters = g_memdup2(&job->buffers[0].address, 8);
    job->launches = launch;
    job->launch_count = 1;
    job->module_data = g_malloc0(job->program->module_bytes + 1);
    memcpy(job->module_data + (table->address - WS_MODULE_WINDOW), table->initial, table->size);
}

static WsJob *make_job(guint number, GError **error)
{
    static const char *const settings[] = {"sms=1", NULL};
    g_autoptr(WsJob) job = g_new0(WsJob, 1);

    job->device = ws_device_load("h200", settings, error);
    if (job->device == NULL)
        return NULL;
    job->program = compile(job->device, number, error);
    if (job->program == NULL)
        return NULL;
    job->path = g_strdup("chain");
    job->buffer_count = 1;
    job->buffers = g_new0(WsBuffer, 1);
    job->buffers[0] = (WsBuffer){.name = g_strdup("out"),
                                 .type = WS_TYPE_U64,
                                 .count = 3,
                                 .bytes = 24,
                                 .address = WS_BUFFER_BASE,
                                 .data = g_malloc0(24)};
    add_launch(job);
    return g_steal_pointer(&job);
}

/* Cycles a step: row->a is the chain. */
static double step(const Row *row)
{
    GError *error = NULL;
    g_autoptr(WsJob) job = make_job(row->a, &error);
    g_autoptr(WsResult) result = NULL;
    const guint64 *times;
    guint steps = chains[row->a].steps;
    WsRunOptions options;

    ws_run_options_init(&options);
    result = job == NULL ? NULL : ws_simulation_run(job, &options, &error);
    if (result == NULL || result->status != WS_STATUS_OK) {
        g_printerr("%s: %s\n", row->name, error ? error->message : result->stop.message);
        exit(1);
    }
    times = (const guint64 *)(const void *)job->buffers[0].data;
    return ((double)times[1] - (double)times[0]) / (steps - steps / 4);
}

enum {
#define CHAIN(name, kind, start, steps, text, measured, tolerance) G_PASTE(AT_, __LINE__),
#include "ptx_chains.def"
#undef CHAIN
};

static const Row chain_rows[] = {
#define CHAIN(name, kind, start, steps, text, measured, tolerance)                                 \
    {name, measured, tolerance, step, text, 1, G_PASTE(AT_, __LINE__), 0},
#include "ptx_chains.def"
#undef CHAIN
};

const Group chain_group = {
    "Operations through PTX",
    "Chains of one warp, written in PTX (tests/model/ptx_chains.def), compiled here by Warpstep "
    "and for the H200 by ptxas 13.0. Two straight-line segments are between clock reads, one four "
    "times as long as the other. Cycles per step: the difference of the times divided by the "
    "difference of the steps.",
    chain_rows, G_N_ELEMENTS(chain_rows)};
