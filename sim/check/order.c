#include "sim/check/order_private.h"

#include <string.h>

/* ---- life ---------------------------------------------------------------------------------------
 */

static void barrier_clear(WsOrderBarrier *barrier)
{
    g_free(barrier->came);
    g_free(barrier->waits);
    g_free(barrier->ticks);
    ws_known_places_unref(barrier->known);
    *barrier = (WsOrderBarrier){0};
}

static void drop_known(const WsOrder *order, WsOrderBlock *block)
{
    for (guint32 t = 0; block->has_known && t < order->threads; t++)
        g_clear_pointer(&block->known[t], ws_known_places_unref);
    block->has_known = FALSE;
}

static void block_free(const WsOrder *order, WsOrderBlock *block)
{
    if (block == NULL)
        return;
    drop_known(order, block);
    for (guint32 w = 0; w < order->warps; w++)
        g_free(block->lanes[w]);
    for (guint32 b = 0; b < WS_ORDER_BARRIERS; b++)
        barrier_clear(&block->barriers[b]);
    g_free(block->lanes);
    g_free(block->warp_full);
    g_free(block->across);
    g_free(block->fence);
    g_free(block->wide);
    g_free(block->known);
    g_free(block);
}

WsOrder *ws_order_new(guint32 threads, guint32 warp_size)
{
    WsOrder *order = g_new0(WsOrder, 1);

    order->threads = threads;
    order->warp_size = warp_size;
    order->warps = (threads + warp_size - 1) / warp_size;
    order->blocks = g_ptr_array_new();
    order->place_of = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    order->places = g_ptr_array_new_with_free_func(ws_order_place_free);
    return order;
}

void ws_order_free(WsOrder *order)
{
    for (guint i = 0; i < order->blocks->len; i++)
        block_free(order, order->blocks->pdata[i]);
    g_ptr_array_unref(order->blocks);
    g_hash_table_unref(order->place_of);
    g_ptr_array_unref(order->places);
    g_free(order);
}

static WsOrderBlock *block_new(const WsOrder *order)
{
    WsOrderBlock *block = g_new0(WsOrderBlock, 1);

    block->warp_full = g_new0(guint32, order->warps);
    block->lanes = g_new0(guint32 *, order->warps);
    block->fence = g_new0(guint32, order->threads);
    block->wide = g_new0(guint32, order->threads);
    block->known = g_new0(WsKnownPlaces *, order->threads);
    return block;
}

void ws_order_begin_block(WsOrder *order, guint32 slot, guint32 serial)
{
    WsOrderBlock *block;

    if (slot >= order->blocks->len)
        g_ptr_array_set_size(order->blocks, (gint)slot + 1);
    if (order->blocks->pdata[slot] == NULL)
        order->blocks->pdata[slot] = block_new(order);
    block = order->blocks->pdata[slot];
    drop_known(order, block);
    memset(block->warp_full, 0, order->warps * sizeof *block->warp_full);
    memset(block->fence, 0, order->threads * sizeof *block->fence);
    memset(block->wide, 0, order->threads * sizeof *block->wide);
    for (guint32 w = 0; w < order->warps; w++)
        g_clear_pointer(&block->lanes[w], g_free);
    g_clear_pointer(&block->across, g_free);
    for (guint32 b = 0; b < WS_ORDER_BARRIERS; b++)
        barrier_clear(&block->barriers[b]);
    block->serial = serial;
    block->clock = 1;
    block->full = 0;
    block->wide_fence = block->wide_before_full = FALSE;
}

guint32 ws_order_serial(const WsOrder *order, guint32 slot)
{
    return ws_order_block(order, slot)->serial;
}

guint32 ws_order_clock(const WsOrder *order, guint32 slot)
{
    return ws_order_block(order, slot)->clock;
}

/* ---- lanes --------------------------------------------------------------------------------------
 */

/* Threads `first` + the lanes of `mask` share what they know of lists at addresses. */
static void share_known(WsOrderBlock *block, guint32 first, guint64 mask)
{
    WsKnownPlaces *all = NULL;

    if (!block->has_known)
        return;
    for (guint64 rest = mask; rest != 0; rest &= rest - 1)
        ws_known_places_add(&all, block->known[first + (guint)__builtin_ctzll(rest)]);
    for (guint64 rest = mask; rest != 0; rest &= rest - 1)
        ws_known_places_add(&block->known[first + (guint)__builtin_ctzll(rest)], all);
    ws_known_places_unref(all);
}

static void meet_in_part(const WsOrder *order, WsOrderBlock *block, guint32 warp, guint64 mask)
{
    guint32 size = order->warp_size;
    guint32 together[64] = {0};

    if (block->lanes[warp] == NULL)
        block->lanes[warp] = g_new0(guint32, (gsize)size * size);
    for (guint64 rest = mask; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        const guint32 *row = block->lanes[warp] + (gsize)lane * size;

        for (guint32 i = 0; i < size; i++)
            together[i] = MAX(together[i], row[i]);
    }
    for (guint64 rest = mask; rest != 0; rest &= rest - 1)
        together[__builtin_ctzll(rest)] = block->clock;
    for (guint64 rest = mask; rest != 0; rest &= rest - 1)
        memcpy(block->lanes[warp] + (gsize)__builtin_ctzll(rest) * size, together,
               size * sizeof *together);
}

void ws_order_lanes_meet(WsOrder *order, guint32 slot, guint32 warp, guint64 mask, gboolean all)
{
    WsOrderBlock *block = ws_order_block(order, slot);

    if ((mask & (mask - 1)) == 0 && !all)
        return;
    if (all)
        block->warp_full[warp] = block->clock;
    else
        meet_in_part(order, block, warp, mask);
    share_known(block, warp * order->warp_size, mask);
    block->clock++;
}

