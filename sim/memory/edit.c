#include "sim/memory/edit.h"

#include <string.h>

#include "sim/memory/global_memory.h"
#include "sim/memory/l2_service.h"
#include "sim/memory/sm_memory.h"

/* The bytes of a line that some L1 holds. */
static void edit_l1(WsL1Cache *cache, guint64 address, const guint8 *bytes, guint32 count)
{
    for (guint32 i = 0; i < count; i++) {
        guint32 entry = ws_l1_find(cache, (address + i) / WS_LINE_BYTES);

        if (entry != WS_NONE)
            ws_l1_data(cache, entry)[(address + i) % WS_LINE_BYTES] = bytes[i];
    }
}

gboolean ws_memory_edit_global(WsMemorySystem *system, guint64 address, const guint8 *bytes,
                               guint32 count)
{
    const WsRegion *region = ws_global_memory_find(system->contents, address, count);

    if (region == NULL || region->read_only)
        return FALSE;
    memcpy(region->data + (address - region->base), bytes, count);
    for (guint32 i = 0; i < system->sm_count; i++)
        if (system->sms[i] != NULL)
            edit_l1(&system->sms[i]->l1, address, bytes, count);
    return TRUE;
}

gboolean ws_memory_edit_shared(WsSmMemory *memory, guint32 block_slot, guint64 offset,
                               const guint8 *bytes, guint32 count)
{
    WsSharedBlock *block = &memory->shared.blocks[block_slot];

    if (count > block->bytes || offset > block->bytes - count)
        return FALSE;
    memcpy(block->data + offset, bytes, count);
    return TRUE;
}

gboolean ws_memory_edit_local(WsSmMemory *memory, guint32 warp_slot, guint lane, guint64 offset,
                              const guint8 *bytes, guint32 count)
{
    WsLocalMemory *local = &memory->local;
    guint64 offsets[WS_MAX_WARP_SIZE] = {0};
    const char *problem;

    offsets[lane] = offset;
    if (count > local->bytes || offset > local->bytes - count ||
        ws_local_memory_check(local, warp_slot, offsets, (guint64)1 << lane, 1, &problem) >= 0)
        return FALSE;
    for (guint32 i = 0; i < count; i++) {
        guint64 at = offset + i;
        guint32 *word = &local->warps[warp_slot][at / 4 * local->warp_size + lane];

        memcpy((guint8 *)word + at % 4, &bytes[i], 1);
    }
    return TRUE;
}
