/* cub::WarpExchange: items of a logical warp change places through shared memory. */
#pragma once
#include "../util_ptx.cuh"

namespace cub
{

template <typename T, int ITEMS_PER_THREAD, int LOGICAL_WARP_THREADS = 32, int ARCH = 0>
class WarpExchange
{
    enum { ITEMS = ITEMS_PER_THREAD, LANES = LOGICAL_WARP_THREADS };

  public:
    struct TempStorage {
        Uninitialized<T> items[ITEMS * LANES];
    };

    __WS_DEVICE_MEMBER WarpExchange(TempStorage &storage)
        : temp(storage), lane(detail::logical_lane<LANES>()),
          mask(detail::logical_warp_mask<LANES>())
    {
    }
    template <typename U>
    __WS_DEVICE_MEMBER void BlockedToStriped(const T (&input)[ITEMS_PER_THREAD],
                                             U (&output)[ITEMS_PER_THREAD])
    {
        exchange(input, output, ITEMS, 1, 1, LANES);
    }
    template <typename U>
    __WS_DEVICE_MEMBER void StripedToBlocked(const T (&input)[ITEMS_PER_THREAD],
                                             U (&output)[ITEMS_PER_THREAD])
    {
        exchange(input, output, 1, LANES, ITEMS, 1);
    }
    template <typename Offset>
    __WS_DEVICE_MEMBER void ScatterToStriped(T (&items)[ITEMS_PER_THREAD],
                                             Offset (&ranks)[ITEMS_PER_THREAD])
    {
        ScatterToStriped(items, items, ranks);
    }
    template <typename U, typename Offset>
    __WS_DEVICE_MEMBER void ScatterToStriped(const T (&input)[ITEMS_PER_THREAD],
                                             U (&output)[ITEMS_PER_THREAD],
                                             Offset (&ranks)[ITEMS_PER_THREAD])
    {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            temp.items[ranks[i]].Alias() = input[i];
        read(output, 1, LANES);
    }

  private:
    TempStorage &temp;
    int lane;
    unsigned int mask;

    template <typename U>
    __WS_DEVICE_MEMBER void read(U (&output)[ITEMS_PER_THREAD], int by_lane, int by_item)
    {
        __syncwarp(mask);
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            output[i] = temp.items[lane * by_lane + i * by_item].Alias();
    }
    template <typename U>
    __WS_DEVICE_MEMBER void exchange(const T (&input)[ITEMS_PER_THREAD],
                                     U (&output)[ITEMS_PER_THREAD], int to_lane, int to_item,
                                     int from_lane, int from_item)
    {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            temp.items[lane * to_lane + i * to_item].Alias() = input[i];
        read(output, from_lane, from_item);
    }
};

} // namespace cub
