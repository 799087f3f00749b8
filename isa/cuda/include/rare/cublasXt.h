/* cuBLASXt, of which there is what is common. */
#ifndef WARPSTEP_CUBLASXT_H
#define WARPSTEP_CUBLASXT_H

#include "cublas_v2.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cublasXtContext *cublasXtHandle_t;
typedef enum {
    CUBLASXT_PINNING_DISABLED = 0, CUBLASXT_PINNING_ENABLED = 1
} cublasXtPinnedMemMode_t;
typedef enum {
    CUBLASXT_FLOAT = 0, CUBLASXT_DOUBLE = 1, CUBLASXT_COMPLEX = 2, CUBLASXT_DOUBLECOMPLEX = 3
} cublasXtOpType_t;
typedef enum {
    CUBLASXT_GEMM = 0, CUBLASXT_SYRK = 1, CUBLASXT_HERK = 2, CUBLASXT_SYMM = 3, CUBLASXT_HEMM = 4,
    CUBLASXT_TRSM = 5, CUBLASXT_SYR2K = 6, CUBLASXT_HER2K = 7, CUBLASXT_SPMM = 8,
    CUBLASXT_SYRKX = 9, CUBLASXT_HERKX = 10, CUBLASXT_TRMM = 11, CUBLASXT_ROUTINE_MAX = 12
} cublasXtBlasOp_t;

cublasStatus_t cublasXtCreate(cublasXtHandle_t *);
cublasStatus_t cublasXtDestroy(cublasXtHandle_t);
cublasStatus_t cublasXtGetNumBoards(int, int *, int *);
cublasStatus_t cublasXtMaxBoards(int *);
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t, int, int *);
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t, int);
cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t, int *);
cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t, cublasXtPinnedMemMode_t);
cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t, cublasXtPinnedMemMode_t *);
cublasStatus_t cublasXtSetCpuRoutine(cublasXtHandle_t, cublasXtBlasOp_t, cublasXtOpType_t, void *);
cublasStatus_t cublasXtSetCpuRatio(cublasXtHandle_t, cublasXtBlasOp_t, cublasXtOpType_t, float);

#define __WS_CUBLASXT_SDCZ(v, s, T, R)                                                             \
    cublasStatus_t cublasXt##s##gemm(cublasXtHandle_t, cublasOperation_t, cublasOperation_t,       \
                                     size_t, size_t, size_t, const T *, const T *, size_t,         \
                                     const T *, size_t, const T *, T *, size_t);                   \
    cublasStatus_t cublasXt##s##syrk(cublasXtHandle_t, cublasFillMode_t, cublasOperation_t,        \
                                     size_t, size_t, const T *, const T *, size_t, const T *, T *, \
                                     size_t);                                                      \
    cublasStatus_t cublasXt##s##syr2k(cublasXtHandle_t, cublasFillMode_t, cublasOperation_t,       \
                                      size_t, size_t, const T *, const T *, size_t, const T *,     \
                                      size_t, const T *, T *, size_t);                             \
    cublasStatus_t cublasXt##s##syrkx(cublasXtHandle_t, cublasFillMode_t, cublasOperation_t,       \
                                      size_t, size_t, const T *, const T *, size_t, const T *,     \
                                      size_t, const T *, T *, size_t);                             \
    cublasStatus_t cublasXt##s##symm(cublasXtHandle_t, cublasSideMode_t, cublasFillMode_t, size_t, \
                                     size_t, const T *, const T *, size_t, const T *, size_t,      \
                                     const T *, T *, size_t);                                      \
    cublasStatus_t cublasXt##s##trsm(cublasXtHandle_t, cublasSideMode_t, cublasFillMode_t,         \
                                     cublasOperation_t, cublasDiagType_t, size_t, size_t,          \
                                     const T *, const T *, size_t, T *, size_t);                   \
    cublasStatus_t cublasXt##s##trmm(                                                              \
        cublasXtHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, \
        size_t, size_t, const T *, const T *, size_t, const T *, size_t, T *, size_t);
__WS_EACH_SDCZ(__WS_CUBLASXT_SDCZ, )
#ifdef __cplusplus
}
#endif

#endif
