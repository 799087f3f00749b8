/*
 * A recording, run anew: the states of the run are compared with those that were recorded. Where
 * this version, or this build, does something otherwise, they part.
 */
#ifndef WS_INSPECT_RECORDING_REPLAY_H
#define WS_INSPECT_RECORDING_REPLAY_H

#include "inspect/recording/recording.h"

/* Neither parted nor the same at all points: a limit of this run, or an interruption, came first.
 */
typedef struct {
    guint same;      /* points of the trail, from the first on, at which the state is as recorded */
    gboolean parted; /* at the next one it is another */
} WsReplay;

/* Runs the job as ws_simulation_run(), and compares on the way. Errors: as there. */
WsResult *ws_recording_replay(WsRecording *recording, const WsRunOptions *options, WsReplay *ret,
                              GError **error);

/*
 * What is to be told of it, one line without a prefix: that the runs part, behind which cycle, and
 * at which one at the latest; or, of a recording of another version, up to where they are the same.
 * NULL: nothing. g_free.
 */
char *ws_replay_text(const WsRecording *recording, const WsReplay *replay);

/*
 * Opens a recording for a look at its run, which is replayed before. `options` are those of the
 * replay, with the recording's own limit where max_cycles is 0; `ret_text` is ws_replay_text().
 * Errors: those of ws_recording_open() and ws_recording_replay(), and WS_ERROR_LIMIT where
 * options->interrupt ended it.
 */
WsRecording *ws_recording_open_replayed(const char *path, guint64 max_memory,
                                        const WsRunOptions *options, WsReplay *ret, char **ret_text,
                                        GError **error);

#endif
