#include "tests/support/scalar_float.h"

#include <fenv.h>

#include "tests/support/scalar_reference.h"

typedef __float128 Quad;

guint32 scalar_flush32(guint32 bits)
{
    return fpclassify(ws_float(bits)) == FP_SUBNORMAL ? bits & 0x80000000u : bits;
}

/* ---- the host's arithmetic in the host's rounding modes ----------------------------------------
 */

static void enter(guint mode)
{
    static const int modes[4] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    fesetround(modes[mode]);
}

static guint32 leave32(volatile float *value)
{
    fesetround(FE_TONEAREST);
    return isnan(*value) ? 0x7fffffffu : ws_float_bits(*value);
}

guint32 scalar_add32(guint32 a, guint32 b, guint mode)
{
    volatile float x = ws_float(a), y = ws_float(b), sum;
    enter(mode);
    sum = x + y;
    return leave32(&sum);
}

guint32 scalar_mul32(guint32 a, guint32 b, guint mode)
{
    volatile float x = ws_float(a), y = ws_float(b), product;
    enter(mode);
    product = x * y;
    return leave32(&product);
}

guint32 scalar_fma32(guint32 a, guint32 b, guint32 c, guint mode)
{
    volatile float x = ws_float(a), y = ws_float(b), z = ws_float(c), result;
    enter(mode);
    result = fmaf(x, y, z);
    return leave32(&result);
}

/* NaN of 64 bits: see sim/lanes/double.h for the rule and where it was measured. */
static guint64 leave64(volatile double *value, guint64 a, guint64 b, guint64 c)
{
    const guint64 magnitude = G_MAXINT64, quiet = G_GUINT64_CONSTANT(1) << 51;
    fesetround(FE_TONEAREST);
    if (!isnan(*value)) {
        return ws_double_bits(*value);
    }
    gboolean a_nan = isnan(ws_double(a)), b_nan = isnan(ws_double(b));
    if (a_nan && b_nan) {
        return ((a | quiet) & magnitude) >= ((b | quiet) & magnitude) ? a | quiet : b | quiet;
    }
    return a_nan                 ? a | quiet
           : b_nan               ? b | quiet
           : isnan(ws_double(c)) ? c | quiet
                                 : G_GUINT64_CONSTANT(0xfff8000000000000);
}

guint64 scalar_add64(guint64 a, guint64 b, guint mode)
{
    volatile double x = ws_double(a), y = ws_double(b), sum;
    enter(mode);
    sum = x + y;
    return leave64(&sum, a, b, 0);
}

guint64 scalar_mul64(guint64 a, guint64 b, guint mode)
{
    volatile double x = ws_double(a), y = ws_double(b), product;
    enter(mode);
    product = x * y;
    return leave64(&product, a, b, 0);
}

guint64 scalar_fma64(guint64 a, guint64 b, guint64 c, guint mode)
{
    volatile double x = ws_double(a), y = ws_double(b), z = ws_double(c), result;
    enter(mode);
    result = fma(x, y, z);
    return leave64(&result, a, b, c);
}

static double round_value(double value, guint mode)
{
    switch (mode) {
    case WS_INTEGER_ROUND_FLOOR:
        return floor(value);
    case WS_INTEGER_ROUND_CEIL:
        return ceil(value);
    case WS_INTEGER_ROUND_TRUNC:
        return trunc(value);
    default:
        return rint(value);
    }
}

guint32 scalar_round32(guint32 bits, guint mode)
{
    float value = ws_float(bits);
    return isnan(value) ? 0x7fffffffu : ws_float_bits((float)round_value((double)value, mode));
}

guint64 scalar_round64(guint64 bits, guint mode)
{
    double value = ws_double(bits);
    return isnan(value) ? bits | G_GUINT64_CONSTANT(1) << 51
                        : ws_double_bits(round_value(value, mode));
}

/* ---- formats -----------------------------------------------------------------------------------
 */

typedef struct {
    guint fraction_bits, exponent_bits;
} Shape;

static const Shape shapes[4] = {{23, 8}, {10, 5}, {7, 8}, {52, 11}};

