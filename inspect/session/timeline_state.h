/*
 * What a timeline keeps; for the files of this room that move it.
 */
#ifndef WS_INSPECT_SESSION_TIMELINE_STATE_H
#define WS_INSPECT_SESSION_TIMELINE_STATE_H

#include "inspect/session/edit.h"
#include "inspect/session/saved_states.h"
#include "inspect/session/timeline.h"

struct WsTimeline {
    WsJob *job;
    WsSimulation *simulation;
    guint64 cycle;
    guint64 end; /* or WS_NEVER */
    WsStatus status;
    WsStop stop;
    WsSavedStates *states;
    guint64 simulated;     /* cycles that have been run, again and again */
    guint64 furthest;      /* cycle that has been come to */
    guint64 furthest_work; /* ws_simulation_work() there */
    gboolean searching;    /* events are told, which takes longer */
    /* Without and with that: microseconds of the host's work, for how much work. */
    gint64 ran[2];
    guint64 ran_work[2];
    GArray *edits;         /* of WsEdit, by cycle */
    WsInterrupt interrupt; /* or NULL */
    void *interrupt_data;
    WsEstimate estimate; /* or NULL */
    void *estimate_data;
    double estimate_least; /* seconds */
};

/* Steps on a way: ws_stride_next() says how long the next one is. */
typedef struct {
    guint64 cycles; /* of the last one, 0 = none */
    guint64 work;   /* at which it began */
} WsStride;

/*
 * Cycles of the next step: longer and longer, but not so long that states would lie further apart
 * than they should.
 */
guint64 ws_stride_next(WsStride *stride, const WsTimeline *timeline);
/* The same from `cycle` to `target`: half of the way at most, so that states lie closer there. */
guint64 ws_step_towards(guint64 step, guint64 cycle, guint64 target);

/* Runs on to `cycle`, which lies ahead, and no further. The run may end before. */
gboolean ws_timeline_run_on(WsTimeline *timeline, guint64 cycle, GError **error);
void ws_timeline_go_to_state(WsTimeline *timeline, guint index);
/* The SMs have run past the cycle at which one of them was stopped. */
gboolean ws_timeline_is_past_fault(const WsTimeline *timeline);
/* Tells how long so much work takes, searching or not, if that is long: then TRUE. */
gboolean ws_timeline_report_estimate(const WsTimeline *timeline, double work, guint64 cycles,
                                     gboolean searching);
/* Tells how long it takes to run from state `index` to `cycle`, if that is long. */
void ws_timeline_estimate(const WsTimeline *timeline, guint index, guint64 cycle,
                          gboolean searching);

#endif
