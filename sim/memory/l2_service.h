/*
 * Serving what has arrived at L2: one share of the slices, event by event. What the memory system
 * keeps for that stands here; only memory_system.c and l2_service.c read it.
 */
#ifndef WS_SIM_MEMORY_L2_SERVICE_H
#define WS_SIM_MEMORY_L2_SERVICE_H

#include "sim/memory/dram.h"
#include "sim/memory/event_queue.h"
#include "sim/memory/last_writers.h"
#include "sim/memory/sm_messages.h"

/* For one SM, until ws_memory_system_collect(). */
typedef struct {
    WsReturn *items;
    guint32 count, capacity;
} WsReturns;

typedef struct WsMarks WsMarks; /* of a share: sim/memory/memory_marks.h */

/*
 * The slices may be served in shares, by several host threads. A share is every so many-th slice of
 * each partition, with the DRAM channels behind them: a line is in one share for good, so shares
 * have nothing to do with each other while they are served. Each is a WsMemorySystem of its own
 * with the same L2, DRAM and SMs; the first is the one that everybody knows.
 */
struct WsMemorySystem {
    WsMemorySystem **shares; /* of the first: itself, then the others */
    guint32 share_count, share_number;
    gboolean apart;      /* served beside others: what goes back to SMs waits in `returns` */
    WsReturns *returns;  /* by SM */
    WsStateArena *arena; /* or NULL */
    const WsDevice *device;
    WsGlobalMemory *contents;
    WsL2Geometry geometry;
    WsL2Cache l2;
    WsDram dram;
    WsSmMemory **sms;
    guint64 *store_wait; /* by SM: longest wait of a store since the last settle */
    guint32 sm_count, attached;
    WsEventQueue queue;
    gboolean watched; /* see change_watch.h */
    gboolean unusual; /* `watched`, or messages that take no time (WS_SECTORS_FREE) */
    guint64 changes;  /* of values */
    WsWriterTable writers;
    guint64 answers; /* handed out to SMs */
    guint64 l2_lookups, l2_hits;
    WsMarks *marks; /* or NULL: nobody wants any */
};

/* Serves all events before `horizon`, in order; time then stands there. */
void ws_l2_service_advance(WsMemorySystem *system, guint64 horizon);

/* Serves up to each mark that is not behind `horizon`, and puts down what is counted there. */
void ws_marks_pass(WsMemorySystem *share, guint64 horizon);
void ws_marks_free(WsMarks *marks); /* NULL does nothing */

#endif
