/* cuSPARSE. */
#ifndef WARPSTEP_CUSPARSE_H
#define WARPSTEP_CUSPARSE_H

/* The library's own guards, which programs test to see what has been included. */
#define CUSPARSE_H_

#include "warpstep/closed_library.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CUSPARSEAPI
#define CUSPARSE_VER_MAJOR 11
#define CUSPARSE_VER_MINOR 0
#define CUSPARSE_VERSION   (CUSPARSE_VER_MAJOR * 1000 + CUSPARSE_VER_MINOR * 100)

typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseMatDescr *cusparseMatDescr_t;
typedef struct csrsv2Info *csrsv2Info_t;
typedef struct csrsm2Info *csrsm2Info_t;
typedef struct bsrsv2Info *bsrsv2Info_t;
typedef struct bsrsm2Info *bsrsm2Info_t;
typedef struct csric02Info *csric02Info_t;
typedef struct bsric02Info *bsric02Info_t;
typedef struct csrilu02Info *csrilu02Info_t;
typedef struct bsrilu02Info *bsrilu02Info_t;
typedef struct cusparseSpVecDescr *cusparseSpVecDescr_t;
typedef const struct cusparseSpVecDescr *cusparseConstSpVecDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef const struct cusparseDnVecDescr *cusparseConstDnVecDescr_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef const struct cusparseSpMatDescr *cusparseConstSpMatDescr_t;
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
typedef const struct cusparseDnMatDescr *cusparseConstDnMatDescr_t;
typedef struct cusparseSpGEMMDescr *cusparseSpGEMMDescr_t;
typedef struct cusparseSpSVDescr *cusparseSpSVDescr_t;
typedef struct cusparseSpSMDescr *cusparseSpSMDescr_t;

typedef enum {
    CUSPARSE_STATUS_SUCCESS = 0, CUSPARSE_STATUS_NOT_INITIALIZED = 1,
    CUSPARSE_STATUS_ALLOC_FAILED = 2, CUSPARSE_STATUS_INVALID_VALUE = 3,
    CUSPARSE_STATUS_ARCH_MISMATCH = 4, CUSPARSE_STATUS_MAPPING_ERROR = 5,
    CUSPARSE_STATUS_EXECUTION_FAILED = 6, CUSPARSE_STATUS_INTERNAL_ERROR = 7,
    CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8, CUSPARSE_STATUS_ZERO_PIVOT = 9,
    CUSPARSE_STATUS_NOT_SUPPORTED = 10, CUSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
} cusparseStatus_t;
typedef enum {
    CUSPARSE_POINTER_MODE_HOST = 0, CUSPARSE_POINTER_MODE_DEVICE = 1
} cusparsePointerMode_t;
typedef enum { CUSPARSE_ACTION_SYMBOLIC = 0, CUSPARSE_ACTION_NUMERIC = 1 } cusparseAction_t;
typedef enum {
    CUSPARSE_MATRIX_TYPE_GENERAL = 0, CUSPARSE_MATRIX_TYPE_SYMMETRIC = 1,
    CUSPARSE_MATRIX_TYPE_HERMITIAN = 2, CUSPARSE_MATRIX_TYPE_TRIANGULAR = 3
} cusparseMatrixType_t;
typedef enum { CUSPARSE_FILL_MODE_LOWER = 0, CUSPARSE_FILL_MODE_UPPER = 1 } cusparseFillMode_t;
typedef enum { CUSPARSE_DIAG_TYPE_NON_UNIT = 0, CUSPARSE_DIAG_TYPE_UNIT = 1 } cusparseDiagType_t;
typedef enum { CUSPARSE_INDEX_BASE_ZERO = 0, CUSPARSE_INDEX_BASE_ONE = 1 } cusparseIndexBase_t;
typedef enum {
    CUSPARSE_OPERATION_NON_TRANSPOSE = 0, CUSPARSE_OPERATION_TRANSPOSE = 1,
    CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE = 2
} cusparseOperation_t;
typedef enum { CUSPARSE_DIRECTION_ROW = 0, CUSPARSE_DIRECTION_COLUMN = 1 } cusparseDirection_t;
typedef enum {
    CUSPARSE_SOLVE_POLICY_NO_LEVEL = 0, CUSPARSE_SOLVE_POLICY_USE_LEVEL = 1
} cusparseSolvePolicy_t;
typedef enum { CUSPARSE_SIDE_LEFT = 0, CUSPARSE_SIDE_RIGHT = 1 } cusparseSideMode_t;
typedef enum { CUSPARSE_ALG_MERGE_PATH = 0 } cusparseAlgMode_t;
typedef enum {
    CUSPARSE_CSR2CSC_ALG1 = 1, CUSPARSE_CSR2CSC_ALG2 = 2, CUSPARSE_CSR2CSC_ALG_DEFAULT = 1
} cusparseCsr2CscAlg_t;
typedef enum {
    CUSPARSE_FORMAT_CSR = 1, CUSPARSE_FORMAT_CSC = 2, CUSPARSE_FORMAT_COO = 3,
    CUSPARSE_FORMAT_COO_AOS = 4, CUSPARSE_FORMAT_BLOCKED_ELL = 5, CUSPARSE_FORMAT_BSR = 6,
    CUSPARSE_FORMAT_SLICED_ELLPACK = 7
} cusparseFormat_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;
typedef enum {
    CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I = 2, CUSPARSE_INDEX_64I = 3
} cusparseIndexType_t;
typedef enum {
    CUSPARSE_SPMAT_FILL_MODE = 0, CUSPARSE_SPMAT_DIAG_TYPE = 1
} cusparseSpMatAttribute_t;
typedef enum {
    CUSPARSE_MV_ALG_DEFAULT = 0, CUSPARSE_COOMV_ALG = 1, CUSPARSE_CSRMV_ALG1 = 2,
    CUSPARSE_CSRMV_ALG2 = 3, CUSPARSE_SPMV_COO_ALG2 = 4, CUSPARSE_SPMV_ALG_DEFAULT = 0,
    CUSPARSE_SPMV_CSR_ALG1 = 2, CUSPARSE_SPMV_CSR_ALG2 = 3, CUSPARSE_SPMV_COO_ALG1 = 1,
    CUSPARSE_SPMV_SELL_ALG1 = 5, CUSPARSE_SPMV_BSR_ALG1 = 6
} cusparseSpMVAlg_t;
typedef enum {
    CUSPARSE_MM_ALG_DEFAULT = 0, CUSPARSE_COOMM_ALG1 = 1, CUSPARSE_COOMM_ALG2 = 2,
    CUSPARSE_COOMM_ALG3 = 3, CUSPARSE_CSRMM_ALG1 = 4, CUSPARSE_SPMM_COO_ALG4 = 5,
    CUSPARSE_SPMM_CSR_ALG2 = 6, CUSPARSE_SPMM_CSR_ALG3 = 12, CUSPARSE_SPMM_BLOCKED_ELL_ALG1 = 13,
    CUSPARSE_SPMM_ALG_DEFAULT = 0, CUSPARSE_SPMM_COO_ALG1 = 1, CUSPARSE_SPMM_COO_ALG2 = 2,
    CUSPARSE_SPMM_COO_ALG3 = 3, CUSPARSE_SPMM_CSR_ALG1 = 4, CUSPARSE_SPMM_BSR_ALG1 = 14
} cusparseSpMMAlg_t;
typedef enum {
    CUSPARSE_SPGEMM_DEFAULT = 0, CUSPARSE_SPGEMM_CSR_ALG_DETERMINITIC = 1,
    CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC = 2, CUSPARSE_SPGEMM_ALG1 = 3, CUSPARSE_SPGEMM_ALG2 = 4,
    CUSPARSE_SPGEMM_ALG3 = 5
} cusparseSpGEMMAlg_t;
typedef enum { CUSPARSE_SPARSETODENSE_ALG_DEFAULT = 0 } cusparseSparseToDenseAlg_t;
typedef enum { CUSPARSE_DENSETOSPARSE_ALG_DEFAULT = 0 } cusparseDenseToSparseAlg_t;
typedef enum { CUSPARSE_SDDMM_ALG_DEFAULT = 0 } cusparseSDDMMAlg_t;
typedef enum { CUSPARSE_SPSV_ALG_DEFAULT = 0 } cusparseSpSVAlg_t;
typedef enum { CUSPARSE_SPSM_ALG_DEFAULT = 0 } cusparseSpSMAlg_t;

