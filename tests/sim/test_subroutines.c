/*
 * Division of 64 bits, which is called: many calls of one subroutine and of several, from both
 * sides of branches, from loops that lanes leave in turn, under a guard, behind an exit of some
 * lanes, and with more values alive than registers. Each kernel against C, lane by lane, under all
 * models of divergence, ways of handling dependences and warp sizes, and as compiled in different
 * ways.
 */
#include <string.h>

#include "isa/bytecode/opcode.h"
#include "isa/codegen/code_generation.h"
#include "isa/container/verifier.h"
#include "isa/ir/ir.h"
#include "isa/text/assembler.h"
#include "isa/text/disassembler.h"
#include "sim/gpu/simulation.h"
#include "tests/support/split_mix.h"
#include "tests/support/suite.h"

enum { THREADS = 160, BYTES = THREADS * 8 };

static guint64 divide(guint64 a, guint64 b)
{
    return b == 0 ? G_MAXUINT64 : a / b;
}

static guint64 remainder_of(guint64 a, guint64 b)
{
    return b == 0 ? G_MAXUINT64 : a % b;
}

static guint64 magnitude(guint64 a)
{
    return (gint64)a < 0 ? -a : a;
}

static guint64 divide_signed(guint64 a, guint64 b)
{
    guint64 q = divide(magnitude(a), magnitude(b));
    return b == 0 ? G_MAXUINT64 : (gint64)(a ^ b) < 0 ? -q : q;
}

static guint64 remainder_signed(guint64 a, guint64 b)
{
    guint64 r = remainder_of(magnitude(a), magnitude(b));
    return b == 0 ? G_MAXUINT64 : (gint64)a < 0 ? -r : r;
}

/* ---- kernels: a in %rd0, b in %rd1, the thread in %r0; the result in %rd2 ---- */

typedef struct {
    const char *name;
    const char *body;
    guint64 (*reference)(guint64 a, guint64 b, guint32 thread);
} Kernel;

static guint64 all_four(guint64 a, guint64 b, guint32 thread)
{
    (void)thread;
    return divide(a, b) + 3 * remainder_of(a, b) + 5 * divide_signed(a, b) +
           7 * remainder_signed(b, a);
}

#define ALL_FOUR                                                                                   \
    "div.u64 %rd3, %rd0, %rd1; rem.u64 %rd4, %rd0, %rd1; div.s64 %rd5, %rd0, %rd1;\n"              \
    "rem.s64 %rd6, %rd1, %rd0; mad.lo.u64 %rd2, %rd4, 3, %rd3; mad.lo.u64 %rd2, %rd5, 5, %rd2;\n"  \
    "mad.lo.u64 %rd2, %rd6, 7, %rd2;\n"

static guint64 chain(guint64 a, guint64 b, guint32 thread)
{
    (void)thread;
    guint64 x = a;
    for (guint i = 0; i < 4; i++)
        x = divide(b, x) + a;
    return x + remainder_of(12345, x);
}

#define LINK "div.u64 %rd2, %rd1, %rd2; add.u64 %rd2, %rd2, %rd0;\n"
#define CHAIN                                                                                      \
    "mov.u64 %rd2, %rd0;\n" LINK LINK LINK LINK                                                    \
    "mov.u64 %rd4, 12345; rem.u64 %rd3, %rd4, %rd2; add.u64 %rd2, %rd2, %rd3;\n"

static guint64 both_sides(guint64 a, guint64 b, guint32 thread)
{
    guint64 x = thread & 2 ? divide(divide(a, b) + b, a) : divide(b, a) ^ remainder_of(b, a);
    return x + divide(a, x) + a;
}

#define BOTH_SIDES                                                                                 \
    "and.b32 %r1, %r0, 2; setp.eq.u32 %p0, %r1, 0; @%p0 bra OTHER;\n"                              \
    "div.u64 %rd3, %rd0, %rd1; add.u64 %rd3, %rd3, %rd1; div.u64 %rd3, %rd3, %rd0; bra JOIN;\n"    \
    "OTHER: div.u64 %rd3, %rd1, %rd0; rem.u64 %rd4, %rd1, %rd0; xor.b64 %rd3, %rd3, %rd4;\n"       \
    "JOIN: div.u64 %rd4, %rd0, %rd3; add.u64 %rd2, %rd3, %rd4; add.u64 %rd2, %rd2, %rd0;\n"

static guint64 loop(guint64 a, guint64 b, guint32 thread)
{
    for (guint i = 0; i <= thread % 7; i++) {
        a = divide_signed(a, b) + 1000 * i + (a << 3);
        if (((a >> 5) & 3) == 1)
            a += remainder_of(b, a);
        b = 5 * b + 1;
    }
    return a;
}

