/*
 * The float functions. Errors measured against the C library are in docs; the bounds aimed at are
 * those of the CUDA C Programming Guide, appendix "Mathematical Functions". Where the special
 * function unit is used, its result may be off by 2 ulp, as the unit allows.
 */
#ifndef WARPSTEP_MATH_FLOAT_H
#define WARPSTEP_MATH_FLOAT_H

#include "math_primitives.h"

/* ---- exponential ---- */

/* exp(x) * 2^k; x * log2(e) is split into an integer, added to the exponent, and a rest. */
__WS_MATH float __ws_exp_scaledf(float x, float high, float low, int k)
{
    float t = __builtin_fminf(__builtin_fmaxf(x * high, -126.0f - (float)k), 127.0f - (float)k);
    float magic = t + 0x1.8p23f;
    float j = magic - 0x1.8p23f;
    float f = __builtin_fmaf(x, high, -j);
    f = __builtin_fmaf(x, low, f);
    float scale = __ws_floatf((int)((unsigned int)__ws_bitsf(magic) << 23) + ((127 + k) << 23));
    return __ws_mufu_ex2(f) * scale;
}
__WS_MATH float __ws_expf(float x)
{
    return __ws_exp_scaledf(x, 0x1.715476p+0f, 0x1.4ae0cp-26f, 0);
}
__WS_MATH float __ws_exp2f(float x)
{
    return __ws_mufu_ex2(x);
}
__WS_MATH float __ws_exp10f(float x)
{
    return __ws_exp_scaledf(x, 0x1.a934fp+1f, 0x1.2f346ep-24f, 0);
}
__WS_MATH float __ws_expm1f(float x)
{
    float t = __builtin_fminf(__builtin_fmaxf(x * 0x1.715476p+0f, -27.0f), 129.0f);
    float j = __builtin_rintf(t);
    float r = __builtin_fmaf(j, -0x1.62e43p-1f, x);
    r = __builtin_fmaf(j, 0x1.05c61p-29f, r);
    float p = __builtin_fmaf(__ws_poly_expm1f(r) * r, r, r);
    float half = __ws_pow2if((int)j - 1); /* 2^128 has no float */
    float y = __builtin_fmaf(p, half, half - 0.5f);
    y = y + y;
    y = x > 89.0f ? __WS_INFF : y;
    y = x < -18.0f ? -1.0f : y;
    return x == 0.0f ? x : y;
}

/* ---- logarithm ---- */

