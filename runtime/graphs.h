/*
 * Graphs: nodes that are run one after the other, each behind those that it depends on. As with
 * CUDA, a program does not use one graph in two threads at a time.
 */
#ifndef WS_RUNTIME_GRAPHS_H
#define WS_RUNTIME_GRAPHS_H

#include "isa/cuda/include/warpstep/array_types.h"
#include "isa/cuda/include/warpstep/graph_types.h"
#include "runtime/runtime.h"

typedef WsDim3 dim3; /* of C */
#include "isa/cuda/include/warpstep/graph_node_types.h"

typedef struct WsGraph WsGraph;

/* What cudaGraphConditionalHandleCreate() made. Its handle is the address of a word of device
 * memory. */
typedef struct {
    guint references;
    cudaGraphConditionalHandle handle;
    guint32 value;     /* at the beginning of a launch */
    gboolean is_reset; /* to that value; or it begins as it is */
    gboolean has_node;
} WsCondition;

typedef struct {
    WsCondition *condition;
    enum cudaGraphConditionalNodeType type;
    guint size;
    WsGraph **bodies; /* `size` of them */
} WsConditionalNode;

/* CUDA's struct cudaKernelNodeParams, without the C++ of dim3. */
typedef struct {
    const void *function;
    WsDim3 grid, block;
    unsigned int shared;
    void **arguments; /* of a node: copies of the values, an array of pointers that NULL ends */
    void **extra;
} WsKernelNode;

/* Addresses of nodes that allocate, one behind the other, each of which frees before the next. */
typedef struct {
    guint references; /* of nodes, and of memory that is allocated */
    guint64 address;  /* 0: cudaDeviceReset() has freed it */
    gsize bytes;
    guint64 owner;                                /* serial of the graph whose nodes allocate it */
    gboolean is_freed_inside, is_freed_elsewhere; /* by a node of it, or of another graph */
    guint freed_by;                               /* index of the node, of the former */
    gboolean has_memory;
} WsBlock;

typedef struct {
    WsBlock *block;
    gsize bytes; /* of a node that allocates */
} WsMemoryNode;

typedef struct {
    guint32 magic;
    enum cudaGraphNodeType type;
    gboolean cooperative;
    gboolean is_captured; /* a stream was given it, and no call that adds nodes */
    WsGraph *graph;
    GPtrArray *after; /* of WsNode */
    guint index;      /* of its graph */
    union {
        WsKernelNode kernel;
        struct cudaMemcpy3DParms copy; /* with an extent of height 0: of bytes in one row */
        struct cudaMemsetParams fill;
        struct cudaHostNodeParams host;
        WsGraph *child;
        WsConditionalNode conditional;
        WsMemoryNode memory;
    };
} WsNode;

struct WsGraph {
    guint32 magic;
    GPtrArray
        *nodes; /* in the order of adding, in which they can run unless edges were added later */
    GPtrArray *conditions; /* of WsCondition */
    WsNode *owner;         /* the conditional node whose body it is; or NULL */
    guint64 serial;
    guint *instances; /* that can be launched, where it has nodes that allocate or free */
    guint *order;     /* indices of nodes, each behind what it needs; NULL: not prepared */
};

WsGraph *ws_graph_new(void);
void ws_graph_free(WsGraph *graph);
/* NULL: not a graph of ours. */
WsGraph *ws_graph_of(cudaGraph_t graph);
/*
 * Finds the order of its nodes, and of those of all graphs in it. FALSE: edges make a circle, or a
 * body has a node that it may not have; *ret says which, the node is in *ret_node.
 */
gboolean ws_graph_prepare(WsGraph *graph, cudaGraphInstantiateResult *ret, WsNode **ret_node);
/* A node behind others of the graph. */
WsNode *ws_graph_add(WsGraph *graph, enum cudaGraphNodeType type, WsNode *const *after,
                     gsize count);
/*
 * The same for what a program gave. NULL: an argument is wrong; `valid`: those that are not seen
 * here are right.
 */
WsNode *ws_graph_add_given(cudaGraphNode_t *ret, cudaGraph_t graph, const cudaGraphNode_t *after,
                           gsize count, gboolean valid, enum cudaGraphNodeType type);
/* Takes back the node that was added last. */
void ws_graph_remove_last(WsGraph *graph);
/* NULL: not a node of ours. */
WsNode *ws_node_of(cudaGraphNode_t node);
/* All of `nodes` belong to the graph. */
gboolean ws_graph_has_nodes(const WsGraph *graph, const cudaGraphNode_t *nodes, gsize count);
/* Marks the node, by its index, and all that it comes behind. */
void ws_node_mark(const WsNode *node, gboolean *reached);
/* No edge has data, which is not supported. `edges` may be NULL. */
gboolean ws_edges_are_plain(const cudaGraphEdgeData *edges, gsize count);
/* It, or a graph in it, has a node of the type. */
gboolean ws_graph_has_type(const WsGraph *graph, enum cudaGraphNodeType type);
/* Copies the arguments' values. Errors as a launch of the kernel has them. */
cudaError_t ws_node_set_kernel(WsNode *node, const WsKernelNode *kernel);
/* A copy of the nodes' contents and edges. Conditions are the same. */
WsGraph *ws_graph_clone(const WsGraph *graph);

/* Nodes that allocate and free, of a graph or of what a stream is given. NULL with an error. */
WsNode *ws_graph_add_allocation(WsGraph *graph, WsNode *const *after, gsize count, gsize bytes,
                                cudaError_t *error);
WsNode *ws_graph_add_free(WsGraph *graph, WsNode *const *after, gsize count, const void *pointer,
                          cudaError_t *error);
void ws_memory_node_copy(WsNode *to, const WsMemoryNode *from);
void ws_memory_node_free(WsMemoryNode *node);
/* It has such a node. Graphs in it have none. */
gboolean ws_graph_has_memory(const WsGraph *graph);
/* Before a launch. `frees`: memory of the last one that was not freed is; else that is an error. */
cudaError_t ws_graph_check_memory(const WsGraph *graph, gboolean frees);
cudaError_t ws_memory_node_run(const WsNode *node);

/* What a node is told anew, of its own type. */
cudaError_t ws_node_set(WsNode *node, const struct cudaGraphNodeParams *parameters);
gboolean ws_fill_is_valid(const struct cudaMemsetParams *fill);

/* cudaGraphAddNode() of a conditional node. */
cudaError_t ws_conditional_add(cudaGraphNode_t *ret, cudaGraph_t graph,
                               const cudaGraphNode_t *after, gsize count,
                               struct cudaConditionalNodeParams *parameters);
/* Of a conditional node: copies bodies; frees them. */
void ws_conditional_copy(WsNode *to, const WsConditionalNode *from);
void ws_conditional_free(WsConditionalNode *conditional);
void ws_condition_unref(gpointer condition);
/* Conditions of a graph and of those in it get their values of the beginning of a launch. */
void ws_graph_reset_conditions(const WsGraph *graph);
/* What the condition's word is now. */
guint32 ws_condition_value(const WsCondition *condition);

/* Copies of a kernel's arguments, for ws_arguments_free(). Locks the runtime. */
cudaError_t ws_kernel_copy_arguments(const void *function, void **arguments, void ***ret);
void ws_arguments_free(void **arguments);

#endif
