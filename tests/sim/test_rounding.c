/*
 * Division, reciprocal, root and narrowing with a rounding mode, of PTX: exactly those of the host.
 *
 * Operands: specials and their neighbours, random bits, random significands with exponents near
 * one, and those whose results lie nearest the middle of two numbers, where a last correction that
 * is a little off rounds the wrong way. WS_ROUNDING_OPERANDS is the number of operands of each
 * operation; the default keeps the test short, 10000000 is for work on the sequences.
 */
#include <fenv.h>
#include <math.h>

#include "isa/base/float_bits.h"
#include "isa/base/half_float.h"
#include "tests/support/ptx_runner.h"
#include "tests/support/split_mix.h"
#include "tests/support/suite.h"

enum { DEFAULT_OPERANDS = 1 << 11, MORE_OPERANDS = 1 << 15, CHUNK = 1 << 18 };

static guint64 default_operands = DEFAULT_OPERANDS;

typedef struct {
    guint64 a, b, c;
} Operands;

typedef void (*Generator)(guint64 *state, guint64 number, Operands *ret);

typedef struct {
    const char *statement;
    char result;
    Generator generate;
    guint64 (*reference)(const Operands *operands);
    int mode; /* of the host, while the reference is worked out */
} Operation;

/* ---- operands ---- */

/* Near both ends of every exponent, where rounding goes to the next one. */
static guint64 edge(guint64 *state)
{
    guint64 z = split_mix_next(state), exponent = z % 2048, offset = (z >> 16) % 64;
    guint64 significand = z & 0x4000 ? offset : (G_GUINT64_CONSTANT(1) << 52) - 1 - offset;

    return (z & 0x8000 ? (guint64)1 << 63 : 0) | exponent << 52 | significand;
}

static guint64 wide_operand(guint64 *state)
{
    guint64 z = split_mix_next(state);

    switch (z % 4) {
    case 0:
        return edge(state);
    case 1:
        return split_mix_next(state);
    default: /* 2^-30 to 2^34 */
        return ((993 + (z >> 8) % 64) << 52) | split_mix_next(state) >> 12;
    }
}

static guint64 narrow_operand(guint64 *state)
{
    guint64 z = split_mix_next(state), offset = (z >> 16) % 64;

    if (z % 4 == 0)
        return (z & 0x100 ? 0x80000000u : 0) | ((z >> 32) % 256) << 23 |
               (z & 0x200 ? offset : 0x7fffff - offset);
    return split_mix_next(state) & 0xffffffff;
}

static void two_doubles(guint64 *state, guint64 number, Operands *ret)
{
    (void)number;
    ret->a = wide_operand(state);
    ret->b = wide_operand(state);
}

static void two_floats(guint64 *state, guint64 number, Operands *ret)
{
    (void)number;
    ret->a = narrow_operand(state);
    ret->b = narrow_operand(state);
}

/* Below 1: a third subnormal, a third near halves that are or bound the subnormal ones. */
static void small_float(guint64 *state, guint64 number, Operands *ret)
{
    guint64 z = split_mix_next(state), sign = z & 0x100 ? 0x80000000u : 0;
    float half_step = ldexpf((float)((z >> 16) % 2100), -25);

    if (number % 3 == 0)
        ret->a = sign | z >> (41 + (z >> 16) % 23);
    else if (number % 3 == 1)
        ret->a = sign | MAX((gint64)ws_float_bits(half_step) + (gint64)((z >> 9) % 5) - 2, 0);
    else
        ret->a = sign | ((z >> 9) % 127) << 23 | z >> 41;
}

/* 1 / odd modulo 2^64: each step doubles the bits. */
static guint64 inverse(guint64 odd)
{
    guint64 x = odd;

    for (guint i = 0; i < 5; i++)
        x *= 2 - odd * x;
    return x;
}

/*
 * a / b = (n + r / b) / 2^s with an odd n of 54 bits, half a unit off a number of 53, and a small
 * r: no quotient is nearer the middle than those.
 */
