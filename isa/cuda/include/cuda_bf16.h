/*
 * bfloat16: __nv_bfloat16 and __nv_bfloat162, with conversions, arithmetic, comparisons and math
 * functions.
 */
#ifndef WARPSTEP_CUDA_BF16_H
#define WARPSTEP_CUDA_BF16_H

/* The toolkit's guards, which programs test. */
#define __CUDA_BF16_H__
#define __CUDA_BF16_TYPES_EXIST__

#include "cuda_fp16.h"

#ifndef __CUDA__
typedef struct {
    unsigned short x;
} __nv_bfloat16_raw;
__WS_HOST_TYPE(__nv_bfloat16, __nv_bfloat162, __nv_bfloat16_raw, bfloat16)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#else

__WS_SPECIAL_FUNCTIONS(bfloat16, "bf16", "")
__WS_SPECIAL_FUNCTION(__ws_bfloat16_tanh_of, "tanh.approx")
__WS_OF_WIDENED(bfloat16, tanh)

/* div.approx gives 0 for divisors from 2^126 on (PTX ISA): those are made smaller, then the result.
 */
__WS_BOTH unsigned short __ws_bfloat16_divide(unsigned short a, unsigned short b)
{
    float x = __ws_bfloat16_widen(a), y = __ws_bfloat16_widen(b);
    bool large = __builtin_fabsf(y) >= 0x1p126f;
    y = large ? y * 0.25f : y;
    float quotient = __fdividef(x, y);
    if (large)
        quotient = __fmul_rn(quotient, 0.25f);
    unsigned short r;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(r) : "f"(quotient));
    return r;
}

/* The float above log2(e): with the nearest two arguments go wrong, with this none. */
__WS_BOTH float __ws_bfloat16_exp(unsigned short a)
{
    return __ws_bfloat16_ex2(__fmul_rn(__ws_bfloat16_widen(a), 0x1.715478p+0f));
}
__WS_BOTH float __ws_bfloat16_exp2(unsigned short a)
{
    return __ws_bfloat16_ex2(__ws_bfloat16_widen(a));
}
__WS_BOTH float __ws_bfloat16_exp10(unsigned short a)
{
    float r = __ws_bfloat16_ex2(__fmul_rn(__ws_bfloat16_widen(a), __WS_LOG2_10));
    return a == 0xbc95 ? 0x1.eap-1f : r;
}
__WS_BOTH float __ws_bfloat16_log(unsigned short a)
{
    return __fmul_rn(__ws_bfloat16_lg2(__ws_bfloat16_widen(a)), __WS_LOG_2);
}
__WS_BOTH float __ws_bfloat16_log2(unsigned short a)
{
    return __ws_bfloat16_lg2(__ws_bfloat16_widen(a));
}
__WS_BOTH float __ws_bfloat16_log10(unsigned short a)
{
    return __fmul_rn(__ws_bfloat16_lg2(__ws_bfloat16_widen(a)), __WS_LOG10_2);
}
__WS_BOTH float __ws_bfloat16_sin(unsigned short a)
{
    return __ws_sinf(__ws_bfloat16_widen(a));
}
__WS_BOTH float __ws_bfloat16_cos(unsigned short a)
{
    return __ws_cosf(__ws_bfloat16_widen(a));
}

#define __WS_SCALAR     __nv_bfloat16
#define __WS_PAIR       __nv_bfloat162
#define __WS_SCALAR_RAW __nv_bfloat16_raw
#define __WS_PAIR_RAW   __nv_bfloat162_raw
#define __WS_OTHER      __half
#define __WS_PTX        "bf16"
#define __WS_FORMAT     __ws_bf16_format
#define __WS_PTX2       "bf16x2"
#define __WS_TYPE_NAME  bfloat16
#define __WS_SELF2      2bfloat162
#define __WS_ONE        0x3f80
#define __WS_INFINITY   0x7f80
#define __WS_HAS_SAT    0
#ifdef __CUDA_NO_BFLOAT16_CONVERSIONS__
#define __WS_CONVERSIONS 0
#else
#define __WS_CONVERSIONS 1
#endif
#ifdef __CUDA_NO_BFLOAT16_OPERATORS__
#define __WS_OPERATORS 0
#else
#define __WS_OPERATORS 1
#endif
#if defined(__CUDA_NO_BFLOAT16_OPERATORS__) || defined(__CUDA_NO_BFLOAT162_OPERATORS__)
#define __WS_PAIR_OPERATORS 0
#else
#define __WS_PAIR_OPERATORS 1
#endif
#include "warpstep/half_operations.h"

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

__WS_BOTH __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b)
{
    return __nv_bfloat162(a, b);
}

#if !defined(__CUDA_NO_HALF_CONVERSIONS__) && !defined(__CUDA_NO_BFLOAT16_CONVERSIONS__)
__WS_MEMBER __half::__half(__nv_bfloat16 x) : __half((float)x)
{
}
__WS_MEMBER __nv_bfloat16::__nv_bfloat16(__half x) : __nv_bfloat16((float)x)
{
}
#endif

#endif /* __CUDA__ */

#endif
