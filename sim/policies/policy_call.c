/* Calls the functions of a policy in C. */
#include "sim/policies/policy_call.h"

#include <string.h>

/* What a policy sees of the orders of warps are the sub-core's own. */
G_STATIC_ASSERT(sizeof(struct ws_orders) == sizeof(WsPolicyView));
G_STATIC_ASSERT(offsetof(struct ws_orders, chosen) == offsetof(WsPolicyView, chosen));
G_STATIC_ASSERT(offsetof(struct ws_orders, next) == offsetof(WsPolicyView, age.next));
G_STATIC_ASSERT(offsetof(struct ws_orders, previous) == offsetof(WsPolicyView, age.previous));
G_STATIC_ASSERT(offsetof(struct ws_orders, blocks.warps) == offsetof(WsPolicyView, blocks.warps));
G_STATIC_ASSERT(offsetof(struct ws_orders, times) == offsetof(WsPolicyView, issues.warps));
G_STATIC_ASSERT((int)WS_WARPS == (int)WS_SUB_CORE_WARPS && (int)WS_WARPS == (int)WS_ORDER_HEAD);
G_STATIC_ASSERT((int)WS_WAYS == (int)WS_L1_MOST_WAYS);
#define EXECUTION_CLASS(NAME, ...) G_STATIC_ASSERT((int)WS_NEXT_##NAME == (int)WS_CLASS_##NAME);
#include "isa/bytecode/execution_classes.def"
#undef EXECUTION_CLASS
G_STATIC_ASSERT((int)WS_NEXT_COUNT == (int)WS_CLASS_COUNT);

/* Windows of addresses, and by their first byte which one it is. */
enum {
    VARIABLES = 1,
    STACK,
    CONSTANTS,
    RESULT,
    VIEW,
    ORDERS,
    EVENT,
    WARPS,
    ACCESSES,
    MEMORY,
    QUESTION
};

static const guint8 window_of[256] = {[WS_MODULE_WINDOW >> 24] = VARIABLES,
                                      [WS_LOCAL_WINDOW >> 24] = STACK,
                                      [WS_CONSTANT_WINDOW >> 24] = CONSTANTS,
                                      [WS_AT_RESULT >> 24] = RESULT,
                                      [WS_AT_VIEW >> 24] = VIEW,
                                      [WS_AT_ORDERS >> 24] = ORDERS,
                                      [WS_AT_EVENT >> 24] = EVENT,
                                      [WS_AT_WARPS >> 24] = WARPS,
                                      [WS_AT_ACCESSES >> 24] = ACCESSES,
                                      [WS_AT_MEMORY >> 24] = MEMORY,
                                      [WS_AT_QUESTION >> 24] = QUESTION};

typedef struct {
    const WsPolicyCaller *caller;
    const WsPolicyView *orders; /* of the sub-core; NULL: the call is about none */
    guint64 result;
    struct ws_question question;
    guint64 warps_shown, accesses_shown; /* a bit each */
    ws_view view;
    ws_memory memory;
    WsLaneRun run;
    ws_warp warps[WS_WARPS];
    ws_access accesses[WS_WARPS];
} Call;

/* ---- what is found when it is read --------------------------------------------------------------
 */

static const guint8 *part_of(const void *whole, gsize size, guint32 offset, guint32 bytes)
{
    return offset + bytes <= size ? (const guint8 *)whole + offset : NULL;
}

static const guint8 *show_warp(Call *call, guint32 offset, guint32 bytes)
{
    guint32 warp = offset / sizeof(ws_warp);

    if (warp >= WS_WARPS)
        return NULL;
    if (!(call->warps_shown >> warp & 1)) {
        call->warps_shown |= (guint64)1 << warp;
        memset(&call->warps[warp], 0, sizeof(ws_warp));
        call->caller->sight->warp(call->caller->sm, &call->view, warp, &call->warps[warp]);
    }
    return part_of(&call->warps[warp], sizeof(ws_warp), offset % sizeof(ws_warp), bytes);
}

static const guint8 *show_access(Call *call, guint32 offset, guint32 bytes)
{
    guint32 warp = offset / sizeof(ws_access);

    if (warp >= WS_WARPS)
        return NULL;
    if (!(call->accesses_shown >> warp & 1)) {
        call->accesses_shown |= (guint64)1 << warp;
        memset(&call->accesses[warp], 0, sizeof(ws_access));
        call->caller->sight->access(call->caller->sm, &call->view, warp, &call->accesses[warp]);
    }
    return part_of(&call->accesses[warp], sizeof(ws_access), offset % sizeof(ws_access), bytes);
}

