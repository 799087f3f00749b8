/*
 * The double functions: polynomials and fused multiply-adds, no special function unit.
 */
#ifndef WARPSTEP_MATH_DOUBLE_H
#define WARPSTEP_MATH_DOUBLE_H

#include "math_primitives.h"

#define __WS_LN2_HIGH 0x1.62e42fefa39efp-1
#define __WS_LN2_LOW  0x1.abc9e3b39803fp-56
#define __WS_PI2_HIGH 0x1.921fb54442d18p+0
#define __WS_PI2_LOW  0x1.1a62633145c07p-54
#define __WS_PI_HIGH  0x1.921fb54442d18p+1
#define __WS_PI_LOW   0x1.1a62633145c07p-53

/* ---- exponential ---- */

/* y * 2^n, rounded once */
__WS_MATH double __ws_ldexp(double x, int n)
{
    n = n < -2200 ? -2200 : n > 2200 ? 2200 : n;
    if (n < -1022) {
        x *= 0x1p-969;
        n += 969;
        if (n < -1022) {
            x *= 0x1p-969;
            n = n + 969 < -1022 ? -1022 : n + 969;
        }
    } else if (n > 1023) {
        x *= 0x1p1023;
        n -= 1023;
        if (n > 1023) {
            x *= 0x1p1023;
            n = n - 1023 > 1023 ? 1023 : n - 1023;
        }
    }
    return x * __ws_pow2i(n);
}
/* exp(r) - 1 for |r| <= ln(2) / 2 */
__WS_MATH double __ws_expm1_core(double r)
{
    return __builtin_fma(__ws_poly_exp(r) * r, r, r);
}
/* p * 2^j for p near 1, j in [-1080, 1026] */
__WS_MATH double __ws_scale(double p, double j)
{
    int n = (int)j;
    int half = n >> 1;
    return p * __ws_pow2i(half) * __ws_pow2i(n - half);
}
/* exp(x + low) * 2^k */
__WS_MATH double __ws_exp_sum(double x, double low, int k)
{
    double t = __builtin_fmin(__builtin_fmax(x, -760.0), 720.0);
    double j = __builtin_rint(t * 0x1.71547652b82fep+0);
    double r = __builtin_fma(j, -__WS_LN2_HIGH, t);
    r = __builtin_fma(j, -__WS_LN2_LOW, r) + low;
    double y = __ws_scale(1.0 + __ws_expm1_core(r), j + (double)k);
    return x == x ? y : x + x;
}
__WS_MATH double __ws_exp(double x)
{
    return __ws_exp_sum(x, 0.0, 0);
}
__WS_MATH double __ws_exp2(double x)
{
    double t = __builtin_fmin(__builtin_fmax(x, -1100.0), 1030.0);
    double j = __builtin_rint(t);
    double f = t - j;
    double r = __builtin_fma(f, __WS_LN2_HIGH, f * __WS_LN2_LOW);
    double y = __ws_scale(1.0 + __ws_expm1_core(r), j);
    return x == x ? y : x + x;
}
__WS_MATH double __ws_exp10(double x)
{
    double t = __builtin_fmin(__builtin_fmax(x, -330.0), 312.0);
    double j = __builtin_rint(t * 0x1.a934f0979a371p+1);
    double r = __builtin_fma(j, -0x1.34413509f79ffp-2, t);
    r = __builtin_fma(j, 0x1.9dc1da994fd21p-59, r);
    r = __builtin_fma(r, 0x1.26bb1bbb55516p+1, r * -0x1.f48ad494ea3e9p-53);
    double y = __ws_scale(1.0 + __ws_expm1_core(r), j);
    return x == x ? y : x + x;
}
__WS_MATH double __ws_expm1(double x)
{
    double t = __builtin_fmin(__builtin_fmax(x, -45.0), 720.0);
    double j = __builtin_rint(t * 0x1.71547652b82fep+0);
    double r = __builtin_fma(j, -__WS_LN2_HIGH, t);
    r = __builtin_fma(j, -__WS_LN2_LOW, r);
    double half = __ws_pow2i((int)__builtin_fmin(j - 1.0, 1023.0));
    double y = __builtin_fma(__ws_expm1_core(r), half, half - 0.5);
    y = y + y;
    y = x > 709.79 ? __WS_INF : y;
    y = x < -40.0 ? -1.0 : y;
    return x == 0.0 || x != x ? x + x : y;
}

