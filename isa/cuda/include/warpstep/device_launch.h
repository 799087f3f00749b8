/*
 * Launches by kernels. clang knows no kernel<<<grid, block>>>(...) in device code;
 * isa/cuda/rewrite_device_launches.h makes
 *
 *   __ws_launch_kernel<decltype(&kernel), &kernel>(grid, block)(...)
 *
 * of it. The functions below are those of CUDA's device runtime, under the names that nvcc has for
 * them.
 */
#ifndef WARPSTEP_DEVICE_LAUNCH_H
#define WARPSTEP_DEVICE_LAUNCH_H

#include "warpstep/runtime_api.h"

extern "C" {
__device__ void *__cudaCDP2GetParameterBufferV2(void *kernel, dim3 grid, dim3 block,
                                                unsigned int shared);
__device__ cudaError_t __cudaCDP2LaunchDeviceV2(void *buffer, cudaStream_t stream);
__device__ cudaError_t __cudaCDP2StreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
__device__ cudaError_t __cudaCDP2StreamDestroy(cudaStream_t stream);
__device__ cudaError_t __cudaCDP2GetLastError(void);
__device__ cudaError_t __cudaCDP2PeekAtLastError(void);
}

__WS_DEVICE cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    return __cudaCDP2StreamCreateWithFlags(stream, flags);
}
__WS_DEVICE cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    return __cudaCDP2StreamDestroy(stream);
}
__WS_DEVICE cudaError_t cudaGetLastError(void)
{
    return __cudaCDP2GetLastError();
}
__WS_DEVICE cudaError_t cudaPeekAtLastError(void)
{
    return __cudaCDP2PeekAtLastError();
}
/* As with CUDA, memory of the heap that malloc() takes from. */
__WS_DEVICE cudaError_t cudaMalloc(void **pointer, __SIZE_TYPE__ size)
{
    *pointer = malloc(size);
    return *pointer != 0 || size == 0 ? cudaSuccess : cudaErrorMemoryAllocation;
}
template <typename T> __WS_DEVICE cudaError_t cudaMalloc(T **pointer, __SIZE_TYPE__ size)
{
    return cudaMalloc((void **)pointer, size);
}
__WS_DEVICE cudaError_t cudaFree(void *pointer)
{
    free(pointer);
    return cudaSuccess;
}

/* The address of a kernel: an initialiser may name it, a function may not. */
template <typename F, F kernel> struct __ws_kernel_address {
    static __device__ void *const value;
};
template <typename F, F kernel>
__device__ void *const __ws_kernel_address<F, kernel>::value = (void *)kernel;

/* Parameters lie where the kernel's have their places: each at a multiple of its alignment. */
template <typename T> __WS_DEVICE int __ws_put_parameter(char *buffer, unsigned int &end, T value)
{
    end = (end + alignof(T) - 1) / alignof(T) * alignof(T);
    *(T *)(buffer + end) = value;
    end += sizeof(T);
    return 0;
}

template <typename F> struct __ws_launcher;
template <typename... P> struct __ws_launcher<void (*)(P...)> {
    void *kernel;
    dim3 grid, block;
    unsigned int shared;
    cudaStream_t stream;

    __WS_DEVICE_MEMBER void operator()(P... parameters) const
    {
        char *buffer = (char *)__cudaCDP2GetParameterBufferV2(kernel, grid, block, shared);
        unsigned int end = 0;
        if (buffer == 0)
            return;
        const int put[] = {0, __ws_put_parameter<P>(buffer, end, parameters)...};
        (void)put, (void)end;
        __cudaCDP2LaunchDeviceV2(buffer, stream);
    }
};

template <typename F, F kernel>
__WS_DEVICE __ws_launcher<F> __ws_launch_kernel(dim3 grid, dim3 block, __SIZE_TYPE__ shared = 0,
                                                cudaStream_t stream = 0)
{
    return __ws_launcher<F>{__ws_kernel_address<F, kernel>::value, grid, block,
                            (unsigned int)shared, stream};
}

#endif
