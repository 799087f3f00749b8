#include "sim/memory/event_queue.h"

void ws_event_queue_init(WsEventQueue *queue, WsStateArena *arena)
{
    ws_pool_init(&queue->events, arena, sizeof(WsEvent));
    ws_pool_init(&queue->nodes, arena, sizeof(WsEventNode));
}

void ws_event_queue_clear(WsEventQueue *queue)
{
    WsStateArena *arena = queue->events.arena;

    ws_pool_clear(&queue->events);
    ws_pool_clear(&queue->nodes);
    ws_state_free(arena, queue->far);
    ws_state_free(arena, queue->taken);
}

static WsEventNode *node_at(const WsEventQueue *queue, guint32 node)
{
    return WS_POOL_AT(&queue->nodes, WsEventNode, node);
}

static void push_ring(WsEventQueue *queue, const WsEvent *event, guint32 index)
{
    guint32 place = (guint32)(event->cycle % WS_RING);
    WsBucket *bucket = &queue->ring[place];
    guint64 *occupied = &queue->occupied[place / 64], bit = G_GUINT64_CONSTANT(1) << (place % 64);
    if (!(*occupied & bit)) { /* not by the bucket: the host's caches may not have it */
        *occupied |= bit;
        queue->words |= G_GUINT64_CONSTANT(1) << place / 64;
        *bucket = (WsBucket){event->key, index, WS_NONE, WS_NONE, FALSE};
        return;
    }
    guint32 node = ws_pool_take(&queue->nodes);
    *node_at(queue, node) = (WsEventNode){.next = WS_NONE, .event = index, .key = event->key};
    if (bucket->first == WS_NONE) {
        bucket->first = node;
        bucket->unsorted = event->key < bucket->key;
    } else {
        WsEventNode *last = node_at(queue, bucket->last);
        bucket->unsorted |= event->key < last->key;
        last->next = node;
    }
    bucket->last = node;
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
        queue->far = ws_state_renew(queue->events.arena, guint32, queue->far, queue->far_capacity);
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

void ws_event_push(WsEventQueue *queue, WsEvent *event, guint32 index)
{
    event->cycle = MAX(event->cycle, queue->now);
    event->key =
        (guint64)event->message.sm << 40 | (guint64)event->message.sequence << 2 | event->kind;
    if (event->cycle - queue->now < WS_RING)
        push_ring(queue, event, index);
    else
        push_far(queue, index);
}

void ws_event_refill_ring(WsEventQueue *queue)
{
    while (queue->far_count != 0 &&
           ws_event_at(queue, queue->far[0])->cycle - queue->now < WS_RING) {
        guint32 index = pop_far(queue);
        ws_event_push(queue, ws_event_at(queue, index), index);
    }
}

/* Puts the events of a cycle into order: messages of different windows may meet there. */
static void sort_taken(WsEventQueue *queue)
{
    WsEventNode *taken = queue->taken;
    for (guint32 i = 1; i < queue->taken_count; i++) {
        WsEventNode node = taken[i];
        guint32 place = i;
        for (; place > 0 && taken[place - 1].key > node.key; place--)
            taken[place] = taken[place - 1];
        taken[place] = node;
    }
}

guint64 ws_event_next(const WsEventQueue *queue, guint64 from, guint64 end)
{
    guint32 place = (guint32)(from % WS_RING), turn = (place / 64 + 1) % WS_RING_WORDS;
    guint64 word = queue->occupied[place / 64] >> (place % 64), others = queue->words;
    if (from >= end)
        return end;
    if (word != 0)
        return MIN(end, from + (guint64)__builtin_ctzll(word));
    if (others == 0)
        return end;
    /* The words behind that one, once around: the last is its part before `from`. */
    others = others >> turn | others << (WS_RING_WORDS - turn) % WS_RING_WORDS;
    guint32 skipped = (guint32)__builtin_ctzll(others);
    word = queue->occupied[(turn + skipped) % WS_RING_WORDS];
    from += 64 - place % 64 + 64 * skipped;
    return MIN(end, from + (guint64)__builtin_ctzll(word));
}

static void leave_empty(WsEventQueue *queue, guint32 place)
{
    queue->occupied[place / 64] &= ~(G_GUINT64_CONSTANT(1) << (place % 64));
    if (queue->occupied[place / 64] == 0)
        queue->words &= ~(G_GUINT64_CONSTANT(1) << place / 64);
}

guint32 ws_event_take_single(WsEventQueue *queue)
{
    guint32 place = (guint32)(queue->now % WS_RING);
    const WsBucket *bucket = &queue->ring[place];
    if (bucket->first != WS_NONE)
        return WS_NONE;
    leave_empty(queue, place);
    return bucket->event;
}

static void take(WsEventQueue *queue, const WsEventNode *node)
{
    if (queue->taken_count == queue->taken_capacity) {
        queue->taken_capacity = MAX(64, queue->taken_capacity * 2);
        queue->taken =
            ws_state_renew(queue->events.arena, WsEventNode, queue->taken, queue->taken_capacity);
    }
    queue->taken[queue->taken_count++] = *node;
}

guint32 ws_event_take_cycle(WsEventQueue *queue)
{
    guint32 place = (guint32)(queue->now % WS_RING);
    const WsBucket *bucket = &queue->ring[place];
    queue->taken_count = 0;
    take(queue, &(WsEventNode){.event = bucket->event, .key = bucket->key});
    for (guint32 node = bucket->first; node != WS_NONE;) {
        const WsEventNode *taken = node_at(queue, node);
        guint32 next = taken->next;
        take(queue, taken);
        ws_pool_give(&queue->nodes, node);
        node = next;
    }
    if (bucket->unsorted)
        sort_taken(queue);
    leave_empty(queue, place);
    return queue->taken_count;
}
