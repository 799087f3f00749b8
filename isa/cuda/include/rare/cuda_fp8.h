/*
 * 8-bit floating-point types: __nv_fp8_e4m3 and __nv_fp8_e5m2, their pairs and quadruples, and the
 * conversions from and to float, double and the 16-bit types. There is no arithmetic in them.
 * Conversions that saturate are the instructions of sm_89 in device code. The others, those of
 * double, and all of host code are computed here, as the toolkit's headers compute them.
 */
#ifndef WARPSTEP_CUDA_FP8_H
#define WARPSTEP_CUDA_FP8_H

/* The toolkit's guards, which programs test. */
#define __CUDA_FP8_H__
#define __CUDA_FP8_TYPES_EXIST__

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short int __nv_fp8x2_storage_t; /* the first element in the low byte */
typedef unsigned int __nv_fp8x4_storage_t;

typedef enum __nv_saturation_t {
    __NV_NOSAT,     /* what is too large becomes infinity, or NaN in e4m3, which has none */
    __NV_SATFINITE, /* what is too large becomes the largest finite number */
} __nv_saturation_t;

typedef enum __nv_fp8_interpretation_t {
    __NV_E4M3,
    __NV_E5M2,
} __nv_fp8_interpretation_t;

#ifdef __cplusplus

/* ---- bits ---- */

__WS_BOTH unsigned long long __ws_fp8_double_bits(double x)
{
    unsigned long long bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* The bits of a double, rounded to nearest even. */
__WS_BOTH __nv_fp8_storage_t __ws_fp8_narrow(unsigned long long bits, __nv_saturation_t saturate,
                                             __nv_fp8_interpretation_t format)
{
    const bool wide = format == __NV_E5M2;
    const int fraction = wide ? 2 : 3, least = wide ? -14 : -6; /* exponent of normal numbers */
    const unsigned int largest = wide ? 0x7b : 0x7e, sign = (unsigned int)(bits >> 63) << 7;
    const unsigned long long size = bits & ~0ull >> 1, hidden = 1ull << 52;
    if (size > 0x7ffull << 52) /* NaN */
        return (__nv_fp8_storage_t)(sign | (wide ? 0x7e | (size >> 50 & 3) : 0x7f));
    const int exponent = (int)(size >> 52) - 1023;
    const unsigned long long digits = (size & (hidden - 1)) | hidden;
    const int below = exponent < least ? least - exponent : 0, shift = 52 - fraction + below;
    unsigned int result = 0;
    if (shift < 63) {
        const unsigned long long half = 1ull << (shift - 1), rest = digits & (2 * half - 1);
        result = (unsigned int)(digits >> shift);
        result += rest > half || (rest == half && (result & 1) != 0);
    }
    const int above = exponent - least;
    if (above > 31) /* of both formats; the shift below holds it */
        result = 0xff;
    else if (above > 0)
        result += (unsigned int)above << fraction;
    if (result > largest)
        result = saturate == __NV_SATFINITE ? largest : wide ? 0x7c : 0x7f;
    return (__nv_fp8_storage_t)(sign | result);
}

/* e5m2 is the upper byte of a half; e4m3 has another bias, and all its numbers are halves. */
__WS_BOTH unsigned short __ws_fp8_widen(__nv_fp8_storage_t x, __nv_fp8_interpretation_t format)
{
    const unsigned int sign = (x & 0x80u) << 8;
    unsigned int size = x & 0x7f, shift = 0;
    if (size > (format == __NV_E5M2 ? 0x7cu : 0x7eu))
        return 0x7fff;
    if (format == __NV_E5M2)
        return (unsigned short)(sign | size << 8);
    if (size >= 8)
        return (unsigned short)(sign | ((size << 7) + (8u << 10)));
    if (size == 0)
        return (unsigned short)sign;
    for (; (size & 8) == 0; shift++)
        size <<= 1;
    return (unsigned short)(sign | (9 - shift) << 10 | (size & 7) << 7);
}

/* ---- conversions to 8 bits ---- */

__WS_BOTH __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                                                    __nv_fp8_interpretation_t format)
{
    return __ws_fp8_narrow(__ws_fp8_double_bits(x), saturate, format);
}

