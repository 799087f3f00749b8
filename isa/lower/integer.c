/* Integer arithmetic of PTX. */
#include "isa/bytecode/opcode.h"
#include "isa/flow/control_flow.h"
#include "isa/ir/divide.h"
#include "isa/lower/lower.h"

#define INTEGERS                                                                                   \
    (WS_PTX_BIT(S16) | WS_PTX_BIT(U16) | WS_PTX_BIT(S32) | WS_PTX_BIT(U32) | WS_PTX_BIT(S64) |     \
     WS_PTX_BIT(U64))
#define WORDS (WS_PTX_BIT(S32) | WS_PTX_BIT(U32))
#define WIDE  (WS_PTX_BIT(S64) | WS_PTX_BIT(U64))

static guint bits_of(const WsLowerStatement *lower)
{
    return ws_ptx_type_bits(lower->types[0]);
}

static gboolean is_signed(const WsLowerStatement *lower)
{
    return ws_ptx_type_kind(lower->types[0]) == WS_PTX_KIND_SIGNED;
}

/* ---- add, sub, and with the condition code ---- */

/* Carry in and out of the condition code, kept in one predicate (for sub: no borrow). */
static WsOperand condition_code(WsLowerStatement *lower)
{
    if (lower->kernel->carry == 0)
        lower->kernel->carry = ws_ir_new_predicate(lower->kernel->ir);
    return ws_operand_predicate(lower->kernel->carry);
}

static void add_with_carry(WsLowerStatement *lower, WsOperand d, WsOperand a, WsOperand b,
                           gboolean in, gboolean out)
{
    WsOperand carry = in || out ? condition_code(lower) : ws_operand_none();
    WsInstruction *add = EMIT(lower, IADD3, d, out ? carry : ws_operand_none(), ws_operand_none(),
                              a, b, ws_operand_zero(), in ? carry : ws_operand_none());
    add->mod[WS_MOD_EXTENDED] = (guint8)in;
}

/* -b of a word: with .X the minus is a complement, so an immediate is complemented by hand. */
static WsOperand minus(WsOperand b, gboolean extended)
{
    if (b.kind != WS_OPERAND_IMMEDIATE)
        return ws_operand_negated(b);
    b.value = extended ? ~b.value : -b.value;
    return b;
}

/*
 * a - b sets the carry where there is no borrow. With an immediate b the sum a + (-b) carries the
 * same way, but for b = 0, which must carry always: it is kept as a register.
 */
static void add_or_sub(WsLowerStatement *lower, gboolean subtract, gboolean in, gboolean out)
{
    WsOperand d = ws_lower_destination(lower, 0);
    guint words = bits_of(lower) == 64 ? 2 : 1;
    for (guint w = 0; w < words; w++) {
        gboolean word_in = in || w == 1;
        gboolean word_out = out || w + 1 < words;
        WsOperand a = ws_lower_source_word(lower, 1, w);
        WsOperand b = ws_lower_source_word(lower, 2, w);
        if (subtract) {
            if (word_out && !word_in && b.kind == WS_OPERAND_IMMEDIATE && b.value == 0)
                b = ws_operand_zero();
            b = minus(b, word_in);
        }
        add_with_carry(lower, ws_operand_word(d, w), a, b, word_in, word_out);
    }
}

/* A 64-bit sum leaves the condition code alone. */
static void lower_add_sub(WsLowerStatement *lower)
{
    gboolean subtract = lower->statement->opcode[0] == 's';
    if (bits_of(lower) == 64 && !ws_lower_has(lower, "cc")) {
        guint32 saved = lower->kernel->carry;
        lower->kernel->carry = 0;
        add_or_sub(lower, subtract, FALSE, FALSE);
        lower->kernel->carry = saved;
        return;
    }
    add_or_sub(lower, subtract, FALSE, ws_lower_has(lower, "cc"));
}

static void lower_addc_subc(WsLowerStatement *lower)
{
    add_or_sub(lower, lower->statement->opcode[0] == 's', TRUE, ws_lower_has(lower, "cc"));
}

