/*
 * How a policy that is a file (policy_code.h) sees the SM: what it is shown is found when its code
 * reads it. The SM provides the functions (sim/sm/policy_sight.c).
 */
#ifndef WS_SIM_POLICIES_POLICY_SIGHT_H
#define WS_SIM_POLICIES_POLICY_SIGHT_H

#include "isa/cuda/include/warpstep/policy.h"
#include "sim/policies/policy.h"

typedef struct {
    const WsPolicyView *(*view)(const void *sm, guint32 sub_core);
    /* The sets of warps in the view; `ret` has the cycle, the sub-core and the eligible warps. */
    void (*sets)(const void *sm, ws_view *ret);
    /* A number that no warp has leaves `ret`, which is zeroed, as it is. */
    void (*warp)(const void *sm, const ws_view *view, guint warp, ws_warp *ret);
    void (*access)(const void *sm, const ws_view *view, guint warp, ws_access *ret);
    void (*memory)(const void *sm, const ws_view *view, ws_memory *ret);
} WsPolicySight;

#endif