__WS_BOTH __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t saturate,
                                                        __nv_fp8_interpretation_t format)
{
#ifdef __CUDA_ARCH__
    __nv_fp8x2_storage_t both;
    if (saturate == __NV_SATFINITE) {
        if (format == __NV_E5M2)
            asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(both) : "f"(x.y), "f"(x.x));
        else
            asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(both) : "f"(x.y), "f"(x.x));
        return both;
    }
#endif
    /* A float's NaN loses sign and fraction. */
    const unsigned long long none = ~0ull >> 1;
    const unsigned int low =
        __ws_fp8_narrow(x.x != x.x ? none : __ws_fp8_double_bits(x.x), saturate, format);
    const unsigned int high =
        __ws_fp8_narrow(x.y != x.y ? none : __ws_fp8_double_bits(x.y), saturate, format);
    return (__nv_fp8x2_storage_t)(high << 8 | low);
}

__WS_BOTH __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                                                   __nv_fp8_interpretation_t format)
{
    return (__nv_fp8_storage_t)__nv_cvt_float2_to_fp8x2(make_float2(x, 0), saturate, format);
}

__WS_BOTH __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 x, __nv_saturation_t saturate,
                                                         __nv_fp8_interpretation_t format)
{
    return (__nv_fp8x2_storage_t)(__nv_cvt_double_to_fp8(x.y, saturate, format) << 8 |
                                  __nv_cvt_double_to_fp8(x.x, saturate, format));
}

#ifndef __CUDA__ /* types that the 16-bit headers give to CUDA code alone */
typedef struct {
    unsigned short x, y;
} __half2_raw, __nv_bfloat162_raw;
#endif

__WS_BOTH float __ws_fp8_of_half(unsigned short bits)
{
    __half_raw raw = {bits};
    return (float)__half(raw);
}
__WS_BOTH float __ws_fp8_of_bfloat16(unsigned short bits)
{
    __nv_bfloat16_raw raw = {bits};
    return (float)__nv_bfloat16(raw);
}

__WS_BOTH __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x, __nv_saturation_t saturate,
                                                          __nv_fp8_interpretation_t format)
{
#ifdef __CUDA_ARCH__
    __nv_fp8x2_storage_t both;
    const unsigned int halves = (unsigned int)x.y << 16 | x.x;
    if (saturate == __NV_SATFINITE) {
        if (format == __NV_E5M2)
            asm("cvt.rn.satfinite.e5m2x2.f16x2 %0, %1;" : "=h"(both) : "r"(halves));
        else
            asm("cvt.rn.satfinite.e4m3x2.f16x2 %0, %1;" : "=h"(both) : "r"(halves));
        return both;
    }
#endif
    const float2 floats = make_float2(__ws_fp8_of_half(x.x), __ws_fp8_of_half(x.y));
    return __nv_cvt_float2_to_fp8x2(floats, saturate, format);
}

__WS_BOTH __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate,
                                                     __nv_fp8_interpretation_t format)
{
    const __half2_raw both = {x.x, 0};
    return (__nv_fp8_storage_t)__nv_cvt_halfraw2_to_fp8x2(both, saturate, format);
}

__WS_BOTH __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw x,
                                                              __nv_saturation_t saturate,
                                                              __nv_fp8_interpretation_t format)
{
    const float2 floats = make_float2(__ws_fp8_of_bfloat16(x.x), __ws_fp8_of_bfloat16(x.y));
    return __nv_cvt_float2_to_fp8x2(floats, saturate, format);
}

__WS_BOTH __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x,
                                                         __nv_saturation_t saturate,
                                                         __nv_fp8_interpretation_t format)
{
    return __nv_cvt_float_to_fp8(__ws_fp8_of_bfloat16(x.x), saturate, format);
}

/* ---- conversions from 8 bits, which are all exact ---- */

__WS_BOTH __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                                 __nv_fp8_interpretation_t format)
{
    __half2_raw result;
#ifdef __CUDA_ARCH__
    unsigned int halves;
    if (format == __NV_E5M2)
        asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(halves) : "h"(x));
    else
        asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(halves) : "h"(x));
    result.x = (unsigned short)halves;
    result.y = (unsigned short)(halves >> 16);
