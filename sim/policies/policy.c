#include "sim/policies/policy.h"

/* The user's functions have been called before (ws_admit()). */
static guint pick_chosen(const WsPolicyView *view, guint64 eligible)
{
    return view->chosen;
}

static const WsPolicy policy_file = {.greedy = FALSE, .pick = pick_chosen};

static const WsPolicy *const policies[WS_POLICY_FILE + 1] = {
#define POLICY(ENUM, name, setting) [WS_POLICY_##ENUM] = &ws_policy_##name,
    WS_POLICIES(POLICY)
#undef POLICY
        [WS_POLICY_FILE] = &policy_file,
};

const WsPolicy *ws_policy(WsPolicyKind kind)
{
    return policies[kind];
}
