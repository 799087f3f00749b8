#include "isa/codegen/source_lines.h"

#include "isa/bytecode/accesses.h"
#include "isa/bytecode/program.h"
#include "isa/flow/control_flow.h"

#include <string.h>

enum { FILES = WS_FILE_BARRIER + 1, REGISTERS = 256, NOBODY = G_MAXUINT32 };

typedef struct {
    WsInstruction *code;
    guint32 count;
    GArray *locations;
    GHashTable *made; /* location whose line is taken, and line of the PTX -> new location */
} Completer;

static const WsLocation *location_at(const Completer *completer, guint32 index)
{
    return &g_array_index(completer->locations, WsLocation, index);
}

static gboolean has_line(const Completer *completer, guint32 i)
{
    return location_at(completer, completer->code[i].location)->line != 0;
}

/* g_int64_hash() has the same for most pairs of numbers that go up together. */
static guint hash_of_pair(gconstpointer key)
{
    guint64 pair;
    memcpy(&pair, key, sizeof pair);
    return (guint)((pair * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15)) >> 32);
}

/* Gives instruction `i` the source line of location `from`, if that has one. */
static void take_line(Completer *completer, guint32 i, guint32 from)
{
    WsLocation location = *location_at(completer, from);
    if (location.line == 0)
        return;
    location.construct = 0; /* is of branches alone, each its own */
    location.ptx_line = location_at(completer, completer->code[i].location)->ptx_line;
    location.frame = location_at(completer, completer->code[i].location)->frame;
    gint64 key = (gint64)((guint64)from << 32 | location.ptx_line);
    gpointer known = g_hash_table_lookup(completer->made, &key);
    if (known == NULL || location_at(completer, GPOINTER_TO_UINT(known))->frame != location.frame) {
        g_array_append_val(completer->locations, location);
        known = GUINT_TO_POINTER(completer->locations->len - 1);
        g_hash_table_insert(completer->made, g_memdup2(&key, sizeof key), known);
    }
    completer->code[i].location = GPOINTER_TO_UINT(known);
}

/* The first later reader of each register that instruction `i` writes: the nearest of them. */
static guint32 nearest_reader(const guint32 readers[FILES][REGISTERS],
                              const WsRegisterAccess *accesses, guint count)
{
    guint32 nearest = NOBODY;
    for (guint a = 0; a < count; a++)
        for (guint w = 0; accesses[a].write && w < accesses[a].words; w++)
            if (accesses[a].index + w < REGISTERS)
                nearest = MIN(nearest, readers[accesses[a].file][accesses[a].index + w]);
    return nearest;
}

static void note_accesses(guint32 readers[FILES][REGISTERS], const WsRegisterAccess *accesses,
                          guint count, guint32 i, gboolean guarded)
{
    for (guint pass = 0; pass < 2; pass++) /* what an instruction reads, it reads first */
        for (guint a = 0; a < count; a++)
            for (guint w = 0; w < accesses[a].words; w++) {
                if (accesses[a].index + w >= REGISTERS || accesses[a].write == pass)
                    continue;
                if (!accesses[a].write || !guarded)
                    readers[accesses[a].file][accesses[a].index + w] =
                        accesses[a].write ? (guint32)NOBODY : i;
            }
}

/* From the end to the start, so that a reader without a line has got its own by then. */
static void take_from_readers(Completer *completer)
{
    guint32(*readers)[REGISTERS] = g_malloc(FILES * sizeof *readers);
    memset(readers, 0xff, FILES * sizeof *readers); /* NOBODY */
    for (guint32 i = completer->count; i-- > 0;) {
        const WsInstruction *instruction = &completer->code[i];
        WsRegisterAccess accesses[WS_MAX_ACCESSES];
        guint count = ws_instruction_accesses(instruction, accesses);
        guint32 reader = nearest_reader((const guint32(*)[REGISTERS])readers, accesses, count);
        if (!has_line(completer, i) && reader != NOBODY)
            take_line(completer, i, completer->code[reader].location);
        note_accesses(readers, accesses, count, i, ws_is_guarded(instruction));
    }
    g_free(readers);
}

static void take_from_block(Completer *completer, const WsBlock *block)
{
    for (guint32 i = 1; i < block->count; i++)
        if (!has_line(completer, block->first + i))
            take_line(completer, block->first + i, completer->code[block->first + i - 1].location);
    for (guint32 i = block->count; i-- > 1;)
        if (!has_line(completer, block->first + i - 1))
            take_line(completer, block->first + i - 1, completer->code[block->first + i].location);
}

/* Backwards: jumps to jumps mostly go forward. */
static void take_from_targets(Completer *completer, guint32 opening)
{
    for (guint32 i = completer->count; i-- > 0;) {
        if (has_line(completer, i))
            continue;
        guint32 target = ws_branch_target(&completer->code[i]);
        if (target < completer->count)
            take_line(completer, i, completer->code[target].location);
        if (!has_line(completer, i))
            take_line(completer, i, opening);
    }
}

void ws_complete_source_lines(WsInstruction *code, guint32 count, GArray *locations,
                              guint32 opening)
{
    Completer completer = {.code = code, .count = count, .locations = locations};
    gboolean any = FALSE, missing = FALSE;
    for (guint32 i = 0; i < count; i++)
        *(has_line(&completer, i) ? &any : &missing) = TRUE;
    if (!any || !missing)
        return;
    completer.made = g_hash_table_new_full(hash_of_pair, g_int64_equal, g_free, NULL);
    take_from_readers(&completer);
    g_autoptr(WsControlFlow) flow = ws_control_flow_new(code, 0, count);
    for (guint32 b = 0; b < flow->block_count; b++)
        take_from_block(&completer, &flow->blocks[b]);
    take_from_targets(&completer, opening);
    g_hash_table_unref(completer.made);
}
