#include "isa/flow/trap_ways.h"

static gboolean is_trap(const WsInstruction *last)
{
    return ws_kind_is_trap(ws_instruction_kind(last)) && !ws_is_guarded(last);
}

/* Marks the blocks that lead to an end which is a trap, or to one that is none. */
static void mark_leading(const WsInstruction *code, const WsControlFlow *flow, const WsGraph *back,
                         gboolean traps, guint8 *ret)
{
    const WsGraph *graph = flow->graph;
    g_autofree guint32 *stack = g_new(guint32, (gsize)graph->count + 1);
    for (guint32 b = 0; b < graph->count; b++) {
        const WsBlock *block = &flow->blocks[b];
        gboolean ends = graph->first[b] == graph->first[b + 1];
        if (ends && is_trap(&code[block->first + block->count - 1]) == traps)
            ws_graph_mark(back, b, ret, stack);
    }
}

WsGraph *ws_graph_without_traps(const WsInstruction *code, const WsControlFlow *flow)
{
    const WsGraph *graph = flow->graph;
    g_autoptr(WsGraph) back = ws_graph_reversed(graph);
    g_autoptr(GArray) edges = g_array_new(FALSE, FALSE, sizeof(WsEdge));
    g_autofree guint8 *to_trap = g_new0(guint8, (gsize)graph->count + 1);
    g_autofree guint8 *to_end = g_new0(guint8, (gsize)graph->count + 1);
    mark_leading(code, flow, back, TRUE, to_trap);
    mark_leading(code, flow, back, FALSE, to_end);
    for (guint32 b = 0; b < graph->count; b++) {
        for (guint32 e = graph->first[b]; e < graph->first[b + 1]; e++) {
            WsEdge edge = {b, graph->successors[e]};
            if (!to_trap[edge.to] || to_end[edge.to] || !to_end[b])
                g_array_append_val(edges, edge);
        }
    }
    return ws_graph_new(graph->count, (const WsEdge *)(gpointer)edges->data, edges->len);
}
