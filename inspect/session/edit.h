/*
 * A value that is changed while a run is looked at: of a variable, of a register, of a predicate,
 * or in memory, in some lanes of a warp.
 */
#ifndef WS_INSPECT_SESSION_EDIT_H
#define WS_INSPECT_SESSION_EDIT_H

#include "inspect/session/lane_expression.h"

/* A scalar in more parts than this is not changed. */
enum { WS_EDIT_PARTS = 2 };

/* Bytes that one lane writes. */
typedef struct {
    guint kind; /* of an object: lane_names.h, lane_memory.h */
    guint32 lane;
    guint32 index; /* of a register or predicate */
    guint32 bytes;
    guint64 at;    /* in memory */
    guint64 value; /* the bytes, low ones first */
} WsEditWrite;

/* What one PLACE = EXPRESSION does. It names the warp as the program does. */
typedef struct {
    guint64 cycle;
    guint32 block, warp;
    guint count;
    WsEditWrite writes[WS_EDIT_PARTS * WS_ROW_LANES];
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