/* x = m * 2^e with m in [sqrt(1/2), sqrt(2)); returns m - 1. x must be positive and finite. */
__WS_MATH float __ws_log_splitf(float x, float *e)
{
    float shift = 0.0f;
    if (x < 0x1p-126f) {
        x *= 0x1p23f;
        shift = -23.0f;
    }
    unsigned int bits = (unsigned int)__ws_bitsf(x);
    unsigned int k = (bits - 0x3f3504f3u) & 0xff800000u;
    *e = __builtin_fmaf((float)(int)k, 0x1p-23f, shift);
    return __ws_floatf((int)(bits - k)) - 1.0f;
}
/* log of zero, negative numbers, infinity and NaN; y elsewhere */
__WS_MATH float __ws_log_specialf(float x, float y)
{
    y = x < __WS_INFF ? y : x + x;
    y = x < 0.0f ? __WS_NANF : y;
    return x == 0.0f ? -__WS_INFF : y;
}
/* log(1 + f) - f */
__WS_MATH float __ws_log_restf(float f)
{
    float p = __builtin_fmaf(__ws_poly_logf(f), f, -0.5f);
    return p * f * f;
}
__WS_MATH float __ws_logf(float x)
{
    float e;
    float f = __ws_log_splitf(x, &e);
    float q = __builtin_fmaf(e, -0x1.05c61p-29f, __ws_log_restf(f));
    float y = __builtin_fmaf(e, 0x1.62e43p-1f, f + q);
    return __ws_log_specialf(x, y);
}
/* e * scale2 + log(1 + f) * (high + low) */
__WS_MATH float __ws_log_scaledf(float x, float high, float low, float two_high, float two_low)
{
    float e;
    float f = __ws_log_splitf(x, &e);
    float a = f * high;
    float rest = __builtin_fmaf(f, high, -a);
    rest = __builtin_fmaf(f, low, rest);
    rest = __builtin_fmaf(__ws_log_restf(f), high, rest);
    rest = __builtin_fmaf(e, two_low, rest);
    float y = __builtin_fmaf(e, two_high, a + rest);
    return __ws_log_specialf(x, y);
}
__WS_MATH float __ws_log2f(float x)
{
    return __ws_log_scaledf(x, 0x1.715476p+0f, 0x1.4ae0cp-26f, 1.0f, 0.0f);
}
__WS_MATH float __ws_log10f(float x)
{
    return __ws_log_scaledf(x, 0x1.bcb7b2p-2f, -0x1.5b235ep-27f, 0x1.344136p-2f, -0x1.ec10cp-27f);
}
__WS_MATH float __ws_log1pf(float x)
{
    float u = 1.0f + x;
    float e = 0.0f, f = x, c = 0.0f;
    if (!(x > -0x1.2p-2f && x < 0x1.8p-2f)) {
        f = __ws_log_splitf(u, &e);
        c = x > 1.0f ? 1.0f - (u - x) : x - (u - 1.0f); /* what u lost */
        c = u < 0x1p24f ? c * __ws_mufu_rcp(u) : 0.0f;
    }
    float q = __builtin_fmaf(e, -0x1.05c61p-29f, __ws_log_restf(f)) + c;
    float y = __builtin_fmaf(e, 0x1.62e43p-1f, f + q);
    y = x < __WS_INFF ? y : x + x;
    y = x < -1.0f ? __WS_NANF : y;
    y = x == -1.0f ? -__WS_INFF : y;
    return x == 0.0f ? x : y;
}

/* ---- power ---- */

/* x^y for x > 0: log2(x) as a sum of two floats, then 2^(y log2(x)). */
__WS_MATH float __ws_pow_positivef(float x, float y)
{
    float e;
    float f = __ws_log_splitf(x, &e);
    float r = 1.0f / (f + 2.0f);
    float s = 2.0f * f * r;
    float error = __builtin_fmaf(-s, f, 2.0f * (f - s)) * r; /* 2 f / (2 + f) - s */
    float z = s * s;
    float rest = __builtin_fmaf(__ws_poly_powf(z) * z, s, error);
    float a = s * 0x1.715476p+0f;
    float b = __builtin_fmaf(s, 0x1.715476p+0f, -a);
    b = __builtin_fmaf(s, 0x1.4ae0cp-26f, b);
    b = __builtin_fmaf(rest, 0x1.715476p+0f, b);
    float high = e + a;
    float low = (e - high) + a + b;
    if (e == 0.0f)
        high = a, low = b;
    float sum = high + low;
    low = (high - sum) + low;
    high = sum;

    float p = y * high;
    float q = __builtin_fmaf(y, low, __builtin_fmaf(y, high, -p));
    if (!(__builtin_fabsf(p) < 400.0f))
        return p > 0.0f ? __WS_INFF : 0.0f;
    float j = __builtin_fminf(__builtin_fmaxf(__builtin_rintf(p), -126.0f), 127.0f);
    return __ws_mufu_ex2((p - j) + q) * __ws_pow2if((int)j);
}
__WS_MATH float __ws_powf(float x, float y)
{
    float ax = __builtin_fabsf(x);
    float ay = __builtin_fabsf(y);
    if (x == 1.0f || y == 0.0f)
        return 1.0f;
    if (!(ax <= __WS_INFF) || !(ay <= __WS_INFF))
        return x + y;
    int integer = __builtin_truncf(y) == y;
    int odd = integer && ay < 0x1p24f && ((int)ay & 1);
    float r;
    if (ax == 0.0f || ax == __WS_INFF)
        r = (ax == 0.0f) == (y < 0.0f) ? __WS_INFF : 0.0f;
    else if (ay == __WS_INFF)
        return ax == 1.0f ? 1.0f : (ax < 1.0f) == (y < 0.0f) ? __WS_INFF : 0.0f;
    else
        r = __ws_pow_positivef(ax, y);
    if (__ws_bitsf(x) < 0) {
        if (odd)
            r = -r;
        else if (!integer && ax != 0.0f && ax != __WS_INFF)
            r = __WS_NANF;
    }
    return r;
}

