/*
 * Samples: what a run counts in equal stretches of time. The sums of all samples of a launch are
 * the counters of its result, exactly; where a stretch ends does not change the run, and samples
 * are the same with any number of host threads.
 */
#ifndef WS_SIM_OBSERVE_SAMPLING_H
#define WS_SIM_OBSERVE_SAMPLING_H

#include "sim/base/counters.h"

/* One stretch of a launch, of all SMs together or of one. */
typedef struct {
    guint32 launch; /* number in the job */
    gint32 sm;      /* its number, or -1: all together */
    guint64 cycle;  /* first cycle, from the beginning of the first launch */
    guint64 cycles; /* that it lasts */
    /*
     * What was counted in it, without `cycles` and `elapsed_cycles` (0). Stalls and occupancy are
     * those of these very cycles. A request counts at L1 when it is issued, at L2 when it arrives
     * there, at DRAM when L2 asks for it. Of one SM what L2 and DRAM count is 0.
     */
    WsCounters counters;
    guint64 dram_bytes; /* that DRAM has transferred, read and written: what it was asked for less
                         * what waits for a bus */
} WsSample;

typedef struct {
    guint64 every;  /* cycles, from 1: stretches end at its multiples, and with the launch. `take`
                     * may double it; samples that are under way may then still be shorter */
    gboolean by_sm; /* a sample for each SM of the launch, not for all together */
    void *data;
    /* In order of launch, cycle and SM, on the thread that runs the simulation. */
    void (*take)(void *data, const WsSample *sample);
} WsSampleSink;

#endif
