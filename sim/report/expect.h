/*
 * Comparing the buffers of a job with its expectations after a run. A value a agrees with the
 * expected e if they are equal or, both being finite, |a - e| <= abs + rel * |e| (numpy's
 * allclose). NaN agrees with NaN only if the expectation says equal_nan.
 */
#ifndef WS_SIM_REPORT_EXPECT_H
#define WS_SIM_REPORT_EXPECT_H

#include "sim/report/result.h"

/*
 * Compares every expectation of `job`; fills result->checks, and turns the status WS_STATUS_OK into
 * WS_STATUS_CHECK_FAILED if one fails.
 */
void ws_expectations_check(const WsJob *job, WsResult *result);

#endif
