/* Instructions of constants alone, and what is left of sums and comparisons of constants. */
#include "isa/base/float_bits.h"
#include "isa/bytecode/opcode.h"
#include "isa/optimise/combine_patterns.h"

#include <math.h>

/* The constant that the operand is. FALSE if it is none, or signs have to be applied to it. */
static gboolean constant_of(const WsCombiner *c, const WsOperand *operand, guint32 *ret)
{
    *ret = 0;
    if (operand->flags != 0)
        return FALSE;
    if (ws_is_zero(operand))
        return TRUE;
    if (operand->kind == WS_OPERAND_IMMEDIATE) {
        *ret = operand->value;
        return TRUE;
    }
    const WsInstruction *move =
        operand->kind == WS_OPERAND_REGISTER ? ws_combine_producer(c, operand, NULL) : NULL;
    if (move == NULL || move->opcode != WS_OP_MOV)
        return FALSE;
    *ret = move->operand[1].value;
    return move->operand[1].kind == WS_OPERAND_IMMEDIATE && move->operand[1].flags == 0;
}

/* The same for a term of a sum, its sign applied. */
static gboolean term_of(const WsCombiner *c, WsOperand operand, guint32 *ret)
{
    gboolean negated = operand.flags == WS_OPERAND_NEGATE;
    if (negated)
        operand.flags = 0;
    if (!constant_of(c, &operand, ret))
        return FALSE;
    *ret = negated ? -*ret : *ret;
    return TRUE;
}

static gboolean fold_sum(const WsCombiner *c, const WsInstruction *add, guint32 *ret)
{
    *ret = 0;
    if (add->operand[1].index != WS_PT || add->operand[2].index != WS_PT ||
        add->mod[WS_MOD_EXTENDED])
        return FALSE;
    for (guint n = 3; n <= 5; n++) {
        guint32 term;
        if (!term_of(c, add->operand[n], &term))
            return FALSE;
        *ret += term;
    }
    return TRUE;
}

static gboolean fold_product(const WsCombiner *c, const WsInstruction *product, guint32 *ret)
{
    guint32 a, b, addend;
    if (!constant_of(c, &product->operand[1], &a) || !constant_of(c, &product->operand[2], &b) ||
        !term_of(c, product->operand[3], &addend))
        return FALSE;
    *ret = a * b + addend;
    return TRUE;
}

static gboolean fold_logic(const WsCombiner *c, const WsInstruction *logic, guint32 *ret)
{
    guint32 in[3];
    if (logic->operand[1].index != WS_PT)
        return FALSE;
    for (guint i = 0; i < 3; i++)
        if (!constant_of(c, &logic->operand[2 + i], &in[i]))
            return FALSE;
    *ret = 0;
    for (guint row = 0; row < 8; row++)
        if (logic->operand[5].value >> row & 1)
            *ret |= (row & 4 ? in[0] : ~in[0]) & (row & 2 ? in[1] : ~in[1]) &
                    (row & 1 ? in[2] : ~in[2]);
    return TRUE;
}

/* Shifts of one word, by less than its bits. */
static gboolean fold_shift(const WsCombiner *c, const WsInstruction *shift, guint32 *ret)
{
    guint32 low, high, amount;
    guint8 type = shift->mod[WS_MOD_SHIFT_TYPE];
    if (!constant_of(c, &shift->operand[1], &low) || !constant_of(c, &shift->operand[2], &amount) ||
        !constant_of(c, &shift->operand[3], &high) || amount > 31)
        return FALSE;
    gboolean left = shift->mod[WS_MOD_DIRECTION] == WS_DIRECTION_LEFT;
    if (left && !shift->mod[WS_MOD_HIGH] && type == WS_SHIFT_U32)
        *ret = low << amount;
    else if (!left && shift->mod[WS_MOD_HIGH] && type == WS_SHIFT_U32)
        *ret = high >> amount;
    else if (!left && shift->mod[WS_MOD_HIGH] && type == WS_SHIFT_S32)
        *ret = (high >> amount) | (high >> 31 && amount > 0 ? ~0u << (32 - amount) : 0);
    else
        return FALSE;
    return TRUE;
}

static gboolean fold_magnitude(const WsCombiner *c, const WsInstruction *magnitude, guint32 *ret)
{
    if (!constant_of(c, &magnitude->operand[1], ret))
        return FALSE;
    *ret = *ret >> 31 ? -*ret : *ret;
    return TRUE;
}

/* Two constants of a sum or product of F32 to nearest, their signs applied. */
static gboolean floats_of(const WsCombiner *c, const WsInstruction *instruction, float ret[2])
{
    if (instruction->mod[WS_MOD_ROUND] != WS_ROUND_NEAREST || instruction->mod[WS_MOD_FTZ] ||
        instruction->mod[WS_MOD_SAT])
        return FALSE;
    for (guint i = 0; i < 2; i++) {
        WsOperand operand = instruction->operand[1 + i];
        guint8 signs = operand.flags;
        guint32 bits;
        operand.flags = 0;
        if ((signs & ~(WS_OPERAND_NEGATE | WS_OPERAND_ABSOLUTE)) ||
            !constant_of(c, &operand, &bits))
            return FALSE;
        if (signs & WS_OPERAND_ABSOLUTE)
            bits &= G_MAXINT32;
        ret[i] = ws_float(signs & WS_OPERAND_NEGATE ? bits ^ 1u << 31 : bits);
    }
    return TRUE;
}

/* What is no number has bits of its own: those are left to the instruction. */
static gboolean number_of(float value, guint32 *ret)
{
    *ret = ws_float_bits(value);
    return !isnan(value);
}

static gboolean fold_float_sum(const WsCombiner *c, const WsInstruction *add, guint32 *ret)
{
    float in[2];
    return floats_of(c, add, in) && number_of(in[0] + in[1], ret);
}

