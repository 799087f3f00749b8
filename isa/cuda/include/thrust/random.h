/*
 * Thrust's random numbers: linear congruential engines as in C++, and distributions whose numbers
 * are computed as this header has them; the documentation does not say how Thrust does.
 */
#ifndef WARPSTEP_THRUST_RANDOM_H
#define WARPSTEP_THRUST_RANDOM_H

#include <cuda_runtime.h>

#include <cmath>
#include <limits>

namespace thrust
{
namespace random
{

/* x = a x + c modulo m; discard() takes steps proportional to the logarithm of the count. */
template <typename T, T a, T c, T m> class linear_congruential_engine
{
    T state;

    __WS_MEMBER static unsigned long long product(unsigned long long x, unsigned long long y)
    {
        return m == 0 ? x * y : x * y % m;
    }
    __WS_MEMBER static unsigned long long sum(unsigned long long x, unsigned long long y)
    {
        return m == 0 ? x + y : (x + y) % m;
    }

  public:
    typedef T result_type;
    static constexpr T multiplier = a, increment = c, modulus = m;
    static constexpr T min = c == 0 ? 1 : 0, max = m - 1, default_seed = 1;

    __WS_MEMBER explicit linear_congruential_engine(T value = default_seed)
    {
        seed(value);
    }
    __WS_MEMBER void seed(T value = default_seed)
    {
        state = m == 0 ? value : value % m;
        if (c == 0 && state == 0)
            state = 1;
    }
    __WS_MEMBER T operator()()
    {
        state = (T)sum(product(state, a), c);
        return state;
    }
    __WS_MEMBER void discard(unsigned long long steps)
    {
        unsigned long long factor = 1, add = 0, f = a, b = c;
        for (; steps > 0; steps >>= 1) {
            if (steps & 1) {
                add = sum(product(add, f), b);
                factor = product(factor, f);
            }
            b = sum(product(b, f), b);
            f = product(f, f);
        }
        state = (T)sum(product(state, factor), add);
    }
    __WS_MEMBER friend bool operator==(const linear_congruential_engine &x,
                                       const linear_congruential_engine &y)
    {
        return x.state == y.state;
    }
};
typedef linear_congruential_engine<unsigned int, 16807, 0, 2147483647> minstd_rand0;
typedef linear_congruential_engine<unsigned int, 48271, 0, 2147483647> minstd_rand;
typedef minstd_rand default_random_engine;

namespace detail
{
/* In [0, 1). */
template <typename Real, typename Engine> __WS_MEMBER Real canonical(Engine &engine)
{
    Real range = (Real)(Engine::max - Engine::min) + (Real)1;
    Real value = (Real)(engine() - Engine::min) / range;
    return value < (Real)1 ? value : (Real)1 - std::numeric_limits<Real>::epsilon() / 2;
}
} // namespace detail

template <typename Real = double> class uniform_real_distribution
{
    Real from, to;

  public:
    typedef Real result_type;
    __WS_MEMBER explicit uniform_real_distribution(Real a = 0, Real b = 1) : from(a), to(b)
    {
    }
    template <typename Engine> __WS_MEMBER Real operator()(Engine &engine)
    {
        return from + (to - from) * detail::canonical<Real>(engine);
    }
    __WS_MEMBER void reset()
    {
    }
};

/* Of a to b, both among them. */
template <typename Int = int> class uniform_int_distribution
{
    Int from, to;

  public:
    typedef Int result_type;
    __WS_MEMBER explicit uniform_int_distribution(Int a = 0,
                                                  Int b = std::numeric_limits<Int>::max())
        : from(a), to(b)
    {
    }
    template <typename Engine> __WS_MEMBER Int operator()(Engine &engine)
    {
        double range = (double)to - (double)from + 1;
        unsigned long long step = (unsigned long long)(detail::canonical<double>(engine) * range);
        return (Int)((unsigned long long)from + step);
    }
    __WS_MEMBER void reset()
    {
    }
};

/* By Box and Muller: two numbers of the engine for each. */
template <typename Real = double> class normal_distribution
{
    Real middle, deviation;

  public:
    typedef Real result_type;
    __WS_MEMBER explicit normal_distribution(Real mean = 0, Real stddev = 1)
        : middle(mean), deviation(stddev)
    {
    }
    template <typename Engine> __WS_MEMBER Real operator()(Engine &engine)
    {
        double u = 1 - detail::canonical<double>(engine), v = detail::canonical<double>(engine);
        return middle + deviation * (Real)(::sqrt(-2 * ::log(u)) * ::cos(6.283185307179586 * v));
    }
    __WS_MEMBER void reset()
    {
    }
};

} // namespace random

using random::default_random_engine;
using random::linear_congruential_engine;
using random::minstd_rand;
using random::minstd_rand0;
using random::normal_distribution;
using random::uniform_int_distribution;
using random::uniform_real_distribution;

} // namespace thrust

#endif
