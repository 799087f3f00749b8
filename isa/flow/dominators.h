/* Dominators and post-dominators of a graph: iterative and near linear. Results: g_free(). */
#ifndef WS_ISA_FLOW_DOMINATORS_H
#define WS_ISA_FLOW_DOMINATORS_H

#include "isa/flow/graph.h"

/* Immediate dominators: entry has itself, nodes that are not reached have WS_NO_NODE. */
guint32 *ws_graph_dominators(const WsGraph *graph, guint32 entry);

/* Who dominates whom in the tree of ws_graph_dominators(), or of post-dominators. */
typedef struct {
    guint32 *begin; /* [count]: numbers of a walk through the tree; a node's come first, then */
    guint32 *end;   /* [count]: those of all that it dominates, up to this one */
    const guint32 *up;
} WsDominance;

/* For nodes 0..count - 1; `immediate_dominators` must stay. */
WsDominance *ws_dominance_new(const guint32 *immediate_dominators, guint32 count);
void ws_dominance_free(WsDominance *dominance);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsDominance, ws_dominance_free)

static inline gboolean ws_dominance_holds(const WsDominance *dominance, guint32 a, guint32 b)
{
    return dominance->begin[a] <= dominance->begin[b] && dominance->begin[b] < dominance->end[a];
}

/*
 * Immediate post-dominators. Nodes without successors leave the graph; the common exit behind them
 * is number graph->count, so an entry equal to that means "nothing before the end". Ways into nodes
 * that cannot leave the graph (an endless loop) do not count: whoever takes one comes nowhere else.
 * Among such nodes one edge of each region to the exit is made up, so that every node has a
 * post-dominator.
 */
guint32 *ws_graph_post_dominators(const WsGraph *graph);

#endif
