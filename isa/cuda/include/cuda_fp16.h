/*
 * Half precision: __half and __half2, with conversions, arithmetic, comparisons and math functions.
 */
#ifndef WARPSTEP_CUDA_FP16_H
#define WARPSTEP_CUDA_FP16_H

/* The toolkit's guards, which programs test. */
#define __CUDA_FP16_H__
#define __CUDA_FP16_TYPES_EXIST__

#include "cuda_runtime.h"
#ifndef __CUDA__
#include "warpstep/half_host.h"
typedef struct {
    unsigned short x;
} __half_raw;
__WS_HOST_TYPE(__half, __half2, __half_raw, half)
typedef __half half, __nv_half, nv_half;
typedef __half2 half2, __nv_half2, nv_half2;
#else

#include "warpstep/half_math.h"

__WS_SPECIAL_FUNCTIONS(half, "f16", ".ftz")

__WS_BOTH unsigned short __ws_half_narrow(float x)
{
    unsigned short r;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(r) : "f"(x));
    return r;
}

/*
 * a times the reciprocal of b; one step more for results below 2^-17, whose exact value may lie in
 * the middle between two halves. All quotients of 11-bit numbers were tried in all ranges of
 * results with a correctly rounded reciprocal: the product went wrong in none above 0x007f, with
 * the step in none.
 */
__WS_BOTH unsigned short __ws_half_divide(unsigned short a, unsigned short b)
{
    float x = __ws_half_widen(a), y = __ws_half_widen(b);
    float reciprocal = __ws_half_rcp_of(y);
    float quotient = __fmul_rn(x, reciprocal);
    unsigned short r = __ws_half_narrow(quotient);
    unsigned short size = r & 0x7fff;
    if (size < 0x80 && size != 0) {
        float rest = __builtin_fmaf(-y, quotient, x);
        r = __ws_half_narrow(__builtin_fmaf(reciprocal, rest, quotient));
    }
    return r;
}

/* r, but `one` where the half `a` is `x`, and `other` where it is `y`. */
#define __WS_CORRECT(r, a, x, one, y, other)                                                       \
    asm("{.reg .pred p, q;\n\t"                                                                    \
        ".reg .b32 both, these;\n\t"                                                               \
        "mov.b32 both, {%1, %1};\n\t"                                                              \
        "mov.b32 these, %2;\n\t"                                                                   \
        "setp.neu.f16x2 p|q, both, these;\n\t"                                                     \
        "selp.f32 %0, %0, %3, p;\n\t"                                                              \
        "selp.f32 %0, %0, %4, q;}"                                                                 \
        : "+f"(r)                                                                                  \
        : "h"(a), "n"((x) | (y) << 16), "f"(one), "f"(other))

__WS_BOTH float __ws_half_exp(unsigned short a)
{
    float r = __ws_half_ex2(__fmul_rn(__ws_half_widen(a), __WS_LOG2_E));
    __WS_CORRECT(r, a, 0x1f79, 0x1.01cp+0f, 0x25cf, 0x1.05cp+0f);
    __WS_CORRECT(r, a, 0xc13b, 0x1.2bcp-4f, 0xc1ef, 0x1.a5cp-5f);
    return r;
}
/*
 * The next float, so that on an H200 all arguments are right, two are not without. Here, where the
 * unit's own result is better, 0x8dc6, 0x9f98 and 0xaf57 give the half above.
 */
__WS_BOTH float __ws_half_exp2(unsigned short a)
{
    float r = __ws_half_ex2(__ws_half_widen(a));
    return __builtin_fmaf(r, 0x1p-24f, r);
}
__WS_BOTH float __ws_half_exp10(unsigned short a)
{
    float r = __ws_half_ex2(__fmul_rn(__ws_half_widen(a), __WS_LOG2_10));
    __WS_CORRECT(r, a, 0x34de, 0x1.01cp+1f, 0x9766, 0x1.fdcp-1f);
    __WS_CORRECT(r, a, 0x9972, 0x1.fdp-1f, 0xa5c4, 0x1.e64p-1f);
    return a == 0xbf0a ? 0x1.1ccp-6f : r;
}
__WS_BOTH float __ws_half_log(unsigned short a)
{
    float r = __fmul_rn(__ws_half_lg2(__ws_half_widen(a)), __WS_LOG_2);
    __WS_CORRECT(r, a, 0x160d, -0x1.a14p+2f, 0x3bfe, -0x1.004p-10f);
    __WS_CORRECT(r, a, 0x3c0b, 0x1.5ep-7f, 0x6051, 0x1.944p+2f);
    __WS_CORRECT(r, a, 0x1935, -0x1.7e4p+2f, 0x1d78, -0x1.4ecp+2f);
    return r;
}
__WS_BOTH float __ws_half_log2(unsigned short a)
{
    float r = __ws_half_lg2(__ws_half_widen(a));
    __WS_CORRECT(r, a, 0x3489, -0x1.d1cp+0f, 0x3bed, -0x1.b8cp-7f);
    return r;
}
__WS_BOTH float __ws_half_log10(unsigned short a)
{
    float r = __fmul_rn(__ws_half_lg2(__ws_half_widen(a)), 0x1.344134p-2f);
    __WS_CORRECT(r, a, 0x0f4f, -0x1.adp+1f, 0x338f, -0x1.40cp-1f);
    __WS_CORRECT(r, a, 0x33f8, -0x1.354p-1f, 0x69d0, 0x1.bccp+1f);
    return r;
}
/*
 * x - j pi/2, the integer j in the low bits of x 2/pi + 1.5 2^23 (both parts of pi/2 are of one
 * sign, so that -0 stays); then sine or cosine, by the one polynomial with the coefficients of
 * either. Those interpolate (sin(r)/r - 1)/r^2 and (cos(r) - 1 + r^2/2)/r^4 at the Chebyshev nodes
 * of r^2 from 0 to (pi/4)^2.
 */
