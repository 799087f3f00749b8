/* What each typed form of PTX computes, against C. */
#include <fenv.h>
#include <math.h>

#include "isa/base/float_bits.h"
#include "tests/support/ptx_runner.h"
#include "tests/support/suite.h"

#define M32    G_GUINT64_CONSTANT(0xffffffff)
#define M16    G_GUINT64_CONSTANT(0xffff)
#define S32(x) ((gint64)(gint32)(x))
#define S16(x) ((gint64)(gint16)(x))
#define S8(x)  ((gint64)(gint8)(x))

static guint64 dot(guint64 a, guint64 b, gboolean a_signed, gboolean b_signed)
{
    gint64 sum = 0;
    for (int i = 0; i < 32; i += 8)
        sum += (a_signed ? S8(a >> i) : (gint64)((a >> i) & 255)) *
               (b_signed ? S8(b >> i) : (gint64)((b >> i) & 255));
    return (guint64)sum;
}

static guint64 logic(guint64 a, guint64 b, guint64 c, guint table)
{
    guint64 d = 0;
    for (int i = 0; i < 64; i++)
        d |= (guint64)((table >> (((a >> i) & 1) << 2 | ((b >> i) & 1) << 1 | ((c >> i) & 1))) & 1)
             << i;
    return d;
}

static guint64 permute(guint64 a, guint64 b, guint64 selector)
{
    guint64 bytes = (a & M32) | b << 32;
    guint64 d = 0;
    for (int i = 0; i < 4; i++) {
        guint s = (selector >> (4 * i)) & 15;
        guint64 byte = (bytes >> (8 * (s & 7))) & 255;
        if (s & 8)
            byte = byte & 128 ? 255 : 0;
        d |= byte << (8 * i);
    }
    return d;
}

static guint64 leading_zeros(guint64 a)
{
    return a == 0 ? 64 : (guint64)__builtin_clzll(a);
}

static guint64 reversed(guint64 a)
{
    guint64 d = 0;
    for (int i = 0; i < 64; i++)
        d |= ((a >> i) & 1) << (63 - i);
    return d;
}

static guint64 ones(guint64 count)
{
    return count > 63 ? G_MAXUINT64 : (G_GUINT64_CONSTANT(1) << count) - 1;
}

static guint64 field_mask(guint64 position, guint64 length)
{
    return position > 31 ? 0 : ones(MIN(length, 32)) << position;
}

static guint64 sign_extended(guint64 a, guint64 length)
{
    if (length == 0)
        return 0;
    return length > 31 ? a : (guint64)((gint64)(a << (64 - length)) >> (64 - length));
}

static guint64 extract(guint64 a, guint64 position, guint64 length, guint bits, gboolean sign)
{
    if (length == 0)
        return 0;
    guint64 shifted = position >= bits ? (sign && (gint64)a < 0 ? G_MAXUINT64 : 0)
                      : sign           ? (guint64)((gint64)a >> position)
                                       : a >> position;
    if (length >= bits)
        return shifted;
    if (!sign)
        return shifted & ones(length);
    return (guint64)((gint64)(shifted << (64 - length)) >> (64 - length));
}

static guint64 insert(guint64 a, guint64 b, guint64 position, guint64 length, guint bits)
{
    guint64 mask = position >= bits ? 0 : (ones(length) << position) & ones(bits);
    guint64 field = position >= bits ? 0 : a << position;
    return (field & mask) | (b & ~mask);
}

/* Nine predicates, each used again after those between its uses: more than there are registers. */
#define BIT_TEST(n)                                                                                \
    "bfe.u32 %r5, %r0, " #n ", 1; setp.ne.u32 %nested" #n ", %r5, 0; add.u32 %r1, %r1, %r5; "
#define USE(n) "@%nested" #n " add.u32 %r3, %r3, 1" #n "; mul.lo.u32 %r3, %r3, 3; "
#define NESTED_PREDICATES                                                                          \
    "{ .reg .pred %nested<9>; mov.u32 %r3, 0; " BIT_TEST(0) BIT_TEST(1) BIT_TEST(2) BIT_TEST(3)    \
        BIT_TEST(4) BIT_TEST(5) BIT_TEST(6) BIT_TEST(7) BIT_TEST(8) USE(0) USE(0) USE(1) USE(1)    \
            USE(2) USE(2) USE(3) USE(3) USE(4) USE(4) USE(5) USE(5) USE(6) USE(6) USE(7) USE(7)    \
                USE(8) USE(8) USE(8) USE(7) USE(6) USE(5) USE(4) USE(3) USE(2) USE(1) USE(0) "}"

static guint64 nested_predicates(guint64 a)
{
    static const guint8 order[] = {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6,
                                   7, 7, 8, 8, 8, 7, 6, 5, 4, 3, 2, 1, 0};
    guint32 value = 0;

    for (guint i = 0; i < G_N_ELEMENTS(order); i++)
        value = (value + (a >> order[i] & 1 ? 10u + order[i] : 0)) * 3;
    return value;
}

#define CASE(name, statement, result, operands, ...)                                               \
    static guint64 integer_##name(guint64 a, guint64 b, guint64 c)                                 \
    {                                                                                              \
        (void)a, (void)b, (void)c;                                                                 \
        return (guint64)(__VA_ARGS__);                                                             \
    }
#include "tests/ptx/ptx_cases_integer.def"
#undef CASE

