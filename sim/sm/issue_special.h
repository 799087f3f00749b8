/*
 * What an instruction does at issue when it is not a plain lane operation. Inside the library only:
 * sub_core.c tells the kinds apart, issue_memory.c and issue_control_flow.c have one kind each.
 */
#ifndef WS_SIM_SM_ISSUE_SPECIAL_H
#define WS_SIM_SM_ISSUE_SPECIAL_H

#include "sim/sm/sub_core.h"

/* The warp's next issue waits for `reason` until the cycle `until`. */
static inline void ws_front(WsWarp *warp, WsStall reason, guint64 until)
{
    warp->front_reason = (guint8)reason;
    warp->front_until = until;
}

/* ws_prepare() from outside of the sub-core's own issue. */
void ws_prepare_outside(WsSm *sm, WsWarp *warp);
/* The instruction's inputs are read at `cycle`: until then nobody may overwrite them. */
void ws_set_war_reads(WsSm *sm, guint32 slot, const WsIssueInfo *issue, guint64 cycle);
/* Value that an operand has in a lane. */
guint32 ws_operand_value(const WsSm *sm, guint32 slot, const WsOperand *operand, guint lane);

void ws_issue_branch(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now);
void ws_issue_exit(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now);
void ws_issue_convergence(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now);
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

#endif
