/*
 * libcudart.so.11.0, .12 and .13, as programs of nvcc are linked with one (-cudart shared): this
 * file with WS_CUDART for each. They have the functions that are not the same in all versions; the
 * others are in libwarpstep-cudart, which comes with them, without a version: the loader takes a
 * name without one for any.
 */
#include "runtime/nvcc/versions.h"

#if WS_CUDART >= 12
WS_RUNTIME_API cudaError_t cudaGetDeviceProperties_v2(void *ret, int device);

cudaError_t cudaGetDeviceProperties_v2(void *ret, int device)
{
    return ws_cudart_properties(ret, device, WS_CUDART);
}
#endif

WS_RUNTIME_API cudaError_t cudaGetDeviceProperties(void *ret, int device);

/* In CUDA 12 it is that of 11. */
cudaError_t cudaGetDeviceProperties(void *ret, int device)
{
    return ws_cudart_properties(ret, device, WS_CUDART == 12 ? 11 : WS_CUDART);
}

#if WS_CUDART >= 13
#define LATER(name)  name
#define LATEST(name) name
#else
#define LATER(name)  name##_v2 /* since 12.2 or 12.3 */
#define LATEST(name) name##_v3 /* of one that had a second form before */
#endif

#if WS_CUDART < 13
WS_RUNTIME_API cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream,
                                                    enum cudaStreamCaptureStatus *ret,
                                                    unsigned long long *ret_id);

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *ret,
                                     unsigned long long *ret_id)
{
    return ws_cudart_capture_info(stream, ret, ret_id, NULL, NULL, NULL, NULL);
}
#endif

#if WS_CUDART >= 12
WS_RUNTIME_API cudaError_t cudaFuncGetAttributes(void *ret, const void *function);

cudaError_t cudaFuncGetAttributes(void *ret, const void *function)
{
    return ws_cudart_function_attributes(ret, function);
}

WS_RUNTIME_API cudaError_t LATER(cudaMemPrefetchAsync)(const void *pointer, size_t count,
                                                       struct cudaMemLocation location,
                                                       unsigned int flags, cudaStream_t stream);
WS_RUNTIME_API cudaError_t LATER(cudaMemAdvise)(const void *pointer, size_t count,
                                                enum cudaMemoryAdvise advice,
                                                struct cudaMemLocation location);
WS_RUNTIME_API cudaError_t LATER(cudaGraphAddDependencies)(cudaGraph_t graph,
                                                           const cudaGraphNode_t *from,
                                                           const cudaGraphNode_t *to,
                                                           const void *edges, size_t count);

WS_RUNTIME_API cudaError_t LATER(cudaGraphAddNode)(cudaGraphNode_t *ret, cudaGraph_t graph,
                                                   const cudaGraphNode_t *after, const void *edges,
                                                   size_t count, void *parameters);
WS_RUNTIME_API cudaError_t LATEST(cudaStreamGetCaptureInfo)(
    cudaStream_t stream, enum cudaStreamCaptureStatus *ret, unsigned long long *ret_id,
    cudaGraph_t *ret_graph, const cudaGraphNode_t **ret_after, const void **ret_edges,
    size_t *ret_count);
WS_RUNTIME_API cudaError_t LATER(cudaStreamUpdateCaptureDependencies)(cudaStream_t stream,
                                                                      cudaGraphNode_t *after,
                                                                      const void *edges,
                                                                      size_t count,
                                                                      unsigned int flags);

cudaError_t LATER(cudaMemPrefetchAsync)(const void *pointer, size_t count,
                                        struct cudaMemLocation location, unsigned int flags,
                                        cudaStream_t stream)
{
    (void)location, (void)flags, (void)stream;
    return ws_cudart_hint(pointer, count);
}

cudaError_t LATER(cudaMemAdvise)(const void *pointer, size_t count, enum cudaMemoryAdvise advice,
                                 struct cudaMemLocation location)
{
    (void)advice, (void)location;
    return ws_cudart_hint(pointer, count);
}

cudaError_t LATER(cudaGraphAddDependencies)(cudaGraph_t graph, const cudaGraphNode_t *from,
                                            const cudaGraphNode_t *to, const void *edges,
                                            size_t count)
{
    return ws_cudart_add_dependencies(graph, from, to, edges, count);
}

cudaError_t LATER(cudaGraphAddNode)(cudaGraphNode_t *ret, cudaGraph_t graph,
                                    const cudaGraphNode_t *after, const void *edges, size_t count,
                                    void *parameters)
{
    return ws_cudart_add_node(ret, graph, after, edges, count, parameters);
}

cudaError_t LATEST(cudaStreamGetCaptureInfo)(cudaStream_t stream, enum cudaStreamCaptureStatus *ret,
                                             unsigned long long *ret_id, cudaGraph_t *ret_graph,
                                             const cudaGraphNode_t **ret_after,
                                             const void **ret_edges, size_t *ret_count)
{
    return ws_cudart_capture_info(stream, ret, ret_id, ret_graph, ret_after, ret_edges, ret_count);
}

cudaError_t LATER(cudaStreamUpdateCaptureDependencies)(cudaStream_t stream, cudaGraphNode_t *after,
                                                       const void *edges, size_t count,
                                                       unsigned int flags)
{
    return ws_cudart_update_capture(stream, after, edges, count, flags);
}
#else
WS_RUNTIME_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t *ret, cudaGraph_t graph,
                                                cudaGraphNode_t *ret_node, char *log, size_t size);

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *ret, cudaGraph_t graph, cudaGraphNode_t *ret_node,
                                 char *log, size_t size)
{
    if (ret_node != NULL)
        *ret_node = NULL;
    if (log != NULL && size > 0)
        *log = '\0';
    return ws_cudart_instantiate(ret, graph);
}
#endif
