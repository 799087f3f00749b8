/*
 * The math functions of the CUDA header, compiled for the host and compared with the C library's
 * long double functions. The bounds are those of the CUDA C Programming Guide, appendix
 * "Mathematical Functions", with a correctly rounded special function unit.
 */
#include "isa/cuda/include/warpstep/math_double.h"
#include "isa/cuda/include/warpstep/math_float.h"
#include "tests/support/split_mix.h"

#include <check.h>
#include <glib.h>
#include <math.h>
#include <stdlib.h>

enum { POINTS = 20000 };

float __ws_mufu_ex2(float x)
{
    return (float)exp2l(x);
}
float __ws_mufu_lg2(float x)
{
    return (float)log2l(x);
}
float __ws_mufu_rsq(float x)
{
    return (float)(1.0L / sqrtl(x));
}
float __ws_mufu_rcp(float x)
{
    return (float)(1.0L / x);
}

/* Units in the last place between `got` and `want`, of a format with these digits. */
static double ulps(double got, long double want, int digits, int smallest, double largest)
{
    const double wrong = 1e9;
    if (isnan(want) || isnan(got))
        return isnan(want) && isnan(got) ? 0 : wrong;
    if (isinf(got) || fabsl(want) > largest)
        return fabs(got) >= largest && fabsl(want) >= largest * (1 - 0x1p-23) &&
                       !signbit(got) == !signbit(want)
                   ? 0
                   : wrong;
    if (want == 0)
        return got == 0 && !signbit(got) == !signbit(want) ? 0 : wrong;
    int exponent;
    frexpl(want, &exponent);
    return (double)fabsl((got - want) * ldexpl(1, digits - MAX(exponent, smallest)));
}

/* Values in [low, high]; every bit pattern where they are equal. Specials come first. */
static const double specials[] = {
    0.0,      -0.0,           1.0,
    -1.0,     INFINITY,       -INFINITY,
    NAN,      0x1p-149,       0x1p-126,
    0.5,      -0.5,           2.0,
    3.0,      0x1.fffffep-1,  0x1.000002p0,
    88.72284, -103.97,        1e10,
    0x1p24,   0x1.fffffep127, -0x1.fffffep127,
    105615.0, 1e30,           -1e-30,
};

static float pick_float(guint64 *seed, guint i, double low, double high)
{
    if (i < G_N_ELEMENTS(specials))
        return (float)specials[i];
    guint64 bits = split_mix_next(seed);
    if (low == high)
        return __ws_floatf((int)bits);
    return (float)(low + (high - low) * ((double)(bits >> 11) * 0x1p-53));
}

static double pick_double(guint64 *seed, guint i, double low, double high)
{
    if (i < G_N_ELEMENTS(specials))
        return specials[i];
    guint64 bits = split_mix_next(seed);
    if (low == high)
        return __ws_double((long long)bits);
    return low + (high - low) * ((double)(bits >> 11) * 0x1p-53);
}

typedef struct {
    const char *name;
    float (*function)(float);
    long double (*reference)(long double);
    double low, high, bound;
} FloatRow;

typedef struct {
    const char *name;
    double (*function)(double);
    long double (*reference)(long double);
    double low, high, bound;
} DoubleRow;

static long double reference_exp10(long double x)
{
    return powl(10.0L, x);
}

