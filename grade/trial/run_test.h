/* One test in a process of its own, run by the process that has compiled. Inside the room only. */
#ifndef WS_GRADE_TRIAL_RUN_TEST_H
#define WS_GRADE_TRIAL_RUN_TEST_H

#include "grade/trial/program_cache.h"
#include "grade/trial/trial.h"

/*
 * The outcome, of type WS_OUTCOME_TYPE: state, message or report, the buffers if wanted. A floating
 * reference.
 */
#define WS_OUTCOME_TYPE "(usaay)"
GVariant *ws_run_test(const WsSubject *subject, guint test, WsProgramCache *cache);

#endif
