/* What an SM shows to a policy that is a file. Inside the library only. */
#ifndef WS_SIM_SM_POLICY_SIGHT_H
#define WS_SIM_SM_POLICY_SIGHT_H

#include "sim/sm/sm.h"

extern const WsPolicySight ws_policy_sight; /* of a WsSm */

/* What a policy is told of the warps of a sub-core, of which some are eligible at `now`. */
void ws_sm_policy_warps(const WsSm *sm, guint32 number, guint64 eligible, guint64 now,
                        WsPolicyWarps *ret);

#endif
