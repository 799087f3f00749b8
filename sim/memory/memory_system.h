/*
 * What the SMs share: L2 and DRAM, and the messages to and from them.
 *
 * SMs put messages into their outboxes while they run; ws_memory_system_settle() takes them all and
 * serves them in (arrival cycle, SM, sequence) order up to the cycle before which no message sent
 * later can arrive. Values change hands on arrival: a store or atomic takes effect, a load reads.
 */
#ifndef WS_SIM_MEMORY_MEMORY_SYSTEM_H
#define WS_SIM_MEMORY_MEMORY_SYSTEM_H

#include "sim/memory/global_memory.h"
#include "sim/memory/l2_cache.h"

typedef enum {
    WS_MESSAGE_LOAD,
    WS_MESSAGE_STORE,
    WS_MESSAGE_ATOMIC, /* with or without a result */
    WS_MESSAGE_FREE    /* of an answer: that to a load with WS_SECTORS_FREE */
} WsMessageKind;

/* One line of one access. */
typedef struct {
    guint64 arrival; /* at L2 */
    guint64 line;
    guint64 lanes;          /* ATOMIC, STORE */
    const WsRegion *region; /* NULL: local memory, which has no contents here */
    guint32 sequence;       /* counts the SM's messages */
    guint32 item;           /* LOAD: the SM's miss, ATOMIC: its record, STORE: its bytes */
    guint32 reply;          /* the SM's place for the answer, or WS_NONE */
    guint32 trip;           /* round trip between the SM and the slice */
    WsL2Set here, home;     /* in the SM's partition, and where the line is at home */
    guint16 sm;
    guint16 slice; /* inside a partition */
    guint8 kind;
    guint8 sectors;
    guint8 warp, polls; /* who sends it, where that is kept (last_writers.h) */
    guint32 pc, block;
} WsMessage;

WsGlobalMemory *ws_memory_system_contents(const WsMemorySystem *system);
WsStateArena *ws_memory_system_arena(const WsMemorySystem *system); /* or NULL */
const WsL2Geometry *ws_memory_system_geometry(const WsMemorySystem *system);
/* SMs make themselves known while they exist. */
void ws_memory_system_attach(WsMemorySystem *system, guint32 sm, WsSmMemory *memory);
void ws_memory_system_detach(WsMemorySystem *system, guint32 sm);
/*
 * Where a message of an SM's partition goes: sets `slice`, `here` and `home`. Lets the host fetch
 * what serving it will read, if few SMs send.
 */
void ws_memory_system_address(const WsMemorySystem *system, guint32 partition, WsMessage *message);
/* Serves every message that is left, wherever time stands (the end of a launch). */
void ws_memory_system_drain(WsMemorySystem *system);

#endif