START_TEST(test_integers)
{
    static const PtxCase cases[] = {
#define CASE(name, statement, result, operands, ...)                                               \
    {statement, result, OPERANDS_##operands, integer_##name, 0},
#include "tests/ptx/ptx_cases_integer.def"
#undef CASE
    };
    run_ptx_cases(cases, G_N_ELEMENTS(cases));
}
END_TEST

/* ---- floats ---- */

#define F(bits) ws_float((guint32)(bits))
#define D       ws_double
#define of      ws_float_bits
#define od      ws_double_bits

static double H(guint64 bits)
{
    int exponent = (int)((bits >> 10) & 31);
    double fraction = (double)(bits & 0x3ff);
    double value = exponent == 31  ? (fraction != 0 ? (double)NAN : (double)INFINITY)
                   : exponent == 0 ? ldexp(fraction, -24)
                                   : ldexp(fraction + 1024, exponent - 25);
    return bits & 0x8000 ? -value : value;
}

/* To the nearest half, ties to even: rint() at the scale of the last place. */
static guint64 oh(double value)
{
    guint64 sign = signbit(value) ? 0x8000 : 0;
    double magnitude = fabs(value);
    if (isnan(value))
        return 0x7fff;
    int exponent = magnitude == 0 ? -14 : MAX(ilogb(magnitude), -14);
    if (isinf(value) || exponent > 15)
        return sign | 0x7c00;
    guint64 units = (guint64)rint(ldexp(magnitude, 10 - exponent));
    guint64 bits = units < 1024 ? units : ((guint64)(exponent + 14) << 10) + units;
    return sign | MIN(bits, 0x7c00);
}

/* The half towards zero of a 32-bit value; from 2^16 on infinity. */
static guint64 cut_half(double exact)
{
    double value = (float)exact;
    guint64 bits = oh(value);
    if (isnan(value) || fabs(value) >= 0x1p16)
        return bits;
    return fabs(H(bits)) > fabs(value) ? bits - 1 : bits;
}

/* The bf16 towards zero. */
static guint64 cut_bfloat(double exact)
{
    return isnan(exact) ? 0x7fff : of((float)exact) >> 16;
}

static guint64 bfloat(float value)
{
    guint64 bits = of(value);
    if (isnan(value))
        return 0x7fff0000;
    return (bits + 0x7fff + ((bits >> 16) & 1)) & 0xffff0000;
}

static float flush(float value)
{
    return fpclassify(value) == FP_SUBNORMAL ? copysignf(0, value) : value;
}

static float saturated(float value)
{
    return value > 0 ? (value < 1 ? value : 1) : 0;
}

static double minimum(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) ? b : a;
    return a < b || (a == b && signbit(a)) ? a : b;
}

static double maximum(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) ? b : a;
    return a > b || (a == b && !signbit(a)) ? a : b;
}

static guint64 integer(double value, double lowest, double highest)
{
    if (isnan(value))
        return 0;
    if (highest == 0x1p63 && value >= highest)
        return G_MAXINT64;
    return (guint64)(gint64)(value < lowest ? lowest : value > highest ? highest : value);
}

#define ROUNDED(name, type, parameters, expression)                                                \
    static type name parameters                                                                    \
    {                                                                                              \
        fesetround(mode);                                                                          \
        volatile type result = expression;                                                         \
        fesetround(FE_TONEAREST);                                                                  \
        return result;                                                                             \
    }
ROUNDED(rounded_add, float, (volatile float a, volatile float b, int mode), a + b)
ROUNDED(rounded_mul, float, (volatile float a, volatile float b, int mode), a *b)
ROUNDED(rounded_fma, float, (volatile float a, volatile float b, volatile float c, int mode),
        fmaf(a, b, c))
ROUNDED(rounded_add_double, double, (volatile double a, volatile double b, int mode), a + b)
ROUNDED(rounded_mul_double, double, (volatile double a, volatile double b, int mode), a *b)
ROUNDED(rounded_narrow, float, (volatile double a, int mode), (float)a)

#define CASE(name, statement, result, operands, ...)                                               \
    static guint64 float_##name(guint64 a, guint64 b, guint64 c)                                   \
    {                                                                                              \
        (void)a, (void)b, (void)c;                                                                 \
        return (guint64)(__VA_ARGS__);                                                             \
    }
#include "tests/ptx/ptx_cases_float.def"
#undef CASE

START_TEST(test_floats)
{
    static const PtxCase cases[] = {
#define CASE(name, statement, result, operands, ...)                                               \
    {statement, result, OPERANDS_##operands, float_##name, 0},
#include "tests/ptx/ptx_cases_float.def"
#undef CASE
    };
    run_ptx_cases(cases, G_N_ELEMENTS(cases));
}
END_TEST

#define CASE(name, statement, result, operands, expression, tolerance)                             \
    static guint64 approximate_##name(guint64 a, guint64 b, guint64 c)                             \
    {                                                                                              \
        (void)b, (void)c;                                                                          \
        return expression;                                                                         \
    }
#include "tests/ptx/ptx_cases_approximate.def"
#undef CASE

START_TEST(test_approximations)
{
    static const PtxCase cases[] = {
#define CASE(name, statement, result, operands, expression, tolerance)                             \
    {statement, result, OPERANDS_##operands, approximate_##name, tolerance},
#include "tests/ptx/ptx_cases_approximate.def"
#undef CASE
    };
    run_ptx_cases(cases, G_N_ELEMENTS(cases));
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_add_test(cases, test_integers);
    tcase_add_test(cases, test_floats);
    tcase_add_test(cases, test_approximations);
}

int main(void)
{
    return run_suite("ptx_semantics", add_tests);
}
