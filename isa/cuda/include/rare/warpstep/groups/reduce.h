/* Cooperative groups: reduce(), by shuffles. */
#ifndef WARPSTEP_GROUPS_REDUCE_H
#define WARPSTEP_GROUPS_REDUCE_H

#include "warpstep/groups/operators.h"
#include "warpstep/groups/partitions.h"
#include "warpstep/groups/update.h"

namespace cooperative_groups
{
namespace detail
{

template <unsigned int Size, typename T, typename Op>
static __WS_DEVICE_MEMBER T reduce_in(const warp_tile<Size> &tile, T value, Op op)
{
    for (unsigned int by = Size / 2; by > 0; by /= 2)
        value = op(value, tile.shfl_xor(value, by));
    return value;
}
template <unsigned int Size, typename T, typename Op>
static __WS_DEVICE_MEMBER T reduce_in(const wide_tile<Size> &, T value, Op op)
{
    value = reduce_in(warp_tile<32>(), value, op);
    T result = value;
    wide_tile<Size>::__exchange(
        value, [&](const T &one, unsigned int warp)
                   __attribute__((device, always_inline, nodebug)) {
                       result = warp == 0 ? one : op(result, one);
                   });
    return result;
}
/* In the order of ranks, as far as they go; all get the result of the first. */
template <typename T, typename Op>
static __WS_DEVICE_MEMBER T reduce_in(const coalesced_group &group, T value, Op op)
{
    const unsigned int rank = group.thread_rank(), size = group.size();
    for (unsigned int by = 1; by < size; by *= 2) {
        T other = group.shfl_down(value, by);
        if (rank % (2 * by) == 0 && rank + by < size)
            value = op(value, other);
    }
    return group.shfl(value, 0);
}

} // namespace detail

template <typename Group, typename T, typename Op>
static __WS_DEVICE_MEMBER auto reduce(const Group &group, T value, Op op)
    -> std::decay_t<decltype(op(value, value))>
{
    typedef std::decay_t<decltype(op(value, value))> result;
    return detail::reduce_in(group, (result)value, op);
}

/* Complete when they return, as far as the thread is concerned that stores. */
template <typename Group, typename T, typename Op>
static __WS_DEVICE_MEMBER void reduce_store_async(const Group &group, T *to, T value, Op op)
{
    const T result = reduce(group, value, op);
    if (group.thread_rank() == 0)
        *to = result;
}
template <typename Group, typename Atomic, typename T, typename Op>
static __WS_DEVICE_MEMBER void reduce_update_async(const Group &group, Atomic &atomic, T value,
                                                   Op op)
{
    const T result = reduce(group, value, op);
    if (group.thread_rank() == 0)
        (void)detail::update(atomic, result, op);
}

} // namespace cooperative_groups

#endif
