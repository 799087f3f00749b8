/*
 * L1 of one SM: sectored lines with data. A full set gives up its least recently used line. With
 * WS_L1_CLOCK there are more tags than lines: lines that hold data or are on their way are at most
 * `capacity`, and what is too much goes by CLOCK: a hand sweeps over the tags, whoever asks. [M:
 * loops of one warp over 172 to 260 lines, and what is left of them after each load; see
 * docs/understand/measurements/memory.md] Lookup goes through a directory over all tags, so that
 * high associativity costs the host nothing.
 */
#ifndef WS_SIM_MEMORY_L1_CACHE_H
#define WS_SIM_MEMORY_L1_CACHE_H

#include "sim/base/pool.h"
#include "sim/device/device.h"
#include "sim/memory/coalescer.h"

typedef struct {
    guint64 line;
    guint32 next_in_bucket;
    guint32 newer, older; /* neighbours in the order of use of the set */
    guint32 set;
    guint8 sectors; /* valid; 0 = the entry is free */
    guint8 owner;   /* warp slot that brought it in */
    gboolean used;  /* since the hand came past or it was brought in */
} WsL1Line;

typedef struct {
    guint64 bytes;         /* 0: no cache, nothing ever hits */
    guint64 unified_bytes; /* of the array that it is a part of: no more tags than lines of it */
    guint32 ways;
    guint32 under_way_percent; /* no more of the lines may be under way */
    WsL1Replacement replacement;
    /* WS_L1_CLOCK */
    guint32 clock_up_to; /* an L1 of more lines has sets of least recently used ones all the same */
    guint32 clock_ways;
    guint32 reserved;    /* lines that never keep data */
    guint32 tag_percent; /* tags, of the other lines, at least; sets are a power of two */
    guint32 spare_above; /* with more tags than this the hand passes by once what has been used */
} WsL1Shape;

typedef struct {
    WsStateArena *arena; /* or NULL */
    guint32 sets, ways, set_bits;
    guint32 bucket_count; /* a power of two */
    WsL1Line *lines;      /* [sets * ways] */
    guint32 *buckets;
    gboolean used;                     /* a line has been put in since it was empty: links hold */
    guint32 *newest, *oldest;          /* by set */
    guint32 line_count;                /* sets * ways */
    guint32 under_way, most_under_way; /* see ws_l1_reserve() */
    gboolean clock;
    guint32 held, coming, capacity; /* see ws_l1_excess() */
    guint32 hand;
    gboolean spare;
    guint8 *data; /* WS_LINE_BYTES a line */
} WsL1Cache;

void ws_l1_init(WsL1Cache *cache, WsStateArena *arena, const WsL1Shape *shape);
void ws_l1_clear(WsL1Cache *cache);

static inline guint32 ws_l1_bucket_of(const WsL1Cache *cache, guint64 line)
{
    return (guint32)(line ^ line >> 11) & (cache->bucket_count - 1);
}
/* Entry that holds the line, or WS_NONE. */
static inline guint32 ws_l1_find(const WsL1Cache *cache, guint64 line)
{
    guint32 entry = cache->sets == 0 ? WS_NONE : cache->buckets[ws_l1_bucket_of(cache, line)];

    while (entry != WS_NONE && cache->lines[entry].line != line)
        entry = cache->lines[entry].next_in_bucket;
    return entry;
}
static inline guint8 *ws_l1_data(const WsL1Cache *cache, guint32 entry)
{
    return cache->data + (gsize)entry * WS_LINE_BYTES;
}
/*
 * A line that is asked for takes room in the data array until it has come, in whatever order they
 * come. FALSE if there is no room. Without a cache there is always room.
 */
static inline gboolean ws_l1_reserve(WsL1Cache *cache)
{
    gboolean room = cache->under_way < cache->most_under_way || cache->line_count == 0;

    cache->under_way += room;
    return room;
}
/* So many more lines may be asked for. */
static inline guint32 ws_l1_room(const WsL1Cache *cache)
{
    return cache->line_count == 0 ? G_MAXUINT32 : cache->most_under_way - cache->under_way;
}
static inline void ws_l1_release(WsL1Cache *cache)
{
    cache->under_way--;
}
/* Makes the entry the newest of its set. */
void ws_l1_touch(WsL1Cache *cache, guint32 entry);
/* The same for an access that found it there. */
static inline void ws_l1_use(WsL1Cache *cache, guint32 entry)
{
    cache->lines[entry].used = TRUE;
    ws_l1_touch(cache, entry);
}
/* A line has to leave before `more` lines are put in. */
static inline gboolean ws_l1_is_full(const WsL1Cache *cache, guint32 more)
{
    return cache->held != 0 && (guint64)cache->held + cache->coming + more > cache->capacity;
}
/*
 * A line that will be put in when it comes takes the place of one that is there. Entry that must
 * leave before `more` lines are put in, or WS_NONE.
 */
guint32 ws_l1_excess(WsL1Cache *cache, guint32 more);
void ws_l1_evict(WsL1Cache *cache, guint32 entry);
/* Entry whose line leaves if `line` is put in, or WS_NONE. */
guint32 ws_l1_victim(const WsL1Cache *cache, guint64 line);
/* Entry for the line, found or made by evicting the oldest of its set; WS_NONE without a cache. */
guint32 ws_l1_insert(WsL1Cache *cache, guint64 line);
/* Moves the entry to the end of its set: it is evicted next. */
void ws_l1_demote(WsL1Cache *cache, guint32 entry);
void ws_l1_drop(WsL1Cache *cache, guint64 line);
void ws_l1_drop_all(WsL1Cache *cache);

#endif
