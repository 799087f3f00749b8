/*
 * 32-bit float arithmetic in one lane, as the GPU does it: fused multiply-add rounded once, four
 * rounding modes, NaN results canonical. Only exactly rounded host operations are used, so that
 * every host gives the same bits.
 */
#ifndef WS_SIM_LANES_FLOAT_H
#define WS_SIM_LANES_FLOAT_H

#include "sim/lanes/loop.h"

/* What 32-bit arithmetic returns for any NaN (PTX: "canonical NaN 0x7fffffff"). */
#define WS_NAN32 0x7fffffffu

#define WS_SIGN32      0x80000000u
#define WS_MAGNITUDE32 0x7fffffffu
#define WS_INFINITY32  0x7f800000u

/* Bits of a result, NaN made canonical. */
WS_INLINE guint32 ws_canonical32(float value)
{
    return value != value ? WS_NAN32 : ws_float_bits(value);
}

/* Denormals become zeros of the same sign. */
WS_INLINE guint32 ws_flush32(guint32 bits)
{
    return (bits & WS_INFINITY32) == 0 ? bits & WS_SIGN32 : bits;
}

/*
 * x + y rounded to odd: where the sum is not exact, the neighbour with an odd last bit. Rounding
 * that to fewer bits (at least two fewer) gives what rounding the exact sum would give. The error
 * of the sum comes from Knuth's two-sum.
 */
WS_INLINE double ws_add_odd(double x, double y)
{
    double sum = x + y;
    double part = sum - x;
    double error = (x - (sum - part)) + (y - part);
    guint64 bits = ws_double_bits(sum), error_bits = ws_double_bits(error);
    guint64 toward_zero = (bits ^ error_bits) >> 63; /* sum is above the exact value in magnitude */
    guint64 odd = (bits - toward_zero) | 1;
    gboolean inexact = (error > 0) | (error < 0); /* false for NaN */
    return inexact ? ws_double(odd) : sum;
}

/* a * b + c rounded once, to nearest even. */
WS_INLINE float ws_fma32(float a, float b, float c)
{
#if defined(__FMA__) || defined(__aarch64__)
    return __builtin_fmaf(a, b, c);
#else
    return (float)ws_add_odd((double)a * (double)b, (double)c);
#endif
}

/*
 * Bits of the double `value` (exact, or rounded to odd) rounded to 32 bits in a WS_ROUND_* mode.
 */
WS_INLINE guint32 ws_round32(double value, guint mode)
{
    float nearest = (float)value;
    guint32 bits = ws_float_bits(nearest);
    double back = (double)nearest;
    gboolean above = back > value, below = back < value;
    gboolean negative = bits >> 31;
    gboolean down = mode == WS_ROUND_DOWN || (mode == WS_ROUND_ZERO && !negative);
    gboolean up = mode == WS_ROUND_UP || (mode == WS_ROUND_ZERO && negative);
    /* One step of the magnitude: away from zero or toward it. */
    guint32 step = (down && above) ? (negative ? 1u : ~0u)
                   : (up && below) ? (negative ? ~0u : 1u)
                                   : 0;
    return value != value ? WS_NAN32 : bits + step;
}

/* a + b; a zero sum of two numbers that cancel is -0 when rounding down, else +0. */
WS_INLINE guint32 ws_sum_round32(double a, double b, guint mode)
{
    double sum = ws_add_odd(a, b);
    gboolean cancelled = sum == 0 && (ws_double_bits(a) ^ ws_double_bits(b)) >> 63;
    return cancelled ? (mode == WS_ROUND_DOWN ? WS_SIGN32 : 0) : ws_round32(sum, mode);
}

/* Fields of the flags of FADD, FMUL and FFMA, and of other 32-bit float operations. */
#define WS_ROUND_OF(f) ((f) >> WS_FIELD_ROUND & 3u)
#define WS_FTZ_OF(f)   ((f) >> WS_FIELD_FTZ & 1u)
#define WS_SAT_OF(f)   ((f) >> WS_FIELD_SAT & 1u)

/* .FTZ and .SAT of a result; .SAT clamps to 0..1, NaN gives +0. */
WS_INLINE guint32 ws_flush_and_saturate32(guint32 bits, guint32 f)
{
    guint32 value = WS_FTZ_OF(f) ? ws_flush32(bits) : bits;
    float number = ws_float(value);
    guint32 clamped = number > 0 ? (number < 1 ? value : 0x3f800000u) : 0;
    return WS_SAT_OF(f) ? clamped : value;
}

#endif
