/* Lane bodies: rules by example, on every host level. */
#include <check.h>
#include <string.h>

#include "isa/base/error.h"
#include "isa/bytecode/opcode.h"
#include "sim/lanes/lanes.h"

enum { LANES = 32, REGISTERS = 16 };

typedef struct {
    WsProgram program;
    WsKernel kernel;
    WsDevice device;
    guint8 bank[WS_CONSTANT_BANK_BYTES];
    WsInstruction instruction;
    guint32 registers[REGISTERS * WS_MAX_WARP_SIZE];
    WsWarpRegisters warp;
    WsLaneContext context;
} Fixture;

static void fixture_init(Fixture *fixture, WsOpcode opcode)
{
    memset(fixture, 0, sizeof *fixture);
    ws_instruction_init(&fixture->instruction, opcode);
    fixture->program.instructions = &fixture->instruction;
    fixture->program.instruction_count = 1;
    fixture->program.path = (char *)"test.wsasm";
    fixture->device.warp_size = LANES;
    fixture->device.clock_khz = 1000000;
    fixture->warp.registers = fixture->registers;
    ws_init_predicates(&fixture->warp);
    fixture->context.active = 0xffffffffu;
}

static void set_register(Fixture *fixture, guint operand, guint32 number)
{
    fixture->instruction.operand[operand].kind = WS_OPERAND_REGISTER;
    fixture->instruction.operand[operand].index = number;
}

static void run_at(Fixture *fixture, const char *level, guint64 mask)
{
    static const guint32 one[3] = {1, 1, 1}, block[3] = {LANES, 1, 1};
    const guint8 *banks[WS_CONSTANT_BANKS] = {fixture->bank};
    GError *error = NULL;
    WsDecodedProgram *decoded = ws_decode_for_level(level, &fixture->program, &fixture->kernel,
                                                    &fixture->device, one, block, 0, banks, &error);
    ck_assert_msg(decoded != NULL, "%s", error ? error->message : "");
    const WsDecoded *instruction = &decoded->instructions[0];
    ck_assert_int_eq(instruction->kind, WS_KIND_LANES);
    instruction->body(decoded, instruction, &fixture->warp, &fixture->context, mask);
    ws_decoded_program_free(decoded);
}

START_TEST(ffma_is_fused_and_masked)
{
    g_auto(GStrv) levels = ws_lanes_host_levels();
    for (guint n = 0; levels[n]; n++) {
        Fixture f;
        fixture_init(&f, WS_OP_FFMA);
        for (guint operand = 0; operand < 4; operand++) {
            set_register(&f, operand, operand);
        }
        for (guint lane = 0; lane < LANES; lane++) {
            f.registers[LANES + lane] = 0x3f800001u;     /* 1 + 2^-23 */
            f.registers[2 * LANES + lane] = 0x3f7fffffu; /* 1 - 2^-24 */
            f.registers[3 * LANES + lane] = 0xbf800000u; /* -1 */
            f.registers[lane] = 7;
        }
        run_at(&f, levels[n], 0xfffffffeu);
        ck_assert_uint_eq(f.registers[0], 7);
        ck_assert_uint_eq(f.registers[1], 0x337ffffeu); /* 2^-24 - 2^-47, lost if rounded twice */
        ck_assert_uint_eq(f.registers[31], 0x337ffffeu);
        run_at(&f, levels[n], 0xffffffffu);
        ck_assert_uint_eq(f.registers[0], 0x337ffffeu);
    }
}
END_TEST

START_TEST(subtraction_carries_where_nothing_is_borrowed)
{
    g_auto(GStrv) levels = ws_lanes_host_levels();
    for (guint n = 0; levels[n]; n++) {
        Fixture f;
        fixture_init(&f, WS_OP_IADD3); /* Rd, Pd, Pe, Ra, Sb, Sc, Np, Nq */
        set_register(&f, 0, 0);
        set_register(&f, 3, 1);
        set_register(&f, 4, 2);
        f.instruction.operand[4].flags = WS_OPERAND_NEGATE;
        f.instruction.operand[1].index = 0;
        for (guint lane = 0; lane < LANES; lane++) {
            f.registers[LANES + lane] = lane;
            f.registers[2 * LANES + lane] = 10 * (lane % 2);
        }
        run_at(&f, levels[n], 0xffffffffu);
        for (guint lane = 0; lane < LANES; lane++) {
            guint32 b = 10 * (lane % 2);
            ck_assert_uint_eq(f.registers[lane], lane - b);
            ck_assert_uint_eq(f.warp.predicates[0] >> lane & 1, lane >= b);
        }
    }
}
END_TEST

/*
 * Addresses of the lanes of a mask, as LDS [R1 + 4] has them: lowest, highest, and whether one is
 * no multiple of its size. Lane l has base + l * step.
 */
