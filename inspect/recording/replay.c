#include "inspect/recording/replay.h"

#include <string.h>

typedef enum { AS_RECORDED, OTHERWISE, NOT_COMPARABLE } Agreement;

static const WsTrailPoint *point_at(const WsRecording *recording, guint i)
{
    return &g_array_index(recording->trail, WsTrailPoint, i);
}

/* Whether a limit of this run, and not what it does, keeps it from the point. */
static gboolean is_limited(const WsSimulation *simulation, const WsRecording *recording,
                           const WsRunOptions *options, guint i)
{
    WsStatus status = ws_simulation_result(simulation)->status;
    guint64 limit = options->max_cycles;

    /* The last point of a run that was cut off there, which now goes on. */
    if (i + 1 == recording->trail->len && limit > recording->max_cycles &&
        point_at(recording, i)->cycle == recording->max_cycles)
        return TRUE;
    return status == WS_STATUS_INTERRUPTED ||
           (status == WS_STATUS_LIMIT &&
            (limit < recording->max_cycles || ws_simulation_end(simulation) < limit));
}

/* Runs on to the point, or to the end for the last one. FALSE with `error`. */
static gboolean compare_at(WsSimulation *simulation, const WsRecording *recording,
                           const WsRunOptions *options, guint i, Agreement *ret, GError **error)
{
    const WsTrailPoint *point = point_at(recording, i);
    gboolean at_end = i + 1 == recording->trail->len;

    if (!ws_simulation_advance(simulation, at_end ? G_MAXUINT64 : point->cycle, error))
        return FALSE;
    if (ws_simulation_is_over(simulation) && is_limited(simulation, recording, options, i))
        *ret = NOT_COMPARABLE;
    else if (ws_simulation_is_over(simulation) == at_end &&
             (!at_end || ws_simulation_end(simulation) == point->cycle) &&
             ws_simulation_digest(simulation, point->cycle) == point->digest)
        *ret = AS_RECORDED;
    else
        *ret = OTHERWISE;
    return TRUE;
}

WsResult *ws_recording_replay(WsRecording *recording, const WsRunOptions *options, WsReplay *ret,
                              GError **error)
{
    g_autoptr(WsSimulation) simulation = ws_simulation_new(recording->job, options, FALSE, error);
    Agreement agreement = AS_RECORDED;

    if (simulation == NULL)
        return NULL;
    *ret = (WsReplay){0};
    for (guint i = 0; i < recording->trail->len && agreement == AS_RECORDED; i++) {
        if (!compare_at(simulation, recording, options, i, &agreement, error))
            return NULL;
        if (agreement == AS_RECORDED)
            ret->same++;
    }
    ret->parted = agreement == OTHERWISE;
    if (!ws_simulation_advance(simulation, G_MAXUINT64, error))
        return NULL;
    return ws_simulation_finish(simulation);
}

char *ws_replay_text(const WsRecording *recording, const WsReplay *replay)
{
    g_autofree char *version = ws_printable(recording->version);
    guint count = recording->trail->len;

    if (replay->parted)
        return g_strdup_printf(
            "the run differs from the one that warpstep %s recorded, after cycle %" G_GUINT64_FORMAT
            " and by cycle %" G_GUINT64_FORMAT " at the latest; this is the run of version %s",
            version, replay->same > 0 ? point_at(recording, replay->same - 1)->cycle : 0,
            point_at(recording, replay->same)->cycle, WS_VERSION);
    if (strcmp(recording->version, WS_VERSION) == 0)
        return NULL;
    if (replay->same == count)
        return g_strdup_printf("warpstep %s recorded the run; this is the run of version %s: the "
                               "same at all %u recorded cycles",
                               version, WS_VERSION, count);
    return g_strdup_printf("warpstep %s recorded the run; this is the run of version %s: the same "
                           "at %u of %u recorded cycles, a limit was reached before the others",
                           version, WS_VERSION, replay->same, count);
}

/* Running a job changes its buffers: what is looked at afterwards is another copy. */
static gboolean replay_file(const char *path, guint64 max_memory, const WsRunOptions *options,
                            WsReplay *ret, char **ret_text, GError **error)
{
    g_autoptr(WsRecording) recording = ws_recording_open(path, max_memory, error);
    g_autoptr(WsResult) result = NULL;
    WsRunOptions run = *options;
    const WsPosition position = {.file = path};

    if (recording == NULL)
        return FALSE;
    if (run.max_cycles == 0)
        run.max_cycles = recording->max_cycles;
    result = ws_recording_replay(recording, &run, ret, error);
    if (result == NULL)
        return FALSE;
    if (result->status == WS_STATUS_INTERRUPTED) {
        ws_set_error_at(error, WS_ERROR_LIMIT, &position,
                        "interrupted while the run was compared with the one recorded");
        return FALSE;
    }
    *ret_text = ws_replay_text(recording, ret);
    return TRUE;
}

WsRecording *ws_recording_open_replayed(const char *path, guint64 max_memory,
                                        const WsRunOptions *options, WsReplay *ret, char **ret_text,
                                        GError **error)
{
    g_autofree char *text = NULL;
    WsRecording *recording;

    if (!replay_file(path, max_memory, options, ret, &text, error))
        return NULL;
    recording = ws_recording_open(path, max_memory, error);
    if (recording != NULL)
        *ret_text = g_steal_pointer(&text);
    return recording;
}
