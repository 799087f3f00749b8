/* Cooperative groups: a group's result goes into a cuda::atomic, by one of its threads. */
#ifndef WARPSTEP_GROUPS_UPDATE_H
#define WARPSTEP_GROUPS_UPDATE_H

#include "warpstep/groups/operators.h"
#include "warpstep/libcu/memory_order.h"

namespace cooperative_groups
{
namespace detail
{

/* What was there. */
template <typename Atomic, typename T, typename Op>
static __WS_DEVICE_MEMBER T update(Atomic &atomic, T value, Op op)
{
    T old = atomic.load(cuda::memory_order_relaxed);
    while (!atomic.compare_exchange_weak(old, op(old, value), cuda::memory_order_relaxed))
        ;
    return old;
}
template <typename Atomic, typename T>
static __WS_DEVICE_MEMBER T update(Atomic &atomic, T value, plus<T>)
{
    return atomic.fetch_add(value, cuda::memory_order_relaxed);
}

} // namespace detail
} // namespace cooperative_groups

#endif
