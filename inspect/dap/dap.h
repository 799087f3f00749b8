/*
 * A debug adapter: an editor opens a launch, sets breakpoints, steps forward and back and looks at
 * warps, over the Debug Adapter Protocol. A thread is a warp, a stack frame one of its paths.
 * docs/use/editor.md says what each request means here.
 */
#ifndef WS_INSPECT_DAP_DAP_H
#define WS_INSPECT_DAP_DAP_H

#include "inspect/dap/messages.h"
#include "inspect/session/session.h"

/*
 * Loads the job that a launch request names. It may fill in what `run` leaves open, and leave in
 * `ret_note` what the client's console is to show (g_free). Errors: those of ws_job_load().
 */
typedef WsJob *(*WsDapLoader)(void *data, const char *target, const WsJobOptions *options,
                              WsRunOptions *run, char **ret_note, GError **error);

/* Answers requests until the client disconnects or the stream ends. Nothing else is printed. */
void ws_dap_serve(WsDapStream *stream, WsDapLoader load, void *load_data);

#endif
