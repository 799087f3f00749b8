/* Which events of a run are wanted. */
#ifndef WS_INSPECT_EXPORT_TRACE_FILTER_H
#define WS_INSPECT_EXPORT_TRACE_FILTER_H

#include "sim/observe/observer.h"

typedef struct {
    guint64 kinds;                /* WS_TRACE_BIT()s; 0 = those that the exporter shows by itself */
    guint64 from, to;             /* cycles, both included */
    GArray *sms, *warps, *blocks; /* ws_number_list_parse(); NULL = all. Warps are warp slots */
} WsTraceFilter;

/* Everything. */
void ws_trace_filter_init(WsTraceFilter *ret);
void ws_trace_filter_clear(WsTraceFilter *filter);

/*
 * The kinds of a list such as "issue,stall", "all", or NULL for 0. Errors: WS_ERROR_USAGE, naming
 * `option`.
 */
gboolean ws_trace_kinds_parse(const char *option, const char *list, guint64 *ret, GError **error);

/* Its kind is not looked at. Events of a block are of no warp. */
gboolean ws_trace_filter_passes(const WsTraceFilter *filter, const WsTraceEvent *event);

#endif
