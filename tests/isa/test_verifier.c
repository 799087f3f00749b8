#include "isa/container/verifier.h"

#include <string.h>

#include "isa/base/error.h"
#include "isa/bytecode/opcode.h"
#include "isa/container/binary.h"
#include "isa/text/assembler.h"
#include "isa/text/disassembler.h"
#include "tests/support/suite.h"

static const char *const text = ".const f32 taps[2] = 1, 2\n"
                                ".global u32 counter\n"
                                ".kernel k\n"
                                ".param u64 p\n"
                                ".param f32 a\n"
                                ".shared 128\n"
                                "S2R R0, SR_TID.X\n"
                                "ISETP.LT P0, R0, 16\n"
                                "@P0 BRA on\n"
                                "LDC.64 R2, c[p]\n"
                                "on: FADD R4, R2, c[a]\n"
                                "BAR.SYNC 0\n"
                                "EXIT\n"
                                ".kernel other\n"
                                "MOV R8, 1\n"
                                "EXIT\n";

static WsProgram *assemble(void)
{
    g_autoptr(GError) error = NULL;
    WsProgram *program = ws_assemble("t.wsasm", text, strlen(text), NULL, &error);
    ck_assert_msg(program != NULL, "%s", error != NULL ? error->message : "");
    return program;
}

static void register_outside(WsProgram *program)
{
    program->kernels[0].registers = 4;
}
static void odd_pair(WsProgram *program)
{
    program->instructions[4].operand[0].index = 1;
}
static void target_outside(WsProgram *program)
{
    program->instructions[3].operand[1].value = program->kernels[1].first;
}
static void falls_off(WsProgram *program)
{
    ws_instruction_init(&program->instructions[program->kernels[0].count - 1], WS_OP_NOP);
}
static void wrong_kind(WsProgram *program)
{
    program->instructions[0].operand[0].kind = WS_OPERAND_PREDICATE;
}
static void wrong_modifier(WsProgram *program)
{
    program->instructions[0].mod[WS_MOD_WIDTH] = WS_WIDTH_64;
}
static void modifier_out_of_range(WsProgram *program)
{
    program->instructions[4].mod[WS_MOD_WIDTH] = 7;
}
static void two_constants(WsProgram *program)
{
    WsInstruction *instruction = &program->instructions[1];
    ws_instruction_init(instruction, WS_OP_FFMA);
    instruction->operand[2].kind = WS_OPERAND_CONSTANT;
    instruction->operand[3].kind = WS_OPERAND_CONSTANT;
}
static void constant_unaligned(WsProgram *program)
{
    program->instructions[6].operand[2].value += 2;
}
static void constant_behind_parameters(WsProgram *program)
{
    program->instructions[6].operand[2].value = 0x400;
}
static void bank_too_large(WsProgram *program)
{
    program->instructions[6].operand[2].bank = 4;
}
static void barrier_too_large(WsProgram *program)
{
    program->instructions[7].operand[2].value = 1;
}
static void no_registers(WsProgram *program)
{
    program->kernels[0].registers = 0;
}
static void too_many_registers(WsProgram *program)
{
    program->kernels[0].registers = 256;
}
static void kernel_outside(WsProgram *program)
{
    program->kernels[1].count = G_MAXUINT32;
}
static void kernels_overlap(WsProgram *program)
{
    program->kernels[1].first = 0;
}
static void parameter_overlap(WsProgram *program)
{
    program->kernels[0].parameters[1].offset = 4;
}
static void parameter_area(WsProgram *program)
{
    program->kernels[0].parameter_bytes = 32768;
}
static void location_outside(WsProgram *program)
{
    program->instructions[0].location = program->location_count;
}
static void file_outside(WsProgram *program)
{
    program->locations[1].file = g_strv_length(program->files);
}
static void symbol_outside(WsProgram *program)
{
    program->symbols[1].address += 4;
}
static void same_names(WsProgram *program)
{
    strcpy(program->kernels[1].name, "k");
}
static void opcode_outside(WsProgram *program)
{
    program->instructions[0].opcode = WS_OP_COUNT;
}
static void brx_without_table(WsProgram *program)
{
    ws_instruction_init(&program->instructions[1], WS_OP_BRX);
    program->instructions[1].operand[1].value = 4;
}
static void atomic_without_meaning(WsProgram *program)
{
    ws_instruction_init(&program->instructions[1], WS_OP_ATOMS);
    program->instructions[1].mod[WS_MOD_ATOMIC] = WS_ATOMIC_XOR;
    program->instructions[1].mod[WS_MOD_ATOMIC_TYPE] = WS_ATOMIC_F32;
}

