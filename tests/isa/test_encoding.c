#include "isa/bytecode/encoding.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "isa/base/error.h"
#include "isa/bytecode/instruction_check.h"
#include "isa/bytecode/opcode.h"
#include "tests/support/random_instruction.h"

enum { SEED = 1, ROUNDS = 200, TARGETS = 1 << 24 };

static void assert_same(const WsInstruction *a, const WsInstruction *b)
{
    const char *name = ws_opcode_info(a->opcode)->mnemonic;
    ck_assert_msg(a->opcode == b->opcode && a->guard == b->guard &&
                      a->guard_negated == b->guard_negated &&
                      memcmp(&a->control, &b->control, sizeof(WsControl)) == 0 &&
                      memcmp(a->mod, b->mod, sizeof a->mod) == 0,
                  "%s differs", name);
    for (guint n = 0; n < a->operand_count; n++) {
        const WsOperand *x = &a->operand[n];
        const WsOperand *y = &b->operand[n];
        ck_assert_msg(x->kind == y->kind && x->flags == y->flags && x->bank == y->bank &&
                          x->uniform == y->uniform && x->index == y->index && x->value == y->value,
                      "%s operand %u differs", name, n);
    }
}

START_TEST(test_round_trip)
{
    GRand *random = g_rand_new_with_seed(SEED);
    for (guint i = 0; i < ROUNDS; i++) {
        WsInstruction instruction, back;
        guint8 word[WS_INSTRUCTION_BYTES];
        random_instruction(random, _i, TARGETS, &instruction);
        GError *error = NULL;
        ck_assert(ws_encode(&instruction, word, &error));
        ck_assert_msg(ws_decode_word(word, &back, &error), "%s",
                      error != NULL ? error->message : "");
        assert_same(&instruction, &back);
    }
    g_rand_free(random);
}
END_TEST

/* The flexible sources share the 32 bits of an immediate; which of them has it is in the form. */
static gboolean share(WsSlot a, WsSlot b)
{
    return (a == WS_SLOT_Sb && b == WS_SLOT_Sc) || (a == WS_SLOT_Sc && b == WS_SLOT_Sb) ||
           (a == WS_SLOT_Ub && b == WS_SLOT_Uc) || (a == WS_SLOT_Uc && b == WS_SLOT_Ub);
}

/* Bits that change when operand n alone changes. */
static void touched_bits(GRand *random, WsOpcode opcode, guint n, guint8 *ret)
{
    memset(ret, 0, WS_INSTRUCTION_BYTES);
    for (guint i = 0; i < ROUNDS; i++) {
        WsInstruction base, other;
        guint8 a[WS_INSTRUCTION_BYTES], b[WS_INSTRUCTION_BYTES];
        ws_instruction_init(&base, opcode);
        random_instruction(random, opcode, TARGETS, &other);
        memcpy(base.mod, other.mod, sizeof base.mod);
        ck_assert(ws_encode(&base, a, NULL));
        base.operand[n] = other.operand[n];
        ck_assert(ws_encode(&base, b, NULL));
        for (guint k = 0; k < WS_INSTRUCTION_BYTES; k++) {
            ret[k] |= a[k] ^ b[k];
        }
    }
}

START_TEST(test_fields_never_overlap)
{
    GRand *random = g_rand_new_with_seed(SEED);
    const WsOpcodeInfo *info = ws_opcode_info(_i);
    guint8 bits[WS_MAX_OPERANDS][WS_INSTRUCTION_BYTES];
    /* Opcode, guard; modifiers and control. */
    static const guint8 fixed[WS_INSTRUCTION_BYTES] = {0xff, 0xf1, 0, 0,    0,    0,    0,    0,
                                                       0,    0,    0, 0xe0, 0xff, 0xff, 0xff, 0x43};
    for (guint n = 0; n < info->operand_count; n++) {
        touched_bits(random, _i, n, bits[n]);
        for (guint k = 0; k < WS_INSTRUCTION_BYTES; k++) {
            ck_assert_msg((bits[n][k] & fixed[k]) == 0, "%s operand %u", info->mnemonic, n);
            for (guint m = 0; m < n; m++) {
                ck_assert_msg(
                    (bits[n][k] & bits[m][k]) == 0 || share(info->slots[n], info->slots[m]),
                    "%s: operands %u and %u share bits of byte %u", info->mnemonic, m, n, k);
            }
        }
    }
    g_rand_free(random);
}
END_TEST

START_TEST(test_opcode_numbers_differ)
{
    for (guint a = 0; a < WS_OP_COUNT; a++) {
        ck_assert_uint_eq(ws_opcode_by_number(ws_opcode_info(a)->encoding), a);
        ck_assert_uint_eq(ws_opcode_by_mnemonic(ws_opcode_info(a)->mnemonic), a);
        guint bits = 0;
        for (guint m = 0; m < ws_opcode_info(a)->modifier_count; m++) {
            WsModifier group = ws_opcode_info(a)->modifiers[m];
            bits += ws_modifier_bits(group);
            ck_assert_uint_le(ws_modifier_count(group), 1u << ws_modifier_bits(group));
        }
        ck_assert_uint_le(bits, 12);
    }
}
END_TEST