#define LOOP                                                                                       \
    "rem.u32 %r1, %r0, 7; mov.u32 %r2, 0; mov.u64 %rd2, %rd0;\n"                                   \
    "div_s64: div.s64 %rd3, %rd2, %rd1; shl.b64 %rd2, %rd2, 3; add.u64 %rd2, %rd2, %rd3;\n"        \
    "mul.wide.u32 %rd3, %r2, 1000; add.u64 %rd2, %rd2, %rd3; shr.u64 %rd3, %rd2, 5;\n"             \
    "and.b64 %rd3, %rd3, 3; setp.ne.u64 %p0, %rd3, 1; @%p0 bra SKIP;\n"                            \
    "rem.u64 %rd3, %rd1, %rd2; add.u64 %rd2, %rd2, %rd3;\n"                                        \
    "SKIP: mad.lo.u64 %rd1, %rd1, 5, 1; add.u32 %r2, %r2, 1; setp.le.u32 %p1, %r2, %r1;\n"         \
    "@%p1 bra div_s64;\n"

static guint64 guarded(guint64 a, guint64 b, guint32 thread)
{
    guint64 x = 5;
    if (thread % 5 == 4)
        return 0;
    if (thread & 1)
        x = divide(a, b);
    return thread & 4 ? remainder_signed(x, b) : x;
}

#define GUARDED                                                                                    \
    "rem.u32 %r1, %r0, 5; setp.eq.u32 %p0, %r1, 4; mov.u64 %rd2, 0; @%p0 ret;\n"                   \
    "mov.u64 %rd2, 5; and.b32 %r1, %r0, 1; setp.ne.u32 %p1, %r1, 0;\n"                             \
    "@%p1 div.u64 %rd2, %rd0, %rd1; and.b32 %r1, %r0, 4; setp.ne.u32 %p1, %r1, 0;\n"               \
    "@%p1 rem.s64 %rd2, %rd2, %rd1;\n"

static guint64 crowded(guint64 a, guint64 b, guint32 thread)
{
    guint64 value[8], sum = 0;
    for (guint i = 0; i < 8; i++)
        value[i] = a * (2 * i + 3) + thread;
    for (guint i = 0; i < 8; i++)
        b = divide(value[i], b) + value[7 - i] + (thread & 1u << (i & 3) ? 1 : 0);
    for (guint i = 0; i < 8; i++)
        sum ^= value[i] * (i + 1);
    return sum + b;
}

#define VALUE(n, factor, bit)                                                                      \
    "mad.lo.u64 %rd1" #n ", %rd0, " #factor ", %rd8; and.b32 %r1, %r0, " #bit ";\n"                \
    "setp.ne.u32 %p" #n ", %r1, 0;\n"
#define STEP(n, other)                                                                             \
    "div.u64 %rd1, %rd1" #n ", %rd1; add.u64 %rd1, %rd1, %rd1" #other ";\n"                        \
    "selp.u64 %rd3, 1, 0, %p" #n "; add.u64 %rd1, %rd1, %rd3;\n"
#define SUM(n, factor) "mul.lo.u64 %rd3, %rd1" #n ", " #factor "; xor.b64 %rd2, %rd2, %rd3;\n"
#define CROWDED                                                                                    \
    "cvt.u64.u32 %rd8, %r0; mov.u64 %rd2, 0;\n" VALUE(0, 3, 1) VALUE(1, 5, 2) VALUE(2, 7, 4)       \
        VALUE(3, 9, 8) VALUE(4, 11, 1) VALUE(5, 13, 2) VALUE(6, 15, 4) VALUE(7, 17, 8) STEP(0, 7)  \
            STEP(1, 6) STEP(2, 5) STEP(3, 4) STEP(4, 3) STEP(5, 2) STEP(6, 1) STEP(7, 0) SUM(0, 1) \
                SUM(1, 2) SUM(2, 3) SUM(3, 4) SUM(4, 5) SUM(5, 6) SUM(6, 7)                        \
                    SUM(7, 8) "add.u64 %rd2, %rd2, %rd1;\n"

static guint64 unused(guint64 a, guint64 b, guint32 thread)
{
    (void)thread;
    return divide(a, b) & 0xffffffff;
}

#define UNUSED                                                                                     \
    "rem.s64 %rd4, %rd0, %rd1; div.u64 %rd3, %rd0, %rd1; cvt.u32.u64 %r1, %rd3;\n"                 \
    "cvt.u64.u32 %rd2, %r1;\n"