#else
    result.x = __ws_fp8_widen((__nv_fp8_storage_t)x, format);
    result.y = __ws_fp8_widen((__nv_fp8_storage_t)(x >> 8), format);
#endif
    return result;
}

__WS_BOTH __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t format)
{
    const __half_raw result = {__nv_cvt_fp8x2_to_halfraw2(x, format).x};
    return result;
}

__WS_BOTH float __ws_fp8_float(__nv_fp8_storage_t x, __nv_fp8_interpretation_t format)
{
    return (float)__half(__nv_cvt_fp8_to_halfraw(x, format));
}

/* As cvt has it: towards zero, to the nearest of the type, NaN to 0, or in 64 bits to the first bit alone. */
template <typename T>
__WS_BOTH T __ws_fp8_integer(__nv_fp8_storage_t x, __nv_fp8_interpretation_t format)
{
    const bool has_sign = (T)-1 < (T)1;
    const float most = has_sign ? (float)(~0ull >> (65 - 8 * sizeof(T))) : (float)(T)-1;
    const float least = has_sign ? -most - 1 : 0, value = __ws_fp8_float(x, format);
    const T greatest = has_sign ? (T)(~0ull >> (65 - 8 * sizeof(T))) : (T)-1;
    if (value != value)
        return sizeof(T) == 8 ? (T)(1ull << 63) : 0;
    return value >= most ? greatest : value <= least ? (T)(has_sign ? -greatest - 1 : 0) : (T)value;
}

/* ---- types ---- */

#define __WS_FP8_FROM_INTEGER(name, type)                                                          \
    explicit __WS_MEMBER name(type x) : name((float)x)                                             \
    {                                                                                              \
    }
#define __WS_FP8_TO_INTEGER(format, type)                                                          \
    explicit __WS_MEMBER operator type() const                                                     \
    {                                                                                              \
        return __ws_fp8_integer<type>(__x, format);                                                \
    }

#ifdef __CUDA_NO_FP8_CONVERSIONS__
#define __WS_FP8_CONSTRUCTORS(name, format)
#define __WS_FP8_PAIR_CONSTRUCTORS(name, format)
#define __WS_FP8_QUADRUPLE_CONSTRUCTORS(name, format)
#else
#define __WS_FP8_CONSTRUCTORS(name, format)                                                        \
    explicit __WS_MEMBER name(float x) : __x(__nv_cvt_float_to_fp8(x, __NV_SATFINITE, format))     \
    {                                                                                              \
    }                                                                                              \
    explicit __WS_MEMBER name(double x) : __x(__nv_cvt_double_to_fp8(x, __NV_SATFINITE, format))   \
    {                                                                                              \
    }                                                                                              \
    explicit __WS_MEMBER name(__half x)                                                            \
        : __x(__nv_cvt_halfraw_to_fp8(static_cast<__half_raw>(x), __NV_SATFINITE, format))         \
    {                                                                                              \
    }                                                                                              \
    explicit __WS_MEMBER name(__nv_bfloat16 x)                                                     \
        : __x(__nv_cvt_bfloat16raw_to_fp8(static_cast<__nv_bfloat16_raw>(x), __NV_SATFINITE,       \
                                          format))                                                 \
    {                                                                                              \
    }                                                                                              \
    __WS_FP8_FROM_INTEGER(name, short)                                                             \
    __WS_FP8_FROM_INTEGER(name, int)                                                               \
    __WS_FP8_FROM_INTEGER(name, long)                                                              \
    __WS_FP8_FROM_INTEGER(name, long long)                                                         \
    __WS_FP8_FROM_INTEGER(name, unsigned short)                                                    \
    __WS_FP8_FROM_INTEGER(name, unsigned int)                                                      \
    __WS_FP8_FROM_INTEGER(name, unsigned long)                                                     \
    __WS_FP8_FROM_INTEGER(name, unsigned long long)
