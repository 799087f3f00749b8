#include "isa/converge/convergence.h"
#include "isa/flow/dominators.h"

#include <string.h>

/* Exits tried as the main one: programs have one or two, and asserts by the dozen. */
enum { MAX_EXITS = 32 };

/*
 * The main exit is the EXIT that most blocks reach, the last of them if there are several; that of
 * a body is its RET.
 */
static void find_early_ends(WsJoins *joins, const WsIrFunction *function)
{
    guint32 count = joins->graph->count;
    g_autoptr(WsGraph) reversed = ws_graph_reversed(joins->graph);
    g_autofree guint8 *reaching = g_new0(guint8, count + 1);
    g_autofree guint32 *stack = g_new(guint32, count + 1);
    guint32 best = 0;
    guint tried = 0;
    for (guint32 b = count; b-- > 0 && tried < MAX_EXITS;) {
        const WsIrBlock *block = ws_ir_block(function, b);
        if (!ws_is_kind(&block->branch, WS_KIND_EXIT) || block->next != WS_IR_NO_BLOCK)
            continue;
        tried++;
        memset(reaching, FALSE, count);
        guint32 size = ws_graph_mark(reversed, b, reaching, stack);
        if (size <= best)
            continue;
        best = size;
        for (guint32 i = 0; i < count; i++)
            joins->ends_early[i] = !reaching[i];
    }
    if (function->bodies == 0)
        return;
    memset(reaching, FALSE, count);
    for (guint32 b = 0; b < count; b++)
        if (ws_ir_block(function, b)->body != 0)
            ws_graph_mark(reversed, b, reaching, stack);
    for (guint32 i = 0; i < count; i++)
        joins->ends_early[i] &= !reaching[i];
}

/* The graph of what does not end early; the rest keeps its edges among itself. */
static WsGraph *graph_without_early_ends(const WsJoins *joins)
{
    const WsGraph *graph = joins->graph;
    g_autoptr(GArray) edges = g_array_new(FALSE, FALSE, sizeof(WsEdge));
    for (guint32 b = 0; b < graph->count; b++) {
        guint32 kept = 0;
        for (guint32 e = graph->first[b]; e < graph->first[b + 1]; e++) {
            WsEdge edge = {b, graph->successors[e]};
            if (joins->ends_early[edge.to] && !joins->ends_early[b])
                continue;
            g_array_append_val(edges, edge);
            kept++;
        }
        joins->meets[b] = kept >= 2;
    }
    return ws_graph_new(graph->count, (const WsEdge *)(void *)edges->data, edges->len);
}

WsJoins *ws_joins_new(const WsIrFunction *function)
{
    WsJoins *joins = g_new0(WsJoins, 1);
    joins->graph = ws_ir_procedures(function, WS_IR_FROM_FIRST);
    guint32 count = joins->graph->count;
    joins->ends_early = g_new0(guint8, count + 1);
    joins->meets = g_new0(guint8, count + 1);
    find_early_ends(joins, function);
    g_autoptr(WsGraph) graph = graph_without_early_ends(joins);
    joins->joins = ws_graph_post_dominators(graph);
    joins->dominators = ws_graph_dominators(joins->graph, 0);
    return joins;
}

void ws_joins_free(WsJoins *joins)
{
    if (joins == NULL)
        return;
    ws_graph_free(joins->graph);
    g_free(joins->dominators);
    g_free(joins->joins);
    g_free(joins->ends_early);
    g_free(joins->meets);
    g_free(joins);
}

gboolean ws_is_bare_exit(const WsIrFunction *function, guint32 b)
{
    const WsIrBlock *block = ws_ir_block(function, b);
    return block->instructions->len == 0 && ws_is_kind(&block->branch, WS_KIND_EXIT) &&
           block->next == WS_IR_NO_BLOCK;
}

void ws_joins_region(const WsJoins *joins, guint32 block, gboolean include, guint32 join,
                     WsBlockSet *ret)
{
    const WsGraph *graph = joins->graph;
    guint32 at = block;
    guint next = 0;
    ws_block_set_empty(ret);
    if (include) {
        ws_block_set_add(ret, block);
        next++;
    }
    while (TRUE) {
        for (guint32 e = graph->first[at]; e < graph->first[at + 1]; e++) {
            if (graph->successors[e] != join)
                ws_block_set_add(ret, graph->successors[e]);
        }
        if (next == ret->count)
            return;
        at = ret->list[next++];
    }
}
