/* Namespace cuda: scopes and orders, and fences by them. */
#ifndef WARPSTEP_LIBCU_MEMORY_ORDER_H
#define WARPSTEP_LIBCU_MEMORY_ORDER_H

#include "warpstep/libcu/cuda_std.h"

namespace cuda
{

enum thread_scope {
    thread_scope_system,
    thread_scope_device,
    thread_scope_block,
    thread_scope_thread = 10
};

namespace std
{
enum class memory_order : int { relaxed, consume, acquire, release, acq_rel, seq_cst };
constexpr memory_order memory_order_relaxed = memory_order::relaxed;
constexpr memory_order memory_order_consume = memory_order::consume;
constexpr memory_order memory_order_acquire = memory_order::acquire;
constexpr memory_order memory_order_release = memory_order::release;
constexpr memory_order memory_order_acq_rel = memory_order::acq_rel;
constexpr memory_order memory_order_seq_cst = memory_order::seq_cst;
} // namespace std

using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

namespace detail
{

__WS_BOTH void fence(thread_scope scope)
{
#ifdef __CUDA_ARCH__
    if (scope == thread_scope_system)
        __threadfence_system();
    else if (scope == thread_scope_device)
        __threadfence();
    else if (scope == thread_scope_block)
        __threadfence_block();
#else
    (void)scope;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}
/* Loads and stores themselves are relaxed: what an order asks for is a fence in front or behind. */
__WS_BOTH void fence_before(memory_order order, thread_scope scope)
{
    if (order >= memory_order::release)
        fence(scope);
}
__WS_BOTH void fence_behind(memory_order order, thread_scope scope)
{
    if (order != memory_order::relaxed && order != memory_order::release)
        fence(scope);
}

} // namespace detail

__WS_BOTH void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system)
{
    if (order != memory_order::relaxed)
        detail::fence(scope);
}

namespace std
{
__WS_BOTH void atomic_thread_fence(memory_order order)
{
    cuda::atomic_thread_fence(order);
}
} // namespace std

} // namespace cuda

#endif
