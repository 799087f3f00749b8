/* cuBLAS as it was before handles: letters say what is done, and results are returned. */
#ifndef WARPSTEP_CUBLAS_H
#define WARPSTEP_CUBLAS_H

/* The library's own guards, which programs test to see what has been included. */
#define CUBLAS_H_

#include "cublas_api.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef cublasStatus_t cublasStatus;

cublasStatus cublasInit(void);
cublasStatus cublasShutdown(void);
cublasStatus cublasGetError(void);
cublasStatus cublasGetVersion(int *);
cublasStatus cublasAlloc(int, int, void **);
cublasStatus cublasFree(void *);
cublasStatus cublasSetKernelStream(cudaStream_t);

#define __WS_CUBLAS_OLD_SDCZ(v, s, T, R)                                                           \
    void cublas##s##axpy(int, T, const T *, int, T *, int);                                        \
    void cublas##s##copy(int, const T *, int, T *, int);                                           \
    void cublas##s##gbmv(char, int, int, int, int, T, const T *, int, const T *, int, T, T *,      \
                         int);                                                                     \
    void cublas##s##gemm(char, char, int, int, int, T, const T *, int, const T *, int, T, T *,     \
                         int);                                                                     \
    void cublas##s##gemv(char, int, int, T, const T *, int, const T *, int, T, T *, int);          \
    void cublas##s##rot(int, T *, int, T *, int, R, T);                                            \
    void cublas##s##rotg(T *, T *, R *, T *);                                                      \
    void cublas##s##scal(int, T, T *, int);                                                        \
    void cublas##s##swap(int, T *, int, T *, int);                                                 \
    void cublas##s##symm(char, char, int, int, T, const T *, int, const T *, int, T, T *, int);    \
    void cublas##s##symv(char, int, T, const T *, int, const T *, int, T, T *, int);               \
    void cublas##s##syr(char, int, T, const T *, int, T *, int);                                   \
    void cublas##s##syr2(char, int, T, const T *, int, const T *, int, T *, int);                  \
    void cublas##s##syr2k(char, char, int, int, T, const T *, int, const T *, int, T, T *, int);   \
    void cublas##s##syrk(char, char, int, int, T, const T *, int, T, T *, int);                    \
    void cublas##s##tbmv(char, char, char, int, int, const T *, int, T *, int);                    \
    void cublas##s##tbsv(char, char, char, int, int, const T *, int, T *, int);                    \
    void cublas##s##tpmv(char, char, char, int, const T *, T *, int);                              \
    void cublas##s##tpsv(char, char, char, int, const T *, T *, int);                              \
    void cublas##s##trmm(char, char, char, char, int, int, T, const T *, int, T *, int);           \
    void cublas##s##trmv(char, char, char, int, const T *, int, T *, int);                         \
    void cublas##s##trsm(char, char, char, char, int, int, T, const T *, int, T *, int);           \
    void cublas##s##trsv(char, char, char, int, const T *, int, T *, int);
#define __WS_CUBLAS_OLD_SD(v, s, T)                                                                \
    T cublas##s##asum(int, const T *, int);                                                        \
    T cublas##s##dot(int, const T *, int, const T *, int);                                         \
    void cublas##s##ger(int, int, T, const T *, int, const T *, int, T *, int);                    \
    T cublas##s##nrm2(int, const T *, int);                                                        \
    void cublas##s##rotm(int, T *, int, T *, int, const T *);                                      \
    void cublas##s##rotmg(T *, T *, T *, const T *, T *);                                          \
    void cublas##s##sbmv(char, int, int, T, const T *, int, const T *, int, T, T *, int);          \
    void cublas##s##spmv(char, int, T, const T *, const T *, int, T, T *, int);                    \
    void cublas##s##spr(char, int, T, const T *, int, T *);                                        \
    void cublas##s##spr2(char, int, T, const T *, int, const T *, int, T *);
#define __WS_CUBLAS_OLD_CZ(v, s, T, R)                                                             \
    T cublas##s##dotc(int, const T *, int, const T *, int);                                        \
    T cublas##s##dotu(int, const T *, int, const T *, int);                                        \
    void cublas##s##gerc(int, int, T, const T *, int, const T *, int, T *, int);                   \
    void cublas##s##geru(int, int, T, const T *, int, const T *, int, T *, int);                   \
    void cublas##s##hbmv(char, int, int, T, const T *, int, const T *, int, T, T *, int);          \
    void cublas##s##hemm(char, char, int, int, T, const T *, int, const T *, int, T, T *, int);    \
    void cublas##s##hemv(char, int, T, const T *, int, const T *, int, T, T *, int);               \
    void cublas##s##her(char, int, R, const T *, int, T *, int);                                   \
    void cublas##s##her2(char, int, T, const T *, int, const T *, int, T *, int);                  \
    void cublas##s##her2k(char, char, int, int, T, const T *, int, const T *, int, R, T *, int);   \
    void cublas##s##herk(char, char, int, int, R, const T *, int, R, T *, int);                    \
    void cublas##s##hpmv(char, int, T, const T *, const T *, int, T, T *, int);                    \
    void cublas##s##hpr(char, int, R, const T *, int, T *);                                        \
    void cublas##s##hpr2(char, int, T, const T *, int, const T *, int, T *);
__WS_EACH_SDCZ(__WS_CUBLAS_OLD_SDCZ, )
__WS_EACH_SD(__WS_CUBLAS_OLD_SD, )
__WS_EACH_CZ(__WS_CUBLAS_OLD_CZ, )

void cublasCsrot(int, cuComplex *, int, cuComplex *, int, float, float);
void cublasCsscal(int, float, cuComplex *, int);
double cublasDzasum(int, const cuDoubleComplex *, int);
double cublasDznrm2(int, const cuDoubleComplex *, int);
int cublasIcamax(int, const cuComplex *, int);
int cublasIcamin(int, const cuComplex *, int);
int cublasIdamax(int, const double *, int);
int cublasIdamin(int, const double *, int);
int cublasIsamax(int, const float *, int);
int cublasIsamin(int, const float *, int);
int cublasIzamax(int, const cuDoubleComplex *, int);
int cublasIzamin(int, const cuDoubleComplex *, int);
float cublasScasum(int, const cuComplex *, int);
float cublasScnrm2(int, const cuComplex *, int);
void cublasZdrot(int, cuDoubleComplex *, int, cuDoubleComplex *, int, double, double);
void cublasZdscal(int, double, cuDoubleComplex *, int);
#ifdef __cplusplus
}
#endif

#endif
