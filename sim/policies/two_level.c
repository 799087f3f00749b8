/*
 * Two-level scheduling: of the warps of a sub-core only a few are active and issue, in turn. A warp
 * that waits for something long (memory, a barrier) makes room when another could issue; it comes
 * back when it is ready and there is room, the one that issued longest ago first. So warps reach
 * their long waits one after the other instead of all at once.
 *
 * After Narasiman et al., "Improving GPU performance via large warps and two-level warp
 * scheduling", MICRO 2011, and Gebhart et al., "Energy-efficient mechanisms for managing thread
 * context in throughput processors", ISCA 2011. Own addition: the limit on how long a ready warp
 * may be kept out, without which a warp that spins for it would hang.
 */
#include "sim/policies/policy.h"

typedef struct {
    guint64 active;
    guint64 kept_out; /* cycles in which a warp could issue and was not active */
} Set;

typedef struct {
    guint32 sub_cores, size;
    guint64 longest;
    Set sets[WS_MAX_SUB_CORES];
} State;

static gsize state_bytes(const WsDevice *device)
{
    return sizeof(State);
}

static void begin(void *data, const WsDevice *device)
{
    State *state = data;

    state->sub_cores = (guint32)device->sub_cores;
    state->size = (guint32)device->two_level_active_warps;
    state->longest = device->two_level_longest_wait;
}

static void warp_end(void *data, guint32 slot)
{
    State *state = data;

    state->sets[slot % state->sub_cores].active &= ~((guint64)1 << slot / state->sub_cores);
}

static guint64 admit(void *data, const WsPolicyView *view, const WsPolicyWarps *warps)
{
    State *state = data;
    Set *set = &state->sets[warps->sub_core];
    guint64 pending = warps->eligible & ~set->active;

    if (pending == 0) {
        set->kept_out = 0;
        return warps->eligible;
    }
    set->active &= ~warps->waiting;
    if (state->longest != 0 && ++set->kept_out > state->longest &&
        (guint)__builtin_popcountll(set->active) >= state->size)
        set->active &= ~((guint64)1 << ws_issue_order_most(&view->issues, set->active));
    while (pending != 0 && (guint)__builtin_popcountll(set->active) < state->size) {
        guint64 next = (guint64)1 << ws_issue_order_least(&view->issues, pending);
        set->active |= next;
        pending &= ~next;
        set->kept_out = 0;
    }
    return warps->eligible & set->active;
}

static guint pick(const WsPolicyView *view, guint64 eligible)
{
    return ws_policy_lrr.pick(view, eligible);
}

const WsPolicy ws_policy_two_level = {.greedy = FALSE,
                                      .pick = pick,
                                      .state_bytes = state_bytes,
                                      .begin = begin,
                                      .warp_end = warp_end,
                                      .admit = admit};
