/* cuBLAS: its types, and its functions by the names that they have in the library. */
#ifndef WARPSTEP_CUBLAS_API_H
#define WARPSTEP_CUBLAS_API_H

/* The library's own guards, which programs test to see what has been included. */
#define CUBLAS_API_H_

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "warpstep/closed_library.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CUBLASWINAPI
#define CUBLASAPI
#define CUBLAS_VER_MAJOR 11
#define CUBLAS_VER_MINOR 0
#define CUBLAS_VERSION   (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100)

typedef enum {
    CUBLAS_STATUS_SUCCESS = 0, CUBLAS_STATUS_NOT_INITIALIZED = 1, CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7, CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11, CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14, CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum {
    CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1, CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum {
    CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2, CUBLAS_OP_HERMITAN = 2, CUBLAS_OP_CONJG = 3
} cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef enum {
    CUBLAS_GEMM_DFALT = -1, CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_ALGO0 = 0, CUBLAS_GEMM_ALGO1 = 1,
    CUBLAS_GEMM_ALGO2 = 2, CUBLAS_GEMM_ALGO3 = 3, CUBLAS_GEMM_ALGO4 = 4, CUBLAS_GEMM_ALGO5 = 5,
    CUBLAS_GEMM_ALGO6 = 6, CUBLAS_GEMM_ALGO7 = 7, CUBLAS_GEMM_ALGO8 = 8, CUBLAS_GEMM_ALGO9 = 9,
    CUBLAS_GEMM_ALGO10 = 10, CUBLAS_GEMM_ALGO11 = 11, CUBLAS_GEMM_ALGO12 = 12,
    CUBLAS_GEMM_ALGO13 = 13, CUBLAS_GEMM_ALGO14 = 14, CUBLAS_GEMM_ALGO15 = 15,
    CUBLAS_GEMM_ALGO16 = 16, CUBLAS_GEMM_ALGO17 = 17, CUBLAS_GEMM_ALGO18 = 18,
    CUBLAS_GEMM_ALGO19 = 19, CUBLAS_GEMM_ALGO20 = 20, CUBLAS_GEMM_ALGO21 = 21,
    CUBLAS_GEMM_ALGO22 = 22, CUBLAS_GEMM_ALGO23 = 23, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99, CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
    CUBLAS_GEMM_ALGO1_TENSOR_OP = 101, CUBLAS_GEMM_ALGO2_TENSOR_OP = 102,
    CUBLAS_GEMM_ALGO3_TENSOR_OP = 103, CUBLAS_GEMM_ALGO4_TENSOR_OP = 104,
    CUBLAS_GEMM_ALGO5_TENSOR_OP = 105, CUBLAS_GEMM_ALGO6_TENSOR_OP = 106,
    CUBLAS_GEMM_ALGO7_TENSOR_OP = 107, CUBLAS_GEMM_ALGO8_TENSOR_OP = 108,
    CUBLAS_GEMM_ALGO9_TENSOR_OP = 109, CUBLAS_GEMM_ALGO10_TENSOR_OP = 110,
    CUBLAS_GEMM_ALGO11_TENSOR_OP = 111, CUBLAS_GEMM_ALGO12_TENSOR_OP = 112,
    CUBLAS_GEMM_ALGO13_TENSOR_OP = 113, CUBLAS_GEMM_ALGO14_TENSOR_OP = 114,
    CUBLAS_GEMM_ALGO15_TENSOR_OP = 115
} cublasGemmAlgo_t;
typedef enum {
    CUBLAS_DEFAULT_MATH = 0, CUBLAS_TENSOR_OP_MATH = 1, CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3, CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
    CUBLAS_COMPUTE_16F = 64, CUBLAS_COMPUTE_16F_PEDANTIC = 65, CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69, CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75, CUBLAS_COMPUTE_32F_FAST_TF32 = 77, CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71, CUBLAS_COMPUTE_32I = 72, CUBLAS_COMPUTE_32I_PEDANTIC = 73
} cublasComputeType_t;

typedef cudaDataType cublasDataType_t;
typedef struct cublasContext *cublasHandle_t;
typedef void (*cublasLogCallback)(const char *);

#define __WS_CUBLAS_SDCZ(v, s, T, R)                                                               \
    cublasStatus_t cublas##s##axpy##v(cublasHandle_t, int, const T *, const T *, int, T *, int);   \
    cublasStatus_t cublas##s##copy##v(cublasHandle_t, int, const T *, int, T *, int);              \
    cublasStatus_t cublas##s##gbmv##v(cublasHandle_t, cublasOperation_t, int, int, int, int,       \
                                      const T *, const T *, int, const T *, int, const T *, T *,   \
                                      int);                                                        \
    cublasStatus_t cublas##s##gemm##v(cublasHandle_t, cublasOperation_t, cublasOperation_t, int,   \
                                      int, int, const T *, const T *, int, const T *, int,         \
                                      const T *, T *, int);                                        \
    cublasStatus_t cublas##s##gemv##v(cublasHandle_t, cublasOperation_t, int, int, const T *,      \
                                      const T *, int, const T *, int, const T *, T *, int);        \
    cublasStatus_t cublas##s##rot##v(cublasHandle_t, int, T *, int, T *, int, const R *,           \
                                     const T *);                                                   \
    cublasStatus_t cublas##s##rotg##v(cublasHandle_t, T *, T *, R *, T *);                         \
    cublasStatus_t cublas##s##scal##v(cublasHandle_t, int, const T *, T *, int);                   \
    cublasStatus_t cublas##s##swap##v(cublasHandle_t, int, T *, int, T *, int);                    \
    cublasStatus_t cublas##s##symm##v(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int,     \
                                      int, const T *, const T *, int, const T *, int, const T *,   \
                                      T *, int);                                                   \
    cublasStatus_t cublas##s##symv##v(cublasHandle_t, cublasFillMode_t, int, const T *, const T *, \
                                      int, const T *, int, const T *, T *, int);                   \
    cublasStatus_t cublas##s##syr2##v(cublasHandle_t, cublasFillMode_t, int, const T *, const T *, \
                                      int, const T *, int, T *, int);                              \
    cublasStatus_t cublas##s##syr2k##v(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int,   \
                                       int, const T *, const T *, int, const T *, int, const T *,  \
                                       T *, int);                                                  \
    cublasStatus_t cublas##s##syr##v(cublasHandle_t, cublasFillMode_t, int, const T *, const T *,  \
                                     int, T *, int);                                               \
    cublasStatus_t cublas##s##syrk##v(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int,    \
                                      int, const T *, const T *, int, const T *, T *, int);        \
    cublasStatus_t cublas##s##tbmv##v(cublasHandle_t, cublasFillMode_t, cublasOperation_t,         \
                                      cublasDiagType_t, int, int, const T *, int, T *, int);       \
    cublasStatus_t cublas##s##tbsv##v(cublasHandle_t, cublasFillMode_t, cublasOperation_t,         \
                                      cublasDiagType_t, int, int, const T *, int, T *, int);       \
    cublasStatus_t cublas##s##tpmv##v(cublasHandle_t, cublasFillMode_t, cublasOperation_t,         \
                                      cublasDiagType_t, int, const T *, T *, int);                 \
    cublasStatus_t cublas##s##tpsv##v(cublasHandle_t, cublasFillMode_t, cublasOperation_t,         \
                                      cublasDiagType_t, int, const T *, T *, int);                 \
    cublasStatus_t cublas##s##trmm##v(cublasHandle_t, cublasSideMode_t, cublasFillMode_t,          \
                                      cublasOperation_t, cublasDiagType_t, int, int, const T *,    \
                                      const T *, int, const T *, int, T *, int);                   \
    cublasStatus_t cublas##s##trmv##v(cublasHandle_t, cublasFillMode_t, cublasOperation_t,         \
                                      cublasDiagType_t, int, const T *, int, T *, int);            \
    cublasStatus_t cublas##s##trsm##v(cublasHandle_t, cublasSideMode_t, cublasFillMode_t,          \
                                      cublasOperation_t, cublasDiagType_t, int, int, const T *,    \
                                      const T *, int, T *, int);                                   \
    cublasStatus_t cublas##s##trsv##v(cublasHandle_t, cublasFillMode_t, cublasOperation_t,         \
                                      cublasDiagType_t, int, const T *, int, T *, int);
