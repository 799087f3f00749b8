#include "isa/flow/graph.h"

#include <string.h>

WsGraph *ws_graph_new(guint32 count, const WsEdge *edges, gsize edge_count)
{
    WsGraph *graph = g_new0(WsGraph, 1);
    graph->count = count;
    graph->first = g_new0(guint32, (gsize)count + 1);
    graph->successors = g_new(guint32, edge_count + 1);
    for (gsize e = 0; e < edge_count; e++) {
        graph->first[edges[e].from + 1]++;
    }
    for (guint32 n = 0; n < count; n++) {
        graph->first[n + 1] += graph->first[n];
    }
    g_autofree guint32 *next = g_memdup2(graph->first, sizeof(guint32) * ((gsize)count + 1));
    for (gsize e = 0; e < edge_count; e++) {
        graph->successors[next[edges[e].from]++] = edges[e].to;
    }
    return graph;
}

WsGraph *ws_graph_reversed(const WsGraph *graph)
{
    guint32 edge_count = graph->first[graph->count];
    g_autofree WsEdge *edges = g_new(WsEdge, (gsize)edge_count + 1);
    for (guint32 n = 0; n < graph->count; n++) {
        for (guint32 e = graph->first[n]; e < graph->first[n + 1]; e++) {
            edges[e] = (WsEdge){graph->successors[e], n};
        }
    }
    return ws_graph_new(graph->count, edges, edge_count);
}

void ws_graph_free(WsGraph *graph)
{
    if (graph != NULL) {
        g_free(graph->first);
        g_free(graph->successors);
        g_free(graph);
    }
}

guint32 *ws_graph_reverse_post_order(const WsGraph *graph, guint32 entry, guint32 *ret_count)
{
    guint32 *order = g_new(guint32, (gsize)graph->count + 1);
    g_autofree guint32 *next = g_memdup2(graph->first, sizeof(guint32) * ((gsize)graph->count + 1));
    g_autofree guint32 *stack = g_new(guint32, (gsize)graph->count + 1);
    g_autofree guint8 *seen = g_new0(guint8, (gsize)graph->count + 1);
    guint32 depth = 0;
    guint32 done = 0;
    if (graph->count > 0) {
        stack[depth++] = entry;
        seen[entry] = TRUE;
    }
    while (depth > 0) {
        guint32 node = stack[depth - 1];
        if (next[node] == graph->first[node + 1]) {
            order[done++] = node;
            depth--;
            continue;
        }
        guint32 successor = graph->successors[next[node]++];
        if (!seen[successor]) {
            seen[successor] = TRUE;
            stack[depth++] = successor;
        }
    }
    for (guint32 i = 0; i < done / 2; i++) {
        guint32 swap = order[i];
        order[i] = order[done - 1 - i];
        order[done - 1 - i] = swap;
    }
    if (ret_count != NULL) {
        *ret_count = done;
    }
    return order;
}

guint32 ws_graph_mark(const WsGraph *graph, guint32 node, guint8 *marked, guint32 *stack)
{
    guint32 depth = 0;
    guint32 count = 0;
    if (!marked[node]) {
        marked[node] = TRUE;
        stack[depth++] = node;
    }
    while (depth > 0) {
        guint32 at = stack[--depth];
        count++;
        for (guint32 e = graph->first[at]; e < graph->first[at + 1]; e++) {
            guint32 next = graph->successors[e];
            if (!marked[next]) {
                marked[next] = TRUE;
                stack[depth++] = next;
            }
        }
    }
    return count;
}
