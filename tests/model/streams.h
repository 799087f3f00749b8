/*
 * Streams of steps: a warp does the same operation in several chains of registers.
 *
 * A step is "how its registers begin : instructions"; without the first part %0 = lane * 4. From
 * 0x10010000 on global memory holds own addresses; the line at 0x10010780 takes 272 cycles, as the
 * measured one. Shared memory holds own addresses: one word a lane, 16 bytes a lane from 1024 on,
 * and 8 bytes from 2048 on.
 */
#ifndef WS_TESTS_MODEL_STREAMS_H
#define WS_TESTS_MODEL_STREAMS_H

#include "rows.h"

/* Registers of a stream, so that 32 warps fit. */
guint streams_stride(guint streams);

/* The instructions of a step. */
const char *streams_instructions(const char *step);

/*
 * Cycles of `body`, whose `streams` streams begin as `kinds` steps in turn say; `trips` is in R15,
 * `setting` "path=value" or NULL.
 */
double streams_run(const char *setting, const char *const *steps, guint kinds, guint streams,
                   const char *body, guint warps, guint trips);

/*
 * Cycles a step in a loop of `operations` steps, by trips of `few` and `many`: row->text holds one
 * step, or several that take turns, between bars.
 */
double streams_rate(const Row *row, guint streams, guint operations, guint few, guint many);

#endif
