/*
 * CUB's small types: pairs of a key and a value, buffers that change places, and the bits of a key
 * as a number that sorts as the key does.
 */
#pragma once
#include "util_macro.cuh"

#include <cuda_runtime.h>

#include <cstddef>
#include <iterator>
#include <type_traits>

struct __half;
struct __nv_bfloat16;

namespace cub
{

struct NullType {
    template <typename T> __WS_MEMBER NullType &operator=(const T &)
    {
        return *this;
    }
    __WS_MEMBER bool operator==(const NullType &) const
    {
        return true;
    }
    __WS_MEMBER bool operator!=(const NullType &) const
    {
        return false;
    }
};

template <int A> struct Int2Type {
    enum { VALUE = A };
};

template <int N, int At = N, int Count = 0> struct Log2 {
    enum { VALUE = Log2<N, (At >> 1), Count + 1>::VALUE };
};
template <int N, int Count> struct Log2<N, 0, Count> {
    enum { VALUE = (1 << (Count - 1)) < N ? Count : Count - 1 };
};

template <int N> struct PowerOfTwo {
    enum { VALUE = (N & (N - 1)) == 0 };
};

template <bool Condition, typename Then, typename Else> struct If {
    typedef typename std::conditional<Condition, Then, Else>::type Type;
};
template <typename A, typename B> struct Equals {
    enum { VALUE = std::is_same<A, B>::value };
};

template <typename KeyT, typename ValueT> struct KeyValuePair {
    typedef KeyT Key;
    typedef ValueT Value;
    Key key;
    Value value;
    KeyValuePair() = default;
    __WS_MEMBER KeyValuePair(const Key &a_key, const Value &a_value) : key(a_key), value(a_value)
    {
    }
    __WS_MEMBER bool operator==(const KeyValuePair &other) const
    {
        return key == other.key && value == other.value;
    }
    __WS_MEMBER bool operator!=(const KeyValuePair &other) const
    {
        return !(*this == other);
    }
};

/* Storage for a T: for __shared__ variables and unions, which run no constructor. */
template <typename T> struct Uninitialized {
    alignas(T) unsigned char bytes[sizeof(T)];
    __WS_MEMBER T &Alias()
    {
        return *reinterpret_cast<T *>(bytes);
    }
    __WS_MEMBER const T &Alias() const
    {
        return *reinterpret_cast<const T *>(bytes);
    }
};

template <typename T> struct DoubleBuffer {
    T *d_buffers[2];
    int selector;
    __WS_MEMBER DoubleBuffer() : d_buffers{NULL, NULL}, selector(0)
    {
    }
    __WS_MEMBER DoubleBuffer(T *current, T *alternate) : d_buffers{current, alternate}, selector(0)
    {
    }
    __WS_MEMBER T *Current() const
    {
        return d_buffers[selector];
    }
    __WS_MEMBER T *Alternate() const
    {
        return d_buffers[selector ^ 1];
    }
};

namespace detail
{
template <size_t Size> struct bits_of_size;
template <> struct bits_of_size<1> {
    typedef unsigned char type;
};
template <> struct bits_of_size<2> {
    typedef unsigned short type;
};
template <> struct bits_of_size<4> {
    typedef unsigned int type;
};
template <> struct bits_of_size<8> {
    typedef unsigned long long type;
};

template <typename T> struct is_float_like {
    enum {
        value = std::is_floating_point<T>::value || std::is_same<T, __half>::value ||
                std::is_same<T, __nv_bfloat16>::value
    };
};

template <typename It> struct value_of {
    typedef typename std::iterator_traits<It>::value_type type;
};
/* The value type of an output iterator, or what stands in for it where it has none. */
template <typename It, typename Fallback> struct output_value {
    template <typename I> static typename std::iterator_traits<I>::value_type ask(int);
    template <typename I> static void ask(...);
    typedef decltype(ask<It>(0)) found;
    typedef typename std::conditional<std::is_void<found>::value, Fallback, found>::type type;
};
/* What `op` makes of an A and a B, or A where that cannot be told. */
template <typename Op, typename A, typename B> struct result_of {
    template <typename O>
    static typename std::decay<decltype(std::declval<O &>()(std::declval<A>(),
                                                            std::declval<B>()))>::type
    ask(int);
    template <typename O> static A ask(...);
    typedef decltype(ask<Op>(0)) type;
};

/* The number of the thread in a block of known size. */
template <int X, int Y, int Z> __WS_DEVICE_MEMBER int thread_rank()
{
    int rank = threadIdx.x;
    if (Y > 1)
        rank += threadIdx.y * X;
    if (Z > 1)
        rank += threadIdx.z * X * Y;
    return rank;
}

/* A value as the words that shuffles take. */
template <typename T> struct words_of {
    enum { count = (sizeof(T) + 3) / 4 };
    int word[count];
    __WS_DEVICE_MEMBER explicit words_of(const T &value)
    {
        word[count - 1] = 0;
        __builtin_memcpy(word, &value, sizeof(T));
    }
    __WS_DEVICE_MEMBER T get(const T &like) const
    {
        T value = like;
        __builtin_memcpy((void *)&value, word, sizeof(T));
        return value;
    }
};
} // namespace detail

enum Category { NOT_A_NUMBER, SIGNED_INTEGER, UNSIGNED_INTEGER, FLOATING_POINT };

/* UnsignedBits that compare as the numbers do. Zero of either sign keeps its own bits here. */
template <typename T> struct NumericTraits {
    typedef typename detail::bits_of_size<sizeof(T)>::type UnsignedBits;
    static constexpr UnsignedBits HIGH_BIT = (UnsignedBits)((UnsignedBits)1 << (sizeof(T) * 8 - 1));
    enum {
        IS_FLOAT = detail::is_float_like<T>::value,
        PRIMITIVE = IS_FLOAT || std::is_integral<T>::value,
        NULL_TYPE = false
    };
    static constexpr Category CATEGORY = IS_FLOAT                   ? FLOATING_POINT
                                         : std::is_signed<T>::value ? SIGNED_INTEGER
                                                                    : UNSIGNED_INTEGER;
    static constexpr UnsignedBits LOWEST_KEY = IS_FLOAT                   ? (UnsignedBits)-1
                                               : std::is_signed<T>::value ? HIGH_BIT
                                                                          : (UnsignedBits)0;
    static constexpr UnsignedBits MAX_KEY = IS_FLOAT || std::is_signed<T>::value
                                                ? (UnsignedBits)((UnsignedBits)-1 ^ HIGH_BIT)
                                                : (UnsignedBits)-1;
    __WS_MEMBER static UnsignedBits TwiddleIn(UnsignedBits key)
    {
        if (IS_FLOAT)
            return key ^ ((key & HIGH_BIT) ? (UnsignedBits)-1 : HIGH_BIT);
        return std::is_signed<T>::value ? key ^ HIGH_BIT : key;
    }
    __WS_MEMBER static UnsignedBits TwiddleOut(UnsignedBits key)
    {
        if (IS_FLOAT)
            return key ^ ((key & HIGH_BIT) ? HIGH_BIT : (UnsignedBits)-1);
        return std::is_signed<T>::value ? key ^ HIGH_BIT : key;
    }
};
template <typename T> struct Traits : NumericTraits<typename std::remove_cv<T>::type> {
};

namespace detail
{
/* The bits by which a key is sorted. Both zeros of floating point are one key. */
template <typename T> struct radix_key {
    typedef Traits<T> Of;
    typedef typename Of::UnsignedBits Bits;
    __WS_MEMBER static Bits in(const T &key, bool descending)
    {
        Bits bits;
        __builtin_memcpy(&bits, &key, sizeof bits);
        if (Of::IS_FLOAT && bits == Of::HIGH_BIT)
            bits = 0;
        bits = Of::TwiddleIn(bits);
        return descending ? (Bits)~bits : bits;
    }
    __WS_MEMBER static unsigned int digit(const T &key, bool descending, int from, int count)
    {
        return (unsigned int)(in(key, descending) >> from) & ((1u << count) - 1);
    }
};
} // namespace detail
} // namespace cub
