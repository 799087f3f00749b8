#include "sim/sm/open_counts.h"

#include "sim/sm/stall_accounting.h"

void ws_sm_add_open_counts(const WsSm *sm, guint64 cycle, WsCounters *ret)
{
    const WsSmState *state = sm->state;
    WsInstructionCounters open = {0};

    if (state->resident == 0)
        return;
    for (guint64 m = state->resident; m != 0; m &= m - 1) {
        guint32 slot = (guint32)__builtin_ctzll(m);

        ws_warp_count_open(sm, slot, cycle, &open);
        ret->warp_cycles += cycle - MIN(state->warps[slot].resident_since, cycle);
    }
    for (guint i = 0; i < WS_STALL_COUNT; i++)
        ret->stalls[i] += open.stalls[i];
    ret->active_sm_cycles += cycle - MIN(state->active_since, cycle);
}

void ws_sm_add_queued_counts(const WsSm *sm, guint64 cycle, WsCounters *ret)
{
    const WsSmState *state = sm->state;

    for (guint32 i = 0; i < state->start_count && state->starts[i].assigned < cycle; i++) {
        guint64 warp_cycles = (cycle - state->starts[i].assigned) * sm->context->warps_per_block;

        /* They wait for their first instruction. */
        ret->stalls[WS_STALL_NO_INSTRUCTION] += warp_cycles;
        ret->warp_cycles += warp_cycles;
    }
    if (state->start_count != 0 && state->resident == 0)
        ret->active_sm_cycles +=
            cycle - MIN(MAX(state->starts[0].assigned, state->last_end), cycle);
}