static const struct {
    void (*damage)(WsProgram *program);
    const char *message;
} damages[] = {
    {register_outside, "t.wsasm:11:5: error: kernel k, instruction 0x60: register R4 is outside "
                       "the kernel's 4"},
    {odd_pair, "t.wsasm:10:1: error: kernel k, instruction 0x40: LDC, operand 1: a value of 2 "
               "words needs a register number that is a multiple of 2, not 1"},
    {target_outside, "the target is outside the kernel"},
    {falls_off, "control runs past the end of the kernel; EXIT is missing"},
    {wrong_kind, "wrong kind of operand"},
    {wrong_modifier, "S2R takes no modifier .64"},
    {modifier_out_of_range, "LDC has a modifier out of range"},
    {two_constants, "at most one source may be"},
    {constant_unaligned, "is not a multiple of 4"},
    {constant_behind_parameters, "is past the parameters"},
    {bank_too_large, "there is no constant bank 4"},
    {barrier_too_large, "barrier 1 is outside the kernel's 1"},
    {no_registers, "0 registers (1 to 255)"},
    {too_many_registers, "256 registers (1 to 255)"},
    {kernel_outside, "kernel other: it has no code"},
    {kernels_overlap, "its code overlaps that of the kernel before it"},
    {parameter_overlap, "parameter 2 has no valid place"},
    {parameter_area, "the parameters do not fit"},
    {location_outside, "has a location that does not exist"},
    {file_outside, "location 1 is not valid"},
    {symbol_outside, "variable counter is outside its space"},
    {same_names, "there are two kernels k"},
    {opcode_outside, "there is no opcode"},
    {brx_without_table, "BRX needs a table"},
    {atomic_without_meaning, "ATOMS does not exist with these modifiers"},
};

START_TEST(test_damage_is_found)
{
    g_autoptr(WsProgram) program = assemble();
    g_autoptr(GError) error = NULL;
    ck_assert(ws_verify(program, NULL));
    damages[_i].damage(program);
    ck_assert_msg(!ws_verify(program, &error), "%s", damages[_i].message);
    ck_assert(g_error_matches(error, WS_ERROR, WS_ERROR_INPUT));
    ck_assert_msg(strstr(error->message, damages[_i].message) != NULL, "%s", error->message);
}
END_TEST

START_TEST(test_binary_round_trip)
{
    g_autoptr(WsProgram) program = assemble();
    program->compiler = g_strdup("clang 14.0.6");
    g_autoptr(GError) error = NULL;
    g_autoptr(GBytes) bytes = ws_program_to_binary(program, &error);
    gsize length;
    const guint8 *data = g_bytes_get_data(bytes, &length);
    g_autoptr(WsProgram) back = ws_program_from_binary("t.wsbin", data, length, &error);
    ck_assert_msg(back != NULL, "%s", error != NULL ? error->message : "");
    g_autoptr(GBytes) again = ws_program_to_binary(back, &error);
    ck_assert(g_bytes_equal(bytes, again));
    WsDisassembleOptions options = {.words = TRUE, .sources = TRUE, .control = TRUE};
    g_autofree char *a = ws_disassemble(program, &options);
    g_autofree char *b = ws_disassemble(back, &options);
    ck_assert_str_eq(a, b);
    ck_assert_str_eq(back->compiler, "clang 14.0.6");
    ck_assert_uint_eq(back->constants[7], 0x40);
    ck_assert_str_eq(back->kernels[0].parameters[1].name, "a");
}
END_TEST

static void put_digest(guint8 *data, gsize length)
{
    enum { DIGEST = 20, BODY = 52 };
    g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
    gsize size = 32;
    g_checksum_update(checksum, data + BODY, (gssize)(length - BODY));
    g_checksum_get_digest(checksum, data + DIGEST, &size);
}

