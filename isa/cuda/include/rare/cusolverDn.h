/* cuSOLVER for dense matrices. */
#ifndef WARPSTEP_CUSOLVERDN_H
#define WARPSTEP_CUSOLVERDN_H

/* The library's own guards, which programs test to see what has been included. */
#define CUSOLVERDN_H_

#include "cublas_v2.h"
#include "cusolver_common.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct syevjInfo *syevjInfo_t;
typedef struct gesvdjInfo *gesvdjInfo_t;
typedef struct cusolverDnParams *cusolverDnParams_t;
typedef struct cusolverDnIRSParams *cusolverDnIRSParams_t;
typedef struct cusolverDnIRSInfos *cusolverDnIRSInfos_t;
typedef enum {
    CUSOLVERDN_GETRF = 0, CUSOLVERDN_POTRF = 1, CUSOLVERDN_SYEVBATCHED = 2, CUSOLVERDN_GEQRF = 3
} cusolverDnFunction_t;

#define __WS_CUSOLVERDN_SDCZ(v, s, T, R)                                                           \
    cusolverStatus_t cusolverDn##s##gebrd(cusolverDnHandle_t, int, int, T *, int, R *, R *, T *,   \
                                          T *, T *, int, int *);                                   \
    cusolverStatus_t cusolverDn##s##gebrd_bufferSize(cusolverDnHandle_t, int, int, int *);         \
    cusolverStatus_t cusolverDn##s##geqrf(cusolverDnHandle_t, int, int, T *, int, T *, T *, int,   \
                                          int *);                                                  \
    cusolverStatus_t cusolverDn##s##geqrf_bufferSize(cusolverDnHandle_t, int, int, T *, int,       \
                                                     int *);                                       \
    cusolverStatus_t cusolverDn##s##gesvd(cusolverDnHandle_t, signed char, signed char, int, int,  \
                                          T *, int, R *, T *, int, T *, int, T *, int, R *,        \
                                          int *);                                                  \
    cusolverStatus_t cusolverDn##s##gesvd_bufferSize(cusolverDnHandle_t, int, int, int *);         \
    cusolverStatus_t cusolverDn##s##gesvdaStridedBatched_bufferSize(                               \
        cusolverDnHandle_t, cusolverEigMode_t, int, int, int, const T *, int, long long,           \
        const R *, long long, const T *, int, long long, const T *, int, long long, int *, int);   \
    cusolverStatus_t cusolverDn##s##gesvdj(cusolverDnHandle_t, cusolverEigMode_t, int, int, int,   \
                                           T *, int, R *, T *, int, T *, int, T *, int, int *,     \
                                           gesvdjInfo_t);                                          \
    cusolverStatus_t cusolverDn##s##gesvdjBatched(cusolverDnHandle_t, cusolverEigMode_t, int, int, \
                                                  T *, int, R *, T *, int, T *, int, T *, int,     \
                                                  int *, gesvdjInfo_t, int);                       \
    cusolverStatus_t cusolverDn##s##gesvdjBatched_bufferSize(                                      \
        cusolverDnHandle_t, cusolverEigMode_t, int, int, const T *, int, const R *, const T *,     \
        int, const T *, int, int *, gesvdjInfo_t, int);                                            \
    cusolverStatus_t cusolverDn##s##gesvdj_bufferSize(                                             \
        cusolverDnHandle_t, cusolverEigMode_t, int, int, int, const T *, int, const R *,           \
        const T *, int, const T *, int, int *, gesvdjInfo_t);                                      \
    cusolverStatus_t cusolverDn##s##getrf(cusolverDnHandle_t, int, int, T *, int, T *, int *,      \
                                          int *);                                                  \
    cusolverStatus_t cusolverDn##s##getrf_bufferSize(cusolverDnHandle_t, int, int, T *, int,       \
                                                     int *);                                       \
    cusolverStatus_t cusolverDn##s##getrs(cusolverDnHandle_t, cublasOperation_t, int, int,         \
                                          const T *, int, const int *, T *, int, int *);           \
    cusolverStatus_t cusolverDn##s##laswp(cusolverDnHandle_t, int, T *, int, int, int,             \
                                          const int *, int);                                       \
    cusolverStatus_t cusolverDn##s##lauum(cusolverDnHandle_t, cublasFillMode_t, int, T *, int,     \
                                          T *, int, int *);                                        \
    cusolverStatus_t cusolverDn##s##lauum_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int,    \
                                                     T *, int, int *);                             \
    cusolverStatus_t cusolverDn##s##potrf(cusolverDnHandle_t, cublasFillMode_t, int, T *, int,     \
                                          T *, int, int *);                                        \
    cusolverStatus_t cusolverDn##s##potrfBatched(cusolverDnHandle_t, cublasFillMode_t, int, T **,  \
                                                 int, int *, int);                                 \
    cusolverStatus_t cusolverDn##s##potrf_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int,    \
                                                     T *, int, int *);                             \
    cusolverStatus_t cusolverDn##s##potri(cusolverDnHandle_t, cublasFillMode_t, int, T *, int,     \
                                          T *, int, int *);                                        \
    cusolverStatus_t cusolverDn##s##potri_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int,    \
                                                     T *, int, int *);                             \
    cusolverStatus_t cusolverDn##s##potrs(cusolverDnHandle_t, cublasFillMode_t, int, int,          \
                                          const T *, int, T *, int, int *);                        \
    cusolverStatus_t cusolverDn##s##potrsBatched(cusolverDnHandle_t, cublasFillMode_t, int, int,   \
                                                 T **, int, T **, int, int *, int);                \
    cusolverStatus_t cusolverDn##s##sytrf(cusolverDnHandle_t, cublasFillMode_t, int, T *, int,     \
                                          int *, T *, int, int *);                                 \
    cusolverStatus_t cusolverDn##s##sytrf_bufferSize(cusolverDnHandle_t, int, T *, int, int *);    \
    cusolverStatus_t cusolverDn##s##sytri(cusolverDnHandle_t, cublasFillMode_t, int, T *, int,     \
                                          const int *, T *, int, int *);                           \
    cusolverStatus_t cusolverDn##s##sytri_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int,    \
                                                     T *, int, const int *, int *);
