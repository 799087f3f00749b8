/*
 * Greedy then least recent: the same warp as long as it can issue, then the one that issued longest
 * ago. This is what an H200 mostly does where warps stall for equal times (measured: 76-91 % of the
 * choices; 41 % where the stalls differ).
 */
#include "sim/policy.h"

static guint pick(const WsPolicyView *view, guint64 eligible)
{
    return ws_order_first_in(&view->recency, eligible);
}

const WsPolicy ws_policy_greedy_then_least_recent = {.greedy = TRUE, .pick = pick};
