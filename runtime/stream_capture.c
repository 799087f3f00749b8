#include "runtime/stream_capture.h"

struct WsCapture {
    guint64 serial;
    WsGraph *graph;
    gboolean is_given; /* the graph is the program's */
    guint given_nodes; /* that it had before */
    GPtrArray *parts;  /* of WsCapturing, that of the stream where it began first */
    gboolean is_invalid;
};

/* Captures that have begun and not ended, and how many have begun. As graphs, without a lock. */
static GPtrArray *open_captures;
static guint64 begun;

static void join(WsCapturing *capturing, WsCapture *capture)
{
    capturing->capture = capture;
    capturing->tail = g_ptr_array_new();
    g_ptr_array_add(capture->parts, capturing);
}

static void part(WsCapturing *capturing)
{
    capturing->capture = NULL;
    g_clear_pointer(&capturing->tail, g_ptr_array_unref);
}

void ws_stream_capture_begin(WsCapturing *capturing, WsGraph *graph)
{
    WsCapture *capture = g_new0(WsCapture, 1);
    capture->serial = ++begun;
    capture->is_given = graph != NULL;
    capture->graph = graph != NULL ? graph : ws_graph_new();
    capture->given_nodes = capture->graph->nodes->len;
    capture->parts = g_ptr_array_new();
    if (open_captures == NULL)
        open_captures = g_ptr_array_new();
    g_ptr_array_add(open_captures, capture);
    join(capturing, capture);
}

void ws_stream_capture_leave(WsCapturing *capturing)
{
    WsCapture *capture = capturing->capture;
    if (capture == NULL)
        return;
    capture->is_invalid = capture->is_invalid || capture->parts->pdata[0] == capturing;
    g_ptr_array_remove(capture->parts, capturing);
    part(capturing);
}

/* Whether the stream that began it has waited for all that others were given. */
static gboolean is_joined(const WsCapture *capture)
{
    const GPtrArray *nodes = capture->graph->nodes;
    const WsCapturing *first = capture->parts->pdata[0];
    g_autofree gboolean *reached = g_new0(gboolean, nodes->len + 1);
    for (guint i = 0; i < first->tail->len; i++)
        ws_node_mark(first->tail->pdata[i], reached);
    for (guint i = capture->given_nodes; i < nodes->len; i++)
        if (!reached[i] && ((const WsNode *)nodes->pdata[i])->is_captured)
            return FALSE;
    return TRUE;
}

gboolean ws_stream_capture_is_given(const WsCapturing *capturing)
{
    return capturing->capture->is_given;
}

WsGraph *ws_stream_capture_graph(const WsCapturing *capturing, guint64 *ret_serial)
{
    *ret_serial = capturing->capture->serial;
    return capturing->capture->graph;
}

cudaError_t ws_stream_capture_end(WsCapturing *capturing, WsGraph **ret)
{
    WsCapture *capture = capturing->capture;
    cudaError_t error = cudaSuccess;
    if (capture->parts->pdata[0] != capturing)
        return cudaErrorStreamCaptureUnmatched;
    if (capture->is_invalid)
        error = cudaErrorStreamCaptureInvalidated;
    else if (!is_joined(capture))
        error = cudaErrorStreamCaptureUnjoined;
    for (guint i = 0; i < capture->parts->len; i++)
        part(capture->parts->pdata[i]);
    *ret = error == cudaSuccess ? capture->graph : NULL;
    if (error != cudaSuccess && !capture->is_given)
        ws_graph_free(capture->graph);
    g_ptr_array_remove(open_captures, capture);
    g_ptr_array_unref(capture->parts);
    g_free(capture);
    return error;
}

enum cudaStreamCaptureStatus ws_stream_capture_status(const WsCapturing *capturing)
{
    if (capturing == NULL)
        return cudaStreamCaptureStatusNone;
    return capturing->capture->is_invalid ? cudaStreamCaptureStatusInvalidated
                                          : cudaStreamCaptureStatusActive;
}

cudaError_t ws_stream_capture_invalidate(WsCapturing *capturing)
{
    capturing->capture->is_invalid = TRUE;
    return cudaErrorStreamCaptureUnsupported;
}

/* ---- what streams are given --------------------------------------------------------------------
 */

static WsNode *append(WsCapturing *capturing, WsNode *node)
{
    node->is_captured = TRUE;
    g_ptr_array_set_size(capturing->tail, 0);
    g_ptr_array_add(capturing->tail, node);
    return node;
}