/* ---- multiplication ---- */

static WsInstruction *multiply_wide(WsLowerStatement *lower, WsOperand d, WsOperand a, WsOperand b,
                                    WsOperand c, gboolean sign)
{
    WsInstruction *product = EMIT(lower, IMAD_WIDE, d, ws_operand_none(), a, b, c);
    product->mod[WS_MOD_UNSIGNED] = !sign;
    return product;
}

/* Low 64 bits of a * b + c. */
static void multiply_low_pair(WsLowerStatement *lower, WsOperand d, WsOperand c)
{
    WsOperand a0 = ws_lower_in_register(lower, ws_lower_source_word(lower, 1, 0));
    WsOperand a1 = ws_lower_source_word(lower, 1, 1);
    WsOperand b0 = ws_lower_source_word(lower, 2, 0);
    WsOperand b1 = ws_lower_source_word(lower, 2, 1);
    WsOperand wide = ws_lower_temporary(lower, 2);
    WsOperand t = ws_lower_temporary(lower, 1);
    WsOperand cross = ws_lower_temporary(lower, 1);
    multiply_wide(lower, wide, a0, b0, c, FALSE);
    EMIT(lower, IMAD, t, a1, b0, ws_operand_zero());
    EMIT(lower, IMAD, cross, a0, b1, t);
    ws_lower_add(lower, ws_operand_word(d, 1), cross, ws_operand_word(wide, 1));
    ws_lower_move(lower, d, wide);
}

/*
 * High 64 bits of the unsigned 128-bit product, into the fresh pair that is returned: both cross
 * products with the carry of their sum, then the upper product with that and the carry of the
 * middle word.
 */
static WsOperand multiply_high_unsigned(WsLowerStatement *lower, WsOperand a, WsOperand b)
{
    WsOperand a1 = ws_operand_word(a, 1);
    WsOperand b1 = ws_operand_word(b, 1);
    WsOperand cross = ws_lower_temporary(lower, 2);
    WsOperand middle = ws_lower_temporary(lower, 2);
    WsOperand low = ws_lower_temporary(lower, 2);
    WsOperand upper = ws_lower_temporary(lower, 2);
    WsOperand high = ws_lower_temporary(lower, 2);
    WsOperand carry[2] = {ws_lower_temporary_predicate(lower), ws_lower_temporary_predicate(lower)};
    multiply_wide(lower, cross, a1, b, ws_operand_zero(), FALSE);
    EMIT(lower, IMAD_WIDE, middle, carry[0], a, b1, cross)->mod[WS_MOD_UNSIGNED] = 1;
    multiply_wide(lower, low, a, b, ws_operand_zero(), FALSE);
    EMIT(lower, IADD3, ws_operand_word(upper, 1), ws_operand_none(), ws_operand_none(),
         ws_operand_zero(), ws_operand_zero(), ws_operand_zero(), carry[0])
        ->mod[WS_MOD_EXTENDED] = 1;
    ws_lower_move(lower, upper, ws_operand_word(middle, 1));
    EMIT(lower, IADD3, ws_operand_zero(), carry[1], ws_operand_none(), ws_operand_word(low, 1),
         middle, ws_operand_zero());
    EMIT(lower, IMAD_WIDE_X, high, a1, b1, upper, carry[1])->mod[WS_MOD_UNSIGNED] = 1;
    return high;
}

/* sign < 0 ? value - other : value, on pairs: the correction of a signed high product. */
static WsOperand subtract_where_negative(WsLowerStatement *lower, WsOperand value, WsOperand sign,
                                         WsOperand other)
{
    WsOperand p = ws_lower_temporary_predicate(lower);
    WsOperand less = ws_lower_temporary(lower, 2);
    WsOperand d = ws_lower_temporary(lower, 2);
    ws_lower_compare(lower, p, WS_ICMP_LT, FALSE, ws_operand_word(sign, 1), ws_operand_zero());
    ws_lower_add_pair(lower, less, value, ws_operand_word(value, 1), ws_operand_negated(other),
                      ws_operand_negated(ws_operand_word(other, 1)));
    for (guint w = 0; w < 2; w++)
        ws_lower_select(lower, ws_operand_word(d, w), p, ws_operand_word(less, w),
                        ws_operand_word(value, w));
    return d;
}

