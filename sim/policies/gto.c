/* Greedy then oldest: the same warp as long as it can issue, then the one resident longest. */
#include "sim/policies/policy.h"

static guint pick(const WsPolicyView *view, guint64 eligible)
{
    return ws_order_first_in(&view->age, eligible);
}

const WsPolicy ws_policy_gto = {.greedy = TRUE, .pick = pick};
