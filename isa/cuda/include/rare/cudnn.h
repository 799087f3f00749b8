/* cuDNN. */
#ifndef WARPSTEP_CUDNN_H
#define WARPSTEP_CUDNN_H

/* The library's own guards, which programs test to see what has been included. */
#define CUDNN_H_

#include "warpstep/closed_library.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CUDNN_MAJOR                  8
#define CUDNN_MINOR                  9
#define CUDNN_PATCHLEVEL             7
#define CUDNN_VERSION                (CUDNN_MAJOR * 1000 + CUDNN_MINOR * 100 + CUDNN_PATCHLEVEL)
#define CUDNN_DIM_MAX                8
#define CUDNN_LRN_MIN_N              1
#define CUDNN_LRN_MAX_N              16
#define CUDNN_LRN_MIN_K              1e-5
#define CUDNN_LRN_MIN_BETA           0.01
#define CUDNN_BN_MIN_EPSILON         0.0
#define CUDNN_SEQDATA_DIM_COUNT      4
#define CUDNN_RNN_PADDED_IO_DISABLED 0
#define CUDNN_RNN_PADDED_IO_ENABLED  (1U << 0)

typedef struct cudnnContext *cudnnHandle_t;
typedef struct cudnnTensorStruct *cudnnTensorDescriptor_t;
typedef struct cudnnConvolutionStruct *cudnnConvolutionDescriptor_t;
typedef struct cudnnPoolingStruct *cudnnPoolingDescriptor_t;
typedef struct cudnnFilterStruct *cudnnFilterDescriptor_t;
typedef struct cudnnLRNStruct *cudnnLRNDescriptor_t;
typedef struct cudnnActivationStruct *cudnnActivationDescriptor_t;
typedef struct cudnnSpatialTransformerStruct *cudnnSpatialTransformerDescriptor_t;
typedef struct cudnnOpTensorStruct *cudnnOpTensorDescriptor_t;
typedef struct cudnnReduceTensorStruct *cudnnReduceTensorDescriptor_t;
typedef struct cudnnCTCLossStruct *cudnnCTCLossDescriptor_t;
typedef struct cudnnTensorTransformStruct *cudnnTensorTransformDescriptor_t;
typedef struct cudnnDropoutStruct *cudnnDropoutDescriptor_t;
typedef struct cudnnRNNStruct *cudnnRNNDescriptor_t;
typedef struct cudnnRNNDataStruct *cudnnRNNDataDescriptor_t;
typedef struct cudnnPersistentRNNPlan *cudnnPersistentRNNPlan_t;
typedef unsigned int cudnnRNNPaddingMode_t;
typedef enum {
    CUDNN_ACTIVATION_SIGMOID = 0, CUDNN_ACTIVATION_RELU = 1, CUDNN_ACTIVATION_TANH = 2,
    CUDNN_ACTIVATION_CLIPPED_RELU = 3, CUDNN_ACTIVATION_ELU = 4, CUDNN_ACTIVATION_IDENTITY = 5,
    CUDNN_ACTIVATION_SWISH = 6
} cudnnActivationMode_t;
typedef enum {
    CUDNN_BATCHNORM_PER_ACTIVATION = 0, CUDNN_BATCHNORM_SPATIAL = 1,
    CUDNN_BATCHNORM_SPATIAL_PERSISTENT = 2
} cudnnBatchNormMode_t;
typedef enum {
    CUDNN_BATCHNORM_OPS_BN = 0, CUDNN_BATCHNORM_OPS_BN_ACTIVATION = 1,
    CUDNN_BATCHNORM_OPS_BN_ADD_ACTIVATION = 2
} cudnnBatchNormOps_t;
typedef enum {
    CUDNN_CTC_LOSS_ALGO_DETERMINISTIC = 0, CUDNN_CTC_LOSS_ALGO_NON_DETERMINISTIC = 1
} cudnnCTCLossAlgo_t;
typedef enum {
    CUDNN_CONVOLUTION_BWD_DATA_ALGO_0 = 0, CUDNN_CONVOLUTION_BWD_DATA_ALGO_1 = 1,
    CUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT = 2, CUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT_TILING = 3,
    CUDNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD = 4,
    CUDNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD_NONFUSED = 5, CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT = 6
} cudnnConvolutionBwdDataAlgo_t;
typedef enum {
    CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0 = 0, CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1 = 1,
    CUDNN_CONVOLUTION_BWD_FILTER_ALGO_FFT = 2, CUDNN_CONVOLUTION_BWD_FILTER_ALGO_3 = 3,
    CUDNN_CONVOLUTION_BWD_FILTER_ALGO_WINOGRAD = 4,
    CUDNN_CONVOLUTION_BWD_FILTER_ALGO_WINOGRAD_NONFUSED = 5,
    CUDNN_CONVOLUTION_BWD_FILTER_ALGO_FFT_TILING = 6, CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT = 7
} cudnnConvolutionBwdFilterAlgo_t;
typedef enum {
    CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM = 0,
    CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM = 1, CUDNN_CONVOLUTION_FWD_ALGO_GEMM = 2,
    CUDNN_CONVOLUTION_FWD_ALGO_DIRECT = 3, CUDNN_CONVOLUTION_FWD_ALGO_FFT = 4,
    CUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING = 5, CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD = 6,
    CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED = 7, CUDNN_CONVOLUTION_FWD_ALGO_COUNT = 8
} cudnnConvolutionFwdAlgo_t;
typedef enum { CUDNN_CONVOLUTION = 0, CUDNN_CROSS_CORRELATION = 1 } cudnnConvolutionMode_t;
typedef enum {
    CUDNN_DATA_FLOAT = 0, CUDNN_DATA_DOUBLE = 1, CUDNN_DATA_HALF = 2, CUDNN_DATA_INT8 = 3,
    CUDNN_DATA_INT32 = 4, CUDNN_DATA_INT8x4 = 5, CUDNN_DATA_UINT8 = 6, CUDNN_DATA_UINT8x4 = 7,
    CUDNN_DATA_INT8x32 = 8, CUDNN_DATA_BFLOAT16 = 9, CUDNN_DATA_INT64 = 10, CUDNN_DATA_BOOLEAN = 11,
    CUDNN_DATA_FP8_E4M3 = 12, CUDNN_DATA_FP8_E5M2 = 13, CUDNN_DATA_FAST_FLOAT_FOR_FP8 = 14
} cudnnDataType_t;
typedef enum { CUDNN_NON_DETERMINISTIC = 0, CUDNN_DETERMINISTIC = 1 } cudnnDeterminism_t;
typedef enum { CUDNN_UNIDIRECTIONAL = 0, CUDNN_BIDIRECTIONAL = 1 } cudnnDirectionMode_t;
typedef enum { CUDNN_DIVNORM_PRECOMPUTED_MEANS = 0 } cudnnDivNormMode_t;
typedef enum { CUDNN_TRANSFORM_FOLD = 0, CUDNN_TRANSFORM_UNFOLD = 1 } cudnnFoldingDirection_t;
typedef enum { CUDNN_FWD_MODE_INFERENCE = 0, CUDNN_FWD_MODE_TRAINING = 1 } cudnnForwardMode_t;
typedef enum {
    CUDNN_32BIT_INDICES = 0, CUDNN_64BIT_INDICES = 1, CUDNN_16BIT_INDICES = 2,
    CUDNN_8BIT_INDICES = 3
} cudnnIndicesType_t;
typedef enum { CUDNN_LRN_CROSS_CHANNEL_DIM1 = 0 } cudnnLRNMode_t;
typedef enum {
    CUDNN_LOSS_NORMALIZATION_NONE = 0, CUDNN_LOSS_NORMALIZATION_SOFTMAX = 1
} cudnnLossNormalizationMode_t;
typedef enum {
    CUDNN_DEFAULT_MATH = 0, CUDNN_TENSOR_OP_MATH = 1, CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION = 2,
    CUDNN_FMA_MATH = 3
} cudnnMathType_t;
typedef enum { CUDNN_NOT_PROPAGATE_NAN = 0, CUDNN_PROPAGATE_NAN = 1 } cudnnNanPropagation_t;
typedef enum { CUDNN_NORM_ALGO_STANDARD = 0, CUDNN_NORM_ALGO_PERSIST = 1 } cudnnNormAlgo_t;
typedef enum { CUDNN_NORM_PER_ACTIVATION = 0, CUDNN_NORM_PER_CHANNEL = 1 } cudnnNormMode_t;
typedef enum {
    CUDNN_NORM_OPS_NORM = 0, CUDNN_NORM_OPS_NORM_ACTIVATION = 1,
    CUDNN_NORM_OPS_NORM_ADD_ACTIVATION = 2
} cudnnNormOps_t;
typedef enum {
    CUDNN_OP_TENSOR_ADD = 0, CUDNN_OP_TENSOR_MUL = 1, CUDNN_OP_TENSOR_MIN = 2,
    CUDNN_OP_TENSOR_MAX = 3, CUDNN_OP_TENSOR_SQRT = 4, CUDNN_OP_TENSOR_NOT = 5
} cudnnOpTensorOp_t;
typedef enum {
    CUDNN_POOLING_MAX = 0, CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING = 1,
    CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING = 2, CUDNN_POOLING_MAX_DETERMINISTIC = 3
} cudnnPoolingMode_t;
typedef enum {
    CUDNN_RNN_ALGO_STANDARD = 0, CUDNN_RNN_ALGO_PERSIST_STATIC = 1,
    CUDNN_RNN_ALGO_PERSIST_DYNAMIC = 2, CUDNN_RNN_ALGO_PERSIST_STATIC_SMALL_H = 3,
    CUDNN_RNN_ALGO_COUNT = 4
} cudnnRNNAlgo_t;
typedef enum {
    CUDNN_RNN_NO_BIAS = 0, CUDNN_RNN_SINGLE_INP_BIAS = 1, CUDNN_RNN_DOUBLE_BIAS = 2,
    CUDNN_RNN_SINGLE_REC_BIAS = 3
} cudnnRNNBiasMode_t;
typedef enum { CUDNN_RNN_CLIP_NONE = 0, CUDNN_RNN_CLIP_MINMAX = 1 } cudnnRNNClipMode_t;
typedef enum {
    CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED = 0, CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED = 1,
    CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED = 2
} cudnnRNNDataLayout_t;
typedef enum { CUDNN_LINEAR_INPUT = 0, CUDNN_SKIP_INPUT = 1 } cudnnRNNInputMode_t;
typedef enum {
    CUDNN_RNN_RELU = 0, CUDNN_RNN_TANH = 1, CUDNN_LSTM = 2, CUDNN_GRU = 3
} cudnnRNNMode_t;
typedef enum {
    CUDNN_REDUCE_TENSOR_NO_INDICES = 0, CUDNN_REDUCE_TENSOR_FLATTENED_INDICES = 1
} cudnnReduceTensorIndices_t;
typedef enum {
    CUDNN_REDUCE_TENSOR_ADD = 0, CUDNN_REDUCE_TENSOR_MUL = 1, CUDNN_REDUCE_TENSOR_MIN = 2,
    CUDNN_REDUCE_TENSOR_MAX = 3, CUDNN_REDUCE_TENSOR_AMAX = 4, CUDNN_REDUCE_TENSOR_AVG = 5,
    CUDNN_REDUCE_TENSOR_NORM1 = 6, CUDNN_REDUCE_TENSOR_NORM2 = 7,
    CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS = 8
} cudnnReduceTensorOp_t;
typedef enum { CUDNN_DEFAULT_REORDER = 0, CUDNN_NO_REORDER = 1 } cudnnReorderType_t;
typedef enum { CUDNN_SAMPLER_BILINEAR = 0 } cudnnSamplerType_t;
typedef enum {
    CUDNN_SEV_FATAL = 0, CUDNN_SEV_ERROR = 1, CUDNN_SEV_WARNING = 2, CUDNN_SEV_INFO = 3
} cudnnSeverity_t;
typedef enum {
    CUDNN_SOFTMAX_FAST = 0, CUDNN_SOFTMAX_ACCURATE = 1, CUDNN_SOFTMAX_LOG = 2
} cudnnSoftmaxAlgorithm_t;
typedef enum { CUDNN_SOFTMAX_MODE_INSTANCE = 0, CUDNN_SOFTMAX_MODE_CHANNEL = 1 } cudnnSoftmaxMode_t;
typedef enum {
    CUDNN_STATUS_SUCCESS = 0, CUDNN_STATUS_NOT_INITIALIZED = 1, CUDNN_STATUS_ALLOC_FAILED = 2,
    CUDNN_STATUS_BAD_PARAM = 3, CUDNN_STATUS_INTERNAL_ERROR = 4, CUDNN_STATUS_INVALID_VALUE = 5,
    CUDNN_STATUS_ARCH_MISMATCH = 6, CUDNN_STATUS_MAPPING_ERROR = 7,
    CUDNN_STATUS_EXECUTION_FAILED = 8, CUDNN_STATUS_NOT_SUPPORTED = 9,
    CUDNN_STATUS_LICENSE_ERROR = 10, CUDNN_STATUS_RUNTIME_PREREQUISITE_MISSING = 11,
    CUDNN_STATUS_RUNTIME_IN_PROGRESS = 12, CUDNN_STATUS_RUNTIME_FP_OVERFLOW = 13,
    CUDNN_STATUS_VERSION_MISMATCH = 14
} cudnnStatus_t;
typedef enum {
    CUDNN_TENSOR_NCHW = 0, CUDNN_TENSOR_NHWC = 1, CUDNN_TENSOR_NCHW_VECT_C = 2
} cudnnTensorFormat_t;
typedef enum { CUDNN_WGRAD_MODE_ADD = 0, CUDNN_WGRAD_MODE_SET = 1 } cudnnWgradMode_t;
typedef struct cudnnConvolutionFwdAlgoPerfStruct {
    cudnnConvolutionFwdAlgo_t algo;
    cudnnStatus_t status;
    float time;
    size_t memory;
    cudnnDeterminism_t determinism;
    cudnnMathType_t mathType;
    int reserved[3];
} cudnnConvolutionFwdAlgoPerf_t;
typedef struct cudnnConvolutionBwdDataAlgoPerfStruct {
    cudnnConvolutionBwdDataAlgo_t algo;
    cudnnStatus_t status;
    float time;
    size_t memory;
    cudnnDeterminism_t determinism;
    cudnnMathType_t mathType;
    int reserved[3];
} cudnnConvolutionBwdDataAlgoPerf_t;
typedef struct cudnnConvolutionBwdFilterAlgoPerfStruct {
    cudnnConvolutionBwdFilterAlgo_t algo;
    cudnnStatus_t status;
    float time;
    size_t memory;
    cudnnDeterminism_t determinism;
    cudnnMathType_t mathType;
    int reserved[3];
} cudnnConvolutionBwdFilterAlgoPerf_t;