static void multiply_high_pair(WsLowerStatement *lower, WsOperand d)
{
    WsOperand a = ws_lower_source_pair(lower, 1);
    WsOperand b = ws_lower_source_pair(lower, 2);
    WsOperand high = multiply_high_unsigned(lower, a, b);
    if (is_signed(lower)) {
        high = subtract_where_negative(lower, high, b, a);
        high = subtract_where_negative(lower, high, a, b);
    }
    ws_lower_move_pair(lower, d, high);
}

/* mul.hi.s16: the product fits in 32 bits. */
static WsOperand high_half(WsLowerStatement *lower, WsOperand product)
{
    WsOperand d = ws_lower_temporary(lower, 1);
    ws_lower_shift(lower, d, ws_operand_zero(), ws_operand_immediate(16), product,
                   WS_DIRECTION_RIGHT, is_signed(lower) ? WS_SHIFT_S32 : WS_SHIFT_U32, TRUE);
    return d;
}

static void lower_multiply_low(WsLowerStatement *lower, gboolean add)
{
    WsOperand d = ws_lower_destination(lower, 0);
    if (bits_of(lower) == 64) {
        multiply_low_pair(lower, d, add ? ws_lower_source_pair(lower, 3) : ws_operand_zero());
        return;
    }
    WsOperand c = add ? ws_lower_source(lower, 3) : ws_operand_zero();
    /* Factors of 16 bits are extended first, as ptxas has it, though the low half is the same. */
    gboolean extends = lower->types[0] == WS_PTX_S16;
    WsOperand a = extends ? ws_lower_extended(lower, 1, WS_PTX_S16) : ws_lower_source(lower, 1);
    WsOperand b = extends ? ws_lower_extended(lower, 2, WS_PTX_S16) : ws_lower_source(lower, 2);
    EMIT(lower, IMAD, d, a, b, c);
}

static void lower_multiply_high(WsLowerStatement *lower, gboolean add)
{
    WsOperand d = ws_lower_destination(lower, 0);
    if (bits_of(lower) == 64 && add) {
        WsOperand high = ws_lower_temporary(lower, 2), c = ws_lower_source_pair(lower, 3);
        multiply_high_pair(lower, high);
        ws_lower_add_pair(lower, d, high, ws_operand_word(high, 1), c, ws_operand_word(c, 1));
    } else if (bits_of(lower) == 64) {
        multiply_high_pair(lower, d);
    } else if (bits_of(lower) == 32) {
        WsOperand c = add ? ws_lower_source(lower, 3) : ws_operand_zero();
        EMIT(lower, IMAD_HI, d, ws_lower_source(lower, 1), ws_lower_source(lower, 2), c)
            ->mod[WS_MOD_UNSIGNED] = !is_signed(lower);
    } else {
        WsOperand product = ws_lower_temporary(lower, 1);
        EMIT(lower, IMAD, product, ws_lower_extended(lower, 1, lower->types[0]),
             ws_lower_extended(lower, 2, lower->types[0]), ws_operand_zero());
        WsOperand high = high_half(lower, product);
        ws_lower_add(lower, d, high, add ? ws_lower_source(lower, 3) : ws_operand_zero());
    }
}

/* Whether the factor is a power of two from 2 up: *ret_shift. As a signed one, not the highest. */
static gboolean is_power(const WsOperand *factor, gboolean sign, guint *ret_shift)
{
    if (factor->kind != WS_OPERAND_IMMEDIATE || factor->value < 2 ||
        (factor->value & (factor->value - 1)) != 0 || (sign && factor->value >> 31))
        return FALSE;
    *ret_shift = (guint)g_bit_nth_lsf(factor->value, -1);
    return TRUE;
}

