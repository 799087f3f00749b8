/* Shared memory of the blocks on one SM: contents by block slot, bounds, passes. */
#ifndef WS_SIM_MEMORY_SHARED_MEMORY_H
#define WS_SIM_MEMORY_SHARED_MEMORY_H

#include "sim/base/state_arena.h"
#include "sim/lanes/memory_operation.h"
#include "sim/memory/bank_conflicts.h"

/* Who wrote a word last (last_writers.h). */
typedef struct {
    guint32 pc;
    guint8 warp, lane, known;
} WsSharedWriter;

typedef struct {
    guint8 *data;
    guint64 capacity;        /* bytes of `data` */
    guint64 bytes;           /* of the block that holds the slot */
    WsSharedWriter *writers; /* by word; NULL: nobody asks */
} WsSharedBlock;

typedef struct {
    WsStateArena *arena; /* or NULL */
    WsSharedBlock *blocks;
    guint32 block_count;
    guint32 banks;
    /* Whether lanes that meet in a bank cost time: [0] loads and stores, [1] atomics. */
    gboolean conflicts[2];
} WsSharedMemory;

void ws_shared_memory_init(WsSharedMemory *shared, WsStateArena *arena, const WsDevice *device);
void ws_shared_memory_clear(WsSharedMemory *shared);
/* Gives slot `block_slot` `bytes` zeroed bytes. */
void ws_shared_memory_begin_block(WsSharedMemory *shared, guint32 block_slot, guint64 bytes);
/* From now on `writers` is there, of nobody yet. */
void ws_shared_memory_keep_writers(WsSharedMemory *shared, guint32 block_slot);

/* TRUE if no access of the span can be bad; if FALSE, ws_shared_memory_check() says which is. */
gboolean ws_shared_memory_holds(const WsSharedMemory *shared, guint32 block_slot,
                                const WsAddressSpan *span, guint32 bytes);
/*
 * First lane of `mask` whose access is misaligned or outside the block, with the reason in `ret`
 * (a static text); -1 if all are good. `offset` counts from the start of the block's memory.
 */
gint ws_shared_memory_check(const WsSharedMemory *shared, guint32 block_slot, const guint64 *offset,
                            guint64 mask, guint32 bytes, const char **ret);

/*
 * Passes of an access: bank conflicts, and for atomics lanes that share a word. `span`: of the
 * lanes, or NULL.
 */
WsBankPasses ws_shared_memory_passes(const WsSharedMemory *shared,
                                     const WsMemoryOperation *operation, const guint64 *offset,
                                     guint64 mask, guint32 warp_size, const WsAddressSpan *span);

/* Does the access, lanes in ascending order; it must have been checked. */
void ws_shared_memory_do(WsSharedMemory *shared, guint32 block_slot,
                         const WsMemoryOperation *operation, const WsOperandRows *rows,
                         const guint64 *offset, guint64 mask, const WsAddressSpan *span);

#endif
