/*
 * Which function is looked at of those that the focused lane is in: the one whose code it is about
 * to issue, or one that called it, which is inlined. It is the innermost one again as soon as the
 * session is at another cycle, or looks at another lane.
 */
#ifndef WS_INSPECT_SESSION_SELECTED_FRAME_H
#define WS_INSPECT_SESSION_SELECTED_FRAME_H

#include "inspect/session/lane_scope.h"
#include "inspect/session/session.h"
#include "sim/base/call_frames.h"

/* Those of the focused lane as ws_call_frames() has them; NULL: it is not on the machine, or has
 * exited. g_array_unref. */
GArray *ws_session_frames(const WsSession *session);
/* The number of the one that is looked at, 0 for the innermost. */
guint ws_session_frame(const WsSession *session);
/* The number of the one of a function, by its scope; 0 if the lane is in none. */
guint ws_session_frame_of(const WsSession *session, guint32 function);
/* `number` must be one of them. */
void ws_session_select_frame(WsSession *session, guint number);
/* File and line that the frame is at. FALSE: not known. */
gboolean ws_session_frame_line(const WsSession *session, guint32 *ret_file, guint32 *ret_line);
/* The scope of the function that was selected, WS_NO_SCOPE for the innermost. */
guint32 ws_session_frame_function(const WsSession *session);
/* What names mean there, in the launch under way. ws_lane_scope_free. */
WsLaneScope *ws_session_scope(const WsSession *session);

#endif
