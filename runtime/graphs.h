/*
 * Graphs: nodes that are run one after the other, each behind those that it depends on. As with
 * CUDA, a program does not use one graph in two threads at a time.
 */
#ifndef WS_RUNTIME_GRAPHS_H
#define WS_RUNTIME_GRAPHS_H

#include "isa/cuda/include/warpstep/array_types.h"
#include "isa/cuda/include/warpstep/graph_types.h"
#include "runtime/runtime.h"

typedef struct WsGraph WsGraph;

/* CUDA's struct cudaKernelNodeParams, without the C++ of dim3. */
typedef struct {
    const void *function;
    WsDim3 grid, block;
    unsigned int shared;
    void **arguments; /* of a node: copies of the values, an array of pointers that NULL ends */
    void **extra;
} WsKernelNode;

typedef struct {
    guint32 magic;
    enum cudaGraphNodeType type;
    gboolean cooperative;
    WsGraph *graph;
    GPtrArray *after; /* of WsNode */
    guint index;      /* of its graph */
    union {
        WsKernelNode kernel;
        struct cudaMemcpy3DParms copy; /* with an extent of height 0: of bytes in one row */
        struct cudaMemsetParams fill;
        struct cudaHostNodeParams host;
        WsGraph *child;
    };
} WsNode;

WsGraph *ws_graph_new(void);
void ws_graph_free(WsGraph *graph);
/* NULL: not a graph of ours. */
WsGraph *ws_graph_of(cudaGraph_t graph);
/* Nodes in the order of adding, which is one in which they can run unless edges were added later.
 */
const GPtrArray *ws_graph_nodes(const WsGraph *graph);
/* A node behind others of the graph. */
WsNode *ws_graph_add(WsGraph *graph, enum cudaGraphNodeType type, WsNode *const *after,
                     gsize count);
/* Copies the arguments' values. Errors as a launch of the kernel has them. */
cudaError_t ws_node_set_kernel(WsNode *node, const WsKernelNode *kernel);
/* A copy of the nodes' contents and edges. */
WsGraph *ws_graph_clone(const WsGraph *graph);

/* Copies of a kernel's arguments, for ws_arguments_free(). Locks the runtime. */
cudaError_t ws_kernel_copy_arguments(const void *function, void **arguments, void ***ret);
void ws_arguments_free(void **arguments);

#endif
