/* What atomics leave at addresses, and what is known by it (sim/check/order.h). */
#include "sim/check/order_private.h"

#include <string.h>

enum {
    MOST_ENTRIES = 1 << 18, /* of all addresses together */
    MOST_LOOKED_AT = 4096,  /* entries for one question */
    MOST_FOLLOWED = 256     /* places for one question */
};

void ws_order_place_free(gpointer data)
{
    WsOrderPlace *place = data;

    for (guint i = 0; i < place->entries->len; i++) {
        WsOrderEntry *entry = &g_array_index(place->entries, WsOrderEntry, i);

        g_free(entry->lanes);
        g_free(entry->across);
        ws_known_places_unref(entry->before);
    }
    g_array_unref(place->entries);
    g_hash_table_unref(place->by_block);
    g_free(place);
}

static guint32 find_place(const WsOrder *order, guint64 address)
{
    gint64 key = (gint64)address;

    return GPOINTER_TO_UINT(g_hash_table_lookup(order->place_of, &key));
}

static guint32 make_place(WsOrder *order, guint64 address)
{
    WsOrderPlace *place = g_new0(WsOrderPlace, 1);

    place->entries = g_array_new(FALSE, FALSE, sizeof(WsOrderEntry));
    place->by_block = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
    g_ptr_array_add(order->places, place);
    g_hash_table_insert(order->place_of, g_memdup2(&address, sizeof address),
                        GUINT_TO_POINTER(order->places->len));
    return order->places->len;
}

void ws_order_acquire(WsOrder *order, guint32 slot, guint32 thread, guint64 address)
{
    WsOrderBlock *block = ws_order_block(order, slot);
    guint32 number = order->places->len == 0 ? 0 : find_place(order, address);

    if (number == 0)
        return;
    const WsOrderPlace *place = order->places->pdata[number - 1];
    if (ws_known_places_has(block->known[thread], number - 1, place->entries->len))
        return;
    WsKnownPlaces *more =
        ws_known_places_with(block->known[thread], number - 1, place->entries->len);
    ws_known_places_unref(block->known[thread]);
    block->known[thread] = more;
    block->has_known = TRUE;
}

static guint32 *copy_row(const guint32 *table, gsize row, gsize width)
{
    return table == NULL ? NULL : g_memdup2(table + row * width, width * sizeof *table);
}

static WsOrderEntry entry_of(const WsOrder *order, const WsOrderBlock *block, guint32 thread)
{
    guint32 warp = thread / order->warp_size;

    return (WsOrderEntry){
        .block = block->serial,
        .thread = (guint16)thread,
        .warp = (guint16)warp,
        .own = MAX(block->fence[thread], block->full),
        .own_wide = MAX(block->wide[thread], block->wide_before_full ? block->full : 0),
        .warp_full = block->warp_full[warp],
        .full = block->full,
        .wide = block->wide[thread] != 0 || block->wide_before_full,
        .lanes = copy_row(block->lanes[warp], thread % order->warp_size, order->warp_size),
        .across = copy_row(block->across, warp, order->warps),
    };
}

/* The same thread again, which knows nothing new: an atomic in a loop that waits. */
static gboolean is_repeated(const WsOrderPlace *place, const WsOrderEntry *entry,
                            const WsKnownPlaces *known)
{
    if (place->entries->len == 0)
        return FALSE;
    const WsOrderEntry *last =
        &g_array_index(place->entries, WsOrderEntry, place->entries->len - 1);
    return last->block == entry->block && last->thread == entry->thread &&
           last->own == entry->own && last->own_wide == entry->own_wide &&
           last->warp_full == entry->warp_full && last->full == entry->full &&
           last->wide == entry->wide && last->before == known && entry->lanes == NULL &&
           entry->across == NULL;
}

static void append(WsOrder *order, WsOrderPlace *place, WsOrderEntry *entry, WsKnownPlaces *known)
{
    guint32 index = place->entries->len;
    GArray *list = g_hash_table_lookup(place->by_block, GUINT_TO_POINTER(entry->block));

    if (list == NULL) {
        list = g_array_new(FALSE, FALSE, sizeof(guint32));
        g_hash_table_insert(place->by_block, GUINT_TO_POINTER(entry->block), list);
    }
    g_array_append_val(list, index);
    entry->before = ws_known_places_join(
        index == 0 ? NULL : g_array_index(place->entries, WsOrderEntry, index - 1).before, known);
    g_array_append_vals(place->entries, entry, 1);
    order->entries++;
}