#ifdef __CUDA__
#define __WS_FP8_PAIR_OF_PAIRS(name, format)                                                       \
    explicit __WS_MEMBER name(__half2 x)                                                           \
        : __x(__nv_cvt_halfraw2_to_fp8x2(static_cast<__half2_raw>(x), __NV_SATFINITE, format))     \
    {                                                                                              \
    }                                                                                              \
    explicit __WS_MEMBER name(__nv_bfloat162 x)                                                    \
        : __x(__nv_cvt_bfloat16raw2_to_fp8x2(static_cast<__nv_bfloat162_raw>(x), __NV_SATFINITE,   \
                                             format))                                              \
    {                                                                                              \
    }
#define __WS_FP8_QUADRUPLE_OF_PAIRS(name, pair)                                                    \
    explicit __WS_MEMBER name(__half2 low, __half2 high)                                           \
        : __x((__nv_fp8x4_storage_t)pair(high).__x << 16 | pair(low).__x)                          \
    {                                                                                              \
    }                                                                                              \
    explicit __WS_MEMBER name(__nv_bfloat162 low, __nv_bfloat162 high)                             \
        : __x((__nv_fp8x4_storage_t)pair(high).__x << 16 | pair(low).__x)                          \
    {                                                                                              \
    }
#else
#define __WS_FP8_PAIR_OF_PAIRS(name, format)
#define __WS_FP8_QUADRUPLE_OF_PAIRS(name, pair)
#endif
#define __WS_FP8_PAIR_CONSTRUCTORS(name, format)                                                   \
    __WS_FP8_PAIR_OF_PAIRS(name, format)                                                           \
    explicit __WS_MEMBER name(float2 x)                                                            \
        : __x(__nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, format))                                 \
    {                                                                                              \
    }                                                                                              \
    explicit __WS_MEMBER name(double2 x)                                                           \
        : __x(__nv_cvt_double2_to_fp8x2(x, __NV_SATFINITE, format))                                \
    {                                                                                              \
    }
#define __WS_FP8_QUADRUPLE_CONSTRUCTORS(name, pair)                                                \
    __WS_FP8_QUADRUPLE_OF_PAIRS(name, pair)                                                        \
    explicit __WS_MEMBER name(float4 x)                                                            \
        : __x((__nv_fp8x4_storage_t)pair(make_float2(x.z, x.w)).__x << 16 |                        \
              pair(make_float2(x.x, x.y)).__x)                                                     \
    {                                                                                              \
    }                                                                                              \
    explicit __WS_MEMBER name(double4 x)                                                           \
        : __x((__nv_fp8x4_storage_t)pair(make_double2(x.z, x.w)).__x << 16 |                       \
              pair(make_double2(x.x, x.y)).__x)                                                    \
    {                                                                                              \
    }
#endif

#if defined(__CUDA_NO_FP8_CONVERSIONS__) || defined(__CUDA_NO_FP8_CONVERSION_OPERATORS__)
#define __WS_FP8_OPERATORS(format)
#define __WS_FP8_PAIR_OPERATORS(format)
#define __WS_FP8_QUADRUPLE_OPERATORS(format)
#else
#define __WS_FP8_OPERATORS(format)                                                                 \
    explicit __WS_MEMBER operator __half() const                                                   \
    {                                                                                              \
        return __half(__nv_cvt_fp8_to_halfraw(__x, format));                                       \
    }                                                                                              \
    explicit __WS_MEMBER operator __nv_bfloat16() const                                            \
    {                                                                                              \
        return __nv_bfloat16(__ws_fp8_float(__x, format));                                         \
    }                                                                                              \
    explicit __WS_MEMBER operator float() const                                                    \
    {                                                                                              \
        return __ws_fp8_float(__x, format);                                                        \
    }                                                                                              \
    explicit __WS_MEMBER operator double() const                                                   \
    {                                                                                              \
        return __ws_fp8_float(__x, format);                                                        \
    }                                                                                              \
    __WS_FP8_TO_INTEGER(format, char)                                                              \
    __WS_FP8_TO_INTEGER(format, signed char)                                                       \
    __WS_FP8_TO_INTEGER(format, short)                                                             \
    __WS_FP8_TO_INTEGER(format, int)                                                               \
    __WS_FP8_TO_INTEGER(format, long)                                                              \
    __WS_FP8_TO_INTEGER(format, long long)                                                         \
    __WS_FP8_TO_INTEGER(format, unsigned char)                                                     \
    __WS_FP8_TO_INTEGER(format, unsigned short)                                                    \
    __WS_FP8_TO_INTEGER(format, unsigned int)                                                      \
    __WS_FP8_TO_INTEGER(format, unsigned long)                                                     \
    __WS_FP8_TO_INTEGER(format, unsigned long long)                                                \
    explicit __WS_MEMBER operator bool() const                                                     \
    {                                                                                              \
        return (__x & 0x7f) != 0;                                                                  \
    }