#define __WS_CUBLAS_SD(v, s, T)                                                                    \
    cublasStatus_t cublas##s##asum##v(cublasHandle_t, int, const T *, int, T *);                   \
    cublasStatus_t cublas##s##dot##v(cublasHandle_t, int, const T *, int, const T *, int, T *);    \
    cublasStatus_t cublas##s##ger##v(cublasHandle_t, int, int, const T *, const T *, int,          \
                                     const T *, int, T *, int);                                    \
    cublasStatus_t cublas##s##nrm2##v(cublasHandle_t, int, const T *, int, T *);                   \
    cublasStatus_t cublas##s##rotm##v(cublasHandle_t, int, T *, int, T *, int, const T *);         \
    cublasStatus_t cublas##s##rotmg##v(cublasHandle_t, T *, T *, T *, const T *, T *);             \
    cublasStatus_t cublas##s##sbmv##v(cublasHandle_t, cublasFillMode_t, int, int, const T *,       \
                                      const T *, int, const T *, int, const T *, T *, int);        \
    cublasStatus_t cublas##s##spmv##v(cublasHandle_t, cublasFillMode_t, int, const T *, const T *, \
                                      const T *, int, const T *, T *, int);                        \
    cublasStatus_t cublas##s##spr2##v(cublasHandle_t, cublasFillMode_t, int, const T *, const T *, \
                                      int, const T *, int, T *);                                   \
    cublasStatus_t cublas##s##spr##v(cublasHandle_t, cublasFillMode_t, int, const T *, const T *,  \
                                     int, T *);
