#include "sim/fetch/constant_cache.h"

#include "sim/base/turns.h"

#include <string.h>

WsConstantCache *ws_constant_cache_new(const WsDevice *device, guint32 sm,
                                       const WsLineDirectory *in_l2, WsStateArena *arena)
{
    WsConstantCache *cache;

    if (device->fetch_model == WS_FETCH_IDEAL)
        return NULL;
    cache = ws_state_new(arena, WsConstantCache, 1);
    cache->device = device;
    cache->in_l2 = in_l2;
    cache->asked.arena = arena;
    cache->way = sm * device->constant_sm_latency_milli / 1000;
    for (guint i = 0; i < device->sub_cores; i++)
        ws_line_cache_init(&cache->l0[i], arena, device->constant_l0_bytes, WS_CONSTANT_LINE_BYTES,
                           device->constant_ways);
    ws_line_cache_init(&cache->l1, arena, device->constant_l1_bytes, WS_CONSTANT_LINE_BYTES,
                       device->constant_ways);
    ws_line_cache_init(&cache->l15, arena, device->constant_l15_bytes, WS_CONSTANT_L15_LINE_BYTES,
                       device->constant_ways);
    return cache;
}

void ws_constant_cache_free(WsConstantCache *cache)
{
    WsStateArena *arena;

    if (cache == NULL)
        return;
    for (guint i = 0; i < cache->device->sub_cores; i++)
        ws_line_cache_clear(&cache->l0[i]);
    ws_line_cache_clear(&cache->l1);
    ws_line_cache_clear(&cache->l15);
    arena = cache->asked.arena;
    ws_state_array_clear(&cache->asked);
    ws_state_free(arena, cache);
}

void ws_constant_cache_begin(WsConstantCache *cache, guint32 sharing)
{
    for (guint i = 0; i < cache->device->sub_cores; i++)
        ws_line_cache_empty(&cache->l0[i]);
    ws_line_cache_empty(&cache->l1);
    ws_line_cache_empty(&cache->l15);
    memset(cache->queues, 0, sizeof cache->queues);
    cache->free = cache->turn = 0;
    cache->turn_every = MAX(sharing * cache->device->parameter_interval_milli / 1000, 1);
    cache->load_place = WS_LINE_ABSENT;
}

/* ---- bank 0, on its way from the launch ---------------------------------------------------------
 */

static gboolean is_sent(const WsConstantCache *cache, guint32 line)
{
    return cache->device->launch_parameters == WS_PARAMETERS_SENT &&
           line < WS_CONSTANT_BANK_BYTES / WS_CONSTANT_LINE_BYTES;
}

static guint64 sent_latency(const WsConstantCache *cache)
{
    return cache->device->parameter_latency + cache->way;
}

/* LDCs of all sub-cores that wait for the line of L1 that comes at `before` get it `later`. */
static void put_off_loads(WsConstantCache *cache, guint64 before, guint64 later)
{
    cache->l1.ready[cache->load_place] += later;
    for (guint i = 0; i < cache->device->sub_cores; i++) {
        WsConstantQueue *queue = &cache->queues[i];

        for (guint k = 0; k < cache->device->constant_queue; k++)
            if (queue->done[k] >= before)
                queue->done[k] += later;
        if (queue->late >= before)
            queue->late += later;
    }
}

/* The turn of an operand that is wanted at `cycle`; one that L1 waits for may have to wait. */
static guint64 operand_from_launch(WsConstantCache *cache, guint64 cycle)
{
    guint64 turn = ws_turn_in_order(&cache->turn, cycle, cache->turn_every);

    if (cache->load_place != WS_LINE_ABSENT && cache->load_turn < cache->turn) {
        if (cache->load_turn > cycle) {
            put_off_loads(cache, cache->l1.ready[cache->load_place],
                          cache->turn - cache->load_turn);
            cache->load_turn = cache->turn;
        } else {
            cache->load_place = WS_LINE_ABSENT;
        }
    }
    return turn + sent_latency(cache);
}

