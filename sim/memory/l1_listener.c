#include "sim/memory/sm_memory.h"

void ws_sm_memory_listen(WsSmMemory *memory, const WsL1Listener *listener, void *data)
{
    memory->listener = listener;
    memory->listener_data = data;
    if (listener->victim == NULL || !memory->l1.clock)
        return;
    memory->l1_shape.replacement = WS_L1_LEAST_RECENT;
    ws_l1_clear(&memory->l1);
    ws_l1_init(&memory->l1, memory->arena, &memory->l1_shape);
}

static WsL1Load load_of(const WsIssue *issue, guint64 line, gboolean hit)
{
    return (WsL1Load){
        .cycle = issue->cycle, .line = line, .slot = issue->warp_slot, .pc = issue->pc, .hit = hit};
}

void ws_sm_l1_emit_load(const WsIssue *issue, guint64 line, gboolean hit)
{
    const WsSmMemory *memory = issue->memory;
    WsL1Load load = load_of(issue, line, hit);

    if (memory->listener->load == NULL || (!hit && ws_mshr_find(&memory->mshrs, line) != WS_NONE))
        return;
    memory->listener->load(memory->listener_data, &load);
}

gboolean ws_sm_l1_bypasses(const WsIssue *issue, guint64 line, guint32 entry)
{
    const WsSmMemory *memory = issue->memory;
    WsL1Load load = load_of(issue, line, FALSE);

    return memory->listener->bypass != NULL && entry == WS_NONE &&
           ws_mshr_find(&memory->mshrs, line) == WS_NONE &&
           memory->listener->bypass(memory->listener_data, &load);
}

static WsL1Owned owned(const WsSmMemory *memory, guint32 entry)
{
    const WsL1Line *line = &memory->l1.lines[entry];

    return (WsL1Owned){line->line, line->owner};
}

static void emit_eviction(const WsSmMemory *memory, guint32 entry, guint32 by)
{
    WsL1Owned line = owned(memory, entry);

    if (memory->listener != NULL && memory->listener->evict != NULL)
        memory->listener->evict(memory->listener_data, memory->now, &line, by);
}

void ws_sm_l1_make_room(WsSmMemory *memory, guint32 more, guint32 warp_slot)
{
    for (;;) {
        guint32 entry = ws_l1_excess(&memory->l1, more);

        if (entry == WS_NONE)
            return;
        emit_eviction(memory, entry, warp_slot);
        ws_l1_evict(&memory->l1, entry);
        memory->l1_changes++;
    }
}

/* Makes the entry that the listener wants out the oldest of its set. */
static guint32 choose_victim(WsSmMemory *memory, guint32 oldest, guint64 line, guint32 warp_slot)
{
    WsL1Cache *l1 = &memory->l1;
    WsL1Owned coming = {line, warp_slot}, ways[WS_L1_MOST_WAYS];
    guint32 entries[WS_L1_MOST_WAYS];
    guint count = 0, chosen;

    for (guint32 entry = l1->newest[l1->lines[oldest].set];
         entry != WS_NONE && count < WS_L1_MOST_WAYS; entry = l1->lines[entry].older) {
        entries[count] = entry;
        ways[count++] = owned(memory, entry);
    }
    chosen = memory->listener->victim(memory->listener_data, memory->now, &coming, ways, count);
    ws_l1_demote(l1, entries[chosen]);
    return entries[chosen];
}

static void make_way(WsSmMemory *memory, guint64 line, guint32 warp_slot)
{
    guint32 victim = ws_l1_victim(&memory->l1, line);

    if (victim == WS_NONE)
        return;
    if (memory->listener->victim != NULL)
        victim = choose_victim(memory, victim, line, warp_slot);
    emit_eviction(memory, victim, warp_slot);
}

guint32 ws_sm_l1_insert(WsSmMemory *memory, guint64 line, guint32 warp_slot)
{
    guint32 entry;

    if (memory->listener != NULL &&
        (memory->listener->evict != NULL || memory->listener->victim != NULL))
        make_way(memory, line, warp_slot);
    entry = ws_l1_insert(&memory->l1, line);
    memory->l1_changes++;
    if (entry != WS_NONE)
        memory->l1.lines[entry].owner = (guint8)warp_slot;
    return entry;
}
