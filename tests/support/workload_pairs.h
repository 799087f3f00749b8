/* Every launch file of every workload, under every divergence model and policy. */
#ifndef WS_TESTS_WORKLOAD_PAIRS_H
#define WS_TESTS_WORKLOAD_PAIRS_H

#include "sim/gpu/simulation.h"

/* A job, and what a run of it changes, as it was. */
typedef struct {
    WsJob *job;
    guint8 **buffers;
    guint8 *module;
} JobStart;

/* The job is as it was before a run. */
void job_start_restore(const JobStart *start);

/*
 * What is wrong with the job under the model and policy that its device has now, to be freed, or
 * NULL. `cycles` is what --max-cycles would be, `seed` differs from pair to pair.
 */
typedef char *(*PairCheck)(const JobStart *start, guint64 cycles, guint64 seed);

/*
 * The program `NAME WORKLOADS CYCLES [SHARE]`. A run stops after CYCLES cycles. With SHARE n, a
 * file is run with one in n of the pairs of model and policy, another one for each file, and one in
 * n of the .cu files is taken. Devices have at most `most_sms` SMs, 0: as many as they have.
 * Returns the exit code, 1 if any pair was not right.
 */
int workload_pairs_main(int argc, char **argv, guint most_sms, PairCheck check);

#endif
