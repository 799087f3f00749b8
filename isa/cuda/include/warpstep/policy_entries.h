/* Compiled behind a policy in C (warpstep/policy.h): how the simulator calls its functions. */
#pragma clang attribute pop

/* Where the simulator has what it gives and takes (sim/policies/policy_code.c). */
#define WS_POLICY_VIEW   ((const ws_view *)0x10000000)
#define WS_POLICY_RESULT ((uint64_t *)0x30000000)

extern "C" __global__ void ws_policy_pick(void)
{
    *WS_POLICY_RESULT = (uint64_t)(int64_t)pick(WS_POLICY_VIEW);
}

extern "C" __global__ void ws_policy_admit(void)
{
    *WS_POLICY_RESULT = admit(WS_POLICY_VIEW);
}

extern "C" __global__ void ws_policy_warp_begin(void)
{
    warp_begin(WS_POLICY_VIEW->sub_core, WS_POLICY_VIEW->ws_warp);
}

extern "C" __global__ void ws_policy_warp_end(void)
{
    warp_end(WS_POLICY_VIEW->sub_core, WS_POLICY_VIEW->ws_warp);
}
