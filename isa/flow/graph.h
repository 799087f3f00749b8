/*
 * A directed graph and walks through it. What is found in graphs (isa/flow/dominators.h,
 * isa/flow/loops.h) and what is drawn as one (isa/flow/control_flow.h) builds on it.
 *
 * Nodes are numbered from 0. Results are arrays with one entry a node, to be freed with g_free().
 * All of it is iterative and linear.
 */
#ifndef WS_ISA_FLOW_GRAPH_H
#define WS_ISA_FLOW_GRAPH_H

#include <glib.h>

enum { WS_NO_NODE = G_MAXUINT32 };

/* Successor lists, one after the other: those of node n are successors[first[n] .. first[n+1]-1].
 */
typedef struct {
    guint32 count;       /* nodes */
    guint32 *first;      /* [count + 1] */
    guint32 *successors; /* [first[count]] */
} WsGraph;

typedef struct {
    guint32 from;
    guint32 to;
} WsEdge;

/* Edges may be in any order; those of one node keep theirs, duplicates stay. */
WsGraph *ws_graph_new(guint32 count, const WsEdge *edges, gsize edge_count);
/* All edges turned round. */
WsGraph *ws_graph_reversed(const WsGraph *graph);
void ws_graph_free(WsGraph *graph);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsGraph, ws_graph_free)

/*
 * The nodes that `entry` reaches, in reverse post-order of a depth-first search that takes
 * successors in order. `ret_count` gets their number; may be NULL.
 */
guint32 *ws_graph_reverse_post_order(const WsGraph *graph, guint32 entry, guint32 *ret_count);

/*
 * Marks `node` and all that it reaches, up to what is marked already; of a graph turned round, all
 * that reaches it. `stack` has room for every node. Returns how many it has marked.
 */
guint32 ws_graph_mark(const WsGraph *graph, guint32 node, guint8 *marked, guint32 *stack);

#endif
