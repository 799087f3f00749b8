/*
 * What L2 has to do, by cycle: messages that arrive and sectors that come. Events of a cycle are
 * served in the order of their keys.
 */
#ifndef WS_SIM_MEMORY_EVENT_QUEUE_H
#define WS_SIM_MEMORY_EVENT_QUEUE_H

#include "sim/base/pool.h"
#include "sim/memory/atomic_cost.h"
#include "sim/memory/memory_system.h"

/* Events of the next WS_RING cycles have a list each; later ones wait in a heap. */
enum { WS_RING = 4096, WS_RING_WORDS = WS_RING / 64 }; /* as many words as a word has bits */

typedef enum {
    WS_EVENT_ARRIVE, /* a message at the slice of the SM's partition */
    WS_EVENT_HOME,   /* the same at the line's home in another partition */
    WS_EVENT_FILL    /* sectors that it lacked have come to an entry */
} WsEventKind;

/*
 * A message on its way: it arrives, goes on to the line's home if it must, and is what fills the
 * entries that it found without its sectors.
 */
typedef struct {
    guint32 next; /* of the requests that wait for an entry */
    guint8 kind;
    guint8 level;       /* WsMemoryLevel that it has come from, so far */
    guint8 filled;      /* FILL: sectors that come, */
    gboolean at_home;   /* has come there from another partition: */
    guint8 here_filled; /* of a load: sectors that the entry of the SM's partition lacks, */
    guint32 here_entry;
    guint32 entry; /* FILL: to this entry */
    guint64 cycle;
    guint64 key;   /* order inside a cycle: SM, sequence, kind */
    guint64 start; /* the slice began with it */
    union {
        WsAtomicTimes times;                /* ATOMIC */
        guint32 bytes[WS_SECTORS_PER_LINE]; /* STORE */
    };
    WsMessage message;
} WsEvent;

/* An event of the ring: all that order needs, in little room of the host's caches. */
typedef struct {
    guint32 next; /* in its bucket */
    guint32 event;
    guint64 key;
} WsEventNode;

/* The events of a cycle: the first is there without a node, as it is mostly the only one. */
typedef struct {
    guint64 key;
    guint32 event;
    guint32 first, last; /* nodes of the others */
    gboolean unsorted;
} WsBucket;

typedef struct {
    WsPool events, nodes;
    guint64 now;            /* every event before this cycle has been served */
    WsBucket ring[WS_RING]; /* with something in it where `occupied` says so */
    guint64 occupied[WS_RING_WORDS];
    guint64 words; /* a bit for each of them that is not 0 */
    guint32 *far;  /* heap of events beyond the ring */
    guint32 far_count, far_capacity;
    WsEventNode *taken; /* the events of a cycle, by key */
    guint32 taken_count, taken_capacity;
} WsEventQueue;

void ws_event_queue_init(WsEventQueue *queue, WsStateArena *arena);
void ws_event_queue_clear(WsEventQueue *queue);

static inline WsEvent *ws_event_at(const WsEventQueue *queue, guint32 event)
{
    return WS_POOL_AT(&queue->events, WsEvent, event);
}

/* Lets the host fetch an event. */
static inline void ws_event_prefetch(const WsEventQueue *queue, guint32 event)
{
    const guint8 *place = (const guint8 *)ws_event_at(queue, event);
    for (gsize i = 0; i < sizeof(WsEvent); i += 64)
        __builtin_prefetch(place + i, 1);
}

/* Queues the event of an index at its cycle, or now if that is past; sets its key. */
void ws_event_push(WsEventQueue *queue, WsEvent *event, guint32 index);
/* First cycle with events from `from` on, below `end`, for near events; `end` if there is none. */
guint64 ws_event_next(const WsEventQueue *queue, guint64 from, guint64 end);
/* Moves what has come near from the heap into the ring. */
void ws_event_refill_ring(WsEventQueue *queue);
/* Whether there are events in cycle `now`. */
static inline gboolean ws_event_any(const WsEventQueue *queue)
{
    guint32 place = (guint32)(queue->now % WS_RING);
    return queue->occupied[place / 64] >> (place % 64) & 1;
}
/* Takes the events of cycle `now`, which has some, out, into `taken`; returns how many there are.
 */
guint32 ws_event_take_cycle(WsEventQueue *queue);
/* The same where there is only one: returns it; WS_NONE, and takes nothing, where there are more.
 */
guint32 ws_event_take_single(WsEventQueue *queue);

#endif