cudnnStatus_t cudnnActivationBackward(cudnnHandle_t, cudnnActivationDescriptor_t, const void *,
                                      cudnnTensorDescriptor_t, const void *,
                                      cudnnTensorDescriptor_t, const void *,
                                      cudnnTensorDescriptor_t, const void *, const void *,
                                      cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnActivationForward(cudnnHandle_t, cudnnActivationDescriptor_t, const void *,
                                     cudnnTensorDescriptor_t, const void *, const void *,
                                     cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnAddTensor(cudnnHandle_t, const void *, cudnnTensorDescriptor_t, const void *,
                             const void *, cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnBatchNormalizationBackward(cudnnHandle_t, cudnnBatchNormMode_t, const void *,
                                              const void *, const void *, const void *,
                                              cudnnTensorDescriptor_t, const void *,
                                              cudnnTensorDescriptor_t, const void *,
                                              cudnnTensorDescriptor_t, void *,
                                              cudnnTensorDescriptor_t, const void *, void *, void *,
                                              double, const void *, const void *);
cudnnStatus_t cudnnBatchNormalizationBackwardEx(
    cudnnHandle_t, cudnnBatchNormMode_t, cudnnBatchNormOps_t, const void *, const void *,
    const void *, const void *, cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t,
    const void *, cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t, void *,
    cudnnTensorDescriptor_t, void *, cudnnTensorDescriptor_t, const void *, const void *, void *,
    void *, double, const void *, const void *, cudnnActivationDescriptor_t, void *, size_t, void *,
    size_t);
cudnnStatus_t cudnnBatchNormalizationForwardInference(
    cudnnHandle_t, cudnnBatchNormMode_t, const void *, const void *, cudnnTensorDescriptor_t,
    const void *, cudnnTensorDescriptor_t, void *, cudnnTensorDescriptor_t, const void *,
    const void *, const void *, const void *, double);
cudnnStatus_t cudnnBatchNormalizationForwardTraining(
    cudnnHandle_t, cudnnBatchNormMode_t, const void *, const void *, cudnnTensorDescriptor_t,
    const void *, cudnnTensorDescriptor_t, void *, cudnnTensorDescriptor_t, const void *,
    const void *, double, void *, void *, double, void *, void *);
cudnnStatus_t cudnnBatchNormalizationForwardTrainingEx(
    cudnnHandle_t, cudnnBatchNormMode_t, cudnnBatchNormOps_t, const void *, const void *,
    cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t, const void *,
    cudnnTensorDescriptor_t, void *, cudnnTensorDescriptor_t, const void *, const void *, double,
    void *, void *, double, void *, void *, cudnnActivationDescriptor_t, void *, size_t, void *,
    size_t);
cudnnStatus_t cudnnCTCLoss(cudnnHandle_t, cudnnTensorDescriptor_t, const void *, const int *,
                           const int *, const int *, void *, cudnnTensorDescriptor_t, void *,
                           cudnnCTCLossAlgo_t, cudnnCTCLossDescriptor_t, void *, size_t);
cudnnStatus_t cudnnCTCLoss_v8(cudnnHandle_t, cudnnCTCLossAlgo_t, cudnnCTCLossDescriptor_t,
                              cudnnTensorDescriptor_t, const void *, const int *, const int *,
                              const int *, void *, cudnnTensorDescriptor_t, void *, size_t, void *);
cudnnStatus_t cudnnConvolutionBackwardBias(cudnnHandle_t, const void *, cudnnTensorDescriptor_t,
                                           const void *, const void *, cudnnTensorDescriptor_t,
                                           void *);
cudnnStatus_t cudnnConvolutionBackwardData(cudnnHandle_t, const void *, cudnnFilterDescriptor_t,
                                           const void *, cudnnTensorDescriptor_t, const void *,
                                           cudnnConvolutionDescriptor_t,
                                           cudnnConvolutionBwdDataAlgo_t, void *, size_t,
                                           const void *, cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnConvolutionBackwardFilter(cudnnHandle_t, const void *, cudnnTensorDescriptor_t,
                                             const void *, cudnnTensorDescriptor_t, const void *,
                                             cudnnConvolutionDescriptor_t,
                                             cudnnConvolutionBwdFilterAlgo_t, void *, size_t,
                                             const void *, cudnnFilterDescriptor_t, void *);
cudnnStatus_t cudnnConvolutionBiasActivationForward(
    cudnnHandle_t, const void *, cudnnTensorDescriptor_t, const void *, cudnnFilterDescriptor_t,
    const void *, cudnnConvolutionDescriptor_t, cudnnConvolutionFwdAlgo_t, void *, size_t,
    const void *, cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t, const void *,
    cudnnActivationDescriptor_t, cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnConvolutionForward(cudnnHandle_t, const void *, cudnnTensorDescriptor_t,
                                      const void *, cudnnFilterDescriptor_t, const void *,
                                      cudnnConvolutionDescriptor_t, cudnnConvolutionFwdAlgo_t,
                                      void *, size_t, const void *, cudnnTensorDescriptor_t,
                                      void *);
cudnnStatus_t cudnnCreate(cudnnHandle_t *);
cudnnStatus_t cudnnCreateActivationDescriptor(cudnnActivationDescriptor_t *);
cudnnStatus_t cudnnCreateCTCLossDescriptor(cudnnCTCLossDescriptor_t *);
cudnnStatus_t cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t *);
cudnnStatus_t cudnnCreateDropoutDescriptor(cudnnDropoutDescriptor_t *);
cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t *);
cudnnStatus_t cudnnCreateLRNDescriptor(cudnnLRNDescriptor_t *);
cudnnStatus_t cudnnCreateOpTensorDescriptor(cudnnOpTensorDescriptor_t *);
cudnnStatus_t cudnnCreatePersistentRNNPlan(cudnnRNNDescriptor_t, int, cudnnDataType_t,
                                           cudnnPersistentRNNPlan_t *);
cudnnStatus_t cudnnCreatePoolingDescriptor(cudnnPoolingDescriptor_t *);
cudnnStatus_t cudnnCreateRNNDataDescriptor(cudnnRNNDataDescriptor_t *);
cudnnStatus_t cudnnCreateRNNDescriptor(cudnnRNNDescriptor_t *);
cudnnStatus_t cudnnCreateReduceTensorDescriptor(cudnnReduceTensorDescriptor_t *);
cudnnStatus_t cudnnCreateSpatialTransformerDescriptor(cudnnSpatialTransformerDescriptor_t *);
cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t *);
cudnnStatus_t cudnnCreateTensorTransformDescriptor(cudnnTensorTransformDescriptor_t *);
cudnnStatus_t cudnnDeriveBNTensorDescriptor(cudnnTensorDescriptor_t, cudnnTensorDescriptor_t,
                                            cudnnBatchNormMode_t);
cudnnStatus_t cudnnDeriveNormTensorDescriptor(cudnnTensorDescriptor_t, cudnnTensorDescriptor_t,
                                              cudnnTensorDescriptor_t, cudnnNormMode_t, int);
cudnnStatus_t cudnnDestroy(cudnnHandle_t);
cudnnStatus_t cudnnDestroyActivationDescriptor(cudnnActivationDescriptor_t);
cudnnStatus_t cudnnDestroyCTCLossDescriptor(cudnnCTCLossDescriptor_t);
cudnnStatus_t cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t);
cudnnStatus_t cudnnDestroyDropoutDescriptor(cudnnDropoutDescriptor_t);
cudnnStatus_t cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t);
cudnnStatus_t cudnnDestroyLRNDescriptor(cudnnLRNDescriptor_t);
cudnnStatus_t cudnnDestroyOpTensorDescriptor(cudnnOpTensorDescriptor_t);
cudnnStatus_t cudnnDestroyPersistentRNNPlan(cudnnPersistentRNNPlan_t);
cudnnStatus_t cudnnDestroyPoolingDescriptor(cudnnPoolingDescriptor_t);
cudnnStatus_t cudnnDestroyRNNDataDescriptor(cudnnRNNDataDescriptor_t);
cudnnStatus_t cudnnDestroyRNNDescriptor(cudnnRNNDescriptor_t);
cudnnStatus_t cudnnDestroyReduceTensorDescriptor(cudnnReduceTensorDescriptor_t);
cudnnStatus_t cudnnDestroySpatialTransformerDescriptor(cudnnSpatialTransformerDescriptor_t);
cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t);
cudnnStatus_t cudnnDestroyTensorTransformDescriptor(cudnnTensorTransformDescriptor_t);
cudnnStatus_t cudnnDivisiveNormalizationBackward(cudnnHandle_t, cudnnLRNDescriptor_t,
                                                 cudnnDivNormMode_t, const void *,
                                                 cudnnTensorDescriptor_t, const void *,
                                                 const void *, const void *, void *, void *,
                                                 const void *, cudnnTensorDescriptor_t, void *,
                                                 void *);
