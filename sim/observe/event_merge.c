#include "sim/observe/event_merge.h"

struct WsEventMerge {
    const WsObserver *const *observers;
    guint32 sms;
    WsEventStream *streams;
    guint32 *heap; /* of streams that have something to tell, by (cycle, number) */
    guint32 heap_count;
};

WsEventMerge *ws_event_merge_new(const WsObserver *const *observers, guint32 sms)
{
    WsEventMerge *merge;
    guint64 kinds = 0;

    if (observers == NULL || observers[0] == NULL)
        return NULL;
    merge = g_new0(WsEventMerge, 1);
    merge->observers = observers;
    merge->sms = sms;
    merge->streams = g_new0(WsEventStream, sms);
    merge->heap = g_new(guint32, sms);
    for (guint i = 0; observers[i] != NULL; i++)
        kinds |= observers[i]->event != NULL ? observers[i]->kinds : 0;
    for (guint32 i = 0; i < sms; i++)
        merge->streams[i].kinds = kinds;
    return merge;
}

void ws_event_merge_free(WsEventMerge *merge)
{
    if (merge == NULL)
        return;
    for (guint32 i = 0; i < merge->sms; i++)
        ws_event_stream_clear(&merge->streams[i]);
    g_free(merge->streams);
    g_free(merge->heap);
    g_free(merge);
}

WsEventStream *ws_event_merge_stream(WsEventMerge *merge, guint32 index)
{
    return &merge->streams[index];
}

/* ---- order --------------------------------------------------------------------------------------
 */

static guint64 next_cycle(const WsEventStream *stream)
{
    return stream->count == 0 ? G_MAXUINT64 : stream->events[stream->first].cycle;
}

static gboolean before(const WsEventMerge *merge, guint32 a, guint32 b)
{
    guint64 x = next_cycle(&merge->streams[a]), y = next_cycle(&merge->streams[b]);

    return x != y ? x < y : a < b;
}

/* The heap's place 0 has changed. */
static void sift_down(WsEventMerge *merge)
{
    guint32 *heap = merge->heap, place = 0, what = heap[0];

    for (;;) {
        guint32 child = 2 * place + 1;

        if (child >= merge->heap_count)
            break;
        if (child + 1 < merge->heap_count && before(merge, heap[child + 1], heap[child]))
            child++;
        if (!before(merge, heap[child], what))
            break;
        heap[place] = heap[child];
        place = child;
    }
    heap[place] = what;
}

static void add(WsEventMerge *merge, guint32 stream)
{
    guint32 *heap = merge->heap, place = merge->heap_count++;

    while (place > 0 && before(merge, stream, heap[(place - 1) / 2])) {
        heap[place] = heap[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    heap[place] = stream;
}

/* ---- telling ------------------------------------------------------------------------------------
 */

static void tell(const WsEventMerge *merge, const WsTraceEvent *event)
{
    for (const WsObserver *const *observer = merge->observers; *observer != NULL; observer++)
        if ((*observer)->event != NULL && ((*observer)->kinds >> event->kind & 1))
            (*observer)->event((*observer)->data, event);
}

/* What is left after a window begins at the start of its room again. */
static void compact(WsEventStream *stream)
{
    for (gsize i = 0; stream->first != 0 && i < stream->count; i++)
        stream->events[i] = stream->events[stream->first + i];
    stream->first = 0;
}

void ws_event_merge_emit(WsEventMerge *merge, guint64 cycle)
{
    merge->heap_count = 0;
    for (guint32 i = 0; i < merge->sms; i++) {
        if (cycle != G_MAXUINT64)
            ws_event_stream_advance(&merge->streams[i], cycle);
        if (merge->streams[i].count != 0)
            add(merge, i);
    }
    while (merge->heap_count != 0) {
        WsEventStream *stream = &merge->streams[merge->heap[0]];
        const WsTraceEvent *event = &stream->events[stream->first];

        if (event->cycle >= cycle)
            break;
        tell(merge, event);
        stream->first++;
        if (--stream->count == 0)
            merge->heap[0] = merge->heap[--merge->heap_count];
        sift_down(merge);
    }
    for (guint32 i = 0; i < merge->sms; i++)
        compact(&merge->streams[i]);
}

void ws_event_merge_finish(WsEventMerge *merge)
{
    ws_event_merge_emit(merge, G_MAXUINT64);
}

/* ---- launches -----------------------------------------------------------------------------------
 */

void ws_observers_begin(const WsObserver *const *observers, const WsTraceLaunch *launch)
{
    for (; observers != NULL && *observers != NULL; observers++)
        if ((*observers)->launch_begin != NULL)
            (*observers)->launch_begin((*observers)->data, launch);
}

void ws_observers_end(const WsObserver *const *observers, guint32 launch, guint64 cycle)
{
    for (; observers != NULL && *observers != NULL; observers++)
        if ((*observers)->launch_end != NULL)
            (*observers)->launch_end((*observers)->data, launch, cycle);
}