/* (a << shift) + pair c: LEA and LEA.HI.X. */
static void shift_and_add(WsLowerStatement *lower, WsOperand d, WsOperand a, guint shift,
                          gboolean sign)
{
    WsOperand carry = ws_lower_temporary_predicate(lower);
    WsOperand amount = ws_operand_immediate(shift);
    WsOperand c[2] = {ws_lower_source_word(lower, 3, 0), ws_lower_source_word(lower, 3, 1)};
    a = ws_lower_in_register(lower, a);
    EMIT(lower, LEA, d, carry, a, c[0], ws_operand_none(), amount);
    WsInstruction *high = EMIT(lower, LEA, ws_operand_word(d, 1), ws_operand_none(), a, c[1],
                               ws_operand_none(), amount, carry);
    high->mod[WS_MOD_HIGH] = 1;
    high->mod[WS_MOD_EXTENDED] = 1;
    high->mod[WS_MOD_SIGN] = (guint8)sign;
}

/* mad.wide: as ptxas has it a product, or a shift, and a sum of pairs, never one IMAD.WIDE. */
static void multiply_wide_and_add(WsLowerStatement *lower, WsOperand d, WsOperand a, WsOperand b,
                                  gboolean sign)
{
    guint shift;
    if (is_power(&b, sign, &shift)) {
        shift_and_add(lower, d, a, shift, sign);
    } else if (is_power(&a, sign, &shift)) {
        shift_and_add(lower, d, b, shift, sign);
    } else {
        WsOperand product = ws_lower_temporary(lower, 2);
        multiply_wide(lower, product, a, b, ws_operand_zero(), sign);
        ws_lower_add_pair(lower, d, product, ws_operand_word(product, 1),
                          ws_lower_source_word(lower, 3, 0), ws_lower_source_word(lower, 3, 1));
    }
}

static void lower_multiply_wide(WsLowerStatement *lower, gboolean add)
{
    guint bits = bits_of(lower);
    if (bits == 64) {
        ws_lower_refuse(lower);
        return;
    }
    WsPtxType type = lower->types[0];
    WsOperand a = ws_lower_extended(lower, 1, type);
    WsOperand b = ws_lower_extended(lower, 2, type);
    lower->types[0] = bits == 16 ? WS_PTX_S32 : WS_PTX_S64; /* of d and c */
    WsOperand d = ws_lower_destination(lower, 0);
    if (bits == 16)
        EMIT(lower, IMAD, d, a, b, add ? ws_lower_source(lower, 3) : ws_operand_zero());
    else if (add)
        multiply_wide_and_add(lower, d, a, b, type == WS_PTX_S32);
    else
        multiply_wide(lower, d, a, b, ws_operand_zero(), type == WS_PTX_S32)->may_contract = TRUE;
}

static void lower_mul(WsLowerStatement *lower)
{
    if (ws_lower_has(lower, "wide"))
        lower_multiply_wide(lower, FALSE);
    else if (ws_lower_has(lower, "hi"))
        lower_multiply_high(lower, FALSE);
    else
        lower_multiply_low(lower, FALSE);
}

/* With .cc, and madc: product first, then the sum with the carry. */
static void lower_mad_carry(WsLowerStatement *lower)
{
    gboolean in = lower->statement->opcode[3] == 'c';
    gboolean out = ws_lower_has(lower, "cc");
    guint words = bits_of(lower) / 32;
    WsOperand product = ws_lower_temporary(lower, words);
    if (ws_lower_has(lower, "hi") && words == 2)
        multiply_high_pair(lower, product);
    else if (words == 2)
        multiply_low_pair(lower, product, ws_operand_zero());
    else if (ws_lower_has(lower, "hi"))
        EMIT(lower, IMAD_HI, product, ws_lower_source(lower, 1), ws_lower_source(lower, 2),
             ws_operand_zero())
            ->mod[WS_MOD_UNSIGNED] = !is_signed(lower);
    else
        EMIT(lower, IMAD, product, ws_lower_source(lower, 1), ws_lower_source(lower, 2),
             ws_operand_zero());
    WsOperand d = ws_lower_destination(lower, 0);
    for (guint w = 0; w < words; w++)
        add_with_carry(lower, ws_operand_word(d, w), ws_operand_word(product, w),
                       ws_lower_source_word(lower, 3, w), in || w > 0, out || w + 1 < words);
}

