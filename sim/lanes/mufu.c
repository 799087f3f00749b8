/*
 * MUFU: the approximate functions. The hardware's tables are not public; these compute in double
 * with exactly rounded operations only and round once, which is well inside the documented error
 * bounds and the same on every host. Inputs and results that are denormal are flushed to zeros, as
 * on hardware (measured on an H200; TANH keeps them). Special cases as measured there.
 */
#include "sim/lanes/double.h"
#include "sim/lanes/float.h"

/* A function of one 32-bit float. Operands keep their denormals in `prepare`: sign changes only. */
#define FUNCTION(NAME, EXPRESSION) WS_BODY(NAME, WS_PREPARE_SIGN, 1, 0, 1, 0, EXPRESSION)

WS_INLINE double flushed(guint32 bits)
{
    return (double)ws_float(ws_flush32(bits));
}

/* A result in double, rounded to nearest; NaN canonical, denormals flushed. */
WS_INLINE guint32 rounded(double value)
{
    return ws_flush32(ws_canonical32((float)value));
}

FUNCTION(MUFU, rounded(1.0 / flushed(b)))
/* The root of -0 is -0, and its reciprocal -infinity, as measured. */
FUNCTION(MUFU_RSQ, rounded(1.0 / __builtin_sqrt(flushed(b))))
FUNCTION(MUFU_SQRT, rounded(__builtin_sqrt(flushed(b))))

/* 2^x for |x| < 1000: Taylor series of e^(f ln 2) for |f| <= 1/2, error below 1e-11. */
WS_INLINE double power_of_two(double x)
{
    double whole = (x + 0x1.8p52) - 0x1.8p52;
    double y = (x - whole) * 0x1.62e42fefa39efp-1;
    double sum = 1.0 / 362880;
    sum = sum * y + 1.0 / 40320;
    sum = sum * y + 1.0 / 5040;
    sum = sum * y + 1.0 / 720;
    sum = sum * y + 1.0 / 120;
    sum = sum * y + 1.0 / 24;
    sum = sum * y + 1.0 / 6;
    sum = sum * y + 0.5;
    sum = sum * y + 1.0;
    sum = sum * y + 1.0;
    return sum * ws_double((guint64)((gint64)(gint32)whole + 1023) << 52);
}

WS_INLINE guint32 ex2(guint32 bits)
{
    double x = flushed(bits);
    double clamped = x < -200 ? -200 : x < 200 ? x : 200; /* NaN becomes 200, replaced below */
    return x != x ? WS_NAN32 : rounded(power_of_two(clamped));
}

FUNCTION(MUFU_EX2, ex2(b))

/* log2 of a positive normal number: the exponent, and the series of 2 atanh for the rest. */
WS_INLINE double log_two(guint32 bits)
{
    guint32 offset = bits - 0x3f3504f3u; /* significands from sqrt(1/2) */
    gint32 exponent = (gint32)offset >> 23;
    double m = (double)ws_float((offset & 0x007fffffu) + 0x3f3504f3u);
    double s = (m - 1) / (m + 1), q = s * s;
    double sum = 1.0 / 17;
    sum = sum * q + 1.0 / 15;
    sum = sum * q + 1.0 / 13;
    sum = sum * q + 1.0 / 11;
    sum = sum * q + 1.0 / 9;
    sum = sum * q + 1.0 / 7;
    sum = sum * q + 1.0 / 5;
    sum = sum * q + 1.0 / 3;
    sum = sum * q + 1.0;
    return (double)exponent + sum * s * 0x1.71547652b82fep+1; /* 2 / ln 2 */
}

WS_INLINE guint32 lg2(guint32 bits)
{
    guint32 x = ws_flush32(bits), magnitude = x & WS_MAGNITUDE32;
    guint32 value = rounded(log_two(x));
    value = x == WS_INFINITY32 ? WS_INFINITY32 : value;
    value = magnitude == 0 ? WS_SIGN32 | WS_INFINITY32 : value;
    return magnitude > WS_INFINITY32 || (magnitude && x >> 31) ? WS_NAN32 : value;
}

FUNCTION(MUFU_LG2, lg2(b))

/* Sine and cosine of y quarter turns, |y| <= 1/2: Taylor series, error below 1e-13. */
WS_INLINE double quarter_sine(double y)
{
    double x = y * 0x1.921fb54442d18p+0, q = x * x;
    double sum = 1.0 / 6227020800.0;
    sum = sum * q - 1.0 / 39916800;
    sum = sum * q + 1.0 / 362880;
    sum = sum * q - 1.0 / 5040;
    sum = sum * q + 1.0 / 120;
    sum = sum * q - 1.0 / 6;
    return x + x * q * sum;
}

