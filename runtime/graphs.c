#include "runtime/graphs.h"

#include <string.h>

enum { GRAPH = 0x57536772, NODE = 0x57536e6f };

static void free_node(gpointer data)
{
    WsNode *node = data;
    if (node->type == cudaGraphNodeTypeKernel)
        ws_arguments_free(node->kernel.arguments);
    else if (node->type == cudaGraphNodeTypeGraph)
        ws_graph_free(node->child);
    else if (node->type == cudaGraphNodeTypeConditional)
        ws_conditional_free(&node->conditional);
    else if (node->type == cudaGraphNodeTypeMemAlloc || node->type == cudaGraphNodeTypeMemFree)
        ws_memory_node_free(&node->memory);
    node->magic = 0;
    g_ptr_array_unref(node->after);
    g_free(node);
}

WsGraph *ws_graph_new(void)
{
    static guint64 made; /* as all of graphs, without a lock */
    WsGraph *graph = g_new0(WsGraph, 1);
    graph->magic = GRAPH;
    graph->serial = ++made;
    graph->instances = g_rc_box_new0(guint);
    graph->nodes = g_ptr_array_new_with_free_func(free_node);
    graph->conditions = g_ptr_array_new_with_free_func(ws_condition_unref);
    return graph;
}

void ws_graph_free(WsGraph *graph)
{
    if (graph == NULL)
        return;
    graph->magic = 0;
    g_ptr_array_unref(graph->nodes);
    g_ptr_array_unref(graph->conditions);
    g_free(graph->order);
    g_rc_box_release(graph->instances);
    g_free(graph);
}

WsGraph *ws_graph_of(cudaGraph_t graph)
{
    WsGraph *found = (WsGraph *)graph;
    return found != NULL && found->magic == GRAPH ? found : NULL;
}

WsNode *ws_graph_add(WsGraph *graph, enum cudaGraphNodeType type, WsNode *const *after, gsize count)
{
    WsNode *node = g_new0(WsNode, 1);
    node->magic = NODE;
    node->type = type;
    node->graph = graph;
    node->after = g_ptr_array_new();
    node->index = graph->nodes->len;
    for (gsize i = 0; i < count; i++)
        if (!g_ptr_array_find(node->after, after[i], NULL))
            g_ptr_array_add(node->after, after[i]);
    g_ptr_array_add(graph->nodes, node);
    return node;
}

cudaError_t ws_node_set_kernel(WsNode *node, const WsKernelNode *kernel)
{
    void **copies = NULL;
    const cudaError_t error =
        kernel->extra != NULL
            ? cudaErrorNotSupported
            : ws_kernel_copy_arguments(kernel->function, kernel->arguments, &copies);
    if (error != cudaSuccess)
        return error;
    ws_arguments_free(node->kernel.arguments);
    node->kernel = *kernel;
    node->kernel.arguments = copies;
    return cudaSuccess;
}

/* The kernel is known: its arguments were copied before. */
static void copy_contents(WsNode *to, const WsNode *from)
{
    to->cooperative = from->cooperative;
    switch (from->type) {
    case cudaGraphNodeTypeKernel:
        ws_node_set_kernel(to, &from->kernel);
        break;
    case cudaGraphNodeTypeGraph:
        ws_graph_free(to->child);
        to->child = ws_graph_clone(from->child);
        break;
    case cudaGraphNodeTypeMemcpy:
        to->copy = from->copy;
        break;
    case cudaGraphNodeTypeMemset:
        to->fill = from->fill;
        break;
    case cudaGraphNodeTypeHost:
        to->host = from->host;
        break;
    case cudaGraphNodeTypeConditional:
        ws_conditional_copy(to, &from->conditional);
        break;
    case cudaGraphNodeTypeMemAlloc:
    case cudaGraphNodeTypeMemFree:
        ws_memory_node_copy(to, &from->memory);
        break;
    default: /* an empty one */
        break;
    }
}

