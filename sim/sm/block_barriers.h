/*
 * Named barriers of a block: who arrives, who waits, and who is let go. Inside the library only.
 * When is the barrier unit's (sim/sm/barrier_unit.h).
 */
#ifndef WS_SIM_SM_BLOCK_BARRIERS_H
#define WS_SIM_SM_BLOCK_BARRIERS_H

#include "sim/sm/sm.h"

/* A warp comes to a BAR; its state says whether it waits. */
void ws_barrier_execute(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now);
/* Lanes of a warp have exited: those that are left may all wait at a barrier now. */
void ws_barrier_lanes_left(WsSm *sm, guint32 slot, guint64 now);
/* No lane of the warp can run: it waits at block barriers, or for ever. */
void ws_barrier_nothing_runs(WsSm *sm, guint32 slot);
/* A warp of the block has exited. */
void ws_barrier_warp_left(WsSm *sm, guint32 block_slot, guint64 now);

#endif
