/*
 * Vector types (int2, float4, ...), dim3, and their make_ functions. Alignment follows the CUDA C
 * Programming Guide, table "Alignment Requirements": 2 and 4 elements are aligned to their size,
 * at most 16 bytes; 3 elements to the element.
 */
#ifndef WARPSTEP_VECTOR_TYPES_H
#define WARPSTEP_VECTOR_TYPES_H

#include "warpstep/attributes.h"

#define __WS_VECTOR(name, type, size)                                                              \
    __WS_C_NAME(name##1)                                                                           \
    __WS_C_NAME(name##2)                                                                           \
    __WS_C_NAME(name##3)                                                                           \
    __WS_C_NAME(name##4)                                                                           \
    struct name##1                                                                                 \
    {                                                                                              \
        type x;                                                                                    \
    };                                                                                             \
    struct __attribute__((aligned(2 * size))) name##2                                              \
    {                                                                                              \
        type x, y;                                                                                 \
    };                                                                                             \
    struct name##3                                                                                 \
    {                                                                                              \
        type x, y, z;                                                                              \
    };                                                                                             \
    struct __attribute__((aligned(4 * size < 16 ? 4 * size : 16))) name##4                         \
    {                                                                                              \
        type x, y, z, w;                                                                           \
    };                                                                                             \
    __WS_BOTH name##1 make_##name##1(type x)                                                       \
    {                                                                                              \
        return __WS_STRUCT_VALUE(name##1, x);                                                      \
    }                                                                                              \
    __WS_BOTH name##2 make_##name##2(type x, type y)                                               \
    {                                                                                              \
        return __WS_STRUCT_VALUE(name##2, x, y);                                                   \
    }                                                                                              \
    __WS_BOTH name##3 make_##name##3(type x, type y, type z)                                       \
    {                                                                                              \
        return __WS_STRUCT_VALUE(name##3, x, y, z);                                                \
    }                                                                                              \
    __WS_BOTH name##4 make_##name##4(type x, type y, type z, type w)                               \
    {                                                                                              \
        return __WS_STRUCT_VALUE(name##4, x, y, z, w);                                             \
    }

__WS_VECTOR(char, signed char, 1)
__WS_VECTOR(uchar, unsigned char, 1)
__WS_VECTOR(short, short, 2)
__WS_VECTOR(ushort, unsigned short, 2)
__WS_VECTOR(int, int, 4)
__WS_VECTOR(uint, unsigned int, 4)
__WS_VECTOR(long, long, 8)
__WS_VECTOR(ulong, unsigned long, 8)
__WS_VECTOR(longlong, long long, 8)
__WS_VECTOR(ulonglong, unsigned long long, 8)
__WS_VECTOR(float, float, 4)
__WS_VECTOR(double, double, 8)

#undef __WS_VECTOR

__WS_C_NAME(dim3)
struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1,
                                       unsigned int vz = 1)
        : x(vx), y(vy), z(vz)
    {
    }
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    __host__ __device__ constexpr operator uint3() const
    {
        return uint3{x, y, z};
    }
#endif
};

#endif
