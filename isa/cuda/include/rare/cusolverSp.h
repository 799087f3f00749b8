/* cuSOLVER for sparse matrices. */
#ifndef WARPSTEP_CUSOLVERSP_H
#define WARPSTEP_CUSOLVERSP_H

/* The library's own guards, which programs test to see what has been included. */
#define CUSOLVERSP_H_

#include "cusolver_common.h"
#include "cusparse.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cusolverSpContext *cusolverSpHandle_t;
typedef struct csrqrInfo *csrqrInfo_t;

#define __WS_CUSOLVERSP_SDCZ(v, s, T, R)                                                           \
    cusolverStatus_t cusolverSp##s##csreigvsi(cusolverSpHandle_t, int, int, cusparseMatDescr_t,    \
                                              const T *, const int *, const int *, T, const T *,   \
                                              int, R, T *, T *);                                   \
    cusolverStatus_t cusolverSp##s##csreigvsiHost(cusolverSpHandle_t, int, int,                    \
                                                  cusparseMatDescr_t, const T *, const int *,      \
                                                  const int *, T, const T *, int, R, T *, T *);    \
    cusolverStatus_t cusolverSp##s##csrlsqvqrHost(                                                 \
        cusolverSpHandle_t, int, int, int, cusparseMatDescr_t, const T *, const int *,             \
        const int *, const T *, R, int *, T *, int *, R *);                                        \
    cusolverStatus_t cusolverSp##s##csrlsvchol(cusolverSpHandle_t, int, int, cusparseMatDescr_t,   \
                                               const T *, const int *, const int *, const T *, R,  \
                                               int, T *, int *);                                   \
    cusolverStatus_t cusolverSp##s##csrlsvcholHost(cusolverSpHandle_t, int, int,                   \
                                                   cusparseMatDescr_t, const T *, const int *,     \
                                                   const int *, const T *, R, int, T *, int *);    \
    cusolverStatus_t cusolverSp##s##csrlsvluHost(cusolverSpHandle_t, int, int, cusparseMatDescr_t, \
                                                 const T *, const int *, const int *, const T *,   \
                                                 R, int, T *, int *);                              \
    cusolverStatus_t cusolverSp##s##csrlsvqr(cusolverSpHandle_t, int, int, cusparseMatDescr_t,     \
                                             const T *, const int *, const int *, const T *, R,    \
                                             int, T *, int *);                                     \
    cusolverStatus_t cusolverSp##s##csrlsvqrHost(cusolverSpHandle_t, int, int, cusparseMatDescr_t, \
                                                 const T *, const int *, const int *, const T *,   \
                                                 R, int, T *, int *);                              \
    cusolverStatus_t cusolverSp##s##csrqrBufferInfoBatched(                                        \
        cusolverSpHandle_t, int, int, int, cusparseMatDescr_t, const T *, const int *,             \
        const int *, int, csrqrInfo_t, size_t *, size_t *);                                        \
    cusolverStatus_t cusolverSp##s##csrqrsvBatched(                                                \
        cusolverSpHandle_t, int, int, int, cusparseMatDescr_t, const T *, const int *,             \
        const int *, const T *, T *, int, csrqrInfo_t, void *);                                    \
    cusolverStatus_t cusolverSp##s##csrzfdHost(cusolverSpHandle_t, int, int, cusparseMatDescr_t,   \
                                               const T *, const int *, const int *, int *, int *);
#define __WS_CUSOLVERSP_CZ(v, s, T, R)                                                             \
    cusolverStatus_t cusolverSp##s##csreigsHost(cusolverSpHandle_t, int, int, cusparseMatDescr_t,  \
                                                const T *, const int *, const int *, T, T, int *);
__WS_EACH_SDCZ(__WS_CUSOLVERSP_SDCZ, )
__WS_EACH_CZ(__WS_CUSOLVERSP_CZ, )

cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t *);
cusolverStatus_t cusolverSpCreateCsrqrInfo(csrqrInfo_t *);
cusolverStatus_t cusolverSpDcsreigsHost(cusolverSpHandle_t, int, int, cusparseMatDescr_t,
                                        const double *, const int *, const int *, cuDoubleComplex,
                                        cuDoubleComplex, int *);
cusolverStatus_t cusolverSpDestroy(cusolverSpHandle_t);
cusolverStatus_t cusolverSpDestroyCsrqrInfo(csrqrInfo_t);
cusolverStatus_t cusolverSpGetStream(cusolverSpHandle_t, cudaStream_t *);
cusolverStatus_t cusolverSpScsreigsHost(cusolverSpHandle_t, int, int, cusparseMatDescr_t,
                                        const float *, const int *, const int *, cuComplex,
                                        cuComplex, int *);
cusolverStatus_t cusolverSpSetStream(cusolverSpHandle_t, cudaStream_t);
cusolverStatus_t cusolverSpXcsrissymHost(cusolverSpHandle_t, int, int, cusparseMatDescr_t,
                                         const int *, const int *, const int *, int *);
cusolverStatus_t cusolverSpXcsrmetisndHost(cusolverSpHandle_t, int, int, cusparseMatDescr_t,
                                           const int *, const int *, const int64_t *, int *);
cusolverStatus_t cusolverSpXcsrpermHost(cusolverSpHandle_t, int, int, int, cusparseMatDescr_t,
                                        int *, int *, const int *, const int *, int *, void *);
cusolverStatus_t cusolverSpXcsrperm_bufferSizeHost(cusolverSpHandle_t, int, int, int,
                                                   cusparseMatDescr_t, const int *, const int *,
                                                   const int *, const int *, size_t *);
cusolverStatus_t cusolverSpXcsrqrAnalysisBatched(cusolverSpHandle_t, int, int, int,
                                                 cusparseMatDescr_t, const int *, const int *,
                                                 csrqrInfo_t);
cusolverStatus_t cusolverSpXcsrsymamdHost(cusolverSpHandle_t, int, int, cusparseMatDescr_t,
                                          const int *, const int *, int *);
cusolverStatus_t cusolverSpXcsrsymmdqHost(cusolverSpHandle_t, int, int, cusparseMatDescr_t,
                                          const int *, const int *, int *);
cusolverStatus_t cusolverSpXcsrsymrcmHost(cusolverSpHandle_t, int, int, cusparseMatDescr_t,
                                          const int *, const int *, int *);
#ifdef __cplusplus
}
#endif

#endif
