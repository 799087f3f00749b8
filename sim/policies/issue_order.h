/*
 * The last two issues of each warp of a sub-core, by a clock that goes on with every issue: what is
 * noted must cost little, and only the warps that can issue are compared. A warp stands where it
 * came until it issues; its first issue counts as both.
 */
#ifndef WS_SIM_POLICIES_ISSUE_ORDER_H
#define WS_SIM_POLICIES_ISSUE_ORDER_H

#include "sim/policies/warp_order.h"

/* Times are clock << WS_ISSUE_WARP_BITS | warp: no two are equal, and each says whose it is. */
enum { WS_ISSUE_WARP_BITS = 6 };
G_STATIC_ASSERT(1 << WS_ISSUE_WARP_BITS == WS_SUB_CORE_WARPS);

typedef struct {
    guint64 before; /* the last issue but one */
    guint64 last;
} WsIssueTimes;

typedef struct {
    guint64 clock;  /* of the next issue */
    guint64 fresh;  /* have not issued */
    guint64 again;  /* all ones if the warp that issued last did so more than once in a row */
    guint32 latest; /* the warp that issued last, or WS_ORDER_HEAD */
    WsIssueTimes warps[WS_SUB_CORE_WARPS + 1];
} WsIssueOrder;

static inline void ws_issue_order_init(WsIssueOrder *order)
{
    *order = (WsIssueOrder){.latest = WS_ORDER_HEAD};
}

static inline guint64 ws_issue_order_now(WsIssueOrder *order, guint warp)
{
    return order->clock++ << WS_ISSUE_WARP_BITS | warp;
}

/* Issues in a row are noted once; only here the last but one gets its time, which is the row's. */
static inline void ws_issue_order_end_row(WsIssueOrder *order)
{
    WsIssueTimes *times = &order->warps[order->latest];

    times->before += (times->last - times->before) & order->again;
    order->again = 0;
    order->latest = WS_ORDER_HEAD;
}

static inline void ws_issue_order_append(WsIssueOrder *order, guint warp)
{
    ws_issue_order_end_row(order);
    order->warps[warp].before = order->warps[warp].last = ws_issue_order_now(order, warp);
    order->fresh |= (guint64)1 << warp;
}

/* The warp issues. If it issued last, that is only noted: it counts when another one issues. */
static inline void ws_issue_order_note(WsIssueOrder *order, guint warp)
{
    WsIssueTimes *times = &order->warps[warp];
    guint64 now;

    if (order->latest == warp) {
        order->again = ~(guint64)0;
        return;
    }
    ws_issue_order_end_row(order);
    now = ws_issue_order_now(order, warp);
    times->before = times->last;
    times->last = now;
    order->latest = warp;
    if (G_UNLIKELY(order->fresh >> warp & 1)) {
        order->fresh &= ~((guint64)1 << warp);
        times->before = now;
    }
}

/* The warp of `mask` whose last issue but one is longest ago; `mask` must not be empty. */
static inline guint ws_issue_order_least_of_two(const WsIssueOrder *order, guint64 mask)
{
    guint64 least = order->warps[__builtin_ctzll(mask)].before;

    for (mask &= mask - 1; mask != 0; mask &= mask - 1)
        least = MIN(least, order->warps[__builtin_ctzll(mask)].before);
    return least % WS_SUB_CORE_WARPS;
}

/* The one whose last issue is longest ago. */
static inline guint ws_issue_order_least(const WsIssueOrder *order, guint64 mask)
{
    guint64 least = order->warps[__builtin_ctzll(mask)].last;

    for (mask &= mask - 1; mask != 0; mask &= mask - 1)
        least = MIN(least, order->warps[__builtin_ctzll(mask)].last);
    return least % WS_SUB_CORE_WARPS;
}

/* The one that issued last. */
static inline guint ws_issue_order_most(const WsIssueOrder *order, guint64 mask)
{
    guint64 most = order->warps[__builtin_ctzll(mask)].last;

    for (mask &= mask - 1; mask != 0; mask &= mask - 1)
        most = MAX(most, order->warps[__builtin_ctzll(mask)].last);
    return most % WS_SUB_CORE_WARPS;
}

#endif
