/*
 * What must stay behind what in a block, and by how many cycles it had better: the graph that
 * schedule.c orders instructions by.
 *
 * Order that is kept: reads and writes of registers, predicates and uniform registers; memory
 * accesses that may meet; volatile accesses and atomics that return with all memory; barriers,
 * convergence and clock reads with everything that must not pass them. What memory accesses may
 * meet: those of one space, unless both use the same base register value with offsets apart. Loads
 * pass loads.
 */
#ifndef WS_ISA_CODEGEN_SCHEDULE_GRAPH_H
#define WS_ISA_CODEGEN_SCHEDULE_GRAPH_H

#include "isa/ir/variables.h"

typedef struct {
    guint32 to;
    guint32 latency;
    guint32 next; /* edge + 1 */
} WsScheduleEdge;

/* An instruction of the block, its branch left out. */
typedef struct {
    guint32 first_edge;   /* edge + 1 */
    guint32 predecessors; /* edges that lead to it */
    guint32 priority;     /* longest path to the end */
    guint32 first_use;    /* in `uses`: variables it reads and writes */
    guint32 use_count;
    gboolean product; /* of the FMA pipe */
} WsScheduleNode;

typedef struct {
    guint32 variable;
    gboolean write;
} WsScheduleUse;

typedef struct {
    const WsIrFunction *function;
    const WsCompileOptions *options;
    WsVariables variables;
    gboolean early; /* predicates have no registers yet */
    WsIrBlock *block;
    GArray *nodes;   /* of WsScheduleNode */
    GArray *edges;   /* of WsScheduleEdge */
    GArray *uses;    /* of WsScheduleUse */
    GArray *touched; /* of guint32: variables and physical places that the block accesses */
    guint32 places;  /* variables and physical places */
    guint32 *reads;  /* per place, right for those that are touched: how often it is read */
    /* while it is built; per place, valid where the stamp is that of the block */
    guint32 *stamp;
    guint32 *writer;
    guint32 *readers; /* newest reader: entry + 1 of reader_lists */
    guint32 epoch;
    GArray *reader_lists; /* of WsEdge: node, next entry + 1 */
    GArray *pending;      /* of Access */
    guint32 fence;        /* node that everything follows */
    guint32 memory_fence; /* node that memory and warp-wide instructions follow */
} WsScheduleGraph;

/* `function` and `options` must stay. `early`: predicates are virtual. */
void ws_schedule_graph_init(WsScheduleGraph *ret, const WsIrFunction *function,
                            const WsCompileOptions *options, gboolean early);
void ws_schedule_graph_clear(WsScheduleGraph *graph);

/* Makes it the graph of a block. */
void ws_schedule_graph_build(WsScheduleGraph *graph, WsIrBlock *block);

static inline const WsScheduleNode *ws_schedule_node(const WsScheduleGraph *graph, guint32 n)
{
    return &g_array_index(graph->nodes, WsScheduleNode, n);
}

static inline const WsInstruction *ws_schedule_instruction(const WsScheduleGraph *graph, guint32 n)
{
    return &g_array_index(graph->block->instructions, WsInstruction, n);
}

#endif
