/* Cooperative groups: tiles of several warps, which meet and exchange values in shared memory. */
#ifndef WARPSTEP_GROUPS_WIDE_TILE_H
#define WARPSTEP_GROUPS_WIDE_TILE_H

#include "warpstep/groups/thread_block.h"

namespace cooperative_groups
{
namespace detail
{

/* For tiles of one size, of all of the block. */
template <unsigned int Size> struct wide_tile_memory {
    unsigned int arrived[1024 / Size]; /* warps, as blocks in grid_group.h */
    unsigned long long values[32];     /* one a warp */
};

template <unsigned int Size> class wide_tile
{
    static_assert(Size <= 1024 && (Size & (Size - 1)) == 0,
                  "a tile has a power of two of threads, at most 1024");

    __WS_DEVICE_MEMBER static wide_tile_memory<Size> *memory()
    {
        static __shared__ wide_tile_memory<Size> shared;
        return &shared;
    }
    __WS_DEVICE_MEMBER static unsigned int tile()
    {
        return thread_block::thread_rank() / Size;
    }
    __WS_DEVICE_MEMBER static unsigned int warp()
    {
        return thread_block::thread_rank() / 32;
    }

  public:
    static constexpr unsigned int __warps = Size / 32;

    /* Called by the whole block, as partitions are. */
    __WS_DEVICE_MEMBER static void __begin()
    {
        __syncthreads();
        if (thread_block::thread_rank() % Size == 0)
            memory()->arrived[tile()] = 0;
        __syncthreads();
    }
    __WS_DEVICE_MEMBER static void sync()
    {
        __syncwarp();
        if (__lane_id() == 0) {
            unsigned int *arrived = &memory()->arrived[tile()];
            __threadfence_block();
            unsigned int before = atomicAdd(arrived, warp() % __warps == 0
                                                         ? 0x80000000u - (__warps - 1)
                                                         : 1u);
            while (((atomicOr(arrived, 0) ^ before) & 0x80000000u) == 0)
                ;
            __threadfence_block();
        }
        __syncwarp();
    }
    /*
     * Each warp gives the value of its lane 0; what(value, warp) is then called with that of each warp
     * of the tile in turn, in all threads.
     */
    template <typename T, typename What> __WS_DEVICE_MEMBER static void __exchange(T value, What what)
    {
        constexpr unsigned int words = (sizeof(T) + 7) / 8;
        union whole {
            T value;
            unsigned long long word[words];
            __WS_DEVICE_MEMBER whole()
            {
            }
        } own, all[__warps];
        own.word[words - 1] = 0;
        own.value = value;
        const unsigned int first = warp() / __warps * __warps;
        for (unsigned int i = 0; i < words; i++) {
            if (__lane_id() == 0)
                memory()->values[warp()] = own.word[i];
            sync();
            for (unsigned int j = 0; j < __warps; j++)
                all[j].word[i] = memory()->values[first + j];
            sync();
        }
        for (unsigned int j = 0; j < __warps; j++)
            what(all[j].value, j);
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
    /* `rank` is the same in all threads of a warp at least. */
    template <typename T> __WS_DEVICE_MEMBER static T shfl(T value, unsigned int rank)
    {
        T result = value;
        __exchange(__shfl_sync(0xffffffffu, value, (int)(rank % 32)),
                   [&](const T &one, unsigned int warp) __attribute__((device, always_inline, nodebug)) {
                       if (warp == rank / 32)
                           result = one;
                   });
        return result;
    }
    __WS_DEVICE_MEMBER static int any(int predicate)
    {
        int result = 0;
        __exchange(__any_sync(0xffffffffu, predicate),
                   [&](int one, unsigned int) __attribute__((device, always_inline, nodebug)) { result |= one; });
        return result;
    }
    __WS_DEVICE_MEMBER static int all(int predicate)
    {
        int result = 1;
        __exchange(__all_sync(0xffffffffu, predicate),
                   [&](int one, unsigned int) __attribute__((device, always_inline, nodebug)) { result &= one; });
        return result;
    }
};

} // namespace detail
} // namespace cooperative_groups

#endif
