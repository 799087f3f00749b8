/*
 * The sequence is that of compiled code for sm_90, product by product: the reciprocal of the
 * divisor as a float, scaled to 2^64 and a little low; two Newton steps in integers, r + hi(r e)
 * with e = -r y mod 2^64; the quotient hi(x r), low by at most two, and its remainder, which are
 * corrected twice. A sum of a high product and what it is added to goes through the addends of the
 * partial products, so that only carries are left over.
 */
#include "isa/ir/divide.h"

#include "isa/bytecode/opcode.h"
#include "isa/ir/walk.h"

typedef struct {
    WsIrFunction *function;
    guint32 block;
    guint32 location;
} Builder;

#define EMIT(builder, opcode, ...)                                                                 \
    emit(builder, WS_OP_##opcode, (const WsOperand[]){__VA_ARGS__},                                \
         sizeof((const WsOperand[]){__VA_ARGS__}) / sizeof(WsOperand))

static WsInstruction *emit(const Builder *builder, WsOpcode opcode, const WsOperand *operands,
                           guint count)
{
    GArray *list = ws_ir_block(builder->function, builder->block)->instructions;
    WsInstruction instruction;
    ws_instruction_init(&instruction, opcode);
    for (guint n = 0; n < count; n++)
        if (operands[n].kind != WS_OPERAND_NONE)
            instruction.operand[n] = operands[n];
    instruction.location = builder->location;
    g_array_append_val(list, instruction);
    return &g_array_index(list, WsInstruction, list->len - 1);
}

static WsOperand word(const Builder *builder)
{
    return ws_operand_register(ws_ir_new_register(builder->function, 1));
}

static WsOperand pair(const Builder *builder)
{
    return ws_operand_register(ws_ir_new_register(builder->function, 2));
}

static WsOperand predicate(const Builder *builder)
{
    return ws_operand_predicate(ws_ir_new_predicate(builder->function));
}

static WsOperand low(WsOperand of)
{
    return ws_operand_word(of, 0);
}

static WsOperand high(WsOperand of)
{
    return ws_operand_word(of, 1);
}

/* a + b, the carry to `carry` if that is no PT. */
static WsOperand add(const Builder *builder, WsOperand a, WsOperand b, WsOperand carry)
{
    WsOperand d = word(builder);
    EMIT(builder, IADD3, d, carry, ws_operand_none(), a, b, ws_operand_zero());
    return d;
}

/* a + b + two carries. A minus is a complement here. */
static WsOperand add_carries(const Builder *builder, WsOperand a, WsOperand b, WsOperand carry,
                             WsOperand other)
{
    WsOperand d = word(builder);
    EMIT(builder, IADD3, d, ws_operand_none(), ws_operand_none(), a, b, ws_operand_zero(), carry,
         other)
        ->mod[WS_MOD_EXTENDED] = 1;
    return d;
}

static WsOperand multiply(const Builder *builder, WsOperand a, WsOperand b, WsOperand addend)
{
    WsOperand d = word(builder);
    EMIT(builder, IMAD, d, a, b, addend);
    return d;
}

static WsOperand multiply_wide(const Builder *builder, WsOperand a, WsOperand b, WsOperand addend,
                               WsOperand carry)
{
    WsOperand d = pair(builder);
    EMIT(builder, IMAD_WIDE, d, carry, a, b, addend)->mod[WS_MOD_UNSIGNED] = 1;
    return d;
}

static void multiply_high(const Builder *builder, WsOperand d, WsOperand a, WsOperand b)
{
    EMIT(builder, IMAD_HI, d, a, b, ws_operand_zero())->mod[WS_MOD_UNSIGNED] = 1;
}

static WsOperand compare(const Builder *builder, guint cmp, gboolean is_unsigned, WsOperand a,
                         WsOperand b)
{
    WsOperand p = predicate(builder);
    WsInstruction *test = EMIT(builder, ISETP, p, ws_operand_none(), a, b);
    test->mod[WS_MOD_ICMP] = (guint8)cmp;
    test->mod[WS_MOD_UNSIGNED] = (guint8)is_unsigned;
    return p;
}

/* The comparison of pairs from that of their low words. */
static WsOperand compare_high(const Builder *builder, guint cmp, WsOperand a, WsOperand b,
                              WsOperand lower)
{
    WsOperand p = predicate(builder);
    WsInstruction *test =
        EMIT(builder, ISETP, p, ws_operand_none(), a, b, ws_operand_none(), lower);
    test->mod[WS_MOD_ICMP] = (guint8)cmp;
    test->mod[WS_MOD_UNSIGNED] = 1;
    test->mod[WS_MOD_EXTENDED] = 1;
    return p;
}

