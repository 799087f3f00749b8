/*
 * Where an algorithm runs: on the device, or in this thread. thrust::device in a kernel is not
 * here: use thrust::seq there.
 */
#ifndef WARPSTEP_THRUST_EXECUTION_POLICY_H
#define WARPSTEP_THRUST_EXECUTION_POLICY_H

#include "device_ptr.h"
#include "tuple.h"

#include <iterator>

namespace thrust
{

struct host_system_tag {
};
struct device_system_tag {
};
struct any_system_tag {
};
struct input_device_iterator_tag {
};

namespace detail
{
struct policy {
};
/* In this thread, of the host or of a kernel. */
struct sequential_policy : policy {
    static constexpr bool on_device = false;
};
struct device_policy : policy {
    static constexpr bool on_device = true;
    cudaStream_t stream;
    bool waits;
    __WS_MEMBER constexpr explicit device_policy(cudaStream_t a_stream = 0, bool a_waits = true)
        : stream(a_stream), waits(a_waits)
    {
    }
    __WS_MEMBER device_policy on(cudaStream_t a_stream) const
    {
        return device_policy(a_stream, waits);
    }
    /* Allocators are not asked: storage is cudaMalloc's. */
    template <typename Allocator> __WS_MEMBER device_policy operator()(const Allocator &) const
    {
        return *this;
    }
};
template <typename P> using is_policy = std::is_base_of<policy, P>;
template <typename P> using if_policy = typename std::enable_if<is_policy<P>::value>::type;
template <typename P> using if_no_policy = typename std::enable_if<!is_policy<P>::value>::type;

/* Whether an iterator's items are on the device. The iterators of thrust/iterator/ add to this. */
template <typename T> struct is_on_device : std::false_type {
};
template <typename T> struct is_on_device<device_ptr<T>> : std::true_type {
};
template <typename... T> struct any_on_device : std::false_type {
};
template <typename T, typename... Rest>
struct any_on_device<T, Rest...>
    : std::integral_constant<bool, is_on_device<T>::value || any_on_device<Rest...>::value> {
};
template <typename... T> struct policy_of {
    typedef typename std::conditional<any_on_device<T...>::value, device_policy,
                                      sequential_policy>::type type;
};

/* The iterator that a kernel uses: pointers instead of device_ptr. */
template <typename It> __WS_MEMBER It unwrap(const It &it)
{
    return it;
}
template <typename T> __WS_MEMBER T *unwrap(const device_ptr<T> &pointer)
{
    return pointer.get();
}

template <typename It> using value_of = typename std::iterator_traits<It>::value_type;
} // namespace detail

static constexpr detail::device_policy device;
static constexpr detail::sequential_policy host;
static constexpr detail::sequential_policy seq;

namespace cuda
{
static constexpr detail::device_policy par;
static constexpr detail::device_policy par_nosync(0, false);
} // namespace cuda
namespace cuda_cub
{
using cuda::par;
using cuda::par_nosync;
} // namespace cuda_cub

template <typename It> struct iterator_value {
    typedef typename std::iterator_traits<It>::value_type type;
};
template <typename It> struct iterator_reference {
    typedef typename std::iterator_traits<It>::reference type;
};
template <typename It> struct iterator_difference {
    typedef typename std::iterator_traits<It>::difference_type type;
};
template <typename It>
__WS_MEMBER typename std::iterator_traits<It>::difference_type distance(It first, It last)
{
    return last - first;
}
template <typename It, typename N> __WS_MEMBER void advance(It &it, N n)
{
    it += n;
}
template <typename It> __WS_MEMBER It next(It it, ptrdiff_t n = 1)
{
    return it + n;
}

} // namespace thrust

#endif
