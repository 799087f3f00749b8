/*
 * What an SM has not counted yet at a cycle that it has come to: warps are charged when they issue,
 * and activity when it ends. Inside the library only.
 */
#ifndef WS_SIM_SM_OPEN_COUNTS_H
#define WS_SIM_SM_OPEN_COUNTS_H

#include "sim/base/counters.h"
#include "sim/sm/sm.h"

/*
 * Adds to `ret` the stalls, warp_cycles and active_sm_cycles up to `cycle` (exclusive) that the
 * counters of the SM will have later for the warps that are there. Changes nothing of the SM.
 */
void ws_sm_add_open_counts(const WsSm *sm, guint64 cycle, WsCounters *ret);
/*
 * The same for blocks that will start, whose slots were taken before `cycle`: an SM may be told of
 * them later than that, when the window has ended in which a block made room.
 */
void ws_sm_add_queued_counts(const WsSm *sm, guint64 cycle, WsCounters *ret);

#endif
