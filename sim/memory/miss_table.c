#include "sim/memory/miss_table.h"

#include <string.h>

enum { WS_MISS_BUCKETS = 1024 };

void ws_miss_table_init(WsMissTable *table, WsStateArena *arena)
{
    ws_pool_init(&table->misses, arena, sizeof(WsMiss));
    ws_pool_init(&table->parts, arena, sizeof(WsPart));
    ws_pool_init(&table->patches, arena, sizeof(WsLineBytes));
    table->bucket_count = WS_MISS_BUCKETS;
    table->buckets = ws_state_new(arena, guint32, table->bucket_count);
    memset(table->buckets, 0xff, sizeof(guint32) * table->bucket_count);
}

void ws_miss_table_clear(WsMissTable *table)
{
    ws_pool_clear(&table->misses);
    ws_pool_clear(&table->parts);
    ws_pool_clear(&table->patches);
    ws_state_free(table->misses.arena, table->buckets);
}

static guint32 *bucket_of(const WsMissTable *table, guint64 line)
{
    return &table->buckets[(line ^ (line >> 10) ^ (line >> 20)) & (table->bucket_count - 1)];
}

guint32 ws_miss_find(const WsMissTable *table, guint64 line)
{
    guint32 miss = *bucket_of(table, line);
    while (miss != WS_NONE && ws_miss_at(table, miss)->line != line)
        miss = ws_miss_at(table, miss)->next;
    return miss;
}

guint32 ws_miss_new(WsMissTable *table, guint64 line, const WsRegion *region, gboolean listed)
{
    guint32 index = ws_pool_take(&table->misses);
    WsMiss *miss = ws_miss_at(table, index);
    *miss = (WsMiss){.next = WS_NONE,
                     .parts = WS_NONE,
                     .patch = WS_NONE,
                     .listed = listed,
                     .line = line,
                     .region = region};
    if (listed) {
        guint32 *bucket = bucket_of(table, line);
        miss->next = *bucket;
        *bucket = index;
    }
    return index;
}

static guint32 copy_patch(WsMissTable *table, guint32 patch)
{
    if (patch == WS_NONE)
        return WS_NONE;
    guint32 copy = ws_pool_take(&table->patches);
    memcpy(ws_pool_at(&table->patches, copy), ws_pool_at(&table->patches, patch),
           sizeof(WsLineBytes));
    return copy;
}

void ws_miss_add_part(WsMissTable *table, guint32 miss, guint32 access, guint64 lanes,
                      guint8 needed)
{
    guint32 index = ws_pool_take(&table->parts);
    WsPart *part = ws_pool_at(&table->parts, index);
    WsMiss *entry = ws_miss_at(table, miss);
    *part = (WsPart){.next = entry->parts,
                     .access = access,
                     .patch = copy_patch(table, entry->patch),
                     .needed = needed,
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

void ws_miss_store(WsMissTable *table, guint32 miss, const WsLineBytes *bytes)
{
    WsMiss *entry = ws_miss_at(table, miss);
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

void ws_miss_unlist(WsMissTable *table, guint32 miss)
{
    WsMiss *entry = ws_miss_at(table, miss);
    if (!entry->listed)
        return;
    guint32 *place = bucket_of(table, entry->line);
    while (*place != miss)
        place = &ws_miss_at(table, *place)->next;
    *place = entry->next;
    entry->listed = FALSE;
}

void ws_miss_unlist_all(WsMissTable *table)
{
    for (guint32 bucket = 0; bucket < table->bucket_count; bucket++)
        while (table->buckets[bucket] != WS_NONE)
            ws_miss_unlist(table, table->buckets[bucket]);
}

void ws_miss_free(WsMissTable *table, guint32 miss)
{
    ws_miss_unlist(table, miss);
    if (ws_miss_at(table, miss)->patch != WS_NONE)
        ws_pool_give(&table->patches, ws_miss_at(table, miss)->patch);
    ws_pool_give(&table->misses, miss);
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