/* Value of a magnitude code (no sign) that is not NaN; infinity stands for the next power of two.
 */
static Quad magnitude_of(guint64 code, guint format)
{
    Shape shape = shapes[format];
    gint bias = (1 << (shape.exponent_bits - 1)) - 1;
    guint64 fraction = code & ((G_GUINT64_CONSTANT(1) << shape.fraction_bits) - 1);
    gint exponent = (gint)(code >> shape.fraction_bits);
    Quad value = (Quad)fraction;
    if (exponent) {
        value += (Quad)(G_GUINT64_CONSTANT(1) << shape.fraction_bits);
    }
    gint power = MAX(exponent, 1) - bias - (gint)shape.fraction_bits;
    for (; power >= 60; power -= 60) {
        value *= (Quad)0x1p60;
    }
    for (; power <= -60; power += 60) {
        value *= (Quad)0x1p-60;
    }
    return value * (Quad)ldexp(1.0, power);
}

static guint64 infinity_of(guint format)
{
    Shape shape = shapes[format];
    return ((G_GUINT64_CONSTANT(1) << shape.exponent_bits) - 1) << shape.fraction_bits;
}

static guint64 sign_of(guint format)
{
    Shape shape = shapes[format];
    return G_GUINT64_CONSTANT(1) << (shape.fraction_bits + shape.exponent_bits);
}

/*
 * The code nearest to a number, by bisection over the codes. `above_tie` says on which side of a
 * value that is exactly half way the true number lies (0: it is exact).
 */
static guint64 round_quad(Quad value, gboolean negative, gint above_tie, guint format, guint mode)
{
    Quad x = value < 0 ? -value : value;
    guint64 low = 0, high = infinity_of(format);
    while (high - low > 1) {
        guint64 middle = low + (high - low) / 2;
        *(magnitude_of(middle, format) <= x ? &low : &high) = middle;
    }
    Quad top = magnitude_of(high, format), bottom = magnitude_of(low, format);
    gboolean up;
    if (x >= top) { /* overflow */
        up = mode == WS_ROUND_NEAREST || mode == (negative ? WS_ROUND_DOWN : WS_ROUND_UP);
    } else if (mode != WS_ROUND_NEAREST) {
        up = x > bottom && mode == (negative ? WS_ROUND_DOWN : WS_ROUND_UP);
    } else {
        Quad below = x - bottom, over = top - x;
        up = below > over || (below == over && (above_tie > 0 || (above_tie == 0 && low & 1)));
    }
    return (up ? high : low) | (negative ? sign_of(format) : 0);
}

double scalar_widen(guint64 code, guint format)
{
    guint64 magnitude = code & (sign_of(format) - 1), infinity = infinity_of(format);
    double value;
    if (format == WS_FLOAT_F64) {
        return ws_double(code);
    }
    value = magnitude > infinity    ? NAN
            : magnitude == infinity ? INFINITY
                                    : (double)magnitude_of(magnitude, format);
    return code & sign_of(format) ? -value : value;
}

static guint64 canonical(guint format)
{
    return format == WS_FLOAT_F32 ? 0x7fffffffu : 0x7fff;
}

guint32 scalar_minimum(guint32 a, guint32 b, gboolean minimum, gboolean nan_wins, guint format)
{
    double x = scalar_widen(a, format), y = scalar_widen(b, format);
    if (isnan(x) || isnan(y)) {
        gboolean none = nan_wins || (isnan(x) && isnan(y));
        return none ? (guint32)canonical(format) : isnan(x) ? b : a;
    }
    gboolean a_less = x < y || (x == y && signbit(x) && !signbit(y));
    return a_less == (minimum != 0) ? a : b;
}

