/* Namespace cuda: relaxed atomic operations on memory, by scope; on the host those of the compiler. */
#ifndef WARPSTEP_LIBCU_ATOMIC_MEMORY_H
#define WARPSTEP_LIBCU_ATOMIC_MEMORY_H

#include "warpstep/libcu/memory_order.h"

namespace cuda
{
namespace detail
{

template <unsigned int Size> struct bits_of_size;
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
template <typename T> using bits = typename bits_of_size<sizeof(T)>::type;

template <typename T> __WS_BOTH bits<T> to_bits(T value)
{
    return __builtin_bit_cast(bits<T>, value);
}
template <typename T> __WS_BOTH T from_bits(bits<T> value)
{
    return __builtin_bit_cast(T, value);
}

#ifdef __CUDA_ARCH__

#define __WS_LOAD_STORE(scope, name, suffix, type, letter, word)                                   \
    __WS_DEVICE type relaxed_load(scope_tag<scope>, const type *from)                              \
    {                                                                                              \
        word value;                                                                                \
        asm volatile("ld.relaxed." name "." suffix " %0, [%1];"                                    \
                     : "=" letter(value)                                                           \
                     : "l"(from)                                                                   \
                     : "memory");                                                                  \
        return (type)value;                                                                        \
    }                                                                                              \
    __WS_DEVICE void relaxed_store(scope_tag<scope>, type *to, type value)                         \
    {                                                                                              \
        asm volatile("st.relaxed." name "." suffix " [%0], %1;" ::"l"(to), letter((word)value)     \
                     : "memory");                                                                  \
    }
#define __WS_LOAD_STORE_SIZES(scope, name)                                                         \
    __WS_LOAD_STORE(scope, name, "b8", unsigned char, "h", unsigned short)                         \
    __WS_LOAD_STORE(scope, name, "b16", unsigned short, "h", unsigned short)                       \
    __WS_LOAD_STORE(scope, name, "b32", unsigned int, "r", unsigned int)                           \
    __WS_LOAD_STORE(scope, name, "b64", unsigned long long, "l", unsigned long long)
#define __WS_READ_MODIFY_WRITE(scope, operation, function)                                         \
    template <typename T> __WS_DEVICE T operation(scope_tag<scope>, T *at, T value)                \
    {                                                                                              \
        return function(at, value);                                                                \
    }
#define __WS_SCOPE(scope, name, suffix)                                                            \
    __WS_LOAD_STORE_SIZES(scope, name)                                                             \
    __WS_READ_MODIFY_WRITE(scope, native_add, ::atomicAdd##suffix)                                 \
    __WS_READ_MODIFY_WRITE(scope, native_min, ::atomicMin##suffix)                                 \
    __WS_READ_MODIFY_WRITE(scope, native_max, ::atomicMax##suffix)                                 \
    __WS_READ_MODIFY_WRITE(scope, native_and, ::atomicAnd##suffix)                                 \
    __WS_READ_MODIFY_WRITE(scope, native_or, ::atomicOr##suffix)                                   \
    __WS_READ_MODIFY_WRITE(scope, native_xor, ::atomicXor##suffix)                                 \
    __WS_READ_MODIFY_WRITE(scope, native_exchange, ::atomicExch##suffix)                           \
    template <typename T>                                                                          \
    __WS_DEVICE T native_compare_exchange(scope_tag<scope>, T *at, T expected, T wanted)           \
    {                                                                                              \
        return ::atomicCAS##suffix(at, expected, wanted);                                          \
    }

template <thread_scope Scope> struct scope_tag {
};
__WS_SCOPE(thread_scope_system, "sys", _system)
__WS_SCOPE(thread_scope_device, "gpu", )
__WS_SCOPE(thread_scope_block, "cta", _block)
__WS_SCOPE(thread_scope_thread, "cta", _block)
#undef __WS_SCOPE
#undef __WS_READ_MODIFY_WRITE
#undef __WS_LOAD_STORE_SIZES
#undef __WS_LOAD_STORE

/* Numbers of 8 and 16 bits are parts of a word: its other bytes stay as they are. */
template <typename T, typename Tag>
__WS_DEVICE bits<T> compare_exchange_bits(Tag tag, bits<T> *at, bits<T> expected, bits<T> wanted)
{
    if constexpr (sizeof(T) >= 4) {
        return native_compare_exchange(tag, at, expected, wanted);
    } else {
        const unsigned long long address = (unsigned long long)at;
        unsigned int *const whole = (unsigned int *)(address & ~3ull);
        const unsigned int shift = (unsigned int)(address & 3) * 8;
        const unsigned int mask = ((1u << 8 * sizeof(T)) - 1) << shift;
        unsigned int word = relaxed_load(tag, whole);
        while ((word & mask) >> shift == expected) {
            const unsigned int seen = native_compare_exchange(
                tag, whole, word, (word & ~mask) | (unsigned int)wanted << shift);
            if (seen == word)
                return expected;
            word = seen;
        }
        return (bits<T>)((word & mask) >> shift);
    }
}

#endif

/* Where an atomic of this scope is in memory. */
template <typename T, thread_scope Scope> struct atomic_memory {
    static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
                  "atomics have 1, 2, 4 or 8 bytes");
    static_assert(::std::is_trivially_copyable<T>::value, "atomics are trivially copyable");

    __WS_MEMBER static T load(const T *at)
    {
#ifdef __CUDA_ARCH__
        return from_bits<T>(relaxed_load(scope_tag<Scope>(), (const bits<T> *)at));
#else
        return from_bits<T>(__atomic_load_n((const bits<T> *)at, __ATOMIC_SEQ_CST));
#endif
    }
    __WS_MEMBER static void store(T *at, T value)
    {
#ifdef __CUDA_ARCH__
        relaxed_store(scope_tag<Scope>(), (bits<T> *)at, to_bits(value));
#else
        __atomic_store_n((bits<T> *)at, to_bits(value), __ATOMIC_SEQ_CST);
#endif
    }
    /* What was there. */
    __WS_MEMBER static T compare_exchange(T *at, T expected, T wanted)
    {
#ifdef __CUDA_ARCH__
        return from_bits<T>(compare_exchange_bits<T>(scope_tag<Scope>(), (bits<T> *)at,
                                                     to_bits(expected), to_bits(wanted)));
#else
        bits<T> seen = to_bits(expected);
        __atomic_compare_exchange_n((bits<T> *)at, &seen, to_bits(wanted), false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST);
        return from_bits<T>(seen);
#endif
    }
    /* at = change(at), by a loop around compare-and-swap; what was there. */
    template <typename Change> __WS_MEMBER static T update(T *at, Change change)
    {
        T old = load(at);
        for (;;) {
            const T seen = compare_exchange(at, old, change(old));
            if (to_bits(seen) == to_bits(old))
                return old;
            old = seen;
        }
    }
};

/* Which numbers the hardware adds, and for which it has the other operations. */
template <typename T>
constexpr bool is_native_integer = ::std::is_integral<T>::value && sizeof(T) >= 4;
template <typename T> constexpr bool is_native_sum =
    is_native_integer<T> || ::std::is_same<T, float>::value || ::std::is_same<T, double>::value;

/* The type that the functions of atomics.h take for an integer. */
template <typename T>
using native_integer = ::std::conditional_t<
    sizeof(T) == 8, ::std::conditional_t<::std::is_signed<T>::value, long long, unsigned long long>,
    ::std::conditional_t<::std::is_signed<T>::value, int, unsigned int>>;

} // namespace detail
} // namespace cuda

#endif
