/* The rows of the calibration: what was measured on the H200 and how to simulate the same. */
#ifndef WS_TESTS_MODEL_ROWS_H
#define WS_TESTS_MODEL_ROWS_H

#include "probe.h"

typedef struct Row Row;
struct Row {
    const char *name;
    double measured;  /* cycles if the group does not say otherwise */
    double tolerance; /* percent, as it holds now */
    double (*simulate)(const Row *row);
    const char *text; /* a step or body, by the group */
    guint warps;
    guint a, b; /* by the group */
};

/* The values of a row, in the order above: what the macros of a group end in. */
#define ROW(...)                                                                                   \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

typedef struct {
    const char *title;
    const char *about; /* how it is measured */
    const Row *rows;
    guint count;
} Group;

/* The compiled loop tests/model/loops/NAME.wsasm; free with g_free. Ends the program on errors. */
char *row_loop(const char *name);

/* Cycles of a call of two MOVs and row->a NOPs. */
double calls(const Row *row);

/* The module of all chains of PTX; free with g_free. */
char *ptx_chains_text(void);

extern const Group latency_group, sequence_group, chain_group, throughput_group, issue_group,
    phase_group, loop_group, shared_group, coalescing_group, hiding_group, sector_group,
    traffic_group, round_group, atomic_group, barrier_group, divergence_group, block_group,
    spinning_group, wave_group;

#endif
