/*
 * What is between an SM and its policy besides the choice itself: the state, the warps that come
 * and leave, and asking a policy that may hold eligible warps back; and what it will choose, for
 * those who look at the machine before a cycle.
 */
#include "sim/sm/admission.h"

#include "sim/sm/eligibility.h"
#include "sim/sm/policy_sight.h"

static void begin_file(WsSm *sm)
{
    const WsPolicyCode *code = sm->context->policy_code;
    const WsL1Listener *l1 = ws_policy_code_listener(code);

    sm->caller = (WsPolicyCaller){.code = code,
                                  .state = sm->policy,
                                  .sight = &ws_policy_sight,
                                  .sm = sm,
                                  .sm_number = (gint32)sm->number};
    ws_policy_code_begin(code, sm->policy);
    if (l1->load != NULL || l1->evict != NULL || l1->bypass != NULL || l1->victim != NULL)
        ws_sm_memory_listen(sm->memory, l1, &sm->caller);
}

void ws_policy_begin(WsSm *sm)
{
    const WsPolicy *policy = sm->context->policy;

    if (sm->context->policy_code != NULL)
        begin_file(sm);
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

static void tell_file(WsSm *sm, guint32 slot,
                      void (*tell)(const WsPolicyCaller *caller, guint64 cycle, guint32 sub_core,
                                   guint warp))
{
    const WsWarp *warp = &sm->state->warps[slot];

    tell(&sm->caller, sm->state->now, warp->sub_core, warp->number);
    look_for_failure(sm, slot);
}

void ws_policy_warp_begin(WsSm *sm, guint32 slot)
{
    if (sm->context->policy->warp_begin != NULL)
        sm->context->policy->warp_begin(sm->policy, slot);
    if (G_UNLIKELY(sm->context->policy_code != NULL))
        tell_file(sm, slot, ws_policy_code_warp_begin);
}

void ws_policy_warp_end(WsSm *sm, guint32 slot)
{
    if (sm->context->policy->warp_end != NULL)
        sm->context->policy->warp_end(sm->policy, slot);
    if (G_UNLIKELY(sm->context->policy_code != NULL))
        tell_file(sm, slot, ws_policy_code_warp_end);
}

guint64 ws_admit(WsSm *sm, guint32 number, guint64 eligible, guint64 now)
{
    WsSubCore *sub_core = &sm->state->sub_cores[number];
    guint64 admitted;
    WsPolicyWarps warps;

    if (sub_core->dispatch.committed !=
        WS_NO_WARP) /* chosen already; the dispatcher has switched to it */
        return eligible;
    sub_core->view.cycle = now;
    if (sm->context->policy_code == NULL) {
        ws_sm_policy_warps(sm, number, eligible, now, &warps);
        return sm->context->policy->admit(sm->policy, &sub_core->view, &warps);
    }
    admitted = ws_policy_code_admit(&sm->caller, &sub_core->view, now, number, eligible,
                                    &sub_core->view.chosen);
    look_for_failure(sm, ws_slot_of(sm, number, ws_lowest_warp(eligible)));
    return admitted;
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

/* As ws_admit() of the cycle of the view, with a copy of the policy's state; 0 after a failure. */
static guint64 admit_later(const WsSm *sm, guint32 number, void *state, WsPolicyView *view,
                           guint64 eligible)
{
    const WsLaunchContext *context = sm->context;
    WsPolicyCaller caller = sm->caller;
    WsPolicyWarps warps;

    if (context->policy_code == NULL) {
        ws_sm_policy_warps(sm, number, eligible, view->cycle, &warps);
        return context->policy->admit(state, view, &warps);
    }
    caller.state = state;
    eligible = ws_policy_code_admit(&caller, view, view->cycle, number, eligible, &view->chosen);
    return ws_policy_code_status(context->policy_code, state) == WS_STATUS_OK ? eligible : 0;
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
        eligible = admit_later(sm, number, state, &view, eligible);
        if (eligible == 0)
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

gboolean ws_sm_takes_block(WsSm *sm, guint64 cycle, guint64 block, guint32 here, guint32 ended)
{
    const WsLaunchContext *context = sm->context;
    const ws_blocks blocks = {.cycle = cycle,
                              .next = (guint32)block,
                              .here = here,
                              .most = context->block_slots,
                              .warps = context->warps_per_block,
                              .sm = (gint32)sm->number,
                              .ended = ended};

    return context->policy_code == NULL || here == 0 ||
           ws_policy_code_take_block(&sm->caller, &blocks);
}
