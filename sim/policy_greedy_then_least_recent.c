/*
 * Greedy then least recent: the same warp as long as it can issue, then the one whose last issue
 * but one is longest ago. Measured on an H200: warps whose stalls are short take turns two issues
 * at a time, and one that comes back from a long wait issues twice before it takes its turn. So
 * warps that wait for memory catch up with the others, and those of a loop stay together.
 */
#include "sim/policy.h"

static guint pick(const WsPolicyView *view, guint64 eligible)
{
    return ws_issue_order_least_of_two(&view->issues, eligible);
}

const WsPolicy ws_policy_greedy_then_least_recent = {.greedy = TRUE, .pick = pick};
