#include "sim/sm/membar_wait.h"

#include "sim/sm/issue_special.h"
#include "sim/sm/readiness.h"

void ws_membar_look(WsSm *sm, guint32 slot)
{
    WsWarp *warp = &sm->state->warps[slot];
    guint64 done = ws_sm_memory_membar(sm->memory, MAX(warp->last_issue, sm->state->now), slot,
                                       warp->membar.scope);

    if (done >= WS_NEVER) {
        warp->state = WS_WARP_MEMBAR;
        sm->state->membar |= (guint64)1 << slot;
        ws_hold(warp, WS_STALL_MEMBAR, WS_NEVER);
        return;
    }
    sm->state->membar &= ~((guint64)1 << slot);
    warp->state = WS_WARP_TIMED;
    ws_hold(warp, WS_STALL_MEMBAR, MAX(done, MAX(warp->last_issue + 1, sm->state->now)));
}

void ws_membar_look_at_all(WsSm *sm)
{
    for (guint64 m = sm->state->membar; m != 0; m &= m - 1) {
        guint32 slot = (guint32)__builtin_ctzll(m);

        ws_membar_look(sm, slot);
        if (sm->state->warps[slot].state == WS_WARP_TIMED)
            ws_warp_resume(sm, slot);
    }
}
