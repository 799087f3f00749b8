/*
 * Ends of a run before its work is done that lie not in the program: a limit of cycles or of
 * processor time, or somebody who asks for it. All are looked at between windows. Inside the
 * library only.
 */
#ifndef WS_SIM_GPU_EARLY_END_H
#define WS_SIM_GPU_EARLY_END_H

#include "sim/gpu/gpu.h"

/*
 * WS_STATUS_OK if the run goes on with a window that begins at `next`. Otherwise the run ends with
 * the status returned: `*end`, the cycle up to which all SMs have run, may have moved, and the
 * result of the machine says why.
 */
WsStatus ws_early_end(WsMachine *machine, const WsLaunchContext *context, guint64 next,
                      guint64 *end);

#endif
