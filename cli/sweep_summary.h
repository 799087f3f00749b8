/* What `warpstep sweep` prints at its end. */
#ifndef WS_CLI_SWEEP_SUMMARY_H
#define WS_CLI_SWEEP_SUMMARY_H

#include "study/run/sweep.h"

/*
 * Prints how many points are there and have failed, and where the devices' numbers come from.
 * `path` is NULL for a preset study that is not kept, of which nothing is printed; `count` is NULL
 * if none was run. Returns the exit code.
 */
int ws_sweep_summarise(const WsStudy *study, const WsStudyFolder *folder, const char *path,
                       const WsSweepCount *count, gboolean interrupted);

#endif
