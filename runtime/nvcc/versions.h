/*
 * What differs between the versions of NVIDIA's runtime, for the libraries that have its names
 * (libcudart.c), under names of our own.
 */
#ifndef WS_RUNTIME_NVCC_VERSIONS_H
#define WS_RUNTIME_NVCC_VERSIONS_H

#include "runtime/runtime.h"

#include "isa/cuda/include/warpstep/graph_types.h"

/* cudaGetDeviceProperties() with the struct of CUDA `version`: 11, 12 or 13. */
WS_RUNTIME_API cudaError_t ws_cudart_properties(void *ret, int device, int version);
/* cudaFuncGetAttributes() with the longer struct that CUDA 12 and 13 have; what it adds is 0. */
WS_RUNTIME_API cudaError_t ws_cudart_function_attributes(void *ret, const void *function);
/* cudaMemPrefetchAsync() and cudaMemAdvise(), wherever it is to be. */
WS_RUNTIME_API cudaError_t ws_cudart_hint(const void *pointer, size_t count);
/* cudaGraphAddDependencies() with data of the edges, which must be 0, or NULL. */
WS_RUNTIME_API cudaError_t ws_cudart_add_dependencies(cudaGraph_t graph,
                                                      const cudaGraphNode_t *from,
                                                      const cudaGraphNode_t *to, const void *edges,
                                                      size_t count);
/* cudaGraphAddNode() with them. */
WS_RUNTIME_API cudaError_t ws_cudart_add_node(cudaGraphNode_t *ret, cudaGraph_t graph,
                                              const cudaGraphNode_t *after, const void *edges,
                                              size_t count, void *parameters);
/* cudaStreamGetCaptureInfo() with them: there are none. */
WS_RUNTIME_API cudaError_t ws_cudart_capture_info(cudaStream_t stream,
                                                  enum cudaStreamCaptureStatus *ret,
                                                  unsigned long long *ret_id,
                                                  cudaGraph_t *ret_graph,
                                                  const cudaGraphNode_t **ret_after,
                                                  const void **ret_edges, size_t *ret_count);
/* cudaStreamUpdateCaptureDependencies() with them. */
WS_RUNTIME_API cudaError_t ws_cudart_update_capture(cudaStream_t stream, cudaGraphNode_t *after,
                                                    const void *edges, size_t count,
                                                    unsigned int flags);
/* cudaGraphInstantiate() with flags. */
WS_RUNTIME_API cudaError_t ws_cudart_instantiate(cudaGraphExec_t *ret, cudaGraph_t graph);

#endif
