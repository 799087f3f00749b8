/* Greedy then youngest: the same warp as long as it can issue, then the one that came last. */
#include "sim/policies/policy.h"

static guint pick(const WsPolicyView *view, guint64 eligible)
{
    return ws_order_last_in(&view->age, eligible);
}

const WsPolicy ws_policy_greedy_then_youngest = {.greedy = TRUE, .pick = pick};
