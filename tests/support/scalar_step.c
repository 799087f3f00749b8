#include "tests/support/scalar_step.h"

#include "isa/bytecode/opcode.h"
#include "tests/support/scalar_float.h"

/* ---- operands ----------------------------------------------------------------------------------
 */

/* The slot of the uniform datapath that has the part of `slot`, one after the other. */
static WsSlot uniform_slot(WsSlot slot)
{
    static const guint8 counterparts[WS_SLOT_COUNT] = {
        [WS_SLOT_Rd] = WS_SLOT_Ud, [WS_SLOT_Pd] = WS_SLOT_Ue, [WS_SLOT_Ue] = WS_SLOT_Uf,
        [WS_SLOT_Pe] = WS_SLOT_Ug, [WS_SLOT_Pp] = WS_SLOT_Uq, [WS_SLOT_Pq] = WS_SLOT_Ur,
        [WS_SLOT_Pr] = WS_SLOT_Us, [WS_SLOT_Np] = WS_SLOT_Um, [WS_SLOT_Nq] = WS_SLOT_Un};
    return (WsSlot)counterparts[slot];
}

gint scalar_find(const ScalarStep *step, WsSlot slot)
{
    const WsOpcodeInfo *info = ws_opcode_info(step->instruction->opcode);
    for (guint n = 0; n < info->operand_count; n++) {
        if (info->slots[n] == slot) {
            return (gint)n;
        }
    }
    return uniform_slot(slot) != WS_SLOT_NONE ? scalar_find(step, uniform_slot(slot)) : -1;
}

guint64 scalar_constant_bytes(const ScalarWarp *warp, guint bank, guint32 at, guint count)
{
    guint64 value = 0;
    for (guint n = 0; n < count; n++) {
        guint64 address = (guint64)at + n;
        if (warp->constants[bank] && address < WS_CONSTANT_BANK_BYTES) {
            value |= (guint64)warp->constants[bank][address] << (8 * n);
        }
    }
    return value;
}

static gboolean is_double_source(const ScalarStep *step)
{
    switch (step->instruction->opcode) {
    case WS_OP_DADD:
    case WS_OP_DMUL:
    case WS_OP_DFMA:
    case WS_OP_DSETP:
    case WS_OP_DRND:
        return TRUE;
    case WS_OP_F2F:
    case WS_OP_F2I:
        return MOD(step, FLOAT_FROM) == WS_FLOAT_F64;
    default:
        return FALSE;
    }
}

static guint64 immediate(const ScalarStep *step, guint32 value)
{
    if (is_double_source(step)) {
        return (guint64)value << 32;
    }
    gboolean without_sign = MOD(step, UNSIGNED) || MOD(step, INT_FROM) == WS_INT_U64;
    return without_sign ? value : (guint64)(gint64)(gint32)value;
}

static guint64 raw_operand(const ScalarStep *step, guint n)
{
    const WsOperand *operand = &step->instruction->operand[n];
    const ScalarWarp *warp = step->before;
    guint words = ws_operand_words(step->instruction, n);
    guint64 value = 0;
    for (guint word = 0; word < words; word++) {
        guint32 part = 0;
        if (operand->kind == WS_OPERAND_REGISTER && operand->index != WS_RZ) {
            part = warp->lane[step->lane].registers[operand->index + word];
        } else if (operand->kind == WS_OPERAND_UNIFORM_REGISTER && operand->index != WS_URZ) {
            part = warp->uniform[operand->index + word];
        }
        value |= (guint64)part << (32 * word);
    }
    if (operand->kind == WS_OPERAND_IMMEDIATE) {
        value = immediate(step, operand->value);
    } else if (operand->kind == WS_OPERAND_CONSTANT) {
        value = scalar_constant_bytes(warp, operand->bank, operand->value, 8);
    }
    return words == 2 ? value : (guint32)value;
}

static gboolean has_flag(const ScalarStep *step, WsSlot slot, guint flag)
{
    gint n = scalar_find(step, slot);
    return n >= 0 && step->instruction->operand[n].flags & flag;
}

/* Operand without modifiers; a, b and c by whatever slot holds them. */
guint64 scalar_plain(const ScalarStep *step, char which)
{
    static const WsSlot slots[3][3] = {{WS_SLOT_Ra, WS_SLOT_Ua, WS_SLOT_Ra},
                                       {WS_SLOT_Rb, WS_SLOT_Sb, WS_SLOT_Ub},
                                       {WS_SLOT_Rc, WS_SLOT_Sc, WS_SLOT_Uc}};
    for (guint k = 0; k < 3; k++) {
        gint n = scalar_find(step, slots[which - 'a'][k]);
        if (n >= 0) {
            return raw_operand(step, (guint)n);
        }
    }
    return 0;
}

