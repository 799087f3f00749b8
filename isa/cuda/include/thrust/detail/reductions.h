/* Thrust's algorithms with one result: reductions, searches, extrema; and scans. */
#ifndef WARPSTEP_THRUST_REDUCTIONS_H
#define WARPSTEP_THRUST_REDUCTIONS_H

#include "elements.h"

#include "../iterator/constant_iterator.h"

namespace thrust
{

template <typename P, typename It, typename T, typename Op, typename = detail::if_policy<P>>
__WS_MEMBER T reduce(const P &policy, It first, It last, T init, Op op)
{
    if constexpr (P::on_device) {
        detail::buffer<T> one(1);
        __WS_THRUST_CUB(cub::DeviceReduce::Reduce, detail::unwrap(first), one.data,
                        (long long)(last - first), op, init, policy.stream);
        return detail::read_back(policy, one.data);
    } else {
        for (; first != last; ++first)
            init = op(init, *first);
        return init;
    }
}
template <typename P, typename It, typename T, typename = detail::if_policy<P>>
__WS_MEMBER T reduce(const P &policy, It first, It last, T init)
{
    return thrust::reduce(policy, first, last, init, plus<T>());
}
template <typename P, typename It, typename = detail::if_policy<P>>
__WS_MEMBER detail::value_of<It> reduce(const P &policy, It first, It last)
{
    return thrust::reduce(policy, first, last, detail::value_of<It>());
}
template <typename P, typename It, typename F, typename T, typename Op,
          typename = detail::if_policy<P>>
__WS_MEMBER T transform_reduce(const P &policy, It first, It last, F f, T init, Op op)
{
    return thrust::reduce(policy, make_transform_iterator(first, f),
                          make_transform_iterator(last, f), init, op);
}
template <typename P, typename A, typename B, typename T, typename Sum, typename Product,
          typename = detail::if_policy<P>>
__WS_MEMBER T inner_product(const P &policy, A first, A last, B second, T init, Sum sum,
                            Product product)
{
    auto pairs = make_zip_iterator(first, second);
    auto of = make_zip_function(product);
    return thrust::transform_reduce(policy, pairs, pairs + (last - first), of, init, sum);
}
template <typename P, typename A, typename B, typename T, typename = detail::if_policy<P>>
__WS_MEMBER T inner_product(const P &policy, A first, A last, B second, T init)
{
    return thrust::inner_product(policy, first, last, second, init, plus<T>(), multiplies<T>());
}

namespace detail
{
template <typename C> struct counted {
    C chosen;
    template <typename T> __WS_MEMBER ptrdiff_t operator()(const T &item)
    {
        return chosen(item) ? 1 : 0;
    }
};
template <typename T> struct is_equal {
    T value;
    template <typename U> __WS_MEMBER bool operator()(const U &item) const
    {
        return item == value;
    }
};
/* The place of an item that is chosen, or n. */
template <typename It, typename C> struct chosen_place {
    It it;
    C chosen;
    ptrdiff_t n;
    __WS_MEMBER ptrdiff_t operator()(ptrdiff_t i)
    {
        return chosen(it[i]) ? i : n;
    }
};
/* Places: the better of two, of equal ones the first (or the last). */
template <typename It, typename Less> struct better_place {
    It it;
    Less less;
    bool most, last;
    __WS_MEMBER ptrdiff_t operator()(ptrdiff_t a, ptrdiff_t b)
    {
        ptrdiff_t low = a < b ? a : b, high = a < b ? b : a;
        bool other = most ? (bool)less(it[low], it[high]) : (bool)less(it[high], it[low]);
        if (last && most)
            other = !less(it[high], it[low]);
        return other ? high : low;
    }
};
template <typename A, typename B, typename Op> struct same_item {
    A a;
    B b;
    Op op;
    __WS_MEMBER bool operator()(ptrdiff_t i)
    {
        return op(a[i], b[i]);
    }
};
template <typename It, typename Less> struct falls_item {
    It it;
    Less less;
    __WS_MEMBER bool operator()(ptrdiff_t i)
    {
        return less(it[i + 1], it[i]);
    }
};
/* The first index below n that is chosen, or n. */
template <typename P, typename C>
__WS_MEMBER ptrdiff_t first_index(const P &policy, ptrdiff_t n, C chosen)
{
    if constexpr (P::on_device) {
        counting_iterator<ptrdiff_t> first(0);
        typedef chosen_place<counting_iterator<ptrdiff_t>, C> Place;
        return thrust::transform_reduce(policy, first, first + n, Place{first, chosen, n}, n,
                                        minimum<ptrdiff_t>());
    } else {
        ptrdiff_t i = 0;
        while (i < n && !chosen(i))
            i++;
        return i;
    }
}
template <typename It, typename C> struct chosen_at {
    It it;
    C chosen;
    __WS_MEMBER bool operator()(ptrdiff_t i)
    {
        return chosen(it[i]);
    }
};
template <typename P, typename It, typename Less>
__WS_MEMBER It best(const P &policy, It first, It last, Less less, bool most, bool at_last = false)
{
    if (first == last)
        return last;
    auto it = unwrap(first);
    counting_iterator<ptrdiff_t> places(0);
    return first + thrust::reduce(policy, places, places + (last - first), (ptrdiff_t)0,
                                  better_place<decltype(it), Less>{it, less, most, at_last});
}
} // namespace detail

template <typename P, typename It, typename C, typename = detail::if_policy<P>>
__WS_MEMBER ptrdiff_t count_if(const P &policy, It first, It last, C chosen)
{
    return thrust::transform_reduce(policy, first, last, detail::counted<C>{chosen}, (ptrdiff_t)0,
                                    plus<ptrdiff_t>());
}
template <typename P, typename It, typename T, typename = detail::if_policy<P>>
__WS_MEMBER ptrdiff_t count(const P &policy, It first, It last, T value)
{
    return thrust::count_if(policy, first, last, detail::is_equal<T>{value});
}
template <typename P, typename It, typename C, typename = detail::if_policy<P>>
__WS_MEMBER It find_if(const P &policy, It first, It last, C chosen)
{
    auto it = detail::unwrap(first);
    return first + detail::first_index(policy, last - first,
                                       detail::chosen_at<decltype(it), C>{it, chosen});
}
template <typename P, typename It, typename C, typename = detail::if_policy<P>>
__WS_MEMBER It find_if_not(const P &policy, It first, It last, C chosen)
{
    return thrust::find_if(policy, first, last, not1(chosen));
}
template <typename P, typename It, typename T, typename = detail::if_policy<P>>
__WS_MEMBER It find(const P &policy, It first, It last, T value)
{
    return thrust::find_if(policy, first, last, detail::is_equal<T>{value});
}
template <typename P, typename It, typename C, typename = detail::if_policy<P>>
__WS_MEMBER bool any_of(const P &policy, It first, It last, C chosen)
{
    return thrust::find_if(policy, first, last, chosen) != last;
}
template <typename P, typename It, typename C, typename = detail::if_policy<P>>
__WS_MEMBER bool none_of(const P &policy, It first, It last, C chosen)
{
    return !thrust::any_of(policy, first, last, chosen);
}
template <typename P, typename It, typename C, typename = detail::if_policy<P>>
__WS_MEMBER bool all_of(const P &policy, It first, It last, C chosen)
{
    return !thrust::any_of(policy, first, last, not1(chosen));
}
template <typename P, typename A, typename B, typename Op, typename = detail::if_policy<P>>
__WS_MEMBER bool equal(const P &policy, A first, A last, B second, Op op)
{
    auto a = detail::unwrap(first);
    auto b = detail::unwrap(second);
    return detail::first_index(policy, last - first,
                               not1(detail::same_item<decltype(a), decltype(b), Op>{a, b, op})) ==
           last - first;
}
template <typename P, typename A, typename B, typename = detail::if_policy<P>>
__WS_MEMBER bool equal(const P &policy, A first, A last, B second)
{
    return thrust::equal(policy, first, last, second, equal_to<detail::value_of<A>>());
}
template <typename P, typename It, typename Less, typename = detail::if_policy<P>>
__WS_MEMBER bool is_sorted(const P &policy, It first, It last, Less less)
{
    auto it = detail::unwrap(first);
    ptrdiff_t n = last - first;
    return n < 2 || detail::first_index(policy, n - 1,
                                        detail::falls_item<decltype(it), Less>{it, less}) == n - 1;
}
template <typename P, typename It, typename = detail::if_policy<P>>
__WS_MEMBER bool is_sorted(const P &policy, It first, It last)
{
    return thrust::is_sorted(policy, first, last, less<detail::value_of<It>>());
}
template <typename P, typename It, typename Less, typename = detail::if_policy<P>>
__WS_MEMBER It max_element(const P &policy, It first, It last, Less less)
{
    return detail::best(policy, first, last, less, true);
}
template <typename P, typename It, typename = detail::if_policy<P>>
__WS_MEMBER It max_element(const P &policy, It first, It last)
{
    return thrust::max_element(policy, first, last, less<detail::value_of<It>>());
}
template <typename P, typename It, typename Less, typename = detail::if_policy<P>>
__WS_MEMBER It min_element(const P &policy, It first, It last, Less less)
{
    return detail::best(policy, first, last, less, false);
}
template <typename P, typename It, typename = detail::if_policy<P>>
__WS_MEMBER It min_element(const P &policy, It first, It last)
{
    return thrust::min_element(policy, first, last, less<detail::value_of<It>>());
}
/* Of equal items that are the most, the last. */
template <typename P, typename It, typename Less, typename = detail::if_policy<P>>
__WS_MEMBER pair<It, It> minmax_element(const P &policy, It first, It last, Less less)
{
    return pair<It, It>(thrust::min_element(policy, first, last, less),
                        detail::best(policy, first, last, less, true, true));
}
template <typename P, typename It, typename = detail::if_policy<P>>
__WS_MEMBER pair<It, It> minmax_element(const P &policy, It first, It last)
{
    return thrust::minmax_element(policy, first, last, less<detail::value_of<It>>());
}

/* ---- scans */
template <typename P, typename In, typename Out, typename Op, typename = detail::if_policy<P>>
__WS_MEMBER Out inclusive_scan(const P &policy, In first, In last, Out out, Op op)
{
    if constexpr (P::on_device) {
        if (first != last)
            __WS_THRUST_CUB(cub::DeviceScan::InclusiveScan, detail::unwrap(first),
                            detail::unwrap(out), op, (long long)(last - first), policy.stream);
        detail::finish(policy);
    } else if (first != last) {
        detail::value_of<In> total = *first;
        Out to = out;
        for (*to = total; ++first != last;)
            *++to = total = op(total, *first);
        return ++to;
    }
    return out + (last - first);
}
template <typename P, typename In, typename Out, typename = detail::if_policy<P>>
__WS_MEMBER Out inclusive_scan(const P &policy, In first, In last, Out out)
{
    return thrust::inclusive_scan(policy, first, last, out, plus<detail::value_of<In>>());
}
template <typename P, typename In, typename Out, typename T, typename Op,
          typename = detail::if_policy<P>>
__WS_MEMBER Out exclusive_scan(const P &policy, In first, In last, Out out, T init, Op op)
{
    if constexpr (P::on_device) {
        if (first != last)
            __WS_THRUST_CUB(cub::DeviceScan::ExclusiveScan, detail::unwrap(first),
                            detail::unwrap(out), op, init, (long long)(last - first),
                            policy.stream);
        detail::finish(policy);
        return out + (last - first);
    } else {
        for (; first != last; ++first, ++out) {
            T before = init;
            init = op(init, *first);
            *out = before;
        }
        return out;
    }
}
template <typename P, typename In, typename Out, typename T, typename = detail::if_policy<P>>
__WS_MEMBER Out exclusive_scan(const P &policy, In first, In last, Out out, T init)
{
    return thrust::exclusive_scan(policy, first, last, out, init, plus<T>());
}
template <typename P, typename In, typename Out, typename = detail::if_policy<P>>
__WS_MEMBER Out exclusive_scan(const P &policy, In first, In last, Out out)
{
    return thrust::exclusive_scan(policy, first, last, out, detail::value_of<In>());
}
template <typename P, typename In, typename Out, typename F, typename Op,
          typename = detail::if_policy<P>>
__WS_MEMBER Out transform_inclusive_scan(const P &policy, In first, In last, Out out, F f, Op op)
{
    return thrust::inclusive_scan(policy, make_transform_iterator(first, f),
                                  make_transform_iterator(last, f), out, op);
}
template <typename P, typename In, typename Out, typename F, typename T, typename Op,
          typename = detail::if_policy<P>>
__WS_MEMBER Out transform_exclusive_scan(const P &policy, In first, In last, Out out, F f, T init,
                                         Op op)
{
    return thrust::exclusive_scan(policy, make_transform_iterator(first, f),
                                  make_transform_iterator(last, f), out, init, op);
}

template <typename P, typename Keys, typename Values, typename Out, typename Equal, typename Op,
          typename = detail::if_policy<P>>
__WS_MEMBER Out inclusive_scan_by_key(const P &policy, Keys first, Keys last, Values values,
                                      Out out, Equal equal, Op op)
{
    ptrdiff_t n = last - first;
    if constexpr (P::on_device) {
        if (n > 0)
            __WS_THRUST_CUB(cub::DeviceScan::InclusiveScanByKey, detail::unwrap(first),
                            detail::unwrap(values), detail::unwrap(out), op, (long long)n, equal,
                            policy.stream);
        detail::finish(policy);
    } else {
        detail::value_of<Values> total{};
        for (ptrdiff_t i = 0; i < n; i++) {
            total = i == 0 || !equal(first[i - 1], first[i]) ? values[i] : op(total, values[i]);
            out[i] = total;
        }
    }
    return out + n;
}
template <typename P, typename Keys, typename Values, typename Out, typename Equal,
          typename = detail::if_policy<P>>
__WS_MEMBER Out inclusive_scan_by_key(const P &policy, Keys first, Keys last, Values values,
                                      Out out, Equal equal)
{
    return thrust::inclusive_scan_by_key(policy, first, last, values, out, equal,
                                         plus<detail::value_of<Values>>());
}
template <typename P, typename Keys, typename Values, typename Out, typename = detail::if_policy<P>>
__WS_MEMBER Out inclusive_scan_by_key(const P &policy, Keys first, Keys last, Values values,
                                      Out out)
{
    return thrust::inclusive_scan_by_key(policy, first, last, values, out,
                                         equal_to<detail::value_of<Keys>>());
}
/* On the device the output must be another array than the values. */
template <typename P, typename Keys, typename Values, typename Out, typename T, typename Equal,
          typename Op, typename = detail::if_policy<P>>
__WS_MEMBER Out exclusive_scan_by_key(const P &policy, Keys first, Keys last, Values values,
                                      Out out, T init, Equal equal, Op op)
{
    ptrdiff_t n = last - first;
    if constexpr (P::on_device) {
        if (n > 0)
            __WS_THRUST_CUB(cub::DeviceScan::ExclusiveScanByKey, detail::unwrap(first),
                            detail::unwrap(values), detail::unwrap(out), op, init, (long long)n,
                            equal, policy.stream);
        detail::finish(policy);
    } else {
        T total = init;
        for (ptrdiff_t i = 0; i < n; i++) {
            if (i > 0 && !equal(first[i - 1], first[i]))
                total = init;
            T before = total;
            total = op(total, values[i]);
            out[i] = before;
        }
    }
    return out + n;
}
template <typename P, typename Keys, typename Values, typename Out, typename T, typename Equal,
          typename = detail::if_policy<P>>
__WS_MEMBER Out exclusive_scan_by_key(const P &policy, Keys first, Keys last, Values values,
                                      Out out, T init, Equal equal)
{
    return thrust::exclusive_scan_by_key(policy, first, last, values, out, init, equal, plus<T>());
}
template <typename P, typename Keys, typename Values, typename Out, typename T,
          typename = detail::if_policy<P>>
__WS_MEMBER Out exclusive_scan_by_key(const P &policy, Keys first, Keys last, Values values,
                                      Out out, T init)
{
    return thrust::exclusive_scan_by_key(policy, first, last, values, out, init,
                                         equal_to<detail::value_of<Keys>>());
}
template <typename P, typename Keys, typename Values, typename Out, typename = detail::if_policy<P>>
__WS_MEMBER Out exclusive_scan_by_key(const P &policy, Keys first, Keys last, Values values,
                                      Out out)
{
    return thrust::exclusive_scan_by_key(policy, first, last, values, out,
                                         detail::value_of<Values>());
}

/* ---- searches in sorted arrays */
namespace detail
{
template <typename It, typename Less, bool UPPER> struct bound_of {
    It it;
    ptrdiff_t n;
    Less less;
    template <typename T> __WS_MEMBER ptrdiff_t operator()(const T &value)
    {
        ptrdiff_t low = 0, count = n;
        while (count > 0) {
            ptrdiff_t half = count / 2;
            if (UPPER ? !less(value, it[low + half]) : (bool)less(it[low + half], value)) {
                low += half + 1;
                count -= half + 1;
            } else {
                count = half;
            }
        }
        return low;
    }
};
} // namespace detail
#define __WS_BOUND(name, upper)                                                                    \
    template <typename P, typename It, typename Values, typename Out, typename Less,               \
              typename = detail::if_policy<P>>                                                     \
    __WS_MEMBER Out name(const P &policy, It first, It last, Values values, Values end, Out out,   \
                         Less less)                                                                \
    {                                                                                              \
        auto it = detail::unwrap(first);                                                           \
        typedef detail::bound_of<decltype(it), Less, upper> Bound;                                 \
        return thrust::transform(policy, values, end, out, Bound{it, last - first, less});         \
    }                                                                                              \
    template <typename P, typename It, typename Values, typename Out,                              \
              typename = detail::if_policy<P>,                                                     \
              typename = typename std::iterator_traits<Values>::iterator_category>                 \
    __WS_MEMBER Out name(const P &policy, It first, It last, Values values, Values end, Out out)   \
    {                                                                                              \
        return thrust::name(policy, first, last, values, end, out, less<>());                      \
    }                                                                                              \
    template <typename P, typename It, typename T, typename Less, typename = detail::if_policy<P>> \
    __WS_MEMBER It name(const P &policy, It first, It last, T value, Less less)                    \
    {                                                                                              \
        (void)policy;                                                                              \
        return first + detail::bound_of<It, Less, upper>{first, last - first, less}(value);        \
    }                                                                                              \
    template <typename P, typename It, typename T, typename = detail::if_policy<P>>                \
    __WS_MEMBER It name(const P &policy, It first, It last, T value)                               \
    {                                                                                              \
        return thrust::name(policy, first, last, value, less<detail::value_of<It>>());             \
    }
__WS_BOUND(lower_bound, false)
__WS_BOUND(upper_bound, true)
#undef __WS_BOUND

__WS_THRUST_WITHOUT_POLICY(reduce)
__WS_THRUST_WITHOUT_POLICY(transform_reduce)
__WS_THRUST_WITHOUT_POLICY(inner_product)
__WS_THRUST_WITHOUT_POLICY(count_if)
__WS_THRUST_WITHOUT_POLICY(count)
__WS_THRUST_WITHOUT_POLICY(find_if)
__WS_THRUST_WITHOUT_POLICY(find_if_not)
__WS_THRUST_WITHOUT_POLICY(find)
__WS_THRUST_WITHOUT_POLICY(any_of)
__WS_THRUST_WITHOUT_POLICY(none_of)
__WS_THRUST_WITHOUT_POLICY(all_of)
__WS_THRUST_WITHOUT_POLICY(equal)
__WS_THRUST_WITHOUT_POLICY(is_sorted)
__WS_THRUST_WITHOUT_POLICY(max_element)
__WS_THRUST_WITHOUT_POLICY(min_element)
__WS_THRUST_WITHOUT_POLICY(minmax_element)
__WS_THRUST_WITHOUT_POLICY(inclusive_scan)
__WS_THRUST_WITHOUT_POLICY(exclusive_scan)
__WS_THRUST_WITHOUT_POLICY(transform_inclusive_scan)
__WS_THRUST_WITHOUT_POLICY(transform_exclusive_scan)
__WS_THRUST_WITHOUT_POLICY(inclusive_scan_by_key)
__WS_THRUST_WITHOUT_POLICY(exclusive_scan_by_key)
__WS_THRUST_WITHOUT_POLICY(lower_bound)
__WS_THRUST_WITHOUT_POLICY(upper_bound)

} // namespace thrust

#endif
