/*
 * Loose round robin: the next eligible warp by number after the one that issued last; a warp that
 * cannot issue is passed over.
 */
#include "sim/policies/policy.h"

static guint pick(const WsPolicyView *view, guint64 eligible)
{
    guint64 behind;

    if (view->last >= WS_SUB_CORE_WARPS - 1)
        return ws_lowest_warp(eligible);
    behind = eligible & ~(((guint64)2 << view->last) - 1);
    return ws_lowest_warp(behind ? behind : eligible);
}

const WsPolicy ws_policy_lrr = {.greedy = FALSE, .pick = pick};
