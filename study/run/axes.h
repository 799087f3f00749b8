/* Whether the parameters of a study change anything. */
#ifndef WS_STUDY_RUN_AXES_H
#define WS_STUDY_RUN_AXES_H

#include "study/run/sweep.h"

/*
 * Refuses a macro that changes nothing anywhere: no source that is compiled mentions it, the
 * policies of all points included, and all of its values give the same code. Loads some of the
 * points for that; programs that it compiles stay in `programs`. Points that cannot be loaded are
 * not judged: their rows will say why. (A name that the launch does not have is an error of every
 * point, which ws_sweep_digest() reports.) Errors: WS_ERROR_USAGE.
 */
gboolean ws_sweep_check_axes(const WsStudy *study, const WsSweepOptions *options,
                             WsProgramStore *programs, GError **error);

#endif