WsGraph *ws_graph_clone(const WsGraph *graph)
{
    WsGraph *clone = ws_graph_new();
    for (guint i = 0; i < graph->conditions->len; i++) {
        WsCondition *condition = graph->conditions->pdata[i];
        condition->references++;
        g_ptr_array_add(clone->conditions, condition);
    }
    for (guint i = 0; i < graph->nodes->len; i++) {
        const WsNode *node = graph->nodes->pdata[i];
        copy_contents(ws_graph_add(clone, node->type, NULL, 0), node);
    }
    for (guint i = 0; i < graph->nodes->len; i++) {
        const WsNode *node = graph->nodes->pdata[i];
        WsNode *copy = clone->nodes->pdata[i];
        for (guint k = 0; k < node->after->len; k++)
            g_ptr_array_add(copy->after,
                            clone->nodes->pdata[((WsNode *)node->after->pdata[k])->index]);
    }
    return clone;
}

WsNode *ws_node_of(cudaGraphNode_t node)
{
    WsNode *found = (WsNode *)node;
    return found != NULL && found->magic == NODE ? found : NULL;
}

void ws_node_mark(const WsNode *node, gboolean *reached)
{
    g_autoptr(GPtrArray) stack = g_ptr_array_new();
    g_ptr_array_add(stack, (gpointer)node);
    while (stack->len > 0) {
        const WsNode *next = g_ptr_array_steal_index(stack, stack->len - 1);
        if (reached[next->index])
            continue;
        reached[next->index] = TRUE;
        for (guint i = 0; i < next->after->len; i++)
            g_ptr_array_add(stack, next->after->pdata[i]);
    }
}

gboolean ws_edges_are_plain(const cudaGraphEdgeData *edges, gsize count)
{
    static const cudaGraphEdgeData plain = {0};
    for (gsize i = 0; edges != NULL && i < count; i++)
        if (memcmp(&edges[i], &plain, sizeof plain) != 0)
            return FALSE;
    return TRUE;
}

gboolean ws_graph_has_type(const WsGraph *graph, enum cudaGraphNodeType type)
{
    for (guint i = 0; i < graph->nodes->len; i++) {
        const WsNode *node = graph->nodes->pdata[i];
        if (node->type == type ||
            (node->type == cudaGraphNodeTypeGraph && ws_graph_has_type(node->child, type)))
            return TRUE;
        for (guint k = 0; node->type == cudaGraphNodeTypeConditional && k < node->conditional.size;
             k++)
            if (ws_graph_has_type(node->conditional.bodies[k], type))
                return TRUE;
    }
    return FALSE;
}

/* ---- building ----------------------------------------------------------------------------------
 */

gboolean ws_graph_has_nodes(const WsGraph *graph, const cudaGraphNode_t *nodes, gsize count)
{
    for (gsize i = 0; i < count; i++)
        if (ws_node_of(nodes[i]) == NULL || ws_node_of(nodes[i])->graph != graph)
            return FALSE;
    return TRUE;
}

WsNode *ws_graph_add_given(cudaGraphNode_t *ret, cudaGraph_t graph, const cudaGraphNode_t *after,
                           gsize count, gboolean valid, enum cudaGraphNodeType type)
{
    WsGraph *found = ws_graph_of(graph);
    if (found == NULL || ret == NULL || !valid || (after == NULL && count > 0) ||
        !ws_graph_has_nodes(found, after, count))
        return NULL;
    WsNode *node = ws_graph_add(found, type, (WsNode *const *)after, count);
    *ret = (cudaGraphNode_t)node;
    return node;
}

void ws_graph_remove_last(WsGraph *graph)
{
    g_ptr_array_remove_index(graph->nodes, graph->nodes->len - 1);
}

WS_RUNTIME_API cudaError_t cudaGraphCreate(cudaGraph_t *ret, unsigned int flags);
WS_RUNTIME_API cudaError_t cudaGraphDestroy(cudaGraph_t graph);
WS_RUNTIME_API cudaError_t cudaGraphClone(cudaGraph_t *ret, cudaGraph_t graph);
WS_RUNTIME_API cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *ret, cudaGraph_t graph,
                                                  const cudaGraphNode_t *after, size_t count,
                                                  const WsKernelNode *parameters);
