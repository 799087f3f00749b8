#include "sim/memory/last_writers.h"

#include "sim/memory/l2_service.h"
#include "sim/memory/sm_memory.h"

enum { FIRST_CAPACITY = 16, MOST_LINES = 4096, LINE_WORDS = WS_LINE_BYTES / 4 };

typedef struct {
    guint64 line; /* + 1; 0 = free */
    WsLastWriter words[LINE_WORDS];
} Line;

/* ---- lines of global memory ---------------------------------------------------------------------
 */

/* The place of a line, or the free one where it would be. */
static Line *find(const WsWriterTable *table, guint64 line)
{
    Line *lines = table->lines;
    guint32 place = (guint32)((line * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15)) >> 32);

    for (;; place++) {
        Line *found = &lines[place % table->capacity];

        if (found->line == line + 1 || found->line == 0)
            return found;
    }
}

static void grow(WsWriterTable *table)
{
    WsWriterTable old = *table;
    const Line *lines = old.lines;

    table->capacity = MAX(FIRST_CAPACITY, 2 * old.capacity);
    table->lines = ws_state_alloc(table->arena, table->capacity, sizeof(Line));
    for (guint32 i = 0; i < old.capacity; i++)
        if (lines[i].line != 0)
            *find(table, lines[i].line - 1) = lines[i];
    ws_state_free(table->arena, old.lines);
}

void ws_writers_add_line(WsWriterTable *table, guint64 line)
{
    Line *place = find(table, line);

    if (place->line != 0 || table->count == MOST_LINES)
        return;
    place->line = line + 1;
    if (++table->count * 2 > table->capacity)
        grow(table);
}

void ws_writers_note(WsWriterTable *table, guint64 address, const WsLastWriter *writer)
{
    Line *line = find(table, address / WS_LINE_BYTES);

    if (line->line != 0)
        line->words[address % WS_LINE_BYTES / 4] = *writer;
}

void ws_writers_clear(WsWriterTable *table)
{
    ws_state_free(table->arena, table->lines);
    table->lines = NULL;
    table->count = table->capacity = 0;
}

void ws_memory_system_keep_writers(WsMemorySystem *system, const guint8 *polls)
{
    for (guint32 i = 0; i < system->share_count; i++) {
        WsWriterTable *table = &system->shares[i]->writers;

        ws_writers_clear(table);
        table->arena = system->arena;
        if (polls != NULL)
            grow(table);
    }
    for (guint32 i = 0; i < system->sm_count; i++)
        if (system->sms[i] != NULL)
            system->sms[i]->polls = polls;
}

const WsLastWriter *ws_memory_system_writer(const WsMemorySystem *system, guint64 address)
{
    for (guint32 i = 0; i < system->share_count; i++) {
        const WsWriterTable *table = &system->shares[i]->writers;
        const Line *line;

        if (table->lines == NULL)
            continue;
        line = find(table, address / WS_LINE_BYTES);
        if (line->line != 0 && line->words[address % WS_LINE_BYTES / 4].known)
            return &line->words[address % WS_LINE_BYTES / 4];
    }
    return NULL;
}

/* ---- shared memory ------------------------------------------------------------------------------
 */

gboolean ws_sm_memory_writer(const WsSmMemory *memory, guint32 block_slot, guint64 offset,
                             WsLastWriter *ret_writer)
{
    const WsSharedBlock *block = &memory->shared.blocks[block_slot];
    const WsSharedWriter *writer;

    if (block->writers == NULL || offset >= block->bytes || !block->writers[offset / 4].known)
        return FALSE;
    writer = &block->writers[offset / 4];
    *ret_writer = (WsLastWriter){
        .lanes = (guint64)1 << writer->lane, .pc = writer->pc, .warp = writer->warp, .known = TRUE};
    return TRUE;
}
