#include "tests/support/ptx_runner.h"

#include <check.h>
#include <math.h>
#include <string.h>

#include "isa/base/float_bits.h"
#include "isa/codegen/code_generation.h"
#include "isa/ir/ir.h"
#include "sim/gpu/simulation.h"
#include "tests/support/split_mix.h"

enum { THREADS = 256, OPERANDS = 3 };

/* ---- operands ---- */

static guint64 integer_operand(guint64 *state)
{
    static const guint64 special[] = {0,
                                      1,
                                      2,
                                      31,
                                      32,
                                      63,
                                      64,
                                      0x7f,
                                      0x80,
                                      0xff,
                                      0x7fff,
                                      0x8000,
                                      0xffff,
                                      0x7fffffff,
                                      0x80000000,
                                      0xffffffff,
                                      G_GUINT64_CONSTANT(0x7fffffffffffffff),
                                      G_GUINT64_CONSTANT(0x8000000000000000),
                                      G_GUINT64_CONSTANT(0xffffffff00000000),
                                      G_GUINT64_CONSTANT(0x100000000),
                                      G_MAXUINT64};
    guint64 z = split_mix_next(state);
    if (z % 3 == 0)
        return special[(z >> 8) % G_N_ELEMENTS(special)];
    return z % 3 == 1 ? split_mix_next(state) >> ((z >> 8) % 64) : split_mix_next(state);
}

static guint64 float_operand(guint64 *state)
{
    static const float special[] = {0.0f,          -0.0f,     1.0f,    -1.0f,    0.5f,
                                    2.5f,          -1.5f,     3.5f,    1e-40f,   -1e-40f,
                                    INFINITY,      -INFINITY, NAN,     1e38f,    -1e38f,
                                    2147483648.0f, 1e10f,     -300.7f, 65535.5f, 1.17549435e-38f};
    guint64 z = split_mix_next(state);
    if (z % 4 == 0)
        return ws_float_bits(special[(z >> 8) % G_N_ELEMENTS(special)]);
    if (z % 4 == 1)
        return split_mix_next(state) & 0xffffffff;
    double magnitude =
        ldexp((double)(split_mix_next(state) >> 11) * 0x1p-53 + 0.5, (int)(z >> 8) % 24);
    return ws_float_bits((float)((z & 0x80) ? -magnitude : magnitude));
}

static guint64 double_operand(guint64 *state)
{
    static const double special[] = {0.0,      -0.0, 1.0,    -1.0,      0.5,   2.5,
                                     -1.5,     3.5,  1e-310, -INFINITY, 1e308, -1e308,
                                     INFINITY, NAN,  1e19,   -1e10,     1e-40, 1e40};
    guint64 z = split_mix_next(state);
    if (z % 4 == 0)
        return ws_double_bits(special[(z >> 8) % G_N_ELEMENTS(special)]);
    if (z % 4 == 1)
        return split_mix_next(state);
    double magnitude =
        ldexp((double)(split_mix_next(state) >> 11) * 0x1p-53 + 0.5, (int)(z >> 8) % 40);
    return ws_double_bits((z & 0x80) ? -magnitude : magnitude);
}

static guint64 operand(OperandKind kind, guint64 *state)
{
    switch (kind) {
    case OPERANDS_FLOAT:
        return float_operand(state);
    case OPERANDS_DOUBLE:
        return double_operand(state);
    case OPERANDS_HALF: {
        static const guint16 special[] = {0,      0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00,
                                          0x7e00, 0x0001, 0x7bff, 0x3800, 0x4100, 0xc500};
        guint64 z = split_mix_next(state);
        guint64 low = z % 2 ? special[(z >> 8) % G_N_ELEMENTS(special)] : (z >> 16) & 0xffff;
        guint64 high = z & 2 ? special[(z >> 12) % G_N_ELEMENTS(special)] : (z >> 32) & 0xffff;
        return low | high << 16;
    }
    default:
        return integer_operand(state);
    }
}

/* ---- the program: one kernel a case ---- */

