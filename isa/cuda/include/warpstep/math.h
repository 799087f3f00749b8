/*
 * The device math functions under their names: sqrtf, sqrt(float), sqrt(double), ...
 */
#ifndef WARPSTEP_MATH_H
#define WARPSTEP_MATH_H

#include "warpstep/intrinsics.h"
#include "warpstep/math_declarations.h"
#include "warpstep/math_double.h"
#include "warpstep/math_float.h"

/* --use_fast_math: these stand for the functions of the table in the CUDA C++ Programming Guide. */
#ifdef __USE_FAST_MATH__
#define __ws_sinf    __sinf
#define __ws_cosf    __cosf
#define __ws_tanf    __tanf
#define __ws_sincosf __sincosf
#define __ws_logf    __logf
#define __ws_log2f   __log2f
#define __ws_log10f  __log10f
#define __ws_expf    __expf
#define __ws_exp10f  __exp10f
#define __ws_powf    __powf
#endif

#define __WS_X(name)                                                                               \
    __WS_DECLARE double name(double x) noexcept                                                    \
    {                                                                                              \
        return __ws_##name(x);                                                                     \
    }                                                                                              \
    __WS_DECLARE float name(float x) noexcept                                                      \
    {                                                                                              \
        return __ws_##name##f(x);                                                                  \
    }                                                                                              \
    __WS_DECLARE float name##f(float x) noexcept                                                   \
    {                                                                                              \
        return __ws_##name##f(x);                                                                  \
    }
__WS_MATH_UNARY(__WS_X)
__WS_MATH_UNARY_CUDA(__WS_X)
#undef __WS_X

#define __WS_X(name)                                                                               \
    __WS_DECLARE double name(double x, double y) noexcept                                          \
    {                                                                                              \
        return __ws_##name(x, y);                                                                  \
    }                                                                                              \
    __WS_DECLARE float name(float x, float y) noexcept                                             \
    {                                                                                              \
        return __ws_##name##f(x, y);                                                               \
    }                                                                                              \
    __WS_DECLARE float name##f(float x, float y) noexcept                                          \
    {                                                                                              \
        return __ws_##name##f(x, y);                                                               \
    }
__WS_MATH_BINARY(__WS_X)
#undef __WS_X

/* name of the function, its result, and how it comes from x */
#define __WS_TO_INTEGER(name, type, round)                                                         \
    __WS_DECLARE type name(double x) noexcept                                                      \
    {                                                                                              \
        return (type)round(x);                                                                     \
    }                                                                                              \
    __WS_DECLARE type name(float x) noexcept                                                       \
    {                                                                                              \
        return (type)round##f(x);                                                                  \
    }                                                                                              \
    __WS_DECLARE type name##f(float x) noexcept                                                    \
    {                                                                                              \
        return (type)round##f(x);                                                                  \
    }
__WS_TO_INTEGER(lround, long, __ws_round)
__WS_TO_INTEGER(llround, long long, __ws_round)
__WS_TO_INTEGER(lrint, long, __ws_rint)
__WS_TO_INTEGER(llrint, long long, __ws_rint)
__WS_TO_INTEGER(ilogb, int, __ws_ilogb)
#undef __WS_TO_INTEGER

#define __WS_WITH_INT(name, argument, function)                                                    \
    __WS_DECLARE double name(double x, argument n) noexcept                                        \
    {                                                                                              \
        return function(x, n);                                                                     \
    }                                                                                              \
    __WS_DECLARE float name(float x, argument n) noexcept                                          \
    {                                                                                              \
        return function##f(x, n);                                                                  \
    }                                                                                              \
    __WS_DECLARE float name##f(float x, argument n) noexcept                                       \
    {                                                                                              \
        return function##f(x, n);                                                                  \
    }
__WS_WITH_INT(ldexp, int, __ws_ldexp)
__WS_WITH_INT(scalbn, int, __ws_ldexp)
__WS_WITH_INT(frexp, int *, __ws_frexp)
#undef __WS_WITH_INT

__WS_DECLARE double modf(double x, double *whole) noexcept
{
    return __ws_modf(x, whole);
}
__WS_DECLARE float modf(float x, float *whole) noexcept
{
    return __ws_modff(x, whole);
}
__WS_DECLARE float modff(float x, float *whole) noexcept
{
    return __ws_modff(x, whole);
}
__WS_DECLARE double fma(double x, double y, double z) noexcept
{
    return __fma_rn(x, y, z);
}
__WS_DECLARE float fma(float x, float y, float z) noexcept
{
    return __fmaf_rn(x, y, z);
}
__WS_DECLARE float fmaf(float x, float y, float z) noexcept
{
    return __fmaf_rn(x, y, z);
}

/* Unsigned, because of the least numbers, which have no opposite. */
__WS_DECLARE int abs(int x) noexcept
{
    return (int)(x < 0 ? -(unsigned int)x : (unsigned int)x);
}
__WS_DECLARE long abs(long x) noexcept
{
    return (long)(x < 0 ? -(unsigned long)x : (unsigned long)x);
}
__WS_DECLARE long long abs(long long x) noexcept
{
    return (long long)(x < 0 ? -(unsigned long long)x : (unsigned long long)x);
}
__WS_DECLARE float abs(float x) noexcept
{
    return __builtin_fabsf(x);
}
__WS_DECLARE double abs(double x) noexcept
{
    return __builtin_fabs(x);
}
__WS_DECLARE long labs(long x) noexcept
{
    return (long)(x < 0 ? -(unsigned long)x : (unsigned long)x);
}
__WS_DECLARE long long llabs(long long x) noexcept
{
    return (long long)(x < 0 ? -(unsigned long long)x : (unsigned long long)x);
}

/* Functions that only CUDA has. */
__WS_DEVICE void sincosf(float x, float *sine, float *cosine)
{
    __ws_sincosf(x, sine, cosine);
}
__WS_DEVICE void sincos(double x, double *sine, double *cosine)
{
    __ws_sincos(x, sine, cosine);
}
__WS_DEVICE void sincospif(float x, float *sine, float *cosine)
{
    __ws_sincospif(x, sine, cosine);
}
__WS_DEVICE void sincospi(double x, double *sine, double *cosine)
{
    __ws_sincospi(x, sine, cosine);
}
__WS_DEVICE float rhypotf(float x, float y)
{
    return __ws_rhypotf(x, y);
}
__WS_DEVICE double rhypot(double x, double y)
{
    return __ws_rhypot(x, y);
}
__WS_DEVICE float norm3df(float x, float y, float z)
{
    return __ws_norm3df(x, y, z);
}
__WS_DEVICE double norm3d(double x, double y, double z)
{
    return __ws_norm3d(x, y, z);
}
__WS_DEVICE float normcdff(float x)
{
    return 0.5f * __ws_erfcf(x * -0.70710678118654752f);
}
__WS_DEVICE double normcdf(double x)
{
    return 0.5 * __ws_erfc(x * -0.70710678118654752);
}
__WS_DEVICE float fdividef(float x, float y)
{
    return __WS_APPROX(div)(x, y);
}

#ifdef __USE_FAST_MATH__
#undef __ws_sinf
#undef __ws_cosf
#undef __ws_tanf
#undef __ws_sincosf
#undef __ws_logf
#undef __ws_log2f
#undef __ws_log10f
#undef __ws_expf
#undef __ws_exp10f
#undef __ws_powf
#endif

#endif
