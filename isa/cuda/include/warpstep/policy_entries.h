/* Compiled behind a policy in C (warpstep/policy.h): how the simulator calls its functions. */
#pragma clang attribute pop

#define WS_POLICY_VIEW   ((const ws_view *)(uintptr_t)WS_AT_VIEW)
#define WS_POLICY_RESULT ((uint64_t *)(uintptr_t)WS_AT_RESULT)
#define WS_POLICY_EVENT  ((uintptr_t)WS_AT_EVENT)

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

extern "C" __global__ void ws_policy_l1_load(void)
{
    l1_load(WS_POLICY_VIEW, (const ws_l1_load *)WS_POLICY_EVENT);
}

extern "C" __global__ void ws_policy_l1_evict(void)
{
    l1_evict(WS_POLICY_VIEW, (const ws_l1_eviction *)WS_POLICY_EVENT);
}

extern "C" __global__ void ws_policy_l1_bypass(void)
{
    *WS_POLICY_RESULT = l1_bypass(WS_POLICY_VIEW, (const ws_l1_load *)WS_POLICY_EVENT);
}

extern "C" __global__ void ws_policy_l1_victim(void)
{
    *WS_POLICY_RESULT =
        (uint64_t)(int64_t)l1_victim(WS_POLICY_VIEW, (const ws_l1_set *)WS_POLICY_EVENT);
}

extern "C" __global__ void ws_policy_take_block(void)
{
    *WS_POLICY_RESULT = take_block((const ws_blocks *)WS_POLICY_EVENT);
}
