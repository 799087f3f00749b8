/*
 * Streams and events, in simulated time (timeline.h). Launches are simulated one after the other in
 * the order in which they are made, whatever their streams: all that a stream has to do is done.
 */
#include "runtime/runtime.h"
#include "runtime/stream_capture.h"

/* Both are handles that the program holds; a magic number tells them from what is none. */
typedef struct {
    guint32 magic;
    gint32 priority;
    guint32 flags;
    WsStreamClock clock;
    WsCapturing capturing;
} Stream;

typedef struct {
    guint32 magic;
    gboolean is_recorded, has_timing;
    double milliseconds; /* when the stream came to it */
    guint64 capture; /* the serial number of the capture in which it was recorded last; 0: none */
    GPtrArray *tail;
} Event;

enum { STREAM = 0x57537374, EVENT = 0x57536576 };

WS_RUNTIME_API cudaError_t cudaStreamCreate(cudaStream_t *ret);
WS_RUNTIME_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t *ret, unsigned int flags);
WS_RUNTIME_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t *ret, unsigned int flags,
                                                        int priority);
WS_RUNTIME_API cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *ret);
WS_RUNTIME_API cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *ret);
WS_RUNTIME_API cudaError_t cudaStreamDestroy(cudaStream_t stream);
WS_RUNTIME_API cudaError_t cudaStreamSynchronize(cudaStream_t stream);
WS_RUNTIME_API cudaError_t cudaStreamQuery(cudaStream_t stream);
WS_RUNTIME_API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                               unsigned int flags);
WS_RUNTIME_API cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                                 void *data, unsigned int flags);
WS_RUNTIME_API cudaError_t cudaEventCreate(cudaEvent_t *ret);
WS_RUNTIME_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t *ret, unsigned int flags);
WS_RUNTIME_API cudaError_t cudaEventDestroy(cudaEvent_t event);
WS_RUNTIME_API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
WS_RUNTIME_API cudaError_t cudaEventSynchronize(cudaEvent_t event);
WS_RUNTIME_API cudaError_t cudaEventQuery(cudaEvent_t event);
WS_RUNTIME_API cudaError_t cudaEventElapsedTime(float *ret, cudaEvent_t start, cudaEvent_t end);

WS_RUNTIME_API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function,
                                              void *data);

static gboolean is_stream(cudaStream_t stream)
{
    return stream == NULL || stream == cudaStreamLegacy || stream == cudaStreamPerThread ||
           ((const Stream *)stream)->magic == STREAM;
}

/* NULL: not a stream that cudaStreamCreate() made. */
static Stream *own_stream(cudaStream_t stream)
{
    const gboolean is_own = stream != NULL && stream != cudaStreamLegacy &&
                            stream != cudaStreamPerThread && is_stream(stream);
    return is_own ? (Stream *)stream : NULL;
}

WsCapturing *ws_stream_capturing(cudaStream_t stream)
{
    Stream *own = own_stream(stream);
    return own != NULL && own->capturing.capture != NULL ? &own->capturing : NULL;
}

WsCapturing *ws_stream_part(cudaStream_t stream)
{
    Stream *own = own_stream(stream);
    return own != NULL ? &own->capturing : NULL;
}

WsStreamClock *ws_stream_clock(WsRuntime *runtime, cudaStream_t stream)
{
    Stream *own = own_stream(stream);
    if (stream == cudaStreamPerThread)
        return &runtime->timeline.per_thread;
    return own != NULL ? &own->clock : is_stream(stream) ? &runtime->timeline.legacy : NULL;
}

static Event *event_of(cudaEvent_t event)
{
    return event != NULL && ((Event *)event)->magic == EVENT ? (Event *)event : NULL;
}

/* What each of these has in common: the device is there, and the handles are what they should be.
 */
static cudaError_t check(WsRuntime *runtime, gboolean valid)
{
    const cudaError_t error = ws_runtime_use(runtime);
    return error != cudaSuccess ? error : valid ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

static cudaError_t only_check(gboolean valid)
{
    WsRuntime *runtime = ws_runtime_enter();
    return ws_runtime_leave(runtime, check(runtime, valid));
}

cudaError_t ws_stream_check(cudaStream_t stream, gboolean valid)
{
    return only_check(is_stream(stream) && valid);
}

static cudaError_t check_and_wait(cudaStream_t stream)
{
    WsRuntime *runtime = ws_runtime_enter_in(stream);
    ws_printed_flush(runtime);
    runtime->timeline.waits = TRUE;
    return ws_runtime_leave(runtime, check(runtime, is_stream(stream)));
}

static cudaError_t wait_for_event(const Event *event)
{
    WsRuntime *runtime = ws_runtime_enter();
    ws_printed_flush(runtime);
    if (event != NULL)
        ws_timeline_wait_until(&runtime->timeline, event->milliseconds);
    return ws_runtime_leave(runtime, check(runtime, event != NULL));
}

/* ---- streams -----------------------------------------------------------------------------------
 */

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *ret, unsigned int flags, int priority)
{
    WsRuntime *runtime = ws_runtime_enter();
    cudaError_t error = ws_runtime_use(runtime);
    if (error == cudaSuccess && (ret == NULL || flags > cudaStreamNonBlocking))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        Stream *stream = g_new0(Stream, 1);
        stream->magic = STREAM;
        stream->priority = CLAMP(priority, WS_PRIORITY_GREATEST, WS_PRIORITY_LEAST);
        stream->flags = flags;
        stream->clock.is_blocking = (flags & cudaStreamNonBlocking) == 0;
        ws_timeline_add(&runtime->timeline, &stream->clock);
        *ret = (cudaStream_t)stream;
    }
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *ret, unsigned int flags)
{
    return cudaStreamCreateWithPriority(ret, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t *ret)
{
    return cudaStreamCreateWithPriority(ret, cudaStreamDefault, 0);
}

/* The streams that are always there have the default of both. */
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *ret)
{
    const gboolean valid = is_stream(stream);
    if (valid && ret != NULL)
        *ret = own_stream(stream) != NULL ? own_stream(stream)->priority : 0;
    return ret == NULL ? ws_runtime_return(cudaErrorInvalidValue) : only_check(valid);
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *ret)
{
    const gboolean valid = is_stream(stream);
    if (valid && ret != NULL)
        *ret = own_stream(stream) != NULL ? own_stream(stream)->flags : cudaStreamDefault;
    return ret == NULL ? ws_runtime_return(cudaErrorInvalidValue) : only_check(valid);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    WsRuntime *runtime = ws_runtime_enter();
    Stream *own = own_stream(stream);
    const cudaError_t error = check(runtime, own != NULL);
    if (error == cudaSuccess) {
        ws_stream_capture_leave(&own->capturing);
        ws_timeline_remove(&runtime->timeline, &own->clock);
        own->magic = 0;
        g_free(own);
    }
    return ws_runtime_leave(runtime, error);
}

