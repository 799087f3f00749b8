/*
 * Namespace cuda: what memcpy_async() copies with. Loads and stores of the widest unit that
 * fits, by the threads of a group in turn; nothing is asynchronous.
 */
#ifndef WARPSTEP_LIBCU_COPY_H
#define WARPSTEP_LIBCU_COPY_H

#include "warpstep/libcu/cuda_std.h"

namespace cuda
{

/* A number of bytes; pointers that it is used with are aligned so. */
template <::size_t Alignment> struct aligned_size_t {
    static_assert(Alignment > 0 && (Alignment & (Alignment - 1)) == 0,
                  "an alignment is a power of two");
    static constexpr ::size_t align = Alignment;
    ::size_t value;

    __WS_MEMBER explicit constexpr aligned_size_t(::size_t bytes) : value(bytes)
    {
    }
    __WS_MEMBER constexpr operator ::size_t() const
    {
        return value;
    }
};

namespace detail
{

/* Whatever the type of what is copied. */
typedef uint4 __attribute__((may_alias)) copied_16;
typedef unsigned long long __attribute__((may_alias)) copied_8;
typedef unsigned int __attribute__((may_alias)) copied_4;
typedef unsigned char __attribute__((may_alias)) copied_1;

template <typename Unit>
static __WS_DEVICE_MEMBER void copy_by(void *to, const void *from, ::size_t bytes, ::size_t rank,
                                       ::size_t threads)
{
    for (::size_t i = rank; i < bytes / sizeof(Unit); i += threads)
        ((Unit *)to)[i] = ((const Unit *)from)[i];
}

template <typename Shape> struct alignment_of_shape {
    static constexpr ::size_t value = 1;
};
template <::size_t Alignment> struct alignment_of_shape<aligned_size_t<Alignment>> {
    static constexpr ::size_t value = Alignment;
};
template <typename T> struct alignment_of_element {
    static constexpr ::size_t value = alignof(T);
};
template <> struct alignment_of_element<void> {
    static constexpr ::size_t value = 1;
};

/* The part of thread `rank` of `threads`. */
template <typename T, typename Shape>
static __WS_DEVICE_MEMBER void copy(T *to, const T *from, const Shape &shape, ::size_t rank,
                                    ::size_t threads)
{
    constexpr ::size_t element = alignment_of_element<T>::value;
    constexpr ::size_t given = alignment_of_shape<Shape>::value;
    constexpr ::size_t known = element > given ? element : given;
    const ::size_t bytes = shape, both = (::size_t)to | (::size_t)from | bytes;
    if (known >= 16 || both % 16 == 0)
        copy_by<copied_16>(to, from, bytes, rank, threads);
    else if (known >= 8 || (known < 4 && both % 8 == 0))
        copy_by<copied_8>(to, from, bytes, rank, threads);
    else if (known >= 4 || both % 4 == 0)
        copy_by<copied_4>(to, from, bytes, rank, threads);
    else
        copy_by<copied_1>(to, from, bytes, rank, threads);
}

} // namespace detail
} // namespace cuda

#endif