#define __WS_CUBLAS_CZ(v, s, T, R)                                                                 \
    cublasStatus_t cublas##s##dotc##v(cublasHandle_t, int, const T *, int, const T *, int, T *);   \
    cublasStatus_t cublas##s##dotu##v(cublasHandle_t, int, const T *, int, const T *, int, T *);   \
    cublasStatus_t cublas##s##gerc##v(cublasHandle_t, int, int, const T *, const T *, int,         \
                                      const T *, int, T *, int);                                   \
    cublasStatus_t cublas##s##geru##v(cublasHandle_t, int, int, const T *, const T *, int,         \
                                      const T *, int, T *, int);                                   \
    cublasStatus_t cublas##s##hbmv##v(cublasHandle_t, cublasFillMode_t, int, int, const T *,       \
                                      const T *, int, const T *, int, const T *, T *, int);        \
    cublasStatus_t cublas##s##hemm##v(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int,     \
                                      int, const T *, const T *, int, const T *, int, const T *,   \
                                      T *, int);                                                   \
    cublasStatus_t cublas##s##hemv##v(cublasHandle_t, cublasFillMode_t, int, const T *, const T *, \
                                      int, const T *, int, const T *, T *, int);                   \
    cublasStatus_t cublas##s##her2##v(cublasHandle_t, cublasFillMode_t, int, const T *, const T *, \
                                      int, const T *, int, T *, int);                              \
    cublasStatus_t cublas##s##her2k##v(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int,   \
                                       int, const T *, const T *, int, const T *, int, const R *,  \
                                       T *, int);                                                  \
    cublasStatus_t cublas##s##her##v(cublasHandle_t, cublasFillMode_t, int, const R *, const T *,  \
                                     int, T *, int);                                               \
    cublasStatus_t cublas##s##herk##v(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int,    \
                                      int, const R *, const T *, int, const R *, T *, int);        \
    cublasStatus_t cublas##s##hpmv##v(cublasHandle_t, cublasFillMode_t, int, const T *, const T *, \
                                      const T *, int, const T *, T *, int);                        \
    cublasStatus_t cublas##s##hpr2##v(cublasHandle_t, cublasFillMode_t, int, const T *, const T *, \
                                      int, const T *, int, T *);                                   \
    cublasStatus_t cublas##s##hpr##v(cublasHandle_t, cublasFillMode_t, int, const R *, const T *,  \
                                     int, T *);
