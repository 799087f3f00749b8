/* What each SM did over the whole run: the figures from which a page chooses where to look. */
#ifndef WS_INSPECT_PAGE_SM_FIGURES_H
#define WS_INSPECT_PAGE_SM_FIGURES_H

#include "inspect/page/usage_curve.h"
#include "sim/observe/trace_event.h"

enum { WS_SM_SPANS = 64 }; /* of WsSmFigures.usage as a page shows it: 8 of its own each */

typedef struct {
    guint64 blocks, warps, splits;
    guint64 waiting;                /* lanes that wait for another path, summed over instructions */
    guint64 first, end;             /* cycles: its first warp comes, its last one has gone */
    guint64 stalls[WS_STALL_COUNT]; /* warp-cycles; SELECTED: issues */
    WsUsageCurve usage;
} WsSmFigures;

typedef struct WsSmTable WsSmTable;

WsSmTable *ws_sm_table_new(guint32 sms, guint32 slots);
void ws_sm_table_free(WsSmTable *table);
/* An event of the run: blocks, warps, issues, stalls and splits count, others do nothing. */
void ws_sm_table_note(WsSmTable *table, const WsTraceEvent *event);
/* The run is over at `end`. */
void ws_sm_table_finish(WsSmTable *table, guint64 end);
const WsSmFigures *ws_sm_table_at(const WsSmTable *table, guint32 sm);

#endif
