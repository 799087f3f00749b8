/* thrust::tuple and thrust::pair, for host and device. */
#ifndef WARPSTEP_THRUST_TUPLE_H
#define WARPSTEP_THRUST_TUPLE_H

#include <cuda_runtime.h>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace thrust
{

template <typename A, typename B> struct pair {
    typedef A first_type;
    typedef B second_type;
    A first;
    B second;
    __WS_MEMBER pair() : first(), second()
    {
    }
    __WS_MEMBER pair(const A &a, const B &b) : first(a), second(b)
    {
    }
    template <typename C, typename D>
    __WS_MEMBER pair(const pair<C, D> &other) : first(other.first), second(other.second)
    {
    }
    __WS_MEMBER friend bool operator==(const pair &x, const pair &y)
    {
        return x.first == y.first && x.second == y.second;
    }
    __WS_MEMBER friend bool operator!=(const pair &x, const pair &y)
    {
        return !(x == y);
    }
    __WS_MEMBER friend bool operator<(const pair &x, const pair &y)
    {
        return x.first < y.first || (!(y.first < x.first) && x.second < y.second);
    }
};
template <typename A, typename B>
__WS_MEMBER pair<typename std::decay<A>::type, typename std::decay<B>::type> make_pair(A &&a, B &&b)
{
    return pair<typename std::decay<A>::type, typename std::decay<B>::type>(a, b);
}

template <typename... T> class tuple;

template <size_t I, typename Tuple> struct tuple_element;
template <size_t I, typename T, typename... Rest>
struct tuple_element<I, tuple<T, Rest...>> : tuple_element<I - 1, tuple<Rest...>> {
};
template <typename T, typename... Rest> struct tuple_element<0, tuple<T, Rest...>> {
    typedef T type;
};
template <size_t I, typename Tuple> struct tuple_element<I, const Tuple> : tuple_element<I, Tuple> {
};
template <typename Tuple> struct tuple_size;
template <typename... T>
struct tuple_size<tuple<T...>> : std::integral_constant<size_t, sizeof...(T)> {
};
template <typename Tuple> struct tuple_size<const Tuple> : tuple_size<Tuple> {
};

namespace detail
{
template <size_t I, typename T> struct leaf {
    T value;
    __WS_MEMBER leaf() : value()
    {
    }
    template <typename U> __WS_MEMBER explicit leaf(U &&a_value) : value(static_cast<U &&>(a_value))
    {
    }
    __WS_MEMBER leaf(const leaf &other) : value(other.value)
    {
    }
};
template <size_t I, typename T> __WS_MEMBER T &leaf_value(leaf<I, T> &of)
{
    return of.value;
}
template <size_t I, typename T> __WS_MEMBER const T &leaf_value(const leaf<I, T> &of)
{
    return of.value;
}
template <typename Indices, typename... T> struct leaves;
template <size_t... I, typename... T>
struct leaves<std::index_sequence<I...>, T...> : leaf<I, T>... {
    leaves() = default;
    struct values {
    };
    struct members {
    };
    template <typename... U>
    __WS_MEMBER leaves(values, U &&...value) : leaf<I, T>(static_cast<U &&>(value))...
    {
    }
    template <typename Tuple>
    __WS_MEMBER leaves(members, const Tuple &other) : leaf<I, T>(leaf_value<I>(other))...
    {
    }
    template <typename Tuple> __WS_MEMBER void assign(const Tuple &other)
    {
        int each[] = {(leaf_value<I>(*this) = leaf_value<I>(other), 0)...};
        (void)each;
    }
};
} // namespace detail

template <typename... T>
class tuple : public detail::leaves<std::make_index_sequence<sizeof...(T)>, T...>
{
    typedef detail::leaves<std::make_index_sequence<sizeof...(T)>, T...> Base;

  public:
    tuple() = default;
    __WS_MEMBER tuple(const T &...value) : Base(typename Base::values(), value...)
    {
    }
    __WS_MEMBER tuple(const tuple &other) : Base(typename Base::members(), other)
    {
    }
    template <typename... U, typename = typename std::enable_if<sizeof...(U) == sizeof...(T)>::type>
    __WS_MEMBER tuple(const tuple<U...> &other) : Base(typename Base::members(), other)
    {
    }
    __WS_MEMBER tuple &operator=(const tuple &other)
    {
        this->assign(other);
        return *this;
    }
    template <typename... U> __WS_MEMBER tuple &operator=(const tuple<U...> &other)
    {
        this->assign(other);
        return *this;
    }
    template <typename A, typename B> __WS_MEMBER tuple &operator=(const pair<A, B> &other)
    {
        this->assign(tuple<const A &, const B &>(other.first, other.second));
        return *this;
    }
};

template <size_t I, typename... T>
__WS_MEMBER typename tuple_element<I, tuple<T...>>::type &get(tuple<T...> &of)
{
    return detail::leaf_value<I>(of);
}
template <size_t I, typename... T>
__WS_MEMBER const typename tuple_element<I, tuple<T...>>::type &get(const tuple<T...> &of)
{
    return detail::leaf_value<I>(of);
}
template <size_t I, typename... T>
__WS_MEMBER typename tuple_element<I, tuple<T...>>::type &get(tuple<T...> &&of)
{
    return detail::leaf_value<I>(static_cast<tuple<T...> &>(of));
}

template <typename... T> __WS_MEMBER tuple<typename std::decay<T>::type...> make_tuple(T &&...value)
{
    return tuple<typename std::decay<T>::type...>(value...);
}
template <typename... T> __WS_MEMBER tuple<T &...> tie(T &...value)
{
    return tuple<T &...>(value...);
}

namespace detail
{
/* -1, 0 or 1, from item I on. */
template <size_t I, size_t N> struct compare_tuples {
    template <typename A, typename B> __WS_MEMBER static int of(const A &a, const B &b)
    {
        if (get<I>(a) < get<I>(b))
            return -1;
        if (get<I>(b) < get<I>(a))
            return 1;
        return compare_tuples<I + 1, N>::of(a, b);
    }
    template <typename A, typename B> __WS_MEMBER static bool equal(const A &a, const B &b)
    {
        return get<I>(a) == get<I>(b) && compare_tuples<I + 1, N>::equal(a, b);
    }
};
template <size_t N> struct compare_tuples<N, N> {
    template <typename A, typename B> __WS_MEMBER static int of(const A &, const B &)
    {
        return 0;
    }
    template <typename A, typename B> __WS_MEMBER static bool equal(const A &, const B &)
    {
        return true;
    }
};
} // namespace detail

#define __WS_COMPARE(op)                                                                           \
    template <typename... T, typename... U>                                                        \
    __WS_MEMBER bool operator op(const tuple<T...> &a, const tuple<U...> &b)                       \
    {                                                                                              \
        return detail::compare_tuples<0, sizeof...(T)>::of(a, b) op 0;                             \
    }
__WS_COMPARE(<)
__WS_COMPARE(<=)
__WS_COMPARE(>)
__WS_COMPARE(>=)
#undef __WS_COMPARE
template <typename... T, typename... U>
__WS_MEMBER bool operator==(const tuple<T...> &a, const tuple<U...> &b)
{
    return detail::compare_tuples<0, sizeof...(T)>::equal(a, b);
}
template <typename... T, typename... U>
__WS_MEMBER bool operator!=(const tuple<T...> &a, const tuple<U...> &b)
{
    return !(a == b);
}

} // namespace thrust

#endif
