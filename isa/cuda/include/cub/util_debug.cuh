/* CubDebug and CubDebugExit: an error of the runtime is told, with its line. */
#pragma once
#include "util_macro.cuh"

#include <cuda_runtime.h>

namespace cub
{
/* Returns the error. */
__WS_BOTH cudaError_t Debug(cudaError_t error, const char *file, int line)
{
    if (error != cudaSuccess)
        printf("CUDA error %d [%s, %d]\n", (int)error, file, line);
    return error;
}
} // namespace cub

#define CubDebug(call) cub::Debug((cudaError_t)(call), __FILE__, __LINE__)
#define CubDebugExit(call)                                                                         \
    do {                                                                                           \
        if (CubDebug(call))                                                                        \
            exit(1);                                                                               \
    } while (0)