/* ---- trigonometry ---- */

/*
 * x = q pi/2 + r for large x (Payne and Hanek): the bits of 2/pi that matter are multiplied with
 * the mantissa; what is worth multiples of 4 falls off the top.
 */
__WS_MATH float __ws_reduce_largef(float x, int *q)
{
    int bits = __ws_bitsf(x);
    int start = ((bits >> 23) & 0xff) - 150 + 62;
    unsigned long long m = (bits & 0x7fffff) | 0x800000;
    int word = start >> 6, shift = start & 63;
    unsigned long long a = __ws_two_over_pi[word], b = __ws_two_over_pi[word + 1];
    unsigned long long c = __ws_two_over_pi[word + 2];
    unsigned long long high = shift == 0 ? a : a << shift | b >> (64 - shift);
    unsigned long long low = shift == 0 ? b : b << shift | c >> (64 - shift);
    unsigned long long v = m * high + ((m * (low >> 32)) >> 32);
    *q = (int)(v >> 62);
    v <<= 2;
    int negative = bits < 0;
    if (v >> 63) {
        v = 0 - v;
        negative = !negative;
        *q += 1;
    }
    *q = bits < 0 ? -*q : *q;
    int zeros = __builtin_clzll(v | 1);
    v <<= zeros;
    float f = (float)(unsigned int)(v >> 40);
    float g = (float)(unsigned int)(v >> 8 & 0xffffffff) * 0x1p-32f;
    float r = __builtin_fmaf(f, -0x1.777a5cp-25f, g * 0x1.921fb6p+0f);
    r = __builtin_fmaf(f, 0x1.921fb6p+0f, r) * __ws_pow2if(-24 - zeros);
    return negative ? -r : r;
}
/* x - q pi/2 in [-pi/4, pi/4] */
__WS_MATH float __ws_reducef(float x, int *q)
{
    if (__builtin_fabsf(x) < 105615.0f) {
        float j = __builtin_rintf(x * 0x1.45f306p-1f);
        *q = (int)j;
        float r = __builtin_fmaf(j, -0x1.921fb6p+0f, x);
        r = __builtin_fmaf(j, 0x1.777a5cp-25f, r);
        return __builtin_fmaf(j, 0x1.ee59dap-50f, r);
    }
    if (!(__builtin_fabsf(x) < __WS_INFF)) {
        *q = 0;
        return __WS_NANF;
    }
    return __ws_reduce_largef(x, q);
}
__WS_MATH float __ws_sin_coref(float r)
{
    float z = r * r;
    return __builtin_fmaf(__ws_poly_sinf(z) * z, r, r);
}
__WS_MATH float __ws_cos_coref(float r)
{
    float z = r * r;
    return __builtin_fmaf(__builtin_fmaf(__ws_poly_cosf(z), z, -0.5f), z, 1.0f);
}
__WS_MATH float __ws_sin_quadrantf(float r, int q)
{
    float y = q & 1 ? __ws_cos_coref(r) : __ws_sin_coref(r);
    return q & 2 ? -y : y;
}
__WS_MATH float __ws_sinf(float x)
{
    int q;
    float r = __ws_reducef(x, &q);
    return x == 0.0f ? x : __ws_sin_quadrantf(r, q);
}
__WS_MATH float __ws_cosf(float x)
{
    int q;
    float r = __ws_reducef(x, &q);
    return __ws_sin_quadrantf(r, q + 1);
}
__WS_MATH void __ws_sincosf(float x, float *sine, float *cosine)
{
    int q;
    float r = __ws_reducef(x, &q);
    *sine = x == 0.0f ? x : __ws_sin_quadrantf(r, q);
    *cosine = __ws_sin_quadrantf(r, q + 1);
}
__WS_MATH float __ws_tanf(float x)
{
    int q;
    float r = __ws_reducef(x, &q);
    float z = r * r;
    float y = __builtin_fmaf(__ws_poly_tanf(z) * z, r, r);
    y = q & 1 ? -1.0f / y : y;
    return x == 0.0f ? x : y;
}
/* sin(pi x), cos(pi x) */
__WS_MATH void __ws_sincospif(float x, float *sine, float *cosine)
{
    float a = __builtin_fabsf(x);
    x = a < 0x1p24f || !(a < __WS_INFF) ? x : x * 0.0f; /* an even number */
    float j = __builtin_rintf(2.0f * x);
    float f = __builtin_fmaf(j, -0.5f, x);
    float r = __builtin_fmaf(f, 0x1.921fb6p+1f, f * -0x1.777a5cp-24f);
    int q = (int)__builtin_fmaf(-4.0f, __builtin_floorf(j * 0.25f), j);
    if (!(__builtin_fabsf(x) < __WS_INFF))
        r = __WS_NANF;
    *sine = __builtin_truncf(x) == x ? x * 0.0f : __ws_sin_quadrantf(r, q);
    *cosine = __ws_sin_quadrantf(r, q + 1) + 0.0f;
}
__WS_MATH float __ws_sinpif(float x)
{
    float s, c;
    __ws_sincospif(x, &s, &c);
    return s;
}
__WS_MATH float __ws_cospif(float x)
{
    float s, c;
    __ws_sincospif(x, &s, &c);
    return c;
}

