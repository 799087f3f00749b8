/*
 * A plain reference for whole kernels: one thread at a time, block after block, without warps and
 * without time. A thread runs alone to the next block barrier, or to the next instruction at which
 * lanes of a warp meet (WARPSYNC, SHFL, VOTE, MATCH, REDUX). Written apart from sim/: only the
 * program and the job are shared.
 *
 * It is a reference for programs without races. Convergence barriers do nothing. Lanes exchange
 * values among those that the latest WARPSYNC of the thread named and that have not ended; a thread
 * has its own uniform registers, so a program may only use those that it has just written, with the
 * same values in all lanes.
 */
#ifndef WS_TESTS_SCALAR_GRID_H
#define WS_TESTS_SCALAR_GRID_H

#include "sim/launch/launch.h"

/*
 * Runs all launches of the job on `memory`: for each buffer of the job a copy of its contents.
 * Returns NULL, or what went wrong, to be freed: an access outside of memory, a barrier that never
 * opens, an instruction that it does not know, or more than `step_limit` instructions.
 */
char *scalar_grid_run(const WsJob *job, guint8 *const *memory, guint64 step_limit);

#endif
