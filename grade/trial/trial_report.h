/* What a run of a test tells of itself, as JSON. Inside the room only. */
#ifndef WS_GRADE_TRIAL_TRIAL_REPORT_H
#define WS_GRADE_TRIAL_TRIAL_REPORT_H

#include "sim/report/result.h"

/*
 * An object with
 *   run         as `run --format json`
 *   line_texts  the source lines of run.lines, in their order; null where not known
 *   executed    mnemonic -> warp instructions, over all launches
 *   code        mnemonic -> instructions in the kernels that are launched
 *   buffer_names  in the order of WsTrial.memory
 *   calls       by launch: its kernel, sizes and parameters, as places in buffers or as values
 *   writers     by failed check of the run: who wrote the first wrong element last, null for nobody
 * `folder` is left out where names of files begin with it. Free with g_free.
 */
char *ws_trial_report_write(const WsJob *job, const WsResult *result, char *const *writers,
                            const char *folder);

#endif
