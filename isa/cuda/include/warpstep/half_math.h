/*
 * What <cuda_fp16.h> and <cuda_bf16.h> share in their math functions. The special function unit takes
 * and gives floats; what comes out, rounded once more, is now and then the neighbour of the right
 * result. The sequences of instructions were run with all 65536 arguments on an H200 (driver
 * 580.159, nvcc 13.0) and with the special function unit modelled here, and compared with the C
 * library's result in double precision, rounded. Constant factors were tried from three units of the
 * last place below the nearest float to three above; the one with the fewest wrong arguments was
 * taken, and those that are wrong in either are corrected where there are any.
 */
#ifndef WARPSTEP_HALF_MATH_H
#define WARPSTEP_HALF_MATH_H

#include "warpstep/math_primitives.h"

#define __WS_LOG2_E   0x1.715476p+0f
#define __WS_LOG2_10  0x1.a934fp+1f
#define __WS_LOG_2    0x1.62e43p-1f
#define __WS_LOG10_2  0x1.344136p-2f

#define __WS_SPECIAL_FUNCTION(name, instruction)                                                   \
    __WS_BOTH float name(float x)                                                                  \
    {                                                                                              \
        float r;                                                                                   \
        asm(instruction ".f32 %0, %1;" : "=f"(r) : "f"(x));                                        \
        return r;                                                                                  \
    }
/* A function of the bits of the 16-bit type that is one of its float. */
#define __WS_OF_WIDENED(type, name)                                                                \
    __WS_BOTH float __ws_##type##_##name(unsigned short a)                                         \
    {                                                                                              \
        return __ws_##type##_##name##_of(__ws_##type##_widen(a));                                  \
    }
/* `ptx` is the type's name in PTX, `end` what its functions have behind .approx. */
#define __WS_SPECIAL_FUNCTIONS(type, ptx, end)                                                     \
    __WS_BOTH float __ws_##type##_widen(unsigned short x)                                          \
    {                                                                                              \
        float r;                                                                                   \
        asm("cvt.f32." ptx " %0, %1;" : "=f"(r) : "h"(x));                                         \
        return r;                                                                                  \
    }                                                                                              \
    __WS_SPECIAL_FUNCTION(__ws_##type##_ex2, "ex2.approx" end)                                     \
    __WS_SPECIAL_FUNCTION(__ws_##type##_lg2, "lg2.approx" end)                                     \
    __WS_SPECIAL_FUNCTION(__ws_##type##_sqrt_of, "sqrt.approx" end)                                \
    __WS_SPECIAL_FUNCTION(__ws_##type##_rsqrt_of, "rsqrt.approx" end)                              \
    __WS_SPECIAL_FUNCTION(__ws_##type##_rcp_of, "rcp.approx" end)                                  \
    __WS_OF_WIDENED(type, sqrt)                                                                    \
    __WS_OF_WIDENED(type, rsqrt)                                                                   \
    __WS_OF_WIDENED(type, rcp)

#endif