/* ---- logarithm ---- */

__WS_MATH double __ws_log_split(double x, double *e)
{
    double shift = 0.0;
    if (x < 0x1p-1022) {
        x *= 0x1p52;
        shift = -52.0;
    }
    unsigned long long bits = (unsigned long long)__ws_bits(x);
    unsigned long long k = (bits - 0x3fe6a09e667f3bcdull) & ~0xfffffffffffffull;
    *e = (double)(int)((long long)k >> 52) + shift;
    return __ws_double((long long)(bits - k)) - 1.0;
}
__WS_MATH double __ws_log_special(double x, double y)
{
    y = x < __WS_INF ? y : x + x;
    y = x < 0.0 ? __WS_NAN : y;
    return x == 0.0 ? -__WS_INF : y;
}
/* log(1 + f) as a sum: returns the high part, *low is the rest */
__WS_MATH double __ws_log_core(double f, double *low)
{
    double r = 1.0 / (f + 2.0);
    double s = 2.0 * f * r;
    double error = __builtin_fma(-s, f, 2.0 * (f - s)) * r;
    double z = s * s;
    *low = __builtin_fma(__ws_poly_log(z) * z, s, error);
    return s;
}
__WS_MATH double __ws_log(double x)
{
    double e, low;
    double f = __ws_log_split(x, &e);
    double s = __ws_log_core(f, &low);
    double q = __builtin_fma(e, __WS_LN2_LOW, low);
    double high = e * __WS_LN2_HIGH;
    q += __builtin_fma(e, __WS_LN2_HIGH, -high);
    double sum = high + s;
    q += e == 0.0 ? 0.0 : (high - sum) + s;
    return __ws_log_special(x, sum + q);
}
__WS_MATH double __ws_log_scaled(double x, double high, double low, double two_high, double two_low)
{
    double e, rest;
    double f = __ws_log_split(x, &e);
    double s = __ws_log_core(f, &rest);
    double a = s * high;
    double b = __builtin_fma(s, high, -a);
    b = __builtin_fma(s, low, b);
    b = __builtin_fma(rest, high, b);
    b = __builtin_fma(e, two_low, b);
    double c = e * two_high;
    double sum = c + a;
    b += e == 0.0 ? 0.0 : (c - sum) + a;
    b += __builtin_fma(e, two_high, -c);
    return __ws_log_special(x, sum + b);
}
__WS_MATH double __ws_log2(double x)
{
    return __ws_log_scaled(x, 0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56, 1.0, 0.0);
}
__WS_MATH double __ws_log10(double x)
{
    return __ws_log_scaled(x, 0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57, 0x1.34413509f79ffp-2,
                           -0x1.9dc1da994fd21p-59);
}
__WS_MATH double __ws_log1p(double x)
{
    double u = 1.0 + x;
    double e = 0.0, f = x, c = 0.0, low;
    if (!(x > -0x1.2p-2 && x < 0x1.8p-2)) {
        f = __ws_log_split(u, &e);
        c = x > 1.0 ? 1.0 - (u - x) : x - (u - 1.0);
        c = u < 0x1p53 ? c / u : 0.0;
    }
    double s = __ws_log_core(f, &low);
    double q = __builtin_fma(e, __WS_LN2_LOW, low) + c;
    double high = e * __WS_LN2_HIGH;
    q += __builtin_fma(e, __WS_LN2_HIGH, -high);
    double sum = high + s;
    q += e == 0.0 ? 0.0 : (high - sum) + s;
    double y = sum + q;
    y = x < __WS_INF ? y : x + x;
    y = x < -1.0 ? __WS_NAN : y;
    y = x == -1.0 ? -__WS_INF : y;
    return x == 0.0 ? x : y;
}

