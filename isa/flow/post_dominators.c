#include "isa/flow/dominators.h"

#include <string.h>

/*
 * The graph turned round, with the exit as node `count` and an edge from it to every way out. Edges
 * into what cannot leave are left out where the node they come from can.
 */
static WsGraph *with_exit_reversed(const WsGraph *graph)
{
    guint32 count = graph->count;
    g_autoptr(WsGraph) back = ws_graph_reversed(graph);
    g_autoptr(GArray) edges = g_array_new(FALSE, FALSE, sizeof(WsEdge));
    g_autofree guint8 *leaves = g_new0(guint8, (gsize)count + 1);
    g_autofree guint32 *stack = g_new(guint32, (gsize)count + 1);
    for (guint32 n = 0; n < count; n++) {
        if (graph->first[n] == graph->first[n + 1]) {
            WsEdge edge = {count, n};
            g_array_append_val(edges, edge);
            ws_graph_mark(back, n, leaves, stack);
        }
    }
    for (guint32 n = 0; n < count; n++) {
        for (guint32 e = back->first[n]; e < back->first[n + 1]; e++) {
            WsEdge edge = {n, back->successors[e]};
            if (leaves[n] || !leaves[edge.to])
                g_array_append_val(edges, edge);
        }
    }
    /* The last node of an endless region is most often the jump back: the way out is put there. */
    for (guint32 n = count; n-- > 0;) {
        if (!leaves[n]) {
            WsEdge edge = {count, n};
            g_array_append_val(edges, edge);
            ws_graph_mark(back, n, leaves, stack);
        }
    }
    return ws_graph_new(count + 1, (const WsEdge *)(gpointer)edges->data, edges->len);
}

guint32 *ws_graph_post_dominators(const WsGraph *graph)
{
    g_autoptr(WsGraph) back = with_exit_reversed(graph);
    return ws_graph_dominators(back, graph->count);
}
