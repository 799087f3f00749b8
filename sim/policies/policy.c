#include "sim/policies/policy.h"

static const WsPolicy *const policies[WS_POLICY_COUNT] = {
#define POLICY(ENUM, name, setting) [WS_POLICY_##ENUM] = &ws_policy_##name,
    WS_POLICIES(POLICY)
#undef POLICY
};

const WsPolicy *ws_policy(WsPolicyKind kind)
{
    return policies[kind];
}