static const struct {
    guint32 base, step;
    guint64 mask;
    guint32 bytes, low, high;
    gboolean misaligned;
} spans[] = {
    {0xfffffffc, 0, 0xffffffff, 4, 0, 0, FALSE}, /* all at 0 */
    {0xfffffffc, 0, 0x3, 4, 0, 0, FALSE},
    {0, 4, 0xffffffff, 4, 4, 128, FALSE},
    {0, 4, 0x10, 4, 20, 20, FALSE},
    {0, 4, 0x80000001, 4, 4, 128, FALSE},
    {0, 8, 0x0000fff0, 8, 36, 124, TRUE},
    {4, 8, 0x0000fff0, 8, 40, 128, FALSE},
    {0, 4, 0xfffffffe, 16, 8, 128, TRUE},
    {200, (guint32)-4, 0xffffffff, 4, 80, 204, FALSE},
    {200, (guint32)-4, 0xff, 4, 176, 204, FALSE},
    {1, 4, 0xffffffff, 4, 5, 129, TRUE},
    {1, 4, 0x4, 4, 13, 13, TRUE},
    {0, 3, 0x11, 4, 4, 16, FALSE}, /* those that are not on do not count */
    {7, 100, 0xffffffff, 1, 11, 3111, FALSE},
};

START_TEST(spans_of_addresses)
{
    static const guint32 one[3] = {1, 1, 1}, block[3] = {LANES, 1, 1};
    g_auto(GStrv) levels = ws_lanes_host_levels();

    for (guint n = 0; levels[n]; n++) {
        for (guint i = 0; i < G_N_ELEMENTS(spans); i++) {
            guint64 address[WS_MAX_WARP_SIZE];
            WsAddressSpan span;
            Fixture f;

            fixture_init(&f, WS_OP_LDS);
            set_register(&f, 0, 2);
            f.instruction.operand[1].kind = WS_OPERAND_ADDRESS;
            f.instruction.operand[1].index = 1;
            f.instruction.operand[1].uniform = WS_URZ;
            f.instruction.operand[1].value = 4;
            for (guint lane = 0; lane < LANES; lane++)
                f.registers[LANES + lane] = spans[i].base + lane * spans[i].step;
            const guint8 *banks[WS_CONSTANT_BANKS] = {f.bank};
            WsDecodedProgram *decoded = ws_decode_for_level(levels[n], &f.program, &f.kernel,
                                                            &f.device, one, block, 0, banks, NULL);
            ck_assert_ptr_nonnull(decoded);
            ws_lane_addresses(decoded, &decoded->instructions[0], &f.warp, spans[i].mask,
                              spans[i].bytes, address, &span);
            ck_assert_msg(span.low == spans[i].low && span.high == spans[i].high &&
                              (span.misaligned != 0) == spans[i].misaligned,
                          "%s, row %u: %u to %u", levels[n], i, (guint)span.low, (guint)span.high);
            for (guint64 rest = spans[i].mask; rest != 0; rest &= rest - 1) {
                guint lane = (guint)__builtin_ctzll(rest);
                ck_assert_uint_eq(address[lane],
                                  (guint32)(spans[i].base + 4 + lane * spans[i].step));
            }
            ws_decoded_program_free(decoded);
        }
    }
}
END_TEST

START_TEST(lane_masks_need_32_lanes)
{
    static const guint32 one[3] = {1, 1, 1};
    Fixture f;
    GError *error = NULL;
    fixture_init(&f, WS_OP_SHFL);
    f.device.warp_size = 16;
    const guint8 *banks[WS_CONSTANT_BANKS] = {f.bank};
    ck_assert_ptr_null(ws_decode(&f.program, &f.kernel, &f.device, one, one, 0, banks, &error));
    ck_assert(g_error_matches(error, WS_ERROR, WS_ERROR_INPUT));
    ck_assert_ptr_nonnull(strstr(error->message, "SHFL"));
    g_error_free(error);
}
END_TEST

static const struct {
    guint8 bits, place;
} groups[WS_MOD_COUNT] = {
#define MODIFIER(name, bits, place, ...) [WS_MOD_##name] = {bits, place},
#include "isa/bytecode/modifiers.def"
#undef MODIFIER
};

/* Bits 0 to 5 are signs of operands, bit 15 says that a body has to prepare them. */
START_TEST(modifiers_of_a_row_have_places_of_their_own)
{
    const WsOpcodeInfo *info = ws_opcode_info((WsOpcode)_i);
    gboolean has_body = info->kind == WS_KIND_LANES || info->kind == WS_KIND_MATRIX;
    guint taken = has_body ? 0xffff803fu : 0xffff0000u;
    for (guint m = 0; m < info->modifier_count; m++) {
        guint group = info->modifiers[m];
        guint bits = ((1u << groups[group].bits) - 1) << groups[group].place;
        ck_assert_msg((bits & taken) == 0, "%s, group %u of its row", info->mnemonic, m + 1);
        taken |= bits;
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lanes");
    TCase *rules = tcase_create("rules");
    tcase_add_test(rules, ffma_is_fused_and_masked);
    tcase_add_test(rules, subtraction_carries_where_nothing_is_borrowed);
    tcase_add_test(rules, spans_of_addresses);
    tcase_add_test(rules, lane_masks_need_32_lanes);
    tcase_add_loop_test(rules, modifiers_of_a_row_have_places_of_their_own, 0, WS_OP_COUNT);
    suite_add_tcase(suite, rules);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
