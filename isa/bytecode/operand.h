/* Operands of instructions, made and told apart. For front ends and passes alike. */
#ifndef WS_ISA_BYTECODE_OPERAND_H
#define WS_ISA_BYTECODE_OPERAND_H

#include "isa/bytecode/instruction.h"

static inline WsOperand ws_operand_register(guint32 index)
{
    return (WsOperand){.kind = WS_OPERAND_REGISTER, .index = index, .uniform = WS_URZ};
}

/* A word of a register pair or of a constant; RZ stays RZ. */
static inline WsOperand ws_operand_word(WsOperand pair, guint word)
{
    if (pair.kind == WS_OPERAND_CONSTANT)
        pair.value += 4 * word;
    else if (pair.index != WS_RZ)
        pair.bank = (guint8)(pair.bank + word);
    return pair;
}

static inline WsOperand ws_operand_immediate(guint32 value)
{
    return (WsOperand){.kind = WS_OPERAND_IMMEDIATE, .value = value, .uniform = WS_URZ};
}

static inline WsOperand ws_operand_predicate(guint32 index)
{
    return (WsOperand){.kind = WS_OPERAND_PREDICATE, .index = index, .uniform = WS_URZ};
}

static inline WsOperand ws_operand_constant(guint bank, guint32 offset)
{
    return (WsOperand){.kind = WS_OPERAND_CONSTANT,
                       .bank = (guint8)bank,
                       .index = WS_RZ,
                       .value = offset,
                       .uniform = WS_URZ};
}

/* Keeps the default of its slot. */
static inline WsOperand ws_operand_none(void)
{
    return (WsOperand){.kind = WS_OPERAND_NONE};
}

/* RZ */
static inline WsOperand ws_operand_zero(void)
{
    return ws_operand_register(WS_RZ);
}

/* -RZ: what an addition of floats takes to leave its other operand as it is. */
static inline WsOperand ws_operand_minus_zero(void)
{
    WsOperand operand = ws_operand_zero();
    operand.flags = WS_OPERAND_NEGATE;
    return operand;
}

/* Of an integer or a predicate. */
static inline WsOperand ws_operand_negated(WsOperand operand)
{
    if (operand.kind == WS_OPERAND_IMMEDIATE)
        operand.value = -operand.value;
    else
        operand.flags ^= WS_OPERAND_NEGATE;
    return operand;
}

static inline WsOperand ws_operand_float_negated(WsOperand operand, guint bits)
{
    if (operand.kind == WS_OPERAND_IMMEDIATE)
        operand.value ^= bits == 16 ? 0x80008000u : 0x80000000u;
    else
        operand.flags ^= WS_OPERAND_NEGATE;
    return operand;
}

static inline gboolean ws_is_register(const WsOperand *operand)
{
    return operand->kind == WS_OPERAND_REGISTER;
}

/* RZ or the immediate 0. With .X the complement of RZ is none. */
static inline gboolean ws_is_zero(const WsOperand *operand)
{
    return (ws_is_register(operand) && operand->index == WS_RZ && operand->flags == 0) ||
           (operand->kind == WS_OPERAND_IMMEDIATE && operand->value == 0);
}

/* !PT */
static inline gboolean ws_is_false(const WsOperand *predicate)
{
    return predicate->index == WS_PT && (predicate->flags & WS_OPERAND_NEGATE) != 0;
}

/* A predicate that is written nowhere, or PT. */
static inline gboolean ws_is_discarded(const WsOperand *predicate)
{
    return predicate->index == WS_PT;
}

/* A register other than RZ, neither negated nor the like. */
static inline gboolean ws_is_plain_register(const WsOperand *operand)
{
    return ws_is_register(operand) && operand->flags == 0 && operand->index != WS_RZ;
}

static inline gboolean ws_operands_equal(const WsOperand *a, const WsOperand *b)
{
    return a->kind == b->kind && a->flags == b->flags && a->bank == b->bank &&
           a->index == b->index && a->value == b->value && a->uniform == b->uniform;
}

#endif
