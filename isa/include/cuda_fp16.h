/*
 * Half precision: __half and __half2, conversions, arithmetic and comparisons.
 */
#ifndef WARPSTEP_CUDA_FP16_H
#define WARPSTEP_CUDA_FP16_H

#include "cuda_runtime.h"

struct __half_raw {
    unsigned short x;
};
struct __half2_raw {
    unsigned short x, y;
};

/* Conversions in integer arithmetic, for the host; round to nearest even. */
static inline unsigned short __ws_float_to_half_bits(float f)
{
    unsigned int bits = __builtin_bit_cast(unsigned int, f);
    unsigned int sign = bits >> 16 & 0x8000, a = bits & 0x7fffffff;
    if (a > 0x7f800000)
        return 0x7fff;
    if (a >= 0x477ff000)
        return (unsigned short)(sign | 0x7c00);
    if (a < 0x33000001)
        return (unsigned short)sign;
    int shift = a < 0x38800000 ? 126 - (int)(a >> 23) : 13;
    unsigned int m = a < 0x38800000 ? (a & 0x7fffff) | 0x800000 : a - 0x38000000;
    unsigned int half = m >> shift, rest = m & ((1u << shift) - 1), tie = 1u << (shift - 1);
    half += rest > tie || (rest == tie && (half & 1));
    return (unsigned short)(sign | half);
}
static inline float __ws_half_bits_to_float(unsigned short h)
{
    unsigned int sign = (unsigned int)(h & 0x8000) << 16, e = h >> 10 & 31, m = h & 0x3ff;
    if (e == 31)
        return __builtin_bit_cast(float, sign | 0x7f800000 | m << 13);
    if (e != 0)
        return __builtin_bit_cast(float, sign | (e + 112) << 23 | m << 13);
    float tiny = (float)m * 0x1p-24f;
    return sign ? -tiny : tiny;
}

struct __half {
    unsigned short bits;

    __half() = default;
    __host__ __device__ __half(__half_raw raw) : bits(raw.x)
    {
    }
    __WS_MEMBER __half(float f)
    {
#ifdef __CUDA_ARCH__
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(f));
#else
        bits = __ws_float_to_half_bits(f);
#endif
    }
    __WS_MEMBER __half(double d) : __half((float)d)
    {
    }
    __WS_MEMBER __half(int i) : __half((float)i)
    {
    }
    __WS_MEMBER operator float() const
    {
#ifdef __CUDA_ARCH__
        float f;
        asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(bits));
        return f;
#else
        return __ws_half_bits_to_float(bits);
#endif
    }
};
typedef __half half;

struct __attribute__((aligned(4))) __half2 {
    __half x, y;

    __half2() = default;
    __WS_MEMBER __half2(__half a, __half b) : x(a), y(b)
    {
    }
};
typedef __half2 half2;

__WS_BOTH __half __float2half(float f)
{
    return __half(f);
}
__WS_BOTH __half __float2half_rn(float f)
{
    return __half(f);
}
__WS_BOTH float __half2float(__half h)
{
    return (float)h;
}
__WS_BOTH __half __int2half_rn(int i)
{
    return __half((float)i);
}
__WS_BOTH __half2 __halves2half2(__half a, __half b)
{
    return __half2(a, b);
}
__WS_BOTH __half2 make_half2(__half a, __half b)
{
    return __half2(a, b);
}
__WS_BOTH __half2 __half2half2(__half a)
{
    return __half2(a, a);
}
__WS_BOTH __half2 __float2half2_rn(float f)
{
    return __half2(__half(f), __half(f));
}
__WS_BOTH __half2 __floats2half2_rn(float a, float b)
{
    return __half2(__half(a), __half(b));
}
__WS_BOTH __half2 __float22half2_rn(float2 v)
{
    return __half2(__half(v.x), __half(v.y));
}
__WS_BOTH float2 __half22float2(__half2 v)
{
    return float2{(float)v.x, (float)v.y};
}
__WS_BOTH float __low2float(__half2 v)
{
    return (float)v.x;
}
__WS_BOTH float __high2float(__half2 v)
{
    return (float)v.y;
}
__WS_BOTH __half __low2half(__half2 v)
{
    return v.x;
}
__WS_BOTH __half __high2half(__half2 v)
{
    return v.y;
}
__WS_BOTH unsigned short __half_as_ushort(__half h)
{
    return h.bits;
}
__WS_BOTH __half __ushort_as_half(unsigned short bits)
{
    return __half(__half_raw{bits});
}

