/*
 * The host's functions of mathematics. Kernels get those of warpstep/math.h, which are declared in
 * warpstep/math_declarations.h; what is constexpr below is for both.
 */
#ifndef WARPSTEP_STD_MATH_H
#define WARPSTEP_STD_MATH_H

#include <warpstep/math_declarations.h>

#include <parts/promote.h>
#include <stdlib.h>

#define HUGE_VAL       __builtin_huge_val()
#define HUGE_VALF      __builtin_huge_valf()
#define HUGE_VALL      __builtin_huge_vall()
#define INFINITY       __builtin_inff()
#define NAN            __builtin_nanf("")
#define FP_NAN         0
#define FP_INFINITE    1
#define FP_ZERO        2
#define FP_SUBNORMAL   3
#define FP_NORMAL      4
#define FP_ILOGB0      (-2147483647 - 1)
#define FP_ILOGBNAN    (-2147483647 - 1)
#define MATH_ERRNO     1
#define MATH_ERREXCEPT 2
#define math_errhandling (MATH_ERRNO | MATH_ERREXCEPT)

#define M_E        2.7182818284590452354
#define M_LOG2E    1.4426950408889634074
#define M_LOG10E   0.43429448190325182765
#define M_LN2      0.69314718055994530942
#define M_LN10     2.30258509299404568402
#define M_PI       3.14159265358979323846
#define M_PI_2     1.57079632679489661923
#define M_PI_4     0.78539816339744830962
#define M_1_PI     0.31830988618379067154
#define M_2_PI     0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2    1.41421356237309504880
#define M_SQRT1_2  0.70710678118654752440
#define M_El        2.718281828459045235360287471352662498L
#define M_LOG2El    1.442695040888963407359924681001892137L
#define M_LOG10El   0.434294481903251827651128918916605082L
#define M_LN2l      0.693147180559945309417232121458176568L
#define M_LN10l     2.302585092994045684017991454684364208L
#define M_PIl       3.141592653589793238462643383279502884L
#define M_PI_2l     1.570796326794896619231321691639751442L
#define M_PI_4l     0.785398163397448309615660845819875721L
#define M_1_PIl     0.318309886183790671537767526745028724L
#define M_2_PIl     0.636619772367581343075535053490057448L
#define M_SQRT2l    1.414213562373095048801688724209698079L
#define M_SQRT1_2l  0.707106781186547524400844362104849039L
#define MAXFLOAT   3.40282347e+38F

typedef float float_t;
typedef double double_t;

/* X(name): of one number, of two. */
#define __WS_HOST_UNARY(X)                                                                         \
    __WS_MATH_UNARY(X) X(lgamma) X(tgamma)
#define __WS_HOST_BINARY(X) __WS_MATH_BINARY(X)

extern "C" {
#define __WS_X(name)                                                                               \
    double name(double) noexcept;                                                                  \
    float name##f(float) noexcept;                                                                 \
    long double name##l(long double) noexcept;
__WS_HOST_UNARY(__WS_X)
__WS_X(exp10)
__WS_X(j0)
__WS_X(j1)
__WS_X(y0)
__WS_X(y1)
__WS_X(gamma)
__WS_X(significand)
#undef __WS_X
#define __WS_X(name)                                                                               \
    double name(double, double) noexcept;                                                          \
    float name##f(float, float) noexcept;                                                          \
    long double name##l(long double, long double) noexcept;
__WS_HOST_BINARY(__WS_X)
__WS_X(drem)
__WS_X(scalb)
#undef __WS_X
#define __WS_X(result, name)                                                                       \
    result name(double) noexcept;                                                                  \
    result name##f(float) noexcept;                                                                \
    result name##l(long double) noexcept;
__WS_X(long, lround)
__WS_X(long, lrint)
__WS_X(long long, llround)
__WS_X(long long, llrint)
__WS_X(int, ilogb)
#undef __WS_X
#define __WS_X(name, other)                                                                        \
    double name(double, other) noexcept;                                                           \
    float name##f(float, other) noexcept;                                                          \
    long double name##l(long double, other) noexcept;
__WS_X(ldexp, int)
__WS_X(scalbn, int)
__WS_X(scalbln, long)
__WS_X(frexp, int *)
__WS_X(nexttoward, long double)
__WS_X(lgamma_r, int *)
#undef __WS_X
double fma(double, double, double) noexcept;
float fmaf(float, float, float) noexcept;
long double fmal(long double, long double, long double) noexcept;
double modf(double, double *) noexcept;
float modff(float, float *) noexcept;
long double modfl(long double, long double *) noexcept;
double remquo(double, double, int *) noexcept;
float remquof(float, float, int *) noexcept;
long double remquol(long double, long double, int *) noexcept;
double nan(const char *) noexcept;
float nanf(const char *) noexcept;
long double nanl(const char *) noexcept;
double jn(int, double) noexcept;
double yn(int, double) noexcept;
void sincos(double, double *, double *) noexcept;
void sincosf(float, float *, float *) noexcept;
void sincosl(long double, long double *, long double *) noexcept;
int finite(double) noexcept;
int finitef(float) noexcept;
int isinff(float) noexcept;
int isnanf(float) noexcept;
extern int signgam;
}

