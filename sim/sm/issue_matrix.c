/* Products of matrices: operations of the whole warp. */
#include "sim/sm/control_fields.h"
#include "sim/sm/issue_special.h"

void ws_issue_matrix(WsSm *sm, guint32 slot, guint32 pc, guint64 mask, guint64 now)
{
    const WsLaunchContext *context = sm->context;
    const WsDecoded *decoded = &context->decoded->instructions[pc];
    const WsIssueInfo *issue = &sm->issues[pc];

    if (mask != 0 && mask != context->decoded->all_lanes) {
        ws_sm_stop_at(sm, WS_STATUS_FAULT, slot, pc, (guint32)__builtin_ctzll(mask),
                      WS_LANES_MISSING);
        return;
    }
    if (issue->unit) {
        ws_issue_unit(sm, slot, pc, mask, now);
        return;
    }
    if (mask != 0)
        decoded->body(context->decoded, decoded, &sm->state->registers[slot],
                      &sm->state->lanes[slot], mask);
    ws_issue_result(sm, slot, issue, ws_entry(now + issue->latency, issue->execution_class));
    if (sm->control)
        ws_control_set_barriers(sm, slot, issue, now + sm->table->complete[issue->execution_class],
                                now + 1);
}
