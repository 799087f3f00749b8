/*
 * Which SMs and cycles the timeline of a page shows, where the options leave it open: those where
 * something happened, found by running twice.
 */
#ifndef WS_CLI_PAGE_WINDOW_H
#define WS_CLI_PAGE_WINDOW_H

#include "cli/simulation_options.h"
#include "inspect/animation/frames.h"
#include "inspect/highlights/highlights.h"
#include "inspect/page/timeline_record.h"
#include "inspect/quiz/quiz.h"

/* A stretch of cycles that is to move, on the SM that the page opens at. */
typedef struct {
    gboolean wanted;
    WsHighlightKind around; /* of these in place of cycles, or WS_HIGHLIGHT_COUNT */
    guint64 first, last;
} WsFramesWanted;

typedef struct {
    const GArray *sms;  /* of WsNumberRange that the device has; NULL: to be chosen */
    gint64 from, to;    /* cycles; -1: to be chosen */
    guint64 max_issues; /* instructions in the timeline */
    /* The highlight that the page opens at, or WS_HIGHLIGHT_COUNT: the one that leads. */
    WsHighlightKind at;
    WsFramesWanted animation;
    gboolean quiz; /* questions of the SM that it opens at are wanted */
} WsPageWindow;

/* A run that was watched. */
typedef struct {
    WsResult *result;
    WsTimelineRecord *record;
    WsHighlights *highlights;
    WsQuiz *quiz;            /* or NULL */
    WsFrames *frames;        /* or NULL; the timeline then is any */
    guint32 focus;           /* of them: the slot that the highlight is of */
    WsHighlightKind opening; /* WS_HIGHLIGHT_COUNT: no warp ran */
} WsWatchedRun;

void ws_watched_run_clear(WsWatchedRun *run);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(WsWatchedRun, ws_watched_run_clear)

/*
 * Runs the job, and again where the timeline of the first time shows other SMs or cycles than those
 * where the highlights are. Errors: those of a run, and WS_ERROR_USAGE where what the page should
 * open at has not happened.
 */
gboolean ws_watched_run_make(const WsPageWindow *window, const WsSimulationOptions *options,
                             WsJob *job, WsWatchedRun *ret, GError **error);

#endif