static gboolean fold_float_product(const WsCombiner *c, const WsInstruction *product, guint32 *ret)
{
    float in[2];
    return floats_of(c, product, in) && number_of(in[0] * in[1], ret);
}

/* F32 to a 32-bit integer towards zero, where the value is in range. */
static gboolean fold_conversion(const WsCombiner *c, const WsInstruction *convert, guint32 *ret)
{
    guint32 bits;
    gboolean is_signed = convert->mod[WS_MOD_INT_TO] == WS_INT_S32;
    if ((!is_signed && convert->mod[WS_MOD_INT_TO] != WS_INT_U32) ||
        convert->mod[WS_MOD_FLOAT_FROM] != WS_FLOAT_F32 ||
        convert->mod[WS_MOD_INTEGER_ROUND] != WS_INTEGER_ROUND_TRUNC ||
        !constant_of(c, &convert->operand[1], &bits))
        return FALSE;
    float value = ws_float(bits);
    if (!(value >= (is_signed ? -0x1p31f : 0.0f)) || !(value < (is_signed ? 0x1p31f : 0x1p32f)))
        return FALSE;
    *ret = is_signed ? (guint32)(gint32)value : (guint32)value;
    return TRUE;
}

static gboolean compare(guint comparison, gboolean is_unsigned, guint32 a, guint32 b)
{
    gboolean less = is_unsigned ? a < b : (gint32)a < (gint32)b;
    switch (comparison) {
    case WS_ICMP_LT:
        return less;
    case WS_ICMP_EQ:
        return a == b;
    case WS_ICMP_LE:
        return less || a == b;
    case WS_ICMP_GT:
        return !less && a != b;
    case WS_ICMP_NE:
        return a != b;
    case WS_ICMP_GE:
        return !less;
    default:
        return comparison == WS_ICMP_T;
    }
}

/* A comparison of constants is PT or !PT, for the predicates' copies to carry on. */
static gboolean fold_comparison(WsCombiner *c, WsPlace place)
{
    const WsInstruction *set = ws_combine_at(c, place);
    guint32 a, b;
    if (set->operand[1].index != WS_PT || set->operand[4].index != WS_PT ||
        set->operand[4].flags != 0 || set->mod[WS_MOD_EXTENDED] ||
        set->mod[WS_MOD_BOOLEAN] != WS_BOOLEAN_AND || !constant_of(c, &set->operand[2], &a) ||
        !constant_of(c, &set->operand[3], &b))
        return FALSE;
    WsInstruction copy;
    ws_instruction_init(&copy, WS_OP_PLOP3);
    copy.operand[0] = set->operand[0];
    if (!compare(set->mod[WS_MOD_ICMP], set->mod[WS_MOD_UNSIGNED], a, b))
        copy.operand[2].flags = WS_OPERAND_NEGATE;
    copy.operand[5].value = 0xf0;
    ws_combine_replace(c, place, &copy);
    return TRUE;
}

static void put_move(WsCombiner *c, WsPlace place, WsOperand from)
{
    WsInstruction move;
    ws_instruction_init(&move, WS_OP_MOV);
    move.operand[0] = ws_combine_at(c, place)->operand[0];
    move.operand[1] = from;
    ws_combine_replace(c, place, &move);
}

/* A selection by PT or !PT. */
static gboolean fold_selection(WsCombiner *c, WsPlace place)
{
    const WsInstruction *select = ws_combine_at(c, place);
    const WsOperand *p = &select->operand[3];
    if (p->index != WS_PT || select->mod[WS_MOD_FTZ])
        return FALSE;
    const WsOperand *chosen = &select->operand[p->flags & WS_OPERAND_NEGATE ? 2 : 1];
    if (chosen->flags != 0)
        return FALSE;
    put_move(c, place, *chosen);
    return TRUE;
}

/* A product of constants and something added to it is a sum. */
static void fold_factors(WsCombiner *c, WsPlace place)
{
    const WsInstruction *product = ws_combine_at(c, place);
    guint32 a, b;
    if (product->operand[3].kind != WS_OPERAND_REGISTER ||
        !constant_of(c, &product->operand[1], &a) || !constant_of(c, &product->operand[2], &b))
        return;
    WsInstruction sum;
    ws_instruction_init(&sum, WS_OP_IADD3);
    sum.operand[0] = product->operand[0];
    sum.operand[3] = product->operand[3];
    sum.operand[4] = ws_operand_immediate(a * b);
    ws_combine_replace(c, place, &sum);
}

void ws_combine_constant(WsCombiner *c, WsPlace place)
{
    static gboolean (*const folds[WS_OP_COUNT])(const WsCombiner *, const WsInstruction *,
                                                guint32 *) = {
        [WS_OP_IADD3] = fold_sum,      [WS_OP_IMAD] = fold_product,
        [WS_OP_LOP3] = fold_logic,     [WS_OP_SHF] = fold_shift,
        [WS_OP_IABS] = fold_magnitude, [WS_OP_F2I] = fold_conversion,
        [WS_OP_FADD] = fold_float_sum, [WS_OP_FMUL] = fold_float_product};
    const WsInstruction *instruction = ws_combine_at(c, place);
    WsOpcode opcode = instruction->opcode;
    guint32 value;
    if (opcode == WS_OP_ISETP)
        fold_comparison(c, place);
    else if (opcode == WS_OP_SEL || opcode == WS_OP_FSEL)
        fold_selection(c, place);
    else if (folds[opcode] != NULL && folds[opcode](c, instruction, &value))
        put_move(c, place, ws_operand_immediate(value));
    else if (opcode == WS_OP_IMAD)
        fold_factors(c, place);
}
