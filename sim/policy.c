#include "sim/policy.h"

static const WsPolicy *const policies[WS_POLICY_COUNT] = {
    [WS_POLICY_LRR] = &ws_policy_lrr,
    [WS_POLICY_GTO] = &ws_policy_gto,
    [WS_POLICY_GREEDY_THEN_LEAST_RECENT] = &ws_policy_greedy_then_least_recent,
    [WS_POLICY_LONGEST_WAIT_FIRST] = &ws_policy_longest_wait_first,
};

const WsPolicy *ws_policy(WsPolicyKind kind)
{
    return policies[kind];
}