/* Any 16 bytes either are refused or mean exactly themselves. */
START_TEST(test_random_words)
{
    GRand *random = g_rand_new_with_seed(SEED);
    guint accepted = 0;
    for (guint i = 0; i < 200000; i++) {
        WsInstruction instruction;
        guint8 word[WS_INSTRUCTION_BYTES], again[WS_INSTRUCTION_BYTES];
        random_instruction(random, i % WS_OP_COUNT, TARGETS, &instruction);
        ck_assert(ws_encode(&instruction, word, NULL));
        for (guint flips = i % 4; flips > 0; flips--) {
            word[g_rand_int_range(random, 0, 16)] ^= (guint8)(1 << g_rand_int_range(random, 0, 8));
        }
        g_autoptr(GError) error = NULL;
        if (ws_decode_word(word, &instruction, &error)) {
            accepted++;
            ck_assert(ws_encode(&instruction, again, NULL));
            ck_assert_mem_eq(word, again, WS_INSTRUCTION_BYTES);
        } else {
            ck_assert(g_error_matches(error, WS_ERROR, WS_ERROR_INPUT));
        }
    }
    ck_assert_uint_gt(accepted, 50000);
    g_rand_free(random);
}
END_TEST

static guint width_of(const char *what, WsOpcode opcode, WsModifier group, guint value, guint n)
{
    WsInstruction instruction;
    ws_instruction_init(&instruction, opcode);
    if (group < WS_MOD_COUNT) {
        instruction.mod[group] = (guint8)value;
    }
    return ws_operand_width(&instruction, n);
}

START_TEST(test_widths)
{
    const WsModifier none = WS_MOD_COUNT;
    ck_assert_uint_eq(width_of("Rd", WS_OP_IMAD_WIDE, none, 0, 0), 2);
    ck_assert_uint_eq(width_of("Ra", WS_OP_IMAD_WIDE, none, 0, 2), 1);
    ck_assert_uint_eq(width_of("Sc", WS_OP_IMAD_WIDE, none, 0, 4), 2);
    ck_assert_uint_eq(width_of("Sb", WS_OP_DFMA, none, 0, 2), 2);
    ck_assert_uint_eq(width_of("Pd", WS_OP_DSETP, none, 0, 0), 0);
    ck_assert_uint_eq(width_of("Ra", WS_OP_DSETP, none, 0, 2), 2);
    ck_assert_uint_eq(width_of("Ma", WS_OP_LDG, WS_MOD_ADDRESS, 1, 1), 2);
    ck_assert_uint_eq(width_of("Ma", WS_OP_LDG, none, 0, 1), 1);
    ck_assert_uint_eq(width_of("Rd", WS_OP_LDG, WS_MOD_WIDTH, WS_WIDTH_128, 0), 4);
    ck_assert_uint_eq(width_of("Rb", WS_OP_STS, WS_MOD_WIDTH, WS_WIDTH_64, 1), 2);
    ck_assert_uint_eq(width_of("Rd", WS_OP_LDS, WS_MOD_WIDTH, WS_WIDTH_U8, 0), 1);
    ck_assert_uint_eq(width_of("Rd", WS_OP_F2F, WS_MOD_FLOAT_TO, WS_FLOAT_F64, 0), 2);
    ck_assert_uint_eq(width_of("Sb", WS_OP_F2F, WS_MOD_FLOAT_TO, WS_FLOAT_F64, 1), 1);
    ck_assert_uint_eq(width_of("Sb", WS_OP_F2I, WS_MOD_FLOAT_FROM, WS_FLOAT_F64, 1), 2);
    ck_assert_uint_eq(width_of("Sb", WS_OP_I2F, WS_MOD_INT_FROM, WS_INT_U64, 1), 2);
    ck_assert_uint_eq(width_of("Rd", WS_OP_MUFU, WS_MOD_MUFU, WS_MUFU_RCP64H, 0), 1);
    ck_assert_uint_eq(width_of("Rb", WS_OP_ATOMG, WS_MOD_ATOMIC_TYPE, WS_ATOMIC_F64, 2), 2);
    ck_assert_uint_eq(width_of("Rc", WS_OP_ATOM_CAS, WS_MOD_ATOMIC_TYPE, WS_ATOMIC_S64, 3), 2);
    ck_assert_uint_eq(width_of("Rd", WS_OP_CS2R, WS_MOD_WIDTH, WS_WIDTH_64, 0), 2);
    ck_assert_uint_eq(width_of("Ra", WS_OP_MATCH, WS_MOD_MATCH_WIDTH, 1, 2), 2);
    ck_assert_uint_eq(width_of("Rd", WS_OP_MATCH, WS_MOD_MATCH_WIDTH, 1, 0), 1);
    ck_assert_uint_eq(width_of("Ra", WS_OP_SHF, WS_MOD_SHIFT_TYPE, WS_SHIFT_U64, 1), 1);
    ck_assert_uint_eq(width_of("Cm", WS_OP_LDC, WS_MOD_WIDTH, WS_WIDTH_64, 1), 1);
}
END_TEST

START_TEST(test_refused)
{
    WsInstruction instruction;
    guint8 word[WS_INSTRUCTION_BYTES];
    g_autoptr(GError) error = NULL;
    ws_instruction_init(&instruction, WS_OP_FFMA);
    instruction.operand[2] = (WsOperand){.kind = WS_OPERAND_IMMEDIATE};
    instruction.operand[3] = (WsOperand){.kind = WS_OPERAND_IMMEDIATE};
    ck_assert(!ws_encode(&instruction, word, &error));
    ck_assert(strstr(error->message, "at most one source") != NULL);
    g_clear_error(&error);
    ws_instruction_init(&instruction, WS_OP_MOV);
    instruction.operand[0].index = WS_VIRTUAL_BASE;
    ck_assert(!ws_encode(&instruction, word, &error));
    ck_assert(strstr(error->message, "too large") != NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("encoding");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 60);
    tcase_add_loop_test(all, test_round_trip, 0, WS_OP_COUNT);
    tcase_add_loop_test(all, test_fields_never_overlap, 0, WS_OP_COUNT);
    tcase_add_test(all, test_opcode_numbers_differ);
    tcase_add_test(all, test_random_words);
    tcase_add_test(all, test_widths);
    tcase_add_test(all, test_refused);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_SILENT);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
