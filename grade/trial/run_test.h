/* One test in a process of its own, run by the process that has compiled. Inside the room only. */
#ifndef WS_GRADE_TRIAL_RUN_TEST_H
#define WS_GRADE_TRIAL_RUN_TEST_H

#include "grade/trial/isolation.h"
#include "grade/trial/program_cache.h"
#include "grade/trial/trial.h"
#include "sim/check/check.h"

/*
 * The outcome, of type WS_OUTCOME_TYPE: state, message or report, the buffers if wanted. A floating
 * reference.
 */
#define WS_OUTCOME_TYPE "(usaay)"
GVariant *ws_run_test(const WsSubject *subject, guint test, WsProgramCache *cache);

/* Parts of it, for runs of whole programs too (grade/trial/program_test.h). */
GVariant *ws_outcome_new(WsTrialState state, const char *text, GPtrArray *memory);
/* A run that the simulator does not make. */
GVariant *ws_outcome_of_failure(const GError *error);
/* Of the process of the test: what it gave back, or how it ended instead. */
GVariant *ws_outcome_of_ending(const WsSubject *subject, const WsTest *test, WsEnding ending,
                               int signal_number, GBytes *bytes);
WsIsolationLimits ws_test_isolation_limits(const WsSubject *subject, const WsTest *test);
gboolean ws_test_is_looked_at(const WsSubject *subject, const WsTest *test);
/* After a run: what was found goes to its result. */
void ws_test_look(WsCheck *check, WsResult *result);

#endif
