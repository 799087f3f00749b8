/* Calls that begin, end and change the capture of a stream. */
#include "runtime/graphs.h"
#include "runtime/stream_capture.h"

WS_RUNTIME_API cudaError_t cudaStreamBeginCapture(cudaStream_t stream,
                                                  enum cudaStreamCaptureMode mode);
WS_RUNTIME_API cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                                         const cudaGraphNode_t *after,
                                                         const cudaGraphEdgeData *edges,
                                                         size_t count,
                                                         enum cudaStreamCaptureMode mode);
WS_RUNTIME_API cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *ret);
WS_RUNTIME_API cudaError_t cudaStreamIsCapturing(cudaStream_t stream,
                                                 enum cudaStreamCaptureStatus *ret);
WS_RUNTIME_API cudaError_t cudaStreamGetCaptureInfo_v2(
    cudaStream_t stream, enum cudaStreamCaptureStatus *ret, unsigned long long *ret_id,
    cudaGraph_t *ret_graph, const cudaGraphNode_t **ret_after, size_t *ret_count);
WS_RUNTIME_API cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                               cudaGraphNode_t *after, size_t count,
                                                               unsigned int flags);
WS_RUNTIME_API cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode);

/* `graph`: of the program, or NULL. */
static cudaError_t begin(cudaStream_t stream, WsGraph *graph, enum cudaStreamCaptureMode mode)
{
    WsCapturing *part = ws_stream_part(stream);
    cudaError_t error = ws_stream_check(stream, TRUE);
    if (error == cudaSuccess && part == NULL)
        error = cudaErrorStreamCaptureUnsupported;
    if (error == cudaSuccess &&
        (part->capture != NULL || (guint)mode > cudaStreamCaptureModeRelaxed))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        ws_stream_capture_begin(part, graph);
    return ws_runtime_return(error);
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    return begin(stream, NULL, mode);
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t *after,
                                          const cudaGraphEdgeData *edges, size_t count,
                                          enum cudaStreamCaptureMode mode)
{
    WsGraph *found = ws_graph_of(graph);
    if (found == NULL || (after == NULL && count > 0) || !ws_graph_has_nodes(found, after, count))
        return ws_runtime_return(cudaErrorInvalidValue);
    if (!ws_edges_are_plain(edges, count))
        return ws_runtime_return(cudaErrorNotSupported);
    const cudaError_t error = begin(stream, found, mode);
    if (error == cudaSuccess)
        ws_stream_capture_set(ws_stream_capturing(stream), after, count, TRUE);
    return error;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *ret)
{
    WsCapturing *capturing = ws_stream_capturing(stream);
    WsGraph *graph = NULL;
    cudaError_t error = ws_stream_check(stream, TRUE);
    if (error == cudaSuccess &&
        (capturing == NULL || (ret == NULL && !ws_stream_capture_is_given(capturing))))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        error = ws_stream_capture_end(capturing, &graph);
        if (ret != NULL)
            *ret = (cudaGraph_t)graph;
    }
    return ws_runtime_return(error);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *ret)
{
    const cudaError_t error = ws_stream_check(stream, ret != NULL);
    if (error == cudaSuccess)
        *ret = ws_stream_capture_status(ws_stream_capturing(stream));
    return error;
}

/* Of a stream that is not being captured it says that alone. */
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, enum cudaStreamCaptureStatus *ret,
                                        unsigned long long *ret_id, cudaGraph_t *ret_graph,
                                        const cudaGraphNode_t **ret_after, size_t *ret_count)
{
    const WsCapturing *capturing = ws_stream_capturing(stream);
    const cudaError_t error = cudaStreamIsCapturing(stream, ret);
    guint64 serial;
    if (error != cudaSuccess || *ret != cudaStreamCaptureStatusActive)
        return error;
    WsGraph *graph = ws_stream_capture_graph(capturing, &serial);
    if (ret_id != NULL)
        *ret_id = serial;
    if (ret_graph != NULL)
        *ret_graph = (cudaGraph_t)graph;
    if (ret_after != NULL)
        *ret_after = (const cudaGraphNode_t *)capturing->tail->pdata;
    if (ret_count != NULL)
        *ret_count = capturing->tail->len;
    return cudaSuccess;
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *after,
                                                size_t count, unsigned int flags)
{
    WsCapturing *capturing = ws_stream_capturing(stream);
    const cudaError_t error = ws_stream_check(stream, TRUE);
    guint64 serial;
    if (error != cudaSuccess)
        return error;
    if (capturing == NULL)
        return ws_runtime_return(cudaErrorIllegalState);
    if (flags > cudaStreamSetCaptureDependencies || (after == NULL && count > 0) ||
        !ws_graph_has_nodes(ws_stream_capture_graph(capturing, &serial), after, count))
        return ws_runtime_return(cudaErrorInvalidValue);
    ws_stream_capture_set(capturing, after, count, flags == cudaStreamSetCaptureDependencies);
    return cudaSuccess;
}

/* What other threads may do meanwhile is not restricted. */
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    static _Thread_local enum cudaStreamCaptureMode current;
    if (mode == NULL || (guint)*mode > cudaStreamCaptureModeRelaxed)
        return ws_runtime_return(cudaErrorInvalidValue);
    const enum cudaStreamCaptureMode before = current;
    current = *mode;
    *mode = before;
    return cudaSuccess;
}