/* Answers the one question whose answer is read. */
static const guint8 *answer(Call *call, guint32 offset, guint32 bytes)
{
    struct ws_question *question = &call->question;
    const WsPolicyView *orders = call->orders;
    guint64 warps = orders == NULL ? 0 : question->warps & ws_block_age_warps(&orders->blocks);

    question->oldest = question->youngest = question->longest_wait = question->most_recent = -1;
    question->oldest_block = 0;
    if (warps != 0 && offset == offsetof(struct ws_question, oldest))
        question->oldest = ws_order_first_in(&orders->age, warps);
    else if (warps != 0 && offset == offsetof(struct ws_question, youngest))
        question->youngest = ws_order_last_in(&orders->age, warps);
    else if (warps != 0 && offset == offsetof(struct ws_question, longest_wait))
        question->longest_wait = ws_issue_order_least(&orders->issues, warps);
    else if (warps != 0 && offset == offsetof(struct ws_question, most_recent))
        question->most_recent = ws_issue_order_most(&orders->issues, warps);
    else if (warps != 0)
        question->oldest_block = ws_block_age_oldest(&orders->blocks, warps);
    return part_of(question, sizeof *question, offset, bytes);
}

static const guint8 *show(WsLaneRun *run, guint32 window, guint32 offset, guint32 bytes)
{
    Call *call = run->data;
    const WsPolicyCaller *caller = call->caller;

    switch (window) {
    case WARPS:
        return show_warp(call, offset, bytes);
    case ACCESSES:
        return show_access(call, offset, bytes);
    case QUESTION:
        return answer(call, offset, bytes);
    case VIEW:
        if (run->windows[VIEW].readable != sizeof call->view)
            caller->sight->sets(caller->sm, &call->view);
        run->windows[VIEW].readable = sizeof call->view;
        return part_of(&call->view, sizeof call->view, offset, bytes);
    case MEMORY:
        if (run->windows[MEMORY].readable == 0)
            caller->sight->memory(caller->sm, &call->view, &call->memory);
        run->windows[MEMORY].readable = sizeof call->memory;
        return part_of(&call->memory, sizeof call->memory, offset, bytes);
    default:
        return NULL;
    }
}

/* ---- calls --------------------------------------------------------------------------------------
 */

static gboolean fail(const Call *call, guint32 failure, guint32 pc, guint64 value)
{
    WsPolicyState *state = call->caller->state;

    state->failure = failure;
    state->pc = pc;
    state->value = value;
    state->sub_core = (guint32)call->view.sub_core;
    state->cycle = call->view.cycle;
    return FALSE;
}

static inline WsLaneWindow window(const void *at, gsize readable, gsize writable)
{
    return (WsLaneWindow){(guint8 *)at, (guint32)readable, (guint32)writable};
}

/* `view` may be NULL, and the event. */
static void start(Call *call, const WsPolicyCaller *caller, const WsPolicyView *view, guint64 cycle,
                  guint32 sub_core, const void *event, gsize event_bytes)
{
    const WsPolicyCode *code = caller->code;
    WsLaneRun *run = &call->run;
    guint8 *state = caller->state;

    call->caller = caller;
    call->orders = view;
    call->question.warps = 0;
    call->warps_shown = call->accesses_shown = 0;
    call->view.cycle = cycle;
    call->view.eligible = 0;
    call->view.last = view == NULL || view->last == WS_NO_WARP ? -1 : view->last;
    call->view.sub_core = (gint32)sub_core;
    call->view.warps = code->warps;
    call->view.sub_cores = code->sub_cores;
    call->view.sm = caller->sm_number;
    call->view.orders = (const struct ws_orders *)(guintptr)WS_AT_ORDERS;
    run->code = code->lane;
    run->cells = (guint32 *)(void *)(state + code->cells_at);
    run->window_of = window_of;
    run->local = STACK;
    run->cycle = cycle;
    run->show = show;
    run->data = call;
    run->windows[0] = window(NULL, 0, 0);
    run->windows[VARIABLES] =
        window(state + code->variables_at, code->variable_bytes, code->variable_bytes);
    run->windows[STACK] = window(state + code->stack_at, code->stack_bytes, code->stack_bytes);
    run->windows[CONSTANTS] = window(code->constants[3], code->program->constant_bytes, 0);
    run->windows[RESULT] = window(&call->result, sizeof call->result, sizeof call->result);
    run->windows[VIEW] = window(&call->view, offsetof(ws_view, memory), 0);
    run->windows[ORDERS] = window(view, view == NULL ? 0 : sizeof *view, 0);
    run->windows[EVENT] = window(event, event_bytes, 0);
    run->windows[QUESTION] =
        window(&call->question, sizeof call->question.warps, sizeof call->question.warps);
    run->windows[MEMORY] = window(&call->memory, 0, 0);
    run->windows[WARPS] = run->windows[ACCESSES] = window(NULL, 0, 0);
}