static void lower_mad(WsLowerStatement *lower)
{
    if (ws_lower_has(lower, "cc"))
        lower_mad_carry(lower);
    else if (ws_lower_has(lower, "wide"))
        lower_multiply_wide(lower, TRUE);
    else if (ws_lower_has(lower, "hi"))
        lower_multiply_high(lower, TRUE);
    else
        lower_multiply_low(lower, TRUE);
}

/* 24-bit factors: .lo is the low word of the 48-bit product, .hi its bits 47..16. */
static void lower_mul24(WsLowerStatement *lower)
{
    WsOperand factor[2];
    for (guint i = 0; i < 2; i++) {
        factor[i] = ws_lower_temporary(lower, 1);
        EMIT(lower, SGXT, factor[i], ws_lower_source(lower, 1 + i), ws_operand_immediate(24))
            ->mod[WS_MOD_UNSIGNED] = !is_signed(lower);
    }
    WsOperand d = ws_lower_destination(lower, 0);
    WsOperand c =
        lower->statement->operand_count == 4 ? ws_lower_source(lower, 3) : ws_operand_zero();
    if (!ws_lower_has(lower, "hi")) {
        EMIT(lower, IMAD, d, factor[0], factor[1], c);
        return;
    }
    WsOperand wide = ws_lower_temporary(lower, 2);
    WsOperand t = ws_lower_temporary(lower, 1);
    multiply_wide(lower, wide, factor[0], factor[1], ws_operand_zero(), is_signed(lower));
    ws_lower_shift(lower, t, wide, ws_operand_immediate(16), ws_operand_word(wide, 1),
                   WS_DIRECTION_RIGHT, WS_SHIFT_U64, FALSE);
    ws_lower_add(lower, d, t, c);
}

/* ---- division: 64 bits in a subroutine, 32 in the library, 16 as 32 ---- */

static void divide_pair(WsLowerStatement *lower)
{
    gboolean remainder = lower->statement->opcode[0] == 'r';
    WsOperand result = ws_lower_temporary(lower, 2);
    WsOperand first = ws_lower_source_pair(lower, 1);
    WsOperand second = ws_lower_source_pair(lower, 2);
    WsInstruction *call = ws_lower_emit(lower, WS_OP_CALL, NULL, 0);
    call->operand_count = WS_CALL_OPERANDS;
    call->operand[WS_CALL_RESULT] = result;
    call->operand[WS_CALL_FIRST] = first;
    call->operand[WS_CALL_SECOND] = second;
    call->operand[WS_CALL_LINK] = ws_operand_zero();
    ws_branch_set_target(call, is_signed(lower) ? remainder ? WS_REMAINDER_SIGNED : WS_DIVIDE_SIGNED
                               : remainder      ? WS_REMAINDER_UNSIGNED
                                                : WS_DIVIDE_UNSIGNED);
    ws_lower_move_pair(lower, ws_lower_destination(lower, 0), result);
}

static void lower_divide(WsLowerStatement *lower)
{
    if (bits_of(lower) == 64) {
        divide_pair(lower);
        return;
    }
    if (bits_of(lower) == 32) {
        ws_lower_by_library(lower);
        return;
    }
    WsPtxType type = lower->types[0];
    WsPtxValue arguments[2] = {{{ws_lower_extended(lower, 1, type), ws_operand_zero()}},
                               {{ws_lower_extended(lower, 2, type), ws_operand_zero()}}};
    g_autofree char *name =
        g_strdup_printf("__ws_%s_%s", lower->statement->opcode, type == WS_PTX_S16 ? "s32" : "u32");
    ws_lower_call_library(lower, name, arguments, 2, ws_lower_destination(lower, 0));
}

