/*
 * Dependences by control fields (`dependences: control`), as the hardware's compilers set them: an
 * instruction waits for its stall count and for the dependence barriers of its wait mask, and for
 * nothing else. Inside the library only.
 */
#ifndef WS_SIM_SM_CONTROL_FIELDS_H
#define WS_SIM_SM_CONTROL_FIELDS_H

#include "sim/sm/sm.h"

/* A result that is not known yet is waited for, whatever the control fields say. */
void ws_control_find_values(WsSm *sm, guint32 slot, const WsIssueInfo *issue,
                            guint64 until[WS_WAIT_COUNT]);
/* Notes operands that are not ready at issue. */
void ws_control_check(WsSm *sm, guint32 slot, guint32 pc, guint64 now);
/* Then notes for which lanes the instruction writes. */
void ws_control_note_writer(WsSm *sm, guint32 slot, const WsIssueInfo *issue, guint64 now);
/* The instruction's result is there at `ready` (WS_NEVER: a response will say), and it has read its
 * registers at `source`. */
void ws_control_set_barriers(WsSm *sm, guint32 slot, const WsIssueInfo *issue, guint64 ready,
                             guint64 source);
/* Of these two only the latter. */
void ws_control_set_read_barrier(WsSm *sm, guint32 slot, const WsIssueInfo *issue, guint64 source);
void ws_control_response(WsSm *sm, guint32 slot, const WsIssueInfo *issue, guint64 ready);

#endif
