/*
 * Philox4x32-10: a counter of 128 bits, made to look random in ten rounds (J. K. Salmon and others,
 * "Parallel random numbers: as easy as 1, 2, 3", SC 2011). The seed is the key, the upper half of
 * the counter the subsequence.
 */
#ifndef WARPSTEP_RANDOM_PHILOX_H
#define WARPSTEP_RANDOM_PHILOX_H

#include "warpstep/random_states.h"

__WS_DEVICE uint4 curand_Philox4x32_10(uint4 counter, uint2 key)
{
#pragma unroll
    for (int round = 0; round < 10; round++) {
        unsigned long long x = 0xd2511f53ull * counter.x, z = 0xcd9e8d57ull * counter.z;
        counter = uint4{(unsigned int)(z >> 32) ^ counter.y ^ key.x, (unsigned int)z,
                        (unsigned int)(x >> 32) ^ counter.w ^ key.y, (unsigned int)x};
        key.x += 0x9e3779b9u;
        key.y += 0xbb67ae85u;
    }
    return counter;
}

/* Adds n to the counter, n_high times 2^64 besides. */
__WS_DEVICE void __ws_philox_add(curandStatePhilox4_32_10_t *state, unsigned long long n,
                                 unsigned long long n_high)
{
    uint4 *c = &state->ctr;
    unsigned long long low = (unsigned long long)c->y << 32 | c->x;
    unsigned long long high = (unsigned long long)c->w << 32 | c->z;
    low += n;
    high += n_high + (low < n);
    *c = uint4{(unsigned int)low, (unsigned int)(low >> 32), (unsigned int)high,
               (unsigned int)(high >> 32)};
    state->output = curand_Philox4x32_10(*c, state->key);
}

/* Number i of four, without memory that is indexed. */
__WS_DEVICE unsigned int __ws_philox_choose(uint4 v, unsigned int i)
{
    return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
}

__WS_DEVICE unsigned int curand(curandStatePhilox4_32_10_t *state)
{
    unsigned int number = __ws_philox_choose(state->output, state->STATE++);
    if (state->STATE == 4) {
        __ws_philox_add(state, 1, 0);
        state->STATE = 0;
    }
    return number;
}

__WS_DEVICE uint4 curand4(curandStatePhilox4_32_10_t *state)
{
    uint4 a = state->output;
    __ws_philox_add(state, 1, 0);
    uint4 b = state->output;
    switch (state->STATE) {
    case 0:
        return a;
    case 1:
        return uint4{a.y, a.z, a.w, b.x};
    case 2:
        return uint4{a.z, a.w, b.x, b.y};
    default:
        return uint4{a.w, b.x, b.y, b.z};
    }
}

__WS_DEVICE void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *state)
{
    unsigned int given = state->STATE + (unsigned int)(n & 3);
    state->STATE = given & 3;
    __ws_philox_add(state, n / 4 + given / 4, 0);
}

__WS_DEVICE void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *state)
{
    __ws_philox_add(state, 0, n);
}

__WS_DEVICE void curand_init(unsigned long long seed, unsigned long long subsequence,
                             unsigned long long offset, curandStatePhilox4_32_10_t *state)
{
    *state = {};
    state->key = uint2{(unsigned int)seed, (unsigned int)(seed >> 32)};
    state->ctr.z = (unsigned int)subsequence;
    state->ctr.w = (unsigned int)(subsequence >> 32);
    skipahead(offset, state);
}

#endif
