/* cub::WarpReduce: a tree of shuffles; lane 0 of the logical warp gets the result. */
#pragma once
#include "../thread/thread_reduce.cuh"
#include "../util_ptx.cuh"

namespace cub
{

template <typename T, int LOGICAL_WARP_THREADS = 32, int ARCH = 0> class WarpReduce
{
    enum {
        SHUFFLE_WIDTH = detail::is_power_of_two(LOGICAL_WARP_THREADS) ? LOGICAL_WARP_THREADS : 32
    };
    unsigned int mask;
    int lane;

    /* Combines with the lanes behind, as far as `last`, the lane where the own segment ends. */
    template <typename Op> __WS_DEVICE_MEMBER T reduce_up_to(T value, Op op, int last)
    {
#pragma unroll
        for (int by = 1; by < LOGICAL_WARP_THREADS; by *= 2) {
            T other = detail::shuffle_down<SHUFFLE_WIDTH>(value, by, mask);
            if (lane + by <= last)
                value = op(value, other);
        }
        return value;
    }
    /* The last lane of the own segment: `ends` has a bit for each lane that ends one. */
    __WS_DEVICE_MEMBER int segment_end(unsigned int ends)
    {
        int first = (int)__lane_id() - lane;
        ends = ((ends & mask) >> first) & (~0u << lane);
        return ends != 0 ? __ffs((int)ends) - 1 : LOGICAL_WARP_THREADS - 1;
    }

  public:
    typedef NullType TempStorage;

    __WS_DEVICE_MEMBER WarpReduce(TempStorage &)
        : mask(detail::logical_warp_mask<LOGICAL_WARP_THREADS>()),
          lane(detail::logical_lane<LOGICAL_WARP_THREADS>())
    {
    }
    template <typename Op> __WS_DEVICE_MEMBER T Reduce(T input, Op op)
    {
        return reduce_up_to(input, op, LOGICAL_WARP_THREADS - 1);
    }
    template <typename Op> __WS_DEVICE_MEMBER T Reduce(T input, Op op, int valid_items)
    {
        return reduce_up_to(input, op, valid_items - 1);
    }
    __WS_DEVICE_MEMBER T Sum(T input)
    {
        return Reduce(input, cub::Sum());
    }
    __WS_DEVICE_MEMBER T Sum(T input, int valid_items)
    {
        return Reduce(input, cub::Sum(), valid_items);
    }
    __WS_DEVICE_MEMBER T Max(T input)
    {
        return Reduce(input, cub::Max());
    }
    __WS_DEVICE_MEMBER T Max(T input, int valid_items)
    {
        return Reduce(input, cub::Max(), valid_items);
    }
    __WS_DEVICE_MEMBER T Min(T input)
    {
        return Reduce(input, cub::Min());
    }
    __WS_DEVICE_MEMBER T Min(T input, int valid_items)
    {
        return Reduce(input, cub::Min(), valid_items);
    }
    template <typename Flag, typename Op>
    __WS_DEVICE_MEMBER T HeadSegmentedReduce(T input, Flag head_flag, Op op)
    {
        return reduce_up_to(input, op,
                            segment_end(__ballot_sync(mask, (bool)head_flag && lane != 0) >> 1));
    }
    template <typename Flag, typename Op>
    __WS_DEVICE_MEMBER T TailSegmentedReduce(T input, Flag tail_flag, Op op)
    {
        return reduce_up_to(input, op, segment_end(__ballot_sync(mask, (bool)tail_flag)));
    }
    template <typename Flag> __WS_DEVICE_MEMBER T HeadSegmentedSum(T input, Flag head_flag)
    {
        return HeadSegmentedReduce(input, head_flag, cub::Sum());
    }
    template <typename Flag> __WS_DEVICE_MEMBER T TailSegmentedSum(T input, Flag tail_flag)
    {
        return TailSegmentedReduce(input, tail_flag, cub::Sum());
    }
};

} // namespace cub
