/* What the memory system does to an SM's memory between windows. */
#ifndef WS_SIM_SM_MESSAGES_H
#define WS_SIM_SM_MESSAGES_H

#include "sim/memory_system.h"

/* The messages sent since the last call: taken out, oldest first. */
const WsMessage *ws_sm_take_messages(WsSmMemory *memory, guint32 *ret_count);
/* Sends what waits for a place in L1, however many misses are under way. */
void ws_sm_send_deferred(WsSmMemory *memory);

/* LOAD: an answer with the line's contents as they are now; sent by ws_sm_reply(). */
guint32 ws_sm_prepare_reply(WsSmMemory *memory, const WsMessage *message);
/* STORE: writes the bytes; returns which (a bit a byte, by sector) and forgets them. */
void ws_sm_apply_store(WsSmMemory *memory, const WsMessage *message,
                       guint32 ret_bytes[WS_SECTORS_PER_LINE]);

typedef struct {
    guint32 same;      /* most lanes on one word */
    guint32 reply;     /* answer to send, or WS_NONE (reductions) */
    gboolean exchange; /* compare and swap */
} WsAtomicEffect;

/* ATOMIC: does the message's lanes, in ascending order. */
WsAtomicEffect ws_sm_apply_atomic(WsSmMemory *memory, const WsMessage *message);

/* The answer reaches the SM at `cycle`. */
void ws_sm_reply(WsSmMemory *memory, guint32 reply, guint64 cycle, guint32 sequence);
/* No message leaves the SM before `cycle` (its stores have filled a queue beyond it). */
void ws_sm_hold_messages(WsSmMemory *memory, guint64 cycle);

#endif