#define __WS_CUSOLVERDN_SD(v, s, T)                                                                \
    cusolverStatus_t cusolverDn##s##orgbr(cusolverDnHandle_t, cublasSideMode_t, int, int, int,     \
                                          T *, int, const T *, T *, int, int *);                   \
    cusolverStatus_t cusolverDn##s##orgbr_bufferSize(cusolverDnHandle_t, cublasSideMode_t, int,    \
                                                     int, int, const T *, int, const T *, int *);  \
    cusolverStatus_t cusolverDn##s##orgqr(cusolverDnHandle_t, int, int, int, T *, int, const T *,  \
                                          T *, int, int *);                                        \
    cusolverStatus_t cusolverDn##s##orgqr_bufferSize(cusolverDnHandle_t, int, int, int, const T *, \
                                                     int, const T *, int *);                       \
    cusolverStatus_t cusolverDn##s##orgtr(cusolverDnHandle_t, cublasFillMode_t, int, T *, int,     \
                                          const T *, T *, int, int *);                             \
    cusolverStatus_t cusolverDn##s##orgtr_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int,    \
                                                     const T *, int, const T *, int *);            \
    cusolverStatus_t cusolverDn##s##ormqr(cusolverDnHandle_t, cublasSideMode_t, cublasOperation_t, \
                                          int, int, int, const T *, int, const T *, T *, int, T *, \
                                          int, int *);                                             \
    cusolverStatus_t cusolverDn##s##ormqr_bufferSize(cusolverDnHandle_t, cublasSideMode_t,         \
                                                     cublasOperation_t, int, int, int, const T *,  \
                                                     int, const T *, const T *, int, int *);       \
    cusolverStatus_t cusolverDn##s##ormtr(cusolverDnHandle_t, cublasSideMode_t, cublasFillMode_t,  \
                                          cublasOperation_t, int, int, T *, int, T *, T *, int,    \
                                          T *, int, int *);                                        \
    cusolverStatus_t cusolverDn##s##ormtr_bufferSize(                                              \
        cusolverDnHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t, int, int,       \
        const T *, int, const T *, const T *, int, int *);                                         \
    cusolverStatus_t cusolverDn##s##syevd(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, \
                                          int, T *, int, T *, T *, int, int *);                    \
    cusolverStatus_t cusolverDn##s##syevd_bufferSize(cusolverDnHandle_t, cusolverEigMode_t,        \
                                                     cublasFillMode_t, int, const T *, int,        \
                                                     const T *, int *);                            \
    cusolverStatus_t cusolverDn##s##syevdx(cusolverDnHandle_t, cusolverEigMode_t,                  \
                                           cusolverEigRange_t, cublasFillMode_t, int, T *, int, T, \
                                           T, int, int, int *, T *, T *, int, int *);              \
    cusolverStatus_t cusolverDn##s##syevdx_bufferSize(                                             \
        cusolverDnHandle_t, cusolverEigMode_t, cusolverEigRange_t, cublasFillMode_t, int,          \
        const T *, int, T, T, int, int, int *, const T *, int *);                                  \
    cusolverStatus_t cusolverDn##s##syevj(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, \
                                          int, T *, int, T *, T *, int, int *, syevjInfo_t);       \
    cusolverStatus_t cusolverDn##s##syevjBatched(cusolverDnHandle_t, cusolverEigMode_t,            \
                                                 cublasFillMode_t, int, T *, int, T *, T *, int,   \
                                                 int *, syevjInfo_t, int);                         \
    cusolverStatus_t cusolverDn##s##syevjBatched_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, \
                                                            cublasFillMode_t, int, const T *, int, \
                                                            const T *, int *, syevjInfo_t, int);   \
    cusolverStatus_t cusolverDn##s##syevj_bufferSize(cusolverDnHandle_t, cusolverEigMode_t,        \
                                                     cublasFillMode_t, int, const T *, int,        \
                                                     const T *, int *, syevjInfo_t);               \
    cusolverStatus_t cusolverDn##s##sygvd(cusolverDnHandle_t, cusolverEigType_t,                   \
                                          cusolverEigMode_t, cublasFillMode_t, int, T *, int, T *, \
                                          int, T *, T *, int, int *);                              \
    cusolverStatus_t cusolverDn##s##sygvd_bufferSize(                                              \
        cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t, cublasFillMode_t, int,           \
        const T *, int, const T *, int, const T *, int *);                                         \
    cusolverStatus_t cusolverDn##s##sygvdx(                                                        \
        cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t, cusolverEigRange_t,              \
        cublasFillMode_t, int, T *, int, T *, int, T, T, int, int, int *, T *, T *, int, int *);   \
    cusolverStatus_t cusolverDn##s##sygvdx_bufferSize(                                             \
        cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t, cusolverEigRange_t,              \
        cublasFillMode_t, int, const T *, int, const T *, int, T, T, int, int, int *, const T *,   \
        int *);                                                                                    \
    cusolverStatus_t cusolverDn##s##sygvj(cusolverDnHandle_t, cusolverEigType_t,                   \
                                          cusolverEigMode_t, cublasFillMode_t, int, T *, int, T *, \
                                          int, T *, T *, int, int *, syevjInfo_t);                 \
    cusolverStatus_t cusolverDn##s##sygvj_bufferSize(                                              \
        cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t, cublasFillMode_t, int,           \
        const T *, int, const T *, int, const T *, int *, syevjInfo_t);                            \
    cusolverStatus_t cusolverDn##s##sytrd(cusolverDnHandle_t, cublasFillMode_t, int, T *, int,     \
                                          T *, T *, T *, T *, int, int *);                         \
    cusolverStatus_t cusolverDn##s##sytrd_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int,    \
                                                     const T *, int, const T *, const T *,         \
                                                     const T *, int *);