static WsOperand choose(const Builder *builder, WsOperand p, WsOperand a, WsOperand b)
{
    WsOperand d = word(builder);
    EMIT(builder, SEL, d, a, b, p);
    return d;
}

/* Two words that need not be neighbours. */
typedef struct {
    WsOperand word[2];
} Value;

static Value words_of(WsOperand of)
{
    return (Value){{low(of), high(of)}};
}

static Value choose_value(const Builder *builder, WsOperand p, Value a, Value b)
{
    return (Value){
        {choose(builder, p, a.word[0], b.word[0]), choose(builder, p, a.word[1], b.word[1])}};
}

static Value subtract(const Builder *builder, Value a, Value b)
{
    WsOperand carry = predicate(builder);
    WsOperand first = add(builder, a.word[0], ws_operand_negated(b.word[0]), carry);
    WsOperand second =
        add_carries(builder, a.word[1], ws_operand_negated(b.word[1]), carry, ws_operand_none());
    return (Value){{first, second}};
}

static Value increment(const Builder *builder, Value a)
{
    WsOperand carry = predicate(builder);
    WsOperand first = add(builder, a.word[0], ws_operand_immediate(1), carry);
    WsOperand second = add_carries(builder, a.word[1], ws_operand_zero(), carry, ws_operand_none());
    return (Value){{first, second}};
}

static Value negate(const Builder *builder, Value a)
{
    return subtract(builder, (Value){{ws_operand_zero(), ws_operand_zero()}}, a);
}

/* The value, or what is 0 minus it where the word of its sign is negative. */
static Value with_sign(const Builder *builder, Value of, WsOperand sign)
{
    Value negative = negate(builder, of);
    WsOperand p = compare(builder, WS_ICMP_GE, FALSE, sign, ws_operand_zero());
    return choose_value(builder, p, of, negative);
}

/* The absolute value, in a pair: conversions take one. */
static WsOperand absolute(const Builder *builder, WsOperand of)
{
    WsOperand d = pair(builder);
    Value value = with_sign(builder, words_of(of), high(of));
    for (guint w = 0; w < 2; w++)
        EMIT(builder, MOV, ws_operand_word(d, w), value.word[w]);
    return d;
}

static Value reciprocal(const Builder *builder, WsOperand y)
{
    enum { SCALE = 0x1ffffffc }; /* 2^64 in the exponent, less 4 of the last place */
    WsOperand f = word(builder), r = pair(builder);
    WsInstruction *convert = EMIT(builder, I2F, f, y);
    convert->mod[WS_MOD_FLOAT_TO] = WS_FLOAT_F32;
    convert->mod[WS_MOD_INT_FROM] = WS_INT_U64;
    convert->mod[WS_MOD_ROUND] = WS_ROUND_UP;
    WsOperand inverse = word(builder);
    EMIT(builder, MUFU, inverse, f)->mod[WS_MOD_MUFU] = WS_MUFU_RCP;
    f = add(builder, inverse, ws_operand_immediate(SCALE), ws_operand_none());
    convert = EMIT(builder, F2I, r, f);
    convert->mod[WS_MOD_INT_TO] = WS_INT_U64;
    convert->mod[WS_MOD_FLOAT_FROM] = WS_FLOAT_F32;
    convert->mod[WS_MOD_INTEGER_ROUND] = WS_INTEGER_ROUND_TRUNC;
    return words_of(r);
}

/* Low 64 bits of a b: the low word, and the high one. */
static Value multiply_low(const Builder *builder, Value a, Value b)
{
    WsOperand wide =
        multiply_wide(builder, a.word[0], b.word[0], ws_operand_zero(), ws_operand_none());
    WsOperand cross = multiply(builder, a.word[0], b.word[1], high(wide));
    return (Value){{low(wide), multiply(builder, a.word[1], b.word[0], cross)}};
}

/* addend + high 64 bits of a b. The low word of the addend comes in with the first cross product.
 */
