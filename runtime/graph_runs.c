/* Graphs that can be launched: copies, in an order in which each node is behind what it needs. */
#include "runtime/graphs.h"
#include "runtime/stream_capture.h"

#include <string.h>

enum { EXEC = 0x57536578 };

typedef struct {
    guint32 magic;
    WsGraph *graph;
    guint *order; /* indices of its nodes */
} Exec;

WS_RUNTIME_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t *ret, cudaGraph_t graph,
                                                unsigned long long flags);
WS_RUNTIME_API cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *ret, cudaGraph_t graph,
                                                         unsigned long long flags);
WS_RUNTIME_API cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream);
WS_RUNTIME_API cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
WS_RUNTIME_API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);
WS_RUNTIME_API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                               cudaGraphExecUpdateResultInfo *result);
WS_RUNTIME_API cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec,
                                                            cudaGraphNode_t node,
                                                            const WsKernelNode *parameters);
/* Of the runtime's other files. */
cudaError_t cudaLaunchKernel(const void *function, WsDim3 grid, WsDim3 block, void **arguments,
                             size_t shared, cudaStream_t stream);
cudaError_t cudaLaunchCooperativeKernel(const void *function, WsDim3 grid, WsDim3 block,
                                        void **arguments, size_t shared, cudaStream_t stream);
cudaError_t cudaMemcpy(void *to, const void *from, size_t count, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *parameters);
cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height);

static Exec *exec_of(cudaGraphExec_t exec)
{
    Exec *found = (Exec *)exec;
    return found != NULL && found->magic == EXEC ? found : NULL;
}

static gboolean is_ready(const WsNode *node, const gboolean *done)
{
    for (guint i = 0; i < node->after->len; i++)
        if (!done[((const WsNode *)node->after->pdata[i])->index])
            return FALSE;
    return TRUE;
}

/* The first node that is ready comes first. NULL: the edges make a circle. */
static guint *order_of(const WsGraph *graph)
{
    const GPtrArray *nodes = ws_graph_nodes(graph);
    g_autofree guint *order = g_new(guint, nodes->len + 1);
    g_autofree gboolean *done = g_new0(gboolean, nodes->len + 1);
    for (guint filled = 0; filled < nodes->len; filled++) {
        guint next = 0;
        while (next < nodes->len && (done[next] || !is_ready(nodes->pdata[next], done)))
            next++;
        if (next == nodes->len)
            return NULL;
        done[next] = TRUE;
        order[filled] = next;
    }
    return g_steal_pointer(&order);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *ret, cudaGraph_t graph, unsigned long long flags)
{
    const WsGraph *found = ws_graph_of(graph);
    (void)flags;
    if (found == NULL || ret == NULL)
        return ws_runtime_return(cudaErrorInvalidValue);
    guint *order = order_of(found);
    if (order == NULL)
        return ws_runtime_return(cudaErrorInvalidValue);
    Exec *exec = g_new0(Exec, 1);
    *exec = (Exec){.magic = EXEC, .graph = ws_graph_clone(found), .order = order};
    *ret = (cudaGraphExec_t)exec;
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *ret, cudaGraph_t graph,
                                          unsigned long long flags)
{
    return cudaGraphInstantiate(ret, graph, flags);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    Exec *found = exec_of(exec);
    if (found == NULL)
        return ws_runtime_return(cudaErrorInvalidValue);
    found->magic = 0;
    ws_graph_free(found->graph);
    g_free(found->order);
    g_free(found);
    return cudaSuccess;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream)
{
    (void)stream;
    return ws_runtime_return(exec_of(exec) == NULL ? cudaErrorInvalidValue : cudaSuccess);
}

/* ---- running -----------------------------------------------------------------------------------
 */

static void fill_row(guint8 *row, const struct cudaMemsetParams *fill)
{
    for (size_t i = 0; i < fill->width; i++)
        memcpy(row + i * fill->elementSize, &fill->value, fill->elementSize); /* little-endian */
}

static cudaError_t run_fill(const struct cudaMemsetParams *fill)
{
    cudaError_t error = cudaSuccess;
    if (fill->elementSize == 1)
        return cudaMemset2D(fill->dst, fill->height > 1 ? fill->pitch : fill->width,
                            (int)fill->value, fill->width, fill->height);
    const size_t bytes = fill->width * fill->elementSize;
    g_autofree guint8 *row = g_malloc(bytes + 1);
    fill_row(row, fill);
    for (size_t i = 0; i < fill->height && error == cudaSuccess; i++)
        error =
            cudaMemcpy((guint8 *)fill->dst + i * fill->pitch, row, bytes, cudaMemcpyHostToDevice);
    return error;
}

