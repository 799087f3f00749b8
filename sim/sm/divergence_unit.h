/*
 * The divergence unit: where the path of a warp goes next, by the device's divergence model
 * (sim/divergence/divergence.h), and what a branch, an exit or a convergence instruction costs the
 * warp (branch_resolving). Inside the library only.
 */
#ifndef WS_SIM_SM_DIVERGENCE_UNIT_H
#define WS_SIM_SM_DIVERGENCE_UNIT_H

#include "sim/sm/sm.h"

void ws_issue_branch(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now);
void ws_issue_exit(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now);
void ws_issue_convergence(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now);

/* The path has come to the instruction at which it stops: others of the warp run, or join it. */
void ws_warp_reach_stop(WsSm *sm, guint32 slot, guint32 pc, guint64 now);

/* The path of the warp is another one. */
void ws_warp_path_changed(WsWarp *warp);

#endif