static const Kernel kernels[] = {
    {"all_four", ALL_FOUR, all_four},
    {"chain", CHAIN, chain},
    {"both_sides", BOTH_SIDES, both_sides},
    {"loop", LOOP, loop},
    {"guarded", GUARDED, guarded},
    {"crowded", CROWDED, crowded},
    {"unused", UNUSED, unused},
};

static WsProgram *compile(const WsCompileOptions *options)
{
    g_autoptr(GString) text = g_string_new(".version 8.0\n.target sm_90\n.address_size 64\n");
    GError *error = NULL;
    for (guint k = 0; k < G_N_ELEMENTS(kernels); k++) {
        g_string_append_printf(
            text,
            ".visible .entry %s(.param .u64 in)\n{\n.reg .b32 %%r<4>; .reg .b64 %%rd<32>;\n"
            ".reg .pred %%p<8>; ld.param.u64 %%rd30, [in]; mov.u32 %%r0, %%tid.x;\n"
            "mul.wide.u32 %%rd31, %%r0, 8; add.u64 %%rd31, %%rd31, %%rd30;\n"
            "ld.global.u64 %%rd0, [%%rd31]; ld.global.u64 %%rd1, [%%rd31+%u];\n%s"
            "st.global.u64 [%%rd31+%u], %%rd2; ret;\n}\n",
            kernels[k].name, BYTES, kernels[k].body, 2 * BYTES);
    }
    g_autoptr(WsIrModule) module = ws_ptx_to_ir("test.ptx", text->str, text->len, options, &error);
    ck_assert_msg(module != NULL, "%s", error == NULL ? "" : error->message);
    WsProgram *program = ws_ir_compile(module, options, &error);
    ck_assert_msg(program != NULL, "%s", error == NULL ? "" : error->message);
    ck_assert_msg(ws_verify(program, &error), "%s", error == NULL ? "" : error->message);
    ck_assert_uint_eq(program->kernel_count, G_N_ELEMENTS(kernels));
    return program;
}

static guint64 random_operand(guint64 *state)
{
    static const guint64 special[] = {0,
                                      1,
                                      3,
                                      0xffffffff,
                                      G_GUINT64_CONSTANT(0x100000000),
                                      G_GUINT64_CONSTANT(0x7fffffffffffffff),
                                      G_GUINT64_CONSTANT(0x8000000000000000),
                                      G_MAXUINT64};
    guint64 z = split_mix_next(state);
    return z % 4 == 0 ? special[(z >> 8) % G_N_ELEMENTS(special)]
                      : split_mix_next(state) >> ((z >> 8) % 64);
}

static WsJob *make_job(const WsCompileOptions *options, const char *const *settings, guint kernel)
{
    GError *error = NULL;
    guint64 state = 11;
    WsJob *job = g_new0(WsJob, 1);
    job->device = ws_device_load("h200", settings, &error);
    ck_assert_msg(job->device != NULL, "%s", error == NULL ? "" : error->message);
    job->program = compile(options);
    job->path = g_strdup("test");
    job->buffer_count = 1;
    job->buffers = g_new0(WsBuffer, 1);
    job->buffers[0] = (WsBuffer){.name = g_strdup("in"),
                                 .type = WS_TYPE_U64,
                                 .count = 3 * (gsize)THREADS,
                                 .bytes = 3 * BYTES,
                                 .address = WS_BUFFER_BASE,
                                 .data = g_malloc0(3 * BYTES)};
    guint64 *data = (guint64 *)(void *)job->buffers[0].data;
    for (guint i = 0; i < 2 * THREADS; i++)
        data[i] = random_operand(&state);
    WsLaunch *launch = g_new0(WsLaunch, 1);
    launch->kernel = ws_program_find_kernel(job->program, kernels[kernel].name);
    ck_assert_ptr_nonnull(launch->kernel);
    for (guint i = 0; i < 3; i++)
        launch->grid[i] = launch->block[i] = 1;
    launch->block[0] = THREADS;
    launch->carveout = -1;
    launch->parameters = g_memdup2(&job->buffers[0].address, 8);
    job->launches = launch;
    job->launch_count = 1;
    job->module_data = g_malloc0(1);
    job->constant_data = g_malloc0(1);
    return job;
}