void ws_order_fence(WsOrder *order, guint32 slot, guint32 warp, guint64 mask, gboolean wide)
{
    WsOrderBlock *block = ws_order_block(order, slot);

    for (guint64 rest = mask; rest != 0; rest &= rest - 1) {
        guint32 thread = warp * order->warp_size + (guint)__builtin_ctzll(rest);

        block->fence[thread] = block->clock;
        if (wide)
            block->wide[thread] = block->clock;
    }
    block->wide_fence = block->wide_fence || (wide && mask != 0);
    block->clock++;
}

/* ---- barriers of the block ----------------------------------------------------------------------
 */

void ws_order_arrive(WsOrder *order, guint32 slot, guint32 warp, guint64 mask, guint32 number,
                     gboolean waits)
{
    WsOrderBlock *block = ws_order_block(order, slot);
    WsOrderBarrier *barrier = &block->barriers[number];
    guint32 warps = order->warps;

    if (barrier->came == NULL) {
        barrier->came = g_new0(guint64, warps);
        barrier->waits = g_new0(guint64, warps);
        barrier->ticks = g_new0(guint32, warps);
    }
    barrier->came[warp] |= mask;
    barrier->waits[warp] |= waits ? mask : 0;
    if (block->across != NULL)
        for (guint32 w = 0; w < warps; w++)
            barrier->ticks[w] = MAX(barrier->ticks[w], block->across[warp * warps + w]);
    barrier->ticks[warp] = block->clock;
    for (guint64 rest = block->has_known ? mask : 0; rest != 0; rest &= rest - 1)
        ws_known_places_add(&barrier->known,
                            block->known[warp * order->warp_size + (guint)__builtin_ctzll(rest)]);
    if (!waits) /* what it does from here on is not known to those that wait */
        block->clock++;
}

/* All threads know all. */
static void release_all(const WsOrder *order, WsOrderBlock *block)
{
    block->full = block->clock++;
    block->wide_before_full = block->wide_fence;
    if (!block->has_known)
        return;
    WsKnownPlaces *all = NULL;
    for (guint32 t = 0; t < order->threads; t++)
        ws_known_places_add(&all, block->known[t]);
    for (guint32 t = 0; t < order->threads; t++)
        ws_known_places_add(&block->known[t], all);
    ws_known_places_unref(all);
}

static void release_some(const WsOrder *order, WsOrderBlock *block, const WsOrderBarrier *barrier)
{
    guint32 warps = order->warps;

    if (block->across == NULL)
        block->across = g_new0(guint32, (gsize)warps * warps);
    for (guint32 w = 0; w < warps; w++) {
        if (barrier->waits[w] == 0)
            continue;
        for (guint32 of = 0; of < warps; of++)
            if (of != w)
                block->across[w * warps + of] =
                    MAX(block->across[w * warps + of], barrier->ticks[of]);
        meet_in_part(order, block, w, barrier->waits[w]);
        for (guint64 rest = barrier->known != NULL ? barrier->waits[w] : 0; rest != 0;
             rest &= rest - 1)
            ws_known_places_add(&block->known[w * order->warp_size + (guint)__builtin_ctzll(rest)],
                                barrier->known);
    }
    block->clock++;
}

void ws_order_release_barrier(WsOrder *order, guint32 slot, guint32 number, gboolean all)
{
    WsOrderBlock *block = ws_order_block(order, slot);
    WsOrderBarrier *barrier = &block->barriers[number];

    if (all)
        release_all(order, block);
    else if (barrier->came != NULL)
        release_some(order, block, barrier);
    if (barrier->came == NULL)
        return;
    memset(barrier->came, 0, order->warps * sizeof *barrier->came);
    memset(barrier->waits, 0, order->warps * sizeof *barrier->waits);
    memset(barrier->ticks, 0, order->warps * sizeof *barrier->ticks);
    g_clear_pointer(&barrier->known, ws_known_places_unref);
}

/* ---- what is known ------------------------------------------------------------------------------
 */

static gboolean known_in_block(const WsOrder *order, const WsOrderBlock *block, const WsNote *note,
                               guint32 thread)
{
    guint32 size = order->warp_size, warp = thread / size, of = note->thread / size;

    if (note->thread == thread || note->clock <= block->full)
        return TRUE;
    if (warp == of)
        return note->clock <= block->warp_full[warp] ||
               (block->lanes[warp] != NULL &&
                note->clock <= block->lanes[warp][thread % size * size + note->thread % size]);
    return block->across != NULL && note->clock <= block->across[warp * order->warps + of];
}

gboolean ws_order_before_in_block(const WsOrder *order, const WsNote *note, guint32 slot,
                                  guint32 thread)
{
    const WsOrderBlock *block = ws_order_block(order, slot);

    return note->block == block->serial && known_in_block(order, block, note, thread);
}

gboolean ws_order_before(WsOrder *order, const WsNote *note, guint32 slot, guint32 thread)
{
    const WsOrderBlock *block = ws_order_block(order, slot);

    if (note->block == block->serial && known_in_block(order, block, note, thread))
        return TRUE;
    if (order->incomplete) /* rather nothing than a wrong report */
        return TRUE;
    return block->known[thread] != NULL &&
           ws_order_places_before(order, block->known[thread], note, block->serial);
}

gboolean ws_order_is_incomplete(const WsOrder *order)
{
    return order->incomplete;
}