static guint64 load_from_launch(WsConstantCache *cache, guint32 line, guint64 cycle)
{
    guint64 turn = cycle + cache->device->constant_l1_latency;

    if (cache->load_place != WS_LINE_ABSENT)
        cache->turn = MAX(cache->turn, cache->load_turn + cache->turn_every);
    turn = MAX(turn, cache->turn);
    ws_line_cache_insert(&cache->l1, line, turn + sent_latency(cache));
    cache->load_turn = turn;
    cache->load_place = ws_line_cache_find(&cache->l1, line);
    return turn + sent_latency(cache);
}

/* ---- lines --------------------------------------------------------------------------------------
 */

/* When L1 gets a line that it lacks, from wherever it is. */
static guint64 from_behind_l1(WsConstantCache *cache, guint32 line, guint64 cycle)
{
    const WsDevice *device = cache->device;
    guint32 wide = line / (WS_CONSTANT_L15_LINE_BYTES / WS_CONSTANT_LINE_BYTES), place;
    guint64 l15 = cycle + device->constant_l15_latency + cache->way;
    WsLineRequest request = {wide, cycle + device->constant_memory_latency + cache->way};

    if (line < WS_CONSTANT_BANK_BYTES / WS_CONSTANT_LINE_BYTES) /* bank 0 */
        return l15;
    place = ws_line_cache_find(&cache->l15, wide);
    if (place != WS_LINE_ABSENT) {
        ws_line_cache_use(&cache->l15, place);
        return l15;
    }
    ws_line_cache_insert(&cache->l15, wide, 0);
    if (cache->in_l2->ready[wide] <= request.ready)
        return MAX(cycle + device->constant_l2_latency + cache->way, cache->in_l2->ready[wide]);
    ws_state_array_append(&cache->asked, WsLineRequest, request);
    return request.ready;
}

guint64 ws_constant_cache_load(WsConstantCache *cache, guint32 line, guint64 cycle)
{
    guint32 place = ws_line_cache_find(&cache->l1, line);

    if (place != WS_LINE_ABSENT)
        return MAX(cycle, ws_line_cache_use(&cache->l1, place));
    if (is_sent(cache, line))
        return load_from_launch(cache, line, cycle);
    cache->free = from_behind_l1(cache, line, MAX(cycle, cache->free));
    ws_line_cache_insert(&cache->l1, line, cache->free);
    return cache->free;
}

guint64 ws_constant_cache_operand(WsConstantCache *cache, guint sub_core, guint32 line,
                                  guint64 cycle)
{
    WsLineCache *l0 = &cache->l0[sub_core];
    guint32 place = ws_line_cache_find(l0, line);
    guint64 ready;

    if (place != WS_LINE_ABSENT)
        return MAX(cycle, ws_line_cache_use(l0, place));
    ready = is_sent(cache, line)
                ? operand_from_launch(cache, cycle)
                : ws_constant_cache_load(cache, line, cycle) + cache->device->constant_l1_latency;
    ws_line_cache_insert(l0, line, ready);
    return ready;
}

/* Where lines are near all LDCs take about as long. */
static gboolean queue_is_ordered(const WsConstantCache *cache)
{
    return cache->device->launch_parameters == WS_PARAMETERS_SENT;
}

guint64 ws_constant_cache_queue(WsConstantCache *cache, guint sub_core, guint64 ready, guint64 late)
{
    WsConstantQueue *queue = &cache->queues[sub_core];
    guint64 behind = queue->late + cache->device->timing[WS_CLASS_CONSTANT_LOAD].interval;

    if (queue_is_ordered(cache) && (late != 0 || behind > ready))
        queue->late = ready = MAX(ready, queue->late == 0 ? 0 : behind);
    queue->done[queue->oldest] = ready;
    queue->oldest = (queue->oldest + 1) % (guint32)cache->device->constant_queue;
    return ready;
}
