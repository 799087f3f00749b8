/*
 * Somebody who looks at a run: where in time, at which warp and lane, with breakpoints and marks.
 * What a prompt, a full screen and an editor have in common.
 */
#ifndef WS_INSPECT_SESSION_SESSION_H
#define WS_INSPECT_SESSION_SESSION_H

#include "inspect/highlights/highlights.h"
#include "inspect/session/watch.h"

typedef enum {
#define MOVE(name, ...) WS_MOVE_##name,
#include "inspect/session/moves.def"
#undef MOVE
    WS_MOVE_COUNT
} WsMove;

const char *ws_move_name(WsMove move);

typedef enum {
    WS_ARRIVED_THERE,      /* where the move goes to */
    WS_ARRIVED_BREAKPOINT, /* an instruction is about to issue */
    WS_ARRIVED_WATCH,      /* a value has changed */
    WS_ARRIVED_END,        /* nothing more comes: of the run, or of the limit */
    WS_ARRIVED_BEGINNING,  /* nothing was before */
    WS_ARRIVED_INTERRUPTED /* ws_timeline_set_interrupt() */
} WsArrivalKind;

/* Why a move ended where it did. */
typedef struct {
    WsArrivalKind kind;
    gboolean has_event;
    WsTraceEvent event;             /* that the move ended for */
    guint32 also;                   /* further ones of the kind at the same cycle */
    const WsBreakpoint *breakpoint; /* BREAKPOINT, WATCH */
    guint64 lanes;                  /* BREAKPOINT: for which it holds */
    guint64 unknown;                /* of these: for which the condition has no value */
    guint64 old_value, new_value;   /* WATCH, in the order of time */
    guint64 left;                   /* moves that were asked for and not made */
} WsArrival;

typedef struct WsSession WsSession;

/* At the first cycle, with the focus on the first warp of block 0. As ws_timeline_new(). */
WsSession *ws_session_new(WsJob *job, const WsRunOptions *options, gsize bytes, GError **error);
void ws_session_free(WsSession *session);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsSession, ws_session_free)

WsTimeline *ws_session_timeline(const WsSession *session);
const WsJob *ws_session_job(const WsSession *session);
WsFocus *ws_session_focus(WsSession *session);
/* Where the focused warp is. */
WsWarpPlace ws_session_place(const WsSession *session);

/* To a cycle, or the end of the run if that is before. FALSE: as ws_timeline_go(). */
gboolean ws_session_go(WsSession *session, guint64 cycle, WsArrival *ret, GError **error);
/* `count` times, back where it is negative. FALSE: as ws_timeline_go(). */
gboolean ws_session_move(WsSession *session, WsMove move, gint64 count, WsArrival *ret,
                         GError **error);
/* Whether ws_session_move_any() takes the move: it is by events, each of them of one warp. */
gboolean ws_session_can_move_any(WsMove move);
/* The same for events of any warp of the run: the focus goes to the warp of the last one. */
gboolean ws_session_move_any(WsSession *session, WsMove move, gint64 count, WsArrival *ret,
                             GError **error);
/*
 * To the end of the run. Where a fault ends it, the focus goes to the warp and lane that it is of;
 * where warps wait for ever, to the first of them on the machine, unless the focus is on one.
 */
gboolean ws_session_go_to_fault(WsSession *session, WsArrival *ret, GError **error);
/*
 * To the next breakpoint or change of what is watched, or the last one before. After an
 * interruption the same call goes on.
 */
gboolean ws_session_continue(WsSession *session, gboolean back, guint64 limit, WsArrival *ret,
                             GError **error);

/*
 * What of the run is worth looking at first: the first call runs all of it. It stays with the
 * session. FALSE: as ws_timeline_go(), and WS_ERROR_USAGE where an interrupt has ended it.
 */
gboolean ws_session_find_highlights(WsSession *session, const WsHighlights **ret, GError **error);
/* To one of these and its warp; behind the branch of a split. WS_ERROR_USAGE: there is none. */
gboolean ws_session_go_to_highlight(WsSession *session, WsHighlightKind kind, WsArrival *ret,
                                    GError **error);

/*
 * "PLACE = EXPRESSION" in lanes of the focused warp, which is on the machine, at the cycle: from
 * there on the run is another one. Errors: those of ws_edit_parse() and ws_timeline_edit().
 */
gboolean ws_session_set(WsSession *session, guint64 lanes, const char *text, guint *ret_dropped,
                        GError **error);

/* ---- breakpoints and marks ---------------------------------------------------------------------
 */

/* Takes the breakpoint, and numbers it. */
const WsBreakpoint *ws_session_add_breakpoint(WsSession *session, WsBreakpoint *breakpoint);
gboolean ws_session_delete_breakpoint(WsSession *session, guint number);
void ws_session_delete_breakpoints(WsSession *session);
WsBreakpoint *ws_session_breakpoint(const WsSession *session, guint number); /* or NULL */
guint ws_session_breakpoint_count(const WsSession *session);
WsBreakpoint *ws_session_breakpoint_at(const WsSession *session, guint index);

/* Names for cycles. */
void ws_session_mark(WsSession *session, const char *name);
gboolean ws_session_find_mark(const WsSession *session, const char *name, guint64 *ret_cycle);
/* Sorted; NULL-terminated. Free with g_free. */
const char **ws_session_marks(const WsSession *session);

#endif