/* ---- power ---- */

/* log(x) as high + low with about 68 bits: one more term of the series in double-double. */
__WS_MATH double __ws_log_wide(double x, double *low)
{
    double e;
    double f = __ws_log_split(x, &e);
    double g = f + 2.0;
    double r = 1.0 / g;
    double s = 2.0 * f * r;
    double error = __builtin_fma(-s, f, 2.0 * (f - s)) * r;
    double z = s * s;
    double z_low = __builtin_fma(s, s, -z) + 2.0 * s * error;
    /* log(1 + f) = s + s z/12 + s z^2 P(z) */
    double p = (__ws_poly_log(z) - 0x1.5555555555555p-4) * z;
    double c = 0x1.5555555555555p-4 * z; /* z/12, and what it lost */
    double c_low = __builtin_fma(0x1.5555555555555p-4, z, -c);
    c_low = __builtin_fma(0x1.5555555555555p-58, z, c_low);
    c_low = __builtin_fma(0x1.5555555555555p-4, z_low, c_low) + p;
    double t = s * c;
    double t_low = __builtin_fma(s, c, -t);
    t_low = __builtin_fma(s, c_low, t_low);
    t_low = __builtin_fma(error, c, t_low) + error;
    double a = s + t;
    double b = ((s - a) + t) + t_low;
    double h = e * __WS_LN2_HIGH;
    double l = __builtin_fma(e, __WS_LN2_HIGH, -h);
    l = __builtin_fma(e, __WS_LN2_LOW, l);
    double sum = h + a;
    double rest = e == 0.0 ? 0.0 : (h - sum) + a;
    rest += b + l;
    double high = sum + rest;
    *low = (sum - high) + rest;
    return high;
}
__WS_MATH double __ws_pow_positive(double x, double y)
{
    double low;
    double high = __ws_log_wide(x, &low);
    double p = y * high;
    if (!(__builtin_fabs(p) < 1000.0))
        return p > 0.0 ? __WS_INF : 0.0;
    double q = __builtin_fma(y, low, __builtin_fma(y, high, -p));
    return __ws_exp_sum(p, q, 0);
}
__WS_MATH double __ws_pow(double x, double y)
{
    double ax = __builtin_fabs(x);
    double ay = __builtin_fabs(y);
    if (x == 1.0 || y == 0.0)
        return 1.0;
    if (!(ax <= __WS_INF) || !(ay <= __WS_INF))
        return x + y;
    int integer = __builtin_trunc(y) == y;
    int odd = integer && ay < 0x1p53 && ((long long)ay & 1);
    double r;
    if (ax == 0.0 || ax == __WS_INF)
        r = (ax == 0.0) == (y < 0.0) ? __WS_INF : 0.0;
    else if (ay == __WS_INF)
        return ax == 1.0 ? 1.0 : (ax < 1.0) == (y < 0.0) ? __WS_INF : 0.0;
    else
        r = __ws_pow_positive(ax, y);
    if (__ws_bits(x) < 0) {
        if (odd)
            r = -r;
        else if (!integer && ax != 0.0 && ax != __WS_INF)
            r = __WS_NAN;
    }
    return r;
}

/* ---- trigonometry ---- */

