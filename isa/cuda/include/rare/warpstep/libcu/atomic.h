/* Namespace cuda: atomic, atomic_ref and atomic_flag. */
#ifndef WARPSTEP_LIBCU_ATOMIC_H
#define WARPSTEP_LIBCU_ATOMIC_H

#include "warpstep/libcu/atomic_memory.h"

namespace cuda
{
namespace detail
{

template <typename T> struct atomic_step {
    typedef T type;
};
template <typename T> struct atomic_step<T *> {
    typedef long type; /* ptrdiff_t */
};

#ifdef __CUDA_ARCH__
#define __WS_NATIVE(condition, type, operation)                                                    \
    if constexpr (condition)                                                                       \
        old = (T)native_##operation(scope_tag<Scope>(), (type *)at, (type)value);                  \
    else
#else
#define __WS_NATIVE(condition, type, operation)
#endif
/* fetch_...(): a native operation, or a loop. */
#define __WS_FETCH(name, operation, condition, type, changed)                                      \
    __WS_MEMBER T name(T value, memory_order order = memory_order::seq_cst) const noexcept         \
    {                                                                                              \
        T *const at = address(), old;                                                              \
        fence_before(order, Scope);                                                                \
        __WS_NATIVE(condition, type, operation)                                                    \
        old = memory::update(at, [=](T x) { return (T)(changed); });                               \
        fence_behind(order, Scope);                                                                \
        return old;                                                                                \
    }

/* What atomic and atomic_ref have in common. Holder::__address() is where the value is. */
template <typename T, thread_scope Scope, typename Holder> class atomic_members
{
    typedef atomic_memory<T, Scope> memory;
    typedef typename atomic_step<T>::type step;

    __WS_MEMBER T *address() const noexcept
    {
        return static_cast<const Holder *>(this)->__address();
    }

  public:
    typedef T value_type;
    static constexpr bool is_always_lock_free = true;

    __WS_MEMBER bool is_lock_free() const noexcept
    {
        return true;
    }
    __WS_MEMBER T load(memory_order order = memory_order::seq_cst) const noexcept
    {
        if (order == memory_order::seq_cst)
            fence(Scope);
        T value = memory::load(address());
        fence_behind(order, Scope);
        return value;
    }
    __WS_MEMBER void store(T value, memory_order order = memory_order::seq_cst) const noexcept
    {
        fence_before(order, Scope);
        memory::store(address(), value);
        if (order == memory_order::seq_cst)
            fence(Scope);
    }
    __WS_MEMBER operator T() const noexcept
    {
        return load();
    }
    __WS_MEMBER bool compare_exchange_strong(T &expected, T wanted, memory_order success,
                                             memory_order failure) const noexcept
    {
        fence_before(success, Scope);
        const T seen = memory::compare_exchange(address(), expected, wanted);
        const bool same = to_bits(seen) == to_bits(expected);
        fence_behind(same ? success : failure, Scope);
        expected = seen;
        return same;
    }
    __WS_MEMBER bool
    compare_exchange_strong(T &expected, T wanted,
                            memory_order order = memory_order::seq_cst) const noexcept
    {
        return compare_exchange_strong(expected, wanted, order, order);
    }
    __WS_MEMBER bool compare_exchange_weak(T &expected, T wanted, memory_order success,
                                           memory_order failure) const noexcept
    {
        return compare_exchange_strong(expected, wanted, success, failure);
    }
    __WS_MEMBER bool compare_exchange_weak(T &expected, T wanted,
                                           memory_order order = memory_order::seq_cst) const noexcept
    {
        return compare_exchange_strong(expected, wanted, order, order);
    }
    __WS_MEMBER T exchange(T value, memory_order order = memory_order::seq_cst) const noexcept
    {
        T *const at = address(), old;
        fence_before(order, Scope);
#ifdef __CUDA_ARCH__
        if constexpr (sizeof(T) >= 4)
            old = from_bits<T>(
                native_exchange(scope_tag<Scope>(), (bits<T> *)at, to_bits(value)));
        else
#endif
            old = memory::update(at, [=](T) { return value; });
        fence_behind(order, Scope);
        return old;
    }
    __WS_FETCH(fetch_and, and, is_native_integer<T>, bits<T>, x &value)
    __WS_FETCH(fetch_or, or, is_native_integer<T>, bits<T>, x | value)
    __WS_FETCH(fetch_xor, xor, is_native_integer<T>, bits<T>, x ^ value)
    __WS_FETCH(fetch_min, min, is_native_integer<T>, native_integer<T>, value < x ? value : x)
    __WS_FETCH(fetch_max, max, is_native_integer<T>, native_integer<T>, x < value ? value : x)
    __WS_MEMBER T fetch_add(step value, memory_order order = memory_order::seq_cst) const noexcept
    {
        T *const at = address(), old;
        fence_before(order, Scope);
#ifdef __CUDA_ARCH__
        if constexpr (is_native_integer<T>)
            old = (T)native_add(scope_tag<Scope>(), (bits<T> *)at, (bits<T>)value);
        else if constexpr (is_native_sum<T>)
            old = native_add(scope_tag<Scope>(), at, value);
        else
#endif
            old = memory::update(at, [=](T x) { return (T)(x + value); });
        fence_behind(order, Scope);
        return old;
    }
    __WS_MEMBER T fetch_sub(step value, memory_order order = memory_order::seq_cst) const noexcept
    {
        return fetch_add((step)-value, order);
    }
    __WS_MEMBER T operator++() const noexcept
    {
        return fetch_add(1) + 1;
    }
    __WS_MEMBER T operator++(int) const noexcept
    {
        return fetch_add(1);
    }
    __WS_MEMBER T operator--() const noexcept
    {
        return fetch_sub(1) - 1;
    }
    __WS_MEMBER T operator--(int) const noexcept
    {
        return fetch_sub(1);
    }
    __WS_MEMBER T operator+=(step value) const noexcept
    {
        return fetch_add(value) + value;
    }
    __WS_MEMBER T operator-=(step value) const noexcept
    {
        return fetch_sub(value) - value;
    }
    __WS_MEMBER T operator&=(T value) const noexcept
    {
        return fetch_and(value) & value;
    }
    __WS_MEMBER T operator|=(T value) const noexcept
    {
        return fetch_or(value) | value;
    }
    __WS_MEMBER T operator^=(T value) const noexcept
    {
        return fetch_xor(value) ^ value;
    }
    /* Until the value is another one. Nobody sleeps, so nobody need be woken. */
    __WS_MEMBER void wait(T old, memory_order order = memory_order::seq_cst) const noexcept
    {
        while (to_bits(memory::load(address())) == to_bits(old))
            ;
        fence_behind(order, Scope);
    }
    __WS_MEMBER void notify_one() const noexcept
    {
    }
    __WS_MEMBER void notify_all() const noexcept
    {
    }
};
#undef __WS_FETCH
#undef __WS_NATIVE

} // namespace detail

template <typename T, thread_scope Scope = thread_scope_system>
class atomic : public detail::atomic_members<T, Scope, atomic<T, Scope>>
{
    alignas(sizeof(T)) T value;