gboolean scalar_flag_of(const ScalarStep *step, char which, guint flag)
{
    static const WsSlot slots[3][3] = {{WS_SLOT_Ra, WS_SLOT_Ua, WS_SLOT_Ra},
                                       {WS_SLOT_Rb, WS_SLOT_Sb, WS_SLOT_Ub},
                                       {WS_SLOT_Rc, WS_SLOT_Sc, WS_SLOT_Uc}};
    for (guint k = 0; k < 3; k++) {
        if (has_flag(step, slots[which - 'a'][k], flag)) {
            return TRUE;
        }
    }
    return FALSE;
}

gboolean scalar_negated(const ScalarStep *step, char which)
{
    return scalar_flag_of(step, which, WS_OPERAND_NEGATE);
}

/* A float operand of `bits` bits with flushing, |x| and -x, in that order. */
guint64 scalar_float_operand(const ScalarStep *step, char which, guint bits)
{
    guint64 value = scalar_plain(step, which), sign = (guint64)1 << (bits - 1);
    if (bits == 32 && MOD(step, FTZ)) {
        value = scalar_flush32((guint32)value);
    }
    if (scalar_flag_of(step, which, WS_OPERAND_ABSOLUTE)) {
        value &= ~sign;
    }
    return scalar_negated(step, which) ? value ^ sign : value;
}

guint32 scalar_f32_operand(const ScalarStep *step, char which)
{
    return (guint32)scalar_float_operand(step, which, 32);
}

guint32 scalar_integer_operand(const ScalarStep *step, char which)
{
    guint32 value = (guint32)scalar_plain(step, which);
    return scalar_negated(step, which) ? 0u - value : value;
}

guint32 scalar_bits_operand(const ScalarStep *step, char which)
{
    guint32 value = (guint32)scalar_plain(step, which);
    return scalar_negated(step, which) ? ~value : value;
}

gboolean scalar_predicate_operand_of(const ScalarStep *step, WsSlot slot, guint lane)
{
    gint n = scalar_find(step, slot);
    if (n < 0) {
        return TRUE;
    }
    const WsOperand *operand = &step->instruction->operand[n];
    gboolean value = operand->kind == WS_OPERAND_UNIFORM_PREDICATE
                         ? step->before->uniform_predicates[operand->index]
                         : step->before->lane[lane].predicates[operand->index];
    return operand->flags & WS_OPERAND_NEGATE ? !value : value;
}

gboolean scalar_predicate_operand(const ScalarStep *step, WsSlot slot)
{
    return scalar_predicate_operand_of(step, slot, step->lane);
}

/* ---- results -----------------------------------------------------------------------------------
 */

void scalar_put(ScalarStep *step, guint64 value)
{
    gint n = scalar_find(step, WS_SLOT_Rd);
    const WsOperand *operand = &step->instruction->operand[n];
    gboolean uniform = operand->kind == WS_OPERAND_UNIFORM_REGISTER;
    guint32 zero = uniform ? WS_URZ : WS_RZ;
    guint32 *registers = uniform ? step->after->uniform : step->after->lane[step->lane].registers;
    for (guint word = 0;
         operand->index != zero && word < ws_operand_words(step->instruction, (guint)n); word++) {
        registers[operand->index + word] = (guint32)(value >> (32 * word));
    }
}

void scalar_put_predicate(ScalarStep *step, WsSlot slot, gboolean value)
{
    gint n = scalar_find(step, slot);
    const WsOperand *operand = &step->instruction->operand[n];
    if (operand->index == WS_PT) {
        return;
    }
    if (operand->kind == WS_OPERAND_UNIFORM_PREDICATE) {
        step->after->uniform_predicates[operand->index] = value != 0;
    } else {
        step->after->lane[step->lane].predicates[operand->index] = value != 0;
    }
}

gboolean scalar_combine(const ScalarStep *step, gboolean x, gboolean y)
{
    switch (MOD(step, BOOLEAN)) {
    case WS_BOOLEAN_AND:
        return x && y;
    case WS_BOOLEAN_OR:
        return x || y;
    default:
        return !x != !y;
    }
}

void scalar_put_comparison(ScalarStep *step, gboolean holds)
{
    gboolean p = scalar_predicate_operand(step, WS_SLOT_Pp);
    scalar_put_predicate(step, WS_SLOT_Pd, scalar_combine(step, holds, p));
    scalar_put_predicate(step, WS_SLOT_Pe, scalar_combine(step, !holds, p));
}
