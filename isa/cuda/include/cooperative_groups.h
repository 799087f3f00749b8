/*
 * Cooperative groups: the thread block, tiles of a warp, and the threads that are active together.
 */
#ifndef WARPSTEP_COOPERATIVE_GROUPS_H
#define WARPSTEP_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

namespace cooperative_groups
{

class thread_block
{
  public:
    __WS_DEVICE_MEMBER static void sync()
    {
        __syncthreads();
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

/* A group whose kind is known at run time only: its lanes, or the whole block. */
class thread_group
{
    bool block;
    unsigned int lanes;

  public:
    __WS_DEVICE_MEMBER thread_group(const thread_block &) : block(true), lanes(0)
    {
    }
    __WS_DEVICE_MEMBER explicit thread_group(unsigned int mask) : block(false), lanes(mask)
    {
    }
    __WS_DEVICE_MEMBER void sync() const
    {
        if (block)
            __syncthreads();
        else
            __syncwarp(lanes);
    }
    __WS_DEVICE_MEMBER unsigned int size() const
    {
        return block ? thread_block::size() : __popc(lanes);
    }
    __WS_DEVICE_MEMBER unsigned int thread_rank() const
    {
        return block ? thread_block::thread_rank() : __popc(lanes & ((1u << __lane_id()) - 1));
    }
};

/* What tiles and coalesced groups share: a mask, a size and a rank inside it. */
template <unsigned int Size, typename ParentT = void> class thread_block_tile
{
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads");
    __WS_DEVICE_MEMBER static unsigned int mask()
    {
        unsigned int low = Size == 32 ? 0xffffffffu : (1u << (Size & 31)) - 1;
        return low << (__lane_id() & ~(Size - 1) & 31);
    }

  public:
    thread_block_tile() = default;
    template <typename Other>
    __WS_DEVICE_MEMBER thread_block_tile(const thread_block_tile<Size, Other> &)
    {
    }
    __WS_DEVICE_MEMBER operator thread_group() const
    {
        return thread_group(mask());
    }
    __WS_DEVICE_MEMBER static void sync()
    {
        __syncwarp(mask());
    }
    __WS_DEVICE_MEMBER static constexpr unsigned int size()
    {
        return Size;
    }
    __WS_DEVICE_MEMBER static constexpr unsigned int num_threads()
    {
        return Size;
    }
    __WS_DEVICE_MEMBER static unsigned int thread_rank()
    {
        return thread_block::thread_rank() & (Size - 1);
    }
    __WS_DEVICE_MEMBER static unsigned int meta_group_rank()
    {
        return thread_block::thread_rank() / Size;
    }
    __WS_DEVICE_MEMBER static unsigned int meta_group_size()
    {
        return (thread_block::size() + Size - 1) / Size;
    }
    template <typename T> __WS_DEVICE_MEMBER T shfl(T value, int lane) const
    {
        return __shfl_sync(mask(), value, lane, Size);
    }
    template <typename T> __WS_DEVICE_MEMBER T shfl_down(T value, unsigned int by) const
    {
        return __shfl_down_sync(mask(), value, by, Size);
    }
    template <typename T> __WS_DEVICE_MEMBER T shfl_up(T value, unsigned int by) const
    {
        return __shfl_up_sync(mask(), value, by, Size);
    }
    template <typename T> __WS_DEVICE_MEMBER T shfl_xor(T value, unsigned int by) const
    {
        return __shfl_xor_sync(mask(), value, by, Size);
    }
    __WS_DEVICE_MEMBER int any(int predicate) const
    {
        return __any_sync(mask(), predicate);
    }
    __WS_DEVICE_MEMBER int all(int predicate) const
    {
        return __all_sync(mask(), predicate);
    }
    __WS_DEVICE_MEMBER unsigned int ballot(int predicate) const
    {
        return (__ballot_sync(mask(), predicate) & mask()) >> (__lane_id() & ~(Size - 1) & 31);
    }
    template <typename T> __WS_DEVICE_MEMBER unsigned int match_any(T value) const
    {
        return __match_any_sync(mask(), value) >> (__lane_id() & ~(Size - 1) & 31);
    }
};

template <unsigned int Size, typename ParentT>
static __WS_DEVICE_MEMBER thread_block_tile<Size, ParentT> tiled_partition(const ParentT &)
{
    return thread_block_tile<Size, ParentT>();
}

/* Tiles of a size known at run time only. */
static __WS_DEVICE_MEMBER thread_group tiled_partition(const thread_group &, unsigned int size)
{
    unsigned int low = size >= 32 ? 0xffffffffu : (1u << size) - 1;
    return thread_group(low << (__lane_id() & ~(size - 1) & 31));
}

class coalesced_group
{
    unsigned int active;

  public:
    __WS_DEVICE_MEMBER explicit coalesced_group(unsigned int mask) : active(mask)
    {
    }
    __WS_DEVICE_MEMBER operator thread_group() const
    {
        return thread_group(active);
    }
    __WS_DEVICE_MEMBER void sync() const
    {
        __syncwarp(active);
    }
    __WS_DEVICE_MEMBER unsigned int size() const
    {
        return __popc(active);
    }
    __WS_DEVICE_MEMBER unsigned int num_threads() const
    {
        return __popc(active);
    }
    __WS_DEVICE_MEMBER unsigned int thread_rank() const
    {
        return __popc(active & ((1u << __lane_id()) - 1));
    }
    /* The value of the thread with this rank: its lane is that of the rank-th set bit. */
    template <typename T> __WS_DEVICE_MEMBER T shfl(T value, unsigned int rank) const
    {
        unsigned int rest = active;
        for (unsigned int i = 0; i < rank; i++)
            rest &= rest - 1;
        return __shfl_sync(active, value, __ffs((int)rest) - 1, 32);
    }
    __WS_DEVICE_MEMBER int any(int predicate) const
    {
        return __any_sync(active, predicate);
    }
    __WS_DEVICE_MEMBER int all(int predicate) const
    {
        return __all_sync(active, predicate);
    }
};

__WS_DEVICE coalesced_group coalesced_threads()
{
    return coalesced_group(__activemask());
}

template <typename Group> static __WS_DEVICE_MEMBER void sync(const Group &group)
{
    group.sync();
}

/* Operations for reduce(). */
template <typename T> struct plus {
    __WS_DEVICE_MEMBER T operator()(T a, T b) const
    {
        return a + b;
    }
};
template <typename T> struct less {
    __WS_DEVICE_MEMBER T operator()(T a, T b) const
    {
        return b < a ? b : a;
    }
};
template <typename T> struct greater {
    __WS_DEVICE_MEMBER T operator()(T a, T b) const
    {
        return a < b ? b : a;
    }
};
template <unsigned int Size, typename ParentT, typename T, typename Op>
static __WS_DEVICE_MEMBER T reduce(const thread_block_tile<Size, ParentT> &tile, T value, Op op)
{
    for (unsigned int by = Size / 2; by > 0; by /= 2)
        value = op(value, tile.shfl_xor(value, by));
    return value;
}

} // namespace cooperative_groups

#endif
