/*
 * Changing a run at the cycle that is looked at. From there on it is another run, which is as
 * deterministic as the first: the changes are made again whenever the timeline comes past them.
 */
#ifndef WS_INSPECT_SESSION_TIMELINE_EDIT_H
#define WS_INSPECT_SESSION_TIMELINE_EDIT_H

#include "inspect/session/edit.h"

/*
 * Makes the change, which is of the cycle of the timeline. What is known of later cycles, states
 * and changes, goes; *ret_dropped: how many changes that are. Errors: WS_ERROR_USAGE: the run is
 * over, or there is nothing to be written at; then nothing is changed.
 */
gboolean ws_timeline_edit(WsTimeline *timeline, const WsEdit *edit, guint *ret_dropped,
                          GError **error);

#endif
