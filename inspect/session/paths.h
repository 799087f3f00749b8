/*
 * Where the lanes of a warp are, in the terms of its divergence model: entries of a reconvergence
 * stack, or convergence barrier registers.
 */
#ifndef WS_INSPECT_SESSION_PATHS_H
#define WS_INSPECT_SESSION_PATHS_H

#include "inspect/session/focus.h"
#include "sim/base/meeting_text.h"

enum { WS_CONVERGENCE_BARRIERS = 16 };

/* Lanes that a convergence barrier register holds together. Lanes that parted before they came to
 * the same BSSY can be in groups of their own. */
typedef struct {
    guint32 barrier;
    guint64 lanes;
} WsConvergenceGroup;

/* The top first, which is the path that runs; returns how many, 0 if the model has no stack. */
guint ws_warp_stack(const WsSm *sm, guint32 slot, WsStackEntry ret[WS_MAX_STACK]);
gboolean ws_has_stack(const WsSm *sm);
/* Of WsConvergenceGroup, by barrier and lowest lane; free with g_array_unref. */
GArray *ws_warp_convergence(const WsSm *sm, guint32 slot);
gboolean ws_has_convergence(const WsSm *sm);

/*
 * What is said of lanes that wait in a BSYNC whose construct is known: "11 lanes wait at the end of
 * the while (line 10) for 21 that still iterate". Paths for which the same is said have one
 * sentence, with their number: "... (7 paths)". NULL at the end; free with g_strfreev.
 */
char **ws_warp_meetings(const WsSm *sm, guint32 slot);
/* Of lanes that wait in a BSYNC, `at` of waiting(): who is to meet there. */
WsMeetingLanes ws_meeting_lanes(const WsSm *sm, guint32 slot, const WsLanesAt *at);
/* What a convergence barrier of the warp brings together: "while (line 10)", NULL if not known. */
char *ws_convergence_name(const WsSm *sm, guint32 slot, guint32 barrier, guint64 lanes);

/* Where a lane that is alive goes on: FALSE if it is not. */
gboolean ws_lane_instruction(const WsSm *sm, guint32 slot, guint32 lane, guint32 *ret);

#endif
