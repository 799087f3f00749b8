/*
 * Golden traces: what a run issues, one line an issue, compared byte for byte with a file in
 * tests/golden/. A line is
 *
 *   cycle  warp  mask  instruction
 *
 * where the mask has one digit a lane, lane 0 on the left: 1 = the lane executes the instruction.
 *
 * To write the files again, run the test program with --regenerate in the source folder, and look
 * at what git says has changed:
 *
 *   build/tests/test_textbook_scheduling --regenerate
 *   build/tests/test_textbook_divergence --regenerate
 */
#ifndef WS_TESTS_GOLDEN_TRACE_H
#define WS_TESTS_GOLDEN_TRACE_H

#include "tests/support/engine_fixture.h"

/*
 * The trace as text, from the first issue of instruction `origin` on, which is cycle 0 of the
 * trace. Free with g_free.
 */
char *golden_trace_text(const Engine *engine, guint32 origin);
/* Fails the test unless the trace of the last run is the file tests/golden/NAME.txt. */
void golden_trace_check(const Engine *engine, guint32 origin, const char *name);
/* To be called from main before the tests: looks for --regenerate. */
void golden_trace_begin(int argc, char **argv);

#endif
