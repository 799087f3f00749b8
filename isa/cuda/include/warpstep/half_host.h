/*
 * 16-bit floating-point types to a host compiler, which has no kernels: types, and conversions from
 * and to float, rounded to nearest even. In C there are the types alone, as with nvcc.
 */
#ifndef WARPSTEP_HALF_HOST_H
#define WARPSTEP_HALF_HOST_H

#include "warpstep/attributes.h"

#ifdef __cplusplus
__WS_BOTH unsigned int __ws_host_bits(float x)
{
    unsigned int bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}
__WS_BOTH float __ws_host_float(unsigned int bits)
{
    float x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

/* Halves below 2^-14 are multiples of 2^-24, as floats from 0.5 to 1 are: the sum rounds. */
__WS_BOTH unsigned short __ws_host_half_narrow(float x)
{
    unsigned int bits = __ws_host_bits(x), sign = bits >> 16 & 0x8000, size = bits & 0x7fffffff;
    if (size > 0x7f800000)
        return 0x7fff;
    if (size >= 0x477ff000) /* from 65520 on */
        return (unsigned short)(sign | 0x7c00);
    if (size < 0x38800000)
        return (unsigned short)(sign | (__ws_host_bits(__ws_host_float(size) + 0.5f) - 0x3f000000));
    return (unsigned short)(sign | (((size + 0xfff + (size >> 13 & 1)) >> 13) - (112 << 10)));
}
__WS_BOTH float __ws_host_half_widen(unsigned short half)
{
    unsigned int sign = (half & 0x8000u) << 16, size = half & 0x7fff;
    if (size > 0x7c00)
        return __ws_host_float(0x7fffffff);
    if (size == 0x7c00)
        return __ws_host_float(sign | size << 13 | 0x7f800000);
    if (size < 0x400)
        return __ws_host_float(sign | __ws_host_bits((float)size * 5.9604644775390625e-8f));
    return __ws_host_float(sign | ((size << 13) + (112 << 23)));
}
__WS_BOTH unsigned short __ws_host_bfloat16_narrow(float x)
{
    unsigned int bits = __ws_host_bits(x);
    if ((bits & 0x7fffffff) > 0x7f800000)
        return 0x7fff;
    return (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
__WS_BOTH float __ws_host_bfloat16_widen(unsigned short x)
{
    return __ws_host_float((unsigned int)x << 16);
}

/* `type` is called `name` in names of functions. */
#define __WS_HOST_TYPE(type, pair, raw, name)                                                      \
    struct __attribute__((aligned(2))) type {                                                      \
        unsigned short bits;                                                                       \
        type() = default;                                                                          \
        __WS_MEMBER type(raw r) : bits(r.x)                                                        \
        {                                                                                          \
        }                                                                                          \
        __WS_MEMBER type(float x) : bits(__ws_host_##name##_narrow(x))                             \
        {                                                                                          \
        }                                                                                          \
        __WS_MEMBER operator raw() const                                                           \
        {                                                                                          \
            raw r = {bits};                                                                        \
            return r;                                                                              \
        }                                                                                          \
        __WS_MEMBER operator float() const                                                         \
        {                                                                                          \
            return __ws_host_##name##_widen(bits);                                                 \
        }                                                                                          \
    };                                                                                             \
    struct __attribute__((aligned(4))) pair {                                                      \
        type x, y;                                                                                 \
    };                                                                                             \
    __WS_BOTH type __float2##name(float x)                                                         \
    {                                                                                              \
        return type(x);                                                                            \
    }                                                                                              \
    __WS_BOTH type __float2##name##_rn(float x)                                                    \
    {                                                                                              \
        return type(x);                                                                            \
    }                                                                                              \
    __WS_BOTH float __##name##2float(type x)                                                       \
    {                                                                                              \
        return x;                                                                                  \
    }
#else
#define __WS_HOST_TYPE(type, pair, raw, name)                                                      \
    typedef struct __attribute__((aligned(2))) {                                                   \
        unsigned short bits;                                                                       \
    } type;                                                                                        \
    typedef struct __attribute__((aligned(4))) {                                                   \
        type x, y;                                                                                 \
    } pair;
#endif

#endif
