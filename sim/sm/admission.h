/*
 * Between an SM and its policy, besides the choice itself: the policy's state, what it is told of
 * warps, and asking one that may hold eligible warps back. Inside the library only.
 */
#ifndef WS_SIM_SM_ADMISSION_H
#define WS_SIM_SM_ADMISSION_H

#include "sim/sm/sm.h"

gsize ws_policy_state_bytes(const WsLaunchContext *context);
void ws_policy_begin(WsSm *sm);

/* A warp begins or ends, at sm->state->now. */
void ws_policy_warp_begin(WsSm *sm, guint32 slot);
void ws_policy_warp_end(WsSm *sm, guint32 slot);

/* The warps of `eligible`, of a sub-core, that the policy lets issue at `now`; 0 = none. */
guint64 ws_admit(WsSm *sm, guint32 number, guint64 eligible, guint64 now);

#endif
