/* CUB's operators: functions of two values as types. */
#pragma once
#include "../util_type.cuh"

namespace cub
{

#define __WS_OPERATOR(name, type, result)                                                          \
    struct name {                                                                                  \
        template <typename T, typename U>                                                          \
        __WS_MEMBER type operator()(const T &a, const U &b) const                                  \
        {                                                                                          \
            return result;                                                                         \
        }                                                                                          \
    };
#define __WS_COMMON typename std::common_type<T, U>::type
__WS_OPERATOR(Sum, decltype(std::declval<T>() + std::declval<U>()), a + b)
__WS_OPERATOR(Difference, decltype(std::declval<T>() - std::declval<U>()), a - b)
__WS_OPERATOR(Division, decltype(std::declval<T>() / std::declval<U>()), a / b)
__WS_OPERATOR(Max, __WS_COMMON, (__WS_COMMON)a < (__WS_COMMON)b ? (__WS_COMMON)b : (__WS_COMMON)a)
__WS_OPERATOR(Min, __WS_COMMON, (__WS_COMMON)b < (__WS_COMMON)a ? (__WS_COMMON)b : (__WS_COMMON)a)
__WS_OPERATOR(Equality, bool, a == b)
__WS_OPERATOR(Inequality, bool, a != b)
#undef __WS_OPERATOR
#undef __WS_COMMON

/* Of equal values, the one with the lower key. */
struct ArgMax {
    template <typename K, typename V>
    __WS_MEMBER KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a,
                                              const KeyValuePair<K, V> &b) const
    {
        return a.value < b.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};
struct ArgMin {
    template <typename K, typename V>
    __WS_MEMBER KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a,
                                              const KeyValuePair<K, V> &b) const
    {
        return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
    }
};

template <typename EqualityOp> struct InequalityWrapper {
    EqualityOp op;
    __WS_MEMBER explicit InequalityWrapper(EqualityOp equal) : op(equal)
    {
    }
    template <typename T, typename U> __WS_MEMBER bool operator()(T &&a, U &&b)
    {
        return !op(a, b);
    }
};

template <typename To> struct CastOp {
    template <typename From> __WS_MEMBER To operator()(From &&value) const
    {
        return (To)value;
    }
};

/* Pairs of a head flag or count and a value: the operator of a scan by segments. */
template <typename Op> struct ReduceBySegmentOp {
    Op op;
    __WS_MEMBER ReduceBySegmentOp() : op()
    {
    }
    __WS_MEMBER explicit ReduceBySegmentOp(Op an_op) : op(an_op)
    {
    }
    template <typename Pair> __WS_MEMBER Pair operator()(const Pair &a, const Pair &b)
    {
        Pair both = b;
        both.key = a.key + b.key;
        if (!b.key)
            both.value = op(a.value, b.value);
        return both;
    }
};

} // namespace cub
