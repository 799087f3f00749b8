/* How full an SM's memory is, for those who look at it. */
#include "sim/memory/sm_memory.h"

guint32 ws_sm_memory_pending(const WsSmMemory *memory, guint32 warp_slot)
{
    return memory->warps[warp_slot].pending;
}

guint32 ws_sm_memory_lines(const WsSmMemory *memory, const guint64 *address, guint64 mask,
                           guint32 bytes)
{
    WsCoalesced coalesced;

    ws_coalesce(address, mask, memory->warp_size, bytes, (guint32)memory->device->l1_tags_per_cycle,
                &coalesced);
    return coalesced.line_count;
}

void ws_sm_memory_use(const WsSmMemory *memory, guint32 sub_core, guint64 cycle, WsSmMemoryUse *ret)
{
    const WsDevice *device = memory->device;
    guint64 free = ws_lsu_free_cycle(&memory->lsu, sub_core);

    *ret = (WsSmMemoryUse){.l1_hits = memory->counters.l1_hits,
                           .l1_lookups = memory->counters.l1_lookups,
                           .sectors = memory->outbox.sectors_under_way,
                           .most_sectors = (guint32)device->l1_mshrs,
                           .lines = memory->l1.under_way,
                           .most_lines = memory->l1.most_under_way,
                           .waiting = memory->outbox.waiting,
                           .most_waiting = (guint32)device->l1_miss_queue,
                           .queue = free > cycle ? (guint32)(free - cycle) : 0};
}
