/* Namespace cuda: latch, a barrier that is used once. */
#ifndef WARPSTEP_LIBCU_LATCH_H
#define WARPSTEP_LIBCU_LATCH_H

#include "warpstep/libcu/atomic.h"

namespace cuda
{

template <thread_scope Scope = thread_scope_system> class latch
{
    int left;

    typedef atomic_ref<int, Scope> reference;

  public:
    latch() = default;
    __WS_MEMBER constexpr explicit latch(::ptrdiff_t count) : left((int)count)
    {
    }
    latch(const latch &) = delete;
    latch &operator=(const latch &) = delete;

    friend __WS_MEMBER void init(latch *at, ::ptrdiff_t count)
    {
        ::new ((void *)at) latch(count);
    }
    __WS_MEMBER void count_down(::ptrdiff_t count = 1)
    {
        reference(left).fetch_sub((int)count, memory_order_release);
    }
    __WS_MEMBER bool try_wait() const
    {
        return reference(const_cast<int &>(left)).fetch_or(0, memory_order_acquire) == 0;
    }
    __WS_MEMBER void wait() const
    {
        while (!try_wait())
            ;
    }
    __WS_MEMBER void arrive_and_wait(::ptrdiff_t count = 1)
    {
        count_down(count);
        wait();
    }
};

namespace std
{
typedef cuda::latch<thread_scope_system> latch;
} // namespace std

} // namespace cuda

#endif
