/*
 * Which lines a cache holds and from when on: tags only, for caches whose contents never change
 * while they are used (code and constants). Sets of ways, least recently used out first. A line
 * that is on its way is there already, with the cycle at which it comes.
 */
#ifndef WS_SIM_MEMORY_LINE_CACHE_H
#define WS_SIM_MEMORY_LINE_CACHE_H

#include "sim/base/state_arena.h"

enum { WS_LINE_ABSENT = G_MAXUINT32 };

/* Arrays are by place = set * ways + way. */
typedef struct {
    guint32 sets, ways;
    guint32 hint_mask;
    WsStateArena *arena; /* or NULL */
    guint64 uses;
    guint32 *tags;  /* line + 1, 0 = empty */
    guint32 *hints; /* by line & hint_mask: where the line was last */
    guint64 *used;  /* `uses` at the last use */
    guint64 *ready; /* cycle */
} WsLineCache;

/* A cache of `bytes` in lines of `line_bytes`: at least one set, at least one line. */
void ws_line_cache_init(WsLineCache *cache, WsStateArena *arena, guint64 bytes, guint32 line_bytes,
                        guint64 ways);
void ws_line_cache_clear(WsLineCache *cache); /* frees what init allocated */
void ws_line_cache_empty(WsLineCache *cache);
/* Puts a line in, at the place of the one that has not been used for longest. */
void ws_line_cache_insert(WsLineCache *cache, guint32 line, guint64 ready);
/* ws_line_cache_find() beyond the first guess. */
guint32 ws_line_cache_search(WsLineCache *cache, guint32 line);

/* Place of the line, or WS_LINE_ABSENT. */
static inline guint32 ws_line_cache_find(WsLineCache *cache, guint32 line)
{
    guint32 place = cache->hints[line & cache->hint_mask];

    return G_LIKELY(cache->tags[place] == line + 1) ? place : ws_line_cache_search(cache, line);
}

/* The line at a place is used; returns the cycle from which it is there. */
static inline guint64 ws_line_cache_use(WsLineCache *cache, guint32 place)
{
    cache->used[place] = ++cache->uses;
    return cache->ready[place];
}

#endif