/* As __ws_reduce_largef, with a window of 192 bits. */
__WS_MATH double __ws_reduce_large(double x, double *low, int *q)
{
    typedef unsigned long long word;
    typedef unsigned __int128 wide;
    long long bits = __ws_bits(x);
    int start = (int)((bits >> 52) & 0x7ff) - 1075 + 62;
    word m = (bits & 0xfffffffffffffll) | 1ull << 52;
    int n = start >> 6, shift = start & 63;
    word w[4];
    for (int i = 0; i < 4; i++)
        w[i] = __ws_two_over_pi[n + i];
    for (int i = 0; i < 3; i++)
        w[i] = shift == 0 ? w[i] : w[i] << shift | w[i + 1] >> (64 - shift);
    wide product = (wide)m * w[1] + (word)(((wide)m * w[2]) >> 64);
    word v = m * w[0] + (word)(product >> 64), v2 = (word)product;
    *q = (int)(v >> 62);
    v = v << 2 | v2 >> 62;
    v2 <<= 2;
    int negative = bits < 0;
    if (v >> 63) {
        v = ~v + (v2 == 0);
        v2 = 0 - v2;
        negative = !negative;
        *q += 1;
    }
    *q = bits < 0 ? -*q : *q;
    int zeros = __builtin_clzll(v | 1);
    if (zeros > 0) {
        v = v << zeros | v2 >> (64 - zeros);
        v2 <<= zeros;
    }
    double f = (double)(v >> 11);
    double g = (double)(v << 53 >> 1 | v2 >> 12) * 0x1p-63;
    double a = f * __WS_PI2_HIGH;
    double b = __builtin_fma(f, __WS_PI2_HIGH, -a);
    b += __builtin_fma(f, __WS_PI2_LOW, g * __WS_PI2_HIGH);
    double scale = __ws_pow2i(-53 - zeros);
    double r = a + b;
    *low = ((a - r) + b) * (negative ? -scale : scale);
    return r * (negative ? -scale : scale);
}
__WS_MATH double __ws_reduce(double x, double *low, int *q)
{
    if (__builtin_fabs(x) < 0x1p20) {
        double j = __builtin_rint(x * 0x1.45f306dc9c883p-1);
        *q = (int)j;
        double r = __builtin_fma(j, -__WS_PI2_HIGH, x);
        double s = __builtin_fma(j, -__WS_PI2_LOW, r);
        *low = __builtin_fma(j, -__WS_PI2_LOW, r - s); /* what the last step lost */
        *low = __builtin_fma(j, 0x1.f1976b7ed8fbcp-110, *low);
        return s;
    }
    *low = 0.0;
    *q = 0;
    if (!(__builtin_fabs(x) < __WS_INF))
        return __WS_NAN;
    return __ws_reduce_large(x, low, q);
}
__WS_MATH double __ws_sin_core(double r, double low)
{
    double z = r * r;
    return r + __builtin_fma(__ws_poly_sin(z) * z, r, low);
}
__WS_MATH double __ws_cos_core(double r, double low)
{
    double z = r * r;
    double half = 0.5 * z;
    double a = 1.0 - half;
    double rest = (1.0 - a) - half;
    rest = __builtin_fma(__ws_poly_cos(z) * z, z, rest);
    return a + __builtin_fma(-r, low, rest);
}
__WS_MATH double __ws_sin_quadrant(double r, double low, int q)
{
    double y = q & 1 ? __ws_cos_core(r, low) : __ws_sin_core(r, low);
    return q & 2 ? -y : y;
}
__WS_MATH double __ws_sin(double x)
{
    int q;
    double low;
    double r = __ws_reduce(x, &low, &q);
    return x == 0.0 ? x : __ws_sin_quadrant(r, low, q);
}
__WS_MATH double __ws_cos(double x)
{
    int q;
    double low;
    double r = __ws_reduce(x, &low, &q);
    return __ws_sin_quadrant(r, low, q + 1);
}
__WS_MATH void __ws_sincos(double x, double *sine, double *cosine)
{
    int q;
    double low;
    double r = __ws_reduce(x, &low, &q);
    *sine = x == 0.0 ? x : __ws_sin_quadrant(r, low, q);
    *cosine = __ws_sin_quadrant(r, low, q + 1);
}
__WS_MATH double __ws_tan(double x)
{
    int q;
    double low;
    double r = __ws_reduce(x, &low, &q);
    double z = r * r;
    double rest = __builtin_fma(__ws_poly_tan(z) * z, r, __builtin_fma(z, low, low));
    double y = r + rest;
    if (q & 1) {
        double lost = (r - y) + rest;
        double inverse = -1.0 / y;
        double error = __builtin_fma(inverse, y, 1.0);
        error = __builtin_fma(inverse, lost, error);
        y = __builtin_fma(inverse, error, inverse);
    }
    return x == 0.0 ? x : y;
}
__WS_MATH void __ws_sincospi(double x, double *sine, double *cosine)
{
    double a = __builtin_fabs(x);
    double even = a < 0x1p53 || !(a < __WS_INF) ? x : x * 0.0;
    double j = __builtin_rint(2.0 * even);
    double f = __builtin_fma(j, -0.5, even);
    double r = f * __WS_PI_HIGH;
    double low = __builtin_fma(f, __WS_PI_HIGH, -r) + f * __WS_PI_LOW;
    int q = (int)__builtin_fma(-4.0, __builtin_floor(j * 0.25), j);
    if (!(a < __WS_INF))
        r = __WS_NAN;
    *sine = __builtin_trunc(even) == even ? even * 0.0 : __ws_sin_quadrant(r, low, q);
    *cosine = __ws_sin_quadrant(r, low, q + 1) + 0.0;
}
__WS_MATH double __ws_sinpi(double x)
{
    double s, c;
    __ws_sincospi(x, &s, &c);
    return s;
}
__WS_MATH double __ws_cospi(double x)
{
    double s, c;
    __ws_sincospi(x, &s, &c);
    return c;
}