static void check(const WsCompileOptions *options, const char *const *settings)
{
    for (guint k = 0; k < G_N_ELEMENTS(kernels); k++) {
        g_autoptr(WsJob) job = make_job(options, settings, k);
        GError *error = NULL;
        WsRunOptions run;
        ws_run_options_init(&run);
        g_autoptr(WsResult) result = ws_simulation_run(job, &run, &error);
        ck_assert_msg(result != NULL, "%s", error == NULL ? "" : error->message);
        ck_assert_msg(result->status == WS_STATUS_OK, "%s: %s", kernels[k].name,
                      result->stop.message);
        for (guint i = 0; result->warnings[i] != NULL; i++)
            ck_assert_msg(strstr(result->warnings[i], "hazard") == NULL, "%s: %s", kernels[k].name,
                          result->warnings[i]);
        const guint64 *data = (const guint64 *)(const void *)job->buffers[0].data;
        for (guint t = 0; t < THREADS; t++) {
            guint64 expected = kernels[k].reference(data[t], data[THREADS + t], t);
            ck_assert_msg(data[2 * THREADS + t] == expected,
                          "%s, thread %u: %016" G_GINT64_MODIFIER "x, %016" G_GINT64_MODIFIER
                          "x give %016" G_GINT64_MODIFIER "x, not %016" G_GINT64_MODIFIER "x",
                          kernels[k].name, t, data[t], data[THREADS + t], data[2 * THREADS + t],
                          expected);
        }
    }
}

static const char *const models[] = {"its", "stack", "none"};
static const char *const ways[] = {"scoreboard", "control", "blocking"};

START_TEST(test_machines)
{
    static const guint sizes[] = {8, 16, 32, 64};
    WsCompileOptions options;
    ws_compile_options_init(&options);
    g_autofree char *model = g_strdup_printf("divergence.model=%s", models[_i % 3]);
    g_autofree char *way = g_strdup_printf("dependences=%s", ways[_i / 3 % 3]);
    g_autofree char *size = g_strdup_printf("warp_size=%u", sizes[_i / 9]);
    const char *settings[] = {"sms=1", model, way, size, NULL};
    check(&options, settings);
}
END_TEST

/* Spilling, no scheduling, no predication, operands from constant memory. */
START_TEST(test_compilers)
{
    WsCompileOptions options;
    ws_compile_options_init(&options);
    options.max_registers = _i & 1 ? 28 : 0;
    options.schedule = (_i & 2) == 0;
    options.if_convert = (_i & 4) == 0;
    options.load_constants = (_i & 8) == 0;
    const char *settings[] = {"sms=1", "dependences=control", NULL};
    check(&options, settings);
}
END_TEST

static guint count_of(const WsProgram *program, const WsKernel *kernel, WsOpcode opcode)
{
    guint count = 0;
    for (guint32 i = 0; i < kernel->count; i++)
        count += program->instructions[kernel->first + i].opcode == opcode;
    return count;
}

/* One body for all calls of a kind, behind the kernel's EXIT; what nobody reads is not called. */
START_TEST(test_shape)
{
    static const guint calls[][2] = {{4, 4}, {5, 2}, {5, 2}, {2, 2}, {2, 2}, {8, 1}, {1, 1}};
    WsCompileOptions options;
    ws_compile_options_init(&options);
    g_autoptr(WsProgram) program = compile(&options);
    for (guint k = 0; k < G_N_ELEMENTS(kernels); k++) {
        const WsKernel *kernel = ws_program_find_kernel(program, kernels[k].name);
        ck_assert_uint_eq(count_of(program, kernel, WS_OP_CALL), calls[k][0]);
        ck_assert_uint_eq(count_of(program, kernel, WS_OP_RET), calls[k][1]);
        ck_assert_uint_eq(program->instructions[kernel->first + kernel->count - 1].opcode,
                          WS_OP_RET);
    }
}
END_TEST

/* The listing makes the same program, although a label of PTX is called like a subroutine. */
START_TEST(test_listing)
{
    WsCompileOptions options;
    WsDisassembleOptions listing = {0};
    GError *error = NULL;
    ws_compile_options_init(&options);
    g_autoptr(WsProgram) program = compile(&options);
    g_autofree char *text = ws_disassemble(program, &listing);
    ck_assert_ptr_nonnull(strstr(text, "\ndiv_s64:"));
    ck_assert_ptr_nonnull(strstr(text, "\ndiv.s64:"));
    g_autoptr(WsProgram) again = ws_assemble("test.wsasm", text, strlen(text), NULL, &error);
    ck_assert_msg(again != NULL, "%s", error == NULL ? "" : error->message);
    g_autofree char *second = ws_disassemble(again, &listing);
    ck_assert_str_eq(text, second);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_set_timeout(cases, 120);
    tcase_add_loop_test(cases, test_machines, 0, 36);
    tcase_add_loop_test(cases, test_compilers, 0, 16);
    tcase_add_test(cases, test_shape);
    tcase_add_test(cases, test_listing);
}

int main(void)
{
    return run_suite("subroutines", add_tests);
}
