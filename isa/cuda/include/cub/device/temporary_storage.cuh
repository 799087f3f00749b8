/* The temporary storage of device-wide functions: asked for by a call without any, and parted here.
 */
#pragma once
#include "../util_type.cuh"

#include <cuda_runtime.h>

namespace cub
{
namespace detail
{

class temporary_storage
{
    char *base;
    size_t used;

  public:
    explicit temporary_storage(void *d_temp_storage) : base((char *)d_temp_storage), used(0)
    {
    }
    /* Room for `count` items. Without storage the pointer is of no use. */
    template <typename T> T *take(size_t count)
    {
        T *place = base == NULL ? NULL : (T *)(base + used);
        used += (count * sizeof(T) + 255) / 256 * 256;
        return place;
    }
    /* Whether the call only asks for the size. `given` is too small: an error, by `error`. */
    bool asks(size_t &given, cudaError_t &error) const
    {
        size_t needed = used == 0 ? 1 : used;
        error = cudaSuccess;
        if (base == NULL) {
            given = needed;
            return true;
        }
        if (given < needed)
            error = cudaErrorInvalidValue;
        return given < needed;
    }
};

inline unsigned int blocks_for(long long items, int per_block)
{
    return (unsigned int)((items + per_block - 1) / per_block);
}

/* f(i) for each i below n, a thread each. */
template <typename Function> __global__ void for_each_index(long long n, Function f)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        f(i);
}
template <typename Function>
cudaError_t launch_for_each_index(long long n, Function f, cudaStream_t stream = 0)
{
    if (n <= 0)
        return cudaSuccess;
    for_each_index<Function><<<blocks_for(n, 256), 256, 0, stream>>>(n, f);
    return cudaPeekAtLastError();
}

} // namespace detail
} // namespace cub
