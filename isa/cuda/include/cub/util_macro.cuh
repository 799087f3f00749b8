/* CUB's macros for numbers that are known when a program is compiled. */
#pragma once
#include "warpstep/attributes.h"

#define CUB_MAX(a, b)                ((a) > (b) ? (a) : (b))
#define CUB_MIN(a, b)                ((a) < (b) ? (a) : (b))
#define CUB_QUOTIENT_FLOOR(x, y)     ((x) / (y))
#define CUB_QUOTIENT_CEILING(x, y)   (((x) + (y)-1) / (y))
#define CUB_ROUND_UP_NEAREST(x, y)   (CUB_QUOTIENT_CEILING(x, y) * (y))
#define CUB_ROUND_DOWN_NEAREST(x, y) (((x) / (y)) * (y))
#define CUB_IS_INT_POW2(x)           (((x) & ((x)-1)) == 0)
#define CUB_PREVENT_MACRO_SUBSTITUTION
#define CUB_STATIC_ASSERT(condition, text) static_assert(condition, text)
#define CUB_RUNTIME_FUNCTION               __host__ __device__
#define CUB_MAX_DEVICES                    128
#define CUB_NAMESPACE_BEGIN                                                                        \
    namespace cub                                                                                  \
    {
#define CUB_NAMESPACE_END        }
#define CUB_VERSION              200000
#define CUB_MAJOR_VERSION        2
#define CUB_MINOR_VERSION        0
#define CUB_PTX_ARCH             800
#define CUB_PTX_WARP_THREADS     32
#define CUB_LOG_WARP_THREADS(a)  5
#define CUB_WARP_THREADS(a)      32
#define CUB_PTX_LOG_WARP_THREADS 5
