/* cub::WarpScan: prefixes over the lanes of a logical warp by shuffles. */
#pragma once
#include "../thread/thread_reduce.cuh"
#include "../util_ptx.cuh"

namespace cub
{

template <typename T, int LOGICAL_WARP_THREADS = 32, int ARCH = 0> class WarpScan
{
    enum {
        SHUFFLE_WIDTH = detail::is_power_of_two(LOGICAL_WARP_THREADS) ? LOGICAL_WARP_THREADS : 32
    };
    unsigned int mask;
    int lane;

    template <typename Op> __WS_DEVICE_MEMBER T inclusive(T value, Op op)
    {
#pragma unroll
        for (int by = 1; by < LOGICAL_WARP_THREADS; by *= 2) {
            T other = detail::shuffle_up<SHUFFLE_WIDTH>(value, by, mask);
            if (lane >= by)
                value = op(other, value);
        }
        return value;
    }
    __WS_DEVICE_MEMBER T from_lane(T value, int source)
    {
        return detail::shuffle_index<32>(value, (int)__lane_id() - lane + source, mask);
    }
    __WS_DEVICE_MEMBER T before(T inclusive_value)
    {
        return detail::shuffle_up<SHUFFLE_WIDTH>(inclusive_value, 1, mask);
    }

  public:
    typedef NullType TempStorage;

    __WS_DEVICE_MEMBER WarpScan(TempStorage &)
        : mask(detail::logical_warp_mask<LOGICAL_WARP_THREADS>()),
          lane(detail::logical_lane<LOGICAL_WARP_THREADS>())
    {
    }

    template <typename Op> __WS_DEVICE_MEMBER void InclusiveScan(T input, T &output, Op op)
    {
        output = inclusive(input, op);
    }
    template <typename Op>
    __WS_DEVICE_MEMBER void InclusiveScan(T input, T &output, Op op, T &warp_aggregate)
    {
        output = inclusive(input, op);
        warp_aggregate = from_lane(output, LOGICAL_WARP_THREADS - 1);
    }
    /* Without an initial value the output of lane 0 is not defined. */
    template <typename Op> __WS_DEVICE_MEMBER void ExclusiveScan(T input, T &output, Op op)
    {
        output = before(inclusive(input, op));
    }
    template <typename Op>
    __WS_DEVICE_MEMBER void ExclusiveScan(T input, T &output, T initial, Op op)
    {
        T aggregate = input;
        ExclusiveScan(input, output, initial, op, aggregate);
    }
    template <typename Op>
    __WS_DEVICE_MEMBER void ExclusiveScan(T input, T &output, Op op, T &warp_aggregate)
    {
        T all = inclusive(input, op);
        warp_aggregate = from_lane(all, LOGICAL_WARP_THREADS - 1);
        output = before(all);
    }
    /* The aggregate is without the initial value. */
    template <typename Op>
    __WS_DEVICE_MEMBER void ExclusiveScan(T input, T &output, T initial, Op op, T &warp_aggregate)
    {
        T all = inclusive(input, op);
        warp_aggregate = from_lane(all, LOGICAL_WARP_THREADS - 1);
        T previous = before(all);
        output = lane == 0 ? initial : (T)op(initial, previous);
    }
    template <typename Op>
    __WS_DEVICE_MEMBER void Scan(T input, T &inclusive_output, T &exclusive_output, Op op)
    {
        inclusive_output = inclusive(input, op);
        exclusive_output = before(inclusive_output);
    }
    template <typename Op>
    __WS_DEVICE_MEMBER void Scan(T input, T &inclusive_output, T &exclusive_output, T initial,
                                 Op op)
    {
        T all = inclusive(input, op);
        T previous = before(all);
        exclusive_output = lane == 0 ? initial : (T)op(initial, previous);
        inclusive_output = op(initial, all);
    }
    __WS_DEVICE_MEMBER void InclusiveSum(T input, T &output)
    {
        InclusiveScan(input, output, cub::Sum());
    }
    __WS_DEVICE_MEMBER void InclusiveSum(T input, T &output, T &warp_aggregate)
    {
        InclusiveScan(input, output, cub::Sum(), warp_aggregate);
    }
    __WS_DEVICE_MEMBER void ExclusiveSum(T input, T &output)
    {
        ExclusiveScan(input, output, T{}, cub::Sum());
    }
    __WS_DEVICE_MEMBER void ExclusiveSum(T input, T &output, T &warp_aggregate)
    {
        ExclusiveScan(input, output, T{}, cub::Sum(), warp_aggregate);
    }
    __WS_DEVICE_MEMBER T Broadcast(T input, unsigned int source_lane)
    {
        return from_lane(input, (int)source_lane);
    }
};

} // namespace cub
