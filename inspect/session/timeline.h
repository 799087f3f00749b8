/*
 * A run at any of its cycles. States are saved on the way (inspect/session/saved_states.h), and
 * every cycle is reached from the nearest one before it by running on from there: the recording of
 * a run is the run itself.
 *
 * To be at a cycle is to see the machine as it is before the warps of that cycle are chosen; what
 * is due at the cycle (responses, starts and ends of blocks) has come.
 */
#ifndef WS_INSPECT_SESSION_TIMELINE_H
#define WS_INSPECT_SESSION_TIMELINE_H

#include "inspect/session/residents.h"

typedef struct WsTimeline WsTimeline;

/* So much saved states take at most, where nothing else is asked for: bytes of the host. */
#define WS_TIMELINE_BYTES ((gsize)512 << 20)

/*
 * The job at its first cycle; it stays with the caller and must live longer. `bytes`: of all saved
 * states together; at least two are kept whatever they take. Errors: those of ws_simulation_new()
 * and ws_simulation_advance().
 */
WsTimeline *ws_timeline_new(WsJob *job, const WsRunOptions *options, gsize bytes, GError **error);
void ws_timeline_free(WsTimeline *timeline);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsTimeline, ws_timeline_free)

/* Goes to `cycle`, or to the end of the run if that is before. FALSE: as ws_simulation_advance().
 */
gboolean ws_timeline_go(WsTimeline *timeline, guint64 cycle, GError **error);
guint64 ws_timeline_cycle(const WsTimeline *timeline);

/* The last cycle that can be gone to, once the run has been seen to end; WS_NEVER before. */
guint64 ws_timeline_end(const WsTimeline *timeline);
/*
 * How the run ends and, if it stops early, why: known once its end is. At the end of a run that a
 * fault stops the faulting instruction has not issued.
 */
WsStatus ws_timeline_status(const WsTimeline *timeline);
const WsStop *ws_timeline_stop(const WsTimeline *timeline);

const WsJob *ws_timeline_job(const WsTimeline *timeline);
/* The simulation, at the cycle. It must not be moved. */
const WsSimulation *ws_timeline_simulation(const WsTimeline *timeline);
/* The SM of this number, or NULL if it has no part in the launch under way. */
const WsSm *ws_timeline_sm(const WsTimeline *timeline, guint32 number);
/*
 * Why the warp in a slot of the SM does not issue at the cycle; WS_STALL_SELECTED: it does. At the
 * end of the run nothing does.
 */
WsStall ws_timeline_stall(const WsTimeline *timeline, const WsSm *sm, guint32 slot);
guint64 ws_timeline_digest(const WsTimeline *timeline); /* ws_simulation_digest() */
/* How many states are saved, and what they take: bytes of the host. */
guint ws_timeline_states(const WsTimeline *timeline, gsize *ret_bytes);
/* Cycles that have been simulated so far to be at all cycles asked for, the same ones repeatedly.
 */
guint64 ws_timeline_simulated(const WsTimeline *timeline);

/*
 * `interrupt` is asked now and then while a search or ws_timeline_travel() goes on, which ends when
 * it says TRUE: where it has come to or, searching back, where it began. A search ahead goes on
 * from there with query->here. NULL: nobody is asked.
 */
typedef gboolean (*WsInterrupt)(void *data);
void ws_timeline_set_interrupt(WsTimeline *timeline, WsInterrupt interrupt, void *data);
/* Asks it, for what takes several searches. */
gboolean ws_timeline_is_interrupted(const WsTimeline *timeline);
/*
 * As ws_timeline_go(), for ways that may be long. *ret_interrupted: the interrupt has ended it at
 * a cycle on the way, which the timeline is at as at any other.
 */
gboolean ws_timeline_travel(WsTimeline *timeline, guint64 cycle, gboolean *ret_interrupted,
                            GError **error);

/*
 * `estimate` is told before cycles that have been simulated are simulated again, where that takes
 * the host `least` seconds or more (people want to know of WS_TIMELINE_LONG_SECONDS): how long by
 * the speed so far, and how many cycles, at most. A search back tells it when the first stretch
 * that it looks at has nothing. NULL: nobody is told.
 */
enum { WS_TIMELINE_LONG_SECONDS = 3 };
typedef void (*WsEstimate)(void *data, double seconds, guint64 cycles);
void ws_timeline_set_estimate(WsTimeline *timeline, double least, WsEstimate estimate, void *data);
/* "37000 cycles at most must be simulated again, which takes about 12 s" */
char *ws_timeline_estimate_text(double seconds, guint64 cycles);

/* ---- looking for events ------------------------------------------------------------------------
 */

/* What is looked for. */
typedef struct {
    guint64 kinds; /* WS_TRACE_BIT()s of the events that `find` wants to see */
    /*
     * The cycle at which to stop for the event, or WS_NEVER: not for this one. It is not before the
     * cycle that runs, which is that of the event or, for what is told ahead of time, earlier.
     * `sm` is in the state in which it is told (ws_simulation_tap()).
     */
    guint64 (*find)(void *data, const WsSm *sm, const WsTraceEvent *event);
    void *data;
    /* If not NULL: what comes next begins here, and has not been led up to. What `find` keeps from
     * event to event starts anew. */
    void (*begin)(void *data);
    /*
     * If not NULL: `find` wants the events in this scope alone. Stretches of the run in which there
     * were none are not simulated.
     */
    const WsEventScope *scope;
    gboolean ahead; /* events may be told ahead of time, by up to 4096 cycles */
    gboolean here;  /* going ahead: a stop at the very cycle counts too */
    guint64 limit;  /* not beyond this cycle, or, going back, not before it; 0 = none */
} WsQuery;

typedef struct {
    gboolean found;
    guint64 cycle; /* where to stop */
    WsTraceEvent event;
    guint32 also;         /* further events for which to stop at the same cycle */
    gboolean interrupted; /* nothing has been found so far */
} WsFinding;

/*
 * Goes to the first stop behind the cycle, or the last one before it. Without one: to the end or
 * the limit, or to the first cycle. FALSE: as ws_simulation_advance().
 */
gboolean ws_timeline_find(WsTimeline *timeline, const WsQuery *query, WsFinding *ret,
                          GError **error);
gboolean ws_timeline_find_back(WsTimeline *timeline, const WsQuery *query, WsFinding *ret,
                               GError **error);

/*
 * The same without going there: ahead of the cycle by at most `cycles`, or back as far as it takes.
 */
gboolean ws_timeline_look_ahead(WsTimeline *timeline, const WsQuery *query, guint64 cycles,
                                WsFinding *ret, GError **error);
gboolean ws_timeline_look_back(WsTimeline *timeline, const WsQuery *query, WsFinding *ret,
                               GError **error);

#endif
