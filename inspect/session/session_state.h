/*
 * What a session keeps; for the files of this room that move it.
 */
#ifndef WS_INSPECT_SESSION_SESSION_STATE_H
#define WS_INSPECT_SESSION_SESSION_STATE_H

#include "inspect/session/session.h"
#include "isa/base/error.h"

/* Where a warp of a launch issues, from its begin to its end. */
typedef struct {
    gboolean known;
    guint32 launch, block, warp;
    guint32 sm, sub_core;
} WsHome;

/* A function that was chosen of those that a lane is in at a cycle. */
typedef struct {
    guint number; /* 0: the innermost */
    guint64 cycle;
    WsFocus focus;
} WsSelectedFrame;

struct WsSession {
    WsJob *job;
    WsTimeline *timeline;
    WsFocus focus;
    WsSelectedFrame frame;
    GPtrArray *breakpoints; /* of WsBreakpoint, by number */
    guint last_number;
    GHashTable *marks;        /* char * -> guint64 * */
    WsHome home;              /* that was asked for last */
    WsHighlights *highlights; /* once they have been asked for, or NULL */
    gboolean interrupted;
    guint64 interrupted_at; /* cycle at which going on was interrupted last */
};

#endif