/* ---- inverse trigonometry ---- */

__WS_MATH float __ws_asin_smallf(float x)
{
    float z = x * x;
    return __builtin_fmaf(__ws_poly_asinf(z) * z, x, x);
}
__WS_MATH float __ws_asinf(float x)
{
    float a = __builtin_fabsf(x);
    if (a < 0.5f)
        return __ws_asin_smallf(x);
    float z = __builtin_fmaf(a, -0.5f, 0.5f);
    float s = __WS_SQRTF(z) * -2.0f;
    float rest = __builtin_fmaf(__ws_poly_asinf(z) * z, s, -0x1.777a5cp-25f);
    return __builtin_copysignf((s + 0x1.921fb6p+0f) + rest, x);
}
__WS_MATH float __ws_acosf(float x)
{
    float a = __builtin_fabsf(x);
    if (a < 0.5f) {
        float z = x * x;
        float rest = __builtin_fmaf(__ws_poly_asinf(z) * z, x, 0x1.777a5cp-25f);
        return 0x1.921fb6p+0f - (x + rest);
    }
    float y = 2.0f * __ws_asin_smallf(__WS_SQRTF(__builtin_fmaf(a, -0.5f, 0.5f)));
    return x < 0.0f ? 0x1.921fb6p+1f - (y + 0x1.777a5cp-24f) : y;
}
/* atan(t) for t in [0, 1] */
__WS_MATH float __ws_atan_unitf(float t)
{
    float z = t * t;
    return __builtin_fmaf(__ws_poly_atanf(z) * z, t, t);
}
__WS_MATH float __ws_atanf(float x)
{
    float a = __builtin_fabsf(x);
    float y = __ws_atan_unitf(a > 1.0f ? 1.0f / a : a);
    y = a > 1.0f ? 0x1.921fb6p+0f - (y + 0x1.777a5cp-25f) : y;
    return __builtin_copysignf(y, x);
}
__WS_MATH float __ws_atan2f(float y, float x)
{
    float ax = __builtin_fabsf(x), ay = __builtin_fabsf(y);
    if (!(ax <= __WS_INFF) || !(ay <= __WS_INFF))
        return x + y;
    float large = __builtin_fmaxf(ax, ay), small = __builtin_fminf(ax, ay);
    float t = small / large;
    t = large == 0.0f ? 0.0f : small == __WS_INFF ? 1.0f : t;
    float r = __ws_atan_unitf(t);
    r = ay > ax ? 0x1.921fb6p+0f - (r + 0x1.777a5cp-25f) : r;
    r = __ws_bitsf(x) < 0 ? 0x1.921fb6p+1f - (r + 0x1.777a5cp-24f) : r;
    return __builtin_copysignf(r, y);
}

