/* A run watched by an observer, from its first cycle to its end, in a session that is elsewhere. */
#ifndef WS_INSPECT_SESSION_SESSION_WATCH_H
#define WS_INSPECT_SESSION_SESSION_WATCH_H

#include "inspect/session/session.h"

/*
 * Events come in the order of time from each SM alone; launches are told by their number. The
 * session stays where it is. FALSE: as ws_timeline_go(), and WS_ERROR_USAGE where an interrupt has
 * ended it.
 */
gboolean ws_session_watch(WsSession *session, const WsObserver *observer, GError **error);

#endif
