/* Running the points of a study, several at a time, each in a thread of its own. */
#ifndef WS_STUDY_RUN_SWEEP_H
#define WS_STUDY_RUN_SWEEP_H

#include "sim/launch/program_store.h"
#include "study/results/folder.h"

typedef struct {
    guint points;  /* that this call has to run */
    guint done;    /* of these */
    guint failed;  /* of these: a status other than "ok" */
    guint skipped; /* points asked for that had a row before */
} WsSweepCount;

typedef struct {
    guint threads;         /* points at a time; 0 = one for each processor */
    guint first, last;     /* points from `first` to before `last` only; 0, 0 = all */
    guint shard, shards;   /* of these, those whose number is `shard` modulo `shards`; 0, 0 = all */
    gboolean fail_fast;    /* stop at the first that fails */
    WsLoadBounds bounds;   /* of each point, as in WsJobOptions */
    guint64 max_memory;    /* of each point, as in WsJobOptions */
    double max_seconds;    /* of each point, as in WsRunOptions; 0 = no limit */
    const gint *interrupt; /* as in WsRunOptions */
    /* Called in the calling thread, some times a second and at the end. Each may be NULL. */
    void (*progress)(void *data, const WsSweepCount *count);
    /* A point whose status is not "ok"; `message` may be "". */
    void (*failure)(void *data, guint point, const char *status, const char *message);
    void *data;
} WsSweepOptions;

/*
 * The digest (to be cleared) of this program, of the study's devices and policies, and of all files
 * that each target is read from. Programs that it compiles stay in `programs`, which may be NULL.
 * Errors: that of the first point, if none of those tried can be loaded.
 */
gboolean ws_sweep_digest(const WsStudy *study, const WsSweepOptions *options,
                         WsProgramStore *programs, WsStudyDigest *ret, GError **error);

/* The launch at a point, whose options it completes. Errors: those of ws_job_load(). */
WsJob *ws_sweep_load(const WsStudy *study, WsStudyPoint *point, const WsSweepOptions *options,
                     WsProgramStore *programs, GError **error);

/*
 * Runs the points that `folder` has no row for. A point that fails is a row like others. The table
 * is written now and then and at the end, also after an error or an interruption; points that were
 * interrupted have no row. Errors: WS_ERROR_INPUT (the folder cannot be written).
 */
gboolean ws_sweep_run(const WsStudy *study, WsStudyFolder *folder, WsProgramStore *programs,
                      const WsSweepOptions *options, WsSweepCount *ret, GError **error);

#endif
