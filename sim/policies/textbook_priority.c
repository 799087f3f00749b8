/*
 * The priority of teaching texts: arithmetic before memory, among equals the longest wait first,
 * and fair. Fair means bounded: of patience + 1 choices in a row at least one goes to a memory
 * instruction, if one is eligible all the time. So a warp whose memory instruction is eligible
 * issues it within (patience + 1) x n choices, where n counts it and the warps at memory
 * instructions that have waited longer. A memory instruction here is one that goes to the
 * load-store unit.
 */
#include "sim/policies/policy.h"

typedef struct {
    guint64 patience;
    guint64 passed[WS_MAX_SUB_CORES]; /* choices in a row that went past a memory instruction */
} State;

static gsize state_bytes(const WsDevice *device)
{
    return sizeof(State);
}

static void begin(void *data, const WsDevice *device)
{
    ((State *)data)->patience = device->textbook_priority_patience;
}

static guint64 admit(void *data, const WsPolicyView *view, const WsPolicyWarps *warps)
{
    State *state = data;
    guint64 *passed = &state->passed[warps->sub_core];
    guint64 memory = warps->eligible & warps->memory, other = warps->eligible & ~memory;

    if (memory != 0 && other != 0 && *passed < state->patience) {
        ++*passed;
        return other;
    }
    *passed = 0;
    return memory != 0 ? memory : other;
}

static guint pick(const WsPolicyView *view, guint64 eligible)
{
    return ws_issue_order_least(&view->issues, eligible);
}

const WsPolicy ws_policy_textbook_priority = {
    .greedy = FALSE, .pick = pick, .state_bytes = state_bytes, .begin = begin, .admit = admit};
