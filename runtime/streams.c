/*
 * Streams and events, in simulated time. Launches run one after the other in the order in which
 * they are made, whatever their streams; an event that is recorded has the time up to there.
 */
#include "runtime/runtime.h"

/* Both are handles that the program holds; a magic number tells them from what is none. */
typedef struct {
    guint32 magic;
    gint32 priority;
} Stream;

typedef struct {
    guint32 magic;
    gboolean is_recorded, has_timing;
    double milliseconds;
} Event;

enum { STREAM = 0x57537374, EVENT = 0x57536576 };

WS_RUNTIME_API cudaError_t cudaStreamCreate(cudaStream_t *ret);
WS_RUNTIME_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t *ret, unsigned int flags);
WS_RUNTIME_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t *ret, unsigned int flags,
                                                        int priority);
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

static gboolean is_stream(cudaStream_t stream)
{
    return stream == NULL || stream == cudaStreamLegacy || stream == cudaStreamPerThread ||
           ((const Stream *)stream)->magic == STREAM;
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

static cudaError_t check_and_wait(gboolean valid)
{
    WsRuntime *runtime = ws_runtime_enter();
    ws_printed_flush(runtime);
    return ws_runtime_leave(runtime, check(runtime, valid));
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
        stream->priority = priority;
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

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    WsRuntime *runtime = ws_runtime_enter();
    const gboolean valid = stream != NULL && stream != cudaStreamLegacy &&
                           stream != cudaStreamPerThread && is_stream(stream);
    const cudaError_t error = check(runtime, valid);
    if (error == cudaSuccess) {
        ((Stream *)stream)->magic = 0;
        g_free(stream);
    }
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    return check_and_wait(is_stream(stream));
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    return only_check(is_stream(stream));
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    (void)flags;
    return only_check(is_stream(stream) && event_of(event) != NULL);
}

/* What stands in front of it in the stream is done already. */
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned int flags)
{
    const cudaError_t error = check_and_wait(is_stream(stream));
    (void)flags;
    if (error == cudaSuccess)
        callback(stream, cudaSuccess, data);
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
        g_free(found);
    }
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    WsRuntime *runtime = ws_runtime_enter();
    Event *found = event_of(event);
    const cudaError_t error = check(runtime, found != NULL && is_stream(stream));
    if (error == cudaSuccess) {
        found->is_recorded = TRUE;
        found->milliseconds = runtime->milliseconds;
    }
    return ws_runtime_leave(runtime, error);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return check_and_wait(event_of(event) != NULL);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return only_check(event_of(event) != NULL);
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
