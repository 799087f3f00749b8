/*
 * A value that is changed while a run is looked at: of a register, of a predicate, or in memory, in
 * some lanes of a warp.
 */
#ifndef WS_INSPECT_SESSION_EDIT_H
#define WS_INSPECT_SESSION_EDIT_H

#include "inspect/session/lane_scope.h"

/* What one PLACE = EXPRESSION does. It names the warp as the program does. */
typedef struct {
    guint64 cycle;
    guint kind; /* of an object: lane_names.h, lane_memory.h */
    guint32 block, warp;
    guint64 lanes;
    guint32 index; /* of a register or predicate */
    guint32 bytes;
    guint64 at[WS_ROW_LANES];    /* in memory */
    guint64 value[WS_ROW_LANES]; /* the bytes, low ones first */
} WsEdit;

/*
 * What "PLACE = EXPRESSION" changes in the lanes of `lanes`, of the warp at the place, at the
 * cycle of the timeline. Nothing is changed yet. Errors: WS_ERROR_USAGE.
 */
gboolean ws_edit_parse(const WsLaneScope *scope, const WsTimeline *timeline, WsWarpPlace place,
                       guint64 lanes, const char *text, WsEdit *ret, GError **error);

/* Does it to the simulation, which is at its cycle. FALSE: some of it is not there. */
gboolean ws_edit_apply(const WsEdit *edit, const WsSimulation *simulation);

#endif
