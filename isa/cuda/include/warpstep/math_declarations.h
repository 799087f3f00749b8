/*
 * Declarations of the device math functions, seen before <math.h>. What is constexpr in a library
 * would otherwise count as device functions that call the C library; a device function of the same
 * signature declared first keeps them host functions.
 */
#ifndef WARPSTEP_MATH_DECLARATIONS_H
#define WARPSTEP_MATH_DECLARATIONS_H

#include "warpstep/attributes.h"

/* X(name): type name(type), nameF(float), and an overload for float. */
#define __WS_MATH_UNARY(X)                                                                         \
    X(sqrt)                                                                                        \
    X(cbrt)                                                                                        \
    X(exp) X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p) X(sin) X(cos) X(tan) X(asin) X(acos)  \
        X(atan) X(sinh) X(cosh) X(tanh) X(asinh) X(acosh) X(atanh) X(fabs) X(floor) X(ceil)        \
            X(trunc) X(round) X(rint) X(nearbyint) X(erf) X(erfc) X(logb)
#define __WS_MATH_UNARY_CUDA(X) X(rsqrt) X(rcbrt) X(exp10) X(sinpi) X(cospi)
#define __WS_MATH_BINARY(X)                                                                        \
    X(pow) X(atan2) X(hypot) X(fmod) X(remainder) X(fdim) X(fmin) X(fmax) X(copysign) X(nextafter)
#define __WS_MATH_INTEGER(X) X(lround) X(lrint) X(llround) X(llrint) X(ilogb)

#define __WS_DECLARE __attribute__((device, always_inline, nodebug, unused)) static inline

#define __WS_X(name)                                                                               \
    __WS_DECLARE double name(double) noexcept;                                                     \
    __WS_DECLARE float name(float) noexcept;                                                       \
    __WS_DECLARE float name##f(float) noexcept;
__WS_MATH_UNARY(__WS_X)
__WS_MATH_UNARY_CUDA(__WS_X)
#undef __WS_X
#define __WS_X(name)                                                                               \
    __WS_DECLARE double name(double, double) noexcept;                                             \
    __WS_DECLARE float name(float, float) noexcept;                                                \
    __WS_DECLARE float name##f(float, float) noexcept;
__WS_MATH_BINARY(__WS_X)
#undef __WS_X

__WS_DECLARE long lround(double) noexcept;
__WS_DECLARE long lround(float) noexcept;
__WS_DECLARE long lroundf(float) noexcept;
__WS_DECLARE long lrint(double) noexcept;
__WS_DECLARE long lrint(float) noexcept;
__WS_DECLARE long lrintf(float) noexcept;
__WS_DECLARE long long llround(double) noexcept;
__WS_DECLARE long long llround(float) noexcept;
__WS_DECLARE long long llroundf(float) noexcept;
__WS_DECLARE long long llrint(double) noexcept;
__WS_DECLARE long long llrint(float) noexcept;
__WS_DECLARE long long llrintf(float) noexcept;
__WS_DECLARE int ilogb(double) noexcept;
__WS_DECLARE int ilogb(float) noexcept;
__WS_DECLARE int ilogbf(float) noexcept;
__WS_DECLARE double fma(double, double, double) noexcept;
__WS_DECLARE float fma(float, float, float) noexcept;
__WS_DECLARE float fmaf(float, float, float) noexcept;
__WS_DECLARE double ldexp(double, int) noexcept;
__WS_DECLARE float ldexp(float, int) noexcept;
__WS_DECLARE float ldexpf(float, int) noexcept;
__WS_DECLARE double scalbn(double, int) noexcept;
__WS_DECLARE float scalbn(float, int) noexcept;
__WS_DECLARE float scalbnf(float, int) noexcept;
__WS_DECLARE double frexp(double, int *) noexcept;
__WS_DECLARE float frexp(float, int *) noexcept;
__WS_DECLARE float frexpf(float, int *) noexcept;
__WS_DECLARE double modf(double, double *) noexcept;
__WS_DECLARE float modf(float, float *) noexcept;
__WS_DECLARE float modff(float, float *) noexcept;
__WS_DECLARE int abs(int) noexcept;
__WS_DECLARE long abs(long) noexcept;
__WS_DECLARE long long abs(long long) noexcept;
__WS_DECLARE float abs(float) noexcept;
__WS_DECLARE double abs(double) noexcept;
__WS_DECLARE long labs(long) noexcept;
__WS_DECLARE long long llabs(long long) noexcept;

/* An integer argument is taken as double. */
template <typename _T> inline constexpr bool __ws_is_integer = __is_integral(_T);
template <typename _T, bool = __ws_is_integer<_T>> struct __ws_integer {
};
template <typename _T> struct __ws_integer<_T, true> {
    typedef double type;
};
#define __WS_X(name)                                                                               \
    template <typename _T> __WS_DECLARE typename __ws_integer<_T>::type name(_T __x) noexcept           \
    {                                                                                              \
        return name((double)__x);                                                                    \
    }
__WS_MATH_UNARY(__WS_X)
__WS_MATH_UNARY_CUDA(__WS_X)
#undef __WS_X

namespace std
{
#define __WS_X(name)                                                                               \
    using ::name;                                                                                  \
    using ::name##f;
__WS_MATH_UNARY(__WS_X)
__WS_MATH_BINARY(__WS_X)
__WS_MATH_INTEGER(__WS_X)
#undef __WS_X
using ::abs;
using ::fma;
using ::fmaf;
using ::frexp;
using ::frexpf;
using ::labs;
using ::ldexp;
using ::ldexpf;
using ::llabs;
using ::modf;
using ::modff;
using ::scalbn;
using ::scalbnf;
} // namespace std

#endif
