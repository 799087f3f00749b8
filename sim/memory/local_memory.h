/*
 * Local memory of the warps on one SM. Threads of a warp are interleaved word by word, so that
 * accesses of all lanes at one offset fall into neighbouring words. A warp's memory is reserved
 * when it is first touched.
 */
#ifndef WS_SIM_MEMORY_LOCAL_MEMORY_H
#define WS_SIM_MEMORY_LOCAL_MEMORY_H

#include "sim/base/state_arena.h"
#include "sim/lanes/memory_operation.h"

typedef struct {
    WsStateArena *arena; /* or NULL */
    guint32 **warps;     /* by slot: [word][lane], or NULL */
    guint32 warp_slots;
    guint32 warp_size;
    guint32 bytes; /* of a thread, as the kernel says */
    guint32 words; /* of a thread, rounded up */
} WsLocalMemory;

void ws_local_memory_init(WsLocalMemory *local, WsStateArena *arena, guint32 warp_slots,
                          guint32 warp_size, guint32 bytes);
void ws_local_memory_clear(WsLocalMemory *local);
void ws_local_memory_begin_warp(WsLocalMemory *local, guint32 warp_slot);

/* As ws_shared_memory_check(); also fails if the host has no memory left for the warp. */
gint ws_local_memory_check(WsLocalMemory *local, guint32 warp_slot, const guint64 *offset,
                           guint64 mask, guint32 bytes, const char **ret);
/* Does the access, lanes in ascending order; it must have been checked. */
void ws_local_memory_do(WsLocalMemory *local, guint32 warp_slot, const WsMemoryOperation *operation,
                        const WsOperandRows *rows, const guint64 *offset, guint64 mask);

/* Place of word `word` of a lane in the SM's local memory, in bytes: what caches see. */
static inline guint64 ws_local_memory_place(const WsLocalMemory *local, guint32 warp_slot,
                                            guint64 word, guint32 lane)
{
    return (((guint64)warp_slot * local->words + word) * local->warp_size + lane) * 4;
}

#endif
