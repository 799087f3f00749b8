/* The memory of tests/support/scalar_grid.c: buffers, shared and local memory, and accesses to
 * them. */
#ifndef WS_TESTS_SCALAR_MEMORY_H
#define WS_TESTS_SCALAR_MEMORY_H

#include "sim/launch/launch.h"
#include "tests/support/scalar_step.h"

typedef struct {
    const WsJob *job;
    guint8 *const *buffers; /* contents, by buffer of the job */
    guint8 *shared;
    guint32 shared_bytes;
    guint8 *local; /* of all threads of the block, one behind the other */
    guint32 local_bytes, threads;
    guint thread; /* whose access comes next */
} ScalarMemory;

void scalar_memory_begin_launch(ScalarMemory *memory, const WsLaunch *launch, guint threads);
void scalar_memory_begin_block(ScalarMemory *memory);
void scalar_memory_end_launch(ScalarMemory *memory);

/*
 * A load, store or atomic operation in one lane. FALSE if the address belongs to nothing, or is
 * not aligned.
 */
gboolean scalar_access(ScalarStep *step, ScalarMemory *memory);

#endif