#define __WS_CUSOLVERDN_CZ(v, s, T, R)                                                             \
    cusolverStatus_t cusolverDn##s##heevd(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, \
                                          int, T *, int, R *, T *, int, int *);                    \
    cusolverStatus_t cusolverDn##s##heevd_bufferSize(cusolverDnHandle_t, cusolverEigMode_t,        \
                                                     cublasFillMode_t, int, const T *, int,        \
                                                     const R *, int *);                            \
    cusolverStatus_t cusolverDn##s##heevdx(cusolverDnHandle_t, cusolverEigMode_t,                  \
                                           cusolverEigRange_t, cublasFillMode_t, int, T *, int, R, \
                                           R, int, int, int *, R *, T *, int, int *);              \
    cusolverStatus_t cusolverDn##s##heevdx_bufferSize(                                             \
        cusolverDnHandle_t, cusolverEigMode_t, cusolverEigRange_t, cublasFillMode_t, int,          \
        const T *, int, R, R, int, int, int *, const R *, int *);                                  \
    cusolverStatus_t cusolverDn##s##heevj(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, \
                                          int, T *, int, R *, T *, int, int *, syevjInfo_t);       \
    cusolverStatus_t cusolverDn##s##heevjBatched(cusolverDnHandle_t, cusolverEigMode_t,            \
                                                 cublasFillMode_t, int, T *, int, R *, T *, int,   \
                                                 int *, syevjInfo_t, int);                         \
    cusolverStatus_t cusolverDn##s##heevjBatched_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, \
                                                            cublasFillMode_t, int, const T *, int, \
                                                            const R *, int *, syevjInfo_t, int);   \
    cusolverStatus_t cusolverDn##s##heevj_bufferSize(cusolverDnHandle_t, cusolverEigMode_t,        \
                                                     cublasFillMode_t, int, const T *, int,        \
                                                     const R *, int *, syevjInfo_t);               \
    cusolverStatus_t cusolverDn##s##hegvd(cusolverDnHandle_t, cusolverEigType_t,                   \
                                          cusolverEigMode_t, cublasFillMode_t, int, T *, int, T *, \
                                          int, R *, T *, int, int *);                              \
    cusolverStatus_t cusolverDn##s##hegvd_bufferSize(                                              \
        cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t, cublasFillMode_t, int,           \
        const T *, int, const T *, int, const R *, int *);                                         \
    cusolverStatus_t cusolverDn##s##hegvdx(                                                        \
        cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t, cusolverEigRange_t,              \
        cublasFillMode_t, int, T *, int, T *, int, R, R, int, int, int *, R *, T *, int, int *);   \
    cusolverStatus_t cusolverDn##s##hegvdx_bufferSize(                                             \
        cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t, cusolverEigRange_t,              \
        cublasFillMode_t, int, const T *, int, const T *, int, R, R, int, int, int *, const R *,   \
        int *);                                                                                    \
    cusolverStatus_t cusolverDn##s##hegvj(cusolverDnHandle_t, cusolverEigType_t,                   \
                                          cusolverEigMode_t, cublasFillMode_t, int, T *, int, T *, \
                                          int, R *, T *, int, int *, syevjInfo_t);                 \
    cusolverStatus_t cusolverDn##s##hegvj_bufferSize(                                              \
        cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t, cublasFillMode_t, int,           \
        const T *, int, const T *, int, const R *, int *, syevjInfo_t);                            \
    cusolverStatus_t cusolverDn##s##hetrd(cusolverDnHandle_t, cublasFillMode_t, int, T *, int,     \
                                          R *, R *, T *, T *, int, int *);                         \
    cusolverStatus_t cusolverDn##s##hetrd_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int,    \
                                                     const T *, int, const R *, const R *,         \
                                                     const T *, int *);                            \
    cusolverStatus_t cusolverDn##s##ungbr(cusolverDnHandle_t, cublasSideMode_t, int, int, int,     \
                                          T *, int, const T *, T *, int, int *);                   \
    cusolverStatus_t cusolverDn##s##ungbr_bufferSize(cusolverDnHandle_t, cublasSideMode_t, int,    \
                                                     int, int, const T *, int, const T *, int *);  \
    cusolverStatus_t cusolverDn##s##ungqr(cusolverDnHandle_t, int, int, int, T *, int, const T *,  \
                                          T *, int, int *);                                        \
    cusolverStatus_t cusolverDn##s##ungqr_bufferSize(cusolverDnHandle_t, int, int, int, const T *, \
                                                     int, const T *, int *);                       \
    cusolverStatus_t cusolverDn##s##ungtr(cusolverDnHandle_t, cublasFillMode_t, int, T *, int,     \
                                          const T *, T *, int, int *);                             \
    cusolverStatus_t cusolverDn##s##ungtr_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int,    \
                                                     const T *, int, const T *, int *);            \
    cusolverStatus_t cusolverDn##s##unmqr(cusolverDnHandle_t, cublasSideMode_t, cublasOperation_t, \
                                          int, int, int, const T *, int, const T *, T *, int, T *, \
                                          int, int *);                                             \
    cusolverStatus_t cusolverDn##s##unmqr_bufferSize(cusolverDnHandle_t, cublasSideMode_t,         \
                                                     cublasOperation_t, int, int, int, const T *,  \
                                                     int, const T *, const T *, int, int *);       \
    cusolverStatus_t cusolverDn##s##unmtr(cusolverDnHandle_t, cublasSideMode_t, cublasFillMode_t,  \
                                          cublasOperation_t, int, int, T *, int, T *, T *, int,    \
                                          T *, int, int *);                                        \
    cusolverStatus_t cusolverDn##s##unmtr_bufferSize(                                              \
        cusolverDnHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t, int, int,       \
        const T *, int, const T *, const T *, int, int *);
