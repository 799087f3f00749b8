/* Whom the schedulers of an SM take in the cycle that comes, and who else could issue. */
#ifndef WS_INSPECT_SESSION_CHOICES_H
#define WS_INSPECT_SESSION_CHOICES_H

#include "inspect/session/timeline.h"

/*
 * Runs the cycle and comes back. ret[sub-core], for all of the SM's: its event `choice`; `kind` is
 * another where no warp of the sub-core can issue. FALSE: as ws_timeline_go().
 */
gboolean ws_find_choices(WsTimeline *timeline, guint32 sm, WsTraceEvent ret[WS_MAX_SUB_CORES],
                         GError **error);

#endif
