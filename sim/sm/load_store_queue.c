#include "sim/sm/load_store_queue.h"

void ws_load_store_open(WsSm *sm, guint64 now)
{
    if (!sm->state->memory_full || ws_sm_memory_full(sm->memory))
        return;
    sm->state->memory_full = FALSE;
    for (guint32 i = 0; i < sm->context->sub_cores; i++) {
        WsSubCore *sub_core = &sm->state->sub_cores[i];
        guint64 free = ws_pipes_open(&sub_core->pipes, now, ws_sm_memory_free_cycle(sm->memory, i));

        sub_core->wake.next = MIN(sub_core->wake.next, free);
    }
}

void ws_load_store_taken(WsSm *sm, guint32 slot, guint64 now)
{
    guint8 number = sm->state->warps[slot].sub_core;
    WsPipes *pipes = &sm->state->sub_cores[number].pipes;
    guint64 free = ws_sm_memory_free_cycle(sm->memory, number);

    if (G_UNLIKELY(ws_sm_memory_full(sm->memory)) && !sm->state->memory_full) {
        sm->state->memory_full = TRUE;
        for (guint32 i = 0; i < sm->context->sub_cores; i++)
            ws_pipes_close(&sm->state->sub_cores[i].pipes, now + 1);
    }
    if (free <= now + 1) /* the queue has room: the other classes wait no longer */
        return;
    ws_pipes_block(pipes, WS_RESOURCE_LG, now + 1, free);
    ws_pipes_block(pipes, WS_RESOURCE_MIO, now + 1, free);
}
