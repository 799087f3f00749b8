/* Namespace cuda: counting_semaphore and binary_semaphore. */
#ifndef WARPSTEP_LIBCU_SEMAPHORE_H
#define WARPSTEP_LIBCU_SEMAPHORE_H

#include "warpstep/libcu/atomic.h"

namespace cuda
{

template <thread_scope Scope = thread_scope_system, ::ptrdiff_t Most = 0x7fffffff>
class counting_semaphore
{
    int free;

    typedef atomic_ref<int, Scope> reference;

  public:
    counting_semaphore() = default;
    __WS_MEMBER constexpr explicit counting_semaphore(::ptrdiff_t count) : free((int)count)
    {
    }
    counting_semaphore(const counting_semaphore &) = delete;
    counting_semaphore &operator=(const counting_semaphore &) = delete;

    static constexpr __WS_MEMBER ::ptrdiff_t max() noexcept
    {
        return Most;
    }
    __WS_MEMBER void release(::ptrdiff_t count = 1)
    {
        reference(free).fetch_add((int)count, memory_order_release);
    }
    __WS_MEMBER bool try_acquire()
    {
        int now = reference(free).fetch_or(0, memory_order_relaxed);
        return now > 0 && reference(free).compare_exchange_strong(now, now - 1, memory_order_acquire,
                                                                  memory_order_relaxed);
    }
    __WS_MEMBER void acquire()
    {
        while (!try_acquire())
            ;
    }
};

template <thread_scope Scope = thread_scope_system>
using binary_semaphore = counting_semaphore<Scope, 1>;

namespace std
{
template <::ptrdiff_t Most = 0x7fffffff>
using counting_semaphore = cuda::counting_semaphore<thread_scope_system, Most>;
typedef counting_semaphore<1> binary_semaphore;
} // namespace std

} // namespace cuda

#endif
