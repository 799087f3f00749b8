/* Thrust's function objects. */
#ifndef WARPSTEP_THRUST_FUNCTIONAL_H
#define WARPSTEP_THRUST_FUNCTIONAL_H

#include "tuple.h"

namespace thrust
{

template <typename Argument, typename Result> struct unary_function {
    typedef Argument argument_type;
    typedef Result result_type;
};
template <typename First, typename Second, typename Result> struct binary_function {
    typedef First first_argument_type;
    typedef Second second_argument_type;
    typedef Result result_type;
};

/* <void>: of any types. */
#define __WS_BINARY(name, result, value)                                                           \
    template <typename T = void> struct name {                                                     \
        typedef T first_argument_type;                                                             \
        typedef T second_argument_type;                                                            \
        typedef result result_type;                                                                \
        __WS_MEMBER constexpr result operator()(const T &a, const T &b) const                      \
        {                                                                                          \
            return value;                                                                          \
        }                                                                                          \
    };                                                                                             \
    template <> struct name<void> {                                                                \
        template <typename A, typename B>                                                          \
        __WS_MEMBER constexpr auto operator()(const A &a, const B &b) const                        \
        {                                                                                          \
            return value;                                                                          \
        }                                                                                          \
    };
__WS_BINARY(plus, T, a + b)
__WS_BINARY(minus, T, a - b)
__WS_BINARY(multiplies, T, a *b)
__WS_BINARY(divides, T, a / b)
__WS_BINARY(modulus, T, a % b)
__WS_BINARY(bit_and, T, a &b)
__WS_BINARY(bit_or, T, a | b)
__WS_BINARY(bit_xor, T, a ^ b)
__WS_BINARY(maximum, T, a < b ? b : a)
__WS_BINARY(minimum, T, b < a ? b : a)
__WS_BINARY(equal_to, bool, a == b)
__WS_BINARY(not_equal_to, bool, a != b)
__WS_BINARY(greater, bool, b < a)
__WS_BINARY(less, bool, a < b)
__WS_BINARY(greater_equal, bool, a >= b)
__WS_BINARY(less_equal, bool, a <= b)
__WS_BINARY(logical_and, bool, a &&b)
__WS_BINARY(logical_or, bool, a || b)
#undef __WS_BINARY

#define __WS_UNARY(name, result, value)                                                            \
    template <typename T = void> struct name {                                                     \
        typedef T argument_type;                                                                   \
        typedef result result_type;                                                                \
        __WS_MEMBER constexpr result operator()(const T &a) const                                  \
        {                                                                                          \
            return value;                                                                          \
        }                                                                                          \
    };                                                                                             \
    template <> struct name<void> {                                                                \
        template <typename A> __WS_MEMBER constexpr auto operator()(const A &a) const              \
        {                                                                                          \
            return value;                                                                          \
        }                                                                                          \
    };
__WS_UNARY(negate, T, -a)
__WS_UNARY(square, T, a *a)
__WS_UNARY(logical_not, bool, !a)
__WS_UNARY(bit_not, T, ~a)
__WS_UNARY(identity, T, a)
#undef __WS_UNARY

template <typename T = void> struct project1st {
    template <typename A, typename B> __WS_MEMBER A operator()(const A &a, const B &) const
    {
        return a;
    }
};
template <typename T = void> struct project2nd {
    template <typename A, typename B> __WS_MEMBER B operator()(const A &, const B &b) const
    {
        return b;
    }
};

template <typename Predicate> struct unary_negate {
    Predicate predicate;
    template <typename A> __WS_MEMBER bool operator()(const A &a)
    {
        return !predicate(a);
    }
};
template <typename Predicate> __WS_MEMBER unary_negate<Predicate> not1(const Predicate &predicate)
{
    return unary_negate<Predicate>{predicate};
}

/* A function of several values as one of a tuple. */
template <typename Function> struct zip_function {
    Function function;
    template <typename Tuple, size_t... I>
    __WS_MEMBER decltype(auto) call(Tuple &&t, std::index_sequence<I...>)
    {
        return function(thrust::get<I>(t)...);
    }
    template <typename Tuple> __WS_MEMBER decltype(auto) operator()(Tuple &&t)
    {
        return call(
            t, std::make_index_sequence<tuple_size<typename std::decay<Tuple>::type>::value>());
    }
};
template <typename Function> __WS_MEMBER zip_function<Function> make_zip_function(Function function)
{
    return zip_function<Function>{function};
}

template <typename T> __WS_MEMBER const T &min(const T &a, const T &b)
{
    return b < a ? b : a;
}
template <typename T> __WS_MEMBER const T &max(const T &a, const T &b)
{
    return a < b ? b : a;
}
template <typename T> __WS_MEMBER void swap(T &a, T &b)
{
    T old = a;
    a = b;
    b = old;
}

} // namespace thrust

#endif