/* A captured stream has nothing to wait for. */
static cudaError_t wait_for(cudaStream_t stream)
{
    WsCapturing *capturing = ws_stream_capturing(stream);
    return capturing != NULL ? ws_runtime_return(ws_stream_capture_invalidate(capturing))
                             : check_and_wait(stream);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    return wait_for(stream);
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    return wait_for(stream);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    Event *found = event_of(event);
    Stream *own = own_stream(stream);
    (void)flags;
    if (found != NULL && own != NULL && found->capture != 0)
        ws_stream_capture_wait(&own->capturing, found->capture, found->tail);
    if (found == NULL)
        return only_check(FALSE);
    WsRuntime *runtime = ws_runtime_enter_in(stream);
    WsStreamClock *clock = ws_stream_clock(runtime, stream);
    if (clock != NULL)
        clock->end = MAX(clock->end, found->milliseconds);
    return ws_runtime_leave(runtime, check(runtime, clock != NULL));
}

/* What stands in front of it in the stream is done already. */
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned int flags)
{
    WsCapturing *capturing = ws_stream_capturing(stream);
    const cudaError_t error = check_and_wait(stream);
    (void)flags;
    if (capturing != NULL)
        return ws_runtime_return(ws_stream_capture_invalidate(capturing));
    if (error == cudaSuccess)
        callback(stream, cudaSuccess, data);
    return error;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
    WsCapturing *capturing = ws_stream_capturing(stream);
    const cudaError_t error = only_check(is_stream(stream) && function != NULL);
    if (error == cudaSuccess && capturing != NULL)
        ws_stream_capture_host(capturing, function, data);
    else if (error == cudaSuccess)
        function(data);
    return error;
}

/* ---- events ------------------------------------------------------------------------------------
 */

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *ret, unsigned int flags)
{
    WsRuntime *runtime = ws_runtime_enter();
    cudaError_t error = ws_runtime_use(runtime);
    if (error == cudaSuccess && ret == NULL)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        Event *event = g_new0(Event, 1);
        event->magic = EVENT;
        event->has_timing = (flags & cudaEventDisableTiming) == 0;
        *ret = (cudaEvent_t)event;
    }
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaEventCreate(cudaEvent_t *ret)
{
    return cudaEventCreateWithFlags(ret, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    WsRuntime *runtime = ws_runtime_enter();
    Event *found = event_of(event);
    const cudaError_t error = check(runtime, found != NULL);
    if (error == cudaSuccess) {
        found->magic = 0;
        g_clear_pointer(&found->tail, g_ptr_array_unref);
        g_free(found);
    }
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    WsRuntime *runtime = ws_runtime_enter_in(stream);
    Event *found = event_of(event);
    const cudaError_t error = check(runtime, found != NULL && is_stream(stream));
    WsCapturing *capturing = ws_stream_capturing(stream);
    if (error == cudaSuccess && capturing != NULL) {
        found->capture = ws_stream_capture_record(capturing, &found->tail);
    } else if (error == cudaSuccess) {
        found->capture = 0;
        found->is_recorded = TRUE;
        found->milliseconds = ws_timeline_ready(&runtime->timeline, runtime->timeline.current);
    }
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return wait_for_event(event_of(event));
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return wait_for_event(event_of(event));
}

cudaError_t cudaEventElapsedTime(float *ret, cudaEvent_t start, cudaEvent_t end)
{
    WsRuntime *runtime = ws_runtime_enter();
    const Event *from = event_of(start), *to = event_of(end);
    cudaError_t error = check(runtime, from != NULL && to != NULL && from->is_recorded &&
                                           to->is_recorded && from->has_timing && to->has_timing);
    if (error == cudaSuccess && ret == NULL)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        *ret = (float)(to->milliseconds - from->milliseconds);
    return ws_runtime_leave(runtime, error);
}