WsNode *ws_stream_capture_add(WsCapturing *capturing, enum cudaGraphNodeType type)
{
    return append(capturing,
                  ws_graph_add(capturing->capture->graph, type,
                               (WsNode *const *)capturing->tail->pdata, capturing->tail->len));
}

cudaError_t ws_stream_capture_allocate(WsCapturing *capturing, void **ret, gsize bytes)
{
    cudaError_t error = cudaSuccess;
    if (ret == NULL)
        return ws_runtime_return(cudaErrorInvalidValue);
    *ret = NULL;
    if (bytes == 0)
        return cudaSuccess;
    WsNode *node =
        ws_graph_add_allocation(capturing->capture->graph, (WsNode *const *)capturing->tail->pdata,
                                capturing->tail->len, bytes, &error);
    if (node != NULL)
        *ret = (void *)(gsize)append(capturing, node)->memory.block->address;
    return ws_runtime_return(error);
}

cudaError_t ws_stream_capture_free(WsCapturing *capturing, const void *pointer)
{
    cudaError_t error = cudaSuccess;
    WsNode *node =
        ws_graph_add_free(capturing->capture->graph, (WsNode *const *)capturing->tail->pdata,
                          capturing->tail->len, pointer, &error);
    if (node != NULL)
        append(capturing, node);
    return ws_runtime_return(error);
}

/* One that cannot be made invalidates the capture; its node stays, and is never run. */
cudaError_t ws_stream_capture_kernel(WsCapturing *capturing, const WsKernelNode *kernel,
                                     gboolean cooperative)
{
    WsNode *node = ws_stream_capture_add(capturing, cudaGraphNodeTypeKernel);
    const cudaError_t error = ws_node_set_kernel(node, kernel);
    node->cooperative = cooperative;
    capturing->capture->is_invalid = capturing->capture->is_invalid || error != cudaSuccess;
    return error;
}

void ws_stream_capture_copy(WsCapturing *capturing, const struct cudaMemcpy3DParms *copy)
{
    ws_stream_capture_add(capturing, cudaGraphNodeTypeMemcpy)->copy = *copy;
}

void ws_stream_capture_fill(WsCapturing *capturing, const struct cudaMemsetParams *fill)
{
    ws_stream_capture_add(capturing, cudaGraphNodeTypeMemset)->fill = *fill;
}

void ws_stream_capture_host(WsCapturing *capturing, cudaHostFn_t function, void *data)
{
    ws_stream_capture_add(capturing, cudaGraphNodeTypeHost)->host =
        (struct cudaHostNodeParams){.fn = function, .userData = data};
}

static void leave_out(WsCapturing *capturing)
{
    const GPtrArray *nodes = capturing->capture->graph->nodes;
    g_autofree gboolean *reached = g_new0(gboolean, nodes->len + 1);
    for (guint i = 0; i < capturing->tail->len; i++)
        ws_node_mark(capturing->tail->pdata[i], reached);
    for (guint i = 0; i < nodes->len; i++)
        if (reached[i])
            ((WsNode *)nodes->pdata[i])->is_captured = FALSE;
    g_ptr_array_set_size(capturing->tail, 0);
}

static void add_to_tail(WsCapturing *capturing, gpointer node)
{
    if (!g_ptr_array_find(capturing->tail, node, NULL))
        g_ptr_array_add(capturing->tail, node);
}

void ws_stream_capture_set(WsCapturing *capturing, const cudaGraphNode_t *after, gsize count,
                           gboolean only)
{
    if (only)
        leave_out(capturing);
    for (gsize i = 0; i < count; i++)
        add_to_tail(capturing, after[i]);
}

/* ---- events ------------------------------------------------------------------------------------
 */

guint64 ws_stream_capture_record(const WsCapturing *capturing, GPtrArray **ret_tail)
{
    g_clear_pointer(ret_tail, g_ptr_array_unref);
    *ret_tail = g_ptr_array_copy(capturing->tail, NULL, NULL);
    return capturing->capture->serial;
}

void ws_stream_capture_wait(WsCapturing *capturing, guint64 serial, const GPtrArray *tail)
{
    WsCapture *capture = NULL;
    for (guint i = 0; open_captures != NULL && i < open_captures->len; i++)
        if (((WsCapture *)open_captures->pdata[i])->serial == serial)
            capture = open_captures->pdata[i];
    if (capture == NULL)
        return;
    if (capturing->capture == NULL)
        join(capturing, capture);
    if (capturing->capture != capture) {
        capture->is_invalid = capturing->capture->is_invalid = TRUE;
        return;
    }
    for (guint i = 0; i < tail->len; i++)
        add_to_tail(capturing, tail->pdata[i]);
}