/* ---- min, max, abs, neg, sad ---- */

static void compare_pair_less(WsLowerStatement *lower, WsOperand p, WsOperand a, WsOperand b,
                              gboolean sign)
{
    WsOperand low = ws_lower_temporary_predicate(lower);
    ws_lower_compare(lower, low, WS_ICMP_LT, TRUE, a, b);
    WsInstruction *high = EMIT(lower, ISETP, p, ws_operand_none(), ws_operand_word(a, 1),
                               ws_operand_word(b, 1), ws_operand_none(), low);
    high->mod[WS_MOD_ICMP] = WS_ICMP_LT;
    high->mod[WS_MOD_UNSIGNED] = !sign;
    high->mod[WS_MOD_EXTENDED] = 1;
}

static void lower_min_max(WsLowerStatement *lower)
{
    gboolean minimum = lower->statement->opcode[1] == 'i';
    WsOperand d = ws_lower_destination(lower, 0);
    if (bits_of(lower) == 64) {
        WsOperand a = ws_lower_source_pair(lower, 1);
        WsOperand b = ws_lower_source_pair(lower, 2);
        WsOperand p = ws_lower_temporary_predicate(lower);
        compare_pair_less(lower, p, a, b, is_signed(lower));
        if (!minimum)
            p = ws_operand_negated(p);
        for (guint w = 0; w < 2; w++)
            ws_lower_select(lower, ws_operand_word(d, w), p, ws_operand_word(a, w),
                            ws_operand_word(b, w));
        return;
    }
    WsOperand a = ws_lower_extended(lower, 1, lower->types[0]);
    WsOperand b = ws_lower_extended(lower, 2, lower->types[0]);
    WsOperand p = ws_operand_predicate(WS_PT);
    EMIT(lower, VIMNMX, d, a, b, minimum ? p : ws_operand_negated(p))->mod[WS_MOD_UNSIGNED] =
        !is_signed(lower);
}

static void negate_pair(WsLowerStatement *lower, WsOperand d, WsOperand a)
{
    ws_lower_add_pair(lower, d, ws_operand_zero(), ws_operand_zero(), ws_operand_negated(a),
                      ws_operand_negated(ws_operand_word(a, 1)));
}

static void lower_neg(WsLowerStatement *lower)
{
    WsOperand d = ws_lower_destination(lower, 0);
    if (bits_of(lower) == 64)
        negate_pair(lower, d, ws_lower_source_pair(lower, 1));
    else
        ws_lower_add(lower, d, ws_operand_zero(), ws_operand_negated(ws_lower_source(lower, 1)));
}

static void lower_abs(WsLowerStatement *lower)
{
    WsOperand d = ws_lower_destination(lower, 0);
    if (bits_of(lower) != 64) {
        EMIT(lower, IABS, d, ws_lower_extended(lower, 1, lower->types[0]));
        return;
    }
    WsOperand a = ws_lower_source_pair(lower, 1);
    WsOperand minus_a = ws_lower_temporary(lower, 2);
    WsOperand p = ws_lower_temporary_predicate(lower);
    negate_pair(lower, minus_a, a);
    ws_lower_compare(lower, p, WS_ICMP_LT, FALSE, ws_operand_word(a, 1), ws_operand_zero());
    for (guint w = 0; w < 2; w++)
        ws_lower_select(lower, ws_operand_word(d, w), p, ws_operand_word(minus_a, w),
                        ws_operand_word(a, w));
}

