/*
 * bfloat16: conversions of __nv_bfloat16. Arithmetic goes through float.
 */
#ifndef WARPSTEP_CUDA_BF16_H
#define WARPSTEP_CUDA_BF16_H

#include "cuda_runtime.h"

struct __nv_bfloat16_raw {
    unsigned short x;
};

/* Rounded to nearest even; any NaN is 0x7fff. */
struct __nv_bfloat16 {
    unsigned short bits;

    __nv_bfloat16() = default;
    __WS_MEMBER __nv_bfloat16(__nv_bfloat16_raw raw) : bits(raw.x)
    {
    }
    __WS_MEMBER __nv_bfloat16(float f)
    {
        unsigned int word = __builtin_bit_cast(unsigned int, f);
        unsigned int rounded = (word + 0x7fff + (word >> 16 & 1)) >> 16;
        bits = (unsigned short)((word & 0x7fffffff) > 0x7f800000 ? 0x7fff : rounded);
    }
    __WS_MEMBER __nv_bfloat16(double d) : __nv_bfloat16((float)d)
    {
    }
    __WS_MEMBER __nv_bfloat16(int i) : __nv_bfloat16((float)i)
    {
    }
    __WS_MEMBER operator float() const
    {
        return __builtin_bit_cast(float, (unsigned int)bits << 16);
    }
};

typedef __nv_bfloat16 nv_bfloat16;

__WS_BOTH __nv_bfloat16 __float2bfloat16(float f)
{
    return __nv_bfloat16(f);
}
__WS_BOTH __nv_bfloat16 __float2bfloat16_rn(float f)
{
    return __nv_bfloat16(f);
}
__WS_BOTH float __bfloat162float(__nv_bfloat16 b)
{
    return b;
}

#endif
