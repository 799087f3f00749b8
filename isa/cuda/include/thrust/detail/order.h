/* Thrust's algorithms that change which items there are, and in which order. */
#ifndef WARPSTEP_THRUST_ORDER_H
#define WARPSTEP_THRUST_ORDER_H

#include "elements.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace thrust
{
namespace detail
{

/* Orders for which numbers are sorted by their bits: 1 rising, -1 falling, 0 others. */
template <typename Less> struct order_of : std::integral_constant<int, 0> {
};
template <typename T> struct order_of<less<T>> : std::integral_constant<int, 1> {
};
template <typename T> struct order_of<std::less<T>> : std::integral_constant<int, 1> {
};
template <typename T> struct order_of<greater<T>> : std::integral_constant<int, -1> {
};
template <typename T> struct order_of<std::greater<T>> : std::integral_constant<int, -1> {
};

template <typename T> struct as_pointer {
    static constexpr bool value = false;
};
template <typename T> struct as_pointer<T *> {
    static constexpr bool value = !std::is_const<T>::value;
};

/* Sorts arrays of the device in their place; V is cub::NullType where there are keys alone. */
template <typename K, typename V, typename Less>
void sort_arrays(const device_policy &policy, K *keys, V *values, ptrdiff_t n, Less less)
{
    constexpr bool has = !std::is_same<V, cub::NullType>::value;
    buffer<K> other_keys(n);
    buffer<V> other_values(has ? n : 0);
    if constexpr (std::is_arithmetic<K>::value && order_of<Less>::value != 0) {
        cub::DoubleBuffer<K> k(keys, other_keys.data);
        cub::DoubleBuffer<V> v(values, other_values.data);
        cudaStream_t stream = policy.stream;
        if constexpr (has && order_of<Less>::value > 0)
            __WS_THRUST_CUB(cub::DeviceRadixSort::SortPairs, k, v, (long long)n, 0,
                            (int)sizeof(K) * 8, stream);
        else if constexpr (has)
            __WS_THRUST_CUB(cub::DeviceRadixSort::SortPairsDescending, k, v, (long long)n, 0,
                            (int)sizeof(K) * 8, stream);
        else if constexpr (order_of<Less>::value > 0)
            __WS_THRUST_CUB(cub::DeviceRadixSort::SortKeys, k, (long long)n, 0, (int)sizeof(K) * 8,
                            stream);
        else
            __WS_THRUST_CUB(cub::DeviceRadixSort::SortKeysDescending, k, (long long)n, 0,
                            (int)sizeof(K) * 8, stream);
        if (k.Current() != keys)
            check(cudaMemcpyAsync((void *)keys, (const void *)k.Current(), n * sizeof(K),
                                  cudaMemcpyDeviceToDevice, stream));
        if (has && k.Current() != keys)
            check(cudaMemcpyAsync((void *)values, (const void *)v.Current(), n * sizeof(V),
                                  cudaMemcpyDeviceToDevice, stream));
    } else {
        check(cub::detail::merge_sort(keys, values, other_keys.data, other_values.data,
                                      (long long)n, less, policy.stream));
    }
    check(cudaStreamSynchronize(policy.stream));
}
/* What is no pointer is sorted in an array of its own. */
template <typename It, typename F>
void with_array(const device_policy &policy, It it, ptrdiff_t n, F f)
{
    if constexpr (as_pointer<It>::value) {
        f(it);
    } else {
        buffer<value_of<It>> array(n);
        each_index(policy, n, copy_items(it, array.data));
        f(array.data);
        each_index(policy, n, copy_items(array.data, it));
    }
}
/* Values beside keys that have none. */
struct no_values {
    typedef cub::NullType value_type, reference, *pointer;
    typedef ptrdiff_t difference_type;
    typedef std::random_access_iterator_tag iterator_category;
    __WS_MEMBER cub::NullType operator[](ptrdiff_t) const
    {
        return cub::NullType();
    }
};
/* In a kernel: by insertion, which keeps equal items in order. */
template <typename K, typename V, typename Less>
__WS_MEMBER void insertion_sort(K keys, V values, ptrdiff_t n, Less less)
{
    for (ptrdiff_t i = 1; i < n; i++) {
        value_of<K> key = keys[i];
        value_of<V> value = values[i];
        ptrdiff_t k = i;
        for (; k > 0 && less(key, keys[k - 1]); k--) {
            keys[k] = keys[k - 1];
            values[k] = values[k - 1];
        }
        keys[k] = key;
        values[k] = value;
    }
}
template <typename Less> struct less_of_first {
    Less less;
    template <typename T> bool operator()(const T &a, const T &b)
    {
        return less(a.first, b.first);
    }
};
template <typename K, typename V, typename Less>
void sort_on_host(K keys, V values, ptrdiff_t n, Less less)
{
    std::vector<std::pair<value_of<K>, value_of<V>>> all;
    for (ptrdiff_t i = 0; i < n; i++)
        all.emplace_back(keys[i], values[i]);
    std::stable_sort(all.begin(), all.end(), less_of_first<Less>{less});
    for (ptrdiff_t i = 0; i < n; i++) {
        keys[i] = all[i].first;
        values[i] = all[i].second;
    }
}

/* Which items stay: for cub's selection, and for loops. */
template <typename S, typename C> struct stays {
    S stencil;
    C chosen;
    bool negated;
    __WS_MEMBER bool operator()(long long i)
    {
        return (bool)chosen(stencil[i]) != negated;
    }
};
template <typename It, typename Equal> struct is_first {
    It it;
    Equal equal;
    __WS_MEMBER bool operator()(long long i)
    {
        return i == 0 || !equal(it[i - 1], it[i]);
    }
};
/* Copies the items that stay to another array; returns how many. */
template <typename P, typename Chosen, typename In, typename Out>
__WS_MEMBER ptrdiff_t select(const P &policy, Chosen chosen, In in, ptrdiff_t n, Out out)
{
    if constexpr (P::on_device) {
        if (n == 0)
            return 0;
        buffer<long long> count(1);
        __WS_THRUST_CUB(cub::detail::select<false>, chosen, in, out, count.data, (long long)n,
                        policy.stream);
        return (ptrdiff_t)read_back(policy, count.data);
    } else {
        ptrdiff_t count = 0;
        for (ptrdiff_t i = 0; i < n; i++)
            if (chosen(i))
                out[count++] = in[i];
        return count;
    }
}
/* The same in place. */
template <typename P, typename Chosen, typename It>
__WS_MEMBER ptrdiff_t select_in_place(const P &policy, Chosen chosen, It it, ptrdiff_t n)
{
    if constexpr (P::on_device) {
        buffer<value_of<It>> rest(n);
        ptrdiff_t count = select(policy, chosen, it, n, rest.data);
        each_index(policy, count, copy_items(rest.data, it));
        return count;
    } else {
        return select(policy, chosen, it, n, it);
    }
}
/* In a loop in place, items before i may have moved: the one before is kept. */
template <typename It, typename Equal>
__WS_MEMBER ptrdiff_t unique_loop(It it, ptrdiff_t n, Equal equal)
{
    ptrdiff_t count = 0;
    for (ptrdiff_t i = 0; i < n; i++) {
        value_of<It> item = it[i];
        if (count == 0 || !equal(it[count - 1], item))
            it[count++] = item;
    }
    return count;
}
} // namespace detail

template <typename P, typename Keys, typename Values, typename Less,
          typename = detail::if_policy<P>>
__WS_MEMBER void stable_sort_by_key(const P &policy, Keys first, Keys last, Values values,
                                    Less less)
{
    ptrdiff_t n = last - first;
    if constexpr (P::on_device) {
        if (n > 1)
            detail::with_array(policy, detail::unwrap(first), n, [&](auto *k) {
                detail::with_array(policy, detail::unwrap(values), n,
                                   [&](auto *v) { detail::sort_arrays(policy, k, v, n, less); });
            });
    } else {
#ifdef __CUDA_ARCH__
        detail::insertion_sort(first, values, n, less);
#else
        detail::sort_on_host(first, values, n, less);
#endif
    }
}
template <typename P, typename It, typename Less, typename = detail::if_policy<P>>
__WS_MEMBER void stable_sort(const P &policy, It first, It last, Less less)
{
    ptrdiff_t n = last - first;
    if constexpr (P::on_device) {
        if (n > 1)
            detail::with_array(policy, detail::unwrap(first), n, [&](auto *k) {
                detail::sort_arrays(policy, k, (cub::NullType *)NULL, n, less);
            });
    } else {
#ifdef __CUDA_ARCH__
        detail::insertion_sort(first, detail::no_values(), n, less);
#else
        detail::sort_on_host(first, detail::no_values(), n, less);
#endif
    }
}
template <typename P, typename It, typename Less, typename = detail::if_policy<P>>
__WS_MEMBER void sort(const P &policy, It first, It last, Less less)
{
    thrust::stable_sort(policy, first, last, less);
}
template <typename P, typename It, typename = detail::if_policy<P>>
__WS_MEMBER void sort(const P &policy, It first, It last)
{
    thrust::stable_sort(policy, first, last, less<detail::value_of<It>>());
}
template <typename P, typename It, typename = detail::if_policy<P>>
__WS_MEMBER void stable_sort(const P &policy, It first, It last)
{
    thrust::stable_sort(policy, first, last, less<detail::value_of<It>>());
}
template <typename P, typename Keys, typename Values, typename Less,
          typename = detail::if_policy<P>>
__WS_MEMBER void sort_by_key(const P &policy, Keys first, Keys last, Values values, Less less)
{
    thrust::stable_sort_by_key(policy, first, last, values, less);
}
template <typename P, typename Keys, typename Values, typename = detail::if_policy<P>>
__WS_MEMBER void sort_by_key(const P &policy, Keys first, Keys last, Values values)
{
    thrust::stable_sort_by_key(policy, first, last, values, less<detail::value_of<Keys>>());
}
template <typename P, typename Keys, typename Values, typename = detail::if_policy<P>>
__WS_MEMBER void stable_sort_by_key(const P &policy, Keys first, Keys last, Values values)
{
    thrust::stable_sort_by_key(policy, first, last, values, less<detail::value_of<Keys>>());
}

/* ---- some of the items */
#define __WS_STAYS(stencil, chosen, negated)                                                       \
    detail::stays<decltype(detail::unwrap(stencil)), decltype(chosen)>                             \
    {                                                                                              \
        detail::unwrap(stencil), chosen, negated                                                   \
    }
template <typename P, typename In, typename S, typename Out, typename C,
          typename = detail::if_policy<P>>
__WS_MEMBER Out copy_if(const P &policy, In first, In last, S stencil, Out out, C chosen)
{
    return out + detail::select(policy, __WS_STAYS(stencil, chosen, false), detail::unwrap(first),
                                last - first, detail::unwrap(out));
}
template <typename P, typename In, typename Out, typename C, typename = detail::if_policy<P>>
__WS_MEMBER Out copy_if(const P &policy, In first, In last, Out out, C chosen)
{
    return thrust::copy_if(policy, first, last, first, out, chosen);
}
template <typename P, typename In, typename Out, typename C, typename = detail::if_policy<P>>
__WS_MEMBER Out remove_copy_if(const P &policy, In first, In last, Out out, C chosen)
{
    return out + detail::select(policy, __WS_STAYS(first, chosen, true), detail::unwrap(first),
                                last - first, detail::unwrap(out));
}
template <typename P, typename It, typename S, typename C, typename = detail::if_policy<P>>
__WS_MEMBER It remove_if(const P &policy, It first, It last, S stencil, C chosen)
{
    return first + detail::select_in_place(policy, __WS_STAYS(stencil, chosen, true),
                                           detail::unwrap(first), last - first);
}
template <typename P, typename It, typename C, typename = detail::if_policy<P>>
__WS_MEMBER It remove_if(const P &policy, It first, It last, C chosen)
{
    return thrust::remove_if(policy, first, last, first, chosen);
}
template <typename P, typename It, typename T, typename = detail::if_policy<P>>
__WS_MEMBER It remove(const P &policy, It first, It last, T value)
{
    return thrust::remove_if(policy, first, last, detail::equals<T>{value});
}
template <typename P, typename It, typename S, typename C, typename = detail::if_policy<P>>
inline It stable_partition(const P &policy, It first, It last, S stencil, C chosen)
{
    ptrdiff_t n = last - first;
    auto it = detail::unwrap(first);
    detail::buffer<detail::value_of<It>> all(n);
    ptrdiff_t count = detail::select(policy, __WS_STAYS(stencil, chosen, false), it, n, all.data);
    detail::select(policy, __WS_STAYS(stencil, chosen, true), it, n, all.data + count);
    detail::each_index(policy, n, detail::copy_items(all.data, it));
    return first + count;
}
template <typename P, typename It, typename C, typename = detail::if_policy<P>>
inline It stable_partition(const P &policy, It first, It last, C chosen)
{
    return thrust::stable_partition(policy, first, last, first, chosen);
}
template <typename P, typename It, typename C, typename = detail::if_policy<P>>
inline It partition(const P &policy, It first, It last, C chosen)
{
    return thrust::stable_partition(policy, first, last, first, chosen);
}

/* ---- runs of equal items */
template <typename P, typename In, typename Out, typename Equal, typename = detail::if_policy<P>>
__WS_MEMBER Out unique_copy(const P &policy, In first, In last, Out out, Equal equal)
{
    auto it = detail::unwrap(first);
    return out + detail::select(policy, detail::is_first<decltype(it), Equal>{it, equal}, it,
                                last - first, detail::unwrap(out));
}
template <typename P, typename In, typename Out, typename = detail::if_policy<P>>
__WS_MEMBER Out unique_copy(const P &policy, In first, In last, Out out)
{
    return thrust::unique_copy(policy, first, last, out, equal_to<detail::value_of<In>>());
}
template <typename P, typename It, typename Equal, typename = detail::if_policy<P>>
__WS_MEMBER It unique(const P &policy, It first, It last, Equal equal)
{
    auto it = detail::unwrap(first);
    if constexpr (P::on_device)
        return first + detail::select_in_place(policy,
                                               detail::is_first<decltype(it), Equal>{it, equal}, it,
                                               last - first);
    else
        return first + detail::unique_loop(it, last - first, equal);
}
template <typename P, typename It, typename = detail::if_policy<P>>
__WS_MEMBER It unique(const P &policy, It first, It last)
{
    return thrust::unique(policy, first, last, equal_to<detail::value_of<It>>());
}
template <typename P, typename K, typename V, typename KOut, typename VOut, typename Equal,
          typename = detail::if_policy<P>>
__WS_MEMBER pair<KOut, VOut> unique_by_key_copy(const P &policy, K first, K last, V values,
                                                KOut keys_out, VOut values_out, Equal equal)
{
    auto it = detail::unwrap(first);
    ptrdiff_t n =
        detail::select(policy, detail::is_first<decltype(it), Equal>{it, equal},
                       make_zip_iterator(it, detail::unwrap(values)), last - first,
                       make_zip_iterator(detail::unwrap(keys_out), detail::unwrap(values_out)));
    return pair<KOut, VOut>(keys_out + n, values_out + n);
}
template <typename P, typename K, typename V, typename KOut, typename VOut,
          typename = detail::if_policy<P>>
__WS_MEMBER pair<KOut, VOut> unique_by_key_copy(const P &policy, K first, K last, V values,
                                                KOut keys_out, VOut values_out)
{
    return thrust::unique_by_key_copy(policy, first, last, values, keys_out, values_out,
                                      equal_to<detail::value_of<K>>());
}
namespace detail
{
template <typename Equal> struct equal_first {
    Equal equal;
    template <typename A, typename B> __WS_MEMBER bool operator()(const A &a, const B &b)
    {
        return equal(get<0>(a), get<0>(b));
    }
};
} // namespace detail
template <typename P, typename K, typename V, typename Equal, typename = detail::if_policy<P>>
__WS_MEMBER pair<K, V> unique_by_key(const P &policy, K first, K last, V values, Equal equal)
{
    auto both = make_zip_iterator(first, values);
    ptrdiff_t n =
        thrust::unique(policy, both, both + (last - first), detail::equal_first<Equal>{equal}) -
        both;
    return pair<K, V>(first + n, values + n);
}
template <typename P, typename K, typename V, typename = detail::if_policy<P>>
__WS_MEMBER pair<K, V> unique_by_key(const P &policy, K first, K last, V values)
{
    return thrust::unique_by_key(policy, first, last, values, equal_to<detail::value_of<K>>());
}
template <typename P, typename K, typename V, typename KOut, typename VOut, typename Equal,
          typename Op, typename = detail::if_policy<P>>
__WS_MEMBER pair<KOut, VOut> reduce_by_key(const P &policy, K first, K last, V values,
                                           KOut keys_out, VOut values_out, Equal equal, Op op)
{
    typedef detail::value_of<V> T;
    ptrdiff_t count = 0, n = last - first;
    if constexpr (P::on_device) {
        if (n > 0) {
            detail::buffer<int> runs(1);
            __WS_THRUST_CUB(cub::detail::reduce_by_key<T>, detail::unwrap(first),
                            detail::unwrap(keys_out), detail::unwrap(values),
                            detail::unwrap(values_out), runs.data, op, equal, (long long)n,
                            policy.stream);
            count = detail::read_back(policy, runs.data);
        }
    } else {
        T total{};
        for (ptrdiff_t i = 0; i < n; i++) {
            bool head = i == 0 || !equal(first[i - 1], first[i]);
            total = head ? (T)values[i] : (T)op(total, values[i]);
            count += head;
            keys_out[count - 1] = first[i];
            values_out[count - 1] = total;
        }
    }
    return pair<KOut, VOut>(keys_out + count, values_out + count);
}
template <typename P, typename K, typename V, typename KOut, typename VOut, typename Equal,
          typename = detail::if_policy<P>>
__WS_MEMBER pair<KOut, VOut> reduce_by_key(const P &policy, K first, K last, V values,
                                           KOut keys_out, VOut values_out, Equal equal)
{
    return thrust::reduce_by_key(policy, first, last, values, keys_out, values_out, equal,
                                 plus<detail::value_of<V>>());
}
template <typename P, typename K, typename V, typename KOut, typename VOut,
          typename = detail::if_policy<P>>
__WS_MEMBER pair<KOut, VOut> reduce_by_key(const P &policy, K first, K last, V values,
                                           KOut keys_out, VOut values_out)
{
    return thrust::reduce_by_key(policy, first, last, values, keys_out, values_out,
                                 equal_to<detail::value_of<K>>());
}

__WS_THRUST_WITHOUT_POLICY(stable_sort_by_key)
__WS_THRUST_WITHOUT_POLICY(stable_sort)
__WS_THRUST_WITHOUT_POLICY(sort)
__WS_THRUST_WITHOUT_POLICY(sort_by_key)
__WS_THRUST_WITHOUT_POLICY(copy_if)
__WS_THRUST_WITHOUT_POLICY(remove_copy_if)
__WS_THRUST_WITHOUT_POLICY(remove_if)
__WS_THRUST_WITHOUT_POLICY(remove)
__WS_THRUST_WITHOUT_POLICY(unique_copy)
__WS_THRUST_WITHOUT_POLICY(unique)
__WS_THRUST_WITHOUT_POLICY(unique_by_key_copy)
__WS_THRUST_WITHOUT_POLICY(unique_by_key)
__WS_THRUST_WITHOUT_POLICY(reduce_by_key)
__WS_THRUST_WITHOUT_POLICY(stable_partition)
__WS_THRUST_WITHOUT_POLICY(partition)

} // namespace thrust

#endif