static void near_middle_quotient(guint64 *state, guint64 number, Operands *ret)
{
    const guint64 top = G_GUINT64_CONSTANT(1) << 52, mask = (G_GUINT64_CONSTANT(1) << 54) - 1;

    do {
        guint64 b = top | split_mix_next(state) >> 12 | 1;
        gint64 r = (gint64)(2 * (split_mix_next(state) % 8) + 1) * (number & 1 ? 1 : -1);
        guint64 n = (guint64)-r * inverse(b) & mask;
        unsigned __int128 product = (unsigned __int128)n * b + (unsigned __int128)(__int128)r;
        guint shift = product >> 106 != 0 ? 54 : 53;

        ret->a = (guint64)(product >> shift);
        ret->b = b;
        if (n < mask / 2)
            ret->a = 0;
    } while (ret->a < top || ret->a >= 2 * top);
    ret->a = (ret->a - top) | (1023 + split_mix_next(state) % 64) << 52;
    ret->b = (ret->b - top) | (1023 + split_mix_next(state) % 64) << 52;
}

/* Solves n^2 = k modulo 2^bits for k = 1 modulo 8, one more bit at a time. */
static guint64 root_modulo(guint64 k, guint bits)
{
    guint64 n = 1;

    for (guint bit = 3; bit < bits; bit++)
        if ((n * n - k) >> bit & 1)
            n += (guint64)1 << (bit - 1);
    return n;
}

/* sqrt(a) = (n - k / 2n) / 2^s with an odd n of 54 bits and a small k. */
static void near_middle_root(guint64 *state, guint64 number, Operands *ret)
{
    const guint64 half = G_GUINT64_CONSTANT(1) << 53, mask = 2 * half - 1;
    const guint64 top = G_GUINT64_CONSTANT(1) << 52;

    (void)state;
    for (guint64 try = number / 8;; try += 7919) {
        gint64 k = (try & 1 ? -1 : 1) * (gint64)(try / 2) * 8 + 1;
        guint bits = number & 4 ? 54 : 55;
        guint64 n = root_modulo((guint64)k, bits);
        unsigned __int128 square, x;

        n = (number & 1 ? -n : n) + (number & 2 ? (guint64)1 << (bits - 1) : 0);
        n = (n & mask) | half;
        square = (unsigned __int128)n * n - (unsigned __int128)(__int128)k;
        x = square >> bits;
        if (x << bits != square || x < top || x >= 2 * top)
            continue;
        ret->a = ((guint64)x - top) | (guint64)(1023 + (bits == 55)) << 52;
        return;
    }
}

/* ---- references ---- */

static guint64 double_quotient(const Operands *o)
{
    return ws_double_bits(ws_double(o->a) / ws_double(o->b));
}

static guint64 double_reciprocal(const Operands *o)
{
    return ws_double_bits(1.0 / ws_double(o->a));
}

static guint64 double_root(const Operands *o)
{
    return ws_double_bits(sqrt(ws_double(o->a)));
}

static guint64 float_quotient(const Operands *o)
{
    return ws_float_bits(ws_float((guint32)o->a) / ws_float((guint32)o->b));
}

static guint64 float_reciprocal(const Operands *o)
{
    return ws_float_bits(1.0f / ws_float((guint32)o->a));
}

static guint64 float_root(const Operands *o)
{
    return ws_float_bits(sqrtf(ws_float((guint32)o->a)));
}

static float flushed(float x)
{
    return fpclassify(x) == FP_SUBNORMAL ? copysignf(0, x) : x;
}

/* Tiny before rounding, as on an H200: what rounds up to the smallest normal number is flushed. */
static guint64 flushed_quotient(const Operands *o)
{
    float a = flushed(ws_float((guint32)o->a)), b = flushed(ws_float((guint32)o->b));
    double exact = (double)a / (double)b;

    return ws_float_bits(fabs(exact) < 0x1p-126 ? copysignf(0, (float)exact) : a / b);
}

static guint64 flushed_reciprocal(const Operands *o)
{
    const Operands operands = {ws_float_bits(1), o->a, 0};

    return flushed_quotient(&operands);
}

static guint64 flushed_root(const Operands *o)
{
    return ws_float_bits(sqrtf(flushed(ws_float((guint32)o->a))));
}

