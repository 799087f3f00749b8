/*
 * XORWOW: five words of a xorshift generator and a counter (G. Marsaglia, "Xorshift RNGs", Journal
 * of Statistical Software 8, 2003). How a seed becomes a state is CUDA's.
 *
 * A step of the five words is linear over GF(2). So n steps are the polynomial x^n modulo that of a
 * step, with steps for x: 160 steps and sums of some of their states. The polynomials of all n =
 * 2^k are made when this is compiled.
 */
#ifndef WARPSTEP_RANDOM_XORWOW_H
#define WARPSTEP_RANDOM_XORWOW_H

#include "warpstep/random_states.h"

enum { __WS_XORWOW_BITS = 160, __WS_XORWOW_COUNT = 362437, __WS_XORWOW_SEQUENCE = 67 };

/* Of five words, the next one, which takes the place of the first behind the last. */
__host__ __device__ constexpr unsigned int __ws_xorwow_next(unsigned int first, unsigned int last)
{
    unsigned int t = first ^ first >> 2;
    return last ^ last << 4 ^ t ^ t << 1;
}

/* A polynomial over GF(2), bit i for x^i. Few operations, as compilers are slow at these. */
struct __ws_polynomial {
    unsigned long long low, middle, high;

    constexpr bool has(int i) const
    {
        return (i < 64 ? low : i < 128 ? middle : high) >> i % 64 & 1;
    }
    constexpr void add(const __ws_polynomial &other)
    {
        low ^= other.low;
        middle ^= other.middle;
        high ^= other.high;
    }
    constexpr void times_x()
    {
        high = high << 1 | middle >> 63;
        middle = middle << 1 | low >> 63;
        low <<= 1;
    }
    /* The sum of even[i] for the powers i that are in this. */
    constexpr __ws_polynomial square(const __ws_polynomial even[]) const
    {
        const unsigned long long words[3] = {low, middle, high};
        __ws_polynomial sum = {};
        for (int i = 0; i < 3; i++)
            for (unsigned long long left = words[i]; left != 0; left &= left - 1)
                sum.add(even[64 * i + __builtin_ctzll(left)]);
        return sum;
    }
    /* TRUE if an odd number of powers is in both. */
    constexpr bool meets(const __ws_polynomial &other) const
    {
        return __builtin_parityll((low & other.low) ^ (middle & other.middle) ^
                                  (high & other.high));
    }
};

/*
 * The polynomial of a step: that of the shortest recurrence which makes any bit of the sequence
 * (Berlekamp and Massey). Its degree is 160, as the period is 2^160 - 1.
 */
constexpr __ws_polynomial __ws_xorwow_polynomial()
{
    unsigned int v[5] = {1, 0, 0, 0, 0};
    __ws_polynomial seen = {}, recurrence = {1}, before = {1}, result = {};
    int length = 0;
    for (int n = 0; n < 2 * __WS_XORWOW_BITS; n++) {
        seen.times_x();
        seen.low |= v[n % 5] & 1;
        v[n % 5] = __ws_xorwow_next(v[n % 5], v[(n + 4) % 5]);
        before.times_x();
        if (!recurrence.meets(seen))
            continue;
        __ws_polynomial kept = recurrence;
        recurrence.add(before);
        if (2 * length <= n) {
            length = n + 1 - length;
            before = kept;
        }
    }
    for (int i = 0; i <= length; i++) { /* turned round */
        result.times_x();
        result.low |= recurrence.has(i);
    }
    return result;
}

/* x^(2^k) modulo that polynomial, for steps of up to 2^64 numbers and of 2^64 sequences. */
struct __ws_xorwow_powers {
    unsigned int w[__WS_XORWOW_SEQUENCE + 64][5];

    constexpr __ws_xorwow_powers() : w()
    {
        const __ws_polynomial step = __ws_xorwow_polynomial();
        __ws_polynomial even[__WS_XORWOW_BITS] = {{1}}, power = {2}; /* x^(2i), x^(2^k) */
        for (int i = 1; i < __WS_XORWOW_BITS; i++) {
            even[i] = even[i - 1];
            for (int twice = 0; twice < 2; twice++) {
                even[i].times_x();
                if (even[i].has(__WS_XORWOW_BITS))
                    even[i].add(step);
            }
        }
        for (int k = 0; k < __WS_XORWOW_SEQUENCE + 64; k++) {
            w[k][0] = (unsigned int)power.low;
            w[k][1] = (unsigned int)(power.low >> 32);
            w[k][2] = (unsigned int)power.middle;
            w[k][3] = (unsigned int)(power.middle >> 32);
            w[k][4] = (unsigned int)power.high;
            power = power.square(even);
        }
    }
};
#ifdef __CUDA_ARCH__
static __constant__ const __ws_xorwow_powers __ws_xorwow_power;
#else /* where nothing reads them they need not be made */
extern __constant__ const __ws_xorwow_powers __ws_xorwow_power;
#endif

__WS_DEVICE void __ws_xorwow_step(unsigned int v[5])
{
    unsigned int next = __ws_xorwow_next(v[0], v[4]);
    for (int i = 0; i < 4; i++)
        v[i] = v[i + 1];
    v[4] = next;
}

/* Of the five words, n times 2^power steps. */
__WS_DEVICE void __ws_xorwow_skip(unsigned int v[5], unsigned long long n, int power)
{
    for (; n != 0; n >>= 1, power++) {
        if ((n & 1) == 0)
            continue;
        unsigned int sum[5] = {0, 0, 0, 0, 0};
#pragma unroll 1
        for (int i = 0; i < 5; i++) {
            unsigned int powers = __ws_xorwow_power.w[power][i];
            for (int j = 0; j < 32; j++) {
                unsigned int has = 0u - (powers >> j & 1);
                for (int k = 0; k < 5; k++)
                    sum[k] ^= v[k] & has;
                __ws_xorwow_step(v);
            }
        }
        for (int k = 0; k < 5; k++)
            v[k] = sum[k];
    }
}

__WS_DEVICE unsigned int curand(curandStateXORWOW_t *state)
{
    __ws_xorwow_step(state->v);
    state->d += __WS_XORWOW_COUNT;
    return state->v[4] + state->d;
}

__WS_DEVICE void skipahead(unsigned long long n, curandStateXORWOW_t *state)
{
    __ws_xorwow_skip(state->v, n, 0);
    state->d += __WS_XORWOW_COUNT * (unsigned int)n;
}

/* The counter is the same again behind 2^67 numbers. */
__WS_DEVICE void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *state)
{
    __ws_xorwow_skip(state->v, n, __WS_XORWOW_SEQUENCE);
}

__WS_DEVICE void curand_init(unsigned long long seed, unsigned long long subsequence,
                             unsigned long long offset, curandStateXORWOW_t *state)
{
    unsigned int low = 1099087573u * ((unsigned int)seed ^ 0xaad26b49u);
    unsigned int high = 2591861531u * ((unsigned int)(seed >> 32) ^ 0xf7dcefddu);
    *state = {
        6615241u + low + high,
        {123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high, 5783321u + low},
        0,
        0,
        0,
        0};
    skipahead_sequence(subsequence, state);
    skipahead(offset, state);
}

#endif
