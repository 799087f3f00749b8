/* Nodes of all types by one struct: cudaGraphAddNode() and what changes them. */
#include "runtime/graphs.h"

WS_RUNTIME_API cudaError_t cudaGraphAddNode(cudaGraphNode_t *ret, cudaGraph_t graph,
                                            const cudaGraphNode_t *after, size_t count,
                                            struct cudaGraphNodeParams *parameters);
WS_RUNTIME_API cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node,
                                                  struct cudaGraphNodeParams *parameters);
/* Of the runtime's other files. */
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *ret, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const WsKernelNode *parameters);
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *ret, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const struct cudaMemcpy3DParms *parameters);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *ret, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const struct cudaMemsetParams *parameters);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *ret, cudaGraph_t graph,
                                 const cudaGraphNode_t *after, size_t count,
                                 const struct cudaHostNodeParams *parameters);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *ret, cudaGraph_t graph,
                                  const cudaGraphNode_t *after, size_t count);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *ret, cudaGraph_t graph,
                                       const cudaGraphNode_t *after, size_t count,
                                       cudaGraph_t child);
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *ret, cudaGraph_t graph,
                                     const cudaGraphNode_t *after, size_t count,
                                     struct cudaMemAllocNodeParams *parameters);
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *ret, cudaGraph_t graph,
                                    const cudaGraphNode_t *after, size_t count, void *pointer);

static WsKernelNode kernel_of(const struct cudaKernelNodeParamsV2 *given)
{
    return (WsKernelNode){.function = given->func,
                          .grid = given->gridDim,
                          .block = given->blockDim,
                          .shared = given->sharedMemBytes,
                          .arguments = given->kernelParams,
                          .extra = given->extra};
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *ret, cudaGraph_t graph, const cudaGraphNode_t *after,
                             size_t count, struct cudaGraphNodeParams *parameters)
{
    if (parameters == NULL)
        return ws_runtime_return(cudaErrorInvalidValue);
    const WsKernelNode kernel = kernel_of(&parameters->kernel);
    switch (parameters->type) {
    case cudaGraphNodeTypeKernel:
        return cudaGraphAddKernelNode(ret, graph, after, count, &kernel);
    case cudaGraphNodeTypeMemcpy:
        return cudaGraphAddMemcpyNode(ret, graph, after, count, &parameters->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
        return cudaGraphAddMemsetNode(ret, graph, after, count, &parameters->memset);
    case cudaGraphNodeTypeHost:
        return cudaGraphAddHostNode(ret, graph, after, count, &parameters->host);
    case cudaGraphNodeTypeGraph:
        return parameters->graph.ownership != cudaGraphChildGraphOwnershipClone
                   ? ws_runtime_return(cudaErrorNotSupported)
                   : cudaGraphAddChildGraphNode(ret, graph, after, count, parameters->graph.graph);
    case cudaGraphNodeTypeEmpty:
        return cudaGraphAddEmptyNode(ret, graph, after, count);
    case cudaGraphNodeTypeMemAlloc:
        return cudaGraphAddMemAllocNode(ret, graph, after, count, &parameters->alloc);
    case cudaGraphNodeTypeMemFree:
        return cudaGraphAddMemFreeNode(ret, graph, after, count, parameters->free.dptr);
    case cudaGraphNodeTypeConditional:
        return ws_conditional_add(ret, graph, after, count, &parameters->conditional);
    default: /* events and semaphores of other programs */
        return ws_runtime_return(cudaErrorNotSupported);
    }
}

cudaError_t ws_node_set(WsNode *node, const struct cudaGraphNodeParams *parameters)
{
    if (node == NULL || parameters == NULL || parameters->type != node->type)
        return cudaErrorInvalidValue;
    const WsKernelNode kernel = kernel_of(&parameters->kernel);
    switch (node->type) {
    case cudaGraphNodeTypeKernel:
        return ws_node_set_kernel(node, &kernel);
    case cudaGraphNodeTypeMemcpy:
        if (parameters->memcpy.copyParams.extent.height == 0)
            return cudaErrorInvalidValue;
        node->copy = parameters->memcpy.copyParams;
        return cudaSuccess;
    case cudaGraphNodeTypeMemset:
        if (!ws_fill_is_valid(&parameters->memset))
            return cudaErrorInvalidValue;
        node->fill = parameters->memset;
        return cudaSuccess;
    case cudaGraphNodeTypeHost:
        if (parameters->host.fn == NULL)
            return cudaErrorInvalidValue;
        node->host = parameters->host;
        return cudaSuccess;
    default: /* what it is cannot change */
        return cudaErrorNotSupported;
    }
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *parameters)
{
    return ws_runtime_return(ws_node_set(ws_node_of(node), parameters));
}