static void append_kernel(GString *text, guint number, const PtxCase *c)
{
    g_string_append_printf(
        text,
        ".visible .entry k%u(.param .u64 in, .param .u64 out)\n{\n"
        ".reg .b16 %%rs<4>; .reg .b32 %%r<8>; .reg .b64 %%rd<12>; .reg .f32 %%f<4>;\n"
        ".reg .f64 %%fd<4>; .reg .pred %%p<8>; .reg .b16 %%h<4>;\n"
        "ld.param.u64 %%rd4, [in]; ld.param.u64 %%rd5, [out]; mov.u32 %%r4, %%ctaid.x;\n"
        "mov.u32 %%r5, %%tid.x; mad.lo.u32 %%r4, %%r4, 256, %%r5;\n"
        "mul.wide.u32 %%rd6, %%r4, 24; add.s64 %%rd7, %%rd4, %%rd6;\n"
        "mul.wide.u32 %%rd8, %%r4, 8; add.s64 %%rd9, %%rd5, %%rd8;\n",
        number);
    for (guint i = 0; i < OPERANDS; i++)
        g_string_append_printf(text,
                               "ld.global.u64 %%rd%u, [%%rd7+%u]; cvt.u32.u64 %%r%u, %%rd%u;\n"
                               "cvt.u16.u32 %%rs%u, %%r%u; mov.b32 %%f%u, %%r%u;\n"
                               "mov.b64 %%fd%u, %%rd%u; and.b32 %%r5, %%r%u, 1;\n"
                               "setp.ne.u32 %%p%u, %%r5, 0;\n",
                               i, 8 * i, i, i, i, i, i, i, i, i, i, i);
    g_string_append_printf(text, "%s\n", c->statement);
    switch (c->result) {
    case 'h':
    case 'H':
        g_string_append(text, "cvt.u64.u16 %rd10, %rs3;\n");
        break;
    case 'r':
    case '2':
        g_string_append(text, "cvt.u64.u32 %rd10, %r3;\n");
        break;
    case 'f':
        g_string_append(text, "mov.b32 %r6, %f3; cvt.u64.u32 %rd10, %r6;\n");
        break;
    case 'D':
        g_string_append(text, "mov.b64 %rd10, %fd3;\n");
        break;
    case 'p':
        g_string_append(text, "selp.u64 %rd10, 1, 0, %p3;\n");
        break;
    default:
        g_string_append(text, "mov.b64 %rd10, %rd3;\n");
    }
    g_string_append(text, "st.global.u64 [%rd9], %rd10; ret;\n}\n");
}

/* Device functions for calls: values by registers and in structures, a local variable, a branch. */
#define FUNCTIONS                                                                                  \
    ".func (.param .b64 r) mix(.param .b32 x, .param .align 8 .b8 s[16])\n{\n"                     \
    ".reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p<2>; .reg .b16 %h<2>;\n"                      \
    ".local .align 8 .b8 depot[16];\n"                                                             \
    "ld.param.u32 %r0, [x]; ld.param.u64 %rd0, [s+8]; ld.param.u8 %h0, [s+1];\n"                   \
    "cvt.u32.u16 %r1, %h0; st.local.u32 [depot+4], %r1; setp.lt.s32 %p0, %r0, 0;\n"                \
    "@%p0 bra L; st.param.b64 [r], %rd0; ret;\n"                                                   \
    "L: ld.local.u32 %r2, [depot+4]; cvt.u64.u32 %rd1, %r2; st.param.b64 [r+0], %rd1; ret;\n}\n"   \
    ".func (.reg .b32 d, .reg .pred q) both(.reg .b32 a, .reg .pred p)\n{\n"                       \
    "not.pred q, p; @p add.s32 a, a, 1; mov.b32 d, a;\n}\n"

static WsProgram *compile(const PtxCase *cases, guint count)
{
    g_autoptr(GString) text =
        g_string_new(".version 7.0\n.target sm_80\n.address_size 64\n"
                     ".shared .align 8 .b8 shared_words[4096];\n"
                     ".const .align 8 .b64 constants[4] = {5, 6, 7, 8};\n"
                     ".global .align 8 .b64 globals[4] = {9, 10, 11, 12};\n" FUNCTIONS);
    for (guint i = 0; i < count; i++)
        append_kernel(text, i, &cases[i]);
    WsCompileOptions options;
    ws_compile_options_init(&options);
    GError *error = NULL;
    g_autoptr(WsIrModule) module =
        ws_ptx_to_ir("cases.ptx", text->str, text->len, &options, &error);
    ck_assert_msg(module != NULL, "%s", error == NULL ? "" : error->message);
    WsProgram *program = ws_ir_compile(module, &options, &error);
    ck_assert_msg(program != NULL, "%s", error == NULL ? "" : error->message);
    return program;
}