/* ---- hyperbolic ---- */

__WS_MATH float __ws_sinhf(float x)
{
    float a = __builtin_fabsf(x);
    float z = x * x;
    if (a < 1.0f)
        return __builtin_fmaf(__ws_poly_sinhf(z) * z, x, x);
    float h = __ws_exp_scaledf(a, 0x1.715476p+0f, 0x1.4ae0cp-26f, -1);
    return __builtin_copysignf(h - 0.25f * __ws_mufu_rcp(h), x);
}
__WS_MATH float __ws_coshf(float x)
{
    float h = __ws_exp_scaledf(__builtin_fabsf(x), 0x1.715476p+0f, 0x1.4ae0cp-26f, -1);
    return h + 0.25f * __ws_mufu_rcp(h);
}
__WS_MATH float __ws_tanhf(float x)
{
    float a = __builtin_fabsf(x);
    float z = x * x;
    if (a < 0.6f)
        return __builtin_copysignf(__builtin_fmaf(__ws_poly_tanhf(z) * z, a, a), x);
    float e = __ws_expf(a + a);
    return __builtin_copysignf(__builtin_fmaf(-2.0f, __ws_mufu_rcp(e + 1.0f), 1.0f), x);
}
__WS_MATH float __ws_asinhf(float x)
{
    float a = __builtin_fabsf(x);
    float y;
    if (a > 0x1p24f)
        y = __ws_logf(a) + 0x1.62e43p-1f;
    else
        y = __ws_log1pf(__builtin_fmaf(a, a / (1.0f + __WS_SQRTF(__builtin_fmaf(a, a, 1.0f))), a));
    return __builtin_copysignf(y, x);
}
__WS_MATH float __ws_acoshf(float x)
{
    float t = x - 1.0f;
    if (x > 0x1p24f)
        return __ws_logf(x) + 0x1.62e43p-1f;
    return __ws_log1pf(t + __WS_SQRTF(t < 0.0f ? t : __builtin_fmaf(t, t, 2.0f * t)));
}
__WS_MATH float __ws_atanhf(float x)
{
    float a = __builtin_fabsf(x);
    float y = 0.5f * __ws_log1pf((a + a) / (1.0f - a));
    return __builtin_copysignf(a > 1.0f ? __WS_NANF : y, x);
}

/* ---- roots ---- */

__WS_MATH float __ws_sqrtf(float x)
{
    return __WS_SQRTF(x);
}
__WS_MATH float __ws_rsqrtf(float x)
{
    return __ws_mufu_rsq(x);
}
__WS_MATH float __ws_cbrtf(float x)
{
    float a = __builtin_fabsf(x);
    float scale = 1.0f;
    if (a < 0x1p-100f)
        a *= 0x1p72f, scale = 0x1p-24f;
    float t = __ws_mufu_ex2(__ws_mufu_lg2(a) * 0x1.555556p-2f);
    float s = t * t;
    float low = __builtin_fmaf(t, t, -s);
    float d = __builtin_fmaf(s, t, -a);
    d = __builtin_fmaf(low, t, d); /* t^3 - a */
    t = __builtin_fmaf(-0x1.555556p-2f * d, __ws_mufu_rcp(s), t);
    t = __builtin_copysignf(t * scale, x);
    return x == 0.0f || !(__builtin_fabsf(x) < __WS_INFF) ? x + x : t;
}
__WS_MATH float __ws_rcbrtf(float x)
{
    return 1.0f / __ws_cbrtf(x);
}
__WS_MATH float __ws_hypotf(float x, float y)
{
    float a = __builtin_fabsf(x), b = __builtin_fabsf(y);
    float large = __builtin_fmaxf(a, b), small = __builtin_fminf(a, b);
    if (large == __WS_INFF)
        return large;
    if (large == 0.0f || !(a + b <= __WS_INFF * 2.0f))
        return a + b;
    int e = (__ws_bitsf(large) >> 23) - 127;
    e = e < -100 ? -100 : e > 100 ? 100 : e;
    float down = __ws_pow2if(-e), up = __ws_pow2if(e);
    large *= down;
    small *= down;
    return __WS_SQRTF(__builtin_fmaf(large, large, small * small)) * up;
}
__WS_MATH float __ws_rhypotf(float x, float y)
{
    return 1.0f / __ws_hypotf(x, y);
}
__WS_MATH float __ws_norm3df(float x, float y, float z)
{
    return __ws_hypotf(__ws_hypotf(x, y), z);
}

