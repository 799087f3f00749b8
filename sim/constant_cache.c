#include "sim/constant_cache.h"

WsConstantCache *ws_constant_cache_new(const WsDevice *device, guint32 sm,
                                       const WsLineDirectory *in_l2)
{
    WsConstantCache *cache;

    if (device->fetch_model == WS_FETCH_IDEAL)
        return NULL;
    cache = g_new0(WsConstantCache, 1);
    cache->device = device;
    cache->in_l2 = in_l2;
    cache->asked = g_array_new(FALSE, FALSE, sizeof(WsLineRequest));
    cache->way = sm * device->constant_sm_latency_milli / 1000;
    for (guint i = 0; i < device->sub_cores; i++)
        ws_line_cache_init(&cache->l0[i], device->constant_l0_bytes, WS_CONSTANT_LINE_BYTES,
                           device->constant_ways);
    ws_line_cache_init(&cache->l1, device->constant_l1_bytes, WS_CONSTANT_LINE_BYTES,
                       device->constant_ways);
    ws_line_cache_init(&cache->l15, device->constant_l15_bytes, WS_CONSTANT_L15_LINE_BYTES,
                       device->constant_ways);
    return cache;
}

void ws_constant_cache_free(WsConstantCache *cache)
{
    if (cache == NULL)
        return;
    for (guint i = 0; i < cache->device->sub_cores; i++)
        ws_line_cache_clear(&cache->l0[i]);
    ws_line_cache_clear(&cache->l1);
    ws_line_cache_clear(&cache->l15);
    g_array_unref(cache->asked);
    g_free(cache);
}

void ws_constant_cache_begin(WsConstantCache *cache)
{
    for (guint i = 0; i < cache->device->sub_cores; i++)
        ws_line_cache_empty(&cache->l0[i]);
    ws_line_cache_empty(&cache->l1);
    ws_line_cache_empty(&cache->l15);
    cache->free = 0;
}

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
    g_array_append_val(cache->asked, request);
    return request.ready;
}

guint64 ws_constant_cache_load(WsConstantCache *cache, guint32 line, guint64 cycle)
{
    guint32 place = ws_line_cache_find(&cache->l1, line);

    if (place != WS_LINE_ABSENT)
        return MAX(cycle, ws_line_cache_use(&cache->l1, place));
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
    ready = ws_constant_cache_load(cache, line, cycle) + cache->device->constant_l1_latency;
    ws_line_cache_insert(l0, line, ready);
    return ready;
}