__WS_BOTH float __ws_half_sine(float x, int quadrant)
{
    float magic = __builtin_fmaf(x, 0x1.45f306p-1f, 0x1.8p23f);
    float j = __fsub_rn(magic, 0x1.8p23f);
    float r = __builtin_fmaf(j, -0x1.921fb4p+0f, x);
    r = __builtin_fmaf(j, -0x1.4442d2p-24f, r);
    int q = __float_as_int(magic) + quadrant;
    bool cosine = q & 1;
    float z = r * r;
    float p = cosine ? 0x1.9bd88p-16f : -0x1.9ac98ep-13f;
    p = __builtin_fmaf(p, z, cosine ? -0x1.6c12d2p-10f : 0x1.110c28p-7f);
    p = __builtin_fmaf(p, z, cosine ? 0x1.555554p-5f : -0x1.555552p-3f);
    p = __builtin_fmaf(p, z, cosine ? -0.5f : 0.0f);
    p = __builtin_fmaf(p, cosine ? z : r, cosine ? 1.0f : r);
    return q & 2 ? -p : p;
}
__WS_BOTH float __ws_half_sin(unsigned short a)
{
    float r = __ws_half_sine(__ws_half_widen(a), 0), size = __builtin_fabsf(r);
    unsigned short argument = a & 0x7fff;
    __WS_CORRECT(size, argument, 0x32b3, 0x1.a9cp-3f, 0x5cb0, 0x1.ffcp-1f);
    return __builtin_copysignf(size, r);
}
__WS_BOTH float __ws_half_cos(unsigned short a)
{
    float r = __ws_half_sine(__ws_half_widen(a), 1);
    return (a & 0x7fff) == 0x2b7c ? 0x1.ff4p-1f : r;
}
/* 1 - 2 / (e^2|x| + 1), for small arguments the polynomial of tanhf */
__WS_BOTH float __ws_half_tanh(unsigned short a)
{
    float x = __ws_half_widen(a), size = __builtin_fabsf(x), z = x * x;
    float e = __ws_half_ex2(__fmul_rn(size, 2 * __WS_LOG2_E));
    float large = __builtin_fmaf(__ws_half_rcp_of(e + 1.0f), -2.0f, 1.0f);
    float small = __builtin_fmaf(__builtin_fmaf(__ws_poly_tanhf(z), z, 0.0f), x, x); /* -0 stays */
    return size < 0.6f ? small : __builtin_copysignf(large, x);
}

#undef __WS_CORRECT

#define __WS_SCALAR     __half
#define __WS_PAIR       __half2
#define __WS_SCALAR_RAW __half_raw
#define __WS_PAIR_RAW   __half2_raw
#define __WS_OTHER      __nv_bfloat16
#define __WS_PTX        "f16"
#define __WS_FORMAT     __ws_f16_format
#define __WS_PTX2       "f16x2"
#define __WS_TYPE_NAME  half
#define __WS_SELF2      2half2
#define __WS_ONE        0x3c00
#define __WS_INFINITY   0x7c00
#define __WS_HAS_SAT    1
#ifdef __CUDA_NO_HALF_CONVERSIONS__
#define __WS_CONVERSIONS 0
#else
#define __WS_CONVERSIONS 1
#endif
#ifdef __CUDA_NO_HALF_OPERATORS__
#define __WS_OPERATORS 0
#else
#define __WS_OPERATORS 1
#endif
#if defined(__CUDA_NO_HALF_OPERATORS__) || defined(__CUDA_NO_HALF2_OPERATORS__)
#define __WS_PAIR_OPERATORS 0
#else
#define __WS_PAIR_OPERATORS 1
#endif
#include "warpstep/half_operations.h"

typedef __half half, __nv_half, nv_half;
typedef __half2 half2, __nv_half2, nv_half2;

__WS_BOTH __half2 make_half2(__half a, __half b)
{
    return __half2(a, b);
}

#endif /* __CUDA__ */

#endif
