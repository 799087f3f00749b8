/* cuBLAS by the names that programs use. */
#ifndef WARPSTEP_CUBLAS_V2_H
#define WARPSTEP_CUBLAS_V2_H

/* The library's own guards, which programs test to see what has been included. */
#define CUBLAS_V2_H_

#include "cublas_api.h"

#ifdef __cplusplus
extern "C" {
#endif
__WS_CUBLAS_ALL()
#ifdef __cplusplus
}
#endif

#endif