__WS_EACH_SDCZ(__WS_CUSOLVERDN_SDCZ, )
__WS_EACH_SD(__WS_CUSOLVERDN_SD, )
__WS_EACH_CZ(__WS_CUSOLVERDN_CZ, )

/* In two precisions. */
#define __WS_CUSOLVERDN_MIXED(s, T)                                                                \
    cusolverStatus_t cusolverDn##s##gels(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t,       \
                                         cusolver_int_t, T *, cusolver_int_t, T *, cusolver_int_t, \
                                         T *, cusolver_int_t, void *, size_t, cusolver_int_t *,    \
                                         cusolver_int_t *);                                        \
    cusolverStatus_t cusolverDn##s##gels_bufferSize(                                               \
        cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, cusolver_int_t, T *, cusolver_int_t,   \
        T *, cusolver_int_t, T *, cusolver_int_t, void *, size_t *);                               \
    cusolverStatus_t cusolverDn##s##gesv(cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, T *,  \
                                         cusolver_int_t, cusolver_int_t *, T *, cusolver_int_t,    \
                                         T *, cusolver_int_t, void *, size_t, cusolver_int_t *,    \
                                         cusolver_int_t *);                                        \
    cusolverStatus_t cusolverDn##s##gesv_bufferSize(                                               \
        cusolverDnHandle_t, cusolver_int_t, cusolver_int_t, T *, cusolver_int_t, cusolver_int_t *, \
        T *, cusolver_int_t, T *, cusolver_int_t, void *, size_t *);
