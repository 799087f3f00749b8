/*
 * What an instruction does at issue when it is not a plain lane operation. Inside the library only:
 * issue_special.c tells the kinds apart; branches, barriers, memory and matrices have files of
 * their own.
 */
#ifndef WS_SIM_SM_ISSUE_SPECIAL_H
#define WS_SIM_SM_ISSUE_SPECIAL_H

#include "sim/sm/dependence_check.h"
#include "sim/sm/sm.h"

/* Everything that is not a plain lane operation. Sets the path, and the state if the warp waits. */
void ws_issue_special(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now);

/* The result of the instruction is what `entry` says (sim/sm/scoreboard.h). */
static inline void ws_issue_result(WsSm *sm, guint32 slot, const WsIssueInfo *issue, guint64 entry)
{
    ws_set_outputs(sm->table, ws_sm_entries(sm, &sm->state->warps[slot]), issue, entry);
}

/* "Sleeps about Sb nanoseconds", as the device's timer has it. Another path of the warp runs
 * afterwards. */
void ws_issue_sleep(WsSm *sm, guint32 slot, guint32 pc, guint64 now);
void ws_issue_memory(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now);
/* A call of the system. */
void ws_issue_system(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now);
/* A product of matrices, or a transposed matrix: a fault if lanes are missing. */
void ws_issue_matrix(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now);
/* A lane operation in a unit that the sub-cores share. */
void ws_issue_unit(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now);

/* An access of a warp is complete. */
void ws_warp_response(WsSm *sm, const WsResponse *response);

#endif
