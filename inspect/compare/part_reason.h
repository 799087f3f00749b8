/* Why two runs part, in a sentence. */
#ifndef WS_INSPECT_COMPARE_PART_REASON_H
#define WS_INSPECT_COMPARE_PART_REASON_H

#include "inspect/compare/lockstep.h"

/* The side whose event comes first; of the same cycle A. There must be one. */
guint ws_parting_first(const WsFirstDifference *parting);
/* "warp 2 issues in A; in B it waits for long_scoreboard since cycle 40". Free with g_free. */
char *ws_parting_reason(const WsFirstDifference *parting);

#endif
