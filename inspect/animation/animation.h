/*
 * A stretch of cycles as an SVG that moves (SMIL): a row a warp with its lanes, why it does not
 * issue and its instruction, and the source lines with the one that the focused warp is at. It
 * needs no script and no network; what cannot move pictures shows the first cycle.
 */
#ifndef WS_INSPECT_ANIMATION_ANIMATION_H
#define WS_INSPECT_ANIMATION_ANIMATION_H

#include "inspect/animation/frames.h"
#include "sim/launch/launch.h"

enum { WS_ANIMATION_WARPS = 8 }; /* rows at most */

/*
 * `focus`: the slot whose source lines are shown, and which is among the rows. `speed`: cycles a
 * second. Texts of users are texts in it. g_free; the same run gives the same bytes.
 */
char *ws_animation_svg(const WsJob *job, const WsFrames *frames, guint32 focus, guint speed);

#endif
