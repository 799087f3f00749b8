/* Natural loops of a graph: iterative and near linear. */
#ifndef WS_ISA_FLOW_LOOPS_H
#define WS_ISA_FLOW_LOOPS_H

#include "isa/flow/graph.h"

/* A natural loop: all nodes that reach a back edge to `header` without passing `header`. */
typedef struct {
    guint32 header;
    guint32 parent; /* index of the loop around it, or WS_NO_NODE */
    guint32 depth;  /* 1 = outermost */
    guint32 home;   /* the nearest dominator of the header that lies in fewer loops, or the entry */
    gboolean has_inner; /* there are loops in it */
} WsLoop;

typedef struct {
    WsLoop *loops; /* outer loops before inner ones, by reverse post-order of the headers */
    guint32 loop_count;
    guint32 *innermost; /* per node: index of the innermost loop it is in, or WS_NO_NODE */
} WsLoops;

/* Loops of what `entry` reaches. Cycles with several entries (irreducible) are not loops here. */
WsLoops *ws_graph_loops(const WsGraph *graph, guint32 entry);
void ws_loops_free(WsLoops *loops);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsLoops, ws_loops_free)

/* Nesting depth of a node, 0 outside of loops. */
guint32 ws_loop_depth(const WsLoops *loops, guint32 node);
/* Whether a node is in a loop, or in one that it holds. Takes time by how much deeper the node is.
 */
gboolean ws_loop_holds(const WsLoops *loops, guint32 loop, guint32 node);
/*
 * Where compiled code makes what no turn of a loop changes: for a node of a loop without loops in
 * it the nearest node on all paths there that lies in fewer loops, else the node itself.
 */
guint32 ws_loop_hoist_node(const WsLoops *loops, guint32 node);

#endif
