/*
 * Device versions of C library functions: printf, assert, malloc, clock, and min and max.
 */
#ifndef WARPSTEP_LIBRARY_H
#define WARPSTEP_LIBRARY_H

#include "warpstep/warp.h"

extern "C" {
__device__ int vprintf(const char *format, const char *arguments);
__device__ void __assertfail(const void *expression, const void *file, unsigned int line,
                             const void *function, __SIZE_TYPE__ character_size)
    __attribute__((noreturn));
__device__ void *malloc(__SIZE_TYPE__ size) noexcept;
__device__ void free(void *pointer) noexcept;
__device__ void cudaGraphSetConditional(unsigned long long handle, unsigned int value);
/* clang turns this into a call of vprintf. */
__device__ int printf(const char *format, ...);
}

__WS_DEVICE void *memcpy(void *to, const void *from, __SIZE_TYPE__ count) noexcept
{
    return __builtin_memcpy(to, from, count);
}
__WS_DEVICE void *memset(void *to, int value, __SIZE_TYPE__ count) noexcept
{
    return __builtin_memset(to, value, count);
}

/* What assert() of <assert.h> calls. */
static __inline__ __device__ __attribute__((noreturn, always_inline, nodebug)) void
__assert_fail(const char *expression, const char *file, unsigned int line, const char *function)
{
    __assertfail(expression, file, line, function, sizeof(char));
}

__WS_DEVICE clock_t clock(void)
{
    return __ws_clock32();
}

#define __WS_MIN_MAX(type)                                                                         \
    __WS_BOTH type min(type x, type y)                                                             \
    {                                                                                              \
        return y < x ? y : x;                                                                      \
    }                                                                                              \
    __WS_BOTH type max(type x, type y)                                                             \
    {                                                                                              \
        return x < y ? y : x;                                                                      \
    }
#define __WS_MIN_MAX_MIXED(type, one, other)                                                       \
    __WS_BOTH type min(one x, other y)                                                             \
    {                                                                                              \
        return min((type)x, (type)y);                                                              \
    }                                                                                              \
    __WS_BOTH type max(one x, other y)                                                             \
    {                                                                                              \
        return max((type)x, (type)y);                                                              \
    }
__WS_MIN_MAX(int)
__WS_MIN_MAX(unsigned int)
__WS_MIN_MAX(long)
__WS_MIN_MAX(unsigned long)
__WS_MIN_MAX(long long)
__WS_MIN_MAX(unsigned long long)
__WS_MIN_MAX_MIXED(unsigned int, int, unsigned int)
__WS_MIN_MAX_MIXED(unsigned int, unsigned int, int)
__WS_MIN_MAX_MIXED(unsigned long, long, unsigned long)
__WS_MIN_MAX_MIXED(unsigned long, unsigned long, long)
__WS_MIN_MAX_MIXED(unsigned long long, long long, unsigned long long)
__WS_MIN_MAX_MIXED(unsigned long long, unsigned long long, long long)
#undef __WS_MIN_MAX
#undef __WS_MIN_MAX_MIXED

__WS_BOTH unsigned int umin(unsigned int x, unsigned int y)
{
    return min(x, y);
}
__WS_BOTH unsigned int umax(unsigned int x, unsigned int y)
{
    return max(x, y);
}

#define __WS_FLOAT_MIN_MAX(type, one, other, suffix)                                               \
    __WS_BOTH type min(one x, other y)                                                             \
    {                                                                                              \
        return __builtin_fmin##suffix(x, y);                                                       \
    }                                                                                              \
    __WS_BOTH type max(one x, other y)                                                             \
    {                                                                                              \
        return __builtin_fmax##suffix(x, y);                                                       \
    }
__WS_FLOAT_MIN_MAX(float, float, float, f)
__WS_FLOAT_MIN_MAX(double, double, double, )
__WS_FLOAT_MIN_MAX(double, float, double, )
__WS_FLOAT_MIN_MAX(double, double, float, )
#undef __WS_FLOAT_MIN_MAX

#endif
