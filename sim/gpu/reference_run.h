/* Runs reference kernels, so that a job knows what it expects (reference_launch.h). */
#ifndef WS_SIM_GPU_REFERENCE_RUN_H
#define WS_SIM_GPU_REFERENCE_RUN_H

#include "sim/base/time_limit.h"
#include "sim/launch/launch.h"

/*
 * Runs the reference launches of a job that has not run yet, and fills in what its expectations
 * expect. They end when `time_limit` is over and when `*interrupt` becomes other than 0 (NULL:
 * never). Errors: WS_ERROR_INPUT if their copies of the buffers are more than
 * the job may take; WS_ERROR_FAULT, WS_ERROR_DEADLOCK or WS_ERROR_LIMIT if a reference kernel stops
 * early; the message names it.
 */
gboolean ws_reference_launches_run(const WsJob *job, const WsTimeLimit *time_limit,
                                   const gint *interrupt, GError **error);

#endif