/* ---- the job ---- */

static void fill_inputs(guint64 *inputs, OperandKind kind)
{
    guint64 state = 7 + (guint64)kind;
    for (guint i = 0; i < THREADS * OPERANDS; i++)
        inputs[i] = operand(kind, &state);
}

static WsBuffer make_buffer(const char *name, guint64 count, guint64 address)
{
    WsBuffer buffer = {.name = g_strdup(name),
                       .type = WS_TYPE_U64,
                       .count = count,
                       .bytes = count * 8,
                       .address = address};
    buffer.data = g_malloc0(buffer.bytes);
    return buffer;
}

static void add_launch(WsLaunch *launch, const WsProgram *program, guint number, guint blocks,
                       guint64 in, guint64 out)
{
    g_autofree char *name = g_strdup_printf("k%u", number);
    launch->kernel = ws_program_find_kernel(program, name);
    ck_assert_ptr_nonnull(launch->kernel);
    launch->grid[0] = blocks;
    launch->grid[1] = launch->grid[2] = 1;
    launch->block[0] = THREADS;
    launch->block[1] = launch->block[2] = 1;
    launch->carveout = -1;
    launch->parameters = g_malloc0(16);
    memcpy(launch->parameters, &in, sizeof in);
    memcpy(launch->parameters + 8, &out, sizeof out);
}

/* A job without buffers and launches. */
static WsJob *compiled_job(const PtxCase *cases, guint count)
{
    static const char *const small[] = {"sms=1", NULL};
    GError *error = NULL;
    WsJob *job = g_new0(WsJob, 1);
    job->program = compile(cases, count);
    job->device = ws_device_load("h200", small, &error);
    ck_assert_msg(job->device != NULL, "%s", error == NULL ? "" : error->message);
    job->module_data = g_malloc0(job->program->module_bytes + 1);
    job->constant_data = g_malloc0(job->program->constant_bytes + 1);
    for (guint i = 0; i < job->program->symbol_count; i++) {
        const WsSymbol *s = &job->program->symbols[i];
        guint8 *image = s->space == WS_SYMBOL_GLOBAL
                            ? job->module_data + (s->address - WS_MODULE_WINDOW)
                            : job->constant_data + s->address;
        if (s->initial != NULL)
            memcpy(image, s->initial, s->size);
    }
    return job;
}

static WsJob *make_job(const PtxCase *cases, guint count)
{
    WsJob *job = compiled_job(cases, count);
    job->buffer_count = 5;
    job->buffers = g_new0(WsBuffer, 5);
    for (guint kind = 0; kind < 4; kind++) {
        job->buffers[kind] =
            make_buffer("in", (guint64)THREADS * OPERANDS, WS_BUFFER_BASE + kind * 0x100000);
        fill_inputs((guint64 *)(gpointer)job->buffers[kind].data, (OperandKind)kind);
    }
    job->buffers[4] = make_buffer("out", (guint64)THREADS * count, WS_BUFFER_BASE + 0x1000000);
    job->launch_count = count;
    job->launches = g_new0(WsLaunch, count);
    for (guint i = 0; i < count; i++)
        add_launch(&job->launches[i], job->program, i, 1, job->buffers[cases[i].operands].address,
                   job->buffers[4].address + (guint64)i * THREADS * 8);
    return job;
}

/* ---- comparison ---- */

static gboolean is_nan(guint64 bits, char result)
{
    switch (result) {
    case 'f':
        return (bits & 0x7fffffff) > 0x7f800000;
    case 'D':
        return (bits & G_MAXINT64) > G_GUINT64_CONSTANT(0x7ff0000000000000);
    case 'H':
        return (bits & 0x7fff) > 0x7c00;
    default:
        return FALSE;
    }
}

