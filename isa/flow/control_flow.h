/*
 * Control-flow analysis: basic blocks of bytecode, and on any small directed graph reverse
 * post-order, dominators, immediate post-dominators and natural loops. All of it is iterative and
 * near linear.
 *
 * Nodes are numbered from 0. Results are arrays with one entry a node, to be freed with g_free().
 */
#ifndef WS_ISA_FLOW_CONTROL_FLOW_H
#define WS_ISA_FLOW_CONTROL_FLOW_H

#include "isa/bytecode/instruction.h"

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

/* ---- bytecode ---------------------------------------------------------------------------------
 */

typedef struct {
    guint32 first; /* instruction number */
    guint32 count;
} WsBlock;

/*
 * Basic blocks of instructions `first` .. `first + count - 1` of a program, in their order. Edges:
 * a branch that some lanes may not take goes on to the next instruction first, then to its target.
 * CALL goes on to the next instruction (the callee is apart, see `entries`); RET, EXIT and BPT have
 * no successor unless guarded. BRX goes to any row of its table: the unguarded BRA that stand at
 * its target, one after the other. This is drawn as an edge to the first row and one from each row
 * to the next, so that the graph stays as small as the code. Edges that leave the range are left
 * out (the verifier refuses them).
 */
typedef struct {
    WsBlock *blocks;
    guint32 block_count;
    guint32 *block_of;  /* [count]: block of instruction first + i */
    guint8 *in_table;   /* [count]: TRUE for the rows of BRX tables */
    WsGraph *graph;     /* over blocks */
    GArray *entries;    /* of guint32: block 0 and the blocks that CALL names */
    gboolean falls_off; /* control may run past the last instruction */
} WsControlFlow;

WsControlFlow *ws_control_flow_new(const WsInstruction *program, guint32 first, guint32 count);
void ws_control_flow_free(WsControlFlow *flow);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsControlFlow, ws_control_flow_free)

/* TRUE if some lanes may go on to the next instruction: guarded, or with a condition operand. */
gboolean ws_branch_is_conditional(const WsInstruction *branch);

/* The instruction number that operand Tg names, or WS_NO_NODE if the row has none. */
guint32 ws_branch_target(const WsInstruction *instruction);
/* Sets it; the row must have a Tg. */
void ws_branch_set_target(WsInstruction *instruction, guint32 target);

#endif
