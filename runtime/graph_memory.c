/*
 * Nodes that allocate and free. The address is there when the node is added; it has memory from a
 * launch that runs the node up to what frees it. What errors are, where CUDA's documentation does
 * not say, is what an H100 gives (driver 580, CUDA 13.0).
 */
#include "runtime/graphs.h"

#include <string.h>

WS_RUNTIME_API cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *ret, cudaGraph_t graph,
                                                    const cudaGraphNode_t *after, size_t count,
                                                    struct cudaMemAllocNodeParams *parameters);
WS_RUNTIME_API cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                                          struct cudaMemAllocNodeParams *ret);
WS_RUNTIME_API cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *ret, cudaGraph_t graph,
                                                   const cudaGraphNode_t *after, size_t count,
                                                   void *pointer);
WS_RUNTIME_API cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *ret);
WS_RUNTIME_API cudaError_t cudaDeviceGraphMemTrim(int device);
WS_RUNTIME_API cudaError_t cudaDeviceGetGraphMemAttribute(int device,
                                                          enum cudaGraphMemAttributeType attribute,
                                                          void *ret);
WS_RUNTIME_API cudaError_t cudaDeviceSetGraphMemAttribute(int device,
                                                          enum cudaGraphMemAttributeType attribute,
                                                          void *value);

/* ---- blocks ------------------------------------------------------------------------------------
 */

static GPtrArray *blocks_of(WsRuntime *runtime)
{
    if (runtime->graph_memory.blocks == NULL)
        runtime->graph_memory.blocks = g_ptr_array_new();
    return runtime->graph_memory.blocks;
}

static WsBlock *find_block(WsRuntime *runtime, guint64 address)
{
    const GPtrArray *blocks = blocks_of(runtime);
    for (guint i = 0; i < blocks->len; i++)
        if (((WsBlock *)blocks->pdata[i])->address == address)
            return blocks->pdata[i];
    return NULL;
}

static void unref(WsRuntime *runtime, WsBlock *block)
{
    if (--block->references > 0)
        return;
    ws_memory_give_up(runtime, block->address);
    g_ptr_array_remove(blocks_of(runtime), block);
    g_free(block);
}

static cudaError_t give_memory(WsRuntime *runtime, WsBlock *block, gsize bytes)
{
    WsGraphMemory *all = &runtime->graph_memory;
    const cudaError_t error = ws_memory_fill_in(runtime, block->address, bytes);
    if (error != cudaSuccess)
        return error;
    block->has_memory = TRUE;
    block->references++;
    all->used += block->bytes;
    all->kept = MAX(all->kept, all->used);
    all->high = MAX(all->high, all->kept);
    return cudaSuccess;
}

static void take_memory(WsRuntime *runtime, WsBlock *block)
{
    ws_memory_empty(runtime, block->address);
    block->has_memory = FALSE;
    runtime->graph_memory.used -= block->bytes;
    unref(runtime, block);
}

cudaError_t ws_graph_memory_free(WsRuntime *runtime, guint64 address)
{
    WsBlock *block = find_block(runtime, address);
    if (block == NULL || !block->has_memory || block->is_freed_inside)
        return cudaErrorInvalidValue;
    take_memory(runtime, block);
    return cudaSuccess;
}

void ws_graph_memory_reset(WsRuntime *runtime)
{
    GPtrArray *blocks = blocks_of(runtime);
    while (blocks->len > 0) {
        WsBlock *block = g_ptr_array_steal_index(blocks, blocks->len - 1);
        ws_memory_give_up(runtime, block->address);
        block->address = 0;
        block->references -= block->has_memory ? 1 : 0;
        block->has_memory = FALSE;
        if (block->references == 0)
            g_free(block);
    }
    runtime->graph_memory.used = runtime->graph_memory.kept = 0;
}

/* ---- adding ------------------------------------------------------------------------------------
 */

/* One that a node of the graph has freed for certain when `node` runs. */
static WsBlock *find_freed(WsRuntime *runtime, const WsNode *node, gsize bytes)
{
    const GPtrArray *blocks = blocks_of(runtime);
    g_autofree gboolean *before = g_new0(gboolean, node->graph->nodes->len);
    ws_node_mark(node, before);
    for (guint i = 0; i < blocks->len; i++) {
        WsBlock *block = blocks->pdata[i];
        if (block->owner == node->graph->serial && block->is_freed_inside &&
            block->bytes >= bytes && before[block->freed_by])
            return block;
    }
    return NULL;
}

static WsBlock *new_block(WsRuntime *runtime, const WsGraph *graph, gsize bytes, cudaError_t *error)
{
    guint64 address = 0;
    *error = ws_runtime_use(runtime);
    if (*error == cudaSuccess)
        *error = ws_memory_reserve(runtime, bytes, WS_MEMORY_GRAPH, &address);
    if (*error != cudaSuccess)
        return NULL;
    WsBlock *block = g_new0(WsBlock, 1);
    *block = (WsBlock){.address = address, .bytes = bytes, .owner = graph->serial};
    g_ptr_array_add(blocks_of(runtime), block);
    return block;
}

