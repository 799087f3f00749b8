/*
 * An expression with the names of lane_scope.h, on the lanes of a warp. A name of the source means
 * what is in scope where each lane is: lanes that are at different places are looked at apart, each
 * by the form that the expression has there.
 */
#ifndef WS_INSPECT_SESSION_LANE_EXPRESSION_H
#define WS_INSPECT_SESSION_LANE_EXPRESSION_H

#include "inspect/session/lane_scope.h"
#include "inspect/session/value_text.h"

typedef struct WsLaneExpression WsLaneExpression;

/* In WsLanePlace.pc: each lane is looked at where it is. */
enum { WS_OWN_PC = WS_NO_INSTRUCTION };

/*
 * The scope must live longer. It has a form at the first at least of the instructions for which it
 * can have one; where that is none of them, the error is that of the first. Errors:
 * WS_ERROR_USAGE, with the column of `what`.
 */
WsLaneExpression *ws_lane_expression_new(const WsLaneScope *scope, const char *what,
                                         const char *text, const guint32 *instructions, guint count,
                                         GError **error);
/* For the lanes of a warp, `lane` first. */
WsLaneExpression *ws_lane_expression_for(const WsLaneScope *scope, const char *what,
                                         const char *text, const WsSm *sm, guint32 slot, guint lane,
                                         GError **error);
void ws_lane_expression_free(WsLaneExpression *expression);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsLaneExpression, ws_lane_expression_free)

/* From now on its names mean what they meant where it was made: elsewhere it is not in scope. */
void ws_lane_expression_bind(WsLaneExpression *expression);

/* The form that it has where it was made. */
const WsTyped *ws_lane_expression_typed(const WsLaneExpression *expression);
/* Whether it has a form at an instruction. */
gboolean ws_lane_expression_is_at(WsLaneExpression *expression, guint32 pc);
/* Whether it looks into global memory, whose contents lag behind while SMs run; shared memory,
 * which other warps change. */
gboolean ws_lane_expression_reads_memory(const WsLaneExpression *expression);
gboolean ws_lane_expression_reads_shared(const WsLaneExpression *expression);

/*
 * Evaluates it for the lanes of `mask`, at the pc of the place or with WS_OWN_PC where each is. The
 * row is the expression's, up to the next time.
 */
const WsRow *ws_lane_expression_evaluate(WsLaneExpression *expression, const WsLanePlace *place,
                                         guint64 mask);
/* Lanes for which it is not 0; in `ret_unknown` those in scope for which it has no value. */
guint64 ws_lane_expression_truth(WsLaneExpression *expression, const WsLanePlace *place,
                                 guint64 mask, guint64 *ret_unknown);

/* ---- what it came to, of a lane that was evaluated ------------------------------------------- */

/* The form that was taken; NULL: it is not in scope there. */
WsTyped *ws_lane_expression_form(const WsLaneExpression *expression, guint lane);
/* The lanes that have a form. */
guint64 ws_lane_expression_in_scope(const WsLaneExpression *expression);
/* Where the lane was. */
WsLanePlace ws_lane_expression_place(const WsLaneExpression *expression, guint lane);
/* Its value, or why there is none, as ws_value_text(). g_free. */
char *ws_lane_expression_value(const WsLaneExpression *expression, guint lane, WsValueForm form);
/* Why it has none: "<division by zero>". */
const char *ws_lane_expression_unknown_text(const WsLaneExpression *expression, guint lane);
/* Whether it is the same in all lanes, and depends on none. */
gboolean ws_lane_expression_is_uniform(const WsLaneExpression *expression);

#endif
