/* Namespace cuda: barrier. */
#ifndef WARPSTEP_LIBCU_BARRIER_H
#define WARPSTEP_LIBCU_BARRIER_H

#include "warpstep/libcu/atomic.h"
#include "warpstep/libcu/copy.h"

namespace cuda
{

namespace detail
{
struct do_nothing {
    __WS_MEMBER void operator()() noexcept
    {
    }
};

/* The lanes of the warp that are here now for the same thing: one of them does it for all. */
struct lanes_together {
    unsigned int mask;
    int leader;

    __WS_DEVICE_MEMBER explicit lanes_together(unsigned long long what)
    {
        const unsigned int here = __activemask();
        mask = __match_any_sync(here, what) & here;
        leader = __ffs((int)mask) - 1;
    }
    __WS_DEVICE_MEMBER bool leads() const
    {
        return (int)__lane_id() == leader;
    }
};
} // namespace detail

/*
 * Who arrives last turns the phase over and fills up the count again. Waiting reads by an atomic, not
 * by a load: so `--check races` knows a flag in shared memory. Of the lanes of a warp that arrive
 * or wait together one does: atomics of all of them would follow each other.
 */
template <thread_scope Scope = thread_scope_system, typename Completion = detail::do_nothing>
class alignas(8) barrier : private Completion
{
    static constexpr unsigned int phase_bit = 0x80000000u;

    unsigned int state;    /* the phase, and how many are still to come in it */
    unsigned int expected; /* in each of the next phases */

    typedef atomic_ref<unsigned int, Scope> reference;

    __WS_MEMBER unsigned int arrive_by(unsigned int count)
    {
        const unsigned int before = reference(state).fetch_sub(count, memory_order_acq_rel);
        if ((before & ~phase_bit) == count) {
            (*static_cast<Completion *>(this))();
            reference(state).exchange((~before & phase_bit) | expected, memory_order_release);
        }
        return before & phase_bit;
    }
    __WS_MEMBER void wait_while(unsigned int present) const
    {
#ifdef __CUDA_ARCH__
        const detail::lanes_together lanes((unsigned long long)this | present >> 31);
        if (lanes.leads())
            while (phase() == present)
                ;
        __syncwarp(lanes.mask);
#else
        while (phase() == present)
            ;
#endif
    }
    __WS_MEMBER unsigned int phase() const
    {
        return reference(const_cast<unsigned int &>(state)).fetch_or(0, memory_order_acquire) &
               phase_bit;
    }

  public:
    class arrival_token
    {
        friend class barrier;
        unsigned int phase;
    };

    /* No value, so that it may be a __shared__ variable: init() gives it one. */
    barrier() = default;
    __WS_MEMBER constexpr explicit barrier(::ptrdiff_t count, Completion completion = Completion())
        : Completion(completion), state((unsigned int)count), expected((unsigned int)count)
    {
    }
    barrier(const barrier &) = delete;
    barrier &operator=(const barrier &) = delete;

    friend __WS_MEMBER void init(barrier *at, ::ptrdiff_t count,
                                 Completion completion = Completion())
    {
        ::new ((void *)at) barrier(count, completion);
    }
    static constexpr __WS_MEMBER ::ptrdiff_t max() noexcept
    {
        return (1 << 20) - 1;
    }
    __WS_MEMBER arrival_token arrive(::ptrdiff_t count = 1)
    {
        arrival_token token;
#ifdef __CUDA_ARCH__
        const detail::lanes_together lanes((unsigned long long)this | (count == 1));
        if (count == 1) {
            token.phase = 0;
            if (lanes.leads())
                token.phase = arrive_by(__popc(lanes.mask));
            token.phase = __shfl_sync(lanes.mask, token.phase, lanes.leader);
            return token;
        }
#endif
        token.phase = arrive_by((unsigned int)count);
        return token;
    }
    __WS_MEMBER bool try_wait(const arrival_token &token) const
    {
        return phase() != token.phase;
    }
    __WS_MEMBER void wait(arrival_token &&token) const
    {
        wait_while(token.phase);
    }
    /* Phases count from 0; `odd` says which of the present one and the one before it is meant. */
    __WS_MEMBER bool try_wait_parity(bool odd) const
    {
        return (phase() != 0) != odd;
    }
    __WS_MEMBER void wait_parity(bool odd) const
    {
        wait_while(odd ? phase_bit : 0);
    }
    __WS_MEMBER void arrive_and_wait()
    {
        wait(arrive());
    }
    __WS_MEMBER void arrive_and_drop()
    {
        reference(expected).fetch_sub(1, memory_order_relaxed);
        (void)arrive();
    }
};

/* Copies are complete when the call returns; the arrival that follows tells the others. */
template <typename T, typename Shape, thread_scope Scope, typename Completion>
static __WS_DEVICE_MEMBER void memcpy_async(T *to, const T *from, Shape bytes,
                                            barrier<Scope, Completion> &)
{
    detail::copy(to, from, bytes, 0, 1);
}
template <typename Group, typename T, typename Shape, thread_scope Scope, typename Completion>
static __WS_DEVICE_MEMBER void memcpy_async(const Group &group, T *to, const T *from, Shape bytes,
                                            barrier<Scope, Completion> &)
{
    detail::copy(to, from, bytes, group.thread_rank(), group.size());
}

namespace std
{
template <typename Completion = cuda::detail::do_nothing>
using barrier = cuda::barrier<thread_scope_system, Completion>;
} // namespace std

} // namespace cuda

#endif