__WS_CUSOLVERDN_MIXED(ZZ, cuDoubleComplex)
__WS_CUSOLVERDN_MIXED(ZC, cuDoubleComplex)
__WS_CUSOLVERDN_MIXED(ZK, cuDoubleComplex)
__WS_CUSOLVERDN_MIXED(ZE, cuDoubleComplex)
__WS_CUSOLVERDN_MIXED(ZY, cuDoubleComplex)
__WS_CUSOLVERDN_MIXED(CC, cuComplex)
__WS_CUSOLVERDN_MIXED(CE, cuComplex)
__WS_CUSOLVERDN_MIXED(CK, cuComplex)
__WS_CUSOLVERDN_MIXED(CY, cuComplex)
__WS_CUSOLVERDN_MIXED(DD, double)
__WS_CUSOLVERDN_MIXED(DS, double)
__WS_CUSOLVERDN_MIXED(DH, double)
__WS_CUSOLVERDN_MIXED(DB, double)
__WS_CUSOLVERDN_MIXED(DX, double)
__WS_CUSOLVERDN_MIXED(SS, float)
__WS_CUSOLVERDN_MIXED(SH, float)
__WS_CUSOLVERDN_MIXED(SB, float)
__WS_CUSOLVERDN_MIXED(SX, float)

cusolverStatus_t cusolverDnCgesvdaStridedBatched(cusolverDnHandle_t, cusolverEigMode_t, int, int,
                                                 int, const cuComplex *, int, long long, float *,
                                                 long long, cuComplex *, int, long long,
                                                 cuComplex *, int, long long, cuComplex *, int,
                                                 int *, double *, int);
cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *);
cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t *);
cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *);
cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t *);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t);
cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t);
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t);
cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t);
cusolverStatus_t cusolverDnDgesvdaStridedBatched(cusolverDnHandle_t, cusolverEigMode_t, int, int,
                                                 int, const double *, int, long long, double *,
                                                 long long, double *, int, long long, double *, int,
                                                 long long, double *, int, int *, double *, int);
cusolverStatus_t cusolverDnGeqrf(cusolverDnHandle_t, cusolverDnParams_t, int64_t, int64_t,
                                 cudaDataType, void *, int64_t, cudaDataType, void *, cudaDataType,
                                 void *, size_t, int *);
cusolverStatus_t cusolverDnGeqrf_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, int64_t,
                                            int64_t, cudaDataType, const void *, int64_t,
                                            cudaDataType, const void *, cudaDataType, size_t *);
cusolverStatus_t cusolverDnGesvd(cusolverDnHandle_t, cusolverDnParams_t, signed char, signed char,
                                 int64_t, int64_t, cudaDataType, void *, int64_t, cudaDataType,
                                 void *, cudaDataType, void *, int64_t, cudaDataType, void *,
                                 int64_t, cudaDataType, void *, size_t, int *);
cusolverStatus_t cusolverDnGesvd_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, signed char,
                                            signed char, int64_t, int64_t, cudaDataType,
                                            const void *, int64_t, cudaDataType, const void *,
                                            cudaDataType, const void *, int64_t, cudaDataType,
                                            const void *, int64_t, cudaDataType, size_t *);
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t, cudaStream_t *);
cusolverStatus_t cusolverDnGetrf(cusolverDnHandle_t, cusolverDnParams_t, int64_t, int64_t,
                                 cudaDataType, void *, int64_t, int64_t *, cudaDataType, void *,
                                 size_t, int *);
cusolverStatus_t cusolverDnGetrf_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, int64_t,
                                            int64_t, cudaDataType, const void *, int64_t,
                                            cudaDataType, size_t *);
cusolverStatus_t cusolverDnGetrs(cusolverDnHandle_t, cusolverDnParams_t, cublasOperation_t, int64_t,
                                 int64_t, cudaDataType, const void *, int64_t, const int64_t *,
                                 cudaDataType, void *, int64_t, int *);