/* ---- error function ---- */

__WS_MATH float __ws_erfcf(float x)
{
    float a = __builtin_fabsf(x);
    float t = (a - 2.0f) / (a + 2.0f);
    t = a > 11.0f ? 0x1.2p-1f : t;
    float p = __ws_poly_erfcf(t) / __builtin_fmaf(2.0f, a, 1.0f);
    float s = a * a;
    float low = __builtin_fmaf(a, a, -s);
    float e = __ws_exp_scaledf(-s, 0x1.715476p+0f, 0x1.4ae0cp-26f, 0);
    float y = p * e;
    y = __builtin_fmaf(-low, y, y);
    y = a > 11.0f ? 0.0f : y;
    y = x < 0.0f ? 2.0f - y : y;
    return x == x ? y : x + x;
}
__WS_MATH float __ws_erff(float x)
{
    float a = __builtin_fabsf(x);
    if (a < 1.0f)
        return __builtin_fmaf(__ws_poly_erff(x * x), x, x);
    return __builtin_copysignf(1.0f - __ws_erfcf(a), x);
}

/* ---- remainders, scaling and rounding ---- */

/* fmod exactly: long division by bits, at most 277 steps. */
__WS_MATH float __ws_fmodf(float x, float y)
{
    float a = __builtin_fabsf(x), b = __builtin_fabsf(y);
    if (!(a < __WS_INFF) || !(b > 0.0f) || !(b <= __WS_INFF))
        return x == x && y == y ? __WS_NANF : x + y;
    if (a < b)
        return x;
    int ia = __ws_bitsf(a), ib = __ws_bitsf(b);
    int ea = ia >> 23, eb = ib >> 23;
    unsigned int ma = ea == 0 ? ia : (ia & 0x7fffff) | 0x800000;
    unsigned int mb = eb == 0 ? ib : (ib & 0x7fffff) | 0x800000;
    int up = __builtin_clz(ma) - 8;
    ma <<= up;
    ea += (ea == 0) - up;
    up = __builtin_clz(mb) - 8;
    mb <<= up;
    eb += (eb == 0) - up;
    for (int k = ea - eb; k > 0; k--) {
        ma = ma >= mb ? ma - mb : ma;
        ma <<= 1;
    }
    ma = ma >= mb ? ma - mb : ma;
    float r = (float)ma; /* times 2^(eb - 150), which may be below the normal numbers */
    r = eb > 150 ? r * __ws_pow2if(eb - 150 - 1) * 2.0f
                 : r * __ws_pow2if(eb - 150 + 100) * 0x1p-100f;
    return __builtin_copysignf(r, x);
}
__WS_MATH float __ws_remainderf(float x, float y)
{
    float b = __builtin_fabsf(y);
    if (!(__builtin_fabsf(x) < __WS_INFF) || !(b < __WS_INFF) || b == 0.0f)
        return __ws_fmodf(x, y);
    float r = b < 0x1p127f ? __ws_fmodf(x, b + b) : x;
    float a = __builtin_fabsf(r);
    if (b < 0x1p-125f) {
        if (a + a > b) {
            a -= b;
            if (a + a >= b)
                a -= b;
        }
    } else if (a > 0.5f * b) {
        a -= b;
        if (a >= 0.5f * b)
            a -= b;
    }
    return __ws_floatf(__ws_bitsf(a) ^ (__ws_bitsf(x) & (int)0x80000000));
}
__WS_MATH float __ws_fdimf(float x, float y)
{
    return x <= y ? 0.0f : x - y;
}
__WS_MATH float __ws_ldexpf(float x, int n)
{
    n = n < -300 ? -300 : n > 300 ? 300 : n;
    if (n < -126) {
        x *= 0x1p-102f; /* exact or 0 in the end: one rounding only, at the last step */
        n += 102;
        if (n < -126) {
            x *= 0x1p-102f;
            n += 102;
        }
    } else if (n > 127) {
        x *= 0x1p127f;
        n -= 127;
        if (n > 127) {
            x *= 0x1p127f;
            n = n - 127 > 127 ? 127 : n - 127;
        }
    }
    return x * __ws_pow2if(n);
}
__WS_MATH float __ws_frexpf(float x, int *e)
{
    float a = __builtin_fabsf(x);
    if (a == 0.0f || !(a < __WS_INFF)) {
        *e = 0;
        return x;
    }
    int shift = 0;
    if (a < 0x1p-126f)
        x *= 0x1p25f, shift = -25;
    int bits = __ws_bitsf(x);
    *e = ((bits >> 23) & 0xff) - 126 + shift;
    return __ws_floatf((bits & (int)0x807fffff) | 0x3f000000);
}
__WS_MATH int __ws_ilogbf(float x)
{
    if (x == 0.0f)
        return -2147483647 - 1;
    if (!(__builtin_fabsf(x) < __WS_INFF))
        return x == x ? 2147483647 : -2147483647 - 1;
    int e;
    __ws_frexpf(x, &e);
    return e - 1;
}
__WS_MATH float __ws_logbf(float x)
{
    if (x == 0.0f)
        return -__WS_INFF;
    if (!(__builtin_fabsf(x) < __WS_INFF))
        return x * x;
    return (float)__ws_ilogbf(x);
}
__WS_MATH float __ws_modff(float x, float *whole)
{
    *whole = __builtin_truncf(x);
    float f = __builtin_fabsf(x) == __WS_INFF ? 0.0f : x - *whole;
    return __builtin_copysignf(f, x);
}
__WS_MATH float __ws_nextafterf(float x, float y)
{
    if (!(x == x) || !(y == y))
        return x + y;
    if (x == y)
        return y;
    if (x == 0.0f)
        return __builtin_copysignf(0x1p-149f, y);
    int bits = __ws_bitsf(x);
    return __ws_floatf((x < y) == (x > 0.0f) ? bits + 1 : bits - 1);
}
__WS_MATH float __ws_roundf(float x)
{
    float t = __builtin_truncf(x);
    t = __builtin_fabsf(x - t) >= 0.5f ? t + __builtin_copysignf(1.0f, x) : t;
    return __builtin_copysignf(__builtin_fabsf(x) < 0x1p23f ? t : x, x);
}
__WS_MATH float __ws_truncf(float x)
{
    return __builtin_truncf(x);
}
__WS_MATH float __ws_floorf(float x)
{
    return __builtin_floorf(x);
}
__WS_MATH float __ws_ceilf(float x)
{
    return __builtin_ceilf(x);
}
__WS_MATH float __ws_rintf(float x)
{
    return __builtin_rintf(x);
}
__WS_MATH float __ws_nearbyintf(float x)
{
    return __builtin_rintf(x);
}
__WS_MATH float __ws_fabsf(float x)
{
    return __builtin_fabsf(x);
}
__WS_MATH float __ws_fminf(float x, float y)
{
    return __builtin_fminf(x, y);
}
__WS_MATH float __ws_fmaxf(float x, float y)
{
    return __builtin_fmaxf(x, y);
}
__WS_MATH float __ws_copysignf(float x, float y)
{
    return __builtin_copysignf(x, y);
}

#endif
