/*
 * Copies that are done at once or, where their stream is being captured, become nodes of a graph.
 * Both want the runtime locked.
 */
#ifndef WS_RUNTIME_STREAM_COPIES_H
#define WS_RUNTIME_STREAM_COPIES_H

#include "runtime/stream_capture.h"

/* Bytes. */
cudaError_t ws_copy_in_stream(WsRuntime *runtime, cudaStream_t stream, void *to, const void *from,
                              gsize count, enum cudaMemcpyKind kind);
/* Rows and slices, of `extent` bytes, rows and slices, from the start of either side. */
cudaError_t ws_copy_box_in_stream(WsRuntime *runtime, cudaStream_t stream,
                                  const struct cudaPitchedPtr *to,
                                  const struct cudaPitchedPtr *from,
                                  const struct cudaExtent *extent, enum cudaMemcpyKind kind);

#endif
