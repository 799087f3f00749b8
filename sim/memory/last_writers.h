/*
 * Who wrote last: kept for kernels with loops in which threads wait for values
 * (isa/flow/spin_loops.h), so that one can be told for whom. In global memory for the lines that
 * such a loop reads and for those that atomics change, from then on; in shared memory for all.
 * Writes of what is there already do not count.
 */
#ifndef WS_SIM_MEMORY_LAST_WRITERS_H
#define WS_SIM_MEMORY_LAST_WRITERS_H

#include "sim/memory/memory.h"

typedef struct {
    guint64 lanes; /* 0: not known */
    guint32 block; /* its number in the grid */
    guint32 pc;
    guint8 warp; /* in its block */
    guint8 known;
} WsLastWriter;

/* Lines of global memory. */
typedef struct {
    WsStateArena *arena; /* or NULL */
    gpointer lines;      /* open addressing; NULL: nothing is kept */
    guint32 count, capacity;
} WsWriterTable;

/*
 * For the launch whose SMs are there now, and none of those before. `polls`: by instruction of the
 * program, 1 for those that read what a loop waits for; NULL: nothing is kept. It stays the
 * caller's.
 */
void ws_memory_system_keep_writers(WsMemorySystem *system, const guint8 *polls);

/* Who wrote the word at `address` last, or NULL if that is not known. */
const WsLastWriter *ws_memory_system_writer(const WsMemorySystem *system, guint64 address);
/* The same of a block's shared memory; `ret_writer` gets it. FALSE: not known. */
gboolean ws_sm_memory_writer(const WsSmMemory *memory, guint32 block_slot, guint64 offset,
                             WsLastWriter *ret_writer);

/* ---- inside the room ---------------------------------------------------------------------------
 */

/* Keeps the writers of the line's words from now on. Only so many lines are kept. */
void ws_writers_add_line(WsWriterTable *table, guint64 line);
/* Notes the writer of a word, if its line is kept. */
void ws_writers_note(WsWriterTable *table, guint64 address, const WsLastWriter *writer);
void ws_writers_clear(WsWriterTable *table);

#endif