#define __WS_CUSPARSE_SDCZ(v, s, T, R)                                                             \
    cusparseStatus_t cusparse##s##axpyi(cusparseHandle_t, int, const T *, const T *, const int *,  \
                                        T *, cusparseIndexBase_t);                                 \
    cusparseStatus_t cusparse##s##bsr2csr(cusparseHandle_t, cusparseDirection_t, int, int,         \
                                          cusparseMatDescr_t, const T *, const int *, const int *, \
                                          int, cusparseMatDescr_t, T *, int *, int *);             \
    cusparseStatus_t cusparse##s##bsric02(cusparseHandle_t, cusparseDirection_t, int, int,         \
                                          cusparseMatDescr_t, T *, const int *, const int *, int,  \
                                          bsric02Info_t, cusparseSolvePolicy_t, void *);           \
    cusparseStatus_t cusparse##s##bsric02_analysis(                                                \
        cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t, const T *,            \
        const int *, const int *, int, bsric02Info_t, cusparseSolvePolicy_t, void *);              \
    cusparseStatus_t cusparse##s##bsric02_bufferSize(cusparseHandle_t, cusparseDirection_t, int,   \
                                                     int, cusparseMatDescr_t, T *, const int *,    \
                                                     const int *, int, bsric02Info_t, int *);      \
    cusparseStatus_t cusparse##s##bsrilu02(cusparseHandle_t, cusparseDirection_t, int, int,        \
                                           cusparseMatDescr_t, T *, const int *, const int *, int, \
                                           bsrilu02Info_t, cusparseSolvePolicy_t, void *);         \
    cusparseStatus_t cusparse##s##bsrilu02_analysis(                                               \
        cusparseHandle_t, cusparseDirection_t, int, int, cusparseMatDescr_t, T *, const int *,     \
        const int *, int, bsrilu02Info_t, cusparseSolvePolicy_t, void *);                          \
    cusparseStatus_t cusparse##s##bsrilu02_bufferSize(cusparseHandle_t, cusparseDirection_t, int,  \
                                                      int, cusparseMatDescr_t, T *, const int *,   \
                                                      const int *, int, bsrilu02Info_t, int *);    \
    cusparseStatus_t cusparse##s##bsrmm(                                                           \
        cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, cusparseOperation_t, int, int, \
        int, int, const T *, cusparseMatDescr_t, const T *, const int *, const int *, int,         \
        const T *, int, const T *, T *, int);                                                      \
    cusparseStatus_t cusparse##s##bsrmv(                                                           \
        cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, int, int, int, const T *,      \
        cusparseMatDescr_t, const T *, const int *, const int *, int, const T *, const T *, T *);  \
    cusparseStatus_t cusparse##s##bsrsm2_analysis(                                                 \
        cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, cusparseOperation_t, int, int, \
        int, cusparseMatDescr_t, const T *, const int *, const int *, int, bsrsm2Info_t,           \
        cusparseSolvePolicy_t, void *);                                                            \
    cusparseStatus_t cusparse##s##bsrsm2_bufferSize(                                               \
        cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, cusparseOperation_t, int, int, \
        int, cusparseMatDescr_t, T *, const int *, const int *, int, bsrsm2Info_t, int *);         \
    cusparseStatus_t cusparse##s##bsrsm2_solve(                                                    \
        cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, cusparseOperation_t, int, int, \
        int, const T *, cusparseMatDescr_t, const T *, const int *, const int *, int,              \
        bsrsm2Info_t, const T *, int, T *, int, cusparseSolvePolicy_t, void *);                    \
    cusparseStatus_t cusparse##s##bsrsv2_analysis(                                                 \
        cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, int, int, cusparseMatDescr_t,  \
        const T *, const int *, const int *, int, bsrsv2Info_t, cusparseSolvePolicy_t, void *);    \
    cusparseStatus_t cusparse##s##bsrsv2_bufferSize(                                               \
        cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, int, int, cusparseMatDescr_t,  \
        T *, const int *, const int *, int, bsrsv2Info_t, int *);                                  \
    cusparseStatus_t cusparse##s##bsrsv2_solve(                                                    \
        cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, int, int, const T *,           \
        cusparseMatDescr_t, const T *, const int *, const int *, int, bsrsv2Info_t, const T *,     \
        T *, cusparseSolvePolicy_t, void *);                                                       \
    cusparseStatus_t cusparse##s##bsrxmv(                                                          \
        cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, int, int, int, int, const T *, \
        cusparseMatDescr_t, const T *, const int *, const int *, const int *, const int *, int,    \
        const T *, const T *, T *);                                                                \
    cusparseStatus_t cusparse##s##csc2dense(cusparseHandle_t, int, int, cusparseMatDescr_t,        \
                                            const T *, const int *, const int *, T *, int);        \
    cusparseStatus_t cusparse##s##csr2bsr(cusparseHandle_t, cusparseDirection_t, int, int,         \
                                          cusparseMatDescr_t, const T *, const int *, const int *, \
                                          int, cusparseMatDescr_t, T *, int *, int *);             \
    cusparseStatus_t cusparse##s##csr2csr_compress(cusparseHandle_t, int, int, cusparseMatDescr_t, \
                                                   const T *, const int *, const int *, int,       \
                                                   const int *, T *, int *, int *, T);             \
    cusparseStatus_t cusparse##s##csr2dense(cusparseHandle_t, int, int, cusparseMatDescr_t,        \
                                            const T *, const int *, const int *, T *, int);        \
    cusparseStatus_t cusparse##s##csrgeam2(                                                        \
        cusparseHandle_t, int, int, const T *, cusparseMatDescr_t, int, const T *, const int *,    \
        const int *, const T *, cusparseMatDescr_t, int, const T *, const int *, const int *,      \
        cusparseMatDescr_t, T *, int *, int *, void *);                                            \
    cusparseStatus_t cusparse##s##csrgeam2_bufferSizeExt(                                          \
        cusparseHandle_t, int, int, const T *, cusparseMatDescr_t, int, const T *, const int *,    \
        const int *, const T *, cusparseMatDescr_t, int, const T *, const int *, const int *,      \
        cusparseMatDescr_t, const T *, const int *, const int *, size_t *);                        \
    cusparseStatus_t cusparse##s##csric02(cusparseHandle_t, int, int, cusparseMatDescr_t, T *,     \
                                          const int *, const int *, csric02Info_t,                 \
                                          cusparseSolvePolicy_t, void *);                          \
    cusparseStatus_t cusparse##s##csric02_analysis(cusparseHandle_t, int, int, cusparseMatDescr_t, \
                                                   const T *, const int *, const int *,            \
                                                   csric02Info_t, cusparseSolvePolicy_t, void *);  \
    cusparseStatus_t cusparse##s##csric02_bufferSize(cusparseHandle_t, int, int,                   \
                                                     cusparseMatDescr_t, T *, const int *,         \
                                                     const int *, csric02Info_t, int *);           \
    cusparseStatus_t cusparse##s##csrilu02(cusparseHandle_t, int, int, cusparseMatDescr_t, T *,    \
                                           const int *, const int *, csrilu02Info_t,               \
                                           cusparseSolvePolicy_t, void *);                         \
    cusparseStatus_t cusparse##s##csrilu02_analysis(                                               \
        cusparseHandle_t, int, int, cusparseMatDescr_t, const T *, const int *, const int *,       \
        csrilu02Info_t, cusparseSolvePolicy_t, void *);                                            \
    cusparseStatus_t cusparse##s##csrilu02_bufferSize(cusparseHandle_t, int, int,                  \
                                                      cusparseMatDescr_t, T *, const int *,        \
                                                      const int *, csrilu02Info_t, int *);         \
    cusparseStatus_t cusparse##s##csrsm2_analysis(                                                 \
        cusparseHandle_t, int, cusparseOperation_t, cusparseOperation_t, int, int, int, const T *, \
        cusparseMatDescr_t, const T *, const int *, const int *, const T *, int, csrsm2Info_t,     \
        cusparseSolvePolicy_t, void *);                                                            \
    cusparseStatus_t cusparse##s##csrsm2_bufferSizeExt(                                            \
        cusparseHandle_t, int, cusparseOperation_t, cusparseOperation_t, int, int, int, const T *, \
        cusparseMatDescr_t, const T *, const int *, const int *, const T *, int, csrsm2Info_t,     \
        cusparseSolvePolicy_t, size_t *);                                                          \
    cusparseStatus_t cusparse##s##csrsm2_solve(                                                    \
        cusparseHandle_t, int, cusparseOperation_t, cusparseOperation_t, int, int, int, const T *, \
        cusparseMatDescr_t, const T *, const int *, const int *, T *, int, csrsm2Info_t,           \
        cusparseSolvePolicy_t, void *);                                                            \
    cusparseStatus_t cusparse##s##csrsv2_analysis(                                                 \
        cusparseHandle_t, cusparseOperation_t, int, int, cusparseMatDescr_t, const T *,            \
        const int *, const int *, csrsv2Info_t, cusparseSolvePolicy_t, void *);                    \
    cusparseStatus_t cusparse##s##csrsv2_bufferSize(cusparseHandle_t, cusparseOperation_t, int,    \
                                                    int, cusparseMatDescr_t, T *, const int *,     \
                                                    const int *, csrsv2Info_t, int *);             \
    cusparseStatus_t cusparse##s##csrsv2_bufferSizeExt(cusparseHandle_t, cusparseOperation_t, int, \
                                                       int, cusparseMatDescr_t, T *, const int *,  \
                                                       const int *, csrsv2Info_t, size_t *);       \
    cusparseStatus_t cusparse##s##csrsv2_solve(                                                    \
        cusparseHandle_t, cusparseOperation_t, int, int, const T *, cusparseMatDescr_t, const T *, \
        const int *, const int *, csrsv2Info_t, const T *, T *, cusparseSolvePolicy_t, void *);    \
    cusparseStatus_t cusparse##s##dense2csc(cusparseHandle_t, int, int, cusparseMatDescr_t,        \
                                            const T *, int, const int *, T *, int *, int *);       \
    cusparseStatus_t cusparse##s##dense2csr(cusparseHandle_t, int, int, cusparseMatDescr_t,        \
                                            const T *, int, const int *, T *, int *, int *);       \
    cusparseStatus_t cusparse##s##gemmi(cusparseHandle_t, int, int, int, int, const T *,           \
                                        const T *, int, const T *, const int *, const int *,       \
                                        const T *, T *, int);                                      \
    cusparseStatus_t cusparse##s##gemvi(cusparseHandle_t, cusparseOperation_t, int, int,           \
                                        const T *, const T *, int, int, const T *, const int *,    \
                                        const T *, T *, cusparseIndexBase_t, void *);              \
    cusparseStatus_t cusparse##s##gemvi_bufferSize(cusparseHandle_t, cusparseOperation_t, int,     \
                                                   int, int, int *);                               \
    cusparseStatus_t cusparse##s##gpsvInterleavedBatch(cusparseHandle_t, int, int, T *, T *, T *,  \
                                                       T *, T *, T *, int, void *);                \
    cusparseStatus_t cusparse##s##gpsvInterleavedBatch_bufferSizeExt(                              \
        cusparseHandle_t, int, int, const T *, const T *, const T *, const T *, const T *,         \
        const T *, int, size_t *);                                                                 \
    cusparseStatus_t cusparse##s##gthr(cusparseHandle_t, int, const T *, T *, const int *,         \
                                       cusparseIndexBase_t);                                       \
    cusparseStatus_t cusparse##s##gthrz(cusparseHandle_t, int, T *, T *, const int *,              \
                                        cusparseIndexBase_t);                                      \
    cusparseStatus_t cusparse##s##gtsv2(cusparseHandle_t, int, int, const T *, const T *,          \
                                        const T *, T *, int, void *);                              \
    cusparseStatus_t cusparse##s##gtsv2StridedBatch(cusparseHandle_t, int, const T *, const T *,   \
                                                    const T *, T *, int, int, void *);             \
    cusparseStatus_t cusparse##s##gtsv2StridedBatch_bufferSizeExt(                                 \
        cusparseHandle_t, int, const T *, const T *, const T *, const T *, int, int, size_t *);    \
    cusparseStatus_t cusparse##s##gtsv2_bufferSizeExt(                                             \
        cusparseHandle_t, int, int, const T *, const T *, const T *, const T *, int, size_t *);    \
    cusparseStatus_t cusparse##s##gtsv2_nopivot(cusparseHandle_t, int, int, const T *, const T *,  \
                                                const T *, T *, int, void *);                      \
    cusparseStatus_t cusparse##s##gtsv2_nopivot_bufferSizeExt(                                     \
        cusparseHandle_t, int, int, const T *, const T *, const T *, const T *, int, size_t *);    \
    cusparseStatus_t cusparse##s##gtsvInterleavedBatch(cusparseHandle_t, int, int, T *, T *, T *,  \
                                                       T *, int, void *);                          \
    cusparseStatus_t cusparse##s##gtsvInterleavedBatch_bufferSizeExt(                              \
        cusparseHandle_t, int, int, const T *, const T *, const T *, const T *, int, size_t *);    \
    cusparseStatus_t cusparse##s##nnz(cusparseHandle_t, cusparseDirection_t, int, int,             \
                                      cusparseMatDescr_t, const T *, int, int *, int *);           \
    cusparseStatus_t cusparse##s##nnz_compress(cusparseHandle_t, int, cusparseMatDescr_t,          \
                                               const T *, const int *, int *, int *, T);           \
    cusparseStatus_t cusparse##s##sctr(cusparseHandle_t, int, const T *, const int *, T *,         \
                                       cusparseIndexBase_t);