static cudaError_t run_graph(const WsGraph *graph, const guint *order);

static cudaError_t run_node(const WsNode *node)
{
    const WsKernelNode *kernel = &node->kernel;
    g_autofree guint *order = NULL;
    switch (node->type) {
    case cudaGraphNodeTypeKernel:
        return (node->cooperative ? cudaLaunchCooperativeKernel : cudaLaunchKernel)(
            kernel->function, kernel->grid, kernel->block, kernel->arguments, kernel->shared, NULL);
    case cudaGraphNodeTypeMemcpy:
        return node->copy.extent.height > 0
                   ? cudaMemcpy3D(&node->copy)
                   : cudaMemcpy(node->copy.dstPtr.ptr, node->copy.srcPtr.ptr,
                                node->copy.extent.width, node->copy.kind);
    case cudaGraphNodeTypeMemset:
        return run_fill(&node->fill);
    case cudaGraphNodeTypeHost:
        node->host.fn(node->host.userData);
        return cudaSuccess;
    case cudaGraphNodeTypeGraph:
        order = order_of(node->child);
        return order == NULL ? cudaErrorInvalidValue : run_graph(node->child, order);
    case cudaGraphNodeTypeEmpty:
        break;
    }
    return cudaSuccess;
}

static cudaError_t run_graph(const WsGraph *graph, const guint *order)
{
    const GPtrArray *nodes = ws_graph_nodes(graph);
    cudaError_t error = cudaSuccess;
    for (guint i = 0; i < nodes->len && error == cudaSuccess; i++)
        error = run_node(nodes->pdata[order[i]]);
    return error;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    const Exec *found = exec_of(exec);
    WsCapturing *capturing = ws_stream_capturing(stream);
    if (found == NULL)
        return ws_runtime_return(cudaErrorInvalidValue);
    if (capturing == NULL)
        return run_graph(found->graph, found->order);
    ws_stream_capture_add(capturing, cudaGraphNodeTypeGraph)->child = ws_graph_clone(found->graph);
    return cudaSuccess;
}

/* ---- changes -----------------------------------------------------------------------------------
 */

static gboolean same_edges(const WsNode *a, const WsNode *b)
{
    if (a->after->len != b->after->len)
        return FALSE;
    for (guint i = 0; i < a->after->len; i++)
        if (((const WsNode *)a->after->pdata[i])->index !=
            ((const WsNode *)b->after->pdata[i])->index)
            return FALSE;
    return TRUE;
}

static enum cudaGraphExecUpdateResult compare(const WsGraph *a, const WsGraph *b,
                                              cudaGraphNode_t *ret_node)
{
    const GPtrArray *mine = ws_graph_nodes(a), *new = ws_graph_nodes(b);
    if (mine->len != new->len)
        return cudaGraphExecUpdateErrorTopologyChanged;
    for (guint i = 0; i < mine->len; i++) {
        const WsNode *from = mine->pdata[i], *to = new->pdata[i];
        *ret_node = (cudaGraphNode_t)to;
        if (!same_edges(from, to))
            return cudaGraphExecUpdateErrorTopologyChanged;
        if (from->type != to->type)
            return cudaGraphExecUpdateErrorNodeTypeChanged;
    }
    *ret_node = NULL;
    return cudaGraphExecUpdateSuccess;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *result)
{
    Exec *found = exec_of(exec);
    const WsGraph *new = ws_graph_of(graph);
    cudaGraphExecUpdateResultInfo info = {.result = cudaGraphExecUpdateError};
    if (found != NULL && new != NULL)
        info.result = compare(found->graph, new, &info.errorNode);
    if (result != NULL)
        *result = info;
    if (found == NULL || new == NULL)
        return ws_runtime_return(cudaErrorInvalidValue);
    if (info.result != cudaGraphExecUpdateSuccess)
        return ws_runtime_return(cudaErrorGraphExecUpdateFailure);
    ws_graph_free(found->graph);
    found->graph = ws_graph_clone(new);
    return cudaSuccess;
}

/* `node` is of the graph that was instantiated; its copy has the same index. */
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const WsKernelNode *parameters)
{
    Exec *found = exec_of(exec);
    const WsNode *wanted = (const WsNode *)node;
    const GPtrArray *nodes = found != NULL ? ws_graph_nodes(found->graph) : NULL;
    if (nodes == NULL || wanted == NULL || parameters == NULL || wanted->index >= nodes->len)
        return ws_runtime_return(cudaErrorInvalidValue);
    WsNode *own = nodes->pdata[wanted->index];
    return ws_runtime_return(own->type != cudaGraphNodeTypeKernel
                                 ? cudaErrorInvalidValue
                                 : ws_node_set_kernel(own, parameters));
}
