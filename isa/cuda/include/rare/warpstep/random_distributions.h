/*
 * Uniform, normal and log-normal numbers of the generators. Uniform ones are above 0 and up to 1,
 * normal ones come in twos from two uniform ones (G. E. P. Box and M. E. Muller, "A note on the
 * generation of random normal deviates", 1958). A function that gives one at a time keeps the
 * other.
 */
#ifndef WARPSTEP_RANDOM_DISTRIBUTIONS_H
#define WARPSTEP_RANDOM_DISTRIBUTIONS_H

#include "warpstep/random_mrg32k3a.h"
#include "warpstep/random_philox.h"
#include "warpstep/random_xorwow.h"

#include "warpstep/math.h"

/* ---- uniform ---- */

__WS_DEVICE float __ws_uniform(unsigned int word)
{
    return __builtin_fmaf((float)word, 0x1p-32f, 0x1p-33f);
}
/* 53 bits of two words. */
__WS_DEVICE double __ws_uniform_double(unsigned int low, unsigned int high)
{
    unsigned long long bits = low ^ (unsigned long long)high << 21;
    return __builtin_fma((double)bits, 0x1p-53, 0x1p-54);
}

template <typename State> __WS_DEVICE float curand_uniform(State *state)
{
    return __ws_uniform(curand(state));
}
__WS_DEVICE double curand_uniform_double(curandStateXORWOW_t *state)
{
    unsigned int low = curand(state);
    return __ws_uniform_double(low, curand(state));
}
__WS_DEVICE double curand_uniform_double(curandStatePhilox4_32_10_t *state)
{
    return __builtin_fma((double)curand(state), 0x1p-32, 0x1p-32);
}
/* As L'Ecuyer has it: over m1 + 1. */
__WS_DEVICE double curand_uniform_double(curandStateMRG32k3a_t *state)
{
    return __ws_mrg_next(state) * 2.328306549295727688e-10;
}
__WS_DEVICE float curand_uniform(curandStateMRG32k3a_t *state)
{
    return (float)curand_uniform_double(state);
}
__WS_DEVICE float4 curand_uniform4(curandStatePhilox4_32_10_t *state)
{
    uint4 v = curand4(state);
    return float4{__ws_uniform(v.x), __ws_uniform(v.y), __ws_uniform(v.z), __ws_uniform(v.w)};
}
__WS_DEVICE double2 curand_uniform2_double(curandStatePhilox4_32_10_t *state)
{
    uint4 v = curand4(state);
    return double2{__ws_uniform_double(v.x, v.y), __ws_uniform_double(v.z, v.w)};
}
__WS_DEVICE double4 curand_uniform4_double(curandStatePhilox4_32_10_t *state)
{
    double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
    return double4{a.x, a.y, b.x, b.y};
}

/* ---- normal ---- */

/* `angle` in radians, and in half turns for doubles. */
__WS_DEVICE float2 __ws_box_muller(float radius, float angle)
{
    float2 v;
    float s = sqrtf(-2.0f * logf(radius));
    __sincosf(angle, &v.x, &v.y);
    v.x *= s;
    v.y *= s;
    return v;
}
__WS_DEVICE double2 __ws_box_muller(double radius, double angle)
{
    double2 v;
    double s = sqrt(-2.0 * log(radius));
    sincospi(angle, &v.x, &v.y);
    v.x *= s;
    v.y *= s;
    return v;
}
__WS_DEVICE float2 __ws_normal_of_words(unsigned int radius, unsigned int angle)
{
    const float turn = 6.2831855f;
    return __ws_box_muller(__ws_uniform(radius),
                           __builtin_fmaf((float)angle, turn * 0x1p-32f, turn * 0x1p-33f));
}

