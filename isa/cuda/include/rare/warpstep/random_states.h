/*
 * States of random number generators, as hosts see them too. `boxmuller_flag` says which kind of
 * normal number is left over in `boxmuller_extra`: 0 none.
 */
#ifndef WARPSTEP_RANDOM_STATES_H
#define WARPSTEP_RANDOM_STATES_H

#include "warpstep/vector_types.h"

struct curandStateXORWOW {
    unsigned int d, v[5];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

struct curandStatePhilox4_32_10 {
    uint4 ctr, output; /* the counter, and its four numbers */
    uint2 key;
    unsigned int STATE; /* numbers of `output` that have been given */
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

struct curandStateMRG32k3a {
    unsigned int s1[3], s2[3]; /* the oldest number first */
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

#endif
