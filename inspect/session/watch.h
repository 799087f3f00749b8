/*
 * Values that are watched: where they change, a run is to stop.
 */
#ifndef WS_INSPECT_SESSION_WATCH_H
#define WS_INSPECT_SESSION_WATCH_H

#include "inspect/session/breakpoints.h"

/*
 * An expression, in the focused lane; "EXPRESSION if CONDITION", in every lane of the grid for
 * which the condition holds when it has changed; "shared[16]", "shared[16:4]": bytes of the focused
 * block's shared memory; "x[10]" of buffer x. `function`: as in ws_lane_scope_new_in(). Errors:
 * WS_ERROR_USAGE.
 */
WsBreakpoint *ws_watch_parse(const WsTimeline *timeline, const WsFocus *focus, guint32 function,
                             const char *text, GError **error);
/* Whether its value lies in global memory, of whose changes no event tells. */
gboolean ws_watch_reads_memory(const WsBreakpoint *watch);

/* The value of a watch without a condition at the cycle of the timeline; FALSE if it has none
 * there. */
gboolean ws_watch_value(const WsTimeline *timeline, const WsBreakpoint *watch, guint64 *ret);
/* A value as text. g_free. */
char *ws_watch_text(const WsBreakpoint *watch, guint64 value);

/* What a watch with a condition has seen of the warps. g_hash_table_unref. */
GHashTable *ws_watch_seen_new(void);

typedef struct {
    guint64 old_value[WS_ROW_LANES], new_value[WS_ROW_LANES]; /* of lanes that have changed */
    WsFocus focus;                                            /* the first of them */
} WsWatchChange;

/* Looks at a warp: the lanes that have changed since the last look, and for which it holds. */
guint64 ws_watch_look(const WsBreakpoint *watch, const WsSm *sm, guint32 slot, GHashTable *seen,
                      WsWatchChange *ret);

#endif