WsNode *ws_graph_add_allocation(WsGraph *graph, WsNode *const *after, gsize count, gsize bytes,
                                cudaError_t *error)
{
    WsNode *node = ws_graph_add(graph, cudaGraphNodeTypeMemAlloc, after, count);
    WsRuntime *runtime = ws_runtime_enter();
    WsBlock *block = find_freed(runtime, node, bytes);
    *error = cudaSuccess;
    if (block == NULL)
        block = new_block(runtime, graph, bytes, error);
    if (block != NULL) {
        block->references++;
        block->is_freed_inside = FALSE;
        node->memory = (WsMemoryNode){.block = block, .bytes = bytes};
    }
    ws_runtime_leave(runtime, *error);
    if (block != NULL)
        return node;
    ws_graph_remove_last(graph);
    return NULL;
}

/* It is freed once, in the graph that has it or in others. */
static gboolean can_free(const WsGraph *graph, const WsBlock *block)
{
    if (block == NULL || block->is_freed_inside)
        return FALSE;
    for (guint i = 0; i < graph->nodes->len; i++) {
        const WsNode *node = graph->nodes->pdata[i];
        if (block->owner != graph->serial && node->type == cudaGraphNodeTypeMemFree &&
            node->memory.block == block)
            return FALSE;
    }
    return block->owner != graph->serial || !block->is_freed_elsewhere;
}

WsNode *ws_graph_add_free(WsGraph *graph, WsNode *const *after, gsize count, const void *pointer,
                          cudaError_t *error)
{
    WsRuntime *runtime = ws_runtime_enter();
    WsBlock *block = pointer != NULL ? find_block(runtime, (guint64)(gsize)pointer) : NULL;
    WsNode *node = NULL;
    *error = can_free(graph, block) ? cudaSuccess : cudaErrorInvalidValue;
    if (*error == cudaSuccess) {
        node = ws_graph_add(graph, cudaGraphNodeTypeMemFree, after, count);
        node->memory = (WsMemoryNode){.block = block};
        block->references++;
        block->is_freed_inside = block->owner == graph->serial;
        block->is_freed_elsewhere = !block->is_freed_inside;
        block->freed_by = node->index;
    }
    ws_runtime_leave(runtime, *error);
    return node;
}

void ws_memory_node_copy(WsNode *to, const WsMemoryNode *from)
{
    to->memory = *from;
    from->block->references++;
}

void ws_memory_node_free(WsMemoryNode *node)
{
    if (node->block == NULL)
        return;
    WsRuntime *runtime = ws_runtime_enter();
    unref(runtime, node->block);
    ws_runtime_leave(runtime, cudaSuccess);
}

static gboolean is_valid(const struct cudaMemAllocNodeParams *parameters)
{
    return parameters->bytesize > 0 &&
           parameters->poolProps.allocType == cudaMemAllocationTypePinned &&
           parameters->poolProps.handleTypes == cudaMemHandleTypeNone &&
           parameters->poolProps.location.type == cudaMemLocationTypeDevice &&
           parameters->poolProps.location.id == 0;
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *ret, cudaGraph_t graph,
                                     const cudaGraphNode_t *after, size_t count,
                                     struct cudaMemAllocNodeParams *parameters)
{
    WsGraph *found = ws_graph_of(graph);
    cudaError_t error = cudaSuccess;
    if (found == NULL || ret == NULL || parameters == NULL || !is_valid(parameters) ||
        (after == NULL && count > 0) || !ws_graph_has_nodes(found, after, count))
        return ws_runtime_return(cudaErrorInvalidValue);
    WsNode *node =
        ws_graph_add_allocation(found, (WsNode *const *)after, count, parameters->bytesize, &error);
    if (node != NULL) {
        *ret = (cudaGraphNode_t)node;
        parameters->dptr = (void *)(gsize)node->memory.block->address;
    }
    return ws_runtime_return(error);
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *ret, cudaGraph_t graph,
                                    const cudaGraphNode_t *after, size_t count, void *pointer)
{
    WsGraph *found = ws_graph_of(graph);
    cudaError_t error = cudaSuccess;
    if (found == NULL || ret == NULL || (after == NULL && count > 0) ||
        !ws_graph_has_nodes(found, after, count))
        return ws_runtime_return(cudaErrorInvalidValue);
    WsNode *node = ws_graph_add_free(found, (WsNode *const *)after, count, pointer, &error);
    if (node != NULL)
        *ret = (cudaGraphNode_t)node;
    return ws_runtime_return(error);
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, struct cudaMemAllocNodeParams *ret)
{
    const WsNode *found = ws_node_of(node);
    if (found == NULL || found->type != cudaGraphNodeTypeMemAlloc || ret == NULL)
        return ws_runtime_return(cudaErrorInvalidValue);
    *ret = (struct cudaMemAllocNodeParams){
        .poolProps = {.allocType = cudaMemAllocationTypePinned,
                      .location = {.type = cudaMemLocationTypeDevice}},
        .bytesize = found->memory.bytes,
        .dptr = (void *)(gsize)found->memory.block->address};
    return cudaSuccess;
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *ret)
{
    const WsNode *found = ws_node_of(node);
    if (found == NULL || found->type != cudaGraphNodeTypeMemFree || ret == NULL)
        return ws_runtime_return(cudaErrorInvalidValue);
    memcpy(ret, &found->memory.block->address, sizeof(void *));
    return cudaSuccess;
}

