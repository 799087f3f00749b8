/* Packed 16-bit float bodies. PTX has no .ftz for bf16: there the modifier does nothing. */
#include "sim/lanes/half.h"

WS_INLINE WsHalfRules rules_of(guint32 f)
{
    return (WsHalfRules){f >> WS_FIELD_HALF_TYPE & 1, WS_FTZ_OF(f), WS_SAT_OF(f),
                         f >> WS_FIELD_RELU & 1};
}

typedef enum { ADD, MULTIPLY, FUSED } Operation;

WS_INLINE guint32 half_operation(Operation operation, guint32 a, guint32 b, guint32 c,
                                 WsHalfRules rules)
{
    double x = ws_widen_half(a, rules), y = ws_widen_half(b, rules), z = ws_widen_half(c, rules);
    double value = operation == ADD ? x + y : operation == MULTIPLY ? x * y : ws_add_odd(x * y, z);
    return ws_finish_half(value, rules);
}

#define BOTH(operation, a, b, c, f)                                                                \
    (half_operation(operation, (a)&0xffff, (b)&0xffff, (c)&0xffff, rules_of(f)) |                  \
     half_operation(operation, (a) >> 16, (b) >> 16, (c) >> 16, rules_of(f)) << 16)

/* What R.H0_H0 (1) and R.H1_H1 (2) make of a word; k has two bits for each source. */
WS_INLINE guint32 chosen(guint32 word, guint32 how)
{
    guint32 high = how & 1 ? word << 16 : word & 0xffff0000u,
            low = how & 2 ? word >> 16 : word & 0xffff;
    return high | low;
}

#define A chosen(a, k)
#define B chosen(b, k >> 2)
#define C chosen(c, k >> 4)

/* RELU is a field of HFMA2 alone; its bit is clear in the flags of the others. */
WS_BODY(HADD2, WS_PREPARE_HALF, 1, 1, 1, 0, BOTH(ADD, a, b, 0u, f))
WS_BODY(HADD2_CHOSEN, WS_PREPARE_HALF, 1, 1, 1, 0, BOTH(ADD, A, B, 0u, f))
WS_BODY(HMUL2, WS_PREPARE_HALF, 1, 1, 1, 0, BOTH(MULTIPLY, a, b, 0u, f))
WS_BODY(HMUL2_CHOSEN, WS_PREPARE_HALF, 1, 1, 1, 0, BOTH(MULTIPLY, A, B, 0u, f))
WS_BODY(HFMA2, WS_PREPARE_HALF, 1, 1, 1, 1, BOTH(FUSED, a, b, c, f))
WS_BODY(HFMA2_CHOSEN, WS_PREPARE_HALF, 1, 1, 1, 1, BOTH(FUSED, A, B, C, f))
WS_BODY(HFMA2_MMA, WS_PREPARE_HALF, 1, 1, 1, 1, BOTH(FUSED, a, b, c, f))
WS_BODY(HFMA2_MMA_CHOSEN, WS_PREPARE_HALF, 1, 1, 1, 1, BOTH(FUSED, A, B, C, f))

/* Both halves of b have had their signs. */
WS_INLINE guint32 widened_sum(guint32 a, guint32 b, guint32 f)
{
    guint32 half = f >> WS_FIELD_HALF_WORD & 1 ? b >> 16 : b & 0xffff;
    double value = ws_widen_f16(a & 0xffff) + ws_widen_f16(half);
    return ws_narrow(value, ws_formats[WS_FLOAT_F32], WS_ROUND_NEAREST);
}

WS_BODY(HADD2_F32, WS_PREPARE_HALF, 1, 1, 1, 0, widened_sum(a, b, f))

WS_INLINE guint32 half_minimum(guint32 a, guint32 b, gboolean minimum, guint32 f)
{
    WsHalfRules rules = rules_of(f);
    guint32 infinity = rules.bf16 ? 0x7f80 : 0x7c00;
    gboolean flush = rules.flush && !rules.bf16;
    a = flush && !(a & 0x7c00) ? a & 0x8000 : a;
    b = flush && !(b & 0x7c00) ? b & 0x8000 : b;
    gboolean a_nan = (a & 0x7fff) > infinity, b_nan = (b & 0x7fff) > infinity;
    /* Order of floats as integers: -0 below +0. */
    gint32 x = a & 0x8000 ? -1 - (gint32)(a & 0x7fff) : (gint32)a;
    gint32 y = b & 0x8000 ? -1 - (gint32)(b & 0x7fff) : (gint32)b;
    guint32 chosen = (x < y) == minimum ? a : b;
    gboolean none = f >> WS_FIELD_NAN_RULE & 1 ? a_nan || b_nan : a_nan && b_nan;
    return none ? 0x7fff : a_nan ? b : b_nan ? a : chosen;
}

WS_BODY(HMNMX2, WS_PREPARE_HALF, 1, 1, 1, 0,
        half_minimum(a & 0xffff, b & 0xffff, on != 0, f) |
            half_minimum(a >> 16, b >> 16, on != 0, f) << 16)

WS_BODY(HMNMX2_CHOSEN, WS_PREPARE_HALF, 1, 1, 1, 0,
        half_minimum(A & 0xffff, B & 0xffff, on != 0, f) |
            half_minimum(A >> 16, B >> 16, on != 0, f) << 16)

WS_INLINE guint32 half_relation(guint32 a, guint32 b, guint32 f)
{
    WsHalfRules rules = {f >> WS_FIELD_HALF_TYPE & 1, WS_FTZ_OF(f), FALSE, FALSE};
    double x = ws_widen_half(a, rules), y = ws_widen_half(b, rules);
    return x < y ? 1 : x == y ? 2 : x > y ? 4 : 8;
}

#define RELATIONS_OF(f) ((f) >> WS_FIELD_FCMP & 15u)
WS_CONDITION(HSETP2_LOW, WS_PREPARE_HALF, 1, 1,
             half_relation(A & 0xffff, B & 0xffff, f) & RELATIONS_OF(f))
WS_CONDITION(HSETP2_HIGH, WS_PREPARE_HALF, 1, 1,
             half_relation(A >> 16, B >> 16, f) & RELATIONS_OF(f))

WS_INLINE guint32 half_comparison(guint32 a, guint32 b, guint32 f, guint32 on)
{
    guint32 holds = (half_relation(a, b, f) & RELATIONS_OF(f)) != 0;
    guint32 one = f >> WS_FIELD_HALF_TYPE & 1 ? 0x3f80 : 0x3c00;
    return ws_boolean(f >> WS_FIELD_BOOLEAN & 3, holds, on != 0) ? one : 0;
}

WS_BODY(HSET2, WS_PREPARE_HALF, 1, 1, 1, 0,
        half_comparison(A & 0xffff, B & 0xffff, f, on) | half_comparison(A >> 16, B >> 16, f, on)
                                                             << 16)

void WS_NAME(HSETP2)(WS_ARGUMENTS)
{
    guint operation = ws_decoded_modifier(instruction, BOOLEAN);
    guint64 p = ws_predicate_mask(warp, instruction->predicate_in & 15);
    guint64 low = bits_HSETP2_LOW(program, instruction, warp, mask);
    guint64 high = bits_HSETP2_HIGH(program, instruction, warp, mask);
    ws_write_predicate(warp, instruction->predicate_out & 7, mask, ws_boolean(operation, low, p));
    ws_write_predicate(warp, instruction->predicate_out >> 4 & 7, mask,
                       ws_boolean(operation, high, p));
}
