/*
 * How much of the machine was in use over the time of a run, in a bounded number of equal spans:
 * when the run outgrows them, they double. Sums are exact.
 */
#ifndef WS_INSPECT_PAGE_USAGE_CURVE_H
#define WS_INSPECT_PAGE_USAGE_CURVE_H

#include <glib.h>

enum { WS_USAGE_SPANS = 512 };

typedef struct {
    gint64 change; /* resident warps at its end less those at its begin */
    gint64 within; /* warp-cycles in it of those that came in it, less of those that went */
    guint64 issues, lanes;
} WsUsageSpan;

typedef struct {
    guint64 width; /* cycles of a span; 0 = nothing was noted */
    guint32 count; /* spans in use, set at the end */
    WsUsageSpan spans[WS_USAGE_SPANS];
} WsUsageCurve;

/* Warps that come (1) or go (-1) at a cycle, and an instruction with so many lanes. */
void ws_usage_curve_warps(WsUsageCurve *curve, guint64 cycle, gint64 change);
void ws_usage_curve_issue(WsUsageCurve *curve, guint64 cycle, guint lanes);
/* No cycle is at or behind `end`. */
void ws_usage_curve_finish(WsUsageCurve *curve, guint64 end);

/* Warp-cycles in a span; `before` are the warps at its begin, and then those at its end. */
guint64 ws_usage_curve_warp_cycles(const WsUsageCurve *curve, guint32 span, gint64 *before);

#endif