/* ---- inverse trigonometry ---- */

__WS_MATH double __ws_asin(double x)
{
    double a = __builtin_fabs(x);
    if (a < 0.5) {
        double z = x * x;
        return __builtin_fma(__ws_poly_asin(z) * z, x, x);
    }
    double z = __builtin_fma(a, -0.5, 0.5);
    double s = __builtin_sqrt(z);
    double lost = s == 0.0 ? 0.0 : __builtin_fma(-s, s, z) / s; /* of -2 sqrt(z) */
    s *= -2.0;
    double rest = __builtin_fma(__ws_poly_asin(z) * z, s, __WS_PI2_LOW - lost);
    double y = s + __WS_PI2_HIGH;
    rest += (__WS_PI2_HIGH - y) + s;
    return __builtin_copysign(a > 1.0 ? __WS_NAN : y + rest, x);
}
__WS_MATH double __ws_acos(double x)
{
    double a = __builtin_fabs(x);
    if (a < 0.5) {
        double z = x * x;
        double rest = __builtin_fma(__ws_poly_asin(z) * z, x, -__WS_PI2_LOW);
        double y = __WS_PI2_HIGH - x;
        rest -= (__WS_PI2_HIGH - y) - x;
        return y - rest;
    }
    double z = __builtin_fma(a, -0.5, 0.5);
    double s = __builtin_sqrt(z);
    double lost = s == 0.0 ? 0.0 : __builtin_fma(-s, s, z) / s;
    s *= 2.0;
    double rest = __builtin_fma(__ws_poly_asin(z) * z, s, lost);
    double y = x < 0.0 ? __WS_PI_HIGH - (s + (rest - __WS_PI_LOW)) : s + rest;
    return a > 1.0 ? __WS_NAN : y;
}
/* atan(t + low) for t in [0, 1], as high + *rest */
__WS_MATH double __ws_atan_unit(double t, double low, double *rest)
{
    double z = t * t;
    *rest = __builtin_fma(__ws_poly_atan(z) * z, t, low / (1.0 + z));
    return t;
}
__WS_MATH double __ws_atan_ratio(double small, double large, int swap, int negative)
{
    double t = small / large;
    double low = __builtin_fma(-t, large, small) / large;
    if (large == 0.0 || small == large)
        t = large == 0.0 ? 0.0 : 1.0, low = 0.0;
    if (!(__builtin_fabs(low) < 1.0))
        low = 0.0;
    double rest;
    double high = __ws_atan_unit(t, low, &rest);
    if (swap) {
        double y = __WS_PI2_HIGH - high;
        rest = ((__WS_PI2_HIGH - y) - high) + (__WS_PI2_LOW - rest);
        high = y;
    }
    if (negative) {
        double y = __WS_PI_HIGH - high;
        rest = ((__WS_PI_HIGH - y) - high) + (__WS_PI_LOW - rest);
        high = y;
    }
    return high + rest;
}
__WS_MATH double __ws_atan(double x)
{
    double a = __builtin_fabs(x);
    if (x != x)
        return x + x;
    return __builtin_copysign(
        a > 1.0 ? __ws_atan_ratio(1.0, a, 1, 0) : __ws_atan_ratio(a, 1.0, 0, 0), x);
}
__WS_MATH double __ws_atan2(double y, double x)
{
    double ax = __builtin_fabs(x), ay = __builtin_fabs(y);
    if (!(ax <= __WS_INF) || !(ay <= __WS_INF))
        return x + y;
    int swap = ay > ax;
    double r = __ws_atan_ratio(swap ? ax : ay, swap ? ay : ax, swap, __ws_bits(x) < 0);
    return __builtin_copysign(r, y);
}

