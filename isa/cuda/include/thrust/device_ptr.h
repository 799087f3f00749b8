/* thrust::device_ptr, and references to what is on the device, which the host may read and write.
 */
#ifndef WARPSTEP_THRUST_DEVICE_PTR_H
#define WARPSTEP_THRUST_DEVICE_PTR_H

#include "warpstep/random_access.h"

#include <cuda_runtime.h>

#include <stdexcept>
#include <type_traits>

namespace thrust
{

/* An error of the runtime. */
class system_error : public std::runtime_error
{
  public:
    explicit system_error(const char *text) : std::runtime_error(text)
    {
    }
};
namespace system
{
using thrust::system_error;
}

namespace detail
{
inline void check(cudaError_t error)
{
    if (error != cudaSuccess)
        throw system_error(cudaGetErrorString(error));
}
} // namespace detail

template <typename T> class device_ptr;

template <typename T> class device_reference
{
    T *at;

  public:
    typedef typename std::remove_cv<T>::type value_type;

    __WS_MEMBER explicit device_reference(T *pointer) : at(pointer)
    {
    }
    device_reference(const device_reference &) = default;
    __WS_MEMBER value_type read() const
    {
#ifdef __CUDA_ARCH__
        return *at;
#else
        alignas(value_type) unsigned char bytes[sizeof(value_type)];
        detail::check(
            cudaMemcpy((void *)bytes, (const void *)at, sizeof bytes, cudaMemcpyDeviceToHost));
        return *reinterpret_cast<value_type *>(bytes);
#endif
    }
    __WS_MEMBER const device_reference &write(const value_type &value) const
    {
#ifdef __CUDA_ARCH__
        *at = value;
#else
        detail::check(
            cudaMemcpy((void *)at, (const void *)&value, sizeof value, cudaMemcpyHostToDevice));
#endif
        return *this;
    }
    __WS_MEMBER operator value_type() const
    {
        return read();
    }
    __WS_MEMBER const device_reference &operator=(const value_type &value) const
    {
        return write(value);
    }
    __WS_MEMBER device_reference &operator=(const device_reference &other)
    {
        write(other.read());
        return *this;
    }
    template <typename U>
    __WS_MEMBER const device_reference &operator=(const device_reference<U> &other) const
    {
        return write(other.read());
    }
    __WS_MEMBER device_ptr<T> operator&() const
    {
        return device_ptr<T>(at);
    }
#define __WS_ASSIGN(op)                                                                            \
    __WS_MEMBER const device_reference &operator op##=(const value_type &value) const              \
    {                                                                                              \
        return write(read() op value);                                                             \
    }
    __WS_ASSIGN(+)
    __WS_ASSIGN(-)
    __WS_ASSIGN(*)
    __WS_ASSIGN(/)
    __WS_ASSIGN(%)
    __WS_ASSIGN(&)
    __WS_ASSIGN(|)
    __WS_ASSIGN(^)
#undef __WS_ASSIGN
    __WS_MEMBER const device_reference &operator++() const
    {
        return write(read() + value_type(1));
    }
    __WS_MEMBER const device_reference &operator--() const
    {
        return write(read() - value_type(1));
    }
};
template <typename Stream, typename T>
auto operator<<(Stream &stream, const device_reference<T> &value)
    -> decltype(stream << value.read())
{
    return stream << value.read();
}

template <typename T>
class device_ptr : public __ws_random_access<device_ptr<T>, typename std::remove_cv<T>::type,
                                             device_reference<T>, ptrdiff_t, device_ptr<T>>
{
    T *at;

  public:
    typedef T element_type;
    __WS_MEMBER device_ptr() : at(NULL)
    {
    }
    __WS_MEMBER device_ptr(decltype(nullptr)) : at(NULL)
    {
    }
    template <typename U> __WS_MEMBER explicit device_ptr(U *pointer) : at(pointer)
    {
    }
    template <typename U,
              typename = typename std::enable_if<std::is_convertible<U *, T *>::value>::type>
    __WS_MEMBER device_ptr(const device_ptr<U> &other) : at(other.get())
    {
    }
    __WS_MEMBER T *get() const
    {
        return at;
    }
    __WS_MEMBER explicit operator bool() const
    {
        return at != NULL;
    }
    __WS_MEMBER device_reference<T> __at(ptrdiff_t n) const
    {
        return device_reference<T>(at + n);
    }
    __WS_MEMBER void __advance(ptrdiff_t n)
    {
        at += n;
    }
    __WS_MEMBER ptrdiff_t __places_from(const device_ptr &other) const
    {
        return at - other.at;
    }
};
template <> class device_ptr<void>
{
    void *at;

  public:
    __WS_MEMBER device_ptr() : at(NULL)
    {
    }
    __WS_MEMBER explicit device_ptr(void *pointer) : at(pointer)
    {
    }
    template <typename U>
    __WS_MEMBER device_ptr(const device_ptr<U> &other) : at((void *)other.get())
    {
    }
    __WS_MEMBER void *get() const
    {
        return at;
    }
    template <typename U> __WS_MEMBER explicit operator device_ptr<U>() const
    {
        return device_ptr<U>((U *)at);
    }
};

template <typename T> __WS_MEMBER device_ptr<T> device_pointer_cast(T *pointer)
{
    return device_ptr<T>(pointer);
}
template <typename T> __WS_MEMBER device_ptr<T> device_pointer_cast(const device_ptr<T> &pointer)
{
    return pointer;
}
template <typename T> __WS_MEMBER T *raw_pointer_cast(const device_ptr<T> &pointer)
{
    return pointer.get();
}
template <typename T> __WS_MEMBER T *raw_pointer_cast(T *pointer)
{
    return pointer;
}
template <typename T> __WS_MEMBER T &raw_reference_cast(T &reference)
{
    return reference;
}
template <typename T> __WS_MEMBER T &raw_reference_cast(const device_reference<T> &reference)
{
    return *(&reference).get();
}

template <typename T> inline device_ptr<T> device_malloc(size_t n)
{
    void *pointer;
    detail::check(cudaMalloc(&pointer, n * sizeof(T)));
    return device_ptr<T>((T *)pointer);
}
inline device_ptr<void> device_malloc(size_t bytes)
{
    void *pointer;
    detail::check(cudaMalloc(&pointer, bytes));
    return device_ptr<void>(pointer);
}
template <typename T> inline void device_free(const device_ptr<T> &pointer)
{
    detail::check(cudaFree((void *)pointer.get()));
}

} // namespace thrust

#endif
