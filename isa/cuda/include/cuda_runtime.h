/*
 * Warpstep's own CUDA C header: what a .cu file may use, host and device, without the CUDA toolkit.
 * It is included before the first line of every .cu file, as nvcc does with its header of this
 * name. Needs clang with -fms-extensions (threadIdx.x is a property). To a host compiler, C or C++,
 * it gives types and functions of the runtime alone, as nvcc's does.
 */
#ifndef WARPSTEP_CUDA_RUNTIME_H
#define WARPSTEP_CUDA_RUNTIME_H

/* The toolkit's guards, which programs test to see what has been included. */
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__

#include "warpstep/attributes.h"
#ifdef __CUDA__
#include "warpstep/compiler.h"
#endif
#include "warpstep/vector_types.h"

#ifndef __CUDA__
#include "warpstep/runtime_api.h"
#else

/* Names of functions, whatever -D says. */
#undef max
#undef min

#include "warpstep/math_declarations.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "warpstep/atomics.h"
#include "warpstep/builtin_variables.h"
#include "warpstep/dpx.h"
#include "warpstep/intrinsics.h"
#include "warpstep/simd.h"
#include "warpstep/surface.h"
#include "warpstep/texture.h"
#include "warpstep/warp.h"

#include "warpstep/math_float.h"

#include "warpstep/math_double.h"

#include "warpstep/math.h"

#include "warpstep/library.h"
#include "warpstep/runtime_api.h"

#include "warpstep/device_launch.h"

/* What programs take for granted: std::min, std::swap, std::numeric_limits. */
#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>
#ifdef __WARPSTEP_HOST_HEADERS__ /* `warpstep cc`: the C++ library is the host's */
#include <algorithm>
#else
#include <parts/min_max.h>
#endif
#include <type_traits>

#endif

#endif
