/*
 * 64-bit float arithmetic in one lane. NaN results follow what an H200 returns (measured with
 * add, mul and fma.rn.f64): an invalid operation gives 0xfff8000000000000; a NaN operand is passed
 * on, made quiet; of two NaNs among Ra and Rb the one with the larger significand; Rc only if
 * neither Ra nor Rb is a NaN.
 */
#ifndef WS_SIM_LANES_DOUBLE_H
#define WS_SIM_LANES_DOUBLE_H

#include "sim/lanes/loop.h"

#define WS_SIGN64      G_GUINT64_CONSTANT(0x8000000000000000)
#define WS_MAGNITUDE64 G_GUINT64_CONSTANT(0x7fffffffffffffff)
#define WS_INFINITY64  G_GUINT64_CONSTANT(0x7ff0000000000000)
#define WS_QUIET64     G_GUINT64_CONSTANT(0x0008000000000000)
#define WS_INVALID64   G_GUINT64_CONSTANT(0xfff8000000000000)

WS_INLINE gboolean ws_is_nan64(guint64 bits)
{
    return (gint64)(bits & WS_MAGNITUDE64) > (gint64)WS_INFINITY64;
}

/* A NaN made quiet; other values as they are. */
WS_INLINE guint64 ws_quiet64(guint64 bits)
{
    return ws_is_nan64(bits) ? bits | WS_QUIET64 : bits;
}

/* The NaN that an operation on a, b and c gives (see above). */
WS_INLINE guint64 ws_nan64(guint64 a, guint64 b, guint64 c)
{
    guint64 x = ws_quiet64(a), y = ws_quiet64(b), z = ws_quiet64(c);
    guint64 larger = (gint64)(x & WS_MAGNITUDE64) >= (gint64)(y & WS_MAGNITUDE64) ? x : y;
    return ws_is_nan64(larger) ? larger : ws_is_nan64(z) ? z : WS_INVALID64;
}

/* Bits of a result of an operation on a, b and c. */
WS_INLINE guint64 ws_result64(double value, guint64 a, guint64 b, guint64 c)
{
    guint64 bits = ws_double_bits(value), nan = ws_nan64(a, b, c);
    return value != value ? nan : bits;
}

/* a * b + c rounded once in a WS_ROUND_* mode, by integer arithmetic. */
guint64 WS_NAME(soft_fma64)(guint64 a, guint64 b, guint64 c, guint mode);

WS_INLINE guint64 ws_fma64(guint64 a, guint64 b, guint64 c)
{
#if defined(__FMA__) || defined(__aarch64__)
    return ws_result64(__builtin_fma(ws_double(a), ws_double(b), ws_double(c)), a, b, c);
#else
    return WS_NAME(soft_fma64)(a, b, c, WS_ROUND_NEAREST);
#endif
}

/* A double rounded to an integer, as a double, in a WS_INTEGER_ROUND_* mode. */
WS_INLINE double ws_round_integer(double value, guint mode)
{
    guint64 bits = ws_double_bits(value);
    guint64 sign = bits & WS_SIGN64;
    double magnitude = ws_double(bits & WS_MAGNITUDE64);
    /* Adding 2^52 rounds to nearest even; larger values are integers already. */
    double nearest = magnitude < 0x1p52 ? (magnitude + 0x1p52) - 0x1p52 : magnitude;
    double rounded = ws_double(ws_double_bits(nearest) | sign);
    gboolean down = mode == WS_INTEGER_ROUND_FLOOR || (mode == WS_INTEGER_ROUND_TRUNC && !sign);
    gboolean up = mode == WS_INTEGER_ROUND_CEIL || (mode == WS_INTEGER_ROUND_TRUNC && sign);
    double result = down && rounded > value ? rounded - 1.0
                    : up && rounded < value ? rounded + 1.0
                                            : rounded;
    return ws_double((ws_double_bits(result) & WS_MAGNITUDE64) | sign);
}

/* ---- narrower formats --------------------------------------------------------------------------
 */

/* What ws_narrow() needs to know of a format. */
typedef struct {
    guint32 fraction_bits;
    guint32 first_normal; /* exponent field, in a double, of the smallest normal number */
    guint32 infinity;     /* code of +infinity; the sign is the bit above its exponent */
    guint32 sign;
    guint32 nan; /* canonical */
} WsFormat;

static const WsFormat ws_formats[3] = {
    [WS_FLOAT_F32] = {23, 1023 - 126, 0x7f800000u, 0x80000000u, 0x7fffffffu},
    [WS_FLOAT_F16] = {10, 1023 - 14, 0x7c00u, 0x8000u, 0x7fffu},
    [WS_FLOAT_BF16] = {7, 1023 - 126, 0x7f80u, 0x8000u, 0x7fffu},
};

/* 1 if a magnitude with remainder `rest` of 2^shift below the last kept bit is to be rounded up. */
WS_INLINE guint64 ws_rounds_up(guint64 rest, guint64 half, guint64 odd, guint64 negative,
                               guint mode)
{
    guint64 nearest = rest > half || (rest == half && odd);
    guint64 away = mode == WS_ROUND_UP ? !negative : mode == WS_ROUND_DOWN ? negative : 0;
    return mode == WS_ROUND_NEAREST ? nearest : away && rest != 0;
}

/* Code of `value` (exact, or rounded to odd) in a format of up to 32 bits. */
WS_INLINE guint32 ws_narrow(double value, WsFormat format, guint mode)
{
    guint64 bits = ws_double_bits(value), magnitude = bits & WS_MAGNITUDE64;
    guint64 negative = bits >> 63;
    guint32 exponent = (guint32)(magnitude >> 52);
    guint64 significand = (magnitude & (((guint64)1 << 52) - 1)) | (guint64)(exponent != 0) << 52;
    guint32 below = exponent < format.first_normal ? format.first_normal - exponent : 0;
    guint32 shift = 52 - format.fraction_bits + (below < 60 ? below : 60);
    shift = shift < 63 ? shift : 63;
    guint64 kept = significand >> shift, rest = significand - (kept << shift);
    kept += ws_rounds_up(rest, (guint64)1 << (shift - 1), kept & 1, negative, mode);
    guint32 above = below ? 0 : exponent - format.first_normal;
    guint32 code = (guint32)kept + (above << format.fraction_bits);
    guint32 overflow = mode == WS_ROUND_NEAREST || (mode == WS_ROUND_UP && !negative) ||
                               (mode == WS_ROUND_DOWN && negative)
                           ? format.infinity
                           : format.infinity - 1;
    gboolean too_large = exponent >= 1023 + 128 || code >= format.infinity;
    code = too_large ? overflow : code;
    code = magnitude == WS_INFINITY64 ? format.infinity : code;
    code |= negative ? format.sign : 0;
    return magnitude > WS_INFINITY64 ? format.nan : code;
}

/* Code of a float of 16 bits as a double. NaNs stay NaNs with their payload. */
WS_INLINE double ws_widen_f16(guint32 code)
{
    guint32 magnitude = code & 0x7fff;
    double small = (double)(gint32)magnitude * 0x1p-24;
    guint64 bits = ((guint64)magnitude << 42) + ((guint64)(1023 - 15) << 52);
    guint64 special = ((guint64)magnitude << 42) + ((guint64)(2047 - 31) << 52);
    double number = ws_double(magnitude >= 0x7c00 ? special : bits);
    double value = magnitude < 0x400 ? small : number;
    return ws_double(ws_double_bits(value) | (guint64)(code & 0x8000) << 48);
}

WS_INLINE double ws_widen_bf16(guint32 code)
{
    return (double)ws_float(code << 16);
}

#endif
