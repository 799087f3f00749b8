/* The page of a test's run, made where it runs and handed over. Inside the room only. */
#ifndef WS_GRADE_TRIAL_TEST_PAGE_H
#define WS_GRADE_TRIAL_TEST_PAGE_H

#include "grade/trial/trial.h"
#include "sim/gpu/simulation.h"

/*
 * Runs the job once more, for its page; `shown` is what the run was like. Returns GBytes: the parts
 * of the page, none of which names `folder`. NULL with `error` as ws_simulation_run().
 */
GPtrArray *ws_test_page_make(WsJob *job, const WsRunOptions *options, const WsTrial *shown,
                             const char *folder, GError **error);

/* The page of the parts, of type "aay"; NULL if these are none. */
WsRunPage *ws_test_page_read(GVariant *parts);

#endif
