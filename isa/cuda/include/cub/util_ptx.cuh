/* CUB's names for the numbers of a thread and for barriers. */
#pragma once
#include "util_type.cuh"

namespace cub
{
__WS_DEVICE unsigned int LaneId()
{
    return __lane_id();
}
__WS_DEVICE unsigned int WarpId()
{
    unsigned int number;
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(number));
    return number;
}
__WS_DEVICE unsigned int LaneMaskLt()
{
    return (1u << __lane_id()) - 1;
}
__WS_DEVICE unsigned int LaneMaskLe()
{
    return (2u << __lane_id()) - 1;
}
__WS_DEVICE unsigned int LaneMaskGt()
{
    return ~LaneMaskLe();
}
__WS_DEVICE unsigned int LaneMaskGe()
{
    return ~LaneMaskLt();
}
__WS_DEVICE int RowMajorTid(int x, int y, int)
{
    return (threadIdx.z * y + threadIdx.y) * x + threadIdx.x;
}
__WS_DEVICE void CTA_SYNC()
{
    __syncthreads();
}
__WS_DEVICE void WARP_SYNC(unsigned int mask)
{
    __syncwarp(mask);
}
template <typename T>
__WS_DEVICE_MEMBER unsigned int BFE(T source, unsigned int from, unsigned int count)
{
    return (unsigned int)(source >> from) & (unsigned int)((1ull << count) - 1);
}

namespace detail
{
/* Shuffles of any type that can be copied, in groups of Width lanes, a power of two. */
#define __WS_SHUFFLE(name, shuffle)                                                                \
    template <int Width, typename T>                                                               \
    __WS_DEVICE_MEMBER T name(const T &value, int by, unsigned int mask)                           \
    {                                                                                              \
        words_of<T> words(value);                                                                  \
        _Pragma("unroll") for (int i = 0; i < words_of<T>::count; i++) words.word[i] =             \
            shuffle(mask, words.word[i], by, Width);                                               \
        return words.get(value);                                                                   \
    }
__WS_SHUFFLE(shuffle_down, __shfl_down_sync)
__WS_SHUFFLE(shuffle_up, __shfl_up_sync)
__WS_SHUFFLE(shuffle_index, __shfl_sync)
#undef __WS_SHUFFLE

/* The lanes of this thread's logical warp. */
template <int Width> __WS_DEVICE_MEMBER unsigned int logical_warp_mask()
{
    static_assert(Width >= 1 && Width <= 32, "a logical warp has 1 to 32 threads");
    if (Width == 32)
        return 0xffffffffu;
    unsigned int low = (1u << (Width & 31)) - 1;
    return low << (__lane_id() / Width * Width);
}
template <int Width> __WS_DEVICE_MEMBER int logical_lane()
{
    return Width == 32 ? __lane_id() : __lane_id() % Width;
}
constexpr bool is_power_of_two(int x)
{
    return (x & (x - 1)) == 0;
}
} // namespace detail

template <int LOGICAL_WARP_THREADS, int ARCH = 0>
__WS_DEVICE_MEMBER unsigned int WarpMask(unsigned int warp)
{
    unsigned int all =
        LOGICAL_WARP_THREADS == 32 ? 0xffffffffu : (1u << (LOGICAL_WARP_THREADS & 31)) - 1;
    return LOGICAL_WARP_THREADS == 32 || !detail::is_power_of_two(LOGICAL_WARP_THREADS)
               ? all
               : all << (warp * LOGICAL_WARP_THREADS);
}
template <int LOGICAL_WARP_THREADS, typename T>
__WS_DEVICE_MEMBER T ShuffleUp(T input, int by, int, unsigned int mask)
{
    return detail::shuffle_up<LOGICAL_WARP_THREADS>(input, by, mask);
}
template <int LOGICAL_WARP_THREADS, typename T>
__WS_DEVICE_MEMBER T ShuffleDown(T input, int by, int, unsigned int mask)
{
    return detail::shuffle_down<LOGICAL_WARP_THREADS>(input, by, mask);
}
template <int LOGICAL_WARP_THREADS, typename T>
__WS_DEVICE_MEMBER T ShuffleIndex(T input, int lane, unsigned int mask)
{
    return detail::shuffle_index<LOGICAL_WARP_THREADS>(input, lane, mask);
}
} // namespace cub
