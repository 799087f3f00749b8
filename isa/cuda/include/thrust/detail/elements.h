/* Thrust's algorithms that look at each item by itself. */
#ifndef WARPSTEP_THRUST_ELEMENTS_H
#define WARPSTEP_THRUST_ELEMENTS_H

#include "run.h"

namespace thrust
{
namespace detail
{
#define __WS_ITEM(name, members, code, ...)                                                        \
    template <__VA_ARGS__> struct name {                                                           \
        members;                                                                                   \
        __WS_MEMBER void operator()(ptrdiff_t i)                                                   \
        {                                                                                          \
            code;                                                                                  \
        }                                                                                          \
    };
__WS_ITEM(call_item, It it; F f, f(it[i]), typename It, typename F)
__WS_ITEM(fill_item, It it; T value, it[i] = value, typename It, typename T)
__WS_ITEM(sequence_item, It it; T from;
          T step, it[i] = (T)(from + (T)i * step), typename It, typename T)
__WS_ITEM(tabulate_item, It it; F f, it[i] = f(i), typename It, typename F)
__WS_ITEM(transform_item, In in; Out out;
          F f, out[i] = f(in[i]), typename In, typename Out, typename F)
__WS_ITEM(transform_two, A a; B b; Out out;
          F f, out[i] = f(a[i], b[i]), typename A, typename B, typename Out, typename F)
__WS_ITEM(transform_some, In in; Stencil stencil; Out out; F f;
          P chosen, if (chosen(stencil[i])) out[i] = f(in[i]), typename In, typename Stencil,
          typename Out, typename F, typename P)
__WS_ITEM(gather_item, Map map; In in;
          Out out, out[i] = in[map[i]], typename Map, typename In, typename Out)
__WS_ITEM(scatter_item, In in; Map map;
          Out out, out[map[i]] = in[i], typename In, typename Map, typename Out)
__WS_ITEM(scatter_some, In in; Map map; Stencil stencil; Out out;
          P chosen, if (chosen(stencil[i])) out[map[i]] = in[i], typename In, typename Map,
          typename Stencil, typename Out, typename P)
__WS_ITEM(replace_item, It it; Stencil stencil; P chosen;
          T value, if (chosen(stencil[i])) it[i] = value, typename It, typename Stencil, typename P,
          typename T)
#undef __WS_ITEM
template <typename A, typename B> struct swap_item {
    A a;
    B b;
    __WS_MEMBER void operator()(ptrdiff_t i)
    {
        value_of<A> old = a[i];
        a[i] = b[i];
        b[i] = old;
    }
};
template <typename It> struct reverse_item {
    It it;
    ptrdiff_t n;
    __WS_MEMBER void operator()(ptrdiff_t i)
    {
        value_of<It> old = it[i];
        it[i] = it[n - 1 - i];
        it[n - 1 - i] = old;
    }
};
template <typename In, typename Out, typename Op> struct difference_item {
    In in;
    Out out;
    Op op;
    __WS_MEMBER void operator()(ptrdiff_t i)
    {
        if (i == 0)
            out[i] = in[i];
        else
            out[i] = op(in[i], in[i - 1]);
    }
};
template <typename T> struct equals {
    T value;
    template <typename U> __WS_MEMBER bool operator()(const U &item) const
    {
        return item == value;
    }
};
} // namespace detail

#define __WS_UNWRAP(it) decltype(detail::unwrap(it))

template <typename P, typename It, typename F, typename = detail::if_policy<P>>
__WS_MEMBER It for_each(const P &policy, It first, It last, F f)
{
    detail::each_index(policy, last - first,
                       detail::call_item<__WS_UNWRAP(first), F>{detail::unwrap(first), f});
    return last;
}
template <typename P, typename It, typename N, typename F, typename = detail::if_policy<P>>
__WS_MEMBER It for_each_n(const P &policy, It first, N n, F f)
{
    return for_each(policy, first, first + n, f);
}
template <typename P, typename It, typename T, typename = detail::if_policy<P>>
__WS_MEMBER void fill(const P &policy, It first, It last, T value)
{
    detail::each_index(policy, last - first,
                       detail::fill_item<__WS_UNWRAP(first), T>{detail::unwrap(first), value});
}
template <typename P, typename It, typename N, typename T, typename = detail::if_policy<P>>
__WS_MEMBER It fill_n(const P &policy, It first, N n, T value)
{
    thrust::fill(policy, first, first + n, value);
    return first + n;
}
template <typename P, typename It, typename T, typename = detail::if_policy<P>>
__WS_MEMBER void sequence(const P &policy, It first, It last, T from, T step)
{
    typedef detail::value_of<It> V;
    detail::each_index(
        policy, last - first,
        detail::sequence_item<__WS_UNWRAP(first), V>{detail::unwrap(first), (V)from, (V)step});
}
template <typename P, typename It, typename T, typename = detail::if_policy<P>>
__WS_MEMBER void sequence(const P &policy, It first, It last, T from)
{
    thrust::sequence(policy, first, last, from, T(1));
}
template <typename P, typename It, typename = detail::if_policy<P>>
__WS_MEMBER void sequence(const P &policy, It first, It last)
{
    thrust::sequence(policy, first, last, detail::value_of<It>(0));
}
template <typename P, typename It, typename F, typename = detail::if_policy<P>>
__WS_MEMBER void tabulate(const P &policy, It first, It last, F f)
{
    detail::each_index(policy, last - first,
                       detail::tabulate_item<__WS_UNWRAP(first), F>{detail::unwrap(first), f});
}
namespace detail
{
template <typename F> struct ignore_index {
    F f;
    template <typename I> __WS_MEMBER auto operator()(I)
    {
        return f();
    }
};
} // namespace detail
template <typename P, typename It, typename F, typename = detail::if_policy<P>>
__WS_MEMBER void generate(const P &policy, It first, It last, F f)
{
    if constexpr (P::on_device)
        thrust::tabulate(policy, first, last, detail::ignore_index<F>{f});
    else
        for (; first != last; ++first)
            *first = f();
}
template <typename P, typename In, typename Out, typename F, typename = detail::if_policy<P>>
__WS_MEMBER Out transform(const P &policy, In first, In last, Out out, F f)
{
    detail::each_index(policy, last - first,
                       detail::transform_item<__WS_UNWRAP(first), __WS_UNWRAP(out), F>{
                           detail::unwrap(first), detail::unwrap(out), f});
    return out + (last - first);
}
template <typename P, typename A, typename B, typename Out, typename F,
          typename = detail::if_policy<P>>
__WS_MEMBER Out transform(const P &policy, A first, A last, B second, Out out, F f)
{
    detail::each_index(
        policy, last - first,
        detail::transform_two<__WS_UNWRAP(first), __WS_UNWRAP(second), __WS_UNWRAP(out), F>{
            detail::unwrap(first), detail::unwrap(second), detail::unwrap(out), f});
    return out + (last - first);
}
template <typename P, typename In, typename S, typename Out, typename F, typename C,
          typename = detail::if_policy<P>>
__WS_MEMBER Out transform_if(const P &policy, In first, In last, S stencil, Out out, F f, C chosen)
{
    detail::each_index(
        policy, last - first,
        detail::transform_some<__WS_UNWRAP(first), __WS_UNWRAP(stencil), __WS_UNWRAP(out), F, C>{
            detail::unwrap(first), detail::unwrap(stencil), detail::unwrap(out), f, chosen});
    return out + (last - first);
}
template <typename P, typename Map, typename In, typename Out, typename = detail::if_policy<P>>
__WS_MEMBER Out gather(const P &policy, Map first, Map last, In in, Out out)
{
    detail::each_index(policy, last - first,
                       detail::gather_item<__WS_UNWRAP(first), __WS_UNWRAP(in), __WS_UNWRAP(out)>{
                           detail::unwrap(first), detail::unwrap(in), detail::unwrap(out)});
    return out + (last - first);
}
template <typename P, typename In, typename Map, typename Out, typename = detail::if_policy<P>>
__WS_MEMBER void scatter(const P &policy, In first, In last, Map map, Out out)
{
    detail::each_index(policy, last - first,
                       detail::scatter_item<__WS_UNWRAP(first), __WS_UNWRAP(map), __WS_UNWRAP(out)>{
                           detail::unwrap(first), detail::unwrap(map), detail::unwrap(out)});
}
template <typename P, typename In, typename Map, typename S, typename Out, typename C,
          typename = detail::if_policy<P>>
__WS_MEMBER void scatter_if(const P &policy, In first, In last, Map map, S stencil, Out out,
                            C chosen)
{
    detail::each_index(policy, last - first,
                       detail::scatter_some<__WS_UNWRAP(first), __WS_UNWRAP(map),
                                            __WS_UNWRAP(stencil), __WS_UNWRAP(out), C>{
                           detail::unwrap(first), detail::unwrap(map), detail::unwrap(stencil),
                           detail::unwrap(out), chosen});
}
template <typename P, typename In, typename Map, typename S, typename Out,
          typename = detail::if_policy<P>>
__WS_MEMBER void scatter_if(const P &policy, In first, In last, Map map, S stencil, Out out)
{
    thrust::scatter_if(policy, first, last, map, stencil, out, identity<detail::value_of<S>>());
}
template <typename P, typename It, typename C, typename T, typename = detail::if_policy<P>>
__WS_MEMBER void replace_if(const P &policy, It first, It last, C chosen, T value)
{
    detail::each_index(policy, last - first,
                       detail::replace_item<__WS_UNWRAP(first), __WS_UNWRAP(first), C, T>{
                           detail::unwrap(first), detail::unwrap(first), chosen, value});
}
template <typename P, typename It, typename T, typename = detail::if_policy<P>>
__WS_MEMBER void replace(const P &policy, It first, It last, T old, T value)
{
    thrust::replace_if(policy, first, last, detail::equals<T>{old}, value);
}
template <typename P, typename A, typename B, typename = detail::if_policy<P>>
__WS_MEMBER B swap_ranges(const P &policy, A first, A last, B second)
{
    detail::each_index(policy, last - first,
                       detail::swap_item<__WS_UNWRAP(first), __WS_UNWRAP(second)>{
                           detail::unwrap(first), detail::unwrap(second)});
    return second + (last - first);
}
template <typename P, typename It, typename = detail::if_policy<P>>
__WS_MEMBER void reverse(const P &policy, It first, It last)
{
    detail::each_index(
        policy, (last - first) / 2,
        detail::reverse_item<__WS_UNWRAP(first)>{detail::unwrap(first), last - first});
}
/* The output must be another array. */
template <typename P, typename In, typename Out, typename Op, typename = detail::if_policy<P>>
__WS_MEMBER Out adjacent_difference(const P &policy, In first, In last, Out out, Op op)
{
    detail::each_index(policy, last - first,
                       detail::difference_item<__WS_UNWRAP(first), __WS_UNWRAP(out), Op>{
                           detail::unwrap(first), detail::unwrap(out), op});
    return out + (last - first);
}
template <typename P, typename In, typename Out, typename = detail::if_policy<P>>
__WS_MEMBER Out adjacent_difference(const P &policy, In first, In last, Out out)
{
    return thrust::adjacent_difference(policy, first, last, out, minus<detail::value_of<In>>());
}
template <typename P, typename In, typename Out, typename = detail::if_policy<P>>
__WS_MEMBER Out copy(const P &policy, In first, In last, Out out)
{
    if constexpr (P::on_device && detail::is_on_device<In>::value &&
                  !detail::is_on_device<Out>::value && !std::is_pointer<Out>::value)
        detail::move_items(first, last - first, out);
    else
        detail::each_index(policy, last - first,
                           detail::copy_items(detail::unwrap(first), detail::unwrap(out)));
    return out + (last - first);
}
/* Without a policy, from where the items are to where the output is. */
template <typename In, typename Out, typename = detail::if_no_policy<In>>
inline Out copy(In first, In last, Out out)
{
    ptrdiff_t n = detail::count_items(first, last);
    detail::move_items(first, n, out);
    std::advance(out, n);
    return out;
}
template <typename P, typename In, typename N, typename Out, typename = detail::if_policy<P>>
__WS_MEMBER Out copy_n(const P &policy, In first, N n, Out out)
{
    return thrust::copy(policy, first, first + n, out);
}
template <typename In, typename N, typename Out, typename = detail::if_no_policy<In>>
inline Out copy_n(In first, N n, Out out)
{
    return thrust::copy(first, first + n, out);
}
__WS_THRUST_WITHOUT_POLICY(for_each)
__WS_THRUST_WITHOUT_POLICY(for_each_n)
__WS_THRUST_WITHOUT_POLICY(fill)
__WS_THRUST_WITHOUT_POLICY(fill_n)
__WS_THRUST_WITHOUT_POLICY(sequence)
__WS_THRUST_WITHOUT_POLICY(tabulate)
__WS_THRUST_WITHOUT_POLICY(generate)
__WS_THRUST_WITHOUT_POLICY(transform)
__WS_THRUST_WITHOUT_POLICY(transform_if)
__WS_THRUST_WITHOUT_POLICY(gather)
__WS_THRUST_WITHOUT_POLICY(scatter)
__WS_THRUST_WITHOUT_POLICY(scatter_if)
__WS_THRUST_WITHOUT_POLICY(replace)
__WS_THRUST_WITHOUT_POLICY(replace_if)
__WS_THRUST_WITHOUT_POLICY(swap_ranges)
__WS_THRUST_WITHOUT_POLICY(reverse)
__WS_THRUST_WITHOUT_POLICY(adjacent_difference)

} // namespace thrust

#endif