#ifdef __CUDA__
#define __WS_FP8_TO_HALF2(format)                                                                  \
    explicit __WS_MEMBER operator __half2() const                                                  \
    {                                                                                              \
        return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, format));                                   \
    }
#else
#define __WS_FP8_TO_HALF2(format)
#endif
#define __WS_FP8_PAIR_OPERATORS(format)                                                            \
    __WS_FP8_TO_HALF2(format)                                                                      \
    explicit __WS_MEMBER operator float2() const                                                   \
    {                                                                                              \
        const __half2_raw both = __nv_cvt_fp8x2_to_halfraw2(__x, format);                          \
        return make_float2(__ws_fp8_of_half(both.x), __ws_fp8_of_half(both.y));                    \
    }
#define __WS_FP8_QUADRUPLE_OPERATORS(format)                                                       \
    explicit __WS_MEMBER operator float4() const                                                   \
    {                                                                                              \
        const __half2_raw low = __nv_cvt_fp8x2_to_halfraw2((__nv_fp8x2_storage_t)__x, format);     \
        const __half2_raw high =                                                                   \
            __nv_cvt_fp8x2_to_halfraw2((__nv_fp8x2_storage_t)(__x >> 16), format);                 \
        return make_float4(__ws_fp8_of_half(low.x), __ws_fp8_of_half(low.y),                       \
                           __ws_fp8_of_half(high.x), __ws_fp8_of_half(high.y));                    \
    }
#endif

#define __WS_FP8_TYPES(one, pair, quadruple, format)                                               \
    struct __attribute__((aligned(1))) one {                                                       \
        __nv_fp8_storage_t __x;                                                                    \
        one() = default;                                                                           \
        __WS_FP8_CONSTRUCTORS(one, format)                                                         \
        __WS_FP8_OPERATORS(format)                                                                 \
    };                                                                                             \
    struct __attribute__((aligned(2))) pair {                                                      \
        __nv_fp8x2_storage_t __x;                                                                  \
        pair() = default;                                                                          \
        __WS_FP8_PAIR_CONSTRUCTORS(pair, format)                                                   \
        __WS_FP8_PAIR_OPERATORS(format)                                                            \
    };                                                                                             \
    struct __attribute__((aligned(4))) quadruple {                                                 \
        __nv_fp8x4_storage_t __x;                                                                  \
        quadruple() = default;                                                                     \
        __WS_FP8_QUADRUPLE_CONSTRUCTORS(quadruple, pair)                                           \
        __WS_FP8_QUADRUPLE_OPERATORS(format)                                                       \
    };

__WS_FP8_TYPES(__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3, __NV_E4M3)
__WS_FP8_TYPES(__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2, __NV_E5M2)

#undef __WS_FP8_FROM_INTEGER
#undef __WS_FP8_TO_INTEGER
#undef __WS_FP8_CONSTRUCTORS
#undef __WS_FP8_PAIR_OF_PAIRS
#undef __WS_FP8_PAIR_CONSTRUCTORS
#undef __WS_FP8_QUADRUPLE_OF_PAIRS
#undef __WS_FP8_QUADRUPLE_CONSTRUCTORS
#undef __WS_FP8_OPERATORS
#undef __WS_FP8_TO_HALF2
#undef __WS_FP8_PAIR_OPERATORS
#undef __WS_FP8_QUADRUPLE_OPERATORS
#undef __WS_FP8_TYPES

#endif /* __cplusplus */

#endif
