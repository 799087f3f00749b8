#include "sim/memory/l2_cache.h"

#include "sim/base/turns.h"

#include <string.h>

static guint64 mix(guint64 value)
{
    value ^= value >> 30;
    value *= G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
    value ^= value >> 27;
    value *= G_GUINT64_CONSTANT(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

static guint64 trip_of(const WsDevice *device, guint64 latency)
{
    guint64 inside = device->classes[WS_CLASS_GLOBAL_LOAD].latency;
    return latency > inside + 2 ? latency - inside : 2;
}

void ws_l2_geometry_init(WsL2Geometry *geometry, const WsDevice *device)
{
    gboolean pooled = ws_memory_is_divided(device);
    guint32 ring = (guint32)(ws_memory_slices(device) / device->l2_partitions);
    *geometry = (WsL2Geometry){
        .partitions = (guint32)device->l2_partitions,
        .slices = pooled ? (guint32)ws_memory_share_slices(device) : ring,
        .ring = ring,
        .pooled = pooled,
        .sms = (guint32)device->sms,
        .near_trip = trip_of(device, device->l2_near_latency),
        .far_trip = trip_of(device, device->l2_far_latency),
        .spread = device->l2_latency_spread,
        .cross_latency = device->l2_partitions > 1 ? device->l2_cross_latency : 0,
    };
    geometry->least_trip = MIN(geometry->near_trip, geometry->far_trip);
    /* An answer that does not take the port for a whole cycle comes one sooner. */
    if (device->ideal_caches || device->ideal_coalescing || device->ideal_bandwidth > 1)
        geometry->least_trip--;
    geometry->least_request = geometry->least_trip / 2;
    ws_divider_init(&geometry->by_slices, geometry->slices);
    ws_divider_init(&geometry->by_ring, geometry->ring);
    ws_divider_init(&geometry->by_home, (guint32)(device->l2_home_bytes / WS_LINE_BYTES));
}

guint32 ws_l2_partition_of(const WsL2Geometry *geometry, guint32 sm)
{
    return (guint32)((guint64)sm * geometry->partitions / MAX(geometry->sms, sm + 1));
}

/* Consecutive lines go to all slices in turn, each run of them rotated by a hash. */
static guint32 deal(const WsDivider *slices, guint64 line)
{
    return (guint32)((line + mix(ws_divide(slices, line))) % slices->divisor);
}

guint32 ws_l2_slice_of(const WsL2Geometry *geometry, guint64 line)
{
    return deal(&geometry->by_slices, line);
}

guint32 ws_l2_ring_place(const WsL2Geometry *geometry, guint64 line)
{
    return deal(&geometry->by_ring, line);
}

guint32 ws_l2_home_of(const WsL2Geometry *geometry, guint64 line)
{
    return geometry->partitions == 1 ? 0
                                     : (guint32)(mix(ws_divide(&geometry->by_home, line) + 0x9e37) %
                                                 geometry->partitions);
}

/* Slices stand in a ring; an SM is next to one of them, the farther half is `far`. */
guint64 ws_l2_trip(const WsL2Geometry *geometry, guint32 sm, guint32 place)
{
    guint32 half = (geometry->ring + 1) / 2;
    guint32 distance = (place + sm * 7) % geometry->ring;
    gboolean far = distance >= half;
    guint32 step = far ? distance - half : distance;
    return (far ? geometry->far_trip : geometry->near_trip) + geometry->spread * step / half;
}

static gsize count_entries(const WsL2Cache *cache)
{
    return (gsize)cache->slices * cache->sets * cache->ways;
}

void ws_l2_init(WsL2Cache *cache, WsStateArena *arena, const WsDevice *device,
                const WsL2Geometry *geometry)
{
    gboolean pooled = geometry->pooled;
    guint64 slices = (guint64)geometry->slices * (pooled ? 1 : geometry->partitions);
    guint64 bytes = pooled ? ws_memory_share_l2_bytes(device) : device->l2_bytes;
    guint64 lines = bytes / WS_LINE_BYTES / slices;
    *cache = (WsL2Cache){.arena = arena,
                         .slices = (guint32)slices,
                         .per_partition = geometry->slices,
                         .copies = pooled ? geometry->partitions : 1};
    cache->rate = pooled ? ws_memory_share_slice_rate(device) : (WsServiceRate){1, 1};
    cache->rate.denominator *= device->ideal_bandwidth;
    cache->rated = pooled || device->ideal_bandwidth > 1;
    cache->pooled = pooled;
    cache->ways = (guint32)CLAMP(lines, 1, device->l2_ways);
    cache->sets = (guint32)MAX(1, lines / cache->ways);
    ws_divider_init(&cache->by_partition, cache->per_partition);
    ws_divider_init(&cache->by_sets, cache->sets);
    gsize entries = count_entries(cache);
    cache->tags = ws_state_alloc_table(arena, entries, sizeof *cache->tags);
    cache->stamps = ws_state_alloc_table(arena, entries, sizeof *cache->stamps);
    cache->lines = ws_state_alloc_table(arena, entries, sizeof *cache->lines);
    cache->bytes = ws_state_alloc_table(arena, entries, sizeof *cache->bytes);
    cache->waiters = ws_state_alloc_table(arena, entries, sizeof *cache->waiters);
    cache->clock = ws_state_new(arena, guint32, slices);
    cache->slice_free = ws_state_new(arena, guint64, slices);
    cache->slice_milli = ws_state_new(arena, guint16, slices);
    cache->slice_carry = ws_state_new(arena, guint64, slices);
    cache->held = ws_state_new(arena, guint32, slices);
}

void ws_l2_clear(WsL2Cache *cache)
{
    gsize entries = count_entries(cache);
    ws_state_free_table(cache->arena, cache->tags, entries, sizeof *cache->tags);
    ws_state_free_table(cache->arena, cache->stamps, entries, sizeof *cache->stamps);
    ws_state_free_table(cache->arena, cache->lines, entries, sizeof *cache->lines);
    ws_state_free_table(cache->arena, cache->bytes, entries, sizeof *cache->bytes);
    ws_state_free_table(cache->arena, cache->waiters, entries, sizeof *cache->waiters);
    ws_state_free(cache->arena, cache->clock);
    ws_state_free(cache->arena, cache->slice_free);
    ws_state_free(cache->arena, cache->slice_milli);
    ws_state_free(cache->arena, cache->slice_carry);
    ws_state_free(cache->arena, cache->held);
    *cache = (WsL2Cache){0};
}

void ws_l2_rewind(WsL2Cache *cache)
{
    memset(cache->slice_free, 0, sizeof(guint64) * cache->slices);
    memset(cache->slice_milli, 0, sizeof(guint16) * cache->slices);
    memset(cache->slice_carry, 0, sizeof(guint64) * cache->slices);
}

void ws_l2_reset(WsL2Cache *cache)
{
    gsize per_slice = (gsize)cache->sets * cache->ways;
    ws_l2_rewind(cache);
    for (guint32 slice = 0; slice < cache->slices; slice++) {
        gsize first = slice * per_slice;
        if (cache->clock[slice] == 0)
            continue;
        memset(cache->tags + first, 0, sizeof(guint64) * per_slice);
        memset(cache->stamps + first, 0, sizeof(guint32) * per_slice);
        memset(cache->lines + first, 0, sizeof(WsL2Line) * per_slice);
        memset(cache->waiters + first, 0, sizeof(guint32) * per_slice);
        cache->clock[slice] = 0;
        cache->held[slice] = 0;
    }
}

/* ---- lines -------------------------------------------------------------------------------------
 */

guint32 ws_l2_real_slice(const WsL2Cache *cache, guint32 slice)
{
    return cache->pooled ? (guint32)ws_remainder(&cache->by_partition, slice) : slice;
}

guint64 ws_l2_held(const WsL2Cache *cache)
{
    guint64 held = 0;
    for (guint32 slice = 0; slice < cache->slices; slice++)
        held += cache->held[slice];
    return held;
}

/* What tells an entry of a pooled slice from the same line's of another partition; never 0. */
static guint64 tag_of(const WsL2Cache *cache, guint32 slice, guint64 line)
{
    return cache->pooled ? line * cache->copies + ws_divide(&cache->by_partition, slice) + 1
                         : line + 1;
}

static guint64 line_of(const WsL2Cache *cache, guint64 tag)
{
    return cache->pooled ? (tag - 1) / cache->copies : tag - 1;
}

/* The many slices of the whole machine spread strides; a few leave that to their sets. */
static guint64 pooled_set(const WsL2Cache *cache, guint32 slice, guint64 number)
{
    guint64 run =
        ws_divide(&cache->by_sets, number) * cache->copies + ws_divide(&cache->by_partition, slice);
    return (number + mix(run)) % cache->sets;
}

WsL2Set ws_l2_set_of(const WsL2Cache *cache, guint32 slice, guint64 line)
{
    guint64 number = ws_divide(&cache->by_partition, line);
    guint64 set =
        cache->pooled ? pooled_set(cache, slice, number) : ws_remainder(&cache->by_sets, number);
    guint64 real = ws_l2_real_slice(cache, slice);
    return (WsL2Set){slice, (guint32)((real * cache->sets + set) * cache->ways)};
}

/* Counts a use. Where the counter of the slice wraps, its stamps start over. */
static void stamp(WsL2Cache *cache, guint32 slice, guint32 entry)
{
    if (++cache->clock[slice] == 0) {
        gsize per_slice = (gsize)cache->sets * cache->ways;
        memset(cache->stamps + slice * per_slice, 0, sizeof(guint32) * per_slice);
        cache->clock[slice] = 1;
    }
    cache->stamps[entry] = cache->clock[slice];
}

guint32 ws_l2_find(WsL2Cache *cache, WsL2Set set, guint64 line)
{
    const guint64 *tags = cache->tags + set.first;
    guint64 tag = tag_of(cache, set.slice, line);
    for (guint32 way = 0; way < cache->ways; way++)
        if (tags[way] == tag) {
            stamp(cache, ws_l2_real_slice(cache, set.slice), set.first + way);
            return set.first + way;
        }
    return G_MAXUINT32;
}

/* Least recently used entry of a set; only one that is not on its way if `arrived`. */
static guint32 oldest_entry(const WsL2Cache *cache, guint32 first, gboolean arrived)
{
    guint32 best = G_MAXUINT32;
    for (guint32 entry = first; entry < first + cache->ways; entry++) {
        if (cache->stamps[entry] == 0 && cache->lines[entry].pending == 0)
            return entry; /* no older one can follow */
        if ((best == G_MAXUINT32 || cache->stamps[entry] < cache->stamps[best]) &&
            !(arrived && cache->lines[entry].pending != 0))
            best = entry;
    }
    return best;
}

guint32 ws_l2_allocate(WsL2Cache *cache, WsL2Set set, guint64 line, WsL2Victim *ret)
{
    guint32 real = ws_l2_real_slice(cache, set.slice);
    guint32 best = oldest_entry(cache, set.first, FALSE); /* free entries have stamp 0 */
    *ret = (WsL2Victim){0};
    if (cache->lines[best].pending != 0)
        best = oldest_entry(cache, set.first, TRUE);
    if (best == G_MAXUINT32)
        return best;
    if (cache->tags[best] != 0)
        *ret = (WsL2Victim){.line = line_of(cache, cache->tags[best]),
                            .dirty = cache->lines[best].dirty};
    else
        cache->held[real]++;
    cache->tags[best] = tag_of(cache, set.slice, line);
    cache->lines[best] = (WsL2Line){0};
    stamp(cache, real, best);
    return best;
}

void ws_l2_drop(WsL2Cache *cache, WsL2Set set, guint64 line)
{
    guint64 tag = tag_of(cache, set.slice, line);
    for (guint32 entry = set.first; entry < set.first + cache->ways; entry++)
        if (cache->tags[entry] == tag && cache->lines[entry].pending == 0) {
            cache->tags[entry] = 0;
            cache->stamps[entry] = 0;
            cache->held[ws_l2_real_slice(cache, set.slice)]--;
        }
}

void ws_l2_write(WsL2Cache *cache, guint32 entry, const guint32 mask[WS_SECTORS_PER_LINE])
{
    WsL2Line *line = &cache->lines[entry];
    for (guint i = 0; i < WS_SECTORS_PER_LINE; i++) {
        guint8 bit = (guint8)(1u << i);
        if (mask[i] == 0)
            continue;
        line->dirty |= bit;
        if (line->full & bit)
            continue;
        guint32 valid = mask[i];
        if (valid != G_MAXUINT32) {
            valid |= line->partial & bit ? cache->bytes[entry].sector[i] : 0;
            cache->bytes[entry].sector[i] = valid;
            line->partial |= bit;
        }
        line->full |= valid == G_MAXUINT32 ? bit : 0;
    }
}

void ws_l2_prefetch(const WsL2Cache *cache, WsL2Set set)
{
    __builtin_prefetch(&cache->tags[set.first]);
    __builtin_prefetch(&cache->tags[set.first + cache->ways / 2]);
    __builtin_prefetch(&cache->stamps[set.first]);
    __builtin_prefetch(&cache->lines[set.first]);
    __builtin_prefetch(&cache->waiters[set.first]);
}

/* A pooled slice takes its share's time, and one of ideal.bandwidth a part of its own. */
static guint64 take_share(WsL2Cache *cache, guint32 slice, guint64 cycle, guint64 milli)
{
    guint32 real = ws_l2_real_slice(cache, slice);
    if (cache->slice_free[real] <= cycle)
        cache->slice_carry[real] = 0;
    return ws_turn_in_order(&cache->slice_free[real], cycle,
                            ws_service_cycles(&cache->rate, milli, &cache->slice_carry[real]));
}

guint64 ws_l2_take(WsL2Cache *cache, guint32 slice, guint64 cycle, guint64 service)
{
    if (cache->rated)
        return take_share(cache, slice, cycle, service * 1000);
    return ws_turn_in_order(&cache->slice_free[slice], cycle, service);
}

guint64 ws_l2_take_milli(WsL2Cache *cache, guint32 slice, guint64 cycle, guint64 service)
{
    if (cache->rated)
        return take_share(cache, slice, cycle, service);
    guint64 late = cache->slice_free[slice] > cycle ? cache->slice_milli[slice] : 0;
    guint64 milli = service + late;
    cache->slice_milli[slice] = (guint16)(milli % 1000);
    return ws_l2_take(cache, slice, cycle, milli / 1000);
}