/* ---- hyperbolic ---- */

__WS_MATH double __ws_sinh(double x)
{
    double a = __builtin_fabs(x);
    double z = x * x;
    if (a < 1.0)
        return __builtin_fma(__ws_poly_sinh(z) * z, x, x);
    double h = __ws_exp_sum(a, 0.0, -1);
    return __builtin_copysign(h - 0.25 / h, x);
}
__WS_MATH double __ws_cosh(double x)
{
    double h = __ws_exp_sum(__builtin_fabs(x), 0.0, -1);
    return h + 0.25 / h;
}
__WS_MATH double __ws_tanh(double x)
{
    double a = __builtin_fabs(x);
    double z = x * x;
    if (a < 0.6)
        return __builtin_copysign(__builtin_fma(__ws_poly_tanh(z) * z, a, a), x);
    double e = __ws_exp(a + a);
    return __builtin_copysign(1.0 - 2.0 / (e + 1.0), x);
}
__WS_MATH double __ws_asinh(double x)
{
    double a = __builtin_fabs(x);
    double y;
    if (a > 0x1p53)
        y = __ws_log(a) + __WS_LN2_HIGH;
    else
        y = __ws_log1p(__builtin_fma(a, a / (1.0 + __builtin_sqrt(__builtin_fma(a, a, 1.0))), a));
    return __builtin_copysign(y, x);
}
__WS_MATH double __ws_acosh(double x)
{
    double t = x - 1.0;
    if (x > 0x1p53)
        return __ws_log(x) + __WS_LN2_HIGH;
    return __ws_log1p(t + __builtin_sqrt(t < 0.0 ? t : __builtin_fma(t, t, 2.0 * t)));
}
__WS_MATH double __ws_atanh(double x)
{
    double a = __builtin_fabs(x);
    double y = 0.5 * __ws_log1p((a + a) / (1.0 - a));
    return __builtin_copysign(a > 1.0 ? __WS_NAN : y, x);
}

/* ---- roots ---- */