/* ---- launches ----------------------------------------------------------------------------------
 */

gboolean ws_graph_has_memory(const WsGraph *graph)
{
    return ws_graph_has_type(graph, cudaGraphNodeTypeMemAlloc) ||
           ws_graph_has_type(graph, cudaGraphNodeTypeMemFree);
}

/* A block of the graph has no memory yet; one of another graph that it frees has. */
static gboolean can_run(const WsGraph *graph, const WsNode *node)
{
    const WsBlock *block = node->memory.block;
    if (node->type == cudaGraphNodeTypeMemAlloc)
        return !block->has_memory;
    if (node->type != cudaGraphNodeTypeMemFree || block->has_memory)
        return TRUE;
    for (guint i = 0; i < graph->nodes->len; i++) {
        const WsNode *other = graph->nodes->pdata[i];
        if (other->type == cudaGraphNodeTypeMemAlloc && other->memory.block == block)
            return TRUE;
    }
    return FALSE;
}

cudaError_t ws_graph_check_memory(const WsGraph *graph, gboolean frees)
{
    if (!ws_graph_has_memory(graph))
        return cudaSuccess;
    WsRuntime *runtime = ws_runtime_enter();
    cudaError_t error = ws_runtime_use(runtime);
    for (guint i = 0; i < graph->nodes->len && error == cudaSuccess; i++) {
        const WsNode *node = graph->nodes->pdata[i];
        if (frees && node->type == cudaGraphNodeTypeMemAlloc && node->memory.block->has_memory)
            take_memory(runtime, node->memory.block);
        if (!can_run(graph, node))
            error = cudaErrorInvalidValue;
    }
    return ws_runtime_leave(runtime, error);
}

cudaError_t ws_memory_node_run(const WsNode *node)
{
    WsRuntime *runtime = ws_runtime_enter();
    WsBlock *block = node->memory.block;
    cudaError_t error = ws_runtime_use(runtime);
    if (error == cudaSuccess && node->type == cudaGraphNodeTypeMemAlloc)
        error = give_memory(runtime, block, node->memory.bytes);
    else if (error == cudaSuccess && !block->has_memory)
        error = cudaErrorInvalidValue;
    else if (error == cudaSuccess)
        take_memory(runtime, block);
    return ws_runtime_leave(runtime, error);
}

/* ---- how much there is -------------------------------------------------------------------------
 */

/* As a GPU maps it. */
static guint64 in_chunks(guint64 bytes)
{
    const guint64 chunk = 32 << 20;
    return (bytes + chunk - 1) / chunk * chunk;
}

static cudaError_t use(WsRuntime *runtime, int device)
{
    const cudaError_t error = ws_runtime_use(runtime);
    return error == cudaSuccess && device != 0 ? cudaErrorInvalidDevice : error;
}

cudaError_t cudaDeviceGraphMemTrim(int device)
{
    WsRuntime *runtime = ws_runtime_enter();
    const cudaError_t error = use(runtime, device);
    if (error == cudaSuccess)
        runtime->graph_memory.kept = runtime->graph_memory.used;
    return ws_runtime_leave(runtime, error);
}

/* All that graphs have is in use by them until it is trimmed. */
cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute,
                                           void *ret)
{
    WsRuntime *runtime = ws_runtime_enter();
    const WsGraphMemory *all = &runtime->graph_memory;
    cudaError_t error = use(runtime, device);
    if (error == cudaSuccess && (ret == NULL || (guint)attribute > cudaGraphMemAttrReservedMemHigh))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        const gboolean is_high = attribute == cudaGraphMemAttrUsedMemHigh ||
                                 attribute == cudaGraphMemAttrReservedMemHigh;
        const guint64 bytes = in_chunks(is_high ? all->high : all->kept);
        memcpy(ret, &bytes, sizeof bytes);
    }
    return ws_runtime_leave(runtime, error);
}

/* The high marks can be set to 0, which makes them what there is. */
cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute,
                                           void *value)
{
    static const guint64 zero = 0;
    WsRuntime *runtime = ws_runtime_enter();
    cudaError_t error = use(runtime, device);
    if (error == cudaSuccess && (value == NULL || memcmp(value, &zero, sizeof zero) != 0 ||
                                 (attribute != cudaGraphMemAttrUsedMemHigh &&
                                  attribute != cudaGraphMemAttrReservedMemHigh)))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        runtime->graph_memory.high = runtime->graph_memory.kept;
    return ws_runtime_leave(runtime, error);
}
