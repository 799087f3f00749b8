/* In which order the nodes of a graph run, found once before it can be launched. */
#include "runtime/graphs.h"

static gboolean is_ready(const WsNode *node, const gboolean *done)
{
    for (guint i = 0; i < node->after->len; i++)
        if (!done[((const WsNode *)node->after->pdata[i])->index])
            return FALSE;
    return TRUE;
}

/* The first node that is ready comes first. NULL: edges make a circle, of which *ret_node is. */
static guint *order_of(const WsGraph *graph, WsNode **ret_node)
{
    const GPtrArray *nodes = graph->nodes;
    g_autofree guint *order = g_new(guint, nodes->len + 1);
    g_autofree gboolean *done = g_new0(gboolean, nodes->len + 1);
    for (guint filled = 0; filled < nodes->len; filled++) {
        guint next = 0;
        while (next < nodes->len && (done[next] || !is_ready(nodes->pdata[next], done)))
            next++;
        for (guint i = 0; next == nodes->len && i < nodes->len; i++)
            if (!done[i]) {
                *ret_node = nodes->pdata[i];
                return NULL;
            }
        done[next] = TRUE;
        order[filled] = next;
    }
    return g_steal_pointer(&order);
}

/* Of the body of a conditional node, and of all graphs in it. */
static gboolean is_for_body(const WsNode *node)
{
    switch (node->type) {
    case cudaGraphNodeTypeKernel:
    case cudaGraphNodeTypeMemcpy:
    case cudaGraphNodeTypeMemset:
    case cudaGraphNodeTypeGraph:
    case cudaGraphNodeTypeEmpty:
    case cudaGraphNodeTypeConditional:
        return TRUE;
    default:
        return FALSE;
    }
}

static gboolean prepare(WsGraph *graph, gboolean in_body, cudaGraphInstantiateResult *ret,
                        WsNode **ret_node)
{
    g_clear_pointer(&graph->order, g_free);
    graph->order = order_of(graph, ret_node);
    *ret = cudaGraphInstantiateInvalidStructure;
    if (graph->order == NULL)
        return FALSE;
    for (guint i = 0; i < graph->nodes->len; i++) {
        const WsNode *node = graph->nodes->pdata[i];
        *ret_node = graph->nodes->pdata[i];
        *ret = cudaGraphInstantiateNodeOperationNotSupported;
        if (in_body && !is_for_body(node))
            return FALSE;
        if (node->type == cudaGraphNodeTypeGraph && !prepare(node->child, in_body, ret, ret_node))
            return FALSE;
        for (guint k = 0; node->type == cudaGraphNodeTypeConditional && k < node->conditional.size;
             k++)
            if (!prepare(node->conditional.bodies[k], TRUE, ret, ret_node))
                return FALSE;
    }
    *ret = cudaGraphInstantiateConditionalHandleUnused;
    *ret_node = NULL;
    for (guint i = 0; i < graph->conditions->len; i++)
        if (!((const WsCondition *)graph->conditions->pdata[i])->has_node)
            return FALSE;
    *ret = cudaGraphInstantiateSuccess;
    return TRUE;
}

gboolean ws_graph_prepare(WsGraph *graph, cudaGraphInstantiateResult *ret, WsNode **ret_node)
{
    return prepare(graph, FALSE, ret, ret_node);
}