template <typename State> __WS_DEVICE float2 curand_normal2(State *state)
{
    unsigned int radius = curand(state);
    return __ws_normal_of_words(radius, curand(state));
}
__WS_DEVICE float2 curand_normal2(curandStateMRG32k3a_t *state)
{
    float radius = curand_uniform(state);
    return __ws_box_muller(radius, curand_uniform(state) * 6.2831855f);
}
__WS_DEVICE double2 curand_normal2_double(curandStateXORWOW_t *state)
{
    double radius = curand_uniform_double(state);
    return __ws_box_muller(radius, 2 * curand_uniform_double(state));
}
__WS_DEVICE double2 curand_normal2_double(curandStatePhilox4_32_10_t *state)
{
    double2 v = curand_uniform2_double(state);
    return __ws_box_muller(v.x, 2 * v.y);
}
__WS_DEVICE double2 curand_normal2_double(curandStateMRG32k3a_t *state)
{
    double radius = curand_uniform_double(state);
    return __ws_box_muller(radius, 2 * curand_uniform_double(state));
}
__WS_DEVICE float4 curand_normal4(curandStatePhilox4_32_10_t *state)
{
    uint4 v = curand4(state);
    float2 a = __ws_normal_of_words(v.x, v.y), b = __ws_normal_of_words(v.z, v.w);
    return float4{a.x, a.y, b.x, b.y};
}
__WS_DEVICE double4 curand_normal4_double(curandStatePhilox4_32_10_t *state)
{
    double2 a = curand_normal2_double(state), b = curand_normal2_double(state);
    return double4{a.x, a.y, b.x, b.y};
}

/* ---- log-normal ---- */

template <typename State>
__WS_DEVICE float2 curand_log_normal2(State *state, float mean, float stddev)
{
    float2 v = curand_normal2(state);
    return float2{expf(mean + stddev * v.x), expf(mean + stddev * v.y)};
}
template <typename State>
__WS_DEVICE double2 curand_log_normal2_double(State *state, double mean, double stddev)
{
    double2 v = curand_normal2_double(state);
    return double2{exp(mean + stddev * v.x), exp(mean + stddev * v.y)};
}
__WS_DEVICE float4 curand_log_normal4(curandStatePhilox4_32_10_t *state, float mean, float stddev)
{
    float4 v = curand_normal4(state);
    return float4{expf(mean + stddev * v.x), expf(mean + stddev * v.y), expf(mean + stddev * v.z),
                  expf(mean + stddev * v.w)};
}
__WS_DEVICE double4 curand_log_normal4_double(curandStatePhilox4_32_10_t *state, double mean,
                                              double stddev)
{
    double2 a = curand_log_normal2_double(state, mean, stddev);
    double2 b = curand_log_normal2_double(state, mean, stddev);
    return double4{a.x, a.y, b.x, b.y};
}

/* ---- one at a time ---- */

enum { __WS_NONE_LEFT, __WS_NORMAL_LEFT, __WS_LOG_NORMAL_LEFT };

/* What is left over of this kind, else the first of `two`, of which the second is kept. */
#define __WS_ONE_OF_TWO(kind, two)                                                                 \
    if (*left == kind) {                                                                           \
        *left = __WS_NONE_LEFT;                                                                    \
        return *extra;                                                                             \
    }                                                                                              \
    auto both = two;                                                                               \
    *left = kind;                                                                                  \
    *extra = both.y;                                                                               \
    return both.x;

template <typename State> __WS_DEVICE float curand_normal(State *state)
{
    int *left = &state->boxmuller_flag;
    float *extra = &state->boxmuller_extra;
    __WS_ONE_OF_TWO(__WS_NORMAL_LEFT, curand_normal2(state))
}
template <typename State> __WS_DEVICE double curand_normal_double(State *state)
{
    int *left = &state->boxmuller_flag_double;
    double *extra = &state->boxmuller_extra_double;
    __WS_ONE_OF_TWO(__WS_NORMAL_LEFT, curand_normal2_double(state))
}
template <typename State>
__WS_DEVICE float curand_log_normal(State *state, float mean, float stddev)
{
    int *left = &state->boxmuller_flag;
    float *extra = &state->boxmuller_extra;
    __WS_ONE_OF_TWO(__WS_LOG_NORMAL_LEFT, curand_log_normal2(state, mean, stddev))
}
template <typename State>
__WS_DEVICE double curand_log_normal_double(State *state, double mean, double stddev)
{
    int *left = &state->boxmuller_flag_double;
    double *extra = &state->boxmuller_extra_double;
    __WS_ONE_OF_TWO(__WS_LOG_NORMAL_LEFT, curand_log_normal2_double(state, mean, stddev))
}
#undef __WS_ONE_OF_TWO

#endif
