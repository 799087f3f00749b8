/*
 * A run in one file, that opens on a machine with neither the program's files nor its compiler:
 *
 *   8 bytes   magic "\x89WSREC\r\n"
 *   u32       version of the format, 1
 *   u64       bytes of the value below, unpacked
 *   ...       a value of GVariant, little-endian, packed by zlib
 *   32 bytes  SHA-256 of all before
 *
 * The value is (version of the program, the job, limits, how the run ended, hashes of its states).
 * The same run gives the same bytes, with any number of host threads.
 */
#ifndef WS_INSPECT_RECORDING_RECORDING_H
#define WS_INSPECT_RECORDING_RECORDING_H

#include "sim/gpu/stepping.h"

/* The state of a run at a cycle: ws_simulation_digest(). */
typedef struct {
    guint64 cycle, digest;
} WsTrailPoint;

typedef struct {
    char *version;      /* of the program that recorded it */
    WsJob *job;         /* of one that was opened, else NULL */
    guint64 max_cycles; /* as in WsRunOptions; where the run was cut off by time: up to there */
    guint64 every;      /* cycles between two points of the trail */
    GArray *trail;      /* of WsTrailPoint; the last is the end of the run */
} WsRecording;

void ws_recording_free(WsRecording *recording);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsRecording, ws_recording_free)

/* A recording is known by its name, as programs are: *.wsrec. */
gboolean ws_is_recording(const char *path);

/* Errors: WS_ERROR_INPUT with the path: unreadable, damaged, of another format. */
WsRecording *ws_recording_open(const char *path, guint64 max_memory, GError **error);

/* The file of a job that has not run, with the trail still to come: ws_recording_bytes(). */
GVariant *ws_recording_begin(const WsJob *job, GError **error);
/* `image` of ws_recording_begin(). Errors: WS_ERROR_INPUT, more than a file may hold. */
GBytes *ws_recording_bytes(const WsRecording *recording, GVariant *image, GError **error);

/* Runs as ws_simulation_run(), and adds a point to `trail` every `every` cycles and at the end. */
WsResult *ws_recording_run(WsJob *job, const WsRunOptions *options, guint64 every, GArray *trail,
                           GError **error);

#endif