__WS_MATH double __ws_sqrt(double x)
{
    return __builtin_sqrt(x);
}
__WS_MATH double __ws_rsqrt(double x)
{
    double s = __builtin_sqrt(x);
    double y = 1.0 / s;
    double error = __builtin_fma(-s, s, x) * y; /* x - s^2, over s */
    double lost = __builtin_fma(-y, s, 1.0);
    double better = __builtin_fma(__builtin_fma(error, -0.5 * y, lost), y, y);
    return s > 0.0 && s < __WS_INF ? better : y;
}
__WS_MATH double __ws_cbrt(double x)
{
    double a = __builtin_fabs(x);
    if (!(a > 0.0 && a < __WS_INF))
        return x + x;
    double e;
    double m = __ws_log_split(a, &e) + 1.0;
    double third = __builtin_rint(e * 0x1.5555555555555p-2);
    m *= __ws_pow2i((int)(e - 3.0 * third)); /* 2^-1.5 .. 2^1.5 */
    double t = (double)__ws_mufu_ex2(__ws_mufu_lg2((float)m) * 0x1.555556p-2f);
    t = __builtin_fma(__builtin_fma(t * t, -t, m) / (t * t), 0x1.5555555555555p-2, t);
    double s = t * t;
    double low = __builtin_fma(t, t, -s);
    double d = __builtin_fma(-low, t, __builtin_fma(-s, t, m));
    t = __builtin_fma(d / s, 0x1.5555555555555p-2, t);
    return __builtin_copysign(t * __ws_pow2i((int)third), x);
}
__WS_MATH double __ws_rcbrt(double x)
{
    return 1.0 / __ws_cbrt(x);
}
__WS_MATH double __ws_hypot(double x, double y)
{
    double a = __builtin_fabs(x), b = __builtin_fabs(y);
    double large = __builtin_fmax(a, b), small = __builtin_fmin(a, b);
    if (large == __WS_INF)
        return large;
    if (a != a || b != b || large == 0.0)
        return a + b;
    int e = (int)(__ws_bits(large) >> 52) - 1023;
    e = e < -1000 ? -1000 : e > 1000 ? 1000 : e;
    double down = __ws_pow2i(-e), up = __ws_pow2i(e);
    large *= down;
    small *= down;
    return __builtin_sqrt(__builtin_fma(large, large, small * small)) * up;
}
__WS_MATH double __ws_rhypot(double x, double y)
{
    return 1.0 / __ws_hypot(x, y);
}
__WS_MATH double __ws_norm3d(double x, double y, double z)
{
    return __ws_hypot(__ws_hypot(x, y), z);
}

/* ---- error function ---- */

__WS_MATH double __ws_erfc(double x)
{
    double a = __builtin_fabs(x);
    double t = (a - 4.0) / (a + 4.0);
    t = a > 28.0 ? 0.75 : t;
    double p = __ws_poly_erfc(t) / __builtin_fma(2.0, a, 1.0);
    double s = a * a;
    double low = __builtin_fma(a, a, -s);
    double y = p * __ws_exp_sum(-s, -low, 0);
    y = a > 28.0 ? 0.0 : y;
    y = x < 0.0 ? 2.0 - y : y;
    return x == x ? y : x + x;
}
__WS_MATH double __ws_erf(double x)
{
    double a = __builtin_fabs(x);
    if (a < 1.0)
        return __builtin_fma(__ws_poly_erf(x * x), x, x);
    return __builtin_copysign(1.0 - __ws_erfc(a), x);
}

/* ---- remainders, scaling and rounding ---- */

