/*
 * What PTX becomes: single rules of the passes on a few lines each, and whole kernels in bytecode
 * with their control fields, as files in tests/golden/rooms/.
 */
#include <string.h>

#include "isa/codegen/code_generation.h"
#include "isa/codegen/latency.h"
#include "isa/text/assembler.h"
#include "isa/text/disassembler.h"
#include "tests/support/golden_text.h"
#include "tests/support/suite.h"

static WsProgram *compile(const char *path, const char *text, const WsCompileOptions *options)
{
    GError *error = NULL;
    g_autoptr(WsIrModule) module = ws_ptx_to_ir(path, text, strlen(text), options, &error);

    ck_assert_msg(module != NULL, "%s", error ? error->message : "");
    WsProgram *program = ws_ir_compile(module, options, &error);
    ck_assert_msg(program != NULL, "%s", error ? error->message : "");
    return program;
}

static WsProgram *compile_lines(const char *lines)
{
    g_autofree char *text = g_strconcat(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k (.param .u64 x)\n{\n"
        ".reg .pred %p<9>;\n.reg .b32 %r<30>;\n.reg .f32 %f<20>;\n.reg .b64 %rd<9>;\n"
        "ld.param.u64 %rd1, [x];\nmov.u32 %r1, %tid.x;\nld.global.u32 %r2, [%rd1];\n"
        "ld.global.u32 %r3, [%rd1+4];\nld.global.f32 %f1, [%rd1+8];\nld.global.f32 %f2, "
        "[%rd1+12];\n",
        lines, "ret;\n}\n", NULL);
    WsCompileOptions options;

    ws_compile_options_init(&options);
    return compile("rule.ptx", text, &options);
}

/* How many instructions begin with a text. */
static guint count_of(const WsProgram *program, const char *begin)
{
    guint count = 0;

    for (guint32 i = 0; i < program->instruction_count; i++) {
        g_autofree char *text = ws_instruction_to_text(&program->instructions[i], NULL);
        count += strstr(text, begin) != NULL;
    }
    return count;
}

/* Which instructions are one and the same, and which only look so. */
static const struct {
    const char *name, *lines, *instruction;
    guint count;
} rules[] = {
    {"the same sum twice is one",
     "add.f32 %f3, %f1, %f2;\nadd.f32 %f4, %f1, %f2;\nst.global.f32 [%rd1], %f3;\n"
     "st.global.f32 [%rd1+4], %f4;\n",
     "FADD", 1},
    {"one flushes denormals: two sums",
     "add.f32 %f3, %f1, %f2;\nadd.ftz.f32 %f4, %f1, %f2;\nst.global.f32 [%rd1], %f3;\n"
     "st.global.f32 [%rd1+4], %f4;\n",
     "FADD", 2},
    {"another rounding: two products",
     "mul.rn.f32 %f3, %f1, %f2;\nmul.rz.f32 %f4, %f1, %f2;\nst.global.f32 [%rd1], %f3;\n"
     "st.global.f32 [%rd1+4], %f4;\n",
     "FMUL", 2},
    {"signed and unsigned minimum",
     "min.s32 %r4, %r2, %r3;\nmin.u32 %r5, %r2, %r3;\nst.global.u32 [%rd1], %r4;\n"
     "st.global.u32 [%rd1+4], %r5;\n",
     "IMNMX", 2},
    {"an atomic sum that nobody reads is a reduction", "atom.global.add.u32 %r4, [%rd1], %r2;\n",
     "RED", 1},
    {"and no atomic then", "atom.global.add.u32 %r4, [%rd1], %r2;\n", "ATOM", 0},
    {"an atomic sum that is read",
     "atom.global.add.u32 %r4, [%rd1], %r2;\nst.global.u32 [%rd1+4], %r4;\n", "ATOM", 1},
    {"an exchange that nobody reads stays an atomic", "atom.global.exch.b32 %r4, [%rd1], %r2;\n",
     "ATOM", 1},
    {"and becomes no reduction", "atom.global.exch.b32 %r4, [%rd1], %r2;\n", "RED", 0},
    {"a comparison and exchange stays too", "atom.global.cas.b32 %r4, [%rd1], %r2, %r3;\n", "ATOM",
     1},
    {"a load that nobody reads is gone", "ld.global.u32 %r4, [%rd1+64];\n", "0x40]", 0},
    {"a volatile one stays", "ld.volatile.global.u32 %r4, [%rd1+64];\n", "0x40]", 1},
    {"what nobody reads is not computed", "mul.f32 %f3, %f1, %f2;\n", "FMUL", 0},
    {"a product and a sum are one FFMA",
     "mul.f32 %f3, %f1, %f2;\nadd.f32 %f4, %f3, %f1;\nst.global.f32 [%rd1], %f4;\n", "FFMA", 1},
    {"unless rounded apart",
     "mul.rn.f32 %f3, %f1, %f2;\nadd.rn.f32 %f4, %f3, %f1;\nst.global.f32 [%rd1], %f4;\n", "FFMA",
     0},
    {"loads are never one, even of what is constant",
     "ld.global.nc.u32 %r4, [%rd1+64];\nld.global.nc.u32 %r5, [%rd1+64];\nst.global.u32 [%rd1], "
     "%r4;\n"
     "st.global.u32 [%rd1+4], %r5;\n",
     "0x40]", 2},
    {"a load behind a store of its word stays",
     "ld.global.u32 %r4, [%rd1+64];\nst.global.u32 [%rd1+64], %r2;\nld.global.u32 %r5, [%rd1+64];\n"
     "st.global.u32 [%rd1], %r4;\nst.global.u32 [%rd1+4], %r5;\n",
     "LDG", 3},
};

START_TEST(one_rule)
{
    g_autoptr(WsProgram) program = compile_lines(rules[_i].lines);
    g_autofree char *text = ws_disassemble(program, &(WsDisassembleOptions){0});

    ck_assert_msg(count_of(program, rules[_i].instruction) == rules[_i].count, "%s: %u %s in\n%s",
                  rules[_i].name, count_of(program, rules[_i].instruction), rules[_i].instruction,
                  text);
}
END_TEST

/* Cycles from an instruction to the one that uses its result. */
static const struct {
    const char *producer, *consumer;
    WsReadKind kind;
    guint cycles;
} latencies[] = {
    {"FADD R4, R2, R3", "FADD R5, R4, R4", WS_READ_VALUE, 4},
    {"FADD R4, R2, R3", "IADD3 R5, R4, R4, RZ", WS_READ_VALUE, 5},
    {"IADD3 R4, R2, R3, RZ", "IADD3 R5, R4, R4, RZ", WS_READ_VALUE, 4},
    {"ISETP.NE P0, R2, R3", "@P0 BRA 0x40", WS_READ_GUARD, 13},
    {"ISETP.NE P0, R2, R3", "@P0 IADD3 R5, R4, R4, RZ", WS_READ_GUARD, 13},
    {"ISETP.NE P0, R2, R3", "SEL R5, R4, R3, P0", WS_READ_PREDICATE, 0},
    {"FSETP.NE P0, R2, R3", "@P0 BRA 0x40", WS_READ_GUARD, 13},
    {"DADD R4, R2, R6", "DADD R8, R4, R6", WS_READ_VALUE, 8},
    {"MUFU.RCP R4, R2", "FADD R5, R4, R4", WS_READ_VALUE, 0},
    {"LDG.E R4, [R2]", "FADD R5, R4, R4", WS_READ_VALUE, 0},
    {"LDS R4, [R2]", "FADD R5, R4, R4", WS_READ_VALUE, 0},
    {"S2R R4, SR_TID.X", "FADD R5, R4, R4", WS_READ_VALUE, 0},
    {"IMAD R4, R2, R3, R5", "IMAD R6, R4, R4, R4", WS_READ_VALUE, 4},
    {"IMAD.WIDE R4, R2, R3, R6", "LDG.E R8, [R4]", WS_READ_VALUE, 0},
    {"HADD2 R4, R2, R3", "HADD2 R5, R4, R4", WS_READ_VALUE, 0},
    {"HADD2 R4, R2, R3", "FADD R5, R4, R4", WS_READ_VALUE, 0},
    {"SHFL.IDX R4, R2, R3, R5", "FADD R5, R4, R4", WS_READ_VALUE, 0},
};

START_TEST(cycles_to_use)
{
    g_autoptr(GString) out = g_string_new(NULL);
    WsCompileOptions options;

    ws_compile_options_init(&options);
    for (guint i = 0; i < G_N_ELEMENTS(latencies); i++) {
        WsInstruction producer, consumer;
        GError *error = NULL;
        if (!ws_assemble_instruction(latencies[i].producer, &producer, &error) ||
            !ws_assemble_instruction(latencies[i].consumer, &consumer, &error))
            ck_abort_msg("%s", error->message);
        guint cycles = ws_dependence_latency(&producer, &consumer, latencies[i].kind, &options);
        if (latencies[i].cycles != 0)
            ck_assert_msg(cycles == latencies[i].cycles, "%s, %s: %u", latencies[i].producer,
                          latencies[i].consumer, cycles);
        g_string_append_printf(out, "%s -> %s: %u%s\n", latencies[i].producer,
                               latencies[i].consumer, cycles,
                               ws_is_variable_latency(&producer, &options) ? ", variable" : "");
    }
    for (guint c = 0; c < WS_CLASS_COUNT; c++) {
        g_string_append_printf(out, "class %u: %u,", c, ws_class_latency(c, &options));
        for (guint r = 0; r < WS_RELATION_COUNT; r++)
            g_string_append_printf(out, " %u", ws_use_latency(c, r, &options));
        g_string_append_c(out, '\n');
    }
    golden_text_check("latencies.txt", out->str);
}
END_TEST

static const struct {
    const char *file, *name;
    guint32 registers;
    gboolean debug, plain; /* plain: neither if-conversion nor scheduling */
} kernels[] = {
    {"tests/data/rooms/shapes.ptx", "shapes", 0, FALSE, FALSE},
    {"tests/data/rooms/shapes.ptx", "shapes_plain", 0, FALSE, TRUE},
    {"tests/data/rooms/shapes.ptx", "shapes_16", 16, FALSE, FALSE},
    {"tests/data/rooms/shapes.ptx", "shapes_debug", 0, TRUE, FALSE},
    {"tests/ptx/mixed.nvcc.ptx", "mixed", 0, FALSE, FALSE},
    {"tests/ptx/barriers.ptx", "barriers", 0, FALSE, FALSE},
};

START_TEST(whole_kernels)
{
    static const WsDisassembleOptions all = {.words = TRUE, .sources = TRUE, .control = TRUE};
    g_autofree char *path = g_build_filename(g_getenv("WS_TEST_SOURCES"), kernels[_i].file, NULL);
    g_autofree char *text = NULL, *name = g_strdup_printf("compiled_%s.txt", kernels[_i].name);
    WsCompileOptions options;

    ck_assert(g_file_get_contents(path, &text, NULL, NULL));
    ws_compile_options_init(&options);
    options.max_registers = kernels[_i].registers;
    options.debug = kernels[_i].debug;
    if (kernels[_i].plain)
        options.if_convert = options.schedule = FALSE;
    g_autoptr(WsProgram) program = compile("kernel.ptx", text, &options);
    g_autofree char *code = ws_disassemble(program, &all);
    golden_text_check(name, code);
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, one_rule, 0, G_N_ELEMENTS(rules));
    tcase_add_test(cases, cycles_to_use);
    tcase_add_loop_test(cases, whole_kernels, 0, G_N_ELEMENTS(kernels));
}

int main(void)
{
    return run_suite("compiled", add_tests);
}
