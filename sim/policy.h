/*
 * Scheduling policies: which of the eligible warps of a sub-core issues. A policy only picks; it
 * never asks why a warp is not eligible. To add one: a file policy_NAME.c, a row in policies.h and
 * a test (docs/extending.md).
 */
#ifndef WS_SIM_POLICY_H
#define WS_SIM_POLICY_H

#include "sim/device.h"
#include "sim/warp_order.h"

enum { WS_NO_WARP = 255 };

/*
 * What a policy may look at. Warps are numbered inside the sub-core by hardware slot: slot /
 * sub-cores.
 */
typedef struct {
    guint64 cycle;
    guint8 last;         /* warp that issued last here, or WS_NO_WARP; it may have left since */
    WsWarpOrder age;     /* resident warps, oldest first; of one block the lowest slot first */
    WsWarpOrder recency; /* resident warps, the one that issued longest ago first */
} WsPolicyView;

typedef struct {
    gboolean greedy; /* goes on with the warp that issued last: pick() is not asked if that can */
    /* Picks a warp of `eligible`, which is not empty. */
    guint (*pick)(const WsPolicyView *view, guint64 eligible);
} WsPolicy;

const WsPolicy *ws_policy(WsPolicyKind kind);

#define DECLARE_POLICY(ENUM, name, setting) extern const WsPolicy ws_policy_##name;
WS_POLICIES(DECLARE_POLICY)
#undef DECLARE_POLICY

/* The lowest warp of a mask that is not empty. */
static inline guint ws_lowest_warp(guint64 mask)
{
    return (guint)__builtin_ctzll(mask);
}

#endif
