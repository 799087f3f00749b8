/*
 * cuRAND in kernels: XORWOW, Philox4_32_10 and MRG32k3a, and numbers made of theirs. Written to the
 * documentation of cuRAND and the papers that it names. To a host compiler it gives the states.
 */
#ifndef WARPSTEP_CURAND_KERNEL_H
#define WARPSTEP_CURAND_KERNEL_H

#define CURAND_KERNEL_H_ /* the library's own guard */

#include "cuda_runtime.h"

#include "curand.h"

#include "warpstep/random_states.h"

#ifdef __CUDA__
#include "warpstep/random_distributions.h"
#include "warpstep/random_mrg32k3a.h"
#include "warpstep/random_philox.h"
#include "warpstep/random_poisson.h"
#include "warpstep/random_xorwow.h"
#endif

#endif