/* |a - b| + c on pairs: the smaller one from the other. */
static void sad_pair(WsLowerStatement *lower)
{
    WsOperand d = ws_lower_destination(lower, 0);
    WsOperand a = ws_lower_source_pair(lower, 1), b = ws_lower_source_pair(lower, 2);
    WsOperand c = ws_lower_source_pair(lower, 3), p = ws_lower_temporary_predicate(lower);
    WsOperand great = ws_lower_temporary(lower, 2), small = ws_lower_temporary(lower, 2);
    WsOperand t = ws_lower_temporary(lower, 2);
    compare_pair_less(lower, p, a, b, is_signed(lower));
    for (guint w = 0; w < 2; w++) {
        WsOperand x = ws_operand_word(a, w), y = ws_operand_word(b, w);
        ws_lower_select(lower, ws_operand_word(small, w), p, x, y);
        ws_lower_select(lower, ws_operand_word(great, w), p, y, x);
    }
    ws_lower_add_pair(lower, t, great, ws_operand_word(great, 1), ws_operand_negated(small),
                      ws_operand_negated(ws_operand_word(small, 1)));
    ws_lower_add_pair(lower, d, t, ws_operand_word(t, 1), c, ws_operand_word(c, 1));
}

static void lower_sad(WsLowerStatement *lower)
{
    if (bits_of(lower) == 64) {
        sad_pair(lower);
        return;
    }
    EMIT(lower, VABSDIFF, ws_lower_destination(lower, 0),
         ws_lower_extended(lower, 1, lower->types[0]), ws_lower_extended(lower, 2, lower->types[0]),
         ws_lower_source(lower, 3))
        ->mod[WS_MOD_UNSIGNED] = !is_signed(lower);
}

static void lower_dp4a(WsLowerStatement *lower)
{
    static const guint8 modes[2][2] = {{0, 2}, {3, 1}}; /* U8.U8, U8.S8; S8.U8, S8.S8 */
    gboolean a = lower->types[0] == WS_PTX_S32;
    gboolean b = lower->types[1] == WS_PTX_S32;
    EMIT(lower, IDP, ws_lower_destination(lower, 0), ws_lower_source(lower, 1),
         ws_lower_source(lower, 2), ws_lower_source(lower, 3))
        ->mod[WS_MOD_DOT] = modes[a][b];
}

const WsPtxRow ws_ptx_integer_rows[] = {
    {"add", "cc", INTEGERS, 0, 3, 3, 0, lower_add_sub},
    {"sub", "cc", INTEGERS, 0, 3, 3, 0, lower_add_sub},
    {"addc", "cc", WORDS | WIDE, 0, 3, 3, 0, lower_addc_subc},
    {"subc", "cc", WORDS | WIDE, 0, 3, 3, 0, lower_addc_subc},
    {"mul", "lo hi wide", INTEGERS, 0, 3, 3, 0, lower_mul},
    {"mad", "lo hi wide cc", INTEGERS, 0, 4, 4, 0, lower_mad},
    {"madc", "lo hi cc", WORDS | WIDE, 0, 4, 4, 0, lower_mad_carry},
    {"mul24", "lo hi", WORDS, 0, 3, 3, 0, lower_mul24},
    {"mad24", "lo hi", WORDS, 0, 4, 4, 0, lower_mul24},
    {"div", "", INTEGERS, 0, 3, 3, WS_PTX_ROW_BRANCHES, lower_divide},
    {"rem", "", INTEGERS, 0, 3, 3, WS_PTX_ROW_BRANCHES, lower_divide},
    {"min", "", INTEGERS, 0, 3, 3, 0, lower_min_max},
    {"max", "", INTEGERS, 0, 3, 3, 0, lower_min_max},
    {"neg", "", WS_PTX_BIT(S16) | WS_PTX_BIT(S32) | WS_PTX_BIT(S64), 0, 2, 2, 0, lower_neg},
    {"abs", "", WS_PTX_BIT(S16) | WS_PTX_BIT(S32) | WS_PTX_BIT(S64), 0, 2, 2, 0, lower_abs},
    {"sad", "", INTEGERS, 0, 4, 4, 0, lower_sad},
    {"dp4a", "", WORDS, WORDS, 4, 4, 0, lower_dp4a},
    {0}};