static const FloatRow float_rows[] = {
    {"expf", __ws_expf, expl, -110, 95, 2},
    {"exp2f", __ws_exp2f, exp2l, -150, 130, 2},
    {"exp10f", __ws_exp10f, reference_exp10, -46, 40, 2},
    {"expm1f", __ws_expm1f, expm1l, -20, 90, 2},
    {"expm1f", __ws_expm1f, expm1l, -1, 1, 2},
    {"logf", __ws_logf, logl, 0.5, 2, 1},
    {"logf", __ws_logf, logl, 0, 0, 1},
    {"log2f", __ws_log2f, log2l, 0.5, 2, 1},
    {"log2f", __ws_log2f, log2l, 0, 0, 1},
    {"log10f", __ws_log10f, log10l, 0.5, 2, 2},
    {"log10f", __ws_log10f, log10l, 0, 0, 2},
    {"log1pf", __ws_log1pf, log1pl, -1, 2, 1},
    {"log1pf", __ws_log1pf, log1pl, 0, 0, 1},
    {"sinf", __ws_sinf, sinl, -10, 10, 2},
    {"sinf", __ws_sinf, sinl, -200000, 200000, 2},
    {"sinf", __ws_sinf, sinl, 0, 0, 2},
    {"cosf", __ws_cosf, cosl, -10, 10, 2},
    {"cosf", __ws_cosf, cosl, 0, 0, 2},
    {"tanf", __ws_tanf, tanl, -10, 10, 4},
    {"tanf", __ws_tanf, tanl, 0, 0, 4},
    {"asinf", __ws_asinf, asinl, -1, 1, 2},
    {"acosf", __ws_acosf, acosl, -1, 1, 2},
    {"atanf", __ws_atanf, atanl, -3, 3, 2},
    {"atanf", __ws_atanf, atanl, 0, 0, 2},
    {"sinhf", __ws_sinhf, sinhl, -91, 91, 3},
    {"sinhf", __ws_sinhf, sinhl, -2, 2, 3},
    {"coshf", __ws_coshf, coshl, -91, 91, 2},
    {"tanhf", __ws_tanhf, tanhl, -10, 10, 2},
    {"asinhf", __ws_asinhf, asinhl, -10, 10, 3},
    {"asinhf", __ws_asinhf, asinhl, 0, 0, 3},
    {"acoshf", __ws_acoshf, acoshl, 1, 3, 4},
    {"acoshf", __ws_acoshf, acoshl, 0, 0, 4},
    {"atanhf", __ws_atanhf, atanhl, -1, 1, 3},
    {"cbrtf", __ws_cbrtf, cbrtl, 0, 0, 1},
    {"erff", __ws_erff, erfl, -5, 5, 2},
    {"erfcf", __ws_erfcf, erfcl, -5, 11, 4},
    {"roundf", __ws_roundf, roundl, -100, 100, 0},
    {"logbf", __ws_logbf, logbl, 0, 0, 0},
};

static const DoubleRow double_rows[] = {
    {"exp", __ws_exp, expl, -750, 712, 2},
    {"exp2", __ws_exp2, exp2l, -1080, 1025, 2},
    {"expm1", __ws_expm1, expm1l, -20, 712, 2},
    {"expm1", __ws_expm1, expm1l, -1, 1, 2},
    {"log", __ws_log, logl, 0.5, 2, 1},
    {"log", __ws_log, logl, 0, 0, 1},
    {"log2", __ws_log2, log2l, 0.5, 2, 1},
    {"log10", __ws_log10, log10l, 0.5, 2, 1},
    {"log1p", __ws_log1p, log1pl, -1, 2, 1},
    {"log1p", __ws_log1p, log1pl, 0, 0, 1},
    {"sin", __ws_sin, sinl, -10, 10, 2},
    {"sin", __ws_sin, sinl, -2000000.0, 2000000.0, 2},
    {"sin", __ws_sin, sinl, 0, 0, 2},
    {"cos", __ws_cos, cosl, -10, 10, 2},
    {"cos", __ws_cos, cosl, 0, 0, 2},
    {"tan", __ws_tan, tanl, -10, 10, 2},
    {"tan", __ws_tan, tanl, 0, 0, 2},
    {"asin", __ws_asin, asinl, -1, 1, 2},
    {"acos", __ws_acos, acosl, -1, 1, 2},
    {"atan", __ws_atan, atanl, -3, 3, 2},
    {"atan", __ws_atan, atanl, 0, 0, 2},
    {"sinh", __ws_sinh, sinhl, -712, 712, 2},
    {"sinh", __ws_sinh, sinhl, -2, 2, 2},
    {"cosh", __ws_cosh, coshl, -712, 712, 2},
    {"tanh", __ws_tanh, tanhl, -10, 10, 2},
    {"asinh", __ws_asinh, asinhl, -10, 10, 3},
    {"asinh", __ws_asinh, asinhl, 0, 0, 3},
    {"acosh", __ws_acosh, acoshl, 1, 3, 3},
    {"atanh", __ws_atanh, atanhl, -1, 1, 2},
    {"cbrt", __ws_cbrt, cbrtl, 0, 0, 1},
    {"erf", __ws_erf, erfl, -5, 5, 2},
    {"erfc", __ws_erfc, erfcl, -5, 27, 5},
    {"round", __ws_round, roundl, -100, 100, 0},
    {"logb", __ws_logb, logbl, 0, 0, 0},
};

START_TEST(float_functions)
{
    const FloatRow *row = &float_rows[_i];
    guint64 seed = 1;
    for (guint i = 0; i < POINTS; i++) {
        float x = pick_float(&seed, i, row->low, row->high);
        float y = row->function(x);
        double u = ulps(y, row->reference(x), 24, -125, 0x1.fffffep127);
        ck_assert_msg(u <= row->bound, "%s(%a) = %a, off by %.3g ulp", row->name, x, y, u);
    }
}
END_TEST

