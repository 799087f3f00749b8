/* What a sweep says on stderr while it runs: a line that is written over, and points that failed.
 */
#ifndef WS_CLI_SWEEP_PROGRESS_H
#define WS_CLI_SWEEP_PROGRESS_H

#include "study/run/sweep.h"

typedef struct WsSweepProgress WsSweepProgress;

/* `study` must outlive it. */
WsSweepProgress *ws_sweep_progress_new(const WsStudy *study);
void ws_sweep_progress_free(WsSweepProgress *progress);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsSweepProgress, ws_sweep_progress_free)

/* For WsSweepOptions; `data` is the WsSweepProgress. The line is only for a terminal. */
void ws_sweep_progress_show(void *data, const WsSweepCount *count);
void ws_sweep_progress_failure(void *data, guint point, const char *status, const char *message);

/* Clears the line, and says how many failures were not shown. */
void ws_sweep_progress_end(WsSweepProgress *progress);

#endif