cudnnStatus_t cudnnDivisiveNormalizationForward(cudnnHandle_t, cudnnLRNDescriptor_t,
                                                cudnnDivNormMode_t, const void *,
                                                cudnnTensorDescriptor_t, const void *, const void *,
                                                void *, void *, const void *,
                                                cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnDropoutBackward(cudnnHandle_t, cudnnDropoutDescriptor_t, cudnnTensorDescriptor_t,
                                   const void *, cudnnTensorDescriptor_t, void *, void *, size_t);
cudnnStatus_t cudnnDropoutForward(cudnnHandle_t, cudnnDropoutDescriptor_t, cudnnTensorDescriptor_t,
                                  const void *, cudnnTensorDescriptor_t, void *, void *, size_t);
cudnnStatus_t cudnnDropoutGetReserveSpaceSize(cudnnTensorDescriptor_t, size_t *);
cudnnStatus_t cudnnDropoutGetStatesSize(cudnnHandle_t, size_t *);
cudnnStatus_t cudnnFindConvolutionBackwardDataAlgorithm(cudnnHandle_t, cudnnFilterDescriptor_t,
                                                        cudnnTensorDescriptor_t,
                                                        cudnnConvolutionDescriptor_t,
                                                        cudnnTensorDescriptor_t, int, int *,
                                                        cudnnConvolutionBwdDataAlgoPerf_t *);
cudnnStatus_t cudnnFindConvolutionBackwardDataAlgorithmEx(
    cudnnHandle_t, cudnnFilterDescriptor_t, const void *, cudnnTensorDescriptor_t, const void *,
    cudnnConvolutionDescriptor_t, cudnnTensorDescriptor_t, void *, int, int *,
    cudnnConvolutionBwdDataAlgoPerf_t *, void *, size_t);
cudnnStatus_t cudnnFindConvolutionBackwardFilterAlgorithm(cudnnHandle_t, cudnnTensorDescriptor_t,
                                                          cudnnTensorDescriptor_t,
                                                          cudnnConvolutionDescriptor_t,
                                                          cudnnFilterDescriptor_t, int, int *,
                                                          cudnnConvolutionBwdFilterAlgoPerf_t *);
cudnnStatus_t cudnnFindConvolutionBackwardFilterAlgorithmEx(
    cudnnHandle_t, cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t, const void *,
    cudnnConvolutionDescriptor_t, cudnnFilterDescriptor_t, void *, int, int *,
    cudnnConvolutionBwdFilterAlgoPerf_t *, void *, size_t);
cudnnStatus_t cudnnFindConvolutionForwardAlgorithm(cudnnHandle_t, cudnnTensorDescriptor_t,
                                                   cudnnFilterDescriptor_t,
                                                   cudnnConvolutionDescriptor_t,
                                                   cudnnTensorDescriptor_t, int, int *,
                                                   cudnnConvolutionFwdAlgoPerf_t *);
cudnnStatus_t cudnnFindConvolutionForwardAlgorithmEx(cudnnHandle_t, cudnnTensorDescriptor_t,
                                                     const void *, cudnnFilterDescriptor_t,
                                                     const void *, cudnnConvolutionDescriptor_t,
                                                     cudnnTensorDescriptor_t, void *, int, int *,
                                                     cudnnConvolutionFwdAlgoPerf_t *, void *,
                                                     size_t);
cudnnStatus_t cudnnGetActivationDescriptor(cudnnActivationDescriptor_t, cudnnActivationMode_t *,
                                           cudnnNanPropagation_t *, double *);
cudnnStatus_t cudnnGetActivationDescriptorSwishBeta(cudnnActivationDescriptor_t, double *);
cudnnStatus_t cudnnGetBatchNormalizationBackwardExWorkspaceSize(
    cudnnHandle_t, cudnnBatchNormMode_t, cudnnBatchNormOps_t, cudnnTensorDescriptor_t,
    cudnnTensorDescriptor_t, cudnnTensorDescriptor_t, cudnnTensorDescriptor_t,
    cudnnTensorDescriptor_t, cudnnTensorDescriptor_t, cudnnActivationDescriptor_t, size_t *);
cudnnStatus_t cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize(
    cudnnHandle_t, cudnnBatchNormMode_t, cudnnBatchNormOps_t, cudnnTensorDescriptor_t,
    cudnnTensorDescriptor_t, cudnnTensorDescriptor_t, cudnnTensorDescriptor_t,
    cudnnActivationDescriptor_t, size_t *);
cudnnStatus_t cudnnGetBatchNormalizationTrainingExReserveSpaceSize(
    cudnnHandle_t, cudnnBatchNormMode_t, cudnnBatchNormOps_t, cudnnActivationDescriptor_t,
    cudnnTensorDescriptor_t, size_t *);
cudnnStatus_t cudnnGetCTCLossDescriptor(cudnnCTCLossDescriptor_t, cudnnDataType_t *);
cudnnStatus_t cudnnGetCTCLossDescriptorEx(cudnnCTCLossDescriptor_t, cudnnDataType_t *,
                                          cudnnLossNormalizationMode_t *, cudnnNanPropagation_t *);
cudnnStatus_t cudnnGetCTCLossDescriptor_v8(cudnnCTCLossDescriptor_t, cudnnDataType_t *,
                                           cudnnLossNormalizationMode_t *, cudnnNanPropagation_t *,
                                           int *);
cudnnStatus_t cudnnGetCTCLossWorkspaceSize(cudnnHandle_t, cudnnTensorDescriptor_t,
                                           cudnnTensorDescriptor_t, const int *, const int *,
                                           const int *, cudnnCTCLossAlgo_t,
                                           cudnnCTCLossDescriptor_t, size_t *);
cudnnStatus_t cudnnGetCTCLossWorkspaceSize_v8(cudnnHandle_t, cudnnCTCLossAlgo_t,
                                              cudnnCTCLossDescriptor_t, cudnnTensorDescriptor_t,
                                              cudnnTensorDescriptor_t, size_t *);
cudnnStatus_t cudnnGetConvolution2dDescriptor(cudnnConvolutionDescriptor_t, int *, int *, int *,
                                              int *, int *, int *, cudnnConvolutionMode_t *,
                                              cudnnDataType_t *);
cudnnStatus_t cudnnGetConvolution2dForwardOutputDim(cudnnConvolutionDescriptor_t,
                                                    cudnnTensorDescriptor_t,
                                                    cudnnFilterDescriptor_t, int *, int *, int *,
                                                    int *);
cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithmMaxCount(cudnnHandle_t, int *);
cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithm_v7(cudnnHandle_t, cudnnFilterDescriptor_t,
                                                          cudnnTensorDescriptor_t,
                                                          cudnnConvolutionDescriptor_t,
                                                          cudnnTensorDescriptor_t, int, int *,
                                                          cudnnConvolutionBwdDataAlgoPerf_t *);
cudnnStatus_t cudnnGetConvolutionBackwardDataWorkspaceSize(cudnnHandle_t, cudnnFilterDescriptor_t,
                                                           cudnnTensorDescriptor_t,
                                                           cudnnConvolutionDescriptor_t,
                                                           cudnnTensorDescriptor_t,
                                                           cudnnConvolutionBwdDataAlgo_t, size_t *);
cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithmMaxCount(cudnnHandle_t, int *);
cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithm_v7(cudnnHandle_t, cudnnTensorDescriptor_t,
                                                            cudnnTensorDescriptor_t,
                                                            cudnnConvolutionDescriptor_t,
                                                            cudnnFilterDescriptor_t, int, int *,
                                                            cudnnConvolutionBwdFilterAlgoPerf_t *);
cudnnStatus_t cudnnGetConvolutionBackwardFilterWorkspaceSize(
    cudnnHandle_t, cudnnTensorDescriptor_t, cudnnTensorDescriptor_t, cudnnConvolutionDescriptor_t,
    cudnnFilterDescriptor_t, cudnnConvolutionBwdFilterAlgo_t, size_t *);
cudnnStatus_t cudnnGetConvolutionForwardAlgorithmMaxCount(cudnnHandle_t, int *);
cudnnStatus_t cudnnGetConvolutionForwardAlgorithm_v7(cudnnHandle_t, cudnnTensorDescriptor_t,
                                                     cudnnFilterDescriptor_t,
                                                     cudnnConvolutionDescriptor_t,
                                                     cudnnTensorDescriptor_t, int, int *,
                                                     cudnnConvolutionFwdAlgoPerf_t *);
cudnnStatus_t cudnnGetConvolutionForwardWorkspaceSize(cudnnHandle_t, cudnnTensorDescriptor_t,
                                                      cudnnFilterDescriptor_t,
                                                      cudnnConvolutionDescriptor_t,
                                                      cudnnTensorDescriptor_t,
                                                      cudnnConvolutionFwdAlgo_t, size_t *);
cudnnStatus_t cudnnGetConvolutionGroupCount(cudnnConvolutionDescriptor_t, int *);
cudnnStatus_t cudnnGetConvolutionMathType(cudnnConvolutionDescriptor_t, cudnnMathType_t *);
cudnnStatus_t cudnnGetConvolutionNdDescriptor(cudnnConvolutionDescriptor_t, int, int *, int *,
                                              int *, int *, cudnnConvolutionMode_t *,
                                              cudnnDataType_t *);
cudnnStatus_t cudnnGetConvolutionNdForwardOutputDim(cudnnConvolutionDescriptor_t,
                                                    cudnnTensorDescriptor_t,
                                                    cudnnFilterDescriptor_t, int, int *);
cudnnStatus_t cudnnGetConvolutionReorderType(cudnnConvolutionDescriptor_t, cudnnReorderType_t *);
size_t cudnnGetCudartVersion(void);
cudnnStatus_t cudnnGetDropoutDescriptor(cudnnDropoutDescriptor_t, cudnnHandle_t, float *, void **,
                                        unsigned long long *);
const char *cudnnGetErrorString(cudnnStatus_t);
cudnnStatus_t cudnnGetFilter4dDescriptor(cudnnFilterDescriptor_t, cudnnDataType_t *,
                                         cudnnTensorFormat_t *, int *, int *, int *, int *);
cudnnStatus_t cudnnGetFilterNdDescriptor(cudnnFilterDescriptor_t, int, cudnnDataType_t *,
                                         cudnnTensorFormat_t *, int *, int *);
cudnnStatus_t cudnnGetFilterSizeInBytes(cudnnFilterDescriptor_t, size_t *);
cudnnStatus_t cudnnGetFoldedConvBackwardDataDescriptors(
    cudnnHandle_t, cudnnFilterDescriptor_t, cudnnTensorDescriptor_t, cudnnConvolutionDescriptor_t,
    cudnnTensorDescriptor_t, cudnnTensorFormat_t, cudnnFilterDescriptor_t, cudnnTensorDescriptor_t,
    cudnnConvolutionDescriptor_t, cudnnTensorDescriptor_t, cudnnTensorTransformDescriptor_t,
    cudnnTensorTransformDescriptor_t, cudnnTensorTransformDescriptor_t,
    cudnnTensorTransformDescriptor_t);
cudnnStatus_t cudnnGetLRNDescriptor(cudnnLRNDescriptor_t, unsigned int *, double *, double *,
                                    double *);
cudnnStatus_t cudnnGetNormalizationBackwardWorkspaceSize(
    cudnnHandle_t, cudnnNormMode_t, cudnnNormOps_t, cudnnNormAlgo_t, cudnnTensorDescriptor_t,
    cudnnTensorDescriptor_t, cudnnTensorDescriptor_t, cudnnTensorDescriptor_t,
    cudnnTensorDescriptor_t, cudnnTensorDescriptor_t, cudnnActivationDescriptor_t,
    cudnnTensorDescriptor_t, size_t *, int);
cudnnStatus_t cudnnGetNormalizationForwardTrainingWorkspaceSize(
    cudnnHandle_t, cudnnNormMode_t, cudnnNormOps_t, cudnnNormAlgo_t, cudnnTensorDescriptor_t,
    cudnnTensorDescriptor_t, cudnnTensorDescriptor_t, cudnnTensorDescriptor_t,
    cudnnActivationDescriptor_t, cudnnTensorDescriptor_t, size_t *, int);
cudnnStatus_t cudnnGetNormalizationTrainingReserveSpaceSize(cudnnHandle_t, cudnnNormMode_t,
                                                            cudnnNormOps_t, cudnnNormAlgo_t,
                                                            cudnnActivationDescriptor_t,
                                                            cudnnTensorDescriptor_t, size_t *, int);
cudnnStatus_t cudnnGetOpTensorDescriptor(cudnnOpTensorDescriptor_t, cudnnOpTensorOp_t *,
                                         cudnnDataType_t *, cudnnNanPropagation_t *);
cudnnStatus_t cudnnGetPooling2dDescriptor(cudnnPoolingDescriptor_t, cudnnPoolingMode_t *,
                                          cudnnNanPropagation_t *, int *, int *, int *, int *,
                                          int *, int *);
cudnnStatus_t cudnnGetPooling2dForwardOutputDim(cudnnPoolingDescriptor_t, cudnnTensorDescriptor_t,
                                                int *, int *, int *, int *);
cudnnStatus_t cudnnGetPoolingNdDescriptor(cudnnPoolingDescriptor_t, int, cudnnPoolingMode_t *,
                                          cudnnNanPropagation_t *, int *, int *, int *, int *);
cudnnStatus_t cudnnGetPoolingNdForwardOutputDim(cudnnPoolingDescriptor_t, cudnnTensorDescriptor_t,
                                                int, int *);
cudnnStatus_t cudnnGetProperty(libraryPropertyType, int *);
cudnnStatus_t cudnnGetRNNBackwardDataAlgorithmMaxCount(cudnnHandle_t, cudnnRNNDescriptor_t, int *);
cudnnStatus_t cudnnGetRNNBackwardWeightsAlgorithmMaxCount(cudnnHandle_t, cudnnRNNDescriptor_t,
                                                          int *);
cudnnStatus_t cudnnGetRNNBiasMode(cudnnRNNDescriptor_t, cudnnRNNBiasMode_t *);
cudnnStatus_t cudnnGetRNNDataDescriptor(cudnnRNNDataDescriptor_t, cudnnDataType_t *,
                                        cudnnRNNDataLayout_t *, int *, int *, int *, int, int *,
                                        void *);
cudnnStatus_t cudnnGetRNNDescriptor_v6(cudnnHandle_t, cudnnRNNDescriptor_t, int *, int *,
                                       cudnnDropoutDescriptor_t *, cudnnRNNInputMode_t *,
                                       cudnnDirectionMode_t *, cudnnRNNMode_t *, cudnnRNNAlgo_t *,
                                       cudnnDataType_t *);
cudnnStatus_t cudnnGetRNNDescriptor_v8(cudnnRNNDescriptor_t, cudnnRNNAlgo_t *, cudnnRNNMode_t *,
                                       cudnnRNNBiasMode_t *, cudnnDirectionMode_t *,
                                       cudnnRNNInputMode_t *, cudnnDataType_t *, cudnnDataType_t *,
                                       cudnnMathType_t *, int *, int *, int *, int *,
                                       cudnnDropoutDescriptor_t *, unsigned int *);
cudnnStatus_t cudnnGetRNNForwardInferenceAlgorithmMaxCount(cudnnHandle_t, cudnnRNNDescriptor_t,
                                                           int *);
cudnnStatus_t cudnnGetRNNForwardTrainingAlgorithmMaxCount(cudnnHandle_t, cudnnRNNDescriptor_t,
                                                          int *);
cudnnStatus_t cudnnGetRNNLinLayerBiasParams(cudnnHandle_t, cudnnRNNDescriptor_t, int,
                                            cudnnTensorDescriptor_t, cudnnFilterDescriptor_t,
                                            const void *, int, cudnnFilterDescriptor_t, void **);
cudnnStatus_t cudnnGetRNNLinLayerMatrixParams(cudnnHandle_t, cudnnRNNDescriptor_t, int,
                                              cudnnTensorDescriptor_t, cudnnFilterDescriptor_t,
                                              const void *, int, cudnnFilterDescriptor_t, void **);
cudnnStatus_t cudnnGetRNNMatrixMathType(cudnnRNNDescriptor_t, cudnnMathType_t *);
cudnnStatus_t cudnnGetRNNPaddingMode(cudnnRNNDescriptor_t, unsigned int *);
cudnnStatus_t cudnnGetRNNParamsSize(cudnnHandle_t, cudnnRNNDescriptor_t, cudnnTensorDescriptor_t,
                                    size_t *, cudnnDataType_t);
cudnnStatus_t cudnnGetRNNProjectionLayers(cudnnHandle_t, cudnnRNNDescriptor_t, int *, int *);
cudnnStatus_t cudnnGetRNNTempSpaceSizes(cudnnHandle_t, cudnnRNNDescriptor_t, cudnnForwardMode_t,
                                        cudnnRNNDataDescriptor_t, size_t *, size_t *);
cudnnStatus_t cudnnGetRNNTrainingReserveSize(cudnnHandle_t, cudnnRNNDescriptor_t, int,
                                             const cudnnTensorDescriptor_t *, size_t *);
cudnnStatus_t cudnnGetRNNWeightParams(cudnnHandle_t, cudnnRNNDescriptor_t, int, size_t,
                                      const void *, int, cudnnTensorDescriptor_t, void **,
                                      cudnnTensorDescriptor_t, void **);
cudnnStatus_t cudnnGetRNNWeightSpaceSize(cudnnHandle_t, cudnnRNNDescriptor_t, size_t *);
cudnnStatus_t cudnnGetRNNWorkspaceSize(cudnnHandle_t, cudnnRNNDescriptor_t, int,
                                       const cudnnTensorDescriptor_t *, size_t *);
cudnnStatus_t cudnnGetReduceTensorDescriptor(cudnnReduceTensorDescriptor_t, cudnnReduceTensorOp_t *,
                                             cudnnDataType_t *, cudnnNanPropagation_t *,
                                             cudnnReduceTensorIndices_t *, cudnnIndicesType_t *);
cudnnStatus_t cudnnGetReductionIndicesSize(cudnnHandle_t, cudnnReduceTensorDescriptor_t,
                                           cudnnTensorDescriptor_t, cudnnTensorDescriptor_t,
                                           size_t *);
cudnnStatus_t cudnnGetReductionWorkspaceSize(cudnnHandle_t, cudnnReduceTensorDescriptor_t,
                                             cudnnTensorDescriptor_t, cudnnTensorDescriptor_t,
                                             size_t *);
cudnnStatus_t cudnnGetStream(cudnnHandle_t, cudaStream_t *);
cudnnStatus_t cudnnGetTensor4dDescriptor(cudnnTensorDescriptor_t, cudnnDataType_t *, int *, int *,
                                         int *, int *, int *, int *, int *, int *);
cudnnStatus_t cudnnGetTensorNdDescriptor(cudnnTensorDescriptor_t, int, cudnnDataType_t *, int *,
                                         int *, int *);
cudnnStatus_t cudnnGetTensorSizeInBytes(cudnnTensorDescriptor_t, size_t *);
cudnnStatus_t cudnnGetTensorTransformDescriptor(cudnnTensorTransformDescriptor_t, unsigned int,
                                                cudnnTensorFormat_t *, int *, int *, unsigned int *,
                                                cudnnFoldingDirection_t *);
size_t cudnnGetVersion(void);
cudnnStatus_t cudnnIm2Col(cudnnHandle_t, cudnnTensorDescriptor_t, const void *,
                          cudnnFilterDescriptor_t, cudnnConvolutionDescriptor_t, void *);
cudnnStatus_t cudnnInitTransformDest(cudnnTensorTransformDescriptor_t, cudnnTensorDescriptor_t,
                                     cudnnTensorDescriptor_t, size_t *);
cudnnStatus_t cudnnLRNCrossChannelBackward(cudnnHandle_t, cudnnLRNDescriptor_t, cudnnLRNMode_t,
                                           const void *, cudnnTensorDescriptor_t, const void *,
                                           cudnnTensorDescriptor_t, const void *,
                                           cudnnTensorDescriptor_t, const void *, const void *,
                                           cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnLRNCrossChannelForward(cudnnHandle_t, cudnnLRNDescriptor_t, cudnnLRNMode_t,
                                          const void *, cudnnTensorDescriptor_t, const void *,
                                          const void *, cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnNormalizationBackward(
    cudnnHandle_t, cudnnNormMode_t, cudnnNormOps_t, cudnnNormAlgo_t, const void *, const void *,
    const void *, const void *, cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t,
    const void *, cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t, void *,
    cudnnTensorDescriptor_t, void *, cudnnTensorDescriptor_t, const void *, const void *, void *,
    void *, double, cudnnTensorDescriptor_t, const void *, const void *,
    cudnnActivationDescriptor_t, void *, size_t, void *, size_t, int);
cudnnStatus_t cudnnNormalizationForwardInference(
    cudnnHandle_t, cudnnNormMode_t, cudnnNormOps_t, cudnnNormAlgo_t, const void *, const void *,
    cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t, const void *, const void *,
    cudnnTensorDescriptor_t, const void *, const void *, cudnnTensorDescriptor_t, const void *,
    cudnnActivationDescriptor_t, cudnnTensorDescriptor_t, void *, double, int);
cudnnStatus_t cudnnNormalizationForwardTraining(
    cudnnHandle_t, cudnnNormMode_t, cudnnNormOps_t, cudnnNormAlgo_t, const void *, const void *,
    cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t, const void *, const void *,
    double, cudnnTensorDescriptor_t, void *, void *, double, void *, void *,
    cudnnActivationDescriptor_t, cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t,
    void *, void *, size_t, void *, size_t, int);
cudnnStatus_t cudnnOpTensor(cudnnHandle_t, cudnnOpTensorDescriptor_t, const void *,
                            cudnnTensorDescriptor_t, const void *, const void *,
                            cudnnTensorDescriptor_t, const void *, const void *,
                            cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnPoolingBackward(cudnnHandle_t, cudnnPoolingDescriptor_t, const void *,
                                   cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t,
                                   const void *, cudnnTensorDescriptor_t, const void *,
                                   const void *, cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnPoolingForward(cudnnHandle_t, cudnnPoolingDescriptor_t, const void *,
                                  cudnnTensorDescriptor_t, const void *, const void *,
                                  cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnRNNBackwardData(cudnnHandle_t, cudnnRNNDescriptor_t, int,
                                   const cudnnTensorDescriptor_t *, const void *,
                                   const cudnnTensorDescriptor_t *, const void *,
                                   cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t,
                                   const void *, cudnnFilterDescriptor_t, const void *,
                                   cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t,
                                   const void *, const cudnnTensorDescriptor_t *, void *,
                                   cudnnTensorDescriptor_t, void *, cudnnTensorDescriptor_t, void *,
                                   void *, size_t, void *, size_t);
cudnnStatus_t cudnnRNNBackwardDataEx(cudnnHandle_t, cudnnRNNDescriptor_t, cudnnRNNDataDescriptor_t,
                                     const void *, cudnnRNNDataDescriptor_t, const void *,
                                     cudnnRNNDataDescriptor_t, const void *,
                                     cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t,
                                     const void *, cudnnFilterDescriptor_t, const void *,
                                     cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t,
                                     const void *, cudnnRNNDataDescriptor_t, void *,
                                     cudnnTensorDescriptor_t, void *, cudnnTensorDescriptor_t,
                                     void *, cudnnRNNDataDescriptor_t, void *, void *, size_t,
                                     void *, size_t);
cudnnStatus_t cudnnRNNBackwardData_v8(cudnnHandle_t, cudnnRNNDescriptor_t, const int *,
                                      cudnnRNNDataDescriptor_t, const void *, const void *,
                                      cudnnRNNDataDescriptor_t, void *, cudnnTensorDescriptor_t,
                                      const void *, const void *, void *, cudnnTensorDescriptor_t,
                                      const void *, const void *, void *, size_t, const void *,
                                      size_t, void *, size_t, void *);
cudnnStatus_t cudnnRNNBackwardWeights(cudnnHandle_t, cudnnRNNDescriptor_t, int,
                                      const cudnnTensorDescriptor_t *, const void *,
                                      cudnnTensorDescriptor_t, const void *,
                                      const cudnnTensorDescriptor_t *, const void *, const void *,
                                      size_t, cudnnFilterDescriptor_t, void *, const void *,
                                      size_t);
cudnnStatus_t cudnnRNNBackwardWeightsEx(cudnnHandle_t, cudnnRNNDescriptor_t,
                                        cudnnRNNDataDescriptor_t, const void *,
                                        cudnnTensorDescriptor_t, const void *,
                                        cudnnRNNDataDescriptor_t, const void *, void *, size_t,
                                        cudnnFilterDescriptor_t, void *, void *, size_t);
cudnnStatus_t cudnnRNNBackwardWeights_v8(cudnnHandle_t, cudnnRNNDescriptor_t, cudnnWgradMode_t,
                                         const int *, cudnnRNNDataDescriptor_t, const void *,
                                         cudnnTensorDescriptor_t, const void *,
                                         cudnnRNNDataDescriptor_t, const void *, size_t, void *,
                                         size_t, void *, size_t, void *);
cudnnStatus_t cudnnRNNForward(cudnnHandle_t, cudnnRNNDescriptor_t, cudnnForwardMode_t, const int *,
                              cudnnRNNDataDescriptor_t, const void *, cudnnRNNDataDescriptor_t,
                              void *, cudnnTensorDescriptor_t, const void *, void *,
                              cudnnTensorDescriptor_t, const void *, void *, size_t, const void *,
                              size_t, void *, size_t, void *);
cudnnStatus_t cudnnRNNForwardInference(
    cudnnHandle_t, cudnnRNNDescriptor_t, int, const cudnnTensorDescriptor_t *, const void *,
    cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t, const void *,
    cudnnFilterDescriptor_t, const void *, const cudnnTensorDescriptor_t *, void *,
    cudnnTensorDescriptor_t, void *, cudnnTensorDescriptor_t, void *, void *, size_t);
cudnnStatus_t
cudnnRNNForwardInferenceEx(cudnnHandle_t, cudnnRNNDescriptor_t, cudnnRNNDataDescriptor_t,
                           const void *, cudnnTensorDescriptor_t, const void *,
                           cudnnTensorDescriptor_t, const void *, cudnnFilterDescriptor_t,
                           const void *, cudnnRNNDataDescriptor_t, void *, cudnnTensorDescriptor_t,
                           void *, cudnnTensorDescriptor_t, void *, cudnnRNNDataDescriptor_t,
                           const void *, cudnnRNNDataDescriptor_t, void *, cudnnRNNDataDescriptor_t,
                           void *, cudnnRNNDataDescriptor_t, void *, void *, size_t);
cudnnStatus_t cudnnRNNForwardTraining(cudnnHandle_t, cudnnRNNDescriptor_t, int,
                                      const cudnnTensorDescriptor_t *, const void *,
                                      cudnnTensorDescriptor_t, const void *,
                                      cudnnTensorDescriptor_t, const void *,
                                      cudnnFilterDescriptor_t, const void *,
                                      const cudnnTensorDescriptor_t *, void *,
                                      cudnnTensorDescriptor_t, void *, cudnnTensorDescriptor_t,
                                      void *, void *, size_t, void *, size_t);
cudnnStatus_t
cudnnRNNForwardTrainingEx(cudnnHandle_t, cudnnRNNDescriptor_t, cudnnRNNDataDescriptor_t,
                          const void *, cudnnTensorDescriptor_t, const void *,
                          cudnnTensorDescriptor_t, const void *, cudnnFilterDescriptor_t,
                          const void *, cudnnRNNDataDescriptor_t, void *, cudnnTensorDescriptor_t,
                          void *, cudnnTensorDescriptor_t, void *, cudnnRNNDataDescriptor_t,
                          const void *, cudnnRNNDataDescriptor_t, void *, cudnnRNNDataDescriptor_t,
                          void *, cudnnRNNDataDescriptor_t, void *, void *, size_t, void *, size_t);
cudnnStatus_t cudnnRNNGetClip(cudnnHandle_t, cudnnRNNDescriptor_t, cudnnRNNClipMode_t *,
                              cudnnNanPropagation_t *, double *, double *);
cudnnStatus_t cudnnRNNGetClip_v8(cudnnRNNDescriptor_t, cudnnRNNClipMode_t *,
                                 cudnnNanPropagation_t *, double *, double *);
cudnnStatus_t cudnnRNNSetClip(cudnnHandle_t, cudnnRNNDescriptor_t, cudnnRNNClipMode_t,
                              cudnnNanPropagation_t, double, double);
cudnnStatus_t cudnnRNNSetClip_v8(cudnnRNNDescriptor_t, cudnnRNNClipMode_t, cudnnNanPropagation_t,
                                 double, double);
cudnnStatus_t cudnnReduceTensor(cudnnHandle_t, cudnnReduceTensorDescriptor_t, void *, size_t,
                                void *, size_t, const void *, cudnnTensorDescriptor_t, const void *,
                                const void *, cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnReorderFilterAndBias(cudnnHandle_t, cudnnFilterDescriptor_t, cudnnReorderType_t,
                                        const void *, void *, int, const void *, void *);
cudnnStatus_t cudnnRestoreDropoutDescriptor(cudnnDropoutDescriptor_t, cudnnHandle_t, float, void *,
                                            size_t, unsigned long long);
cudnnStatus_t cudnnScaleTensor(cudnnHandle_t, cudnnTensorDescriptor_t, void *, const void *);
cudnnStatus_t cudnnSetActivationDescriptor(cudnnActivationDescriptor_t, cudnnActivationMode_t,
                                           cudnnNanPropagation_t, double);
cudnnStatus_t cudnnSetActivationDescriptorSwishBeta(cudnnActivationDescriptor_t, double);
cudnnStatus_t cudnnSetCTCLossDescriptor(cudnnCTCLossDescriptor_t, cudnnDataType_t);
cudnnStatus_t cudnnSetCTCLossDescriptorEx(cudnnCTCLossDescriptor_t, cudnnDataType_t,
                                          cudnnLossNormalizationMode_t, cudnnNanPropagation_t);
cudnnStatus_t cudnnSetCTCLossDescriptor_v8(cudnnCTCLossDescriptor_t, cudnnDataType_t,
                                           cudnnLossNormalizationMode_t, cudnnNanPropagation_t,
                                           int);
cudnnStatus_t cudnnSetConvolution2dDescriptor(cudnnConvolutionDescriptor_t, int, int, int, int, int,
                                              int, cudnnConvolutionMode_t, cudnnDataType_t);
cudnnStatus_t cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t, int);
cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t, cudnnMathType_t);
cudnnStatus_t cudnnSetConvolutionNdDescriptor(cudnnConvolutionDescriptor_t, int, const int *,
                                              const int *, const int *, cudnnConvolutionMode_t,
                                              cudnnDataType_t);
cudnnStatus_t cudnnSetConvolutionReorderType(cudnnConvolutionDescriptor_t, cudnnReorderType_t);
cudnnStatus_t cudnnSetDropoutDescriptor(cudnnDropoutDescriptor_t, cudnnHandle_t, float, void *,
                                        size_t, unsigned long long);
cudnnStatus_t cudnnSetFilter4dDescriptor(cudnnFilterDescriptor_t, cudnnDataType_t,
                                         cudnnTensorFormat_t, int, int, int, int);
cudnnStatus_t cudnnSetFilterNdDescriptor(cudnnFilterDescriptor_t, cudnnDataType_t,
                                         cudnnTensorFormat_t, int, const int *);
cudnnStatus_t cudnnSetLRNDescriptor(cudnnLRNDescriptor_t, unsigned int, double, double, double);
cudnnStatus_t cudnnSetOpTensorDescriptor(cudnnOpTensorDescriptor_t, cudnnOpTensorOp_t,
                                         cudnnDataType_t, cudnnNanPropagation_t);
cudnnStatus_t cudnnSetPersistentRNNPlan(cudnnRNNDescriptor_t, cudnnPersistentRNNPlan_t);
cudnnStatus_t cudnnSetPooling2dDescriptor(cudnnPoolingDescriptor_t, cudnnPoolingMode_t,
                                          cudnnNanPropagation_t, int, int, int, int, int, int);
cudnnStatus_t cudnnSetPoolingNdDescriptor(cudnnPoolingDescriptor_t, cudnnPoolingMode_t,
                                          cudnnNanPropagation_t, int, const int *, const int *,
                                          const int *);
cudnnStatus_t cudnnSetRNNBiasMode(cudnnRNNDescriptor_t, cudnnRNNBiasMode_t);
cudnnStatus_t cudnnSetRNNDataDescriptor(cudnnRNNDataDescriptor_t, cudnnDataType_t,
                                        cudnnRNNDataLayout_t, int, int, int, const int *, void *);
cudnnStatus_t cudnnSetRNNDescriptor_v6(cudnnHandle_t, cudnnRNNDescriptor_t, int, int,
                                       cudnnDropoutDescriptor_t, cudnnRNNInputMode_t,
                                       cudnnDirectionMode_t, cudnnRNNMode_t, cudnnRNNAlgo_t,
                                       cudnnDataType_t);
cudnnStatus_t cudnnSetRNNDescriptor_v8(cudnnRNNDescriptor_t, cudnnRNNAlgo_t, cudnnRNNMode_t,
                                       cudnnRNNBiasMode_t, cudnnDirectionMode_t,
                                       cudnnRNNInputMode_t, cudnnDataType_t, cudnnDataType_t,
                                       cudnnMathType_t, int, int, int, int,
                                       cudnnDropoutDescriptor_t, unsigned int);
cudnnStatus_t cudnnSetRNNMatrixMathType(cudnnRNNDescriptor_t, cudnnMathType_t);
cudnnStatus_t cudnnSetRNNPaddingMode(cudnnRNNDescriptor_t, unsigned int);
cudnnStatus_t cudnnSetRNNProjectionLayers(cudnnHandle_t, cudnnRNNDescriptor_t, int, int);
cudnnStatus_t cudnnSetReduceTensorDescriptor(cudnnReduceTensorDescriptor_t, cudnnReduceTensorOp_t,
                                             cudnnDataType_t, cudnnNanPropagation_t,
                                             cudnnReduceTensorIndices_t, cudnnIndicesType_t);
cudnnStatus_t cudnnSetSpatialTransformerNdDescriptor(cudnnSpatialTransformerDescriptor_t,
                                                     cudnnSamplerType_t, cudnnDataType_t, int,
                                                     const int *);
cudnnStatus_t cudnnSetStream(cudnnHandle_t, cudaStream_t);
cudnnStatus_t cudnnSetTensor(cudnnHandle_t, cudnnTensorDescriptor_t, void *, const void *);
cudnnStatus_t cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t, cudnnTensorFormat_t,
                                         cudnnDataType_t, int, int, int, int);
cudnnStatus_t cudnnSetTensor4dDescriptorEx(cudnnTensorDescriptor_t, cudnnDataType_t, int, int, int,
                                           int, int, int, int, int);
cudnnStatus_t cudnnSetTensorNdDescriptor(cudnnTensorDescriptor_t, cudnnDataType_t, int, const int *,
                                         const int *);
cudnnStatus_t cudnnSetTensorNdDescriptorEx(cudnnTensorDescriptor_t, cudnnTensorFormat_t,
                                           cudnnDataType_t, int, const int *);
cudnnStatus_t cudnnSetTensorTransformDescriptor(cudnnTensorTransformDescriptor_t, unsigned int,
                                                cudnnTensorFormat_t, const int *, const int *,
                                                const unsigned int *, cudnnFoldingDirection_t);
cudnnStatus_t cudnnSoftmaxBackward(cudnnHandle_t, cudnnSoftmaxAlgorithm_t, cudnnSoftmaxMode_t,
                                   const void *, cudnnTensorDescriptor_t, const void *,
                                   cudnnTensorDescriptor_t, const void *, const void *,
                                   cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnSoftmaxForward(cudnnHandle_t, cudnnSoftmaxAlgorithm_t, cudnnSoftmaxMode_t,
                                  const void *, cudnnTensorDescriptor_t, const void *, const void *,
                                  cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnSpatialTfGridGeneratorBackward(cudnnHandle_t,
                                                  cudnnSpatialTransformerDescriptor_t, const void *,
                                                  void *);
cudnnStatus_t cudnnSpatialTfGridGeneratorForward(cudnnHandle_t, cudnnSpatialTransformerDescriptor_t,
                                                 const void *, void *);
cudnnStatus_t cudnnSpatialTfSamplerBackward(cudnnHandle_t, cudnnSpatialTransformerDescriptor_t,
                                            const void *, cudnnTensorDescriptor_t, const void *,
                                            const void *, cudnnTensorDescriptor_t, void *,
                                            const void *, cudnnTensorDescriptor_t, const void *,
                                            const void *, const void *, void *);
cudnnStatus_t cudnnSpatialTfSamplerForward(cudnnHandle_t, cudnnSpatialTransformerDescriptor_t,
                                           const void *, cudnnTensorDescriptor_t, const void *,
                                           const void *, const void *, cudnnTensorDescriptor_t,
                                           void *);
cudnnStatus_t cudnnTransformFilter(cudnnHandle_t, cudnnTensorTransformDescriptor_t, const void *,
                                   cudnnFilterDescriptor_t, const void *, const void *,
                                   cudnnFilterDescriptor_t, void *);
cudnnStatus_t cudnnTransformTensor(cudnnHandle_t, const void *, cudnnTensorDescriptor_t,
                                   const void *, const void *, cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnTransformTensorEx(cudnnHandle_t, cudnnTensorTransformDescriptor_t, const void *,
                                     cudnnTensorDescriptor_t, const void *, const void *,
                                     cudnnTensorDescriptor_t, void *);
#ifdef __cplusplus
}
#endif

#endif
