#include "sim/memory/sm_memory.h"

void ws_sm_memory_listen(WsSmMemory *memory, const WsL1Listener *listener, void *data)
{
    memory->listener = listener;
    memory->listener_data = data;
}

void ws_sm_l1_emit_load(const WsIssue *issue, guint64 line, gboolean hit)
{
    const WsSmMemory *memory = issue->memory;

    if (memory->listener->load == NULL || (!hit && ws_mshr_find(&memory->mshrs, line) != WS_NONE))
        return;
    memory->listener->load(memory->listener_data, issue->cycle, issue->warp_slot, line, hit);
}

static void emit_eviction(const WsSmMemory *memory, guint32 entry)
{
    const WsL1Line *line = &memory->l1.lines[entry];

    if (memory->listener != NULL && memory->listener->evict != NULL)
        memory->listener->evict(memory->listener_data, memory->now, line->owner, line->line);
}

void ws_sm_l1_make_room(WsSmMemory *memory, guint32 more)
{
    for (;;) {
        guint32 entry = ws_l1_excess(&memory->l1, more);

        if (entry == WS_NONE)
            return;
        emit_eviction(memory, entry);
        ws_l1_evict(&memory->l1, entry);
        memory->l1_changes++;
    }
}

guint32 ws_sm_l1_insert(WsSmMemory *memory, guint64 line, guint32 warp_slot)
{
    guint32 entry;

    if (memory->listener != NULL && memory->listener->evict != NULL) {
        guint32 victim = ws_l1_victim(&memory->l1, line);
        if (victim != WS_NONE)
            emit_eviction(memory, victim);
    }
    entry = ws_l1_insert(&memory->l1, line);
    memory->l1_changes++;
    if (entry != WS_NONE)
        memory->l1.lines[entry].owner = (guint8)warp_slot;
    return entry;
}