cusolverStatus_t cusolverDnIRSInfosCreate(cusolverDnIRSInfos_t *);
cusolverStatus_t cusolverDnIRSInfosDestroy(cusolverDnIRSInfos_t);
cusolverStatus_t cusolverDnIRSInfosGetMaxIters(cusolverDnIRSInfos_t, cusolver_int_t *);
cusolverStatus_t cusolverDnIRSInfosGetNiters(cusolverDnIRSInfos_t, cusolver_int_t *);
cusolverStatus_t cusolverDnIRSInfosGetOuterNiters(cusolverDnIRSInfos_t, cusolver_int_t *);
cusolverStatus_t cusolverDnIRSInfosGetResidualHistory(cusolverDnIRSInfos_t, void **);
cusolverStatus_t cusolverDnIRSInfosRequestResidual(cusolverDnIRSInfos_t);
cusolverStatus_t cusolverDnIRSParamsCreate(cusolverDnIRSParams_t *);
cusolverStatus_t cusolverDnIRSParamsDestroy(cusolverDnIRSParams_t);
cusolverStatus_t cusolverDnIRSParamsDisableFallback(cusolverDnIRSParams_t);
cusolverStatus_t cusolverDnIRSParamsEnableFallback(cusolverDnIRSParams_t);
cusolverStatus_t cusolverDnIRSParamsGetMaxIters(cusolverDnIRSParams_t, cusolver_int_t *);
cusolverStatus_t cusolverDnIRSParamsSetMaxIters(cusolverDnIRSParams_t, cusolver_int_t);
cusolverStatus_t cusolverDnIRSParamsSetMaxItersInner(cusolverDnIRSParams_t, cusolver_int_t);
cusolverStatus_t cusolverDnIRSParamsSetRefinementSolver(cusolverDnIRSParams_t,
                                                        cusolverIRSRefinement_t);
cusolverStatus_t cusolverDnIRSParamsSetSolverLowestPrecision(cusolverDnIRSParams_t,
                                                             cusolverPrecType_t);
cusolverStatus_t cusolverDnIRSParamsSetSolverMainPrecision(cusolverDnIRSParams_t,
                                                           cusolverPrecType_t);
cusolverStatus_t cusolverDnIRSParamsSetSolverPrecisions(cusolverDnIRSParams_t, cusolverPrecType_t,
                                                        cusolverPrecType_t);
cusolverStatus_t cusolverDnIRSParamsSetTol(cusolverDnIRSParams_t, double);
cusolverStatus_t cusolverDnIRSParamsSetTolInner(cusolverDnIRSParams_t, double);
cusolverStatus_t cusolverDnIRSXgels(cusolverDnHandle_t, cusolverDnIRSParams_t, cusolverDnIRSInfos_t,
                                    cusolver_int_t, cusolver_int_t, cusolver_int_t, void *,
                                    cusolver_int_t, void *, cusolver_int_t, void *, cusolver_int_t,
                                    void *, size_t, cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnIRSXgels_bufferSize(cusolverDnHandle_t, cusolverDnIRSParams_t,
                                               cusolver_int_t, cusolver_int_t, cusolver_int_t,
                                               size_t *);
cusolverStatus_t cusolverDnIRSXgesv(cusolverDnHandle_t, cusolverDnIRSParams_t, cusolverDnIRSInfos_t,
                                    cusolver_int_t, cusolver_int_t, void *, cusolver_int_t, void *,
                                    cusolver_int_t, void *, cusolver_int_t, void *, size_t,
                                    cusolver_int_t *, cusolver_int_t *);
cusolverStatus_t cusolverDnIRSXgesv_bufferSize(cusolverDnHandle_t, cusolverDnIRSParams_t,
                                               cusolver_int_t, cusolver_int_t, size_t *);
cusolverStatus_t cusolverDnPotrf(cusolverDnHandle_t, cusolverDnParams_t, cublasFillMode_t, int64_t,
                                 cudaDataType, void *, int64_t, cudaDataType, void *, size_t,
                                 int *);
cusolverStatus_t cusolverDnPotrf_bufferSize(cusolverDnHandle_t, cusolverDnParams_t,
                                            cublasFillMode_t, int64_t, cudaDataType, const void *,
                                            int64_t, cudaDataType, size_t *);
cusolverStatus_t cusolverDnPotrs(cusolverDnHandle_t, cusolverDnParams_t, cublasFillMode_t, int64_t,
                                 int64_t, cudaDataType, const void *, int64_t, cudaDataType, void *,
                                 int64_t, int *);
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t, cusolverDnFunction_t,
                                         cusolverAlgMode_t);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t, cudaStream_t);
cusolverStatus_t cusolverDnSgesvdaStridedBatched(cusolverDnHandle_t, cusolverEigMode_t, int, int,
                                                 int, const float *, int, long long, float *,
                                                 long long, float *, int, long long, float *, int,
                                                 long long, float *, int, int *, double *, int);
cusolverStatus_t cusolverDnSyevd(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t,
                                 cublasFillMode_t, int64_t, cudaDataType, void *, int64_t,
                                 cudaDataType, void *, cudaDataType, void *, size_t, int *);
cusolverStatus_t cusolverDnSyevd_bufferSize(cusolverDnHandle_t, cusolverDnParams_t,
                                            cusolverEigMode_t, cublasFillMode_t, int64_t,
                                            cudaDataType, const void *, int64_t, cudaDataType,
                                            const void *, cudaDataType, size_t *);
cusolverStatus_t cusolverDnSyevdx(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t,
                                  cusolverEigRange_t, cublasFillMode_t, int64_t, cudaDataType,
                                  void *, int64_t, void *, void *, int64_t, int64_t, int64_t *,
                                  cudaDataType, void *, cudaDataType, void *, size_t, int *);