START_TEST(double_functions)
{
    const DoubleRow *row = &double_rows[_i];
    guint64 seed = 1;
    for (guint i = 0; i < POINTS; i++) {
        double x = pick_double(&seed, i, row->low, row->high);
        double y = row->function(x);
        double u = ulps(y, row->reference(x), 53, -1021, 0x1.fffffffffffffp1023);
        ck_assert_msg(u <= row->bound, "%s(%a) = %a, off by %.3g ulp", row->name, x, y, u);
    }
}
END_TEST

typedef struct {
    const char *name;
    float (*function)(float, float);
    double (*function_double)(double, double);
    long double (*reference)(long double, long double);
    double low, high, bound;
} PairRow;

static const PairRow pair_rows[] = {
    {"pow", __ws_powf, __ws_pow, powl, 0, 0, 4},
    {"pow", __ws_powf, __ws_pow, powl, 0.1, 10, 4},
    {"pow", __ws_powf, __ws_pow, powl, -40, 60, 4},
    {"atan2", __ws_atan2f, __ws_atan2, atan2l, 0, 0, 3},
    {"atan2", __ws_atan2f, __ws_atan2, atan2l, -3, 3, 3},
    {"hypot", __ws_hypotf, __ws_hypot, hypotl, 0, 0, 3},
    {"fmod", __ws_fmodf, __ws_fmod, fmodl, 0, 0, 0},
    {"fmod", __ws_fmodf, __ws_fmod, fmodl, -100, 100, 0},
    {"remainder", __ws_remainderf, __ws_remainder, remainderl, 0, 0, 0},
    {"remainder", __ws_remainderf, __ws_remainder, remainderl, -9, 9, 0},
};

START_TEST(functions_of_two)
{
    const PairRow *row = &pair_rows[_i];
    const guint n = G_N_ELEMENTS(specials);
    guint64 seed = 1;
    for (guint i = 0; i < POINTS; i++) {
        /* all pairs of specials, then random ones, every 16th with an integer second */
        guint first = i < n * n ? i % n : n, second = i < n * n ? i / n : n;
        float x = pick_float(&seed, first, row->low, row->high);
        float y = pick_float(&seed, second, row->low, row->high);
        y = i % 16 == 0 && i >= n * n ? rintf(y) : y;
        float z = row->function(x, y);
        double u = ulps(z, row->reference(x, y), 24, -125, 0x1.fffffep127);
        ck_assert_msg(u <= row->bound, "%sf(%a, %a) = %a, off by %.3g ulp", row->name, x, y, z, u);

        double dx = pick_double(&seed, first, row->low, row->high);
        double dy = pick_double(&seed, second, row->low, row->high);
        double dz = row->function_double(dx, dy);
        u = ulps(dz, row->reference(dx, dy), 53, -1021, 0x1.fffffffffffffp1023);
        ck_assert_msg(u <= row->bound, "%s(%a, %a) = %a, off by %.3g ulp", row->name, dx, dy, dz,
                      u);
    }
}
END_TEST

START_TEST(exact_functions)
{
    guint64 seed = 1;
    for (guint i = 0; i < POINTS; i++) {
        float x = pick_float(&seed, i, 0, 0);
        int n = (int)(split_mix_next(&seed) % 600) - 300;
        float y = __ws_ldexpf(x, n), whole, whole_wanted;
        int e, e_wanted;
        ck_assert(y == ldexpf(x, n) || x != x);
        y = __ws_frexpf(x, &e);
        ck_assert(!isfinite(x) || (y == frexpf(x, &e_wanted) && e == e_wanted));
        y = __ws_modff(x, &whole);
        ck_assert(x != x || (y == modff(x, &whole_wanted) && whole == whole_wanted));
        float other = pick_float(&seed, G_MAXUINT, 0, 0);
        y = __ws_nextafterf(x, other);
        ck_assert(y == nextafterf(x, other) || x != x || other != other);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cuda_math");
    TCase *functions = tcase_create("functions");
    tcase_set_timeout(functions, 30);
    tcase_add_loop_test(functions, float_functions, 0, G_N_ELEMENTS(float_rows));
    tcase_add_loop_test(functions, double_functions, 0, G_N_ELEMENTS(double_rows));
    tcase_add_loop_test(functions, functions_of_two, 0, G_N_ELEMENTS(pair_rows));
    tcase_add_test(functions, exact_functions);
    suite_add_tcase(suite, functions);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
