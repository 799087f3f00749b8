/*
 * Scheduling policies: which of the eligible warps of a sub-core issues. A policy only picks; it
 * never asks why a warp is not eligible. To add one: a file NAME.c, a row in policies.h of
 * sim/device and a test (docs/understand/extending.md).
 *
 * Most policies have pick() and nothing else. What stands behind it is for policies that hold
 * eligible warps back, keep a state or look at L1; a policy without them pays nothing for them.
 */
#ifndef WS_SIM_POLICIES_POLICY_H
#define WS_SIM_POLICIES_POLICY_H

#include "sim/base/counters.h"
#include "sim/device/device.h"
#include "sim/memory/l1_listener.h"
#include "sim/policies/block_age.h"
#include "sim/policies/issue_order.h"

enum { WS_NO_WARP = 255, WS_MAX_WARP_SLOTS = 64 };

/*
 * What a policy may look at. Warps are numbered inside the sub-core by hardware slot: slot /
 * sub-cores.
 */
typedef struct {
    guint64 cycle;
    guint8 last;         /* warp that issued last here, or WS_NO_WARP; it may have left since */
    guint8 chosen;       /* what admit() has picked already, for a policy that is a file */
    WsWarpOrder age;     /* resident warps, oldest first; of one block the lowest slot first */
    WsBlockAge blocks;   /* resident warps by block, the oldest first */
    WsIssueOrder issues; /* the last two of each resident warp */
} WsPolicyView;

/* Warps of one sub-core, as masks by number. */
typedef struct {
    guint32 sub_core;
    guint64 eligible; /* never empty */
    guint64 memory;   /* next instruction goes to the load-store unit (the queues lg and mio) */
    guint64 loads;    /* of `eligible`: next instruction loads through L1 */
    /* resident, and long away: they wait for global or local memory, at a barrier or MEMBAR, sleep,
     * or have exited */
    guint64 waiting;
} WsPolicyWarps;

typedef struct {
    gboolean greedy; /* goes on with the warp that issued last: pick() is not asked if that can */
    /* Picks a warp of `eligible`, which is not empty. */
    guint (*pick)(const WsPolicyView *view, guint64 eligible);

    /* ---- optional -----------------------------------------------------------------------------
     * `state` is the policy's own memory, one for each SM: flat, without pointers, zeroed. */
    gsize (*state_bytes)(const WsDevice *device);
    void (*begin)(void *state, const WsDevice *device);
    void (*warp_begin)(void *state, guint32 slot); /* hardware slot of the SM */
    void (*warp_end)(void *state, guint32 slot);
    /*
     * The eligible warps from which one is taken, greedily or by pick(). If none is left nothing
     * issues in this cycle, and the policy is asked again in the next; it must let some warp on in
     * the end. Warps held back are charged to not_selected.
     */
    guint64 (*admit)(void *state, const WsPolicyView *view, const WsPolicyWarps *warps);
    WsL1Listener l1; /* its data is the state */
} WsPolicy;

/* WS_POLICY_FILE: the choice is that of sim/policies/policy_code.h. */
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
