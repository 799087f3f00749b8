/* Cooperative groups: the block. */
#ifndef WARPSTEP_GROUPS_THREAD_BLOCK_H
#define WARPSTEP_GROUPS_THREAD_BLOCK_H

#include "cuda_runtime.h"

namespace cooperative_groups
{

class thread_block
{
  public:
    struct arrival_token {
    };

    __WS_DEVICE_MEMBER static void sync()
    {
        __syncthreads();
    }
    /*
     * A barrier of the hardware blocks whom it counts and lets nobody wait alone: arriving waits for
     * all to arrive, and waiting has nothing left to wait for.
     */
    __WS_DEVICE_MEMBER static arrival_token barrier_arrive()
    {
        __syncthreads();
        return arrival_token();
    }
    __WS_DEVICE_MEMBER static void barrier_wait(arrival_token &&)
    {
    }
    __WS_DEVICE_MEMBER static unsigned int thread_rank()
    {
        return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    }
    __WS_DEVICE_MEMBER static unsigned int size()
    {
        return blockDim.x * blockDim.y * blockDim.z;
    }
    __WS_DEVICE_MEMBER static unsigned int num_threads()
    {
        return size();
    }
    __WS_DEVICE_MEMBER static dim3 group_index()
    {
        return blockIdx;
    }
    __WS_DEVICE_MEMBER static dim3 thread_index()
    {
        return threadIdx;
    }
    __WS_DEVICE_MEMBER static dim3 group_dim()
    {
        return blockDim;
    }
    __WS_DEVICE_MEMBER static dim3 dim_threads()
    {
        return blockDim;
    }
};

__WS_DEVICE thread_block this_thread_block()
{
    return thread_block();
}

/* Memory for tiles of several warps, in CUDA; here they have their own (wide_tile.h). */
template <unsigned int MaxBlockSize = 1024> struct block_tile_memory {
    unsigned int unused;
};

template <unsigned int MaxBlockSize>
static __WS_DEVICE_MEMBER thread_block this_thread_block(block_tile_memory<MaxBlockSize> &)
{
    return thread_block();
}

} // namespace cooperative_groups

#endif
