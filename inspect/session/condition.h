/*
 * Conditions on a lane: "sum > 10 && lane < 16", "threadIdx.x == 40", "P0", "R7.f32 >= 0.5": an
 * expression with the names of lane_scope.h, that holds where it is not 0.
 *
 * What is nowhere known, or no number, is refused when the condition is made. A lane in which the
 * condition has no value when it is looked at (a division by zero, nothing at an address, a
 * variable that is optimised out) counts as one for which it holds, and is told: who waits for
 * something must not run past it. Where a variable is not in scope it does not hold.
 */
#ifndef WS_INSPECT_SESSION_CONDITION_H
#define WS_INSPECT_SESSION_CONDITION_H

#include "inspect/session/lane_expression.h"

typedef struct WsCondition WsCondition;

/*
 * Compiles it for the kernel of a launch, at some of its instructions; the timeline must live
 * longer. Errors: WS_ERROR_USAGE, with the column: it is none at any of them.
 */
WsCondition *ws_condition_new(const WsTimeline *timeline, const WsLaunch *launch, const char *text,
                              const guint32 *instructions, guint count, GError **error);
void ws_condition_free(WsCondition *condition);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsCondition, ws_condition_free)
/* Whether all its names are in scope at an instruction. */
gboolean ws_condition_is_at(const WsCondition *condition, guint32 pc);

/* The lanes of `lanes` for which it holds at the place, or with WS_OWN_PC where each lane is; among
 * them `ret_unknown`, in which it has no value. */
guint64 ws_condition_lanes(const WsCondition *condition, const WsLanePlace *place, guint64 lanes,
                           guint64 *ret_unknown);
/* Whether it looks into global memory. */
gboolean ws_condition_reads_memory(const WsCondition *condition);
/* Why it has no value in a lane, where it was looked at last: "<division by zero>". */
const char *ws_condition_unknown_text(const WsCondition *condition, guint lane);

#endif
