/*
 * Graphs and the capture of streams: types, and functions with the names of the CUDA Runtime API.
 * Good for C, C++ and CUDA; forms of CUDA 11 are C++.
 */
#ifndef WARPSTEP_GRAPH_API_H
#define WARPSTEP_GRAPH_API_H

#include "warpstep/array_types.h"
#include "warpstep/graph_types.h"
#include "warpstep/vector_types.h"

#include "warpstep/graph_node_types.h"

struct cudaKernelNodeParams {
    void *func;
    dim3 gridDim;
    dim3 blockDim;
    unsigned int sharedMemBytes;
    void **kernelParams;
    void **extra;
};

#ifdef __cplusplus
extern "C" {
#endif
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status);
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t *after,
                                          const cudaGraphEdgeData *edges, size_t count,
                                          enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                        unsigned long long *__WS_DEFAULT(id, 0),
                                        cudaGraph_t *__WS_DEFAULT(graph, 0),
                                        const cudaGraphNode_t **__WS_DEFAULT(after, 0),
                                        size_t *__WS_DEFAULT(count, 0));
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *after,
                                                size_t count, unsigned int __WS_DEFAULT(flags, 0));
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode);

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const struct cudaKernelNodeParams *parameters);
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const struct cudaMemcpy3DParms *parameters);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *after, size_t count, void *to,
                                     const void *from, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const struct cudaMemsetParams *parameters);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *after, size_t count,
                                 const struct cudaHostNodeParams *parameters);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *after, size_t count);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *after, size_t count,
                                       cudaGraph_t child);
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *after, size_t count,
                                     struct cudaMemAllocNodeParams *parameters);
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                           struct cudaMemAllocNodeParams *parameters);
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *after, size_t count, void *pointer);
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *pointer);
cudaError_t cudaDeviceGraphMemTrim(int device);
cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute,
                                           void *value);
cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute,
                                           void *value);
cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after,
                             size_t count, struct cudaGraphNodeParams *parameters);
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *parameters);
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                             unsigned int __WS_DEFAULT(value, 0),
                                             unsigned int __WS_DEFAULT(flags, 0));
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t count);
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type);
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                         const struct cudaKernelNodeParams *parameters);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                 unsigned long long __WS_DEFAULT(flags, 0));
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long __WS_DEFAULT(flags, 0));
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams *parameters);
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *result);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *parameters);
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       struct cudaGraphNodeParams *parameters);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data);
#ifdef __cplusplus
}

/* Forms of CUDA 13, with data of edges; where none is given they are those of CUDA 12. */
static inline cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                           const cudaGraphNode_t *after,
                                           const cudaGraphEdgeData *edges, size_t count,
                                           struct cudaGraphNodeParams *parameters)
{
    return edges != 0 ? cudaErrorNotSupported
                      : cudaGraphAddNode(node, graph, after, count, parameters);
}
static inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream,
                                                   enum cudaStreamCaptureStatus *status,
                                                   unsigned long long *id = 0,
                                                   cudaGraph_t *graph = 0,
                                                   const cudaGraphNode_t **after = 0,
                                                   const cudaGraphEdgeData **edges = 0,
                                                   size_t *count = 0)
{
    if (edges != 0)
        *edges = 0;
    return cudaStreamGetCaptureInfo_v2(stream, status, id, graph, after, count);
}
/* CUDA 11's and 12's, without edges. */
static inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream,
                                                   enum cudaStreamCaptureStatus *status,
                                                   unsigned long long *id, cudaGraph_t *graph,
                                                   const cudaGraphNode_t **after, size_t *count)
{
    return cudaStreamGetCaptureInfo_v2(stream, status, id, graph, after, count);
}
static inline cudaError_t
cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *after,
                                    const cudaGraphEdgeData *edges, size_t count,
                                    unsigned int flags = 0)
{
    return edges != 0 ? cudaErrorNotSupported
                      : cudaStreamUpdateCaptureDependencies(stream, after, count, flags);
}

static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                               cudaGraphNode_t *bad, char *text, size_t size)
{
    if (bad != 0)
        *bad = 0;
    if (text != 0 && size > 0)
        *text = '\0';
    return cudaGraphInstantiate(exec, graph, 0ull);
}
static inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                              cudaGraphNode_t *bad,
                                              enum cudaGraphExecUpdateResult *result)
{
    cudaGraphExecUpdateResultInfo info;
    const cudaError_t error = cudaGraphExecUpdate(exec, graph, &info);
    if (bad != 0)
        *bad = info.errorNode;
    if (result != 0)
        *result = info.result;
    return error;
}
#endif

#endif
