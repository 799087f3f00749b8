/* One test of a whole program. Inside the room only. */
#ifndef WS_GRADE_TRIAL_PROGRAM_TEST_H
#define WS_GRADE_TRIAL_PROGRAM_TEST_H

#include "grade/trial/built_programs.h"

/*
 * As ws_run_test(): the program is run, confined, and then its launches, in a process of their own.
 * Of the buffers, the first is what it has printed, and then come those of `compare`. The report
 * has, besides, `program`: {"failure": null, or {"words", "text", "expected", "actual", "log"}},
 * which says why the results are wrong if neither the run nor its checks do. A floating reference.
 */
GVariant *ws_run_program_test(const WsSubject *subject, guint test, WsBuiltPrograms *programs);

#endif
