#include "isa/control_flow.h"

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

static guint32 meet(const guint32 *dominator, const guint32 *position, guint32 a, guint32 b)
{
    while (a != b) {
        while (position[a] > position[b]) {
            a = dominator[a];
        }
        while (position[b] > position[a]) {
            b = dominator[b];
        }
    }
    return a;
}

guint32 *ws_graph_dominators(const WsGraph *graph, guint32 entry)
{
    guint32 *dominator = g_new(guint32, (gsize)graph->count + 1);
    memset(dominator, 0xff, sizeof(guint32) * ((gsize)graph->count + 1));
    if (graph->count == 0) {
        return dominator;
    }
    guint32 reached;
    g_autofree guint32 *order = ws_graph_reverse_post_order(graph, entry, &reached);
    g_autofree guint32 *position = g_new0(guint32, graph->count);
    for (guint32 i = 0; i < reached; i++) {
        position[order[i]] = i;
    }
    g_autoptr(WsGraph) back = ws_graph_reversed(graph);
    dominator[entry] = entry;
    gboolean changed = TRUE;
    while (changed) {
        changed = FALSE;
        for (guint32 i = 1; i < reached; i++) {
            guint32 node = order[i];
            guint32 best = WS_NO_NODE;
            for (guint32 e = back->first[node]; e < back->first[node + 1]; e++) {
                guint32 before = back->successors[e];
                if (dominator[before] != WS_NO_NODE) {
                    best = best == WS_NO_NODE ? before : meet(dominator, position, best, before);
                }
            }
            if (dominator[node] != best) {
                dominator[node] = best;
                changed = TRUE;
            }
        }
    }
    return dominator;
}

gboolean ws_dominates(const guint32 *immediate_dominators, guint32 a, guint32 b)
{
    while (b != a) {
        guint32 up = immediate_dominators[b];
        if (up == b || up == WS_NO_NODE) {
            return FALSE;
        }
        b = up;
    }
    return TRUE;
}

/* Marks what reaches `node` over edges of `back` (reversed graph). */
static void mark_backward(const WsGraph *back, guint32 node, guint8 *marked, guint32 *stack)
{
    guint32 depth = 0;
    if (!marked[node]) {
        marked[node] = TRUE;
        stack[depth++] = node;
    }
    while (depth > 0) {
        guint32 at = stack[--depth];
        for (guint32 e = back->first[at]; e < back->first[at + 1]; e++) {
            guint32 before = back->successors[e];
            if (!marked[before]) {
                marked[before] = TRUE;
                stack[depth++] = before;
            }
        }
    }
}

/* The graph turned round, with the exit as node `count` and an edge from it to every way out. */
static WsGraph *with_exit_reversed(const WsGraph *graph)
{
    guint32 count = graph->count;
    g_autoptr(WsGraph) back = ws_graph_reversed(graph);
    g_autoptr(GArray) edges = g_array_new(FALSE, FALSE, sizeof(WsEdge));
    g_autofree guint8 *leaves = g_new0(guint8, (gsize)count + 1);
    g_autofree guint32 *stack = g_new(guint32, (gsize)count + 1);
    for (guint32 n = 0; n < count; n++) {
        for (guint32 e = back->first[n]; e < back->first[n + 1]; e++) {
            WsEdge edge = {n, back->successors[e]};
            g_array_append_val(edges, edge);
        }
        if (graph->first[n] == graph->first[n + 1]) {
            WsEdge edge = {count, n};
            g_array_append_val(edges, edge);
            mark_backward(back, n, leaves, stack);
        }
    }
    /* The last node of an endless region is most often the jump back: the way out is put there. */
    for (guint32 n = count; n-- > 0;) {
        if (!leaves[n]) {
            WsEdge edge = {count, n};
            g_array_append_val(edges, edge);
            mark_backward(back, n, leaves, stack);
        }
    }
    return ws_graph_new(count + 1, (const WsEdge *)(gpointer)edges->data, edges->len);
}