/* Every byte damaged in turn, with a good digest: refused with a message, or a valid program. */
/* What was written before the compiler was named lacks the string at the end. */
START_TEST(test_binary_without_a_compiler)
{
    enum { VERSION = 8, LENGTH = 12, HEAD = 52, EMPTY_STRING = 4 };
    g_autoptr(WsProgram) program = assemble();
    g_autoptr(GBytes) bytes = ws_program_to_binary(program, NULL);
    g_autoptr(GError) error = NULL;
    gsize length;
    const guint8 *data = g_bytes_get_data(bytes, &length);
    g_autoptr(WsProgram) none = ws_program_from_binary("t.wsbin", data, length, &error);
    ck_assert_ptr_null(none->compiler);
    g_autofree guint8 *older = g_memdup2(data, length);
    gsize shorter = length - EMPTY_STRING;
    guint64 body = GUINT64_TO_LE((guint64)(shorter - HEAD));
    older[VERSION] = 4;
    memcpy(older + LENGTH, &body, sizeof body);
    put_digest(older, shorter);
    g_autoptr(WsProgram) back = ws_program_from_binary("t.wsbin", older, shorter, &error);
    ck_assert_msg(back != NULL, "%s", error != NULL ? error->message : "");
    ck_assert_ptr_null(back->compiler);
}
END_TEST

START_TEST(test_binary_with_a_wrong_compiler)
{
    static const char *const names[] = {"clang\033[2J", "clang <b>14</b>", "clang \"14\"",
                                        ("a clang whose name has more bytes than are shown of one,"
                                         " and which is refused")};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autoptr(WsProgram) program = assemble();
        program->compiler = g_strdup(names[i]);
        g_autoptr(GBytes) bytes = ws_program_to_binary(program, NULL);
        g_autoptr(GError) error = NULL;
        gsize length;
        const guint8 *data = g_bytes_get_data(bytes, &length);
        ck_assert_ptr_null(ws_program_from_binary("t.wsbin", data, length, &error));
        ck_assert(g_error_matches(error, WS_ERROR, WS_ERROR_INPUT));
    }
}
END_TEST

START_TEST(test_damaged_binary)
{
    g_autoptr(WsProgram) program = assemble();
    g_autoptr(GBytes) bytes = ws_program_to_binary(program, NULL);
    gsize length;
    const guint8 *data = g_bytes_get_data(bytes, &length);
    guint refused = 0;
    for (gsize i = 0; i < length; i++) {
        for (guint bit = 0; bit < 8; bit++) {
            g_autofree guint8 *copy = g_memdup2(data, length);
            copy[i] ^= (guint8)(1 << bit);
            if (i >= 52) {
                put_digest(copy, length);
            }
            g_autoptr(GError) error = NULL;
            g_autoptr(WsProgram) back = ws_program_from_binary("t.wsbin", copy, length, &error);
            ck_assert((back == NULL) == (error != NULL));
            ck_assert(back == NULL || ws_verify(back, NULL));
            refused += back == NULL;
        }
    }
    ck_assert_uint_gt(refused, length * 4);
}
END_TEST

START_TEST(test_cut_binary)
{
    g_autoptr(WsProgram) program = assemble();
    g_autoptr(GBytes) bytes = ws_program_to_binary(program, NULL);
    gsize length;
    const guint8 *data = g_bytes_get_data(bytes, &length);
    for (gsize cut = 0; cut < length; cut++) {
        g_autofree guint8 *copy = g_memdup2(data, MAX(cut, 1));
        g_autoptr(GError) error = NULL;
        if (cut >= 52) {
            for (guint i = 0; i < 8; i++) {
                copy[12 + i] = (guint8)((guint64)(cut - 52) >> (8 * i));
            }
            put_digest(copy, cut);
        }
        ck_assert_ptr_null(ws_program_from_binary("t.wsbin", copy, cut, &error));
        ck_assert(g_error_matches(error, WS_ERROR, WS_ERROR_INPUT));
    }
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, test_damage_is_found, 0, G_N_ELEMENTS(damages));
    tcase_add_test(cases, test_binary_round_trip);
    tcase_add_test(cases, test_binary_without_a_compiler);
    tcase_add_test(cases, test_binary_with_a_wrong_compiler);
    tcase_add_test(cases, test_damaged_binary);
    tcase_add_test(cases, test_cut_binary);
}

int main(void)
{
    return run_suite("verifier", add_tests);
}