static Value multiply_high_and_add(const Builder *builder, Value a, Value b, Value addend)
{
    WsOperand first = predicate(builder), second = predicate(builder), third = predicate(builder);
    WsOperand middle = pair(builder), upper = word(builder);
    gboolean alone = addend.word[0].index == WS_RZ;
    multiply_high(builder, low(middle), a.word[0], b.word[0]);
    EMIT(builder, MOV, high(middle), addend.word[0]);
    /* Without an addend the first cross product cannot carry. */
    WsOperand cross =
        multiply_wide(builder, a.word[0], b.word[1], middle, alone ? ws_operand_none() : first);
    WsOperand sum = multiply_wide(builder, a.word[1], b.word[0], cross, second);
    WsOperand product = multiply(builder, a.word[1], b.word[1], ws_operand_zero());
    multiply_high(builder, upper, a.word[1], b.word[1]);
    WsOperand d = add(builder, product, high(sum), third);
    if (alone) {
        upper = add_carries(builder, upper, ws_operand_zero(), second, ws_operand_none());
        return (Value){
            {d, add_carries(builder, upper, ws_operand_zero(), third, ws_operand_none())}};
    }
    upper = add_carries(builder, upper, addend.word[1], first, ws_operand_none());
    return (Value){{d, add_carries(builder, upper, ws_operand_zero(), third, second)}};
}

static Value newton_step(const Builder *builder, Value r, Value y)
{
    return multiply_high_and_add(builder, r, negate(builder, multiply_low(builder, r, y)), r);
}

static WsOperand is_at_least(const Builder *builder, Value a, Value b)
{
    WsOperand lower = compare(builder, WS_ICMP_GE, TRUE, a.word[0], b.word[0]);
    return compare_high(builder, WS_ICMP_GE, a.word[1], b.word[1], lower);
}

/* Quotient or remainder of numbers without a sign. */
static Value divide(const Builder *builder, Value x, Value y, WsOperand divisor, gboolean remainder)
{
    Value zero = {{ws_operand_zero(), ws_operand_zero()}};
    Value r = reciprocal(builder, divisor);
    r = newton_step(builder, r, y);
    r = newton_step(builder, r, y);
    Value q = multiply_high_and_add(builder, r, x, zero);
    Value m = subtract(builder, x, multiply_low(builder, q, y));
    WsOperand p = is_at_least(builder, m, y);
    Value less = subtract(builder, m, y);
    if (!remainder)
        q = choose_value(builder, p, increment(builder, q), q);
    m = choose_value(builder, p, less, m);
    p = is_at_least(builder, m, y);
    if (!remainder)
        return choose_value(builder, p, increment(builder, q), q);
    return choose_value(builder, p, subtract(builder, m, y), m);
}

const char *ws_subroutine_label(WsSubroutine subroutine)
{
    static const char *const labels[WS_SUBROUTINES] = {
        [WS_DIVIDE_UNSIGNED] = "div.u64",
        [WS_REMAINDER_UNSIGNED] = "rem.u64",
        [WS_DIVIDE_SIGNED] = "div.s64",
        [WS_REMAINDER_SIGNED] = "rem.s64",
    };
    return labels[subroutine];
}

void ws_append_division(WsIrFunction *function, guint32 block, WsSubroutine subroutine,
                        WsOperand result, WsOperand dividend, WsOperand divisor, guint32 location)
{
    Builder builder = {function, block, location};
    gboolean remainder = subroutine == WS_REMAINDER_UNSIGNED || subroutine == WS_REMAINDER_SIGNED;
    gboolean is_signed = subroutine == WS_DIVIDE_SIGNED || subroutine == WS_REMAINDER_SIGNED;
    WsOperand y = is_signed ? absolute(&builder, divisor) : divisor;
    Value x = words_of(dividend);
    if (is_signed)
        x = with_sign(&builder, x, high(dividend));
    Value d = divide(&builder, x, words_of(y), y, remainder);
    if (is_signed) {
        WsOperand sign = high(dividend);
        if (!remainder) {
            sign = word(&builder);
            EMIT(&builder, LOP3, sign, ws_operand_none(), high(dividend), high(divisor),
                 ws_operand_zero(), ws_operand_immediate(0x3c));
        }
        d = with_sign(&builder, d, sign);
    }
    WsOperand p = compare(&builder, WS_ICMP_NE, TRUE, low(divisor), ws_operand_zero());
    p = compare_high(&builder, WS_ICMP_NE, high(divisor), ws_operand_zero(), p);
    for (guint w = 0; w < 2; w++)
        EMIT(&builder, SEL, ws_operand_word(result, w), d.word[w],
             ws_operand_immediate(G_MAXUINT32), p);
}