void ws_order_release(WsOrder *order, guint32 slot, guint32 thread, guint64 address)
{
    WsOrderBlock *block = ws_order_block(order, slot);

    if (block->fence[thread] == 0 && !block->wide_before_full)
        return;
    if (order->entries >= MOST_ENTRIES) {
        order->incomplete = TRUE;
        return;
    }
    guint32 number = find_place(order, address);
    if (number == 0)
        number = make_place(order, address);
    WsOrderPlace *place = order->places->pdata[number - 1];
    WsOrderEntry entry = entry_of(order, block, thread);
    if (is_repeated(place, &entry, block->known[thread])) {
        g_free(entry.lanes);
        g_free(entry.across);
        return;
    }
    append(order, place, &entry, block->known[thread]);
    block->clock++; /* what the thread does from here on is not left there */
}

/* ---- questions ----------------------------------------------------------------------------------
 */

static gboolean entry_knows(const WsOrder *order, const WsOrderEntry *entry, const WsNote *note,
                            gboolean same_block)
{
    guint32 size = order->warp_size;

    if (note->thread == entry->thread)
        return note->clock <= (same_block ? entry->own : entry->own_wide);
    if (!same_block && !entry->wide)
        return FALSE;
    if (note->clock <= entry->full)
        return TRUE;
    if (note->thread / size == entry->warp)
        return note->clock <= entry->warp_full ||
               (entry->lanes != NULL && note->clock <= entry->lanes[note->thread % size]);
    return entry->across != NULL && note->clock <= entry->across[note->thread / size];
}

/* The first `count` entries of a place, the last ones first. */
static gboolean place_knows(const WsOrder *order, const WsOrderPlace *place, guint32 count,
                            const WsNote *note, gboolean same_block, guint *left)
{
    const GArray *list = g_hash_table_lookup(place->by_block, GUINT_TO_POINTER(note->block));

    for (guint i = list == NULL ? 0 : list->len; i > 0; i--) {
        guint32 index = g_array_index(list, guint32, i - 1);

        if (index >= count)
            continue;
        if (*left == 0)
            return TRUE; /* rather nothing than a wrong report */
        --*left;
        if (entry_knows(order, &g_array_index(place->entries, WsOrderEntry, index), note,
                        same_block))
            return TRUE;
    }
    return FALSE;
}

/* Adds to the places to follow; those that were looked at further on already are not. */
static void look_at(GArray *todo, const WsKnownPlaces *known)
{
    for (guint32 i = 0; known != NULL && i < known->length; i++) {
        guint at = 0;

        while (at < todo->len &&
               (g_array_index(todo, WsKnownPlace, at).place != known->list[i].place ||
                g_array_index(todo, WsKnownPlace, at).count < known->list[i].count))
            at++;
        if (at == todo->len)
            g_array_append_val(todo, known->list[i]);
    }
}

gboolean ws_order_places_before(const WsOrder *order, const WsKnownPlaces *known,
                                const WsNote *note, guint32 reader)
{
    gboolean same_block = note->block == reader;
    guint left = MOST_LOOKED_AT;

    for (guint32 i = 0; i < known->length; i++)
        if (place_knows(order, order->places->pdata[known->list[i].place], known->list[i].count,
                        note, same_block, &left))
            return TRUE;
    g_autoptr(GArray) todo = g_array_new(FALSE, FALSE, sizeof(WsKnownPlace));
    look_at(todo, known);
    for (guint i = 0; i < todo->len; i++) {
        WsKnownPlace at = g_array_index(todo, WsKnownPlace, i);
        const WsOrderPlace *place = order->places->pdata[at.place];

        if (todo->len > MOST_FOLLOWED)
            return TRUE; /* rather nothing than a wrong report */
        if (i >= known->length && place_knows(order, place, at.count, note, same_block, &left))
            return TRUE;
        if (at.count > 0)
            look_at(todo, g_array_index(place->entries, WsOrderEntry, at.count - 1).before);
    }
    return FALSE;
}
