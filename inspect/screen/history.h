/*
 * What the warps of one SM did in the cycles around the one that is looked at: looked up by going
 * there, cycle by cycle, and kept.
 */
#ifndef WS_INSPECT_SCREEN_HISTORY_H
#define WS_INSPECT_SCREEN_HISTORY_H

#include "inspect/session/session.h"

enum { WS_NO_REASON = G_MAXUINT8 };

/* One cycle of an SM. */
typedef struct {
    guint8 reasons[WS_MAX_WARP_SLOTS]; /* WsStall, SELECTED if it issued; WS_NO_REASON: no warp */
    guint8 issued_slot[WS_MAX_SUB_CORES];
    guint32 issued[WS_MAX_SUB_CORES]; /* instruction, or WS_NO_INSTRUCTION */
} WsHistoryCycle;

typedef struct WsHistory WsHistory;

WsHistory *ws_history_new(WsTimeline *timeline);
void ws_history_free(WsHistory *history);

/*
 * Makes the cycles from `from` to before `to` known of an SM; those behind the end of the run stay
 * unknown. The timeline is at the same cycle afterwards. FALSE: as ws_timeline_go().
 */
gboolean ws_history_reach(WsHistory *history, guint32 sm, guint64 from, guint64 to, GError **error);
/* NULL: not known. */
const WsHistoryCycle *ws_history_at(const WsHistory *history, guint64 cycle);

#endif
