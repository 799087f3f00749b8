/* Cooperative groups: all blocks of a launch. */
#ifndef WARPSTEP_GROUPS_GRID_GROUP_H
#define WARPSTEP_GROUPS_GRID_GROUP_H

#include "warpstep/groups/thread_block.h"

namespace cooperative_groups
{

namespace detail
{

/*
 * The barrier of a grid: a block adds 1, the first one what is missing to 2^31. So bit 31 turns over
 * when all have come, and the other bits are zero again: the next barrier finds it as this one did.
 * Launches of a program follow each other, so there is one word for all. A member of a template:
 * whoever does not use it has no such variable.
 */
template <typename T> struct grid_barrier {
    static __device__ unsigned int arrived;

    __WS_DEVICE_MEMBER static unsigned int arrive(unsigned int blocks, bool first)
    {
        __threadfence();
        return atomicAdd(&arrived, first ? 0x80000000u - (blocks - 1) : 1u);
    }
    __WS_DEVICE_MEMBER static void wait(unsigned int before)
    {
        while (((*(volatile unsigned int *)&arrived ^ before) & 0x80000000u) == 0)
            ;
        __threadfence();
    }
};
template <typename T> __device__ unsigned int grid_barrier<T>::arrived;

} // namespace detail

class grid_group
{
    typedef detail::grid_barrier<void> barrier;

  public:
    struct arrival_token {
        unsigned int before; /* of the thread that arrived for its block */
    };

    __WS_DEVICE_MEMBER static bool is_valid()
    {
        return true;
    }
    __WS_DEVICE_MEMBER static arrival_token barrier_arrive()
    {
        arrival_token token = {0};
        __syncthreads();
        if (thread_block::thread_rank() == 0)
            token.before = barrier::arrive((unsigned int)num_blocks(), block_rank() == 0);
        return token;
    }
    __WS_DEVICE_MEMBER static void barrier_wait(arrival_token &&token)
    {
        if (thread_block::thread_rank() == 0)
            barrier::wait(token.before);
        __syncthreads();
    }
    __WS_DEVICE_MEMBER static void sync()
    {
        barrier_wait(barrier_arrive());
    }
    __WS_DEVICE_MEMBER static unsigned long long block_rank()
    {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    __WS_DEVICE_MEMBER static unsigned long long num_blocks()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    __WS_DEVICE_MEMBER static unsigned long long thread_rank()
    {
        return block_rank() * thread_block::size() + thread_block::thread_rank();
    }
    __WS_DEVICE_MEMBER static unsigned long long num_threads()
    {
        return num_blocks() * thread_block::size();
    }
    __WS_DEVICE_MEMBER static unsigned long long size()
    {
        return num_threads();
    }
    __WS_DEVICE_MEMBER static dim3 block_index()
    {
        return blockIdx;
    }
    __WS_DEVICE_MEMBER static dim3 dim_blocks()
    {
        return gridDim;
    }
    __WS_DEVICE_MEMBER static dim3 group_dim()
    {
        return gridDim;
    }
};

__WS_DEVICE grid_group this_grid()
{
    return grid_group();
}

} // namespace cooperative_groups

#endif
