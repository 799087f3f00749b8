/*
 * What is between an SM and its policy besides the choice itself: the state, the warps that come
 * and leave, and asking a policy that may hold eligible warps back; and what it will choose, for
 * those who look at the machine before a cycle.
 */
#include "sim/sm/admission.h"

#include "sim/sm/eligibility.h"

/* The warp waits for something that takes long, or nobody knows how long. */
static gboolean waits_long(const WsWarp *warp, guint64 now)
{
    if (warp->state != WS_WARP_TIMED || warp->operands.until[WS_WAIT_LONG] > now)
        return TRUE;
    return warp->hold.until > now &&
           (warp->hold.reason == WS_STALL_BARRIER || warp->hold.reason == WS_STALL_MEMBAR ||
            warp->hold.reason == WS_STALL_SLEEPING);
}

static gboolean loads_through_l1(const WsSm *sm, const WsWarp *warp)
{
    guint8 execution_class = sm->issues[warp->path.pc].execution_class;

    return execution_class == WS_CLASS_GLOBAL_LOAD || execution_class == WS_CLASS_LOCAL_LOAD ||
           execution_class == WS_CLASS_TEXTURE;
}

void ws_policy_begin(WsSm *sm)
{
    const WsPolicy *policy = sm->context->policy;

    if (sm->context->policy_code != NULL)
        ws_policy_code_begin(sm->context->policy_code, sm->policy);
    if (policy->begin != NULL)
        policy->begin(sm->policy, sm->context->device);
    if (policy->l1.load != NULL || policy->l1.evict != NULL)
        ws_sm_memory_listen(sm->memory, &policy->l1, sm->policy);
}

gsize ws_policy_state_bytes(const WsLaunchContext *context)
{
    if (context->policy_code != NULL)
        return ws_policy_code_state_bytes(context->policy_code);
    return context->policy->state_bytes ? context->policy->state_bytes(context->device) : 0;
}

/* A failure of a policy in C stops the SM; `slot` is a warp that waited for its choice. */
static void look_for_failure(WsSm *sm, guint32 slot)
{
    const WsPolicyCode *code = sm->context->policy_code;
    WsStatus status = ws_policy_code_status(code, sm->policy);

    if (G_LIKELY(status == WS_STATUS_OK) || sm->state->stop.status != WS_STATUS_OK)
        return;
    sm->state->stop.by_policy = TRUE;
    ws_sm_stop_at(sm, status, slot, sm->state->warps[slot].path.pc, WS_NOWHERE,
                  ws_policy_code_failure(code, sm->policy));
}

static void file_warp_begin(WsSm *sm, guint32 slot)
{
    const WsWarp *warp = &sm->state->warps[slot];
    WsPolicyView *view = &sm->state->sub_cores[warp->sub_core].view;

    view->cycle = sm->state->now;
    ws_policy_code_warp_begin(sm->context->policy_code, sm->policy, view, warp->sub_core,
                              warp->number);
    look_for_failure(sm, slot);
}

static void file_warp_end(WsSm *sm, guint32 slot)
{
    const WsWarp *warp = &sm->state->warps[slot];
    WsPolicyView *view = &sm->state->sub_cores[warp->sub_core].view;

    view->cycle = sm->state->now;
    ws_policy_code_warp_end(sm->context->policy_code, sm->policy, view, warp->sub_core,
                            warp->number);
    look_for_failure(sm, slot);
}

void ws_policy_warp_begin(WsSm *sm, guint32 slot)
{
    if (sm->context->policy->warp_begin != NULL)
        sm->context->policy->warp_begin(sm->policy, slot);
    if (G_UNLIKELY(sm->context->policy_code != NULL))
        file_warp_begin(sm, slot);
}

void ws_policy_warp_end(WsSm *sm, guint32 slot)
{
    if (sm->context->policy->warp_end != NULL)
        sm->context->policy->warp_end(sm->policy, slot);
    if (G_UNLIKELY(sm->context->policy_code != NULL))
        file_warp_end(sm, slot);
}

static guint64 ask_policy(WsSm *sm, WsSubCore *sub_core, const WsPolicyWarps *warps)
{
    const WsLaunchContext *context = sm->context;
    guint64 admitted;

    if (context->policy_code == NULL)
        return context->policy->admit(sm->policy, &sub_core->view, warps);
    admitted = ws_policy_code_admit(context->policy_code, sm->policy, &sub_core->view, warps,
                                    &sub_core->view.chosen);
    look_for_failure(sm, ws_slot_of(sm, warps->sub_core, ws_lowest_warp(warps->eligible)));
    return admitted;
}

