#include "sim/memory/mshr.h"

#include <string.h>

enum { WS_MISS_BUCKETS = 1024 };

void ws_mshr_table_init(WsMshrTable *table, WsStateArena *arena)
{
    ws_pool_init(&table->mshrs, arena, sizeof(WsMshr));
    ws_pool_init(&table->parts, arena, sizeof(WsPart));
    ws_pool_init(&table->patches, arena, sizeof(WsLineBytes));
    table->bucket_count = WS_MISS_BUCKETS;
    table->buckets = ws_state_new(arena, guint32, table->bucket_count);
    memset(table->buckets, 0xff, sizeof(guint32) * table->bucket_count);
}

void ws_mshr_table_clear(WsMshrTable *table)
{
    ws_pool_clear(&table->mshrs);
    ws_pool_clear(&table->parts);
    ws_pool_clear(&table->patches);
    ws_state_free(table->mshrs.arena, table->buckets);
}

guint32 ws_mshr_new(WsMshrTable *table, guint64 line, const WsRegion *region, gboolean listed)
{
    guint32 index = ws_pool_take(&table->mshrs);
    WsMshr *mshr = ws_mshr_at(table, index);
    *mshr = (WsMshr){.next = WS_NONE,
                     .parts = WS_NONE,
                     .patch = WS_NONE,
                     .listed = listed,
                     .line = line,
                     .region = region};
    if (listed) {
        guint32 *bucket = ws_mshr_bucket_of(table, line);
        mshr->next = *bucket;
        *bucket = index;
    }
    return index;
}

static guint32 copy_patch(WsMshrTable *table, guint32 patch)
{
    guint32 copy = ws_pool_take(&table->patches);
    memcpy(ws_pool_at(&table->patches, copy), ws_pool_at(&table->patches, patch),
           sizeof(WsLineBytes));
    return copy;
}

void ws_mshr_add_part(WsMshrTable *table, guint32 mshr, guint32 access, guint64 lanes,
                      guint8 needed)
{
    guint32 index = ws_pool_take(&table->parts);
    WsPart *part = ws_pool_at(&table->parts, index);
    WsMshr *entry = ws_mshr_at(table, mshr);
    *part = (WsPart){.next = entry->parts,
                     .access = access,
                     .patch = G_LIKELY(entry->patch == WS_NONE) ? WS_NONE
                                                                : copy_patch(table, entry->patch),
                     .needed = needed,
                     .unknown = needed & (guint8)~entry->known,
                     .lanes = lanes};
    entry->parts = index;
}

static void merge_bytes(WsLineBytes *into, const WsLineBytes *bytes, guint8 sectors)
{
    ws_line_bytes_apply(bytes, into->data, sectors);
    for (guint i = 0; i < WS_SECTORS_PER_LINE; i++)
        if (sectors >> i & 1)
            into->mask[i] |= bytes->mask[i];
}

void ws_mshr_store(WsMshrTable *table, guint32 mshr, const WsLineBytes *bytes)
{
    WsMshr *entry = ws_mshr_at(table, mshr);
    guint8 touched = 0;
    for (guint i = 0; i < WS_SECTORS_PER_LINE; i++)
        touched |= (guint8)((bytes->mask[i] != 0) << i);
    if ((touched & entry->pending) == 0)
        return;
    if (entry->patch == WS_NONE) {
        entry->patch = ws_pool_take(&table->patches);
        memset(ws_pool_at(&table->patches, entry->patch), 0, sizeof(WsLineBytes));
    }
    merge_bytes(ws_pool_at(&table->patches, entry->patch), bytes, entry->pending);
}

void ws_mshr_unlist(WsMshrTable *table, guint32 mshr)
{
    WsMshr *entry = ws_mshr_at(table, mshr);
    if (!entry->listed)
        return;
    guint32 *place = ws_mshr_bucket_of(table, entry->line);
    while (*place != mshr)
        place = &ws_mshr_at(table, *place)->next;
    *place = entry->next;
    entry->listed = FALSE;
}

void ws_mshr_unlist_all(WsMshrTable *table)
{
    for (guint32 bucket = 0; bucket < table->bucket_count; bucket++)
        while (table->buckets[bucket] != WS_NONE)
            ws_mshr_unlist(table, table->buckets[bucket]);
}

void ws_mshr_free(WsMshrTable *table, guint32 mshr)
{
    ws_mshr_unlist(table, mshr);
    if (ws_mshr_at(table, mshr)->patch != WS_NONE)
        ws_pool_give(&table->patches, ws_mshr_at(table, mshr)->patch);
    ws_pool_give(&table->mshrs, mshr);
}

void ws_line_bytes_apply(const WsLineBytes *bytes, guint8 *line, guint8 sectors)
{
    for (guint sector = 0; sector < WS_SECTORS_PER_LINE; sector++) {
        guint32 mask = sectors >> sector & 1 ? bytes->mask[sector] : 0;
        guint first = sector * WS_SECTOR_BYTES;
        if (mask == G_MAXUINT32) {
            memcpy(line + first, bytes->data + first, WS_SECTOR_BYTES);
            continue;
        }
        for (; mask != 0; mask &= mask - 1) {
            guint byte = first + (guint)__builtin_ctz(mask);
            line[byte] = bytes->data[byte];
        }
    }
}
