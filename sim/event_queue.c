#include "sim/event_queue.h"

void ws_event_queue_init(WsEventQueue *queue)
{
    ws_pool_init(&queue->events, sizeof(WsEvent));
    for (guint32 i = 0; i < WS_RING; i++)
        queue->ring[i].first = WS_NONE;
}

void ws_event_queue_clear(WsEventQueue *queue)
{
    ws_pool_clear(&queue->events);
    g_free(queue->far);
}

static void push_ring(WsEventQueue *queue, guint32 index)
{
    WsEvent *event = ws_event_at(queue, index);
    guint32 place = (guint32)(event->cycle % WS_RING);
    WsBucket *bucket = &queue->ring[place];
    event->next = WS_NONE;
    queue->occupied[place / 64] |= G_GUINT64_CONSTANT(1) << (place % 64);
    if (bucket->first == WS_NONE) {
        *bucket = (WsBucket){index, index, FALSE};
        return;
    }
    bucket->unsorted |= event->key < ws_event_at(queue, bucket->last)->key;
    ws_event_at(queue, bucket->last)->next = index;
    bucket->last = index;
}

static gboolean earlier(const WsEventQueue *queue, guint32 a, guint32 b)
{
    const WsEvent *x = ws_event_at(queue, a), *y = ws_event_at(queue, b);
    return x->cycle != y->cycle ? x->cycle < y->cycle : x->key < y->key;
}

static void push_far(WsEventQueue *queue, guint32 index)
{
    if (queue->far_count == queue->far_capacity) {
        queue->far_capacity = MAX(64, queue->far_capacity * 2);
        queue->far = g_renew(guint32, queue->far, queue->far_capacity);
    }
    guint32 place = queue->far_count++;
    while (place > 0 && earlier(queue, index, queue->far[(place - 1) / 2])) {
        queue->far[place] = queue->far[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    queue->far[place] = index;
}

static guint32 pop_far(WsEventQueue *queue)
{
    guint32 top = queue->far[0], last = queue->far[--queue->far_count], place = 0;
    for (;;) {
        guint32 child = 2 * place + 1;
        if (child >= queue->far_count)
            break;
        if (child + 1 < queue->far_count &&
            earlier(queue, queue->far[child + 1], queue->far[child]))
            child++;
        if (!earlier(queue, queue->far[child], last))
            break;
        queue->far[place] = queue->far[child];
        place = child;
    }
    queue->far[place] = last;
    return top;
}

void ws_event_push(WsEventQueue *queue, guint32 index)
{
    WsEvent *event = ws_event_at(queue, index);
    event->cycle = MAX(event->cycle, queue->now);
    event->key =
        (guint64)event->message.sm << 40 | (guint64)event->message.sequence << 2 | event->kind;
    if (event->cycle - queue->now < WS_RING)
        push_ring(queue, index);
    else
        push_far(queue, index);
}

void ws_event_come_near(WsEventQueue *queue)
{
    while (queue->far_count != 0 && ws_event_at(queue, queue->far[0])->cycle - queue->now < WS_RING)
        push_ring(queue, pop_far(queue));
}

/* Puts the list of a cycle into order: messages of different windows may meet there. */
static guint32 sorted(WsEventQueue *queue, guint32 list)
{
    guint32 head = WS_NONE, *last = NULL; /* link behind the event put in last, and its key */
    guint64 last_key = 0;
    while (list != WS_NONE) {
        guint32 next = ws_event_at(queue, list)->next;
        guint64 key = ws_event_at(queue, list)->key;
        /* Most of the list is in order: go on where the one before went. */
        guint32 *place = last != NULL && last_key < key ? last : &head;
        while (*place != WS_NONE && ws_event_at(queue, *place)->key < key)
            place = &ws_event_at(queue, *place)->next;
        ws_event_at(queue, list)->next = *place;
        *place = list;
        last = &ws_event_at(queue, list)->next;
        last_key = key;
        list = next;
    }
    return head;
}

guint64 ws_event_next(const WsEventQueue *queue, guint64 from, guint64 end)
{
    while (from < end) {
        guint32 place = (guint32)(from % WS_RING);
        guint64 word = queue->occupied[place / 64] >> (place % 64);
        if (word != 0)
            return MIN(end, from + (guint64)__builtin_ctzll(word));
        from += 64 - place % 64;
    }
    return end;
}

guint32 ws_event_take_cycle(WsEventQueue *queue)
{
    guint32 place = (guint32)(queue->now % WS_RING);
    WsBucket *bucket = &queue->ring[place];
    guint32 list = bucket->first;
    if (list != WS_NONE && bucket->unsorted)
        list = sorted(queue, list);
    bucket->first = WS_NONE;
    if (list == WS_NONE)
        queue->occupied[place / 64] &= ~(G_GUINT64_CONSTANT(1) << (place % 64));
    return list;
}