__WS_MATH double __ws_fmod(double x, double y)
{
    double a = __builtin_fabs(x), b = __builtin_fabs(y);
    if (!(a < __WS_INF) || !(b > 0.0) || !(b <= __WS_INF))
        return x == x && y == y ? __WS_NAN : x + y;
    if (a < b)
        return x;
    long long ia = __ws_bits(a), ib = __ws_bits(b);
    int ea = (int)(ia >> 52), eb = (int)(ib >> 52);
    unsigned long long ma = ea == 0 ? ia : (ia & 0xfffffffffffffll) | 1ll << 52;
    unsigned long long mb = eb == 0 ? ib : (ib & 0xfffffffffffffll) | 1ll << 52;
    int up = __builtin_clzll(ma) - 11;
    ma <<= up;
    ea += (ea == 0) - up;
    up = __builtin_clzll(mb) - 11;
    mb <<= up;
    eb += (eb == 0) - up;
    for (int k = ea - eb; k > 0; k--) {
        ma = ma >= mb ? ma - mb : ma;
        ma <<= 1;
    }
    ma = ma >= mb ? ma - mb : ma;
    return __builtin_copysign(__ws_ldexp((double)ma, eb - 1075), x);
}
__WS_MATH double __ws_remainder(double x, double y)
{
    double b = __builtin_fabs(y);
    if (!(__builtin_fabs(x) < __WS_INF) || !(b < __WS_INF) || b == 0.0)
        return __ws_fmod(x, y);
    double r = b < 0x1p1023 ? __ws_fmod(x, b + b) : x;
    double a = __builtin_fabs(r);
    if (b < 0x1p-1021) {
        if (a + a > b) {
            a -= b;
            if (a + a >= b)
                a -= b;
        }
    } else if (a > 0.5 * b) {
        a -= b;
        if (a >= 0.5 * b)
            a -= b;
    }
    return __ws_bits(x) < 0 ? -a : a;
}
__WS_MATH double __ws_fdim(double x, double y)
{
    return x <= y ? 0.0 : x - y;
}
__WS_MATH double __ws_frexp(double x, int *e)
{
    double a = __builtin_fabs(x);
    if (a == 0.0 || !(a < __WS_INF)) {
        *e = 0;
        return x;
    }
    int shift = 0;
    if (a < 0x1p-1022)
        x *= 0x1p54, shift = -54;
    long long bits = __ws_bits(x);
    *e = (int)((bits >> 52) & 0x7ff) - 1022 + shift;
    return __ws_double((bits & ~(0x7ffll << 52)) | 0x3fell << 52);
}
__WS_MATH int __ws_ilogb(double x)
{
    if (x == 0.0)
        return -2147483647 - 1;
    if (!(__builtin_fabs(x) < __WS_INF))
        return x == x ? 2147483647 : -2147483647 - 1;
    int e;
    __ws_frexp(x, &e);
    return e - 1;
}
__WS_MATH double __ws_logb(double x)
{
    if (x == 0.0)
        return -__WS_INF;
    if (!(__builtin_fabs(x) < __WS_INF))
        return x * x;
    return (double)__ws_ilogb(x);
}
__WS_MATH double __ws_modf(double x, double *whole)
{
    *whole = __builtin_trunc(x);
    double f = __builtin_fabs(x) == __WS_INF ? 0.0 : x - *whole;
    return __builtin_copysign(f, x);
}
__WS_MATH double __ws_nextafter(double x, double y)
{
    if (!(x == x) || !(y == y))
        return x + y;
    if (x == y)
        return y;
    if (x == 0.0)
        return __builtin_copysign(0x1p-1074, y);
    long long bits = __ws_bits(x);
    return __ws_double((x < y) == (x > 0.0) ? bits + 1 : bits - 1);
}
__WS_MATH double __ws_round(double x)
{
    double t = __builtin_trunc(x);
    t = __builtin_fabs(x - t) >= 0.5 ? t + __builtin_copysign(1.0, x) : t;
    return __builtin_copysign(__builtin_fabs(x) < 0x1p52 ? t : x, x);
}
__WS_MATH double __ws_trunc(double x)
{
    return __builtin_trunc(x);
}
__WS_MATH double __ws_floor(double x)
{
    return __builtin_floor(x);
}
__WS_MATH double __ws_ceil(double x)
{
    return __builtin_ceil(x);
}
__WS_MATH double __ws_rint(double x)
{
    return __builtin_rint(x);
}
__WS_MATH double __ws_nearbyint(double x)
{
    return __builtin_rint(x);
}
__WS_MATH double __ws_fabs(double x)
{
    return __builtin_fabs(x);
}
__WS_MATH double __ws_fmin(double x, double y)
{
    return __builtin_fmin(x, y);
}
__WS_MATH double __ws_fmax(double x, double y)
{
    return __builtin_fmax(x, y);
}
__WS_MATH double __ws_copysign(double x, double y)
{
    return __builtin_copysign(x, y);
}

#endif
