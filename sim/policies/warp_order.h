/*
 * The warps of a sub-core in an order (by age): a ring linked by index, with moves in constant
 * time. Number WS_ORDER_HEAD is the ring's own place.
 */
#ifndef WS_SIM_POLICIES_WARP_ORDER_H
#define WS_SIM_POLICIES_WARP_ORDER_H

#include <glib.h>

enum { WS_SUB_CORE_WARPS = 64, WS_ORDER_HEAD = WS_SUB_CORE_WARPS };

typedef struct {
    guint8 next[WS_SUB_CORE_WARPS + 1];
    guint8 previous[WS_SUB_CORE_WARPS + 1];
} WsWarpOrder;

static inline void ws_order_init(WsWarpOrder *order)
{
    for (guint i = 0; i <= WS_ORDER_HEAD; i++)
        order->next[i] = order->previous[i] = (guint8)i;
}

static inline void ws_order_remove(WsWarpOrder *order, guint warp)
{
    guint8 next = order->next[warp], previous = order->previous[warp];

    order->next[previous] = next;
    order->previous[next] = previous;
    order->next[warp] = order->previous[warp] = (guint8)warp;
}

/* Puts a warp that is not in the ring at its end. */
static inline void ws_order_append(WsWarpOrder *order, guint warp)
{
    guint8 last = order->previous[WS_ORDER_HEAD];

    order->next[last] = (guint8)warp;
    order->previous[warp] = last;
    order->next[warp] = WS_ORDER_HEAD;
    order->previous[WS_ORDER_HEAD] = (guint8)warp;
}

/* The first warp of the order that is in `mask`, which must hold one of the ring's. */
static inline guint ws_order_first_in(const WsWarpOrder *order, guint64 mask)
{
    guint warp = order->next[WS_ORDER_HEAD];

    while (!(mask >> warp & 1))
        warp = order->next[warp];
    return warp;
}

/* The last one. */
static inline guint ws_order_last_in(const WsWarpOrder *order, guint64 mask)
{
    guint warp = order->previous[WS_ORDER_HEAD];

    while (!(mask >> warp & 1))
        warp = order->previous[warp];
    return warp;
}

#endif