#define __WS_CUBLAS_OTHERS(v)                                                                      \
    cublasStatus_t cublasCreate##v(cublasHandle_t *);                                              \
    cublasStatus_t cublasCsrot##v(cublasHandle_t, int, cuComplex *, int, cuComplex *, int,         \
                                  const float *, const float *);                                   \
    cublasStatus_t cublasCsscal##v(cublasHandle_t, int, const float *, cuComplex *, int);          \
    cublasStatus_t cublasDestroy##v(cublasHandle_t);                                               \
    cublasStatus_t cublasDzasum##v(cublasHandle_t, int, const cuDoubleComplex *, int, double *);   \
    cublasStatus_t cublasDznrm2##v(cublasHandle_t, int, const cuDoubleComplex *, int, double *);   \
    cublasStatus_t cublasGetPointerMode##v(cublasHandle_t, cublasPointerMode_t *);                 \
    cublasStatus_t cublasGetStream##v(cublasHandle_t, cudaStream_t *);                             \
    cublasStatus_t cublasGetVersion##v(cublasHandle_t, int *);                                     \
    cublasStatus_t cublasIcamax##v(cublasHandle_t, int, const cuComplex *, int, int *);            \
    cublasStatus_t cublasIcamin##v(cublasHandle_t, int, const cuComplex *, int, int *);            \
    cublasStatus_t cublasIdamax##v(cublasHandle_t, int, const double *, int, int *);               \
    cublasStatus_t cublasIdamin##v(cublasHandle_t, int, const double *, int, int *);               \
    cublasStatus_t cublasIsamax##v(cublasHandle_t, int, const float *, int, int *);                \
    cublasStatus_t cublasIsamin##v(cublasHandle_t, int, const float *, int, int *);                \
    cublasStatus_t cublasIzamax##v(cublasHandle_t, int, const cuDoubleComplex *, int, int *);      \
    cublasStatus_t cublasIzamin##v(cublasHandle_t, int, const cuDoubleComplex *, int, int *);      \
    cublasStatus_t cublasScasum##v(cublasHandle_t, int, const cuComplex *, int, float *);          \
    cublasStatus_t cublasScnrm2##v(cublasHandle_t, int, const cuComplex *, int, float *);          \
    cublasStatus_t cublasSetPointerMode##v(cublasHandle_t, cublasPointerMode_t);                   \
    cublasStatus_t cublasSetStream##v(cublasHandle_t, cudaStream_t);                               \
    cublasStatus_t cublasSetWorkspace##v(cublasHandle_t, void *, size_t);                          \
    cublasStatus_t cublasZdrot##v(cublasHandle_t, int, cuDoubleComplex *, int, cuDoubleComplex *,  \
                                  int, const double *, const double *);                            \
    cublasStatus_t cublasZdscal##v(cublasHandle_t, int, const double *, cuDoubleComplex *, int);
#define __WS_CUBLAS_ALL(v)                                                                         \
    __WS_EACH_SDCZ(__WS_CUBLAS_SDCZ, v)                                                            \
    __WS_EACH_SD(__WS_CUBLAS_SD, v) __WS_EACH_CZ(__WS_CUBLAS_CZ, v) __WS_CUBLAS_OTHERS(v)
__WS_CUBLAS_ALL(_v2)

#define __WS_CUBLAS_ONE_SDCZ(v, s, T, R)                                                           \
    cublasStatus_t cublas##s##dgmm(cublasHandle_t, cublasSideMode_t, int, int, const T *, int,     \
                                   const T *, int, T *, int);                                      \
    cublasStatus_t cublas##s##geam(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, \
                                   const T *, const T *, int, const T *, const T *, int, T *,      \
                                   int);                                                           \
    cublasStatus_t cublas##s##gelsBatched(cublasHandle_t, cublasOperation_t, int, int, int,        \
                                          T *const *, int, T *const *, int, int *, int *, int);    \
    cublasStatus_t cublas##s##gemmBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t,    \
                                          int, int, int, const T *, const T *const *, int,         \
                                          const T *const *, int, const T *, T *const *, int, int); \
    cublasStatus_t cublas##s##gemmStridedBatched(                                                  \
        cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const T *, const T *, \
        int, long long, const T *, int, long long, const T *, T *, int, long long, int);           \
    cublasStatus_t cublas##s##gemvBatched(cublasHandle_t, cublasOperation_t, int, int, const T *,  \
                                          const T *const *, int, const T *const *, int, const T *, \
                                          T *const *, int, int);                                   \
    cublasStatus_t cublas##s##gemvStridedBatched(                                                  \
        cublasHandle_t, cublasOperation_t, int, int, const T *, const T *, int, long long,         \
        const T *, int, long long, const T *, T *, int, long long, int);                           \
    cublasStatus_t cublas##s##geqrfBatched(cublasHandle_t, int, int, T *const *, int, T *const *,  \
                                           int *, int);                                            \
    cublasStatus_t cublas##s##getrfBatched(cublasHandle_t, int, T *const *, int, int *, int *,     \
                                           int);                                                   \
    cublasStatus_t cublas##s##getriBatched(cublasHandle_t, int, const T *const *, int,             \
                                           const int *, T *const *, int, int *, int);              \
    cublasStatus_t cublas##s##getrsBatched(cublasHandle_t, cublasOperation_t, int, int,            \
                                           const T *const *, int, const int *, T *const *, int,    \
                                           int *, int);                                            \
    cublasStatus_t cublas##s##matinvBatched(cublasHandle_t, int, const T *const *, int,            \
                                            T *const *, int, int *, int);                          \
    cublasStatus_t cublas##s##syrkx(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, \
                                    const T *, const T *, int, const T *, int, const T *, T *,     \
                                    int);                                                          \
    cublasStatus_t cublas##s##tpttr(cublasHandle_t, cublasFillMode_t, int, const T *, T *, int);   \
    cublasStatus_t cublas##s##trsmBatched(cublasHandle_t, cublasSideMode_t, cublasFillMode_t,      \
                                          cublasOperation_t, cublasDiagType_t, int, int,           \
                                          const T *, const T *const *, int, T *const *, int, int); \
    cublasStatus_t cublas##s##trttp(cublasHandle_t, cublasFillMode_t, int, const T *, int, T *);
