/* The capture of streams: what they are given becomes nodes of a graph instead of being done. */
#ifndef WS_RUNTIME_STREAM_CAPTURE_H
#define WS_RUNTIME_STREAM_CAPTURE_H

#include "runtime/graphs.h"

/* One from cudaStreamBeginCapture() to cudaStreamEndCapture(). */
typedef struct WsCapture WsCapture;

/* A stream's part in one. */
typedef struct {
    WsCapture *capture; /* NULL: none */
    GPtrArray *tail;    /* of WsNode: what its next node depends on */
} WsCapturing;

/* That of a stream which is being captured, or NULL. */
WsCapturing *ws_stream_capturing(cudaStream_t stream);

/* That of a stream which the program made, whether or not it is being captured; or NULL. */
WsCapturing *ws_stream_part(cudaStream_t stream);

/* What every call has in common that names a stream; `valid`: so are other handles. */
cudaError_t ws_stream_check(cudaStream_t stream, gboolean valid);

/* The graph that it makes, and a number of its own. */
WsGraph *ws_stream_capture_graph(const WsCapturing *capturing, guint64 *ret_serial);

/* It goes to a graph of the program's. */
gboolean ws_stream_capture_is_given(const WsCapturing *capturing);
/*
 * The stream's next node comes behind these as well, or (`only`) behind these alone: what it had
 * then needs no stream that waits for it.
 */
void ws_stream_capture_set(WsCapturing *capturing, const cudaGraphNode_t *after, gsize count,
                           gboolean only);

/* A node behind all that the stream has. */
WsNode *ws_stream_capture_add(WsCapturing *capturing, enum cudaGraphNodeType type);

/* What was asked of a captured stream. */
cudaError_t ws_stream_capture_kernel(WsCapturing *capturing, const WsKernelNode *kernel,
                                     gboolean cooperative);
void ws_stream_capture_copy(WsCapturing *capturing, const struct cudaMemcpy3DParms *copy);
void ws_stream_capture_fill(WsCapturing *capturing, const struct cudaMemsetParams *fill);
void ws_stream_capture_host(WsCapturing *capturing, cudaHostFn_t function, void *data);
/* cudaMallocAsync() and cudaFreeAsync(): nodes that allocate and free. */
cudaError_t ws_stream_capture_allocate(WsCapturing *capturing, void **ret, gsize bytes);
cudaError_t ws_stream_capture_free(WsCapturing *capturing, const void *pointer);
/* It was asked for what cannot be captured: the capture ends with an error. */
cudaError_t ws_stream_capture_invalidate(WsCapturing *capturing);

/*
 * An event that is recorded in a captured stream stands for the stream's tail; `serial` is that of
 * the capture. A stream that waits for it takes part from there on.
 */
guint64 ws_stream_capture_record(const WsCapturing *capturing, GPtrArray **ret_tail);
void ws_stream_capture_wait(WsCapturing *capturing, guint64 serial, const GPtrArray *tail);

/* `graph`: the nodes go there; or NULL, for a graph that the capture makes. */
void ws_stream_capture_begin(WsCapturing *capturing, WsGraph *graph);
/* *ret: the graph; NULL with an error. All streams that took part are free again. */
cudaError_t ws_stream_capture_end(WsCapturing *capturing, WsGraph **ret);
enum cudaStreamCaptureStatus ws_stream_capture_status(const WsCapturing *capturing);
/* A stream that takes part is destroyed. */
void ws_stream_capture_leave(WsCapturing *capturing);

#endif