static gboolean call_function(Call *call, WsPolicyFunction function)
{
    const WsPolicyCode *code = call->caller->code;
    WsPolicyState *state = call->caller->state;

    state->function = function;
    call->result = 0;
    call->run.most = code->most_instructions;
    return G_LIKELY(ws_lane_run(&call->run, code->functions[function])) ||
           fail(call, call->run.end, call->run.pc, call->run.address);
}

static gboolean has_failed(const WsPolicyCaller *caller)
{
    return ((const WsPolicyState *)caller->state)->failure != 0;
}

static void tell(const WsPolicyCaller *caller, guint64 cycle, guint32 sub_core, guint warp,
                 WsPolicyFunction function)
{
    Call call;

    if (caller->code->functions[function] == NULL || has_failed(caller))
        return;
    start(&call, caller, caller->sight->view(caller->sm, sub_core), cycle, sub_core, NULL, 0);
    call.view.ws_warp = (gint32)warp;
    call_function(&call, function);
}

void ws_policy_code_warp_begin(const WsPolicyCaller *caller, guint64 cycle, guint32 sub_core,
                               guint warp)
{
    tell(caller, cycle, sub_core, warp, WS_CALL_WARP_BEGIN);
}

void ws_policy_code_warp_end(const WsPolicyCaller *caller, guint64 cycle, guint32 sub_core,
                             guint warp)
{
    tell(caller, cycle, sub_core, warp, WS_CALL_WARP_END);
}

/* Admits, unless that fails. */
static gboolean ask_admit(Call *call)
{
    guint64 *held = &((WsPolicyState *)call->caller->state)->held[call->view.sub_core];

    if (!call_function(call, WS_CALL_ADMIT))
        return FALSE;
    call->view.eligible &= call->result;
    *held = call->view.eligible == 0 ? *held + 1 : 0;
    return *held <= WS_POLICY_MOST_HELD || fail(call, WS_POLICY_HELD, 0, 0);
}

static gboolean is_one(guint64 warps)
{
    return (warps & (warps - 1)) == 0;
}

guint64 ws_policy_code_admit(const WsPolicyCaller *caller, const WsPolicyView *view, guint64 cycle,
                             guint32 sub_core, guint64 eligible, guint8 *ret_chosen)
{
    const WsPolicyCode *code = caller->code;
    gboolean admits = code->functions[WS_CALL_ADMIT] != NULL;
    Call call;

    *ret_chosen = (guint8)ws_lowest_warp(eligible);
    if ((!admits && code->pure_pick && is_one(eligible)) || has_failed(caller))
        return eligible;
    start(&call, caller, view, cycle, sub_core, NULL, 0);
    call.view.eligible = eligible;
    if (admits && !ask_admit(&call))
        return eligible;
    if (call.view.eligible == 0)
        return 0;
    if (code->pure_pick && is_one(call.view.eligible)) {
        *ret_chosen = (guint8)ws_lowest_warp(call.view.eligible);
        return call.view.eligible;
    }
    if (!call_function(&call, WS_CALL_PICK))
        return eligible;
    if (call.result >= WS_SUB_CORE_WARPS || !(call.view.eligible >> call.result & 1)) {
        fail(&call, WS_POLICY_BAD_CHOICE, 0, call.result);
        return eligible;
    }
    *ret_chosen = (guint8)call.result;
    return call.view.eligible;
}