WS_RUNTIME_API cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *ret, cudaGraph_t graph,
                                                  const cudaGraphNode_t *after, size_t count,
                                                  const struct cudaMemcpy3DParms *parameters);
WS_RUNTIME_API cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *ret, cudaGraph_t graph,
                                                    const cudaGraphNode_t *after, size_t count,
                                                    void *to, const void *from, size_t bytes,
                                                    enum cudaMemcpyKind kind);
WS_RUNTIME_API cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *ret, cudaGraph_t graph,
                                                  const cudaGraphNode_t *after, size_t count,
                                                  const struct cudaMemsetParams *parameters);
WS_RUNTIME_API cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *ret, cudaGraph_t graph,
                                                const cudaGraphNode_t *after, size_t count,
                                                const struct cudaHostNodeParams *parameters);
WS_RUNTIME_API cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *ret, cudaGraph_t graph,
                                                 const cudaGraphNode_t *after, size_t count);
WS_RUNTIME_API cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *ret, cudaGraph_t graph,
                                                      const cudaGraphNode_t *after, size_t count,
                                                      cudaGraph_t child);
WS_RUNTIME_API cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                    const cudaGraphNode_t *to, size_t count);
WS_RUNTIME_API cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
                                             size_t *count);
WS_RUNTIME_API cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
                                                 size_t *count);
WS_RUNTIME_API cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *ret);
WS_RUNTIME_API cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                                        const WsKernelNode *parameters);

cudaError_t cudaGraphCreate(cudaGraph_t *ret, unsigned int flags)
{
    if (ret == NULL || flags != 0)
        return ws_runtime_return(cudaErrorInvalidValue);
    *ret = (cudaGraph_t)ws_graph_new();
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    WsGraph *found = ws_graph_of(graph);
    if (found == NULL || found->owner != NULL) /* a body is its node's */
        return ws_runtime_return(cudaErrorInvalidValue);
    ws_graph_free(found);
    return cudaSuccess;
}

/* A handle is of one graph, and so are addresses. */
static gboolean can_be_copied(const WsGraph *graph)
{
    return !ws_graph_has_type(graph, cudaGraphNodeTypeConditional) && !ws_graph_has_memory(graph);
}

cudaError_t cudaGraphClone(cudaGraph_t *ret, cudaGraph_t graph)
{
    const WsGraph *found = ws_graph_of(graph);
    if (found == NULL || ret == NULL)
        return ws_runtime_return(cudaErrorInvalidValue);
    if (!can_be_copied(found))
        return ws_runtime_return(cudaErrorNotSupported);
    *ret = (cudaGraph_t)ws_graph_clone(found);
    return cudaSuccess;
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *ret, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const WsKernelNode *parameters)
{
    WsNode *node =
        ws_graph_add_given(ret, graph, after, count, parameters != NULL, cudaGraphNodeTypeKernel);
    const cudaError_t error =
        node == NULL ? cudaErrorInvalidValue : ws_node_set_kernel(node, parameters);
    if (node != NULL && error != cudaSuccess) {
        ws_graph_remove_last(node->graph);
        *ret = NULL;
    }
    return ws_runtime_return(error);
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *ret, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const struct cudaMemcpy3DParms *parameters)
{
    const gboolean valid = parameters != NULL && parameters->extent.height > 0;
    WsNode *node = ws_graph_add_given(ret, graph, after, count, valid, cudaGraphNodeTypeMemcpy);
    if (node != NULL)
        node->copy = *parameters;
    return ws_runtime_return(node == NULL ? cudaErrorInvalidValue : cudaSuccess);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *ret, cudaGraph_t graph,
                                     const cudaGraphNode_t *after, size_t count, void *to,
                                     const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    WsNode *node = ws_graph_add_given(ret, graph, after, count, TRUE, cudaGraphNodeTypeMemcpy);
    if (node != NULL)
        node->copy = (struct cudaMemcpy3DParms){.srcPtr = {.ptr = (void *)from},
                                                .dstPtr = {.ptr = to},
                                                .extent = {.width = bytes},
                                                .kind = kind};
    return ws_runtime_return(node == NULL ? cudaErrorInvalidValue : cudaSuccess);
}

