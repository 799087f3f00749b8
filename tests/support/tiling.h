/* The tiling laws of a result: what adds up to what, exactly, however the run ended. */
#ifndef WS_TESTS_TILING_H
#define WS_TESTS_TILING_H

#include "sim/report/result.h"

/*
 * Stalls tile residency, in every launch and by instruction; residency and losses tile the
 * theoretical occupancy; the counters of the instructions add up to those of the launch, and
 * those of the launches to the totals. NULL if all holds, else what does not, to be freed.
 */
char *tiling_problem(const WsProgram *program, const WsResult *result);

#endif