gboolean ws_policy_code_take_block(const WsPolicyCaller *caller, const ws_blocks *blocks)
{
    Call call;

    if (caller->code->functions[WS_CALL_TAKE_BLOCK] == NULL || has_failed(caller))
        return TRUE;
    start(&call, caller, NULL, blocks->cycle, 0, blocks, sizeof *blocks);
    return !call_function(&call, WS_CALL_TAKE_BLOCK) || call.result != 0;
}

/* ---- L1 -----------------------------------------------------------------------------------------
 */

static gint32 sub_core_of(const WsPolicyCaller *caller, guint32 slot)
{
    return (gint32)slot % caller->code->sub_cores;
}

static gint32 warp_of(const WsPolicyCaller *caller, guint32 slot)
{
    return (gint32)slot / caller->code->sub_cores;
}

static gboolean call_about(Call *call, const WsPolicyCaller *caller, guint64 cycle, guint32 slot,
                           const void *event, gsize bytes, WsPolicyFunction function)
{
    guint32 sub_core = (guint32)sub_core_of(caller, slot);

    if (has_failed(caller))
        return FALSE;
    start(call, caller, caller->sight->view(caller->sm, sub_core), cycle, sub_core, event, bytes);
    return call_function(call, function);
}

static ws_l1_load shown_load(const WsPolicyCaller *caller, const WsL1Load *load)
{
    return (ws_l1_load){.line = load->line,
                        .sub_core = sub_core_of(caller, load->slot),
                        .warp = warp_of(caller, load->slot),
                        .pc = load->pc,
                        .hit = load->hit != 0};
}

static void tell_load(void *data, const WsL1Load *load)
{
    const WsPolicyCaller *caller = data;
    ws_l1_load event = shown_load(caller, load);
    Call call;

    call_about(&call, caller, load->cycle, load->slot, &event, sizeof event, WS_CALL_L1_LOAD);
}

static gboolean ask_bypass(void *data, const WsL1Load *load)
{
    const WsPolicyCaller *caller = data;
    ws_l1_load event = shown_load(caller, load);
    Call call;

    return call_about(&call, caller, load->cycle, load->slot, &event, sizeof event,
                      WS_CALL_L1_BYPASS) &&
           call.result != 0;
}

static void tell_eviction(void *data, guint64 cycle, const WsL1Owned *line, guint32 by)
{
    const WsPolicyCaller *caller = data;
    ws_l1_eviction event = {.line = line->line,
                            .sub_core = sub_core_of(caller, line->slot),
                            .warp = warp_of(caller, line->slot),
                            .by_sub_core = sub_core_of(caller, by),
                            .by_warp = warp_of(caller, by)};
    Call call;

    call_about(&call, caller, cycle, line->slot, &event, sizeof event, WS_CALL_L1_EVICT);
}

static guint ask_victim(void *data, guint64 cycle, const WsL1Owned *coming, const WsL1Owned *ways,
                        guint count)
{
    const WsPolicyCaller *caller = data;
    ws_l1_set event;
    Call call;

    event.line = coming->line;
    event.sub_core = sub_core_of(caller, coming->slot);
    event.warp = warp_of(caller, coming->slot);
    event.ways = count;
    event.spare = 0;
    for (guint i = 0; i < count; i++)
        event.way[i] = (struct ws_l1_way){.line = ways[i].line,
                                          .sub_core = sub_core_of(caller, ways[i].slot),
                                          .warp = warp_of(caller, ways[i].slot)};
    if (!call_about(&call, caller, cycle, coming->slot, &event,
                    offsetof(ws_l1_set, way) + count * sizeof event.way[0], WS_CALL_L1_VICTIM))
        return count - 1;
    if (call.result < count)
        return (guint)call.result;
    fail(&call, WS_POLICY_BAD_WAY, 0, call.result);
    return count - 1;
}

void ws_policy_call_listener(WsPolicyCode *code)
{
    const WsKernel *const *functions = code->functions;
    WsL1Listener *listener = &code->listener;

    listener->load = functions[WS_CALL_L1_LOAD] != NULL ? tell_load : NULL;
    listener->evict = functions[WS_CALL_L1_EVICT] != NULL ? tell_eviction : NULL;
    listener->bypass = functions[WS_CALL_L1_BYPASS] != NULL ? ask_bypass : NULL;
    listener->victim = functions[WS_CALL_L1_VICTIM] != NULL ? ask_victim : NULL;
}
