/*
 * The queues in front of the load-store unit: after each instruction that it takes, the sub-core's
 * queue may be full, and nothing more goes to it until an entry is free (lg_throttle,
 * mio_throttle); L1 takes no accesses while it has no entry left for a miss. Inside the library
 * only. The queues themselves are in sim/memory/load_store_unit.h.
 */
#ifndef WS_SIM_SM_LOAD_STORE_QUEUE_H
#define WS_SIM_SM_LOAD_STORE_QUEUE_H

#include "sim/sm/sm.h"

/* After the load-store unit took something of the warp at `now`. */
void ws_load_store_taken(WsSm *sm, guint32 slot, guint64 now);
/* Accesses to global memory issue again if L1 has room by now. */
void ws_load_store_open(WsSm *sm, guint64 now);

#endif
