#include "runtime/nvcc/versions.h"

#include "runtime/graphs.h"

#include <string.h>

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *ret, int device);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *ret, const void *function);
cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t count, int device,
                                 cudaStream_t stream);
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t count);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *ret, cudaGraph_t graph, unsigned long long flags);
cudaError_t cudaGraphAddNode(cudaGraphNode_t *ret, cudaGraph_t graph, const cudaGraphNode_t *after,
                             size_t count, struct cudaGraphNodeParams *parameters);
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, enum cudaStreamCaptureStatus *ret,
                                        unsigned long long *ret_id, cudaGraph_t *ret_graph,
                                        const cudaGraphNode_t **ret_after, size_t *ret_count);
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *after,
                                                size_t count, unsigned int flags);

static const struct {
    guint16 offset, bytes; /* here */
    gint16 until_12, from_13;
} places[] = {
#define PROPERTY(name, until_12, from_13)                                                          \
    {offsetof(struct cudaDeviceProp, name), sizeof((struct cudaDeviceProp *)0)->name, until_12,    \
     from_13},
#include "runtime/nvcc/properties.def"
#undef PROPERTY
};

cudaError_t ws_cudart_properties(void *ret, int device, int version)
{
    enum { BYTES_11 = 728, BYTES_12 = 1032, BYTES_13 = 1008 }; /* of the struct */
    const gsize bytes = version >= 13 ? BYTES_13 : version == 12 ? BYTES_12 : BYTES_11;
    struct cudaDeviceProp known;
    const cudaError_t error = cudaGetDeviceProperties(ret != NULL ? &known : NULL, device);
    if (error != cudaSuccess)
        return error;
    memset(ret, 0, bytes);
    for (guint i = 0; i < G_N_ELEMENTS(places); i++) {
        const gint16 at = version >= 13 ? places[i].from_13 : places[i].until_12;
        if (at >= 0 && (gsize)at + places[i].bytes <= bytes)
            memcpy((guint8 *)ret + at, (const guint8 *)&known + places[i].offset, places[i].bytes);
    }
    return cudaSuccess;
}

cudaError_t ws_cudart_function_attributes(void *ret, const void *function)
{
    enum { BYTES = 144 };
    struct cudaFuncAttributes known;
    const cudaError_t error = cudaFuncGetAttributes(ret != NULL ? &known : NULL, function);
    if (error != cudaSuccess)
        return error;
    memset(ret, 0, BYTES);
    memcpy(ret, &known, sizeof known);
    return cudaSuccess;
}

cudaError_t ws_cudart_hint(const void *pointer, size_t count)
{
    return cudaMemPrefetchAsync(pointer, count, 0, NULL);
}

cudaError_t ws_cudart_add_dependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                       const cudaGraphNode_t *to, const void *edges, size_t count)
{
    return ws_edges_are_plain(edges, count) ? cudaGraphAddDependencies(graph, from, to, count)
                                            : ws_runtime_return(cudaErrorNotSupported);
}

cudaError_t ws_cudart_add_node(cudaGraphNode_t *ret, cudaGraph_t graph,
                               const cudaGraphNode_t *after, const void *edges, size_t count,
                               void *parameters)
{
    return ws_edges_are_plain(edges, count) ? cudaGraphAddNode(ret, graph, after, count, parameters)
                                            : ws_runtime_return(cudaErrorNotSupported);
}

cudaError_t ws_cudart_capture_info(cudaStream_t stream, enum cudaStreamCaptureStatus *ret,
                                   unsigned long long *ret_id, cudaGraph_t *ret_graph,
                                   const cudaGraphNode_t **ret_after, const void **ret_edges,
                                   size_t *ret_count)
{
    if (ret_edges != NULL)
        *ret_edges = NULL;
    return cudaStreamGetCaptureInfo_v2(stream, ret, ret_id, ret_graph, ret_after, ret_count);
}

cudaError_t ws_cudart_update_capture(cudaStream_t stream, cudaGraphNode_t *after, const void *edges,
                                     size_t count, unsigned int flags)
{
    return ws_edges_are_plain(edges, count)
               ? cudaStreamUpdateCaptureDependencies(stream, after, count, flags)
               : ws_runtime_return(cudaErrorNotSupported);
}

cudaError_t ws_cudart_instantiate(cudaGraphExec_t *ret, cudaGraph_t graph)
{
    return cudaGraphInstantiate(ret, graph, 0);
}