#define __WS_CUSPARSE_SD(v, s, T)                                                                  \
    cusparseStatus_t cusparse##s##roti(cusparseHandle_t, int, T *, const int *, T *, const T *,    \
                                       const T *, cusparseIndexBase_t);
__WS_EACH_SDCZ(__WS_CUSPARSE_SDCZ, )
__WS_EACH_SD(__WS_CUSPARSE_SD, )

cusparseStatus_t cusparseAxpby(cusparseHandle_t, const void *, cusparseConstSpVecDescr_t,
                               const void *, cusparseDnVecDescr_t);
cusparseStatus_t cusparseBlockedEllGet(cusparseSpMatDescr_t, int64_t *, int64_t *, int64_t *,
                                       int64_t *, void **, void **, cusparseIndexType_t *,
                                       cusparseIndexBase_t *, cudaDataType *);
cusparseStatus_t cusparseBsrSetStridedBatch(cusparseSpMatDescr_t, int, int64_t, int64_t, int64_t);
cusparseStatus_t cusparseConstBlockedEllGet(cusparseConstSpMatDescr_t, int64_t *, int64_t *,
                                            int64_t *, int64_t *, const void **, const void **,
                                            cusparseIndexType_t *, cusparseIndexBase_t *,
                                            cudaDataType *);