#define __WS_HALF_BINARY(name, instruction)                                                        \
    __WS_DEVICE __half name(__half a, __half b)                                                    \
    {                                                                                              \
        __half r;                                                                                  \
        asm(instruction ".f16 %0, %1, %2;" : "=h"(r.bits) : "h"(a.bits), "h"(b.bits));             \
        return r;                                                                                  \
    }
#define __WS_HALF2_BINARY(name, instruction)                                                       \
    __WS_DEVICE __half2 name(__half2 a, __half2 b)                                                 \
    {                                                                                              \
        unsigned int r;                                                                            \
        asm(instruction ".f16x2 %0, %1, %2;"                                                       \
            : "=r"(r)                                                                              \
            : "r"(__builtin_bit_cast(unsigned int, a)), "r"(__builtin_bit_cast(unsigned int, b))); \
        return __builtin_bit_cast(__half2, r);                                                     \
    }
__WS_HALF_BINARY(__hadd, "add.rn")
__WS_HALF_BINARY(__hsub, "sub.rn")
__WS_HALF_BINARY(__hmul, "mul.rn")
__WS_HALF_BINARY(__hmin, "min")
__WS_HALF_BINARY(__hmax, "max")
__WS_HALF2_BINARY(__hadd2, "add.rn")
__WS_HALF2_BINARY(__hsub2, "sub.rn")
__WS_HALF2_BINARY(__hmul2, "mul.rn")
__WS_HALF2_BINARY(__hmin2, "min")
__WS_HALF2_BINARY(__hmax2, "max")
#undef __WS_HALF_BINARY
#undef __WS_HALF2_BINARY

__WS_DEVICE __half __hfma(__half a, __half b, __half c)
{
    __half r;
    asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(r.bits) : "h"(a.bits), "h"(b.bits), "h"(c.bits));
    return r;
}
__WS_DEVICE __half2 __hfma2(__half2 a, __half2 b, __half2 c)
{
    unsigned int r;
    asm("fma.rn.f16x2 %0, %1, %2, %3;"
        : "=r"(r)
        : "r"(__builtin_bit_cast(unsigned int, a)), "r"(__builtin_bit_cast(unsigned int, b)),
          "r"(__builtin_bit_cast(unsigned int, c)));
    return __builtin_bit_cast(__half2, r);
}
__WS_DEVICE __half __hneg(__half a)
{
    return __half(__half_raw{(unsigned short)(a.bits ^ 0x8000)});
}
__WS_DEVICE __half __habs(__half a)
{
    return __half(__half_raw{(unsigned short)(a.bits & 0x7fff)});
}
__WS_DEVICE __half __hdiv(__half a, __half b)
{
    return __half((float)a / (float)b);
}

/* Comparisons go through float, which holds every half exactly. */
#define __WS_HALF_COMPARE(name, operation)                                                         \
    __WS_DEVICE bool name(__half a, __half b)                                                      \
    {                                                                                              \
        return (float)a operation(float) b;                                                        \
    }
__WS_HALF_COMPARE(__heq, ==)
__WS_HALF_COMPARE(__hne, !=)
__WS_HALF_COMPARE(__hlt, <)
__WS_HALF_COMPARE(__hle, <=)
__WS_HALF_COMPARE(__hgt, >)
__WS_HALF_COMPARE(__hge, >=)
#undef __WS_HALF_COMPARE

__WS_DEVICE __half operator+(__half a, __half b)
{
    return __hadd(a, b);
}
__WS_DEVICE __half operator-(__half a, __half b)
{
    return __hsub(a, b);
}
__WS_DEVICE __half operator*(__half a, __half b)
{
    return __hmul(a, b);
}
__WS_DEVICE __half operator/(__half a, __half b)
{
    return __hdiv(a, b);
}
__WS_DEVICE __half &operator+=(__half &a, __half b)
{
    return a = __hadd(a, b);
}
__WS_DEVICE __half &operator*=(__half &a, __half b)
{
    return a = __hmul(a, b);
}
__WS_DEVICE __half2 operator+(__half2 a, __half2 b)
{
    return __hadd2(a, b);
}
__WS_DEVICE __half2 operator-(__half2 a, __half2 b)
{
    return __hsub2(a, b);
}
__WS_DEVICE __half2 operator*(__half2 a, __half2 b)
{
    return __hmul2(a, b);
}

__WS_DEVICE __half hsqrt(__half a)
{
    return __half(sqrtf((float)a));
}
__WS_DEVICE __half hexp(__half a)
{
    return __half(expf((float)a));
}
__WS_DEVICE __half hlog(__half a)
{
    return __half(logf((float)a));
}

#endif
