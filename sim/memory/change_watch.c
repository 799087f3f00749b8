#include "sim/memory/change_watch.h"

#include "sim/memory/l2_service.h"
#include "sim/memory/sm_memory.h"

#include <string.h>

void ws_memory_system_watch(WsMemorySystem *system, gboolean on)
{
    for (guint32 i = 0; i < system->share_count; i++) {
        system->shares[i]->watched = on;
        system->shares[i]->unusual = on || system->device->ideal_coalescing;
        system->shares[i]->changes = 0;
    }
    for (guint32 i = 0; i < system->sm_count; i++) {
        WsSmMemory *memory = system->sms[i];

        if (memory == NULL)
            continue;
        memory->watched = on;
        memory->changes = 0;
        memory->l1_changes = 0;
    }
}

guint64 ws_memory_system_changes(const WsMemorySystem *system)
{
    guint64 changes = 0;

    for (guint32 i = 0; i < system->share_count; i++)
        changes += system->shares[i]->changes;
    for (guint32 i = 0; i < system->sm_count; i++)
        if (system->sms[i] != NULL)
            changes += system->sms[i]->changes;
    return changes;
}

static guint64 applied_of(const WsMemorySystem *system, const WsSmMemory *memory)
{
    guint64 left = 0, trip = 0;

    for (guint32 i = 0; i < memory->local.warp_slots; i++) {
        if (memory->warps[i].deferred_stores != 0)
            return G_MAXUINT64;
        left = MAX(left, memory->warps[i].left);
    }
    if (left == 0)
        return 0;
    for (guint32 i = 0; i < system->geometry.slices; i++)
        trip = MAX(trip, ws_l2_trip(&system->geometry, memory->sm, i));
    return left + trip;
}

guint64 ws_memory_system_applied(const WsMemorySystem *system)
{
    guint64 applied = 0;

    for (guint32 i = 0; i < system->sm_count; i++)
        if (system->sms[i] != NULL)
            applied = MAX(applied, applied_of(system, system->sms[i]));
    return applied;
}

/* Whether the valid sectors of the entry are what memory holds. */
static gboolean is_current(const WsSmMemory *memory, guint32 entry)
{
    const WsL1Line *line = &memory->l1.lines[entry];
    const guint8 *data = ws_l1_data(&memory->l1, entry);

    if (line->line > G_MAXUINT64 / WS_LINE_BYTES) /* local memory: tags alone */
        return TRUE;
    for (guint i = 0; i < WS_SECTORS_PER_LINE; i++) {
        guint64 address = line->line * WS_LINE_BYTES + i * WS_SECTOR_BYTES;
        const WsRegion *region;

        if (!(line->sectors >> i & 1))
            continue;
        region = ws_global_memory_find(memory->contents, address, 1);
        if (region != NULL &&
            memcmp(region->data + (address - region->base), data + i * WS_SECTOR_BYTES,
                   MIN(WS_SECTOR_BYTES, region->bytes - (address - region->base))) != 0)
            return FALSE;
    }
    return TRUE;
}

static gboolean is_stale(const WsSmMemory *memory)
{
    if (memory->l1_changes == 0)
        return FALSE;
    for (guint32 entry = 0; entry < memory->l1.line_count; entry++)
        if (!is_current(memory, entry))
            return TRUE;
    return FALSE;
}

gboolean ws_memory_system_is_stale(const WsMemorySystem *system)
{
    for (guint32 i = 0; i < system->sm_count; i++)
        if (system->sms[i] != NULL && is_stale(system->sms[i]))
            return TRUE;
    return FALSE;
}

const guint32 *ws_sm_memory_local(const WsSmMemory *memory, guint32 warp_slot, gsize *ret_words)
{
    const guint32 *words = memory->local.warps[warp_slot];

    *ret_words = words != NULL ? (gsize)memory->local.words * memory->local.warp_size : 0;
    return words;
}
