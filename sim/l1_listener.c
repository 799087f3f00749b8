#include "sim/sm_memory.h"

void ws_sm_memory_listen(WsSmMemory *memory, const WsL1Listener *listener, void *data)
{
    memory->listener = listener;
    memory->listener_data = data;
}

void ws_sm_l1_tell_load(const WsIssue *issue, guint64 line, gboolean hit)
{
    const WsSmMemory *memory = issue->memory;

    if (memory->listener->load == NULL || (!hit && ws_miss_find(&memory->misses, line) != WS_NONE))
        return;
    memory->listener->load(memory->listener_data, issue->cycle, issue->warp_slot, line, hit);
}

guint32 ws_sm_l1_insert(WsSmMemory *memory, guint64 line, guint32 warp_slot)
{
    guint32 entry;

    if (memory->listener != NULL && memory->listener->evict != NULL) {
        guint32 victim = ws_l1_victim(&memory->l1, line);
        if (victim != WS_NONE)
            memory->listener->evict(memory->listener_data, memory->now,
                                    memory->l1.lines[victim].owner, memory->l1.lines[victim].line);
    }
    entry = ws_l1_insert(&memory->l1, line);
    if (entry != WS_NONE)
        memory->l1.lines[entry].owner = (guint8)warp_slot;
    return entry;
}
