/*
 * MRG32k3a: two recurrences of three numbers, modulo m1 and m2, and the difference of both
 * (P. L'Ecuyer, "Good parameters and implementations for combined multiple recursive random number
 * generators", Operations Research 47, 1999). How a seed becomes a state, and how numbers modulo m1
 * become words, is CUDA's.
 *
 * A step is a matrix for each recurrence. The powers 2^k of both are made when this is compiled.
 */
#ifndef WARPSTEP_RANDOM_MRG32K3A_H
#define WARPSTEP_RANDOM_MRG32K3A_H

#include "warpstep/random_states.h"

enum : unsigned int { __WS_MRG_M1 = 4294967087u, __WS_MRG_M2 = 4294944443u };
enum { __WS_MRG_SUBSEQUENCE = 76, __WS_MRG_SEQUENCE = 127, __WS_MRG_POWERS = 127 + 64 };

/* The recurrence modulo `Modulus`: the matrix of 2^k steps for each k. */
template <unsigned int Modulus> struct __ws_mrg_powers {
    unsigned int m[__WS_MRG_POWERS][3][3];

    constexpr __ws_mrg_powers(unsigned int oldest, unsigned int middle, unsigned int newest)
        : m{{{0, 1, 0}, {0, 0, 1}, {oldest, middle, newest}}}
    {
        for (int k = 1; k < __WS_MRG_POWERS; k++)
            for (int row = 0; row < 3; row++)
                for (int column = 0; column < 3; column++)
                    m[k][row][column] = product(m[k - 1][row], m[k - 1][0][column],
                                                m[k - 1][1][column], m[k - 1][2][column]);
    }
    __host__ __device__ static constexpr unsigned int product(const unsigned int row[3],
                                                              unsigned long long x,
                                                              unsigned long long y,
                                                              unsigned long long z)
    {
        return (unsigned int)((row[0] * x % Modulus + row[1] * y % Modulus + row[2] * z % Modulus) %
                              Modulus);
    }
};
#ifdef __CUDA_ARCH__
static __constant__ const __ws_mrg_powers<__WS_MRG_M1> __ws_mrg_power_1(__WS_MRG_M1 - 810728u,
                                                                        1403580u, 0);
static __constant__ const __ws_mrg_powers<__WS_MRG_M2> __ws_mrg_power_2(__WS_MRG_M2 - 1370589u, 0,
                                                                        527612u);
#else /* where nothing reads them they need not be made */
extern __constant__ const __ws_mrg_powers<__WS_MRG_M1> __ws_mrg_power_1;
extern __constant__ const __ws_mrg_powers<__WS_MRG_M2> __ws_mrg_power_2;
#endif

/* Of one recurrence, n times 2^power steps. */
template <unsigned int Modulus>
__WS_DEVICE void __ws_mrg_skip(const __ws_mrg_powers<Modulus> &powers, unsigned int s[3],
                               unsigned long long n, int power)
{
    for (; n != 0; n >>= 1, power++) {
        if ((n & 1) == 0)
            continue;
        unsigned int next[3];
        for (int row = 0; row < 3; row++)
            next[row] = powers.product(powers.m[power][row], s[0], s[1], s[2]);
        for (int i = 0; i < 3; i++)
            s[i] = next[i];
    }
}

__WS_DEVICE void __ws_mrg_skip(curandStateMRG32k3a_t *state, unsigned long long n, int power)
{
    __ws_mrg_skip(__ws_mrg_power_1, state->s1, n, power);
    __ws_mrg_skip(__ws_mrg_power_2, state->s2, n, power);
}

/* The next number, 1 to m1. */
__WS_DEVICE unsigned int __ws_mrg_next(curandStateMRG32k3a_t *state)
{
    unsigned int *s = state->s1, *t = state->s2;
    unsigned int p =
        (unsigned int)((1403580ull * s[1] + 810728ull * (__WS_MRG_M1 - s[0])) % __WS_MRG_M1);
    unsigned int q =
        (unsigned int)((527612ull * t[2] + 1370589ull * (__WS_MRG_M2 - t[0])) % __WS_MRG_M2);
    s[0] = s[1];
    s[1] = s[2];
    s[2] = p;
    t[0] = t[1];
    t[1] = t[2];
    t[2] = q;
    return p <= q ? p - q + __WS_MRG_M1 : p - q;
}

/* All words: m1 is stretched to 2^32. */
__WS_DEVICE unsigned int curand(curandStateMRG32k3a_t *state)
{
    return __double2uint_rz(__ws_mrg_next(state) * 1.000000048662);
}

__WS_DEVICE void skipahead(unsigned long long n, curandStateMRG32k3a_t *state)
{
    __ws_mrg_skip(state, n, 0);
}

__WS_DEVICE void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t *state)
{
    __ws_mrg_skip(state, n & ((1ull << 51) - 1), __WS_MRG_SUBSEQUENCE);
}

__WS_DEVICE void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t *state)
{
    __ws_mrg_skip(state, n, __WS_MRG_SEQUENCE);
}

/* The published state, its numbers times the halves of the seed in turn, unless that is 0. */
__WS_DEVICE void curand_init(unsigned long long seed, unsigned long long subsequence,
                             unsigned long long offset, curandStateMRG32k3a_t *state)
{
    const unsigned long long start = 12345;
    unsigned long long a = seed == 0 ? 1 : (unsigned int)seed ^ 0x55555555u;
    unsigned long long b = seed == 0 ? 1 : (unsigned int)(seed >> 32) ^ 0xaaaaaaaau;
    unsigned int a1 = (unsigned int)(start * a % __WS_MRG_M1);
    unsigned int b1 = (unsigned int)(start * b % __WS_MRG_M1);
    unsigned int a2 = (unsigned int)(start * a % __WS_MRG_M2);
    unsigned int b2 = (unsigned int)(start * b % __WS_MRG_M2);
    *state = {{a1, b1, a1}, {b2, a2, b2}, 0, 0, 0, 0};
    skipahead_subsequence(subsequence, state);
    skipahead(offset, state);
}

#endif