/* A number below 1 with so many fraction bits, and no exponent below `least`. */
static double narrowed(double x, int fraction, int least)
{
    int exponent = x == 0 ? least : MAX(ilogb(x), least);

    return ldexp(nearbyint(ldexp(x, fraction - exponent)), exponent - fraction);
}

/* .ftz or not: measured on an H200 with 80000 operands, and its F2F has none. */
static guint64 to_half(const Operands *o)
{
    return ws_half_from_double(narrowed(ws_float((guint32)o->a), 10, -14));
}

static guint64 to_bfloat(const Operands *o)
{
    return ws_bfloat_from_double(narrowed(ws_float((guint32)o->a), 7, -126));
}

static guint64 flushed_to_bfloat(const Operands *o)
{
    return ws_bfloat_from_double(narrowed(flushed(ws_float((guint32)o->a)), 7, -126));
}

/* What is below 0 becomes 0. */
static guint64 saturated_to_half(const Operands *o)
{
    guint64 half = to_half(o);

    return half & 0x8000 ? 0 : half;
}

/* ---- running ---- */

#define DIV64(mode)  "div." mode ".f64 %fd3, %fd0, %fd1;"
#define RCP64(mode)  "rcp." mode ".f64 %fd3, %fd0;"
#define ROOT64(mode) "sqrt." mode ".f64 %fd3, %fd0;"
#define DIV32(mode)  "div." mode ".f32 %f3, %f0, %f1;"
#define RCP32(mode)  "rcp." mode ".f32 %f3, %f0;"
#define ROOT32(mode) "sqrt." mode ".f32 %f3, %f0;"
#define HALF(mode)   "cvt." mode ".f16.f32 %rs3, %f0;"
#define BFLOAT(mode) "cvt." mode ".bf16.f32 %rs3, %f0;"

static const Operation operations[] = {
    {DIV64("rn"), 'D', two_doubles, double_quotient, FE_TONEAREST},
    {DIV64("rn"), 'D', near_middle_quotient, double_quotient, FE_TONEAREST},
    {DIV64("rz"), 'D', two_doubles, double_quotient, FE_TOWARDZERO},
    {DIV64("rm"), 'D', two_doubles, double_quotient, FE_DOWNWARD},
    {DIV64("rp"), 'D', two_doubles, double_quotient, FE_UPWARD},
    {RCP64("rn"), 'D', two_doubles, double_reciprocal, FE_TONEAREST},
    {RCP64("rz"), 'D', two_doubles, double_reciprocal, FE_TOWARDZERO},
    {RCP64("rm"), 'D', two_doubles, double_reciprocal, FE_DOWNWARD},
    {RCP64("rp"), 'D', two_doubles, double_reciprocal, FE_UPWARD},
    {ROOT64("rn"), 'D', two_doubles, double_root, FE_TONEAREST},
    {ROOT64("rn"), 'D', near_middle_root, double_root, FE_TONEAREST},
    {ROOT64("rz"), 'D', two_doubles, double_root, FE_TOWARDZERO},
    {ROOT64("rm"), 'D', two_doubles, double_root, FE_DOWNWARD},
    {ROOT64("rp"), 'D', two_doubles, double_root, FE_UPWARD},
    {DIV32("rn"), 'f', two_floats, float_quotient, FE_TONEAREST},
    {DIV32("rz"), 'f', two_floats, float_quotient, FE_TOWARDZERO},
    {DIV32("rm"), 'f', two_floats, float_quotient, FE_DOWNWARD},
    {DIV32("rp"), 'f', two_floats, float_quotient, FE_UPWARD},
    {RCP32("rn"), 'f', two_floats, float_reciprocal, FE_TONEAREST},
    {RCP32("rz"), 'f', two_floats, float_reciprocal, FE_TOWARDZERO},
    {RCP32("rm"), 'f', two_floats, float_reciprocal, FE_DOWNWARD},
    {RCP32("rp"), 'f', two_floats, float_reciprocal, FE_UPWARD},
    {ROOT32("rn"), 'f', two_floats, float_root, FE_TONEAREST},
    {ROOT32("rz"), 'f', two_floats, float_root, FE_TOWARDZERO},
    {ROOT32("rm"), 'f', two_floats, float_root, FE_DOWNWARD},
    {ROOT32("rp"), 'f', two_floats, float_root, FE_UPWARD},
    {DIV32("rn.ftz"), 'f', two_floats, flushed_quotient, FE_TONEAREST},
    {RCP32("rn.ftz"), 'f', two_floats, flushed_reciprocal, FE_TONEAREST},
    {ROOT32("rn.ftz"), 'f', two_floats, flushed_root, FE_TONEAREST},
    {HALF("rn"), 'h', small_float, to_half, FE_TONEAREST},
    {HALF("rz"), 'h', small_float, to_half, FE_TOWARDZERO},
    {HALF("rm"), 'h', small_float, to_half, FE_DOWNWARD},
    {HALF("rp"), 'h', small_float, to_half, FE_UPWARD},
    {HALF("rn.ftz"), 'h', small_float, to_half, FE_TONEAREST},
    {HALF("rz.ftz"), 'h', small_float, to_half, FE_TOWARDZERO},
    {HALF("rm.ftz"), 'h', small_float, to_half, FE_DOWNWARD},
    {HALF("rp.ftz"), 'h', small_float, to_half, FE_UPWARD},
    {HALF("rp.ftz.sat"), 'h', small_float, saturated_to_half, FE_UPWARD},
    {BFLOAT("rn"), 'h', small_float, to_bfloat, FE_TONEAREST},
    {BFLOAT("rm"), 'h', small_float, to_bfloat, FE_DOWNWARD},
    {BFLOAT("rp"), 'h', small_float, to_bfloat, FE_UPWARD},
    {BFLOAT("rn.ftz"), 'h', small_float, flushed_to_bfloat, FE_TONEAREST},
    {BFLOAT("rm.ftz"), 'h', small_float, flushed_to_bfloat, FE_DOWNWARD},
    {BFLOAT("rp.ftz"), 'h', small_float, flushed_to_bfloat, FE_UPWARD},
};

