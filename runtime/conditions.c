/*
 * Conditional nodes of graphs. A handle is the address of a word of device memory, which
 * cudaGraphSetConditional() stores to; all copies of a graph have the same.
 */
#include "runtime/graphs.h"

#include <string.h>

WS_RUNTIME_API cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *ret,
                                                            cudaGraph_t graph, unsigned int value,
                                                            unsigned int flags);

/* ---- the word ----------------------------------------------------------------------------------
 */

static guint8 *word_of(WsRuntime *runtime, const WsCondition *condition)
{
    const WsAllocation *found =
        ws_memory_find(runtime, (const void *)(gsize)condition->handle, sizeof(guint32));
    /* cudaDeviceReset() frees it, and something else may have its address then. */
    return found != NULL && found->kind == WS_MEMORY_CONDITION ? found->data : NULL;
}

guint32 ws_condition_value(const WsCondition *condition)
{
    WsRuntime *runtime = ws_runtime_enter();
    const guint8 *word = word_of(runtime, condition);
    guint32 value = 0;
    if (word != NULL)
        memcpy(&value, word, sizeof value);
    ws_runtime_leave(runtime, cudaSuccess);
    return value;
}

static void reset(const WsCondition *condition)
{
    WsRuntime *runtime = ws_runtime_enter();
    guint8 *word = word_of(runtime, condition);
    if (word != NULL)
        memcpy(word, &condition->value, sizeof condition->value);
    ws_runtime_leave(runtime, cudaSuccess);
}

void ws_graph_reset_conditions(const WsGraph *graph)
{
    for (guint i = 0; i < graph->conditions->len; i++)
        if (((const WsCondition *)graph->conditions->pdata[i])->is_reset)
            reset(graph->conditions->pdata[i]);
    for (guint i = 0; i < graph->nodes->len; i++) {
        const WsNode *node = graph->nodes->pdata[i];
        for (guint k = 0; node->type == cudaGraphNodeTypeConditional && k < node->conditional.size;
             k++)
            ws_graph_reset_conditions(node->conditional.bodies[k]);
    }
}

void ws_condition_unref(gpointer condition)
{
    WsCondition *found = condition;
    if (--found->references > 0)
        return;
    WsRuntime *runtime = ws_runtime_enter();
    if (word_of(runtime, found) != NULL)
        ws_memory_free(runtime, found->handle);
    ws_runtime_leave(runtime, cudaSuccess);
    g_free(found);
}

/* ---- handles and nodes -------------------------------------------------------------------------
 */

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *ret, cudaGraph_t graph,
                                             unsigned int value, unsigned int flags)
{
    const WsGraph *found = ws_graph_of(graph);
    if (ret == NULL || found == NULL || (flags & ~(unsigned)cudaGraphCondAssignDefault) != 0)
        return ws_runtime_return(cudaErrorInvalidValue);
    WsRuntime *runtime = ws_runtime_enter();
    void *word = NULL;
    cudaError_t error = ws_runtime_use(runtime);
    if (error == cudaSuccess)
        error = ws_memory_allocate(runtime, sizeof(guint32), WS_MEMORY_CONDITION, &word);
    if (error == cudaSuccess) {
        WsCondition *condition = g_new0(WsCondition, 1);
        *condition = (WsCondition){.references = 1,
                                   .handle = (guint64)(gsize)word,
                                   .value = value,
                                   .is_reset = flags != 0};
        g_ptr_array_add(found->conditions, condition);
        *ret = condition->handle;
    }
    return ws_runtime_leave(runtime, error);
}

/* Of the graph, or of one that it is in. NULL: there is none, or it has a node. */
static WsCondition *find_condition(const WsGraph *graph, cudaGraphConditionalHandle handle)
{
    for (; graph != NULL; graph = graph->owner != NULL ? graph->owner->graph : NULL)
        for (guint i = 0; i < graph->conditions->len; i++) {
            WsCondition *condition = graph->conditions->pdata[i];
            if (condition->handle == handle)
                return condition->has_node ? NULL : condition;
        }
    return NULL;
}

static gboolean is_size(enum cudaGraphConditionalNodeType type, guint size)
{
    switch (type) {
    case cudaGraphCondTypeIf:
        return size == 1 || size == 2;
    case cudaGraphCondTypeWhile:
        return size == 1;
    case cudaGraphCondTypeSwitch:
        return size > 0;
    }
    return FALSE;
}

static void make_bodies(WsNode *node, const WsConditionalNode *copied)
{
    WsConditionalNode *conditional = &node->conditional;
    conditional->bodies = g_new0(WsGraph *, conditional->size);
    for (guint i = 0; i < conditional->size; i++) {
        conditional->bodies[i] =
            copied != NULL ? ws_graph_clone(copied->bodies[i]) : ws_graph_new();
        conditional->bodies[i]->owner = node;
    }
}

cudaError_t ws_conditional_add(cudaGraphNode_t *ret, cudaGraph_t graph,
                               const cudaGraphNode_t *after, gsize count,
                               struct cudaConditionalNodeParams *parameters)
{
    const WsGraph *found = ws_graph_of(graph);
    WsCondition *condition = found != NULL ? find_condition(found, parameters->handle) : NULL;
    const gboolean valid = condition != NULL && is_size(parameters->type, parameters->size);
    WsNode *node =
        ws_graph_add_given(ret, graph, after, count, valid, cudaGraphNodeTypeConditional);
    if (node == NULL)
        return ws_runtime_return(cudaErrorInvalidValue);
    condition->has_node = TRUE;
    node->conditional = (WsConditionalNode){
        .condition = condition, .type = parameters->type, .size = parameters->size};
    make_bodies(node, NULL);
    parameters->phGraph_out = (cudaGraph_t *)node->conditional.bodies;
    return cudaSuccess;
}

void ws_conditional_copy(WsNode *to, const WsConditionalNode *from)
{
    to->conditional = *from;
    make_bodies(to, from);
}

void ws_conditional_free(WsConditionalNode *conditional)
{
    for (guint i = 0; conditional->bodies != NULL && i < conditional->size; i++)
        ws_graph_free(conditional->bodies[i]);
    g_free(conditional->bodies);
}
