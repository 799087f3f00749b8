/*
 * Changing what memory holds from outside of the run, between two cycles: at once and for all, in
 * L1 caches too. Values that are on their way stay what they are.
 */
#ifndef WS_SIM_MEMORY_EDIT_H
#define WS_SIM_MEMORY_EDIT_H

#include "sim/memory/memory.h"

/* Each writes `count` bytes, 8 at most. FALSE: there is no such memory, or it is read only. */
gboolean ws_memory_edit_global(WsMemorySystem *system, guint64 address, const guint8 *bytes,
                               guint32 count);
gboolean ws_memory_edit_shared(WsSmMemory *memory, guint32 block_slot, guint64 offset,
                               const guint8 *bytes, guint32 count);
gboolean ws_memory_edit_local(WsSmMemory *memory, guint32 warp_slot, guint lane, guint64 offset,
                              const guint8 *bytes, guint32 count);

#endif
