#include "sim/memory/line_cache.h"

#include <string.h>

void ws_line_cache_init(WsLineCache *cache, WsStateArena *arena, guint64 bytes, guint32 line_bytes,
                        guint64 ways)
{
    guint32 lines = (guint32)MAX(bytes / line_bytes, 1), places, hints = 1;

    cache->arena = arena;
    cache->ways = (guint32)MIN(ways, lines);
    cache->sets = lines / cache->ways;
    places = cache->sets * cache->ways;
    while (hints < places)
        hints *= 2;
    cache->hint_mask = hints - 1;
    cache->uses = 0;
    cache->tags = ws_state_new(arena, guint32, places);
    cache->hints = ws_state_new(arena, guint32, hints);
    cache->used = ws_state_new(arena, guint64, places);
    cache->ready = ws_state_new(arena, guint64, places);
}

void ws_line_cache_clear(WsLineCache *cache)
{
    ws_state_free(cache->arena, cache->tags);
    ws_state_free(cache->arena, cache->hints);
    ws_state_free(cache->arena, cache->used);
    ws_state_free(cache->arena, cache->ready);
    *cache = (WsLineCache){0};
}

void ws_line_cache_empty(WsLineCache *cache)
{
    gsize places = (gsize)cache->sets * cache->ways;

    memset(cache->tags, 0, places * sizeof *cache->tags);
    memset(cache->used, 0, places * sizeof *cache->used);
    cache->uses = 0;
}

guint32 ws_line_cache_search(WsLineCache *cache, guint32 line)
{
    guint32 first = line % cache->sets * cache->ways;

    for (guint32 place = first; place < first + cache->ways; place++)
        if (cache->tags[place] == line + 1) {
            cache->hints[line & cache->hint_mask] = place;
            return place;
        }
    return WS_LINE_ABSENT;
}

void ws_line_cache_insert(WsLineCache *cache, guint32 line, guint64 ready)
{
    guint32 first = line % cache->sets * cache->ways, oldest = first;

    for (guint32 place = first; place < first + cache->ways; place++)
        if (cache->used[place] < cache->used[oldest])
            oldest = place;
    cache->tags[oldest] = line + 1;
    cache->used[oldest] = ++cache->uses;
    cache->ready[oldest] = ready;
    cache->hints[line & cache->hint_mask] = oldest;
}
