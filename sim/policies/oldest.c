/*
 * Oldest first: of the warps that can issue the one resident longest; of one block the lowest slot.
 */
#include "sim/policies/policy.h"

static guint pick(const WsPolicyView *view, guint64 eligible)
{
    return ws_order_first_in(&view->age, eligible);
}

const WsPolicy ws_policy_oldest = {.greedy = FALSE, .pick = pick};
