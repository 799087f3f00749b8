/* Grids on a simulated H200 of several SMs. */
#ifndef WS_TESTS_MODEL_GRID_H
#define WS_TESTS_MODEL_GRID_H

#include "rows.h"

/* One launch, after one of as many blocks as SMs at most, which warms the caches. */
typedef struct {
    const char *loop; /* name of the program: a compiled loop, or of `text` */
    const char *text; /* its source, or NULL */
    guint sms, blocks, warps;
    guint dynamic_shared;
    /* Parameters behind a pointer: to 32 bytes for each block, and 4 KiB at least. */
    guint32 first, second;
    const char *setting; /* of the device, or NULL */
} Grid;

/* Counters of the launch. Ends the program on errors. */
WsCounters run_grid(const Grid *grid);

#endif