  public:
    /* No value, so that it may be a __shared__ variable. */
    atomic() noexcept = default;
    __WS_MEMBER constexpr atomic(T x) noexcept : value(x)
    {
    }
    atomic(const atomic &) = delete;
    atomic &operator=(const atomic &) = delete;
    __WS_MEMBER T operator=(T x) noexcept
    {
        this->store(x);
        return x;
    }
    __WS_MEMBER T *__address() const noexcept
    {
        return const_cast<T *>(&value);
    }
};
template <typename T> atomic(T) -> atomic<T>;

template <typename T, thread_scope Scope = thread_scope_system>
class atomic_ref : public detail::atomic_members<T, Scope, atomic_ref<T, Scope>>
{
    T *place;

  public:
    static constexpr size_t required_alignment = sizeof(T);
    __WS_MEMBER explicit atomic_ref(T &x) noexcept : place(&x)
    {
    }
    atomic_ref(const atomic_ref &) noexcept = default;
    atomic_ref &operator=(const atomic_ref &) = delete;
    __WS_MEMBER T operator=(T x) const noexcept
    {
        this->store(x);
        return x;
    }
    __WS_MEMBER T *__address() const noexcept
    {
        return place;
    }
};

template <thread_scope Scope = thread_scope_system> class atomic_flag
{
    atomic<unsigned int, Scope> set;

  public:
    atomic_flag() noexcept = default;
    __WS_MEMBER constexpr atomic_flag(bool x) noexcept : set(x)
    {
    }
    __WS_MEMBER bool test(memory_order order = memory_order::seq_cst) const noexcept
    {
        return set.load(order) != 0;
    }
    __WS_MEMBER bool test_and_set(memory_order order = memory_order::seq_cst) noexcept
    {
        return set.exchange(1, order) != 0;
    }
    __WS_MEMBER void clear(memory_order order = memory_order::seq_cst) noexcept
    {
        set.store(0, order);
    }
    __WS_MEMBER void wait(bool old, memory_order order = memory_order::seq_cst) const noexcept
    {
        set.wait(old, order);
    }
    __WS_MEMBER void notify_one() noexcept
    {
    }
    __WS_MEMBER void notify_all() noexcept
    {
    }
};

namespace std
{

/* Those of the whole system. */
template <typename T> class atomic : public cuda::atomic<T, thread_scope_system>
{
  public:
    atomic() noexcept = default;
    __WS_MEMBER constexpr atomic(T x) noexcept : cuda::atomic<T, thread_scope_system>(x)
    {
    }
    __WS_MEMBER T operator=(T x) noexcept
    {
        this->store(x);
        return x;
    }
};
template <typename T> class atomic_ref : public cuda::atomic_ref<T, thread_scope_system>
{
  public:
    using cuda::atomic_ref<T, thread_scope_system>::atomic_ref;
    using cuda::atomic_ref<T, thread_scope_system>::operator=;
};
typedef cuda::atomic_flag<thread_scope_system> atomic_flag;

#define __WS_X(name, type) typedef atomic<type> atomic_##name;
__WS_X(bool, bool)
__WS_X(char, char)
__WS_X(int, int)
__WS_X(uint, unsigned int)
__WS_X(long, long)
__WS_X(ulong, unsigned long)
__WS_X(llong, long long)
__WS_X(ullong, unsigned long long)
__WS_X(size_t, ::size_t)
#undef __WS_X

} // namespace std
} // namespace cuda

#endif