guint32 *ws_graph_post_dominators(const WsGraph *graph)
{
    g_autoptr(WsGraph) back = with_exit_reversed(graph);
    return ws_graph_dominators(back, graph->count);
}

/* Adds one level of depth to the body of the loop at `header`. */
static void collect_loop(const WsGraph *back, WsLoops *ret, guint32 loop, GArray *tails,
                         guint32 *mark, guint32 *stack)
{
    guint32 header = ret->loops[loop].header;
    guint32 depth = 0;
    mark[header] = loop;
    for (guint i = 0; i < tails->len; i++) {
        guint32 tail = g_array_index(tails, guint32, i);
        if (mark[tail] != loop) {
            mark[tail] = loop;
            stack[depth++] = tail;
        }
    }
    ret->innermost[header] = loop;
    while (depth > 0) {
        guint32 node = stack[--depth];
        ret->innermost[node] = loop;
        for (guint32 e = back->first[node]; e < back->first[node + 1]; e++) {
            guint32 before = back->successors[e];
            if (mark[before] != loop) {
                mark[before] = loop;
                stack[depth++] = before;
            }
        }
    }
}

WsLoops *ws_graph_loops(const WsGraph *graph, guint32 entry)
{
    WsLoops *ret = g_new0(WsLoops, 1);
    gsize size = (gsize)graph->count + 1;
    ret->innermost = g_new(guint32, size);
    memset(ret->innermost, 0xff, sizeof(guint32) * size);
    ret->loops = g_new0(WsLoop, size);
    guint32 reached;
    g_autofree guint32 *order = ws_graph_reverse_post_order(graph, entry, &reached);
    g_autofree guint32 *dominator = ws_graph_dominators(graph, entry);
    g_autoptr(WsGraph) back = ws_graph_reversed(graph);
    g_autofree guint32 *position = g_new0(guint32, size);
    g_autofree guint32 *mark = g_memdup2(ret->innermost, sizeof(guint32) * size);
    g_autofree guint32 *stack = g_new(guint32, size);
    g_autoptr(GArray) tails = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint32 i = 0; i < reached; i++) {
        position[order[i]] = i;
    }
    for (guint32 i = 0; i < reached; i++) {
        guint32 header = order[i];
        g_array_set_size(tails, 0);
        for (guint32 e = back->first[header]; e < back->first[header + 1]; e++) {
            guint32 tail = back->successors[e];
            if (dominator[tail] != WS_NO_NODE && position[tail] >= i &&
                ws_dominates(dominator, header, tail)) {
                g_array_append_val(tails, tail);
            }
        }
        if (tails->len > 0) {
            guint32 parent = ret->innermost[header];
            guint32 loop = ret->loop_count++;
            guint32 depth = parent == WS_NO_NODE ? 1 : ret->loops[parent].depth + 1;
            ret->loops[loop] = (WsLoop){header, parent, depth};
            collect_loop(back, ret, loop, tails, mark, stack);
        }
    }
    return ret;
}

void ws_loops_free(WsLoops *loops)
{
    if (loops != NULL) {
        g_free(loops->loops);
        g_free(loops->innermost);
        g_free(loops);
    }
}

guint32 ws_loop_depth(const WsLoops *loops, guint32 node)
{
    guint32 loop = loops->innermost[node];
    return loop == WS_NO_NODE ? 0 : loops->loops[loop].depth;
}

guint32 ws_loop_home(const WsLoops *loops, const guint32 *dominators, guint32 node)
{
    guint32 loop = loops->innermost[node];
    for (guint32 l = 0; l < loops->loop_count && loop != WS_NO_NODE; l++)
        if (loops->loops[l].parent == loop)
            return node;
    guint32 home = node;
    while (loop != WS_NO_NODE && ws_loop_depth(loops, home) >= ws_loop_depth(loops, node) &&
           dominators[home] != home)
        home = dominators[home];
    return home;
}
