/* Cooperative groups: inclusive_scan() and exclusive_scan(), by shuffles. */
#ifndef WARPSTEP_GROUPS_SCAN_H
#define WARPSTEP_GROUPS_SCAN_H

#include "warpstep/groups/operators.h"
#include "warpstep/groups/partitions.h"
#include "warpstep/groups/update.h"

namespace cooperative_groups
{
namespace detail
{

/* Group: a tile of a warp or a coalesced group. */
template <typename Group, typename T, typename Op>
static __WS_DEVICE_MEMBER T scan_in(const Group &group, T value, Op op)
{
    const unsigned int rank = group.thread_rank();
    for (unsigned int by = 1; by < group.size(); by *= 2) {
        T other = group.shfl_up(value, by);
        if (rank >= by)
            value = op(other, value);
    }
    return value;
}
template <typename Group, typename T, typename Op>
static __WS_DEVICE_MEMBER T exclusive_in(const Group &group, T value, Op op)
{
    T before = group.shfl_up(scan_in(group, value, op), 1);
    return group.thread_rank() == 0 ? T() : before;
}

/* The sum of the warps in front, and whether there are any. */
template <unsigned int Size, typename T, typename Op>
static __WS_DEVICE_MEMBER bool sum_of_warps(T total, Op op, T *sum)
{
    const unsigned int own = wide_tile<Size>::thread_rank() / 32;
    wide_tile<Size>::__exchange(
        total, [&](const T &one, unsigned int warp) __attribute__((device, always_inline, nodebug)) {
            if (warp < own)
                *sum = warp == 0 ? one : op(*sum, one);
        });
    return own > 0;
}
template <unsigned int Size, typename T, typename Op>
static __WS_DEVICE_MEMBER T scan_in(const wide_tile<Size> &, T value, Op op)
{
    const warp_tile<32> warp;
    T sum = value, result = scan_in(warp, value, op);
    return sum_of_warps<Size>(warp.shfl(result, 31), op, &sum) ? op(sum, result) : result;
}
template <unsigned int Size, typename T, typename Op>
static __WS_DEVICE_MEMBER T exclusive_in(const wide_tile<Size> &, T value, Op op)
{
    const warp_tile<32> warp;
    T sum = T(), inclusive = scan_in(warp, value, op);
    const T before = warp.shfl_up(inclusive, 1);
    const bool first = !sum_of_warps<Size>(warp.shfl(inclusive, 31), op, &sum);
    return __lane_id() == 0 ? sum : first ? before : op(sum, before);
}

/* The class that says how a group scans: a thread_block_tile is of its base. */
template <unsigned int Size> static __WS_DEVICE_MEMBER const warp_tile<Size> &
as_scanned(const warp_tile<Size> &tile)
{
    return tile;
}
template <unsigned int Size> static __WS_DEVICE_MEMBER const wide_tile<Size> &
as_scanned(const wide_tile<Size> &tile)
{
    return tile;
}
static __WS_DEVICE_MEMBER const coalesced_group &as_scanned(const coalesced_group &group)
{
    return group;
}

} // namespace detail

template <typename Group, typename T, typename Op>
static __WS_DEVICE_MEMBER auto inclusive_scan(const Group &group, T value, Op op)
    -> std::decay_t<decltype(op(value, value))>
{
    typedef std::decay_t<decltype(op(value, value))> result;
    return detail::scan_in(detail::as_scanned(group), (result)value, op);
}
template <typename Group, typename T>
static __WS_DEVICE_MEMBER T inclusive_scan(const Group &group, T value)
{
    return inclusive_scan(group, value, plus<T>());
}
/* The first thread of the group has T(): there is nothing in front of it. */
template <typename Group, typename T, typename Op>
static __WS_DEVICE_MEMBER auto exclusive_scan(const Group &group, T value, Op op)
    -> std::decay_t<decltype(op(value, value))>
{
    typedef std::decay_t<decltype(op(value, value))> result;
    return detail::exclusive_in(detail::as_scanned(group), (result)value, op);
}
template <typename Group, typename T>
static __WS_DEVICE_MEMBER T exclusive_scan(const Group &group, T value)
{
    return exclusive_scan(group, value, plus<T>());
}

/* Behind what the atomic had, to which the sum of all is added. */
template <typename Group, typename Atomic, typename T, typename Op>
static __WS_DEVICE_MEMBER T inclusive_scan_update(const Group &group, Atomic &atomic, T value, Op op)
{
    const T scanned = inclusive_scan(group, value, op);
    T old = scanned;
    if (group.thread_rank() == group.size() - 1)
        old = detail::update(atomic, scanned, op);
    return op(group.shfl(old, group.size() - 1), scanned);
}
template <typename Group, typename Atomic, typename T>
static __WS_DEVICE_MEMBER T inclusive_scan_update(const Group &group, Atomic &atomic, T value)
{
    return inclusive_scan_update(group, atomic, value, plus<T>());
}
template <typename Group, typename Atomic, typename T, typename Op>
static __WS_DEVICE_MEMBER T exclusive_scan_update(const Group &group, Atomic &atomic, T value, Op op)
{
    const T scanned = inclusive_scan(group, value, op);
    T old = scanned;
    if (group.thread_rank() == group.size() - 1)
        old = detail::update(atomic, scanned, op);
    old = group.shfl(old, group.size() - 1);
    const T before = exclusive_scan(group, value, op);
    return group.thread_rank() == 0 ? old : op(old, before);
}
template <typename Group, typename Atomic, typename T>
static __WS_DEVICE_MEMBER T exclusive_scan_update(const Group &group, Atomic &atomic, T value)
{
    return exclusive_scan_update(group, atomic, value, plus<T>());
}

} // namespace cooperative_groups

#endif
