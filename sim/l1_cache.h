/*
 * L1 of one SM: sectored lines with data, least recently used replacement inside a set. Lookup
 * goes through a directory over all lines, so that high associativity costs the host nothing.
 */
#ifndef WS_SIM_L1_CACHE_H
#define WS_SIM_L1_CACHE_H

#include "sim/coalescer.h"

typedef struct {
    guint64 line;
    guint32 next_in_bucket;
    guint32 newer, older; /* neighbours in the order of use of the set */
    guint32 set;
    guint8 sectors; /* valid; 0 = the entry is free */
    guint8 owner;   /* warp slot that brought it in */
} WsL1Line;

typedef struct {
    guint32 sets, ways;
    guint32 bucket_count; /* a power of two */
    WsL1Line *lines;      /* [sets * ways] */
    guint32 *buckets;
    gboolean used;                     /* a line has been put in since it was empty */
    guint32 *newest, *oldest;          /* by set */
    guint32 line_count;                /* sets * ways */
    guint32 under_way, most_under_way; /* see ws_l1_reserve() */
    guint8 *data;                      /* WS_LINE_BYTES a line */
} WsL1Cache;

/*
 * `bytes` may be 0: no cache, nothing ever hits. No more than `percent` of the lines may be under
 * way.
 */
void ws_l1_init(WsL1Cache *cache, guint64 bytes, guint32 ways, guint32 percent);
void ws_l1_clear(WsL1Cache *cache);

/* Entry that holds the line, or WS_NONE. */
guint32 ws_l1_find(const WsL1Cache *cache, guint64 line);
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
static inline void ws_l1_release(WsL1Cache *cache)
{
    cache->under_way--;
}
/* Makes the entry the newest of its set. */
void ws_l1_touch(WsL1Cache *cache, guint32 entry);
/* Entry whose line leaves if `line` is put in, or WS_NONE. */
guint32 ws_l1_victim(const WsL1Cache *cache, guint64 line);
/* Entry for the line, found or made by evicting the oldest of its set; WS_NONE without a cache. */
guint32 ws_l1_insert(WsL1Cache *cache, guint64 line);
/* Moves the entry to the end of its set: it is evicted next. */
void ws_l1_demote(WsL1Cache *cache, guint32 entry);
void ws_l1_drop(WsL1Cache *cache, guint64 line);
void ws_l1_drop_all(WsL1Cache *cache);

#endif
