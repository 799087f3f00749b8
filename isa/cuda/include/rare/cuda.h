/* The driver API. It comes with everything of cuda_runtime.h. */
#ifndef WARPSTEP_CUDA_H
#define WARPSTEP_CUDA_H

/* The toolkit's guard, which programs test to see what has been included. */
#define __cuda_cuda_h__

#include "cuda_runtime.h"
#include "warpstep/driver_api.h"

#endif
