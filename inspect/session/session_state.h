/*
 * What a session keeps; for the files of this room that move it.
 */
#ifndef WS_INSPECT_SESSION_SESSION_STATE_H
#define WS_INSPECT_SESSION_SESSION_STATE_H

#include "inspect/session/session.h"

struct WsSession {
    WsJob *job;
    WsTimeline *timeline;
    WsFocus focus;
    GPtrArray *breakpoints; /* of WsBreakpoint, by number */
    guint last_number;
    GHashTable *marks; /* char * -> guint64 * */
    gboolean interrupted;
    guint64 interrupted_at; /* cycle at which going on was interrupted last */
};

#endif