cusparseStatus_t cusparseConstCooGet(cusparseConstSpMatDescr_t, int64_t *, int64_t *, int64_t *,
                                     const void **, const void **, const void **,
                                     cusparseIndexType_t *, cusparseIndexBase_t *, cudaDataType *);
cusparseStatus_t cusparseConstCscGet(cusparseConstSpMatDescr_t, int64_t *, int64_t *, int64_t *,
                                     const void **, const void **, const void **,
                                     cusparseIndexType_t *, cusparseIndexType_t *,
                                     cusparseIndexBase_t *, cudaDataType *);
cusparseStatus_t cusparseConstCsrGet(cusparseConstSpMatDescr_t, int64_t *, int64_t *, int64_t *,
                                     const void **, const void **, const void **,
                                     cusparseIndexType_t *, cusparseIndexType_t *,
                                     cusparseIndexBase_t *, cudaDataType *);
cusparseStatus_t cusparseConstDnMatGet(cusparseConstDnMatDescr_t, int64_t *, int64_t *, int64_t *,
                                       const void **, cudaDataType *, cusparseOrder_t *);
cusparseStatus_t cusparseConstDnMatGetValues(cusparseConstDnMatDescr_t, const void **);
cusparseStatus_t cusparseConstDnVecGet(cusparseConstDnVecDescr_t, int64_t *, const void **,
                                       cudaDataType *);
