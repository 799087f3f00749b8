/* One SM's memory: what its parts share. The public contract is sim/memory.h. */
#ifndef WS_SIM_SM_MEMORY_H
#define WS_SIM_SM_MEMORY_H

#include "sim/coalescer.h"
#include "sim/global_memory.h"
#include "sim/load_store_unit.h"
#include "sim/local_memory.h"
#include "sim/shared_memory.h"

typedef struct {
    guint64 global_load_requests, global_load_sectors;
    guint64 global_store_requests, global_store_sectors;
    guint64 shared_wavefronts, shared_bank_conflicts;
    guint64 l1_lookups, l1_hits;
} WsSmMemoryCounters;

struct WsSmMemory {
    const WsDevice *device;
    const WsGlobalMemory *contents;
    guint32 sm;
    guint32 warp_size;
    WsLoadStoreUnit lsu;
    WsSharedMemory shared;
    WsLocalMemory local;
    WsSmMemoryCounters counters;
};

/* One instruction on its way through ws_sm_memory_access(). */
typedef struct {
    WsSmMemory *memory;
    guint64 cycle;
    guint32 sub_core;
    guint32 warp_slot;
    guint32 block_slot;
    const WsClassTiming *timing;
    WsMemoryOperation operation;
    WsOperandRows rows;
    const WsRegion *region; /* that holds all lanes, or NULL if they are spread */
    guint64 address[WS_MAX_WARP_SIZE];
    WsAccess result;
} WsIssue;

/* Host address of a lane's operand in global memory; the access must have been checked. */
guint8 *ws_issue_place(const WsIssue *issue, guint lane);

#endif
