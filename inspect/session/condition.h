/*
 * Conditions on a lane: "R4 > 10 && lane < 16", "thread.x == 40", "P0", "R7.f32 >= 0.5".
 *
 *   condition  = comparisons joined by &&
 *   comparison = side (== != < <= > >=) side, or a side alone: it is not 0
 *   side       = a whole-number expression (sim/expression/whole.h), or, where a side has a name
 *                with .f32 or a number with a point, one name or number
 *   names      = R0.. (unsigned), R0.s32, R0.f32, R0.u64 (with the next register), UR0.., P0..P6,
 *                UP0.., lane, warp, block, block.x .y .z, thread.x .y .z, sm, slot, cycle
 */
#ifndef WS_INSPECT_SESSION_CONDITION_H
#define WS_INSPECT_SESSION_CONDITION_H

#include "inspect/session/focus.h"

typedef struct WsCondition WsCondition;

/*
 * Parses and checks it against the kernel (which registers there are). Errors: WS_ERROR_USAGE, with
 * the column.
 */
WsCondition *ws_condition_new(const char *text, const WsKernel *kernel, GError **error);
void ws_condition_free(WsCondition *condition);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsCondition, ws_condition_free)
const char *ws_condition_text(const WsCondition *condition);

/* The lanes of `lanes` for which it holds. A lane for which a side has no value is none of them. */
guint64 ws_condition_lanes(const WsCondition *condition, const WsSm *sm, guint32 slot,
                           guint64 lanes);

/* The value of a name in a lane; FALSE if the kernel has no such thing. */
gboolean ws_lane_value(const WsSm *sm, guint32 slot, guint32 lane, const char *name, gint64 *ret);

#endif
