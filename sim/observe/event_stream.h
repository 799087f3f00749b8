/*
 * The events of one SM, in order of their cycles, until someone takes them. What is known before it
 * happens, as the end of a latency, is put in ahead of time and takes its place when the cycle has
 * come. One host thread at a time uses a stream.
 */
#ifndef WS_SIM_OBSERVE_EVENT_STREAM_H
#define WS_SIM_OBSERVE_EVENT_STREAM_H

#include "sim/observe/observer.h"

typedef struct {
    guint64 sequence;
    WsTraceEvent event;
} WsFutureEvent;

typedef struct {
    guint64 kinds; /* that anybody wants: others need not be put in */
    /* If not NULL: is told each event when it is put in, whatever its cycle, and none is kept. */
    void (*tap)(void *data, const WsTraceEvent *event);
    void *tap_data;
    WsTraceEvent *events;
    gsize first, count, capacity; /* events[first] is the next to be taken */
    WsFutureEvent *future;        /* a heap by (cycle, sequence) */
    gsize future_count, future_capacity;
    guint64 sequence;
} WsEventStream;

void ws_event_stream_clear(WsEventStream *stream);

static inline gboolean ws_event_stream_wants(const WsEventStream *stream, guint64 kinds)
{
    return (stream->kinds & kinds) != 0;
}

/*
 * Adds an event if its kind is wanted, behind all whose cycle is not later. An event whose cycle is
 * above `now` is kept until ws_event_stream_advance() or a later event comes to it.
 */
void ws_event_stream_put(WsEventStream *stream, const WsTraceEvent *event, guint64 now);
/* Nothing with a cycle below `cycle` will be added any more. */
void ws_event_stream_advance(WsEventStream *stream, guint64 cycle);
/* Forgets what is still to come for a warp: it has left its slot. */
void ws_event_stream_forget(WsEventStream *stream, guint32 warp);

#endif