guint32 scalar_half_fma(guint32 a, guint32 b, guint32 c, guint format)
{
    double x = scalar_widen(a, format), y = scalar_widen(b, format), z = scalar_widen(c, format);
    double rough = x * y + z;
    if (isnan(rough)) {
        return (guint32)canonical(format);
    }
    if (isinf(rough)) {
        return (guint32)(infinity_of(format) | (rough < 0 ? sign_of(format) : 0));
    }
    /* The product is exact in double; what the sum in 113 bits loses only matters at a tie. */
    Quad product = (Quad)x * (Quad)y, sum = product + (Quad)z;
    Quad lost = (Quad)z - (sum - product);
    if (sum == 0) {
        return signbit(rough) ? (guint32)sign_of(format) : 0;
    }
    gboolean negative = sum < 0;
    gint side = lost == 0 ? 0 : (lost > 0) != negative ? 1 : -1;
    return (guint32)round_quad(sum, negative, side, format, WS_ROUND_NEAREST);
}

guint64 scalar_convert(guint64 code, guint from, guint to, guint mode)
{
    double value = scalar_widen(code, from);
    if (isnan(value)) {
        gint shift = (gint)shapes[to].fraction_bits - (gint)shapes[from].fraction_bits;
        gboolean kept = to == WS_FLOAT_F64 || from == WS_FLOAT_F64;
        guint64 fraction = code & ((G_GUINT64_CONSTANT(1) << shapes[from].fraction_bits) - 1);
        fraction = shift >= 0 ? fraction << shift : fraction >> -shift;
        fraction |= G_GUINT64_CONSTANT(1) << (shapes[to].fraction_bits - 1);
        guint64 sign = code & sign_of(from) ? sign_of(to) : 0;
        return kept ? sign | infinity_of(to) | fraction : canonical(to);
    }
    if (to == WS_FLOAT_F64) {
        return ws_double_bits(value);
    }
    if (isinf(value)) {
        return infinity_of(to) | (value < 0 ? sign_of(to) : 0);
    }
    return round_quad((Quad)value, signbit(value) != 0, 0, to, mode);
}

/* ---- integers ----------------------------------------------------------------------------------
 */

static const guint type_bits[8] = {32, 32, 8, 8, 16, 16, 64, 64};

guint64 scalar_from_integer(guint64 bits, guint type, guint to, guint mode)
{
    guint width = type_bits[type];
    gboolean is_signed = type % 2 == 0;
    guint64 low = width == 64 ? bits : bits & ((G_GUINT64_CONSTANT(1) << width) - 1);
    gboolean negative = is_signed && low >> (width - 1);
    Quad value = (Quad)low;
    if (negative) {
        value -= width == 64 ? (Quad)0x1p64 : (Quad)(G_GUINT64_CONSTANT(1) << width);
    }
    return value == 0 ? 0 : round_quad(value, negative, 0, to, mode);
}

guint64 scalar_to_integer(guint64 code, guint from, guint type, guint mode)
{
    guint width = type_bits[type];
    gboolean is_signed = type % 2 == 0;
    double value = scalar_widen(code, from);
    long double smallest = is_signed ? -ldexpl(1, (int)width - 1) : 0;
    long double largest = ldexpl(1, (int)width - (is_signed ? 1 : 0)) - 1;
    if (isnan(value)) {
        guint64 top =
            from == WS_FLOAT_F64 || width == 64 ? G_GUINT64_CONSTANT(1) << (width - 1) : 0;
        return is_signed ? 0 - top : top;
    }
    long double rounded = round_value(value, mode);
    rounded = rounded < smallest ? smallest : rounded > largest ? largest : rounded;
    return rounded < 0 ? (guint64)(gint64)rounded : (guint64)rounded;
}

double scalar_mufu(guint function, double x)
{
    switch (function) {
    case WS_MUFU_RCP:
    case WS_MUFU_RCP64H:
        return 1.0 / x;
    case WS_MUFU_RSQ:
    case WS_MUFU_RSQ64H:
        return 1.0 / sqrt(x);
    case WS_MUFU_SQRT:
        return sqrt(x);
    case WS_MUFU_EX2:
        return exp2(x);
    case WS_MUFU_LG2:
        return log2(x);
    case WS_MUFU_SIN:
        return sin(2 * G_PI * fmod(x, 1.0));
    case WS_MUFU_COS:
        return cos(2 * G_PI * fmod(x, 1.0));
    default:
        return tanh(x);
    }
}