cusolverStatus_t cusolverDnSyevdx_bufferSize(cusolverDnHandle_t, cusolverDnParams_t,
                                             cusolverEigMode_t, cusolverEigRange_t,
                                             cublasFillMode_t, int64_t, cudaDataType, const void *,
                                             int64_t, void *, void *, int64_t, int64_t, int64_t *,
                                             cudaDataType, const void *, cudaDataType, size_t *);
cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t, cusolverDnParams_t, int64_t, int64_t,
                                  cudaDataType, void *, int64_t, cudaDataType, void *, cudaDataType,
                                  void *, size_t, void *, size_t, int *);
cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, int64_t,
                                             int64_t, cudaDataType, const void *, int64_t,
                                             cudaDataType, const void *, cudaDataType, size_t *,
                                             size_t *);
cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t, cusolverDnParams_t, signed char, signed char,
                                  int64_t, int64_t, cudaDataType, void *, int64_t, cudaDataType,
                                  void *, cudaDataType, void *, int64_t, cudaDataType, void *,
                                  int64_t, cudaDataType, void *, size_t, void *, size_t, int *);
cusolverStatus_t cusolverDnXgesvd_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, signed char,
                                             signed char, int64_t, int64_t, cudaDataType,
                                             const void *, int64_t, cudaDataType, const void *,
                                             cudaDataType, const void *, int64_t, cudaDataType,
                                             const void *, int64_t, cudaDataType, size_t *,
                                             size_t *);
cusolverStatus_t cusolverDnXgesvdjGetResidual(cusolverDnHandle_t, gesvdjInfo_t, double *);
cusolverStatus_t cusolverDnXgesvdjGetSweeps(cusolverDnHandle_t, gesvdjInfo_t, int *);
cusolverStatus_t cusolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t, int);
cusolverStatus_t cusolverDnXgesvdjSetSortEig(gesvdjInfo_t, int);
cusolverStatus_t cusolverDnXgesvdjSetTolerance(gesvdjInfo_t, double);
cusolverStatus_t cusolverDnXgesvdp(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t, int,
                                   int64_t, int64_t, cudaDataType, void *, int64_t, cudaDataType,
                                   void *, cudaDataType, void *, int64_t, cudaDataType, void *,
                                   int64_t, cudaDataType, void *, size_t, void *, size_t, int *,
                                   double *);
cusolverStatus_t cusolverDnXgesvdp_bufferSize(cusolverDnHandle_t, cusolverDnParams_t,
                                              cusolverEigMode_t, int, int64_t, int64_t,
                                              cudaDataType, const void *, int64_t, cudaDataType,
                                              const void *, cudaDataType, const void *, int64_t,
                                              cudaDataType, const void *, int64_t, cudaDataType,
                                              size_t *, size_t *);
cusolverStatus_t cusolverDnXgesvdr(cusolverDnHandle_t, cusolverDnParams_t, signed char, signed char,
                                   int64_t, int64_t, int64_t, int64_t, int64_t, cudaDataType,
                                   void *, int64_t, cudaDataType, void *, cudaDataType, void *,
                                   int64_t, cudaDataType, void *, int64_t, cudaDataType, void *,
                                   size_t, void *, size_t, int *);
cusolverStatus_t cusolverDnXgesvdr_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, signed char,
                                              signed char, int64_t, int64_t, int64_t, int64_t,
                                              int64_t, cudaDataType, const void *, int64_t,
                                              cudaDataType, const void *, cudaDataType,
                                              const void *, int64_t, cudaDataType, const void *,
                                              int64_t, cudaDataType, size_t *, size_t *);
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t, cusolverDnParams_t, int64_t, int64_t,
                                  cudaDataType, void *, int64_t, int64_t *, cudaDataType, void *,
                                  size_t, void *, size_t, int *);
cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, int64_t,
                                             int64_t, cudaDataType, const void *, int64_t,
                                             cudaDataType, size_t *, size_t *);
cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t, cusolverDnParams_t, cublasOperation_t,
                                  int64_t, int64_t, cudaDataType, const void *, int64_t,
                                  const int64_t *, cudaDataType, void *, int64_t, int *);
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t, cusolverDnParams_t, cublasFillMode_t, int64_t,
                                  cudaDataType, void *, int64_t, cudaDataType, void *, size_t,
                                  void *, size_t, int *);
cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t, cusolverDnParams_t,
                                             cublasFillMode_t, int64_t, cudaDataType, const void *,
                                             int64_t, cudaDataType, size_t *, size_t *);
cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t, cusolverDnParams_t, cublasFillMode_t, int64_t,
                                  int64_t, cudaDataType, const void *, int64_t, cudaDataType,
                                  void *, int64_t, int *);
cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t,
                                  cublasFillMode_t, int64_t, cudaDataType, void *, int64_t,
                                  cudaDataType, void *, cudaDataType, void *, size_t, void *,
                                  size_t, int *);
cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t, cusolverDnParams_t,
                                             cusolverEigMode_t, cublasFillMode_t, int64_t,
                                             cudaDataType, const void *, int64_t, cudaDataType,
                                             const void *, cudaDataType, size_t *, size_t *);
cusolverStatus_t cusolverDnXsyevdx(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t,
                                   cusolverEigRange_t, cublasFillMode_t, int64_t, cudaDataType,
                                   void *, int64_t, void *, void *, int64_t, int64_t, int64_t *,
                                   cudaDataType, void *, cudaDataType, void *, size_t, void *,
                                   size_t, int *);
cusolverStatus_t cusolverDnXsyevdx_bufferSize(cusolverDnHandle_t, cusolverDnParams_t,
                                              cusolverEigMode_t, cusolverEigRange_t,
                                              cublasFillMode_t, int64_t, cudaDataType, const void *,
                                              int64_t, void *, void *, int64_t, int64_t, int64_t *,
                                              cudaDataType, const void *, cudaDataType, size_t *,
                                              size_t *);
cusolverStatus_t cusolverDnXsyevjGetResidual(cusolverDnHandle_t, syevjInfo_t, double *);
cusolverStatus_t cusolverDnXsyevjGetSweeps(cusolverDnHandle_t, syevjInfo_t, int *);
cusolverStatus_t cusolverDnXsyevjSetMaxSweeps(syevjInfo_t, int);
cusolverStatus_t cusolverDnXsyevjSetSortEig(syevjInfo_t, int);
cusolverStatus_t cusolverDnXsyevjSetTolerance(syevjInfo_t, double);
cusolverStatus_t cusolverDnXsygvd(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigType_t,
                                  cusolverEigMode_t, cublasFillMode_t, int64_t, cudaDataType,
                                  void *, int64_t, cudaDataType, void *, int64_t, cudaDataType,
                                  void *, cudaDataType, void *, size_t, void *, size_t, int *);
cusolverStatus_t cusolverDnXsygvd_bufferSize(cusolverDnHandle_t, cusolverDnParams_t,
                                             cusolverEigType_t, cusolverEigMode_t, cublasFillMode_t,
                                             int64_t, cudaDataType, const void *, int64_t,
                                             cudaDataType, const void *, int64_t, cudaDataType,
                                             const void *, cudaDataType, size_t *, size_t *);
cusolverStatus_t cusolverDnXsygvdx(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigType_t,
                                   cusolverEigMode_t, cusolverEigRange_t, cublasFillMode_t, int64_t,
                                   cudaDataType, void *, int64_t, cudaDataType, void *, int64_t,
                                   void *, void *, int64_t, int64_t, int64_t *, cudaDataType,
                                   void *, cudaDataType, void *, size_t, void *, size_t, int *);
cusolverStatus_t cusolverDnXsygvdx_bufferSize(cusolverDnHandle_t, cusolverDnParams_t,
                                              cusolverEigType_t, cusolverEigMode_t,
                                              cublasFillMode_t, int64_t, cudaDataType, const void *,
                                              int64_t, cudaDataType, const void *, int64_t, void *,
                                              void *, int64_t, int64_t, int64_t *, cudaDataType,
                                              const void *, cudaDataType, size_t *, size_t *);
cusolverStatus_t cusolverDnXsytrs(cusolverDnHandle_t, cublasFillMode_t, int64_t, int64_t,
                                  cudaDataType, const void *, int64_t, const int64_t *,
                                  cudaDataType, void *, int64_t, void *, size_t, void *, size_t,
                                  int *);
cusolverStatus_t cusolverDnXsytrs_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int64_t, int64_t,
                                             cudaDataType, const void *, int64_t, const int64_t *,
                                             cudaDataType, void *, int64_t, size_t *, size_t *);
cusolverStatus_t cusolverDnXtrtri(cusolverDnHandle_t, cublasFillMode_t, cublasDiagType_t, int64_t,
                                  cudaDataType, void *, int64_t, void *, size_t, void *, size_t,
                                  int *);
cusolverStatus_t cusolverDnXtrtri_bufferSize(cusolverDnHandle_t, cublasFillMode_t, cublasDiagType_t,
                                             int64_t, cudaDataType, void *, int64_t, size_t *,
                                             size_t *);
cusolverStatus_t cusolverDnZgesvdaStridedBatched(cusolverDnHandle_t, cusolverEigMode_t, int, int,
                                                 int, const cuDoubleComplex *, int, long long,
                                                 double *, long long, cuDoubleComplex *, int,
                                                 long long, cuDoubleComplex *, int, long long,
                                                 cuDoubleComplex *, int, int *, double *, int);
#ifdef __cplusplus
}
#endif

#endif