static guint64 operand_count(void)
{
    const char *text = g_getenv("WS_ROUNDING_OPERANDS");

    return text != NULL ? g_ascii_strtoull(text, NULL, 10) : default_operands;
}

static gboolean same(guint64 expected, guint64 found, char result)
{
    if (result == 'D')
        return expected == found || (isnan(ws_double(expected)) && isnan(ws_double(found)));
    return expected == found ||
           (isnan(ws_float((guint32)expected)) && isnan(ws_float((guint32)found)));
}

static void check_chunk(const Operation *operation, const Operands *operands, guint count)
{
    g_autofree guint64 *found = g_new(guint64, count);

    compute_by_ptx(operation->statement, operation->result,
                   (const guint64 *)(gconstpointer)operands, count, found);
    for (guint i = 0; i < count; i++) {
        guint64 expected;

        fesetround(operation->mode);
        expected = operation->reference(&operands[i]);
        fesetround(FE_TONEAREST);
        ck_assert_msg(same(expected, found[i], operation->result),
                      "%s: a=%016" G_GINT64_MODIFIER "x b=%016" G_GINT64_MODIFIER
                      "x expected %016" G_GINT64_MODIFIER "x found %016" G_GINT64_MODIFIER "x",
                      operation->statement, operands[i].a, operands[i].b, expected, found[i]);
    }
}

START_TEST(results_are_rounded_right)
{
    const Operation *operation = &operations[_i];
    g_autofree Operands *operands = g_new0(Operands, CHUNK);
    guint64 left = operand_count(), state = (guint64)_i + 1, number = 0;

    while (left > 0) {
        guint count = (guint)MIN(left, (guint64)CHUNK);

        for (guint i = 0; i < count; i++)
            operation->generate(&state, number++, &operands[i]);
        check_chunk(operation, operands, count);
        left -= count;
    }
}
END_TEST

static void add_tests(TCase *cases)
{
    tcase_set_timeout(cases, 3600);
    tcase_add_loop_test(cases, results_are_rounded_right, 0, G_N_ELEMENTS(operations));
}

int main(int argc, char **argv)
{
    if (argc > 1 && g_str_equal(argv[1], "more"))
        default_operands = MORE_OPERANDS;
    return run_suite("rounding", add_tests);
}
