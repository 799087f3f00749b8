/* Accesses for those who want to know whether values change, and who changed them. */
#include "sim/memory/l2_service.h"
#include "sim/memory/sm_memory.h"

#include <string.h>

static void note_shared_words(const WsIssue *issue, guint lane)
{
    WsSharedBlock *block = &issue->memory->shared.blocks[issue->block_slot];
    guint64 first = issue->address[lane] / 4;

    for (guint64 word = first; word * 4 < issue->address[lane] + issue->operation.bytes; word++)
        block->writers[word] =
            (WsSharedWriter){.pc = issue->pc,
                             .warp = issue->memory->warps[issue->warp_slot].number,
                             .lane = (guint8)lane,
                             .known = TRUE};
}

void ws_do_shared_noted(WsIssue *issue, guint64 mask)
{
    WsSmMemory *memory = issue->memory;
    const WsSharedBlock *block = &memory->shared.blocks[issue->block_slot];

    if (issue->operation.action == WS_ACTION_LOAD) {
        ws_shared_memory_do(&memory->shared, issue->block_slot, &issue->operation, &issue->rows,
                            issue->address, mask, NULL);
        return;
    }
    for (guint64 rest = mask; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        const guint8 *place = block->data + issue->address[lane];
        WsBefore before;

        ws_note_before(issue, place, &before);
        ws_shared_memory_do(&memory->shared, issue->block_slot, &issue->operation, &issue->rows,
                            issue->address, rest & -rest, NULL);
        if (memcmp(before.bytes, place, issue->operation.bytes) == 0)
            continue;
        memory->changes++;
        if (block->writers != NULL)
            note_shared_words(issue, lane);
    }
}

void ws_note_lines(const WsIssue *issue, guint64 mask)
{
    if (!issue->memory->polls[issue->pc] && !ws_action_is_atomic(issue->operation.action))
        return;
    for (guint64 rest = mask; rest != 0; rest &= rest - 1)
        ws_writers_add_line(&issue->memory->system->writers,
                            issue->address[__builtin_ctzll(rest)] / WS_LINE_BYTES);
}

void ws_note_before(const WsIssue *issue, const guint8 *place, WsBefore *ret)
{
    memcpy(ret->bytes, place, issue->operation.bytes);
}

void ws_note_global(const WsIssue *issue, guint lane, const guint8 *place, const WsBefore *before)
{
    WsSmMemory *memory = issue->memory;
    const WsLastWriter writer = {.lanes = (guint64)1 << lane,
                                 .block = memory->warps[issue->warp_slot].block,
                                 .pc = issue->pc,
                                 .warp = memory->warps[issue->warp_slot].number,
                                 .known = TRUE};

    if (memcmp(before->bytes, place, issue->operation.bytes) == 0)
        return;
    memory->changes++;
    if (memory->polls != NULL)
        for (guint byte = 0; byte < issue->operation.bytes; byte += 4)
            ws_writers_note(&memory->system->writers, issue->address[lane] + byte, &writer);
}

/* ---- at L2 --------------------------------------------------------------------------------------
 */

static WsLastWriter writer_of(const WsMessage *message, guint64 lanes)
{
    return (WsLastWriter){.lanes = lanes,
                          .block = message->block,
                          .pc = message->pc,
                          .warp = message->warp,
                          .known = TRUE};
}

static gboolean is_one(guint64 lanes)
{
    return (lanes & (lanes - 1)) == 0;
}

/* Of a store that fills its line, lane n stores word n; of others of several lanes, who knows. */
static guint64 storing_lanes(const WsMessage *message, const WsLineBytes *bytes, guint word)
{
    gboolean row = message->lanes == G_MAXUINT32;

    for (guint i = 0; i < WS_SECTORS_PER_LINE; i++)
        row = row && bytes->mask[i] == G_MAXUINT32;
    if (row)
        return (guint64)1 << word;
    return is_one(message->lanes) ? message->lanes : 0;
}

static void note_store(const WsSmMemory *memory, const WsMessage *message, const guint8 *line,
                       WsWriterTable *writers)
{
    const WsLineBytes *bytes = ws_pool_at(&memory->stores, message->item);

    for (guint word = 0; word < WS_LINE_BYTES / 4; word++) {
        guint mask = bytes->mask[word * 4 / WS_SECTOR_BYTES] >> word * 4 % WS_SECTOR_BYTES & 0xf;
        gboolean changed = FALSE;

        for (guint byte = 0; byte < 4; byte++)
            if (mask >> byte & 1)
                changed = changed || bytes->data[word * 4 + byte] != line[word * 4 + byte];
        if (changed) {
            WsLastWriter writer = writer_of(message, storing_lanes(message, bytes, word));
            ws_writers_note(writers, message->line * WS_LINE_BYTES + word * 4, &writer);
        }
    }
}

/* Does the atomic's lanes on a copy of the line. */
static void note_atomic(const WsSmMemory *memory, const WsMessage *message, const guint8 *line,
                        gsize bytes, WsWriterTable *writers)
{
    const WsAtomicRecord *record = ws_pool_at(&memory->atomics, message->item);
    guint8 copy[WS_LINE_BYTES], before[WS_LINE_BYTES];

    memcpy(copy, line, bytes);
    for (guint64 rest = message->lanes; rest != 0; rest &= rest - 1) {
        guint lane = (guint)__builtin_ctzll(rest);
        guint offset = record->offset[lane];
        WsLastWriter writer = writer_of(message, rest & -rest);

        memcpy(before, copy, bytes);
        ws_atomic_at(&record->operation, copy + offset, record->value[lane], record->second[lane]);
        for (guint i = 0; i < record->operation.bytes; i += 4)
            if (memcmp(before + offset + i, copy + offset + i, MIN(record->operation.bytes, 4)) !=
                0)
                ws_writers_note(writers, message->line * WS_LINE_BYTES + offset + i, &writer);
    }
}

void ws_sm_note_change(WsSmMemory *memory, const WsMessage *message, WsWriterTable *writers)
{
    const WsRegion *region = message->region;
    guint64 offset;

    if (region == NULL)
        return;
    offset = message->line * WS_LINE_BYTES - region->base;
    if (message->polls || message->kind == WS_MESSAGE_ATOMIC)
        ws_writers_add_line(writers, message->line);
    if (message->kind == WS_MESSAGE_STORE)
        note_store(memory, message, region->data + offset, writers);
    else if (message->kind == WS_MESSAGE_ATOMIC)
        note_atomic(memory, message, region->data + offset,
                    MIN(WS_LINE_BYTES, region->bytes - offset), writers);
}
