#include "sim/observe/event_stream.h"

void ws_event_stream_clear(WsEventStream *stream)
{
    g_free(stream->events);
    g_free(stream->future);
    *stream = (WsEventStream){0};
}

static void append(WsEventStream *stream, const WsTraceEvent *event)
{
    if (G_UNLIKELY(stream->first + stream->count == stream->capacity)) {
        stream->capacity = MAX(256, 2 * stream->capacity);
        stream->events = g_renew(WsTraceEvent, stream->events, stream->capacity);
    }
    stream->events[stream->first + stream->count++] = *event;
}

/* ---- what is still to come ----------------------------------------------------------------------
 */

static gboolean before(const WsFutureEvent *a, const WsFutureEvent *b)
{
    return a->event.cycle != b->event.cycle ? a->event.cycle < b->event.cycle
                                            : a->sequence < b->sequence;
}

static void sift_up(WsFutureEvent *heap, gsize place, WsFutureEvent what)
{
    while (place > 0 && before(&what, &heap[(place - 1) / 2])) {
        heap[place] = heap[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    heap[place] = what;
}

static void sift_down(WsFutureEvent *heap, gsize count, gsize place, WsFutureEvent what)
{
    for (;;) {
        gsize child = 2 * place + 1;

        if (child >= count)
            break;
        if (child + 1 < count && before(&heap[child + 1], &heap[child]))
            child++;
        if (!before(&heap[child], &what))
            break;
        heap[place] = heap[child];
        place = child;
    }
    heap[place] = what;
}

static void push(WsEventStream *stream, const WsTraceEvent *event)
{
    if (stream->future_count == stream->future_capacity) {
        stream->future_capacity = MAX(64, 2 * stream->future_capacity);
        stream->future = g_renew(WsFutureEvent, stream->future, stream->future_capacity);
    }
    sift_up(stream->future, stream->future_count++, (WsFutureEvent){stream->sequence++, *event});
}

/* What is due by `cycle`, this one included. */
static void take_due(WsEventStream *stream, guint64 cycle)
{
    while (stream->future_count != 0 && stream->future[0].event.cycle <= cycle) {
        append(stream, &stream->future[0].event);
        stream->future_count--;
        if (stream->future_count != 0)
            sift_down(stream->future, stream->future_count, 0,
                      stream->future[stream->future_count]);
    }
}

void ws_event_stream_put(WsEventStream *stream, const WsTraceEvent *event, guint64 now)
{
    if (!(stream->kinds >> event->kind & 1))
        return;
    if (stream->tap != NULL) {
        stream->tap(stream->tap_data, event);
        return;
    }
    if (event->cycle > now) {
        push(stream, event);
        return;
    }
    take_due(stream, now);
    append(stream, event);
}

void ws_event_stream_advance(WsEventStream *stream, guint64 cycle)
{
    if (cycle != 0)
        take_due(stream, cycle - 1);
}

void ws_event_stream_forget(WsEventStream *stream, guint32 warp)
{
    gsize kept = 0;

    for (gsize i = 0; i < stream->future_count; i++)
        if (stream->future[i].event.warp != warp)
            stream->future[kept++] = stream->future[i];
    if (kept == stream->future_count)
        return;
    stream->future_count = kept;
    for (gsize i = kept / 2; i-- > 0;)
        sift_down(stream->future, kept, i, stream->future[i]);
}
