/*
 * Longest wait first: the warp whose last issue is longest ago. One that never issued has waited
 * longest; of those the oldest goes first.
 */
#include "sim/policies/policy.h"

static guint pick(const WsPolicyView *view, guint64 eligible)
{
    return ws_issue_order_least(&view->issues, eligible);
}

const WsPolicy ws_policy_longest_wait_first = {.greedy = FALSE, .pick = pick};