static double value_of(guint64 bits, char result)
{
    return result == 'f' ? ws_float((guint32)bits) : ws_double(bits);
}

static gboolean same(guint64 expected, guint64 found, const PtxCase *c)
{
    if (is_nan(expected, c->result) && is_nan(found, c->result))
        return TRUE;
    if (c->result == '2')
        return (same(expected & 0xffff, found & 0xffff, &(PtxCase){.result = 'H'}) &&
                same(expected >> 16, found >> 16, &(PtxCase){.result = 'H'}));
    if (expected == found || c->tolerance == 0)
        return expected == found;
    double e = value_of(expected, c->result);
    double f = value_of(found, c->result);
    return fabs(e - f) <= c->tolerance * fabs(e) || fabs(e - f) <= c->tolerance * 0x1p-20;
}

static guint64 mask_of(char result)
{
    switch (result) {
    case 'h':
    case 'H':
        return 0xffff;
    case 'r':
    case 'f':
    case '2':
        return 0xffffffff;
    case 'p':
        return 1;
    default:
        return G_MAXUINT64;
    }
}

static void compare(const PtxCase *c, const guint64 *inputs, const guint64 *found, GString *report)
{
    for (guint t = 0; t < THREADS; t++) {
        const guint64 *in = inputs + (gsize)t * OPERANDS;
        guint64 expected = c->reference(in[0], in[1], in[2]) & mask_of(c->result);
        if (same(expected, found[t], c))
            continue;
        g_string_append_printf(report,
                               "%s: a=%016" G_GINT64_MODIFIER "x b=%016" G_GINT64_MODIFIER
                               "x c=%016" G_GINT64_MODIFIER "x expected %016" G_GINT64_MODIFIER
                               "x found %016" G_GINT64_MODIFIER "x\n",
                               c->statement, in[0], in[1], in[2], expected, found[t]);
        return;
    }
}

static void run(WsJob *job, const PtxCase *cases, guint64 max_cycles)
{
    WsRunOptions options;
    ws_run_options_init(&options);
    options.max_cycles = max_cycles;
    GError *error = NULL;
    g_autoptr(WsResult) result = ws_simulation_run(job, &options, &error);
    ck_assert_msg(result != NULL, "%s", error == NULL ? "" : error->message);
    ck_assert_msg(result->status == WS_STATUS_OK, "%s: %s",
                  cases[result->launch_count - 1].statement, result->stop.message);
}

void compute_by_ptx(const char *statement, char result, const guint64 *operands, guint count,
                    guint64 *found)
{
    const PtxCase c = {.statement = statement, .result = result};
    const guint blocks = (count + THREADS - 1) / THREADS;
    const gsize threads = (gsize)blocks * THREADS;
    g_autoptr(WsJob) job = compiled_job(&c, 1);
    job->buffer_count = 2;
    job->buffers = g_new0(WsBuffer, 2);
    job->buffers[0] = make_buffer("in", threads * OPERANDS, WS_BUFFER_BASE);
    job->buffers[1] = make_buffer("out", threads, WS_BUFFER_BASE + ((guint64)1 << 36));
    memcpy(job->buffers[0].data, operands, (gsize)count * OPERANDS * sizeof *operands);
    job->launch_count = 1;
    job->launches = g_new0(WsLaunch, 1);
    add_launch(&job->launches[0], job->program, 0, blocks, job->buffers[0].address,
               job->buffers[1].address);
    run(job, &c, G_MAXINT64);
    memcpy(found, job->buffers[1].data, (gsize)count * sizeof *found);
}

void run_ptx_cases(const PtxCase *cases, guint count)
{
    g_autoptr(WsJob) job = make_job(cases, count);
    run(job, cases, 20000000);
    g_autoptr(GString) report = g_string_new(NULL);
    for (guint i = 0; i < count; i++)
        compare(&cases[i], (const guint64 *)(gconstpointer)job->buffers[cases[i].operands].data,
                (const guint64 *)(gconstpointer)job->buffers[4].data + (gsize)i * THREADS, report);
    ck_assert_msg(report->len == 0, "\n%s", report->str);
}