/* The names of C for float and long double too. */
#define __WS_X(name)                                                                               \
    inline float name(float __x) noexcept                                                          \
    {                                                                                              \
        return name##f(__x);                                                                       \
    }                                                                                              \
    inline long double name(long double __x) noexcept                                              \
    {                                                                                              \
        return name##l(__x);                                                                       \
    }                                                                                              \
    template <typename _T> inline typename __ws_integer<_T>::type name(_T __x) noexcept            \
    {                                                                                              \
        return name((double)__x);                                                                  \
    }
__WS_HOST_UNARY(__WS_X)
#undef __WS_X
#define __WS_X(name)                                                                               \
    inline float name(float __x, float __y) noexcept                                               \
    {                                                                                              \
        return name##f(__x, __y);                                                                  \
    }                                                                                              \
    inline long double name(long double __x, long double __y) noexcept                             \
    {                                                                                              \
        return name##l(__x, __y);                                                                  \
    }                                                                                              \
    template <typename _T, typename _U>                                                            \
    __WS_LIBRARY constexpr __ws_promoted<_T, _U> name(_T __x, _U __y) noexcept                     \
    {                                                                                              \
        return name((__ws_promoted<_T, _U>)__x, (__ws_promoted<_T, _U>)__y);                       \
    }
__WS_HOST_BINARY(__WS_X)
#undef __WS_X
#define __WS_X(result, name)                                                                       \
    inline result name(float __x) noexcept                                                         \
    {                                                                                              \
        return name##f(__x);                                                                       \
    }                                                                                              \
    inline result name(long double __x) noexcept                                                   \
    {                                                                                              \
        return name##l(__x);                                                                       \
    }                                                                                              \
    template <typename _T, typename = typename __ws_integer<_T>::type>                             \
    __WS_LIBRARY constexpr result name(_T __x) noexcept                                            \
    {                                                                                              \
        return name((double)__x);                                                                  \
    }
__WS_X(long, lround)
__WS_X(long, lrint)
__WS_X(long long, llround)
__WS_X(long long, llrint)
__WS_X(int, ilogb)
#undef __WS_X
#define __WS_X(name, other)                                                                        \
    inline float name(float __x, other __y) noexcept                                               \
    {                                                                                              \
        return name##f(__x, __y);                                                                  \
    }                                                                                              \
    inline long double name(long double __x, other __y) noexcept                                   \
    {                                                                                              \
        return name##l(__x, __y);                                                                  \
    }                                                                                              \
    template <typename _T>                                                                         \
    __WS_LIBRARY constexpr typename __ws_integer<_T>::type name(_T __x, other __y) noexcept        \
    {                                                                                              \
        return name((double)__x, __y);                                                             \
    }