static WsPolicyWarps policy_warps(const WsSm *sm, guint32 number, guint64 eligible, guint64 now)
{
    const WsSubCore *sub_core = &sm->state->sub_cores[number];
    const WsWarpOrder *age = &sub_core->view.age;
    WsPolicyWarps warps = {.sub_core = number, .eligible = eligible};

    warps.memory = sub_core->pipes.want[WS_RESOURCE_LG] | sub_core->pipes.want[WS_RESOURCE_MIO];
    for (guint i = age->next[WS_ORDER_HEAD]; i != WS_ORDER_HEAD; i = age->next[i]) {
        const WsWarp *warp = &sm->state->warps[ws_slot_of(sm, number, i)];
        guint64 bit = (guint64)1 << i;

        if (eligible & bit)
            warps.loads |= loads_through_l1(sm, warp) ? bit : 0;
        else
            warps.waiting |= waits_long(warp, now) ? bit : 0;
    }
    return warps;
}

guint64 ws_admit(WsSm *sm, guint32 number, guint64 eligible, guint64 now)
{
    WsSubCore *sub_core = &sm->state->sub_cores[number];
    WsPolicyWarps warps;

    if (sub_core->dispatch.committed !=
        WS_NO_WARP) /* chosen already; the dispatcher has switched to it */
        return eligible;
    warps = policy_warps(sm, number, eligible, now);
    sub_core->view.cycle = now;
    return ask_policy(sm, sub_core, &warps);
}

/* ---- the choice of a cycle to come --------------------------------------------------------------
 */

/* Warps of the sub-core that could issue. */
static guint64 find_eligible(const WsSm *sm, guint32 number, guint64 cycle)
{
    guint64 eligible = 0;

    for (guint64 rest = sm->state->resident; rest != 0; rest &= rest - 1) {
        guint32 slot = (guint32)__builtin_ctzll(rest);

        if (sm->state->warps[slot].sub_core == number &&
            ws_warp_stall(sm, slot, cycle) == WS_STALL_NOT_SELECTED)
            eligible |= (guint64)1 << sm->state->warps[slot].number;
    }
    return eligible;
}

/* The warp of the sub-core that issues, or WS_NO_WARP. The policy changes `state` alone. */
static guint next_issue(const WsSm *sm, guint32 number, void *state, guint64 cycle)
{
    const WsLaunchContext *context = sm->context;
    const WsSubCore *sub_core = &sm->state->sub_cores[number];
    WsPolicyView view = sub_core->view;
    guint64 eligible = find_eligible(sm, number, cycle);
    guint chosen;

    view.cycle = cycle;
    if (eligible == 0)
        return WS_NO_WARP;
    if (sub_core->dispatch.committed != WS_NO_WARP)
        return sub_core->dispatch.committed;
    if (sm->admits) {
        WsPolicyWarps warps = policy_warps(sm, number, eligible, cycle);

        eligible = context->policy_code == NULL ? context->policy->admit(state, &view, &warps)
                                                : ws_policy_code_admit(context->policy_code, state,
                                                                       &view, &warps, &view.chosen);
        if (eligible == 0 || (context->policy_code != NULL &&
                              ws_policy_code_status(context->policy_code, state) != WS_STATUS_OK))
            return WS_NO_WARP;
    }
    chosen = sm->greedy && view.last != WS_NO_WARP && (eligible >> view.last & 1)
                 ? view.last
                 : context->policy->pick(&view, eligible);
    if (sm->switch_cost != 0 && view.last != WS_NO_WARP && view.last != chosen)
        return WS_NO_WARP; /* the dispatcher switches to it first */
    return chosen;
}

guint64 ws_sm_next_issues(const WsSm *sm, guint64 cycle)
{
    /* Sub-cores are asked in turn, and what one does to the policy's state the next one sees. */
    g_autofree void *state = g_memdup2(sm->policy, ws_policy_state_bytes(sm->context));
    guint64 slots = 0;

    if (sm->state->stop.status != WS_STATUS_OK)
        return 0;
    for (guint32 i = 0; i < sm->context->sub_cores; i++) {
        guint number = next_issue(sm, i, state, cycle);

        if (number != WS_NO_WARP)
            slots |= (guint64)1 << ws_slot_of(sm, i, number);
    }
    return slots;
}
