/* Integer operations of PTX with .sat and .relu, in a few instructions each. */
#include "isa/lower/lower.h"

#include "isa/bytecode/opcode.h"

/* d = sum, or the limit on the side of its true sign where `overflow` is negative. */
static void limit_sum(WsLowerStatement *lower, WsOperand d, WsOperand sum, WsOperand overflow)
{
    WsOperand sign = ws_lower_temporary(lower, 1), limit = ws_lower_temporary(lower, 1);
    WsOperand p = ws_lower_temporary_predicate(lower);
    ws_lower_compare(lower, p, WS_ICMP_LT, FALSE, overflow, ws_operand_zero());
    /* A sum that is too large has the wrong sign. */
    ws_lower_shift(lower, sign, ws_operand_zero(), ws_operand_immediate(31), sum,
                   WS_DIRECTION_RIGHT, WS_SHIFT_S32, TRUE);
    ws_lower_logic(lower, limit, sign, ws_operand_immediate(0x80000000), ws_operand_zero(), 0x3c);
    ws_lower_select(lower, d, p, limit, sum);
}

/* d = a + b, or a - b, within the range of S32. */
static void saturating_sum(WsLowerStatement *lower, WsOperand d, WsOperand a, WsOperand b,
                           gboolean subtract)
{
    /* Of a, b, sum: the sign is wrong where a and b have one sign (for -: differ), and sum another.
     */
    enum { AFTER_ADD = 0x42, AFTER_SUBTRACT = 0x18 };
    WsOperand sum = ws_lower_temporary(lower, 1), overflow = ws_lower_temporary(lower, 1);
    a = ws_lower_in_register(lower, a);
    b = ws_lower_in_register(lower, b);
    ws_lower_add(lower, sum, a, subtract ? ws_operand_negated(b) : b);
    ws_lower_logic(lower, overflow, a, b, sum, subtract ? AFTER_SUBTRACT : AFTER_ADD);
    limit_sum(lower, d, sum, overflow);
}

static void lower_add_sub(WsLowerStatement *lower)
{
    saturating_sum(lower, ws_lower_destination(lower, 0), ws_lower_source(lower, 1),
                   ws_lower_source(lower, 2), lower->statement->opcode[0] == 's');
}

static void lower_mad(WsLowerStatement *lower)
{
    WsOperand high = ws_lower_temporary(lower, 1);
    EMIT(lower, IMAD_HI, high, ws_lower_source(lower, 1), ws_lower_source(lower, 2),
         ws_operand_zero());
    saturating_sum(lower, ws_lower_destination(lower, 0), high, ws_lower_source(lower, 3), FALSE);
}

/* The result is not below 0. */
static void lower_min_max(WsLowerStatement *lower)
{
    WsOperand p = ws_operand_predicate(WS_PT), t = ws_lower_temporary(lower, 1);
    gboolean minimum = lower->statement->opcode[1] == 'i';
    EMIT(lower, VIMNMX, t, ws_lower_source(lower, 1), ws_lower_source(lower, 2),
         minimum ? p : ws_operand_negated(p));
    EMIT(lower, VIMNMX, ws_lower_destination(lower, 0), t, ws_operand_zero(),
         ws_operand_negated(p));
}

#define S32 WS_PTX_BIT(S32)

const WsPtxRow ws_ptx_saturate_rows[] = {{"add", "sat", S32, 0, 3, 3, 0, lower_add_sub},
                                         {"sub", "sat", S32, 0, 3, 3, 0, lower_add_sub},
                                         {"mad", "hi sat", S32, 0, 4, 4, 0, lower_mad},
                                         {"min", "relu", S32, 0, 3, 3, 0, lower_min_max},
                                         {"max", "relu", S32, 0, 3, 3, 0, lower_min_max},
                                         {0}};
