/*
 * Complex numbers of the toolkit: cuFloatComplex (cuComplex) and cuDoubleComplex, the real part in
 * x.
 */
#ifndef WARPSTEP_CUCOMPLEX_H
#define WARPSTEP_CUCOMPLEX_H

#include "cuda_runtime.h"
#ifndef __CUDA__
#include <math.h>
#endif

typedef float2 cuFloatComplex, cuComplex;
typedef double2 cuDoubleComplex;

/* Quotients are of numbers divided by |re| + |im| of the divisor first, so that no square
 * overflows. */
#define __WS_COMPLEX(complex, real, end, make, absolute, length, fused)                            \
    __WS_BOTH complex make(real x, real y)                                                         \
    {                                                                                              \
        return __WS_STRUCT_VALUE(complex, x, y);                                                   \
    }                                                                                              \
    __WS_BOTH real cuCreal##end(complex a)                                                         \
    {                                                                                              \
        return a.x;                                                                                \
    }                                                                                              \
    __WS_BOTH real cuCimag##end(complex a)                                                         \
    {                                                                                              \
        return a.y;                                                                                \
    }                                                                                              \
    __WS_BOTH complex cuConj##end(complex a)                                                       \
    {                                                                                              \
        return __WS_STRUCT_VALUE(complex, a.x, -a.y);                                              \
    }                                                                                              \
    __WS_BOTH complex cuCadd##end(complex a, complex b)                                            \
    {                                                                                              \
        return __WS_STRUCT_VALUE(complex, a.x + b.x, a.y + b.y);                                   \
    }                                                                                              \
    __WS_BOTH complex cuCsub##end(complex a, complex b)                                            \
    {                                                                                              \
        return __WS_STRUCT_VALUE(complex, a.x - b.x, a.y - b.y);                                   \
    }                                                                                              \
    __WS_BOTH complex cuCmul##end(complex a, complex b)                                            \
    {                                                                                              \
        return __WS_STRUCT_VALUE(complex, a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);           \
    }                                                                                              \
    __WS_BOTH complex cuCfma##end(complex a, complex b, complex c)                                 \
    {                                                                                              \
        return __WS_STRUCT_VALUE(complex, fused(-a.y, b.y, fused(a.x, b.x, c.x)),                  \
                                 fused(a.y, b.x, fused(a.x, b.y, c.y)));                           \
    }                                                                                              \
    __WS_BOTH complex cuCdiv##end(complex a, complex b)                                            \
    {                                                                                              \
        real scale = 1 / (absolute(b.x) + absolute(b.y));                                          \
        complex p = {a.x * scale, a.y * scale}, q = {b.x * scale, b.y * scale};                    \
        real inverse = 1 / (q.x * q.x + q.y * q.y);                                                \
        return __WS_STRUCT_VALUE(complex, (p.x * q.x + p.y * q.y) * inverse,                       \
                                 (p.y * q.x - p.x * q.y) * inverse);                               \
    }                                                                                              \
    __WS_BOTH real cuCabs##end(complex a)                                                          \
    {                                                                                              \
        return length(a.x, a.y);                                                                   \
    }
__WS_COMPLEX(cuFloatComplex, float, f, make_cuFloatComplex, fabsf, hypotf, fmaf)
__WS_COMPLEX(cuDoubleComplex, double, , make_cuDoubleComplex, fabs, hypot, fma)
#undef __WS_COMPLEX

__WS_BOTH cuComplex make_cuComplex(float x, float y)
{
    return make_cuFloatComplex(x, y);
}
__WS_BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a)
{
    return make_cuDoubleComplex(a.x, a.y);
}
__WS_BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a)
{
    return make_cuFloatComplex((float)a.x, (float)a.y);
}

#endif
