/*
 * The keywords of CUDA C as attributes of clang, and the markers our own functions carry. A host
 * compiler, which knows no CUDA, sees C or C++ alone: for it the keywords are nothing.
 */
#ifndef WARPSTEP_ATTRIBUTES_H
#define WARPSTEP_ATTRIBUTES_H

#define CUDART_VERSION 11000
#define CUDA_VERSION   11000
#define __WARPSTEP__   1

#ifdef __CUDA__ /* clang compiles CUDA */
#define __CUDACC__           1
#define __CUDACC_VER_MAJOR__ 11
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0

#define __global__ __attribute__((global))
#ifdef __WARPSTEP_FOR_CHECKS__
/*
 * clang inlines nothing else here: calls would hide from the checks what is copied (and is left
 * out, with a warning, for variables).
 */
#define __device__ __attribute__((device, always_inline))
#else
#define __device__ __attribute__((device))
#endif
#define __host__               __attribute__((host))
#define __shared__             __attribute__((shared))
#define __constant__           __attribute__((constant))
#define __managed__            __attribute__((device))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#else
#define __global__
#define __device__
#define __host__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#endif

#define __forceinline__ __inline__ __attribute__((always_inline))
#ifdef __CUDA__ /* libstdc++ has attributes of this name */
#define __noinline__ __attribute__((noinline))
#endif
#define __align__(n)         __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __grid_constant__
#define __cudart_builtin__
#define __device_builtin__
#define CUDARTAPI
#define CUDART_CB
#define CUDA_CB

/*
 * `nodebug`: code of ours that is inlined keeps the source line of the user's call, so that cycles
 * are shown where the user wrote something.
 */
#ifdef __CUDA__
#define __WS_DEVICE static __inline__ __device__ __attribute__((always_inline, nodebug, unused))
#define __WS_BOTH                                                                                  \
    static __inline__ __host__ __device__ __attribute__((always_inline, nodebug, unused))
#define __WS_MEMBER  __inline__ __host__ __device__ __attribute__((always_inline, nodebug, unused))
#define __WS_LIBRARY __WS_MEMBER /* functions of the C++ library */
/*
 * The body of a function for the host, which is never run. clang wants one for each function with a
 * type of a function in its own: a lambda, a local struct.
 */
#define __WS_HOST                                                                                  \
    {                                                                                              \
        __builtin_unreachable();                                                                   \
    }
#define __WS_DEVICE_MEMBER __inline__ __device__ __attribute__((always_inline, nodebug, unused))
#else
#define __WS_BOTH   static __inline__ __attribute__((always_inline, unused))
#define __WS_MEMBER __inline__ __attribute__((always_inline, unused))
#endif

/* -ftz=true of `warpstep cc`: floats below the normal ones are zero, in instructions written here
 * too. */
#ifdef __WARPSTEP_FTZ__
#define __WS_FTZ          ".ftz"
#define __WS_APPROX(name) __nvvm_##name##_approx_ftz_f
#else
#define __WS_FTZ          ""
#define __WS_APPROX(name) __nvvm_##name##_approx_f
#endif

/* A struct's value of these members, and a parameter's default, in C++ and in C, which has none. */
#ifdef __cplusplus
#define __WS_STRUCT_VALUE(type, ...)                                                               \
    type                                                                                           \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define __WS_DEFAULT(name, value) name = value
#define __WS_C_NAME(name)
#else
#define __WS_STRUCT_VALUE(type, ...) ((type){__VA_ARGS__})
#define __WS_DEFAULT(name, value)    name
#define __WS_C_NAME(name)            typedef struct name name;
#endif

#endif
