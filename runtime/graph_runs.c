/* Graphs that can be launched: copies, in an order in which each node is behind what it needs. */
#include "runtime/graphs.h"
#include "runtime/stream_capture.h"

#include <stdio.h>
#include <string.h>

enum { EXEC = 0x57536578 };

typedef struct {
    guint32 magic;
    WsGraph *graph;   /* prepared */
    gboolean frees;   /* each launch, what the last one did not */
    guint *instances; /* of the program's graph; NULL: it has no memory */
} Exec;

WS_RUNTIME_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t *ret, cudaGraph_t graph,
                                                unsigned long long flags);
WS_RUNTIME_API cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *ret, cudaGraph_t graph,
                                                         unsigned long long flags);
WS_RUNTIME_API cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *ret, cudaGraph_t graph,
                                                          cudaGraphInstantiateParams *parameters);
WS_RUNTIME_API cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream);
WS_RUNTIME_API cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
WS_RUNTIME_API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);
WS_RUNTIME_API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                               cudaGraphExecUpdateResultInfo *result);
WS_RUNTIME_API cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec,
                                                            cudaGraphNode_t node,
                                                            const WsKernelNode *parameters);
WS_RUNTIME_API cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                      struct cudaGraphNodeParams *parameters);
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

/* The graph was prepared. */
static Exec *instantiate(const WsGraph *graph, unsigned long long flags)
{
    cudaGraphInstantiateResult result;
    WsNode *node;
    Exec *exec = g_new0(Exec, 1);
    *exec = (Exec){.magic = EXEC,
                   .graph = ws_graph_clone(graph),
                   .frees = (flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0};
    ws_graph_prepare(exec->graph, &result, &node);
    if (ws_graph_has_memory(graph)) {
        exec->instances = g_rc_box_acquire(graph->instances);
        ++*exec->instances;
    }
    return exec;
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *ret, cudaGraph_t graph,
                                           cudaGraphInstantiateParams *parameters)
{
    WsGraph *found = ws_graph_of(graph);
    WsNode *wrong = NULL;
    if (parameters == NULL)
        return ws_runtime_return(cudaErrorInvalidValue);
    parameters->errNode_out = NULL;
    parameters->result_out = cudaGraphInstantiateError;
    if (found == NULL || ret == NULL)
        return ws_runtime_return(cudaErrorInvalidValue);
    /* A body is not run by itself; of a graph with memory there is one at a time. */
    if (found->owner != NULL || (ws_graph_has_memory(found) && *found->instances > 0))
        return ws_runtime_return(cudaErrorNotSupported);
    const gboolean good = ws_graph_prepare(found, &parameters->result_out, &wrong);
    parameters->errNode_out = (cudaGraphNode_t)wrong;
    if (good)
        *ret = (cudaGraphExec_t)instantiate(found, parameters->flags);
    return ws_runtime_return(good ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *ret, cudaGraph_t graph, unsigned long long flags)
{
    cudaGraphInstantiateParams parameters = {.flags = flags};
    return cudaGraphInstantiateWithParams(ret, graph, &parameters);
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
    if (found->instances != NULL) {
        --*found->instances;
        g_rc_box_release(found->instances);
    }
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

static cudaError_t run_graph(const WsGraph *graph);

/* Launches that were made so far; one that failed ends them all. */
static guint launches_so_far(cudaError_t *error)
{
    WsRuntime *runtime = ws_runtime_enter();
    const guint number = runtime->launch_number;
    *error = ws_runtime_leave(runtime, ws_runtime_use(runtime));
    return number;
}

/*
 * Only kernels change a condition: of a body that launches none, a WHILE never ends. A GPU would
 * hang; this is told as a launch is that does.
 */
static cudaError_t run_loop(const WsGraph *body, const WsCondition *condition)
{
    cudaError_t error = cudaSuccess;
    while (error == cudaSuccess && ws_condition_value(condition) != 0) {
        const guint before = launches_so_far(&error);
        if (error == cudaSuccess)
            error = run_graph(body);
        if (error == cudaSuccess && launches_so_far(&error) == before && error == cudaSuccess) {
            fputs(
                "warpstep: error: a WHILE node of a graph never ends: its body launches no kernel "
                "that could change the condition\n",
                stderr);
            error = ws_runtime_return(cudaErrorLaunchTimeout);
        }
    }
    return error;
}

static cudaError_t run_conditional(const WsConditionalNode *node)
{
    const guint32 value = ws_condition_value(node->condition);
    guint chosen = value; /* of a SWITCH; no body: nothing is run */
    if (node->type == cudaGraphCondTypeWhile)
        return run_loop(node->bodies[0], node->condition);
    if (node->type == cudaGraphCondTypeIf)
        chosen = value != 0 ? 0 : 1;
    return chosen < node->size ? run_graph(node->bodies[chosen]) : cudaSuccess;
}

static cudaError_t run_node(const WsNode *node)
{
    const WsKernelNode *kernel = &node->kernel;
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
        return run_graph(node->child);
    case cudaGraphNodeTypeConditional:
        return run_conditional(&node->conditional);
    case cudaGraphNodeTypeMemAlloc:
    case cudaGraphNodeTypeMemFree:
        return ws_memory_node_run(node);
    default: /* an empty one */
        break;
    }
    return cudaSuccess;
}

static cudaError_t run_graph(const WsGraph *graph)
{
    cudaError_t error = cudaSuccess;
    for (guint i = 0; i < graph->nodes->len && error == cudaSuccess; i++)
        error = run_node(graph->nodes->pdata[graph->order[i]]);
    return error;
}

static cudaError_t run_in(const Exec *exec, cudaStream_t stream)
{
    cudaError_t error = ws_graph_check_memory(exec->graph, exec->frees);
    if (error != cudaSuccess)
        return ws_runtime_return(error);
    ws_graph_reset_conditions(exec->graph);
    ws_runtime_begin_graph(stream);
    error = run_graph(exec->graph);
    ws_runtime_end_graph();
    return error;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    const Exec *found = exec_of(exec);
    WsCapturing *capturing = ws_stream_capturing(stream);
    if (found == NULL)
        return ws_runtime_return(cudaErrorInvalidValue);
    if (capturing == NULL)
        return run_in(found, stream);
    if (ws_graph_has_type(found->graph, cudaGraphNodeTypeConditional) ||
        ws_graph_has_memory(found->graph)) /* no child has them */
        return ws_runtime_return(ws_stream_capture_invalidate(capturing));
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
                                              cudaGraphNode_t *ret_node);

/* Two nodes of one type. What a conditional node is cannot change, nor addresses. */
static enum cudaGraphExecUpdateResult compare_inside(const WsNode *a, const WsNode *b,
                                                     cudaGraphNode_t *ret_node)
{
    const WsConditionalNode *mine = &a->conditional, *new = &b->conditional;
    enum cudaGraphExecUpdateResult result = cudaGraphExecUpdateSuccess;
    if (a->type == cudaGraphNodeTypeGraph)
        return compare(a->child, b->child, ret_node);
    if (a->type == cudaGraphNodeTypeMemAlloc || a->type == cudaGraphNodeTypeMemFree)
        return a->memory.block == b->memory.block ? cudaGraphExecUpdateSuccess
                                                  : cudaGraphExecUpdateErrorParametersChanged;
    if (a->type != cudaGraphNodeTypeConditional)
        return cudaGraphExecUpdateSuccess;
    if (mine->type != new->type || mine->size != new->size)
        return cudaGraphExecUpdateErrorParametersChanged;
    for (guint i = 0; i < mine->size && result == cudaGraphExecUpdateSuccess; i++)
        result = compare(mine->bodies[i], new->bodies[i], ret_node);
    return result;
}

static enum cudaGraphExecUpdateResult compare(const WsGraph *a, const WsGraph *b,
                                              cudaGraphNode_t *ret_node)
{
    const GPtrArray *mine = a->nodes, *new = b->nodes;
    if (mine->len != new->len)
        return cudaGraphExecUpdateErrorTopologyChanged;
    for (guint i = 0; i < mine->len; i++) {
        const WsNode *from = mine->pdata[i], *to = new->pdata[i];
        *ret_node = (cudaGraphNode_t)to;
        if (!same_edges(from, to))
            return cudaGraphExecUpdateErrorTopologyChanged;
        if (from->type != to->type)
            return cudaGraphExecUpdateErrorNodeTypeChanged;
        const enum cudaGraphExecUpdateResult inside = compare_inside(from, to, ret_node);
        if (inside != cudaGraphExecUpdateSuccess)
            return inside;
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
    WsGraph *clone = ws_graph_clone(new);
    cudaGraphInstantiateResult prepared;
    WsNode *wrong = NULL;
    if (!ws_graph_prepare(clone, &prepared, &wrong)) {
        ws_graph_free(clone);
        return ws_runtime_return(cudaErrorInvalidValue);
    }
    ws_graph_free(found->graph);
    found->graph = clone;
    return cudaSuccess;
}

/* The copy of a node of the graph that was instantiated; NULL: there is none. */
static WsNode *copy_of(const Exec *exec, const WsNode *node)
{
    const WsGraph *graph = exec->graph;
    if (node == NULL)
        return NULL;
    if (node->graph->owner != NULL) { /* in the same body of the copy of the conditional node */
        const WsNode *owner = copy_of(exec, node->graph->owner);
        const WsConditionalNode *original = &node->graph->owner->conditional;
        guint body = 0;
        while (original->bodies[body] != node->graph)
            body++;
        if (owner == NULL || owner->type != cudaGraphNodeTypeConditional ||
            body >= owner->conditional.size)
            return NULL;
        graph = owner->conditional.bodies[body];
    }
    return node->index < graph->nodes->len ? graph->nodes->pdata[node->index] : NULL;
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const WsKernelNode *parameters)
{
    const Exec *found = exec_of(exec);
    WsNode *own = found != NULL ? copy_of(found, ws_node_of(node)) : NULL;
    return ws_runtime_return(own == NULL || parameters == NULL ||
                                     own->type != cudaGraphNodeTypeKernel
                                 ? cudaErrorInvalidValue
                                 : ws_node_set_kernel(own, parameters));
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       struct cudaGraphNodeParams *parameters)
{
    const Exec *found = exec_of(exec);
    return ws_runtime_return(found == NULL
                                 ? cudaErrorInvalidValue
                                 : ws_node_set(copy_of(found, ws_node_of(node)), parameters));
}
