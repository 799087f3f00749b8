/*
 * The last two issues of each warp of a sub-core, in order of time: a ring linked by index that has
 * every warp twice, with moves in constant time. A warp stands where it came until it issues; its
 * first issue counts as both.
 */
#ifndef WS_SIM_ISSUE_ORDER_H
#define WS_SIM_ISSUE_ORDER_H

#include "sim/warp_order.h"

/* Places n and n + WS_SUB_CORE_WARPS are warp n's; the last one is the ring's own. */
enum { WS_ISSUE_HEAD = 2 * WS_SUB_CORE_WARPS };

typedef struct {
    guint8 next[WS_ISSUE_HEAD + 1];
    guint8 previous[WS_ISSUE_HEAD + 1];
    gboolean again; /* the warp that issued last did so more than once */
    guint64 fresh;  /* have not issued */
    guint64 later;  /* by warp: place n + WS_SUB_CORE_WARPS is its last issue, not the one before */
} WsIssueOrder;

static inline void ws_issue_order_init(WsIssueOrder *order)
{
    for (guint i = 0; i <= WS_ISSUE_HEAD; i++)
        order->next[i] = order->previous[i] = (guint8)i;
    order->later = ~(guint64)0;
    order->fresh = 0;
    order->again = FALSE;
}

static inline void ws_issue_order_unlink(WsIssueOrder *order, guint place)
{
    guint8 next = order->next[place], previous = order->previous[place];

    order->next[previous] = next;
    order->previous[next] = previous;
}

static inline void ws_issue_order_link_last(WsIssueOrder *order, guint place)
{
    guint8 last = order->previous[WS_ISSUE_HEAD];

    order->next[last] = order->previous[WS_ISSUE_HEAD] = (guint8)place;
    order->previous[place] = last;
    order->next[place] = WS_ISSUE_HEAD;
}

/* The earlier of the warp's two goes to the end. */
static inline void ws_issue_order_move(WsIssueOrder *order, guint warp)
{
    guint earlier = warp + (order->later >> warp & 1 ? 0 : WS_SUB_CORE_WARPS);

    ws_issue_order_unlink(order, earlier);
    ws_issue_order_link_last(order, earlier);
    order->later ^= (guint64)1 << warp;
}

static inline void ws_issue_order_settle(WsIssueOrder *order)
{
    if (order->again)
        ws_issue_order_move(order, order->previous[WS_ISSUE_HEAD] % WS_SUB_CORE_WARPS);
    order->again = FALSE;
}

static inline void ws_issue_order_append(WsIssueOrder *order, guint warp)
{
    ws_issue_order_settle(order);
    ws_issue_order_link_last(order, warp);
    ws_issue_order_link_last(order, warp + WS_SUB_CORE_WARPS);
    order->later |= (guint64)1 << warp;
    order->fresh |= (guint64)1 << warp;
}

static inline void ws_issue_order_remove(WsIssueOrder *order, guint warp)
{
    ws_issue_order_settle(order);
    ws_issue_order_unlink(order, warp);
    ws_issue_order_unlink(order, warp + WS_SUB_CORE_WARPS);
}

/* The warp issues. If it issued last, that is only noted: it counts when another one issues. */
static inline void ws_issue_order_note(WsIssueOrder *order, guint warp)
{
    guint last = order->previous[WS_ISSUE_HEAD] % WS_SUB_CORE_WARPS;

    if (last == warp && !(order->fresh >> warp & 1)) {
        order->again = TRUE;
        return;
    }
    ws_issue_order_settle(order);
    ws_issue_order_move(order, warp);
    if (G_UNLIKELY(order->fresh >> warp & 1)) {
        order->fresh &= ~((guint64)1 << warp);
        ws_issue_order_move(order, warp);
    }
}

/* The warp of `mask` whose last issue but one is longest ago; `mask` must hold one of the ring's.
 */
static inline guint ws_issue_order_least_of_two(const WsIssueOrder *order, guint64 mask)
{
    guint place = order->next[WS_ISSUE_HEAD];

    while (!(mask >> place % WS_SUB_CORE_WARPS & 1))
        place = order->next[place];
    return place % WS_SUB_CORE_WARPS;
}

/* The one whose last issue is longest ago. */
static inline guint ws_issue_order_least(const WsIssueOrder *order, guint64 mask)
{
    guint place = order->next[WS_ISSUE_HEAD];

    while (!(mask >> place % WS_SUB_CORE_WARPS & 1) ||
           (order->later >> place % WS_SUB_CORE_WARPS & 1) != (place >= WS_SUB_CORE_WARPS))
        place = order->next[place];
    return place % WS_SUB_CORE_WARPS;
}

/* The one that issued last. */
static inline guint ws_issue_order_most(const WsIssueOrder *order, guint64 mask)
{
    guint place = order->previous[WS_ISSUE_HEAD];

    while (!(mask >> place % WS_SUB_CORE_WARPS & 1))
        place = order->previous[place];
    return place % WS_SUB_CORE_WARPS;
}

#endif