__WS_X(ldexp, int)
__WS_X(scalbn, int)
__WS_X(scalbln, long)
__WS_X(frexp, int *)
__WS_X(nexttoward, long double)
#undef __WS_X
inline float fma(float __x, float __y, float __z) noexcept
{
    return fmaf(__x, __y, __z);
}
inline long double fma(long double __x, long double __y, long double __z) noexcept
{
    return fmal(__x, __y, __z);
}
template <typename _T, typename _U, typename _V>
__WS_LIBRARY constexpr __ws_promoted<_T, _U, _V> fma(_T __x, _U __y, _V __z) noexcept
{
    typedef __ws_promoted<_T, _U, _V> __type;
    return fma((__type)__x, (__type)__y, (__type)__z);
}
inline float modf(float __x, float *__whole) noexcept
{
    return modff(__x, __whole);
}
inline long double modf(long double __x, long double *__whole) noexcept
{
    return modfl(__x, __whole);
}
inline float remquo(float __x, float __y, int *__quotient) noexcept
{
    return remquof(__x, __y, __quotient);
}
inline long double remquo(long double __x, long double __y, int *__quotient) noexcept
{
    return remquol(__x, __y, __quotient);
}

/* name, its builtin, and its answer for an integer */
#define __WS_X(name, builtin, integer)                                                             \
    __WS_LIBRARY constexpr bool name(float __x) noexcept                                           \
    {                                                                                              \
        return builtin(__x);                                                                       \
    }                                                                                              \
    __WS_LIBRARY constexpr bool name(double __x) noexcept                                          \
    {                                                                                              \
        return builtin(__x);                                                                       \
    }                                                                                              \
    __WS_LIBRARY constexpr bool name(long double __x) noexcept                                     \
    {                                                                                              \
        return builtin(__x);                                                                       \
    }                                                                                              \
    template <typename _T, typename = typename __ws_integer<_T>::type>                             \
    __WS_LIBRARY constexpr bool name(_T __x) noexcept                                              \
    {                                                                                              \
        return integer;                                                                            \
    }
__WS_X(isnan, __builtin_isnan, false)
__WS_X(isinf, __builtin_isinf, false)
__WS_X(isfinite, __builtin_isfinite, true)
__WS_X(isnormal, __builtin_isnormal, __x != 0)
__WS_X(signbit, __builtin_signbit, __x < 0)
#undef __WS_X

#define __WS_CLASS(__x) __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, __x)
__WS_LIBRARY constexpr int fpclassify(float __x) noexcept
{
    return __WS_CLASS(__x);
}
__WS_LIBRARY constexpr int fpclassify(double __x) noexcept
{
    return __WS_CLASS(__x);
}
__WS_LIBRARY constexpr int fpclassify(long double __x) noexcept
{
    return __WS_CLASS(__x);
}
template <typename _T, typename = typename __ws_integer<_T>::type>
__WS_LIBRARY constexpr int fpclassify(_T __x) noexcept
{
    return __x != 0 ? FP_NORMAL : FP_ZERO;
}
#undef __WS_CLASS

#define __WS_X(name)                                                                               \
    __WS_LIBRARY constexpr bool name(float __x, float __y) noexcept                                \
    {                                                                                              \
        return __builtin_##name(__x, __y);                                                         \
    }                                                                                              \
    __WS_LIBRARY constexpr bool name(double __x, double __y) noexcept                              \
    {                                                                                              \
        return __builtin_##name(__x, __y);                                                         \
    }                                                                                              \
    __WS_LIBRARY constexpr bool name(long double __x, long double __y) noexcept                    \
    {                                                                                              \
        return __builtin_##name(__x, __y);                                                         \
    }                                                                                              \
    template <typename _T, typename _U, typename = __ws_promoted<_T, _U>>                          \
    __WS_LIBRARY constexpr bool name(_T __x, _U __y) noexcept                                      \
    {                                                                                              \
        return __builtin_##name((__ws_promoted<_T, _U>)__x, (__ws_promoted<_T, _U>)__y);           \
    }
__WS_X(isgreater)
__WS_X(isgreaterequal)
__WS_X(isless)
__WS_X(islessequal)
__WS_X(islessgreater)
__WS_X(isunordered)
#undef __WS_X

#endif
