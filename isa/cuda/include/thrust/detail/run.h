/* What Thrust's algorithms are made of: storage on the device, copies, and functions for each
 * index. */
#ifndef WARPSTEP_THRUST_RUN_H
#define WARPSTEP_THRUST_RUN_H

#include "../execution_policy.h"
#include "../functional.h"
#include "../iterator/counting_iterator.h"
#include "../iterator/discard_iterator.h"
#include "../iterator/permutation_iterator.h"
#include "../iterator/transform_iterator.h"
#include "../iterator/zip_iterator.h"

#include <cub/cub.cuh>

/* Calls a device-wide function of CUB with storage of the size it asks for. */
#define __WS_THRUST_CUB(function, ...)                                                             \
    do {                                                                                           \
        size_t bytes = 0;                                                                          \
        thrust::detail::check(function((void *)NULL, bytes, __VA_ARGS__));                         \
        thrust::detail::buffer<char> storage(bytes);                                               \
        thrust::detail::check(function((void *)storage.data, bytes, __VA_ARGS__));                 \
    } while (0)

/* The form of an algorithm without a policy: it runs where the iterators' items are. */
#define __WS_THRUST_WITHOUT_POLICY(name)                                                           \
    template <typename A, typename... Rest, typename = detail::if_no_policy<A>>                    \
    __WS_MEMBER decltype(auto) name(A a, Rest... rest)                                             \
    {                                                                                              \
        return thrust::name(typename detail::policy_of<A, Rest...>::type(), a, rest...);           \
    }

namespace thrust
{
namespace detail
{

/* Memory of the device for a while. */
template <typename T> struct buffer {
    T *data;
    explicit buffer(size_t n) : data(NULL)
    {
        check(cudaMalloc((void **)&data, n == 0 ? 1 : n * sizeof(T)));
    }
    ~buffer()
    {
        cudaFree((void *)data);
    }
    buffer(const buffer &) = delete;
    buffer &operator=(const buffer &) = delete;
};
/* Memory of the host for a while, without constructors. */
template <typename T> struct host_buffer {
    T *data;
    explicit host_buffer(size_t n) : data((T *)malloc(n == 0 ? 1 : n * sizeof(T)))
    {
    }
    ~host_buffer()
    {
        free((void *)data);
    }
    host_buffer(const host_buffer &) = delete;
    host_buffer &operator=(const host_buffer &) = delete;
};

inline void finish(const device_policy &policy)
{
    check(cudaPeekAtLastError());
    if (policy.waits)
        check(cudaStreamSynchronize(policy.stream));
}
__WS_MEMBER void finish(const sequential_policy &)
{
}

/* f(i) for each i below n. */
template <typename Function>
__WS_MEMBER void each_index(const sequential_policy &, ptrdiff_t n, Function f)
{
    for (ptrdiff_t i = 0; i < n; i++)
        f(i);
}
template <typename Function> void each_index(const device_policy &policy, ptrdiff_t n, Function f)
{
    check(cub::detail::launch_for_each_index(n, f, policy.stream));
    finish(policy);
}

template <typename In, typename Out> struct copy_item {
    In in;
    Out out;
    __WS_MEMBER void operator()(ptrdiff_t i)
    {
        out[i] = in[i];
    }
};
template <typename In, typename Out> __WS_MEMBER copy_item<In, Out> copy_items(In in, Out out)
{
    return copy_item<In, Out>{in, out};
}

/* What is at a place of the device. */
template <typename T> inline T read_back(const device_policy &policy, const T *at)
{
    alignas(T) unsigned char bytes[sizeof(T)];
    check(cudaStreamSynchronize(policy.stream));
    check(cudaMemcpy((void *)bytes, (const void *)at, sizeof bytes, cudaMemcpyDeviceToHost));
    return *reinterpret_cast<T *>(bytes);
}

/* Between host and device: n items, by way of memory that cudaMemcpy takes. */
template <bool FROM_DEVICE, bool TO_DEVICE> struct mover {
    template <typename In, typename Out> static void move(In in, ptrdiff_t n, Out out)
    {
        for (ptrdiff_t i = 0; i < n; i++, ++in, ++out)
            *out = *in;
    }
};
template <> struct mover<true, true> {
    template <typename T> static void move(device_ptr<T> in, ptrdiff_t n, device_ptr<T> out)
    {
        check(cudaMemcpy((void *)out.get(), (const void *)in.get(), n * sizeof(T),
                         cudaMemcpyDeviceToDevice));
    }
    template <typename In, typename Out> static void move(In in, ptrdiff_t n, Out out)
    {
        each_index(device_policy(), n, copy_items(unwrap(in), unwrap(out)));
    }
};
template <> struct mover<false, true> {
    template <typename In, typename T> static void move(In in, ptrdiff_t n, device_ptr<T> out)
    {
        host_buffer<T> items(n);
        for (ptrdiff_t i = 0; i < n; i++, ++in)
            new ((void *)(items.data + i)) T(*in);
        check(cudaMemcpy((void *)out.get(), (const void *)items.data, n * sizeof(T),
                         cudaMemcpyHostToDevice));
    }
    template <typename In, typename Out> static void move(In in, ptrdiff_t n, Out out)
    {
        typedef value_of<In> T;
        buffer<T> items(n);
        move(in, n, device_ptr<T>(items.data));
        mover<true, true>::move(device_ptr<T>(items.data), n, out);
    }
};
template <> struct mover<true, false> {
    template <typename T, typename Out> static void move(device_ptr<T> in, ptrdiff_t n, Out out)
    {
        host_buffer<typename std::remove_cv<T>::type> items(n);
        check(cudaMemcpy((void *)items.data, (const void *)in.get(), n * sizeof(T),
                         cudaMemcpyDeviceToHost));
        for (ptrdiff_t i = 0; i < n; i++, ++out)
            *out = items.data[i];
    }
    template <typename In, typename Out> static void move(In in, ptrdiff_t n, Out out)
    {
        typedef value_of<In> T;
        buffer<T> items(n);
        mover<true, true>::move(in, n, device_ptr<T>(items.data));
        move(device_ptr<T>(items.data), n, out);
    }
};
template <typename In, typename Out> void move_items(In in, ptrdiff_t n, Out out)
{
    if (n > 0)
        mover<is_on_device<In>::value, is_on_device<Out>::value>::move(in, n, out);
}
template <typename It> ptrdiff_t count_items(It first, It last)
{
    return std::distance(first, last);
}

} // namespace detail
} // namespace thrust

#endif
