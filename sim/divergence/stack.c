/*
 * Reconvergence stack: how warps diverged before Volta. The path that runs is on top; below it lie
 * the other side of each split and, under both, the place where they meet, with all lanes. A side
 * that comes to the meeting place is done, and what lies below goes on.
 *
 * Depth: sides not yet run have lanes of their own, and every meeting place has strictly fewer
 * lanes than the one below it, so twice the lanes of a warp are enough. A call puts the place
 * behind it below, with the lanes that it has, unless the path ends there anyway (a call of itself)
 * or the stack is higher than WS_STACK_CALLS: then lanes meet at the call below.
 */
#include "sim/divergence/divergence.h"

typedef WsStackEntry Entry;

typedef struct {
    guint64 depth;
    Entry entries[];
} Stack;

static gsize stack_bytes(guint warp_size)
{
    return sizeof(Stack) + (2 * (gsize)warp_size + 2 + WS_STACK_CALLS) * sizeof(Entry);
}

static void stack_begin(void *state, guint64 lanes)
{
    Stack *stack = state;

    stack->depth = 0;
}

static void push(Stack *stack, guint64 lanes, guint32 pc, guint32 stop)
{
    stack->entries[stack->depth++] = (Entry){lanes, pc, stop};
}

/* Takes the next entry that has lanes and somewhere to go; an empty path if there is none. */
static gboolean pop(Stack *stack, WsPath *path)
{
    while (stack->depth > 0) {
        Entry entry = stack->entries[--stack->depth];

        if (entry.lanes != 0 && entry.pc != entry.stop) {
            *path = (WsPath){entry.lanes, entry.pc, entry.stop};
            return TRUE;
        }
    }
    *path = (WsPath){0, path->pc, WS_NOWHERE};
    return FALSE;
}

static void stack_split(void *state, WsPath *path, guint64 taken, guint32 target, guint32 next,
                        guint32 meet, WsFirstSide first)
{
    Stack *stack = state;
    guint64 rest = path->active & ~taken;
    guint32 stop = meet == WS_NOWHERE ? path->stop : meet;

    if (stop != path->stop)
        push(stack, path->active, meet, path->stop);
    if (ws_taken_side_is_first(taken, rest, first)) {
        push(stack, rest, next, stop);
        push(stack, taken, target, stop);
    } else {
        push(stack, taken, target, stop);
        push(stack, rest, next, stop);
    }
    pop(stack, path);
}

static void stack_call(void *state, WsPath *path, guint32 behind)
{
    Stack *stack = state;

    if (path->stop == behind || stack->depth >= WS_STACK_CALLS)
        return;
    push(stack, path->active, behind, path->stop);
    path->stop = behind;
}

static WsConvergence stack_stop(void *state, WsPath *path)
{
    guint64 lanes = path->active;

    pop(state, path);
    return (path->active & lanes) == lanes ? WS_CONVERGED_JOINED : WS_CONVERGED_SWITCHED;
}

static gboolean stack_exit(void *state, WsPath *path, guint64 lanes)
{
    Stack *stack = state;

    for (guint64 i = 0; i < stack->depth; i++)
        stack->entries[i].lanes &= ~lanes;
    path->active &= ~lanes;
    return path->active == 0 && !pop(stack, path);
}

static guint stack_waiting(const void *state, const WsPath *path, WsLanesAt ret_lanes[WS_MAX_PATHS])
{
    const Stack *stack = state;
    guint64 seen = path->active;
    guint count = 0;

    for (guint64 i = stack->depth; i-- > 0 && count < WS_MAX_PATHS;) {
        guint64 lanes = stack->entries[i].lanes & ~seen;

        if (lanes != 0)
            ret_lanes[count++] = (WsLanesAt){.lanes = lanes,
                                             .pc = stack->entries[i].pc,
                                             .how = "inactive, to resume at",
                                             .wanted = seen,
                                             .in_turn = TRUE};
        seen |= lanes;
    }
    return count;
}

static gboolean stack_same(const void *a, const void *b)
{
    const Stack *x = a, *y = b;

    if (x->depth != y->depth)
        return FALSE;
    for (guint64 i = 0; i < x->depth; i++)
        if (x->entries[i].lanes != y->entries[i].lanes || x->entries[i].pc != y->entries[i].pc ||
            x->entries[i].stop != y->entries[i].stop)
            return FALSE;
    return TRUE;
}

static guint stack_entries(const void *state, const WsPath *path,
                           WsStackEntry ret_entries[WS_MAX_STACK])
{
    const Stack *stack = state;
    guint count = 0;

    if (path->active != 0)
        ret_entries[count++] = (WsStackEntry){path->active, path->pc, path->stop};
    for (guint64 i = stack->depth; i-- > 0;)
        if (stack->entries[i].lanes != 0)
            ret_entries[count++] = stack->entries[i];
    return count;
}

const WsDivergenceModel ws_divergence_stack = {
    .name = "stack",
    .bytes = stack_bytes,
    .begin = stack_begin,
    .split = stack_split,
    .stop = stack_stop,
    .exit = stack_exit,
    .waiting = stack_waiting,
    .same = stack_same,
    .stack = stack_entries,
    .call = stack_call,
};
