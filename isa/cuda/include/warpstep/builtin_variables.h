/*
 * threadIdx, blockIdx, blockDim, gridDim and warpSize. A member read is a read of the special
 * register: nothing is stored anywhere.
 */
#ifndef WARPSTEP_BUILTIN_VARIABLES_H
#define WARPSTEP_BUILTIN_VARIABLES_H

#include "warpstep/vector_types.h"

#define __WS_SPECIAL(member, register)                                                             \
    __declspec(property(get = __get_##member)) unsigned int member;                                \
    static __WS_DEVICE_MEMBER unsigned int __get_##member(void)                                    \
    {                                                                                              \
        return __nvvm_read_ptx_sreg_##register();                                                  \
    }

#define __WS_SPECIAL_STRUCT(name, register)                                                        \
    struct __ws_##name {                                                                           \
        __WS_SPECIAL(x, register##_x)                                                              \
        __WS_SPECIAL(y, register##_y)                                                              \
        __WS_SPECIAL(z, register##_z)                                                              \
        __WS_DEVICE_MEMBER operator dim3() const                                                   \
        {                                                                                          \
            return dim3(__get_x(), __get_y(), __get_z());                                          \
        }                                                                                          \
        __WS_DEVICE_MEMBER operator uint3() const                                                  \
        {                                                                                          \
            return uint3{__get_x(), __get_y(), __get_z()};                                         \
        }                                                                                          \
    };                                                                                             \
    extern const __device__ __attribute__((weak)) __ws_##name name

__WS_SPECIAL_STRUCT(threadIdx, tid);
__WS_SPECIAL_STRUCT(blockIdx, ctaid);
__WS_SPECIAL_STRUCT(blockDim, ntid);
__WS_SPECIAL_STRUCT(gridDim, nctaid);

#undef __WS_SPECIAL_STRUCT
#undef __WS_SPECIAL

/*
 * As for nvcc no constant: compiled code divides by it as by any number, and loops up to it are
 * loops of an unknown number of turns.
 */
extern "C" __device__ int __ws_read_warp_size(void) __asm__("llvm.nvvm.read.ptx.sreg.warpsize");
struct __ws_warp_size {
    __WS_DEVICE_MEMBER operator int() const
    {
        return __ws_read_warp_size();
    }
};
extern const __device__ __attribute__((weak)) __ws_warp_size warpSize;

#endif