WS_INLINE double quarter_cosine(double y)
{
    double x = y * 0x1.921fb54442d18p+0, q = x * x;
    double sum = -1.0 / 87178291200.0;
    sum = sum * q + 1.0 / 479001600;
    sum = sum * q - 1.0 / 3628800;
    sum = sum * q + 1.0 / 40320;
    sum = sum * q - 1.0 / 720;
    sum = sum * q + 1.0 / 24;
    sum = sum * q - 0.5;
    return 1.0 + q * sum;
}

/* sin(2 pi x), or the cosine: the same, a quarter turn on. */
WS_INLINE guint32 turn(guint32 bits, gint32 quarters)
{
    guint32 x = ws_flush32(bits), magnitude = x & WS_MAGNITUDE32;
    /* From 2^23 on all floats are whole turns; specials are replaced below. */
    double turns = magnitude < 0x4b000000u ? (double)ws_float(x) : 0.0;
    double rest = 4.0 * (turns - ((turns + 0x1.8p52) - 0x1.8p52));
    double nearest = (rest + 0x1.8p52) - 0x1.8p52, y = rest - nearest;
    gint32 quadrant = ((gint32)nearest + quarters) & 3;
    double value = quadrant & 1 ? quarter_cosine(y) : quarter_sine(y);
    guint32 result = rounded(quadrant & 2 ? -value : value);
    result = quarters == 0 && magnitude == 0 ? x : result;
    return magnitude >= WS_INFINITY32 ? WS_NAN32 : result;
}

FUNCTION(MUFU_SIN, turn(b, 0))
FUNCTION(MUFU_COS, turn(b, 1))

WS_INLINE guint32 tanh32(guint32 bits)
{
    double x = (double)ws_float(bits);
    double clamped = x < -20 ? -20 : x < 20 ? x : 20;
    double power = power_of_two(clamped * 0x1.71547652b82fep+1);
    double large = (power - 1) / (power + 1), small = x * (1 - x * x * (1.0 / 3));
    gboolean near_zero = x > -0x1p-10 && x < 0x1p-10;
    return x != x ? WS_NAN32 : ws_float_bits((float)(near_zero ? small : large));
}

FUNCTION(MUFU_TANH, tanh32(b))

/* A half of b as a 32-bit float; signs have been applied to both halves. */
WS_INLINE guint32 half_as_float(guint32 b, guint32 f)
{
    guint32 half = f >> WS_FIELD_MUFU_HALF & 1 ? b >> 16 : b & 0xffff;
    return (f >> WS_FIELD_MUFU_FORMAT & 3) == WS_FLOAT_BF16
               ? half << 16
               : ws_float_bits((float)ws_widen_f16(half));
}

/*
 * The 32-bit result cut to a half, as on an H200 (of the 65536 arguments of EX2.F16 all but one
 * agree); from 2^16 on an F16 is infinite.
 */
WS_INLINE guint32 cut_to_half(guint32 result, guint32 f)
{
    guint32 format = f >> WS_FIELD_MUFU_FORMAT & 3;
    guint32 cut = ws_narrow((double)ws_float(result), ws_formats[format], WS_ROUND_ZERO);
    gboolean too_large = format == WS_FLOAT_F16 && result - 0x47800000u < 0x38000000u;
    return too_large ? ws_formats[format].infinity : cut;
}

WS_BODY(MUFU_EX2_HALF, WS_PREPARE_HALF, 1, 0, 1, 0, cut_to_half(ex2(half_as_float(b, f)), f))
WS_BODY(MUFU_TANH_HALF, WS_PREPARE_HALF, 1, 0, 1, 0, cut_to_half(tanh32(half_as_float(b, f)), f))

/* The 64-bit starts: the high word of a double in, the high word of the result out. */
WS_INLINE guint32 high_word(double value)
{
    guint64 bits = ws_double_bits(value);
    bits = (bits & WS_INFINITY64) == 0 ? bits & WS_SIGN64 : bits;
    return value != value ? WS_NAN32 : (guint32)(bits >> 32);
}

WS_INLINE double from_high_word(guint32 high)
{
    guint64 bits = (guint64)high << 32;
    return ws_double((bits & WS_INFINITY64) == 0 ? bits & WS_SIGN64 : bits);
}

FUNCTION(MUFU_RCP64H, high_word(1.0 / from_high_word(b)))
FUNCTION(MUFU_RSQ64H, high_word(1.0 / __builtin_sqrt(from_high_word(b))))
