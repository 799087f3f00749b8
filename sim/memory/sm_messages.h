/* What the memory system does to an SM's memory between windows. */
#ifndef WS_SIM_MEMORY_SM_MESSAGES_H
#define WS_SIM_MEMORY_SM_MESSAGES_H

#include "sim/memory/atomic_cost.h"
#include "sim/memory/last_writers.h"
#include "sim/memory/memory_system.h"

/* The messages sent since ws_sm_clear_messages(), oldest first. */
const WsMessage *ws_sm_messages(const WsSmMemory *memory, guint32 *ret_count);
void ws_sm_clear_messages(WsSmMemory *memory);
/* Sends what waits for a place in L1, however many misses are under way. */
void ws_sm_send_deferred(WsSmMemory *memory);

/*
 * Values change hands. These touch nothing but the message's own line, answer, bytes and record, so
 * that messages for different lines can be served at the same time.
 */

/* Lets the host fetch what one of them will read and write in the SM. */
void ws_sm_prefetch(const WsSmMemory *memory, const WsMessage *message);
/* LOAD: fills the answer with the line's contents as they are now. */
void ws_sm_read_line(WsSmMemory *memory, const WsMessage *message);
/* Its answer is that of a message that takes no time (WS_SECTORS_FREE). */
void ws_sm_free_answer(WsSmMemory *memory, const WsMessage *message);
/* STORE: writes the bytes; returns which (a bit a byte, by sector). */
void ws_sm_apply_store(WsSmMemory *memory, const WsMessage *message,
                       guint32 ret_bytes[WS_SECTORS_PER_LINE]);
/* Before any of these: notes who changes which words, and what is to be known (last_writers.h). */
void ws_sm_note_change(WsSmMemory *memory, const WsMessage *message, WsWriterTable *writers);

typedef struct {
    WsAtomicTimes times;
    gboolean last; /* of a reduction: its record is not needed any more */
} WsAtomicEffect;

/* ATOMIC: does the message's lanes, in ascending order. */
WsAtomicEffect ws_sm_apply_atomic(WsSmMemory *memory, const WsMessage *message);

/* What goes back to the SM. */
typedef enum {
    WS_RETURN_ANSWER, /* reaches it at `cycle`; `item` is the message's reply */
    WS_RETURN_STORE,  /* the bytes of a store may be forgotten */
    WS_RETURN_ATOMIC  /* the record of a reduction, likewise */
} WsReturnKind;

typedef struct {
    guint64 cycle;
    guint32 sequence;
    guint32 item;
    WsReturnKind kind;
    guint8 level; /* ANSWER: WsMemoryLevel */
} WsReturn;

void ws_sm_take_return(WsSmMemory *memory, const WsReturn *what);
/* No message leaves the SM before `cycle` (its stores have filled a queue beyond it). */
void ws_sm_hold_messages(WsSmMemory *memory, guint64 cycle);

#endif
