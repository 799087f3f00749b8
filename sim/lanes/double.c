/* 64-bit float bodies. */
#include "sim/lanes/double.h"
#include "sim/lanes/float.h"

typedef unsigned __int128 Wide;

#define D(bits) ws_double(bits)

/* ---- fused multiply-add by integers ------------------------------------------------------------
 */

/* A finite number other than zero: magnitude * 2^exponent with 53 significant bits. */
typedef struct {
    guint64 magnitude;
    gint32 exponent;
} Number;

static Number unpack(guint64 bits)
{
    guint64 fraction = bits & (((guint64)1 << 52) - 1);
    gint32 field = (gint32)(bits >> 52 & 0x7ff);
    if (field) {
        return (Number){fraction | (guint64)1 << 52, field - 1075};
    }
    gint32 shift = __builtin_clzll(fraction) - 11;
    return (Number){fraction << shift, -1074 - shift};
}

static Wide shift_right_sticky(Wide value, gint32 shift)
{
    if (shift >= 128) {
        return value != 0;
    }
    Wide kept = value >> shift;
    return kept | (Wide)((kept << shift) != value);
}

static gint32 top_bit(Wide value)
{
    guint64 high = (guint64)(value >> 64);
    return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((guint64)value);
}

/* value * 2^exponent, not zero, rounded; bit 0 of `value` may be sticky if there are bits to spare.
 */
static guint64 pack(Wide value, gint32 exponent, guint64 sign, guint mode)
{
    gint32 shift = top_bit(value) - 52;
    if (exponent + shift < -1074) {
        shift = -1074 - exponent;
    }
    guint64 kept, up = 0;
    if (shift <= 0) {
        kept = (guint64)(value << -shift);
    } else {
        /* Two more bits, the last one sticky. */
        Wide exact = shift == 1 ? value << 1 : shift_right_sticky(value, shift - 2);
        kept = (guint64)(exact >> 2);
        up = ws_rounds_up((guint64)exact & 3, 2, kept & 1, sign >> 63, mode);
    }
    kept += up;
    gint64 field = (gint64)exponent + shift + 1074; /* 0: the numbers without an implicit bit */
    guint64 code = field >= 2046 ? WS_INFINITY64 : kept + ((guint64)field << 52);
    if (code >= WS_INFINITY64) {
        gboolean away = mode == WS_ROUND_NEAREST || (mode == WS_ROUND_UP && !sign) ||
                        (mode == WS_ROUND_DOWN && sign);
        code = away ? WS_INFINITY64 : WS_INFINITY64 - 1;
    }
    return code | sign;
}

/* Sum of two numbers of up to 126 bits that are not both zero. */
static guint64 add_numbers(Wide x, gint32 x_exponent, guint64 x_sign, Wide y, gint32 y_exponent,
                           guint64 y_sign, guint mode)
{
    gint32 exponent = MAX(x_exponent, y_exponent);
    x = shift_right_sticky(x, exponent - x_exponent);
    y = shift_right_sticky(y, exponent - y_exponent);
    if (x_sign == y_sign) {
        return pack(x + y, exponent, x_sign, mode);
    }
    if (x == y) {
        return mode == WS_ROUND_DOWN ? WS_SIGN64 : 0;
    }
    return x > y ? pack(x - y, exponent, x_sign, mode) : pack(y - x, exponent, y_sign, mode);
}

static gboolean is_finite(guint64 bits)
{
    return (bits & WS_INFINITY64) != WS_INFINITY64;
}

guint64 WS_NAME(soft_fma64)(guint64 a, guint64 b, guint64 c, guint mode)
{
    guint64 sign = (a ^ b) & WS_SIGN64, c_sign = c & WS_SIGN64;
    gboolean c_zero = (c & WS_MAGNITUDE64) == 0;
    if (!is_finite(a) || !is_finite(b)) {
        return ws_result64(D(a) * D(b) + D(c), a, b, c);
    }
    if (!is_finite(c)) {
        return ws_quiet64(c);
    }
    if ((a & WS_MAGNITUDE64) == 0 || (b & WS_MAGNITUDE64) == 0) {
        guint64 cancelled = mode == WS_ROUND_DOWN ? WS_SIGN64 : 0;
        return !c_zero ? c : sign == c_sign ? sign : cancelled;
    }
    Number x = unpack(a), y = unpack(b);
    Wide product = (Wide)x.magnitude * y.magnitude; /* 105 or 106 bits */
    gint32 exponent = x.exponent + y.exponent;
    if (c_zero) {
        return pack(product, exponent, sign, mode);
    }
    /* Both to 125 or 126 bits: what a shift then loses is too small to take part in cancellation.
     */
    Number z = unpack(c);
    return add_numbers(product << 20, exponent - 20, sign, (Wide)z.magnitude << 73, z.exponent - 73,
                       c_sign, mode);
}

/* ---- bodies ------------------------------------------------------------------------------------
 */

WS_BODY(DADD, WS_PREPARE_F64, 2, 2, 2, 0, ws_result64(D(a) + D(b), a, b, 0))
WS_BODY(DMUL, WS_PREPARE_F64, 2, 2, 2, 0, ws_result64(D(a) * D(b), a, b, 0))
WS_BODY(DFMA, WS_PREPARE_F64, 2, 2, 2, 2, ws_fma64(a, b, c))

/*
 * The other rounding modes: a * 1 + b, and a * b + 0 with the zero's sign that of the product. Only
 * the sum of two NaNs needs its own rule, since Rc comes last in a fused multiply-add.
 */
#define ONE64 G_GUINT64_CONSTANT(0x3ff0000000000000)

WS_INLINE guint64 add_rounded(guint64 a, guint64 b, guint mode)
{
    guint64 sum = WS_NAME(soft_fma64)(a, ONE64, b, mode);
    return ws_is_nan64(a) | ws_is_nan64(b) ? ws_nan64(a, b, 0) : sum;
}

WS_BODY(DADD_ROUNDED, WS_PREPARE_F64, 2, 2, 2, 0, add_rounded(a, b, WS_ROUND_OF(f)))
WS_BODY(DMUL_ROUNDED, WS_PREPARE_F64, 2, 2, 2, 0,
        WS_NAME(soft_fma64)(a, b, (a ^ b) & WS_SIGN64, WS_ROUND_OF(f)))
WS_BODY(DFMA_ROUNDED, WS_PREPARE_F64, 2, 2, 2, 2, WS_NAME(soft_fma64)(a, b, c, WS_ROUND_OF(f)))

WS_BODY(DRND, WS_PREPARE_F64, 2, 0, 2, 0,
        ws_is_nan64(b) ? ws_quiet64(b)
                       : ws_double_bits(ws_round_integer(D(b), f >> WS_FIELD_INTEGER_ROUND & 3)))

#define RELATION(a, b)  (D(a) < D(b) ? 1u : D(a) == D(b) ? 2u : D(a) > D(b) ? 4u : 8u)
#define RELATIONS_OF(f) ((f) >> WS_FIELD_FCMP & 15u)
WS_COMPARISON(DSETP, WS_PREPARE_F64, 2, 2, RELATION(a, b) & RELATIONS_OF(f))