cusparseStatus_t cusparseConstDnVecGetValues(cusparseConstDnVecDescr_t, const void **);
cusparseStatus_t cusparseConstSpMatGetValues(cusparseConstSpMatDescr_t, const void **);
cusparseStatus_t cusparseConstSpVecGet(cusparseConstSpVecDescr_t, int64_t *, int64_t *,
                                       const void **, const void **, cusparseIndexType_t *,
                                       cusparseIndexBase_t *, cudaDataType *);
cusparseStatus_t cusparseConstSpVecGetValues(cusparseConstSpVecDescr_t, const void **);
cusparseStatus_t cusparseCooGet(cusparseSpMatDescr_t, int64_t *, int64_t *, int64_t *, void **,
                                void **, void **, cusparseIndexType_t *, cusparseIndexBase_t *,
                                cudaDataType *);
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t, void *, void *, void *);
cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t, int, int64_t);
cusparseStatus_t cusparseCopyMatDescr(cusparseMatDescr_t, cusparseMatDescr_t);
cusparseStatus_t cusparseCreate(cusparseHandle_t *);
cusparseStatus_t cusparseCreateBlockedEll(cusparseSpMatDescr_t *, int64_t, int64_t, int64_t,
                                          int64_t, void *, void *, cusparseIndexType_t,
                                          cusparseIndexBase_t, cudaDataType);
cusparseStatus_t cusparseCreateBsr(cusparseSpMatDescr_t *, int64_t, int64_t, int64_t, int64_t,
                                   int64_t, void *, void *, void *, cusparseIndexType_t,
                                   cusparseIndexType_t, cusparseIndexBase_t, cudaDataType,
                                   cusparseOrder_t);
cusparseStatus_t cusparseCreateBsric02Info(bsric02Info_t *);
cusparseStatus_t cusparseCreateBsrilu02Info(bsrilu02Info_t *);
cusparseStatus_t cusparseCreateBsrsm2Info(bsrsm2Info_t *);
cusparseStatus_t cusparseCreateBsrsv2Info(bsrsv2Info_t *);
cusparseStatus_t cusparseCreateConstBlockedEll(cusparseConstSpMatDescr_t *, int64_t, int64_t,
                                               int64_t, int64_t, const void *, const void *,
                                               cusparseIndexType_t, cusparseIndexBase_t,
                                               cudaDataType);
