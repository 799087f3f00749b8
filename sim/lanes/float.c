/* 32-bit float bodies. */
#include "sim/lanes/float.h"

#define F(bits) ws_float(bits)

WS_BODY(FADD, WS_PREPARE_F32, 1, 1, 1, 0, ws_canonical32(F(a) + F(b)))
WS_BODY(FMUL, WS_PREPARE_F32, 1, 1, 1, 0, ws_canonical32(F(a) * F(b)))
WS_BODY(FFMA, WS_PREPARE_F32, 1, 1, 1, 1, ws_canonical32(ws_fma32(F(a), F(b), F(c))))

/* Round to nearest, with .FTZ or .SAT. */
WS_BODY(FADD_FLUSHED, WS_PREPARE_F32, 1, 1, 1, 0,
        ws_flush_and_saturate32(ws_canonical32(F(a) + F(b)), f))
WS_BODY(FMUL_FLUSHED, WS_PREPARE_F32, 1, 1, 1, 0,
        ws_flush_and_saturate32(ws_canonical32(F(a) * F(b)), f))
WS_BODY(FFMA_FLUSHED, WS_PREPARE_F32, 1, 1, 1, 1,
        ws_flush_and_saturate32(ws_canonical32(ws_fma32(F(a), F(b), F(c))), f))

/* The other rounding modes. The double product of two floats is exact. */
#define MODE WS_ROUND_OF(f)
WS_BODY(FADD_ROUNDED, WS_PREPARE_F32, 1, 1, 1, 0,
        ws_flush_and_saturate32(ws_sum_round32((double)F(a), (double)F(b), MODE), f))
WS_BODY(FMUL_ROUNDED, WS_PREPARE_F32, 1, 1, 1, 0,
        ws_flush_and_saturate32(ws_round32((double)F(a) * (double)F(b), MODE), f))
WS_BODY(FFMA_ROUNDED, WS_PREPARE_F32, 1, 1, 1, 1,
        ws_flush_and_saturate32(ws_sum_round32((double)F(a) * (double)F(b), (double)F(c), MODE), f))

/* The sixteen comparisons are sets of relations: less 1, equal 2, greater 4, unordered 8. */
#define RELATION(a, b)  (F(a) < F(b) ? 1u : F(a) == F(b) ? 2u : F(a) > F(b) ? 4u : 8u)
#define RELATIONS_OF(f) ((f) >> WS_FIELD_FCMP & 15u)
WS_COMPARISON(FSETP, WS_PREPARE_F32, 1, 1, RELATION(a, b) & RELATIONS_OF(f))

WS_INLINE guint32 comparison_as_float(guint32 a, guint32 b, guint32 f, guint32 on)
{
    guint32 holds = (RELATION(a, b) & RELATIONS_OF(f)) != 0;
    return ws_boolean(f >> WS_FIELD_BOOLEAN & 3, holds, on != 0) ? 0x3f800000u : 0;
}

WS_BODY(FSET, WS_PREPARE_F32, 1, 1, 1, 0, comparison_as_float(a, b, f, on))

WS_BODY(FSEL, WS_PREPARE_F32, 1, 1, 1, 0, on ? a : b)

/* Order of floats as signed integers: -0 below +0. */
WS_INLINE gint32 order_of(guint32 bits)
{
    return (gint32)bits ^ (gint32)((guint32)((gint32)bits >> 31) & WS_MAGNITUDE32);
}

WS_INLINE guint32 minimum_or_maximum(guint32 a, guint32 b, guint32 minimum, guint32 nan_wins)
{
    guint32 a_nan = (a & WS_MAGNITUDE32) > WS_INFINITY32;
    guint32 b_nan = (b & WS_MAGNITUDE32) > WS_INFINITY32;
    guint32 a_less = order_of(a) < order_of(b);
    guint32 chosen = (minimum ? a_less : !a_less) ? a : b;
    guint32 other = a_nan ? b : a;
    guint32 none = nan_wins ? a_nan | b_nan : a_nan & b_nan;
    return none ? WS_NAN32 : (a_nan | b_nan) ? other : chosen;
}

WS_BODY(FMNMX, WS_PREPARE_F32, 1, 1, 1, 0, minimum_or_maximum(a, b, on, f >> WS_FIELD_NAN_RULE & 1))

/*
 * A division needs its slow path where a step of the fast one (reciprocal, two corrections by FFMA)
 * could overflow, underflow or meet a denormal. The bounds are ours, on the safe side. A divisor
 * whose significand is all ones is among them: see isa/ptx/make_library.py.
 */
WS_INLINE guint32 needs_slow_division(guint32 a, guint32 b)
{
    gint32 top = (gint32)(a >> 23 & 0xff), bottom = (gint32)(b >> 23 & 0xff);
    return (top == 255) | (top < 32) | (bottom < 2) | (bottom > 252) | (top - bottom > 120) |
           (top - bottom < -120) | ((b & 0x7fffff) == 0x7fffff);
}

WS_CONDITION(FCHK, WS_PREPARE_F32, 1, 1, needs_slow_division(a, b))

void WS_NAME(FCHK)(WS_ARGUMENTS)
{
    ws_write_predicate(warp, instruction->predicate_out & 7, mask,
                       bits_FCHK(program, instruction, warp, mask));
}