#define __WS_CUBLAS_ONE_CZ(v, s, T, R)                                                             \
    cublasStatus_t cublas##s##gemm3m(cublasHandle_t, cublasOperation_t, cublasOperation_t, int,    \
                                     int, int, const T *, const T *, int, const T *, int,          \
                                     const T *, T *, int);                                         \
    cublasStatus_t cublas##s##herkx(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, \
                                    const T *, const T *, int, const T *, int, const R *, T *,     \
                                    int);
__WS_EACH_SDCZ(__WS_CUBLAS_ONE_SDCZ, )
__WS_EACH_CZ(__WS_CUBLAS_ONE_CZ, )

cublasStatus_t cublasHgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                           const __half *, const __half *, int, const __half *, int, const __half *,
                           __half *, int);
cublasStatus_t cublasHgemmBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int,
                                  int, const __half *, const __half *const *, int,
                                  const __half *const *, int, const __half *, __half *const *, int,
                                  int);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int,
                                         int, int, const __half *, const __half *, int, long long,
                                         const __half *, int, long long, const __half *, __half *,
                                         int, long long, int);
cublasStatus_t cublasAsumEx(cublasHandle_t, int, const void *, cudaDataType, int, void *,
                            cudaDataType, cudaDataType);
cublasStatus_t cublasAxpyEx(cublasHandle_t, int, const void *, cudaDataType, const void *,
                            cudaDataType, int, void *, cudaDataType, int, cudaDataType);
cublasStatus_t cublasCgemm3mBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int,
                                    int, const cuComplex *, const cuComplex *const *, int,
                                    const cuComplex *const *, int, const cuComplex *,
                                    cuComplex *const *, int, int);
cublasStatus_t cublasCgemm3mEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                               const cuComplex *, const void *, cudaDataType, int, const void *,
                               cudaDataType, int, const cuComplex *, void *, cudaDataType, int);
cublasStatus_t cublasCgemm3mStridedBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t,
                                           int, int, int, const cuComplex *, const cuComplex *, int,
                                           long long, const cuComplex *, int, long long,
                                           const cuComplex *, cuComplex *, int, long long, int);
cublasStatus_t cublasCgemmEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                             const cuComplex *, const void *, cudaDataType, int, const void *,
                             cudaDataType, int, const cuComplex *, void *, cudaDataType, int);
cublasStatus_t cublasCherk3mEx(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int,
                               const float *, const void *, cudaDataType, int, const float *,
                               void *, cudaDataType, int);
cublasStatus_t cublasCherkEx(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int,
                             const float *, const void *, cudaDataType, int, const float *, void *,
                             cudaDataType, int);
cublasStatus_t cublasCopyEx(cublasHandle_t, int, const void *, cudaDataType, int, void *,
                            cudaDataType, int);
cublasStatus_t cublasCsyrk3mEx(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int,
                               const cuComplex *, const void *, cudaDataType, int,
                               const cuComplex *, void *, cudaDataType, int);
cublasStatus_t cublasCsyrkEx(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int,
                             const cuComplex *, const void *, cudaDataType, int, const cuComplex *,
                             void *, cudaDataType, int);
cublasStatus_t cublasDotEx(cublasHandle_t, int, const void *, cudaDataType, int, const void *,
                           cudaDataType, int, void *, cudaDataType, cudaDataType);
cublasStatus_t cublasDotcEx(cublasHandle_t, int, const void *, cudaDataType, int, const void *,
                            cudaDataType, int, void *, cudaDataType, cudaDataType);
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int,
                                   int, const void *, const void *const *, cudaDataType, int,
                                   const void *const *, cudaDataType, int, const void *,
                                   void *const *, cudaDataType, int, int, cublasComputeType_t,
                                   cublasGemmAlgo_t);
cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                            const void *, const void *, cudaDataType, int, const void *,
                            cudaDataType, int, const void *, void *, cudaDataType, int,
                            cublasComputeType_t, cublasGemmAlgo_t);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int,
                                          int, int, const void *, const void *, cudaDataType, int,
                                          long long, const void *, cudaDataType, int, long long,
                                          const void *, void *, cudaDataType, int, long long, int,
                                          cublasComputeType_t, cublasGemmAlgo_t);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t, cublasAtomicsMode_t *);
size_t cublasGetCudartVersion(void);
cublasStatus_t cublasGetLoggerCallback(cublasLogCallback *);
cublasStatus_t cublasGetMathMode(cublasHandle_t, cublasMath_t *);
cublasStatus_t cublasGetMatrix(int, int, int, const void *, int, void *, int);
cublasStatus_t cublasGetMatrixAsync(int, int, int, const void *, int, void *, int, cudaStream_t);
cublasStatus_t cublasGetProperty(libraryPropertyType, int *);
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t, int *);
const char *cublasGetStatusString(cublasStatus_t);
cublasStatus_t cublasGetVector(int, int, const void *, int, void *, int);
cublasStatus_t cublasGetVectorAsync(int, int, const void *, int, void *, int, cudaStream_t);
cublasStatus_t cublasIamaxEx(cublasHandle_t, int, const void *, cudaDataType, int, int *);
cublasStatus_t cublasIaminEx(cublasHandle_t, int, const void *, cudaDataType, int, int *);
cublasStatus_t cublasLoggerConfigure(int, int, int, const char *);
cublasStatus_t cublasNrm2Ex(cublasHandle_t, int, const void *, cudaDataType, int, void *,
                            cudaDataType, cudaDataType);
cublasStatus_t cublasRotEx(cublasHandle_t, int, void *, cudaDataType, int, void *, cudaDataType,
                           int, const void *, const void *, cudaDataType, cudaDataType);
cublasStatus_t cublasRotgEx(cublasHandle_t, void *, void *, cudaDataType, void *, void *,
                            cudaDataType, cudaDataType);
cublasStatus_t cublasRotmEx(cublasHandle_t, int, void *, cudaDataType, int, void *, cudaDataType,
                            int, const void *, cudaDataType, cudaDataType);
cublasStatus_t cublasRotmgEx(cublasHandle_t, void *, cudaDataType, void *, cudaDataType, void *,
                             cudaDataType, const void *, cudaDataType, void *, cudaDataType,
                             cudaDataType);
cublasStatus_t cublasScalEx(cublasHandle_t, int, const void *, cudaDataType, void *, cudaDataType,
                            int, cudaDataType);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t, cublasAtomicsMode_t);
cublasStatus_t cublasSetLoggerCallback(cublasLogCallback);
cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t);
cublasStatus_t cublasSetMatrix(int, int, int, const void *, int, void *, int);
cublasStatus_t cublasSetMatrixAsync(int, int, int, const void *, int, void *, int, cudaStream_t);
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t, int);
cublasStatus_t cublasSetVector(int, int, const void *, int, void *, int);
cublasStatus_t cublasSetVectorAsync(int, int, const void *, int, void *, int, cudaStream_t);
cublasStatus_t cublasSgemmEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                             const float *, const void *, cudaDataType, int, const void *,
                             cudaDataType, int, const float *, void *, cudaDataType, int);
cublasStatus_t cublasSwapEx(cublasHandle_t, int, void *, cudaDataType, int, void *, cudaDataType,
                            int);
cublasStatus_t cublasUint8gemmBias(cublasHandle_t, cublasOperation_t, cublasOperation_t,
                                   cublasOperation_t, int, int, int, const unsigned char *, int,
                                   int, const unsigned char *, int, int, unsigned char *, int, int,
                                   int, int);
void cublasXerbla(const char *, int);
#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
/* With the type of the computation as before CUDA 11. */
cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                            const void *, const void *, cudaDataType, int, const void *,
                            cudaDataType, int, const void *, void *, cudaDataType, int,
                            cudaDataType, cublasGemmAlgo_t);
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int,
                                   int, const void *, const void *const *, cudaDataType, int,
                                   const void *const *, cudaDataType, int, const void *,
                                   void *const *, cudaDataType, int, int, cudaDataType,
                                   cublasGemmAlgo_t);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int,
                                          int, int, const void *, const void *, cudaDataType, int,
                                          long long, const void *, cudaDataType, int, long long,
                                          const void *, void *, cudaDataType, int, long long, int,
                                          cudaDataType, cublasGemmAlgo_t);
#endif

#endif