cusparseStatus_t cusparseCreateConstBsr(cusparseConstSpMatDescr_t *, int64_t, int64_t, int64_t,
                                        int64_t, int64_t, const void *, const void *, const void *,
                                        cusparseIndexType_t, cusparseIndexType_t,
                                        cusparseIndexBase_t, cudaDataType, cusparseOrder_t);
cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t *, int64_t, int64_t, int64_t,
                                        const void *, const void *, const void *,
                                        cusparseIndexType_t, cusparseIndexBase_t, cudaDataType);
cusparseStatus_t cusparseCreateConstCsc(cusparseConstSpMatDescr_t *, int64_t, int64_t, int64_t,
                                        const void *, const void *, const void *,
                                        cusparseIndexType_t, cusparseIndexType_t,
                                        cusparseIndexBase_t, cudaDataType);
cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t *, int64_t, int64_t, int64_t,
                                        const void *, const void *, const void *,
                                        cusparseIndexType_t, cusparseIndexType_t,
                                        cusparseIndexBase_t, cudaDataType);
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *, int64_t, int64_t, int64_t,
                                          const void *, cudaDataType, cusparseOrder_t);
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *, int64_t, const void *,
                                          cudaDataType);
cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t *, int64_t, int64_t,
                                          const void *, const void *, cusparseIndexType_t,
                                          cusparseIndexBase_t, cudaDataType);
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *, int64_t, int64_t, int64_t, void *,
                                   void *, void *, cusparseIndexType_t, cusparseIndexBase_t,
                                   cudaDataType);
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t *, int64_t, int64_t, int64_t, void *,
                                   void *, void *, cusparseIndexType_t, cusparseIndexType_t,
                                   cusparseIndexBase_t, cudaDataType);
cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *, int64_t, int64_t, int64_t, void *,
                                   void *, void *, cusparseIndexType_t, cusparseIndexType_t,
                                   cusparseIndexBase_t, cudaDataType);
cusparseStatus_t cusparseCreateCsric02Info(csric02Info_t *);
cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t *);
cusparseStatus_t cusparseCreateCsrsm2Info(csrsm2Info_t *);
cusparseStatus_t cusparseCreateCsrsv2Info(csrsv2Info_t *);
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *, int64_t, int64_t, int64_t, void *,
                                     cudaDataType, cusparseOrder_t);
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *, int64_t, void *, cudaDataType);
cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t, int, int *);
cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *);
cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *, int64_t, int64_t, void *, void *,
                                     cusparseIndexType_t, cusparseIndexBase_t, cudaDataType);
cusparseStatus_t cusparseCscGet(cusparseSpMatDescr_t, int64_t *, int64_t *, int64_t *, void **,
                                void **, void **, cusparseIndexType_t *, cusparseIndexType_t *,
                                cusparseIndexBase_t *, cudaDataType *);
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t, void *, void *, void *);
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t, int, int, int, const void *, const int *,
                                    const int *, void *, int *, int *, cudaDataType,
                                    cusparseAction_t, cusparseIndexBase_t, cusparseCsr2CscAlg_t,
                                    void *);
cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t, int, int, int, const void *,
                                               const int *, const int *, void *, int *, int *,
                                               cudaDataType, cusparseAction_t, cusparseIndexBase_t,
                                               cusparseCsr2CscAlg_t, size_t *);
cusparseStatus_t cusparseCsrGet(cusparseSpMatDescr_t, int64_t *, int64_t *, int64_t *, void **,
                                void **, void **, cusparseIndexType_t *, cusparseIndexType_t *,
                                cusparseIndexBase_t *, cudaDataType *);
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t, void *, void *, void *);
cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t, int, int64_t, int64_t);
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t, cusparseConstDnMatDescr_t,
                                                cusparseSpMatDescr_t, cusparseDenseToSparseAlg_t,
                                                void *);
cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t, cusparseConstDnMatDescr_t,
                                                  cusparseSpMatDescr_t, cusparseDenseToSparseAlg_t,
                                                  size_t *);
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t, cusparseConstDnMatDescr_t,
                                               cusparseSpMatDescr_t, cusparseDenseToSparseAlg_t,
                                               void *);
cusparseStatus_t cusparseDestroy(cusparseHandle_t);
cusparseStatus_t cusparseDestroyBsric02Info(bsric02Info_t);
cusparseStatus_t cusparseDestroyBsrilu02Info(bsrilu02Info_t);
cusparseStatus_t cusparseDestroyBsrsm2Info(bsrsm2Info_t);
cusparseStatus_t cusparseDestroyBsrsv2Info(bsrsv2Info_t);
cusparseStatus_t cusparseDestroyCsric02Info(csric02Info_t);
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t);
cusparseStatus_t cusparseDestroyCsrsm2Info(csrsm2Info_t);
cusparseStatus_t cusparseDestroyCsrsv2Info(csrsv2Info_t);
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t);
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t);
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t);
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t);
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t);
cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t, int64_t *, int64_t *, int64_t *, void **,
                                  cudaDataType *, cusparseOrder_t *);
cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t, int *, int64_t *);
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t, void **);
cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t, int, int64_t);
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t, void *);
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t, int64_t *, void **, cudaDataType *);
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t, void **);
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t, void *);
cusparseStatus_t cusparseGather(cusparseHandle_t, cusparseConstDnVecDescr_t, cusparseSpVecDescr_t);
const char *cusparseGetErrorName(cusparseStatus_t);
const char *cusparseGetErrorString(cusparseStatus_t);
cusparseDiagType_t cusparseGetMatDiagType(cusparseMatDescr_t);
cusparseFillMode_t cusparseGetMatFillMode(cusparseMatDescr_t);
cusparseIndexBase_t cusparseGetMatIndexBase(cusparseMatDescr_t);
cusparseMatrixType_t cusparseGetMatType(cusparseMatDescr_t);
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t, cusparsePointerMode_t *);
cusparseStatus_t cusparseGetProperty(libraryPropertyType, int *);
cusparseStatus_t cusparseGetStream(cusparseHandle_t, cudaStream_t *);
cusparseStatus_t cusparseGetVersion(cusparseHandle_t, int *);
cusparseStatus_t cusparseRot(cusparseHandle_t, const void *, const void *, cusparseSpVecDescr_t,
                             cusparseDnVecDescr_t);
cusparseStatus_t cusparseSDDMM(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                               const void *, cusparseConstDnMatDescr_t, cusparseConstDnMatDescr_t,
                               const void *, cusparseSpMatDescr_t, cudaDataType, cusparseSDDMMAlg_t,
                               void *);
cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t, cusparseOperation_t,
                                          cusparseOperation_t, const void *,
                                          cusparseConstDnMatDescr_t, cusparseConstDnMatDescr_t,
                                          const void *, cusparseSpMatDescr_t, cudaDataType,
                                          cusparseSDDMMAlg_t, size_t *);
cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t, cusparseOperation_t,
                                          cusparseOperation_t, const void *,
                                          cusparseConstDnMatDescr_t, cusparseConstDnMatDescr_t,
                                          const void *, cusparseSpMatDescr_t, cudaDataType,
                                          cusparseSDDMMAlg_t, void *);
cusparseStatus_t cusparseScatter(cusparseHandle_t, cusparseConstSpVecDescr_t, cusparseDnVecDescr_t);
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t, cusparseDiagType_t);
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t, cusparseFillMode_t);
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t, cusparseIndexBase_t);
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t, cusparseMatrixType_t);
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t, cusparsePointerMode_t);
cusparseStatus_t cusparseSetStream(cusparseHandle_t, cudaStream_t);
cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                        const void *, cusparseConstSpMatDescr_t,
                                        cusparseConstSpMatDescr_t, const void *,
                                        cusparseSpMatDescr_t, cudaDataType, cusparseSpGEMMAlg_t,
                                        cusparseSpGEMMDescr_t, size_t *, void *);
cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                     const void *, cusparseConstSpMatDescr_t,
                                     cusparseConstSpMatDescr_t, const void *, cusparseSpMatDescr_t,
                                     cudaDataType, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t);
cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *);
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t);
cusparseStatus_t cusparseSpGEMM_estimateMemory(cusparseHandle_t, cusparseOperation_t,
                                               cusparseOperation_t, const void *,
                                               cusparseConstSpMatDescr_t, cusparseConstSpMatDescr_t,
                                               const void *, cusparseSpMatDescr_t, cudaDataType,
                                               cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t, float,
                                               size_t *, void *, size_t *);
cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t, int64_t *);
cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t, cusparseOperation_t,
                                               cusparseOperation_t, const void *,
                                               cusparseConstSpMatDescr_t, cusparseConstSpMatDescr_t,
                                               const void *, cusparseSpMatDescr_t, cudaDataType,
                                               cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t, size_t *,
                                               void *);
cusparseStatus_t cusparseSpGEMMreuse_compute(cusparseHandle_t, cusparseOperation_t,
                                             cusparseOperation_t, const void *,
                                             cusparseConstSpMatDescr_t, cusparseConstSpMatDescr_t,
                                             const void *, cusparseSpMatDescr_t, cudaDataType,
                                             cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t);
cusparseStatus_t cusparseSpGEMMreuse_copy(cusparseHandle_t, cusparseOperation_t,
                                          cusparseOperation_t, cusparseConstSpMatDescr_t,
                                          cusparseConstSpMatDescr_t, cusparseSpMatDescr_t,
                                          cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t, size_t *,
                                          void *);
cusparseStatus_t cusparseSpGEMMreuse_nnz(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                         cusparseConstSpMatDescr_t, cusparseConstSpMatDescr_t,
                                         cusparseSpMatDescr_t, cusparseSpGEMMAlg_t,
                                         cusparseSpGEMMDescr_t, size_t *, void *, size_t *, void *,
                                         size_t *, void *);
cusparseStatus_t cusparseSpGEMMreuse_workEstimation(cusparseHandle_t, cusparseOperation_t,
                                                    cusparseOperation_t, cusparseConstSpMatDescr_t,
                                                    cusparseConstSpMatDescr_t, cusparseSpMatDescr_t,
                                                    cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t,
                                                    size_t *, void *);
cusparseStatus_t cusparseSpMM(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                              const void *, cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t,
                              const void *, cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t,
                              void *);
cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                         const void *, cusparseConstSpMatDescr_t,
                                         cusparseConstDnMatDescr_t, const void *,
                                         cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t,
                                         size_t *);
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                         const void *, cusparseConstSpMatDescr_t,
                                         cusparseConstDnMatDescr_t, const void *,
                                         cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t,
                                         void *);
cusparseStatus_t cusparseSpMV(cusparseHandle_t, cusparseOperation_t, const void *,
                              cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t, const void *,
                              cusparseDnVecDescr_t, cudaDataType, cusparseSpMVAlg_t, void *);
cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void *,
                                         cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                                         const void *, cusparseDnVecDescr_t, cudaDataType,
                                         cusparseSpMVAlg_t, size_t *);
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t, cusparseOperation_t, const void *,
                                         cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                                         const void *, cusparseDnVecDescr_t, cudaDataType,
                                         cusparseSpMVAlg_t, void *);
cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t, cusparseSpMatAttribute_t,
                                           void *, size_t);
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t, cusparseFormat_t *);
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t, cusparseIndexBase_t *);
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t, int64_t *, int64_t *, int64_t *);
cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t, int *);
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t, void **);
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t, cusparseSpMatAttribute_t, void *,
                                           size_t);
cusparseStatus_t cusparseSpMatSetStridedBatch(cusparseSpMatDescr_t, int);
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t, void *);
cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                       const void *, cusparseConstSpMatDescr_t,
                                       cusparseConstDnMatDescr_t, cusparseDnMatDescr_t,
                                       cudaDataType, cusparseSpSMAlg_t, cusparseSpSMDescr_t,
                                       void *);
cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                         const void *, cusparseConstSpMatDescr_t,
                                         cusparseConstDnMatDescr_t, cusparseDnMatDescr_t,
                                         cudaDataType, cusparseSpSMAlg_t, cusparseSpSMDescr_t,
                                         size_t *);
cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t *);
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t);
cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                    const void *, cusparseConstSpMatDescr_t,
                                    cusparseConstDnMatDescr_t, cusparseDnMatDescr_t, cudaDataType,
                                    cusparseSpSMAlg_t, cusparseSpSMDescr_t);
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t, cusparseOperation_t, const void *,
                                       cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                                       cusparseDnVecDescr_t, cudaDataType, cusparseSpSVAlg_t,
                                       cusparseSpSVDescr_t, void *);
cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void *,
                                         cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                                         cusparseDnVecDescr_t, cudaDataType, cusparseSpSVAlg_t,
                                         cusparseSpSVDescr_t, size_t *);
cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *);
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t);
cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t, cusparseOperation_t, const void *,
                                    cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                                    cusparseDnVecDescr_t, cudaDataType, cusparseSpSVAlg_t,
                                    cusparseSpSVDescr_t);
cusparseStatus_t cusparseSpVV(cusparseHandle_t, cusparseOperation_t, cusparseConstSpVecDescr_t,
                              cusparseConstDnVecDescr_t, void *, cudaDataType, void *);
cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t, cusparseOperation_t,
                                         cusparseConstSpVecDescr_t, cusparseConstDnVecDescr_t,
                                         const void *, cudaDataType, size_t *);
cusparseStatus_t cusparseSpVecGet(cusparseSpVecDescr_t, int64_t *, int64_t *, void **, void **,
                                  cusparseIndexType_t *, cusparseIndexBase_t *, cudaDataType *);
cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t, cusparseIndexBase_t *);
cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t, void **);
cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t, void *);
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t, cusparseConstSpMatDescr_t,
                                       cusparseDnMatDescr_t, cusparseSparseToDenseAlg_t, void *);
cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t, cusparseConstSpMatDescr_t,
                                                  cusparseDnMatDescr_t, cusparseSparseToDenseAlg_t,
                                                  size_t *);
cusparseStatus_t cusparseXbsric02_zeroPivot(cusparseHandle_t, bsric02Info_t, int *);
cusparseStatus_t cusparseXbsrilu02_zeroPivot(cusparseHandle_t, bsrilu02Info_t, int *);
cusparseStatus_t cusparseXbsrsm2_zeroPivot(cusparseHandle_t, bsrsm2Info_t, int *);
cusparseStatus_t cusparseXbsrsv2_zeroPivot(cusparseHandle_t, bsrsv2Info_t, int *);
cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t, const int *, int, int, int *,
                                  cusparseIndexBase_t);
cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t, int, int, int, int *, int *, int *,
                                          void *);
cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t, int, int, int, int *, int *, int *,
                                       void *);
cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t, int, int, int, const int *,
                                                const int *, size_t *);
cusparseStatus_t cusparseXcscsort(cusparseHandle_t, int, int, int, cusparseMatDescr_t, const int *,
                                  int *, int *, void *);
cusparseStatus_t cusparseXcscsort_bufferSizeExt(cusparseHandle_t, int, int, int, const int *,
                                                const int *, size_t *);
cusparseStatus_t cusparseXcsr2bsrNnz(cusparseHandle_t, cusparseDirection_t, int, int,
                                     cusparseMatDescr_t, const int *, const int *, int,
                                     cusparseMatDescr_t, int *, int *);
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t, const int *, int, int, int *,
                                  cusparseIndexBase_t);
cusparseStatus_t cusparseXcsrgeam2Nnz(cusparseHandle_t, int, int, cusparseMatDescr_t, int,
                                      const int *, const int *, cusparseMatDescr_t, int,
                                      const int *, const int *, cusparseMatDescr_t, int *, int *,
                                      void *);
cusparseStatus_t cusparseXcsric02_zeroPivot(cusparseHandle_t, csric02Info_t, int *);
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t, csrilu02Info_t, int *);
cusparseStatus_t cusparseXcsrsm2_zeroPivot(cusparseHandle_t, csrsm2Info_t, int *);
cusparseStatus_t cusparseXcsrsort(cusparseHandle_t, int, int, int, cusparseMatDescr_t, const int *,
                                  int *, int *, void *);
cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t, int, int, int, const int *,
                                                const int *, size_t *);
cusparseStatus_t cusparseXcsrsv2_zeroPivot(cusparseHandle_t, csrsv2Info_t, int *);
#ifdef __cplusplus
}
#endif

#endif
