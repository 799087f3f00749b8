/* Running a job without time: values, faults and counts of instructions, no cycles. */
#ifndef WS_SIM_GPU_FUNCTIONAL_RUN_H
#define WS_SIM_GPU_FUNCTIONAL_RUN_H

#include "sim/gpu/simulation.h"

/*
 * Runs every launch of the job, one after the other, by the functional interpreter; then compares
 * the expectations. The result says `functional`; of its counters, the instructions of warps and
 * threads and the warps launched are there, all else is zero. `max_seconds` and `interrupt` of the
 * options count, each of its other members is ignored. What stops a run and what is an error is as
 * in ws_simulation_run(); a deadlock is one that is found without time: no lane of a block can go
 * on.
 */
WsResult *ws_functional_run(WsJob *job, const WsRunOptions *options, GError **error);

#endif
