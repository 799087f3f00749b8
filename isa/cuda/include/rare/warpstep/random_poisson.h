/*
 * Poisson numbers: for small means by the product of uniform numbers (D. E. Knuth, "The Art of
 * Computer Programming" 2, 3.4.1), for others by transformed rejection (W. Hoermann, "The
 * transformed rejection method for generating Poisson random variables", Insurance: Mathematics and
 * Economics 12, 1993, algorithm PTRS).
 */
#ifndef WARPSTEP_RANDOM_POISSON_H
#define WARPSTEP_RANDOM_POISSON_H

#include "warpstep/random_distributions.h"

/* log(k!), by Stirling's series from 10 on: to about 1e-12. */
__WS_DEVICE double __ws_log_factorial(double k)
{
    if (k < 10) {
        double product = 1;
        for (int i = 2; i <= (int)k; i++)
            product *= i;
        return log(product);
    }
    const double half_log_turn = 0.91893853320467274178; /* log(2 pi) / 2 */
    double r = 1 / k, r2 = r * r;
    double rest = r * (1.0 / 12 - r2 * (1.0 / 360 - r2 * (1.0 / 1260 - r2 / 1680)));
    return (k + 0.5) * log(k) - k + half_log_turn + rest;
}

template <typename State> __WS_DEVICE unsigned int __ws_poisson_product(State *state, double lambda)
{
    double least = exp(-lambda), product = 1;
    unsigned int k = 0;
    for (;; k++) {
        product *= curand_uniform_double(state);
        if (product <= least)
            return k;
    }
}

template <typename State>
__WS_DEVICE unsigned int __ws_poisson_rejection(State *state, double lambda)
{
    double b = 0.931 + 2.53 * sqrt(lambda), a = -0.059 + 0.02483 * b;
    double log_alpha = log(1.1239 + 1.1328 / (b - 3.4)), sure = 0.9277 - 3.6224 / (b - 2);
    double log_lambda = log(lambda);
    for (;;) {
        double u = curand_uniform_double(state) - 0.5, v = curand_uniform_double(state);
        double room = 0.5 - fabs(u);
        double k = floor((2 * a / room + b) * u + lambda + 0.43);
        if (room >= 0.07 && v <= sure)
            return (unsigned int)k;
        if (k < 0 || (room < 0.013 && v > room))
            continue;
        if (log(v) + log_alpha - log(a / (room * room) + b) <=
            k * log_lambda - lambda - __ws_log_factorial(k))
            return (unsigned int)k;
    }
}

template <typename State> __WS_DEVICE unsigned int curand_poisson(State *state, double lambda)
{
    return lambda < 10 ? __ws_poisson_product(state, lambda)
                       : __ws_poisson_rejection(state, lambda);
}
__WS_DEVICE uint4 curand_poisson4(curandStatePhilox4_32_10_t *state, double lambda)
{
    unsigned int v[4];
    for (int i = 0; i < 4; i++)
        v[i] = curand_poisson(state, lambda);
    return uint4{v[0], v[1], v[2], v[3]};
}

#endif
