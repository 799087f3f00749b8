#include "sim/l1_cache.h"

#include "sim/pool.h"

#include <string.h>

static guint32 bucket_of(const WsL1Cache *cache, guint64 line)
{
    return (guint32)(line ^ (line >> 11) ^ (line >> 23)) & (cache->bucket_count - 1);
}

void ws_l1_init(WsL1Cache *cache, guint64 bytes, guint32 ways, guint32 percent)
{
    guint32 lines = (guint32)(bytes / WS_LINE_BYTES);
    *cache = (WsL1Cache){0};
    if (lines == 0)
        return;
    cache->sets = MAX(1, lines / ways);
    cache->ways = lines / cache->sets;
    lines = cache->sets * cache->ways;
    cache->bucket_count = 1;
    while (cache->bucket_count < lines)
        cache->bucket_count *= 2;
    cache->lines = g_new0(WsL1Line, lines);
    cache->buckets = g_new(guint32, cache->bucket_count);
    cache->newest = g_new(guint32, cache->sets);
    cache->oldest = g_new(guint32, cache->sets);
    cache->line_count = lines;
    cache->most_under_way = MAX(1, (guint32)((guint64)lines * percent / 100));
    cache->data = g_malloc0_n(lines, WS_LINE_BYTES);
    cache->used = TRUE;
    ws_l1_drop_all(cache);
}

void ws_l1_clear(WsL1Cache *cache)
{
    g_clear_pointer(&cache->lines, g_free);
    g_clear_pointer(&cache->buckets, g_free);
    g_clear_pointer(&cache->newest, g_free);
    g_clear_pointer(&cache->oldest, g_free);
    g_clear_pointer(&cache->data, g_free);
    cache->sets = 0;
}

void ws_l1_drop_all(WsL1Cache *cache)
{
    if (!cache->used)
        return;
    cache->used = FALSE;
    memset(cache->buckets, 0xff, sizeof(guint32) * cache->bucket_count);
    for (guint32 set = 0; set < cache->sets; set++) {
        guint32 first = set * cache->ways, last = first + cache->ways - 1;
        cache->newest[set] = first;
        cache->oldest[set] = last;
        for (guint32 entry = first; entry <= last; entry++)
            cache->lines[entry] = (WsL1Line){.set = set,
                                             .next_in_bucket = WS_NONE,
                                             .newer = entry == first ? WS_NONE : entry - 1,
                                             .older = entry == last ? WS_NONE : entry + 1};
    }
}

guint32 ws_l1_find(const WsL1Cache *cache, guint64 line)
{
    if (cache->sets == 0)
        return WS_NONE;
    guint32 entry = cache->buckets[bucket_of(cache, line)];
    while (entry != WS_NONE && cache->lines[entry].line != line)
        entry = cache->lines[entry].next_in_bucket;
    return entry;
}

static void unlink_use(WsL1Cache *cache, guint32 entry)
{
    WsL1Line *line = &cache->lines[entry];
    if (line->newer == WS_NONE)
        cache->newest[line->set] = line->older;
    else
        cache->lines[line->newer].older = line->older;
    if (line->older == WS_NONE)
        cache->oldest[line->set] = line->newer;
    else
        cache->lines[line->older].newer = line->newer;
}

void ws_l1_touch(WsL1Cache *cache, guint32 entry)
{
    WsL1Line *line = &cache->lines[entry];
    if (line->newer == WS_NONE)
        return;
    unlink_use(cache, entry);
    line->newer = WS_NONE;
    line->older = cache->newest[line->set];
    cache->newest[line->set] = entry;
    if (line->older == WS_NONE)
        cache->oldest[line->set] = entry;
    else
        cache->lines[line->older].newer = entry;
}

void ws_l1_demote(WsL1Cache *cache, guint32 entry)
{
    WsL1Line *line = &cache->lines[entry];
    if (line->older == WS_NONE)
        return;
    unlink_use(cache, entry);
    line->older = WS_NONE;
    line->newer = cache->oldest[line->set];
    cache->oldest[line->set] = entry;
    if (line->newer == WS_NONE)
        cache->newest[line->set] = entry;
    else
        cache->lines[line->newer].older = entry;
}

static void unlink_bucket(WsL1Cache *cache, guint32 entry)
{
    guint32 *place = &cache->buckets[bucket_of(cache, cache->lines[entry].line)];
    while (*place != entry)
        place = &cache->lines[*place].next_in_bucket;
    *place = cache->lines[entry].next_in_bucket;
}

/* Takes the entry's line out; the entry is the first to be used again. */
static void free_entry(WsL1Cache *cache, guint32 entry)
{
    unlink_bucket(cache, entry);
    cache->lines[entry].sectors = 0;
    cache->lines[entry].line = 0;
    ws_l1_demote(cache, entry);
}

guint32 ws_l1_victim(const WsL1Cache *cache, guint64 line)
{
    guint32 entry;

    if (cache->sets == 0 || ws_l1_find(cache, line) != WS_NONE)
        return WS_NONE;
    entry = cache->oldest[line % cache->sets];
    return cache->lines[entry].sectors != 0 ? entry : WS_NONE;
}

guint32 ws_l1_insert(WsL1Cache *cache, guint64 line)
{
    guint32 entry = ws_l1_find(cache, line);
    if (entry != WS_NONE || cache->sets == 0)
        return entry;
    cache->used = TRUE;
    entry = cache->oldest[line % cache->sets];
    WsL1Line *place = &cache->lines[entry];
    if (place->sectors != 0)
        unlink_bucket(cache, entry);
    guint32 bucket = bucket_of(cache, line);
    place->line = line;
    place->sectors = 0;
    place->next_in_bucket = cache->buckets[bucket];
    cache->buckets[bucket] = entry;
    return entry;
}

void ws_l1_drop(WsL1Cache *cache, guint64 line)
{
    guint32 entry = ws_l1_find(cache, line);
    if (entry != WS_NONE)
        free_entry(cache, entry);
}
