/* thrust::complex, for host and device. */
#ifndef WARPSTEP_THRUST_COMPLEX_H
#define WARPSTEP_THRUST_COMPLEX_H

#include <cuda_runtime.h>

#include <complex>
#include <type_traits>

namespace thrust
{

/* Aligned as its two parts together. */
template <typename T> struct alignas(2 * sizeof(T)) complex {
    typedef T value_type;

    __WS_MEMBER complex(const T &real = T(), const T &imaginary = T()) : re(real), im(imaginary)
    {
    }
    template <typename U>
    __WS_MEMBER complex(const complex<U> &other) : re((T)other.real()), im((T)other.imag())
    {
    }
    template <typename U>
    complex(const std::complex<U> &other) : re((T)other.real()), im((T)other.imag())
    {
    }
    complex(const complex &) = default;
    complex &operator=(const complex &) = default;
    __WS_MEMBER T real() const
    {
        return re;
    }
    __WS_MEMBER T imag() const
    {
        return im;
    }
    __WS_MEMBER void real(T value)
    {
        re = value;
    }
    __WS_MEMBER void imag(T value)
    {
        im = value;
    }
    operator std::complex<T>() const
    {
        return std::complex<T>(re, im);
    }
    __WS_MEMBER complex &operator+=(const complex &b)
    {
        re += b.re;
        im += b.im;
        return *this;
    }
    __WS_MEMBER complex &operator-=(const complex &b)
    {
        re -= b.re;
        im -= b.im;
        return *this;
    }
    __WS_MEMBER complex &operator*=(const complex &b)
    {
        return *this = complex(re * b.re - im * b.im, re * b.im + im * b.re);
    }
    /* Scaled by the divisor's parts, so that their squares neither overflow nor vanish. */
    __WS_MEMBER complex &operator/=(const complex &b)
    {
        T scale = (b.re < 0 ? -b.re : b.re) + (b.im < 0 ? -b.im : b.im), one = T(1) / scale;
        T x = b.re * one, y = b.im * one, u = re * one, v = im * one, square = x * x + y * y;
        return *this = complex((u * x + v * y) / square, (v * x - u * y) / square);
    }
    __WS_MEMBER complex &operator*=(const T &b)
    {
        re *= b;
        im *= b;
        return *this;
    }
    __WS_MEMBER complex &operator/=(const T &b)
    {
        re /= b;
        im /= b;
        return *this;
    }

  private:
    T re, im;
};

#define __WS_COMPLEX(op)                                                                           \
    template <typename T> __WS_MEMBER complex<T> operator op(complex<T> a, const complex<T> &b)    \
    {                                                                                              \
        return a op## = b;                                                                         \
    }                                                                                              \
    template <typename T>                                                                          \
    __WS_MEMBER complex<T> operator op(complex<T> a, const typename complex<T>::value_type &b)     \
    {                                                                                              \
        return a op complex<T>(b);                                                                 \
    }                                                                                              \
    template <typename T>                                                                          \
    __WS_MEMBER complex<T> operator op(const typename complex<T>::value_type &a,                   \
                                       const complex<T> &b)                                        \
    {                                                                                              \
        return complex<T>(a) op b;                                                                 \
    }
__WS_COMPLEX(+)
__WS_COMPLEX(-)
__WS_COMPLEX(*)
__WS_COMPLEX(/)
#undef __WS_COMPLEX

template <typename T> __WS_MEMBER complex<T> operator+(const complex<T> &a)
{
    return a;
}
template <typename T> __WS_MEMBER complex<T> operator-(const complex<T> &a)
{
    return complex<T>(-a.real(), -a.imag());
}
template <typename T> __WS_MEMBER bool operator==(const complex<T> &a, const complex<T> &b)
{
    return a.real() == b.real() && a.imag() == b.imag();
}
template <typename T> __WS_MEMBER bool operator!=(const complex<T> &a, const complex<T> &b)
{
    return !(a == b);
}
template <typename T> __WS_MEMBER complex<T> conj(const complex<T> &a)
{
    return complex<T>(a.real(), -a.imag());
}
template <typename T> __WS_MEMBER T norm(const complex<T> &a)
{
    return a.real() * a.real() + a.imag() * a.imag();
}
template <typename T> __WS_MEMBER T abs(const complex<T> &a)
{
    return ::hypot(a.real(), a.imag());
}
template <typename T> __WS_MEMBER T arg(const complex<T> &a)
{
    return ::atan2(a.imag(), a.real());
}
template <typename T> __WS_MEMBER complex<T> polar(const T &length, const T &angle = T())
{
    return complex<T>(length * ::cos(angle), length * ::sin(angle));
}
template <typename T> __WS_MEMBER complex<T> exp(const complex<T> &a)
{
    return polar((T)::exp(a.real()), a.imag());
}
template <typename T> __WS_MEMBER complex<T> log(const complex<T> &a)
{
    return complex<T>(::log(abs(a)), arg(a));
}
template <typename T> __WS_MEMBER complex<T> sqrt(const complex<T> &a)
{
    return polar((T)::sqrt(abs(a)), arg(a) / 2);
}
template <typename T> __WS_MEMBER complex<T> pow(const complex<T> &a, const complex<T> &b)
{
    return exp(log(a) * b);
}
template <typename Stream, typename T>
auto operator<<(Stream &stream, const complex<T> &a) -> decltype(stream << a.real())
{
    return stream << '(' << a.real() << ',' << a.imag() << ')';
}

} // namespace thrust

#endif
