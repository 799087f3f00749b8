#include "sim/memory/l1_cache.h"

#include <string.h>

/* With CLOCK lines at any stride use all sets alike. */
static guint32 set_of(const WsL1Cache *cache, guint64 line)
{
    guint32 set = 0;

    if (!cache->clock)
        return (guint32)(line % cache->sets);
    if (cache->sets == 1)
        return 0;
    for (guint64 rest = line; rest != 0; rest >>= cache->set_bits)
        set ^= (guint32)rest & (cache->sets - 1);
    return set;
}

static void set_shape(WsL1Cache *cache, const WsL1Shape *shape, guint32 lines)
{
    cache->most_under_way = MAX(1, (guint32)((guint64)lines * shape->under_way_percent / 100));
    cache->clock = shape->replacement == WS_L1_CLOCK && lines <= shape->clock_up_to;
    if (!cache->clock) {
        cache->sets = MAX(1, lines / shape->ways);
        cache->ways = lines / cache->sets;
        cache->capacity = G_MAXUINT32;
        return;
    }
    cache->capacity = lines > shape->reserved ? lines - shape->reserved : 1;
    guint64 most = shape->unified_bytes / WS_LINE_BYTES / shape->clock_ways;
    guint64 tags = (guint64)cache->capacity * shape->tag_percent / 100;
    cache->ways = shape->clock_ways;
    for (cache->sets = 1; cache->sets * 2 <= most && cache->sets * cache->ways < tags;)
        cache->sets *= 2;
    cache->set_bits = g_bit_storage(cache->sets) - 1;
    cache->spare = cache->sets * cache->ways > shape->spare_above;
}

void ws_l1_init(WsL1Cache *cache, WsStateArena *arena, const WsL1Shape *shape)
{
    guint32 lines = (guint32)(shape->bytes / WS_LINE_BYTES);
    *cache = (WsL1Cache){.arena = arena};
    if (lines == 0)
        return;
    set_shape(cache, shape, lines);
    lines = cache->sets * cache->ways;
    cache->bucket_count = 1;
    while (cache->bucket_count < lines)
        cache->bucket_count *= 2;
    cache->lines = ws_state_alloc_table(arena, lines, sizeof(WsL1Line));
    cache->buckets = ws_state_new(arena, guint32, cache->bucket_count);
    cache->newest = ws_state_new(arena, guint32, cache->sets);
    cache->oldest = ws_state_new(arena, guint32, cache->sets);
    cache->line_count = lines;
    cache->data = ws_state_alloc_table(arena, lines, WS_LINE_BYTES);
    memset(cache->buckets, 0xff, sizeof(guint32) * cache->bucket_count);
}

void ws_l1_clear(WsL1Cache *cache)
{
    ws_state_free_table(cache->arena, cache->lines, cache->line_count, sizeof(WsL1Line));
    ws_state_free(cache->arena, cache->buckets);
    ws_state_free(cache->arena, cache->newest);
    ws_state_free(cache->arena, cache->oldest);
    ws_state_free_table(cache->arena, cache->data, cache->line_count, WS_LINE_BYTES);
    *cache = (WsL1Cache){.arena = cache->arena};
}

void ws_l1_drop_all(WsL1Cache *cache)
{
    if (!cache->used)
        return;
    cache->used = FALSE;
    cache->held = 0;
    memset(cache->buckets, 0xff, sizeof(guint32) * cache->bucket_count);
}

/* All entries free, in the order of their sets: only before the first line, as many SMs have none.
 */
static void begin_use(WsL1Cache *cache)
{
    cache->used = TRUE;
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
    guint32 *place = &cache->buckets[ws_l1_bucket_of(cache, cache->lines[entry].line)];
    while (*place != entry)
        place = &cache->lines[*place].next_in_bucket;
    *place = cache->lines[entry].next_in_bucket;
}

/* Takes the entry's line out; the entry is the first to be used again. */
static void free_entry(WsL1Cache *cache, guint32 entry)
{
    unlink_bucket(cache, entry);
    cache->held--;
    cache->lines[entry].sectors = 0;
    cache->lines[entry].line = 0;
    ws_l1_demote(cache, entry);
}

guint32 ws_l1_victim(const WsL1Cache *cache, guint64 line)
{
    guint32 entry;

    if (!cache->used || ws_l1_find(cache, line) != WS_NONE)
        return WS_NONE;
    entry = cache->oldest[set_of(cache, line)];
    return cache->lines[entry].sectors != 0 ? entry : WS_NONE;
}

guint32 ws_l1_insert(WsL1Cache *cache, guint64 line)
{
    guint32 entry = ws_l1_find(cache, line);
    if (entry != WS_NONE || cache->sets == 0)
        return entry;
    if (!cache->used)
        begin_use(cache);
    entry = cache->oldest[set_of(cache, line)];
    WsL1Line *place = &cache->lines[entry];
    if (place->sectors != 0)
        unlink_bucket(cache, entry);
    else
        cache->held++;
    guint32 bucket = ws_l1_bucket_of(cache, line);
    place->line = line;
    place->sectors = 0;
    place->used = FALSE;
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

guint32 ws_l1_excess(WsL1Cache *cache, guint32 more)
{
    if (!ws_l1_is_full(cache, more))
        return WS_NONE;
    for (;;) {
        guint32 entry = cache->hand;
        WsL1Line *line = &cache->lines[entry];

        cache->hand = (entry + 1) % cache->line_count;
        if (line->sectors == 0)
            continue;
        if (!cache->spare || !line->used)
            return entry;
        line->used = FALSE;
    }
}

void ws_l1_evict(WsL1Cache *cache, guint32 entry)
{
    free_entry(cache, entry);
}
