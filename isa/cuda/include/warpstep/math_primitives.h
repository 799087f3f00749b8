/*
 * What the math functions are written in: bit views, special function unit, and the bits of 2/pi.
 * Without CUDA the same functions compile for the host, where a test compares them with the C
 * library; it then provides __ws_mufu_ex2 and its like.
 */
#ifndef WARPSTEP_MATH_PRIMITIVES_H
#define WARPSTEP_MATH_PRIMITIVES_H

#ifdef __CUDA__
#include "warpstep/attributes.h"
#define __WS_MATH       __WS_DEVICE
#define __WS_MATH_TABLE static __constant__ const

__WS_MATH float __ws_mufu_ex2(float x)
{
    return __WS_APPROX(ex2)(x);
}
__WS_MATH float __ws_mufu_lg2(float x)
{
    return __WS_APPROX(lg2)(x);
}
__WS_MATH float __ws_mufu_rsq(float x)
{
    return __WS_APPROX(rsqrt)(x);
}
__WS_MATH float __ws_mufu_rcp(float x)
{
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
#else
#define __WS_MATH       static inline
#define __WS_MATH_TABLE static const
float __ws_mufu_ex2(float x);
float __ws_mufu_lg2(float x);
float __ws_mufu_rsq(float x);
float __ws_mufu_rcp(float x);
#endif

/* -prec-sqrt=false of `warpstep cc`. */
#ifdef __WARPSTEP_APPROXIMATE_ROOT__
#define __WS_SQRTF(x) __WS_APPROX(sqrt)(x)
#else
#define __WS_SQRTF(x) __builtin_sqrtf(x)
#endif

#include "math_coefficients.h"

#define __WS_NANF __ws_floatf(0x7fffffff)
#define __WS_INFF __builtin_inff()
#define __WS_NAN  __ws_double(0x7ff8000000000000ll)
#define __WS_INF  __builtin_inf()

#ifdef __cplusplus
#define __WS_CAST(to, x) return __builtin_bit_cast(to, x)
#else
#define __WS_CAST(to, x)                                                                           \
    to result;                                                                                     \
    __builtin_memcpy(&result, &x, sizeof(result));                                                 \
    return result
#endif

__WS_MATH int __ws_bitsf(float x)
{
    __WS_CAST(int, x);
}
__WS_MATH float __ws_floatf(int x)
{
    __WS_CAST(float, x);
}
__WS_MATH long long __ws_bits(double x)
{
    __WS_CAST(long long, x);
}
__WS_MATH double __ws_double(long long x)
{
    __WS_CAST(double, x);
}
/* 2^n for a normal result */
__WS_MATH float __ws_pow2if(int n)
{
    return __ws_floatf((n + 127) << 23);
}
__WS_MATH double __ws_pow2i(int n)
{
    return __ws_double((long long)(n + 1023) << 52);
}

/* 64 zero bits, then the first 1280 bits of 2/pi. */
__WS_MATH_TABLE unsigned long long __ws_two_over_pi[21] = {
    0,
    0xa2f9836e4e441529ull,
    0xfc2757d1f534ddc0ull,
    0xdb6295993c439041ull,
    0xfe5163abdebbc561ull,
    0xb7246e3a424dd2e0ull,
    0x06492eea09d1921cull,
    0xfe1deb1cb129a73eull,
    0xe88235f52ebb4484ull,
    0xe99c7026b45f7e41ull,
    0x3991d639835339f4ull,
    0x9c845f8bbdf9283bull,
    0x1ff897ffde05980full,
    0xef2f118b5a0a6d1full,
    0x6d367ecf27cb09b7ull,
    0x4f463f669e5fea2dull,
    0x7527bac7ebe5f17bull,
    0x3d0739f78a5292eaull,
    0x6bfb5fb11f8d5d08ull,
    0x56033046fc7b6babull,
    0xf0cfbc209af4361dull,
};

#endif
