/*
 * Warpstep's own CUDA C header: what a .cu file may use, host and device, without the CUDA toolkit.
 * It is included before the first line of every .cu file, as nvcc does with its header of this
 * name. Needs clang with -fms-extensions (threadIdx.x is a property).
 */
#ifndef WARPSTEP_CUDA_RUNTIME_H
#define WARPSTEP_CUDA_RUNTIME_H

/* The toolkit's guards, which programs test to see what has been included. */
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__

#include "warpstep/attributes.h"
#include "warpstep/vector_types.h"

/* Before <cmath>: see the file. */
#include "warpstep/math_declarations.h"

/*
 * The special functions of <cmath> (std::beta and the like) are for the host, and two fifths of what a small kernel
 * takes to compile: they come where a program includes <cmath> itself (see cmath).
 */
#define _GLIBCXX_BITS_SPECFUN_H 1

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmath>
#include <cstdlib>

#undef _GLIBCXX_BITS_SPECFUN_H

/* What comes with the special functions, and programs take for granted: std::min, std::swap, std::numeric_limits. */
#include <bits/stl_algobase.h>
#include <limits>
#include <type_traits>

#include "warpstep/atomics.h"
#include "warpstep/builtin_variables.h"
#include "warpstep/intrinsics.h"
#include "warpstep/texture.h"
#include "warpstep/warp.h"

#include "warpstep/math_float.h"

#include "warpstep/math_double.h"

#include "warpstep/math.h"

#include "warpstep/library.h"
#include "warpstep/runtime_api.h"

#endif