gboolean ws_fill_is_valid(const struct cudaMemsetParams *fill)
{
    return fill->elementSize == 1 || fill->elementSize == 2 || fill->elementSize == 4;
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *ret, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, size_t count,
                                   const struct cudaMemsetParams *parameters)
{
    const gboolean valid = parameters != NULL && ws_fill_is_valid(parameters);
    WsNode *node = ws_graph_add_given(ret, graph, after, count, valid, cudaGraphNodeTypeMemset);
    if (node != NULL)
        node->fill = *parameters;
    return ws_runtime_return(node == NULL ? cudaErrorInvalidValue : cudaSuccess);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *ret, cudaGraph_t graph,
                                 const cudaGraphNode_t *after, size_t count,
                                 const struct cudaHostNodeParams *parameters)
{
    const gboolean valid = parameters != NULL && parameters->fn != NULL;
    WsNode *node = ws_graph_add_given(ret, graph, after, count, valid, cudaGraphNodeTypeHost);
    if (node != NULL)
        node->host = *parameters;
    return ws_runtime_return(node == NULL ? cudaErrorInvalidValue : cudaSuccess);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *ret, cudaGraph_t graph,
                                  const cudaGraphNode_t *after, size_t count)
{
    return ws_runtime_return(
        ws_graph_add_given(ret, graph, after, count, TRUE, cudaGraphNodeTypeEmpty) == NULL
            ? cudaErrorInvalidValue
            : cudaSuccess);
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *ret, cudaGraph_t graph,
                                       const cudaGraphNode_t *after, size_t count,
                                       cudaGraph_t child)
{
    const WsGraph *inner = ws_graph_of(child);
    const gboolean valid = inner != NULL && inner != ws_graph_of(graph);
    if (valid && !can_be_copied(inner))
        return ws_runtime_return(cudaErrorNotSupported);
    WsNode *node = ws_graph_add_given(ret, graph, after, count, valid, cudaGraphNodeTypeGraph);
    if (node != NULL)
        node->child = ws_graph_clone(inner);
    return ws_runtime_return(node == NULL ? cudaErrorInvalidValue : cudaSuccess);
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t count)
{
    const WsGraph *found = ws_graph_of(graph);
    if (found == NULL || ((from == NULL || to == NULL) && count > 0) ||
        !ws_graph_has_nodes(found, from, count) || !ws_graph_has_nodes(found, to, count))
        return ws_runtime_return(cudaErrorInvalidValue);
    for (size_t i = 0; i < count; i++)
        if (!g_ptr_array_find(ws_node_of(to[i])->after, from[i], NULL))
            g_ptr_array_add(ws_node_of(to[i])->after, from[i]);
    return cudaSuccess;
}

static cudaError_t get_nodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count,
                             gboolean only_roots)
{
    const WsGraph *found = ws_graph_of(graph);
    if (found == NULL || count == NULL)
        return ws_runtime_return(cudaErrorInvalidValue);
    size_t filled = 0;
    for (guint i = 0; i < found->nodes->len; i++) {
        WsNode *node = found->nodes->pdata[i];
        if (only_roots && node->after->len > 0)
            continue;
        if (nodes != NULL && filled < *count)
            nodes[filled] = (cudaGraphNode_t)node;
        filled++;
    }
    for (size_t i = filled; nodes != NULL && i < *count; i++)
        nodes[i] = NULL;
    *count = nodes != NULL ? MIN(*count, filled) : filled;
    return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    return get_nodes(graph, nodes, count, FALSE);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
    return get_nodes(graph, nodes, count, TRUE);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *ret)
{
    const WsNode *found = ws_node_of(node);
    if (found == NULL || ret == NULL)
        return ws_runtime_return(cudaErrorInvalidValue);
    *ret = found->type;
    return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const WsKernelNode *parameters)
{
    WsNode *found = ws_node_of(node);
    return ws_runtime_return(found == NULL || found->type != cudaGraphNodeTypeKernel ||
                                     parameters == NULL
                                 ? cudaErrorInvalidValue
                                 : ws_node_set_kernel(found, parameters));
}
