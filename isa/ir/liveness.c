#include "isa/ir/liveness.h"
#include "isa/flow/control_flow.h"
#include "isa/ir/variable_accesses.h"

#include <stdlib.h>

/*
 * State of a variable at a point of the backward walk: dead, live, or live for the lanes that a
 * guard lets through.
 */
enum { DEAD = 0, LIVE = 1, UNDER = 2 /* + 2 * predicate variable number + negated */ };

/* A variable that may be in an UNDER state. */
typedef struct {
    guint32 variable;
    guint32 predicate;
    guint32 next; /* the one before under the same predicate + 1 */
} Conditional;

/*
 * What the blocks say of variables, then of the numbers of those that cross blocks: lists one after
 * the other, in the order of the blocks.
 */
typedef struct {
    GArray *variables; /* of guint32 */
    guint32 *first;    /* [blocks + 1] */
} Lists;

enum {
    GEN,     /* read before it is written */
    KILLED,  /* written on the way, whatever is live behind */
    WRITTEN, /* by some lanes at least */
    LISTS
};

typedef struct {
    const WsIrFunction *function;
    WsLiveness *out;
    guint32 *state;      /* per variable */
    guint32 *end;        /* per variable: end of the segment being walked */
    GArray *conditional; /* of Conditional */
    guint32 *under;      /* per predicate: the newest of `conditional` under it + 1 */
    const WsGraph *graph, *back;
    GArray *touched;    /* of guint32: variables of the block at hand */
    guint8 *is_touched; /* per variable */
    WsVariableAccesses accesses;
    Lists lists[LISTS];
    WsSharedSet *defined; /* per block: what may have been written when control leaves it */
    gboolean emit;        /* segments are wanted */
} Walker;

static void close_segment(Walker *walker, guint32 variable, guint32 begin)
{
    WsLiveness *out = walker->out;
    if (!walker->emit)
        return;
    guint32 first = out->first[variable];
    WsSegment *head = first ? &g_array_index(out->segments, WsSegment, first - 1) : NULL;
    if (head != NULL && head->begin == walker->end[variable]) {
        head->begin = begin;
        return;
    }
    WsSegment segment = {begin, walker->end[variable], first};
    g_array_append_val(out->segments, segment);
    out->first[variable] = out->segments->len;
}

/* A predicate changes: what is live under it is simply live above. */
static void forget_condition(Walker *walker, guint32 predicate)
{
    for (guint32 at = walker->under[predicate]; at != 0;) {
        const Conditional *entry = &g_array_index(walker->conditional, Conditional, at - 1);
        guint32 *state = &walker->state[entry->variable];
        if (*state >= UNDER && (*state - UNDER) / 2 == predicate)
            *state = LIVE;
        at = entry->next;
    }
    walker->under[predicate] = 0;
}

static void forget_conditions(Walker *walker)
{
    for (guint i = 0; i < walker->conditional->len; i++)
        walker->under[g_array_index(walker->conditional, Conditional, i).predicate] = 0;
    g_array_set_size(walker->conditional, 0);
}

static void make_conditional(Walker *walker, guint32 variable, guint32 state)
{
    guint32 predicate = (state - UNDER) / 2;
    Conditional entry = {variable, predicate, walker->under[predicate]};
    walker->state[variable] = state;
    g_array_append_val(walker->conditional, entry);
    walker->under[predicate] = walker->conditional->len;
}

/* `condition` is the UNDER state of the instruction's guard, or LIVE without a guard. */
static void walk_write(Walker *walker, guint32 variable, guint32 condition, guint32 position)
{
    guint32 state = walker->state[variable];
    if (state == DEAD) {
        /* Nobody reads it, still it needs a place for the moment of the write. */
        walker->end[variable] = position + 1;
        close_segment(walker, variable, position);
        return;
    }
    if (condition == LIVE || state == condition) {
        close_segment(walker, variable, position);
        walker->state[variable] = DEAD;
    } else if (state == LIVE) {
        make_conditional(walker, variable, UNDER + ((condition - UNDER) ^ 1));
    }
}

static void walk_read(Walker *walker, guint32 variable, guint32 condition, guint32 position)
{
    guint32 state = walker->state[variable];
    if (state == DEAD) {
        walker->end[variable] = position + 1;
        if (condition == LIVE)
            walker->state[variable] = LIVE;
        else
            make_conditional(walker, variable, condition);
    } else if (state != condition) {
        walker->state[variable] = LIVE;
    }
}

static const WsVariableAccess *access_at(const Walker *walker, guint32 n)
{
    return &g_array_index(walker->accesses.list, WsVariableAccess, n);
}

static void walk_instruction(Walker *walker, guint32 number)
{
    guint32 begin = walker->accesses.begin[number];
    guint32 end = walker->accesses.begin[number + 1];
    guint32 guard = walker->accesses.guards[number];
    guint32 condition = guard == 0 ? LIVE : UNDER + guard - 1;
    for (guint32 a = begin; a < end; a++) {
        if (access_at(walker, a)->predicate != 0)
            forget_condition(walker, access_at(walker, a)->predicate - 1);
    }
    for (guint32 a = begin; a < end; a++) {
        const WsVariableAccess *access = access_at(walker, a);
        for (guint w = 0; w < access->words && access->write; w++)
            walk_write(walker, access->first + w, condition, 2 * number + 1);
    }
    for (guint32 a = begin; a < end; a++) {
        const WsVariableAccess *access = access_at(walker, a);
        for (guint w = 0; w < access->words && !access->write; w++)
            walk_read(walker, access->first + w, access->guard ? LIVE : condition, 2 * number);
    }
}

static void walk_block(Walker *walker, guint32 b)
{
    const guint32 *first = walker->out->block_first;
    for (guint32 number = first[b + 1]; number-- > first[b];)
        walk_instruction(walker, number);
    forget_conditions(walker);
}

static void collect_touched(Walker *walker, guint32 b)
{
    const guint32 *first = walker->out->block_first;
    guint32 end = walker->accesses.begin[first[b + 1]];
    g_array_set_size(walker->touched, 0);
    for (guint32 a = walker->accesses.begin[first[b]]; a < end; a++) {
        const WsVariableAccess *access = access_at(walker, a);
        for (guint w = 0; w < access->words; w++) {
            guint32 variable = access->first + w;
            if (!(walker->is_touched[variable] & 1))
                g_array_append_val(walker->touched, variable);
            walker->is_touched[variable] |= access->write ? 3 : 1;
        }
    }
}

static void reset_touched(Walker *walker)
{
    for (guint i = 0; i < walker->touched->len; i++) {
        guint32 variable = g_array_index(walker->touched, guint32, i);
        walker->is_touched[variable] = 0;
        walker->state[variable] = DEAD;
    }
}

static void describe_block(Walker *walker, guint32 b)
{
    Lists *lists = walker->lists;
    collect_touched(walker, b);
    walk_block(walker, b);
    for (guint i = 0; i < walker->touched->len; i++) {
        guint32 variable = g_array_index(walker->touched, guint32, i);
        if (walker->state[variable] != DEAD)
            g_array_append_val(lists[GEN].variables, variable);
        if (walker->is_touched[variable] & 2)
            g_array_append_val(lists[WRITTEN].variables, variable);
        walker->state[variable] = LIVE;
    }
    walk_block(walker, b);
    for (guint i = 0; i < walker->touched->len; i++) {
        guint32 variable = g_array_index(walker->touched, guint32, i);
        if (walker->state[variable] == DEAD)
            g_array_append_val(lists[KILLED].variables, variable);
    }
    reset_touched(walker);
    for (guint l = 0; l < LISTS; l++)
        lists[l].first[b + 1] = lists[l].variables->len;
}

static gint compare_numbers(gconstpointer x, gconstpointer y)
{
    guint32 i = *(const guint32 *)x;
    guint32 j = *(const guint32 *)y;
    return i < j ? -1 : i > j;
}

/* Variables that some block reads before it writes them fully: only these cross blocks. */
static void number_crossing(Walker *walker, const GArray *gen)
{
    WsLiveness *out = walker->out;
    for (guint i = 0; i < gen->len; i++) {
        guint32 variable = g_array_index(gen, guint32, i);
        if (out->number[variable] != 0)
            continue;
        g_array_append_val(out->crossing, variable);
        out->number[variable] = out->crossing->len;
    }
}

/* From variables to the numbers of those that cross blocks, ascending in each block. */
static void keep_crossing(const Walker *walker, Lists *lists)
{
    guint32 *items = &g_array_index(lists->variables, guint32, 0);
    guint32 kept = 0;
    for (guint32 b = 0, i = 0; b < walker->function->blocks->len; b++) {
        guint32 begin = kept;
        for (; i < lists->first[b + 1]; i++) {
            guint32 number = walker->out->number[items[i]];
            if (number != 0)
                items[kept++] = number - 1;
        }
        if (kept - begin > 1)
            qsort(items + begin, kept - begin, sizeof *items, compare_numbers);
        lists->first[b] = begin;
    }
    lists->first[walker->function->blocks->len] = kept;
}

static void describe_blocks(Walker *walker)
{
    for (guint32 b = 0; b < walker->function->blocks->len; b++)
        describe_block(walker, b);
    number_crossing(walker, walker->lists[GEN].variables);
    walker->out->sets = ws_shared_sets_new(walker->out->crossing->len);
    for (guint l = 0; l < LISTS; l++)
        keep_crossing(walker, &walker->lists[l]);
}

static WsSharedSet with_list(Walker *walker, WsSharedSet set, guint l, guint32 b)
{
    const Lists *lists = &walker->lists[l];
    return ws_shared_set_with(walker->out->sets, set,
                              &g_array_index(lists->variables, guint32, lists->first[b]),
                              lists->first[b + 1] - lists->first[b]);
}

static WsSharedSet without_list(Walker *walker, WsSharedSet set, guint l, guint32 b)
{
    const Lists *lists = &walker->lists[l];
    return ws_shared_set_without(walker->out->sets, set,
                                 &g_array_index(lists->variables, guint32, lists->first[b]),
                                 lists->first[b + 1] - lists->first[b]);
}

/* ---- between blocks ---------------------------------------------------------------------------
 */

/* Blocks whose rows are to be looked at again, each once. */
typedef struct {
    guint32 *ring;
    guint8 *queued;
    guint32 size, first, count;
} Queue;

static void queue_push(Queue *queue, guint32 block)
{
    if (queue->queued[block])
        return;
    queue->queued[block] = TRUE;
    queue->ring[(queue->first + queue->count++) % queue->size] = block;
}

static guint32 queue_pop(Queue *queue)
{
    guint32 block = queue->ring[queue->first];
    queue->first = (queue->first + 1) % queue->size;
    queue->count--;
    queue->queued[block] = FALSE;
    return block;
}

/* All blocks, in an order in which control, or the need for values, goes through most of them. */
static void queue_init(Queue *queue, const WsGraph *graph, gboolean backward)
{
    guint32 reached;
    g_autofree guint32 *order = ws_graph_reverse_post_order(graph, 0, &reached);
    *queue = (Queue){.ring = g_new(guint32, (gsize)graph->count + 1),
                     .queued = g_new0(guint8, (gsize)graph->count + 1),
                     .size = MAX(graph->count, 1)};
    for (guint32 i = 0; i < reached; i++)
        queue_push(queue, order[backward ? reached - 1 - i : i]);
    for (guint32 b = 0; b < graph->count; b++)
        queue_push(queue, b);
}

static void queue_clear(Queue *queue)
{
    g_free(queue->ring);
    g_free(queue->queued);
}

/* Forward, to a fixed point. */
static void solve_defined(Walker *walker)
{
    const WsGraph *graph = walker->graph;
    WsSharedSet *defined = walker->defined;
    Queue queue;
    for (guint32 b = 0; b < graph->count; b++)
        defined[b] = with_list(walker, WS_SHARED_SET_EMPTY, WRITTEN, b);
    queue_init(&queue, graph, FALSE);
    while (queue.count > 0) {
        guint32 b = queue_pop(&queue);
        for (guint32 e = graph->first[b]; e < graph->first[b + 1]; e++) {
            guint32 next = graph->successors[e];
            WsSharedSet all = ws_shared_set_union(walker->out->sets, defined[next], defined[b]);
            if (all == defined[next])
                continue;
            defined[next] = all;
            queue_push(&queue, next);
        }
    }
    queue_clear(&queue);
}

/* What a call leaves alone and is read behind it lives all through the subroutine, to its end. */
static void keep_across_call(Walker *walker, guint32 b, Queue *queue)
{
    const WsInstruction *branch = &ws_ir_block(walker->function, b)->branch;
    if (!ws_is_subroutine_call(branch))
        return;
    WsSharedSet *out = walker->out->live_out;
    guint32 target = ws_branch_target(branch);
    WsSharedSet all = ws_shared_set_union(walker->out->sets, out[target], out[b]);
    if (all != out[target])
        queue_push(queue, target);
    out[target] = all;
}

static void solve_live(Walker *walker)
{
    const WsGraph *graph = walker->graph, *back = walker->back;
    WsSharedSets *sets = walker->out->sets;
    WsSharedSet *in = walker->out->live_in, *out = walker->out->live_out;
    Queue queue;
    queue_init(&queue, graph, TRUE);
    while (queue.count > 0) {
        guint32 b = queue_pop(&queue);
        for (guint32 e = graph->first[b]; e < graph->first[b + 1]; e++) {
            WsSharedSet wanted =
                ws_shared_set_intersection(sets, in[graph->successors[e]], walker->defined[b]);
            out[b] = ws_shared_set_union(sets, out[b], wanted);
        }
        keep_across_call(walker, b, &queue);
        WsSharedSet passed = without_list(walker, out[b], KILLED, b);
        WsSharedSet live = with_list(walker, passed, GEN, b);
        gboolean changed = live != in[b];
        in[b] = live;
        for (guint32 e = back->first[b]; changed && e < back->first[b + 1]; e++)
            queue_push(&queue, back->successors[e]);
    }
    queue_clear(&queue);
}

/* ---- segments ---------------------------------------------------------------------------------
 */

/* What was live behind a place and is not live before it, and the other way round. */
static void cross_border(Walker *walker, WsSharedSet behind, WsSharedSet before, guint32 position,
                         GArray *list)
{
    g_array_set_size(list, 0);
    ws_liveness_list(walker->out, behind, before, list);
    for (guint i = 0; i < list->len; i++) {
        guint32 variable = g_array_index(list, guint32, i);
        close_segment(walker, variable, position);
        walker->state[variable] = DEAD;
    }
    g_array_set_size(list, 0);
    ws_liveness_list(walker->out, before, behind, list);
    for (guint i = 0; i < list->len; i++) {
        guint32 variable = g_array_index(list, guint32, i);
        walker->state[variable] = LIVE;
        walker->end[variable] = position;
    }
}

/*
 * At the begin of a block a variable is live, or not, for all lanes. One that is live there by what
 * the block says of itself may have died on the walk from what is live behind.
 */
static void meet_begin(Walker *walker, guint32 b)
{
    WsLiveness *out = walker->out;
    for (guint i = 0; i < walker->touched->len; i++) {
        guint32 variable = g_array_index(walker->touched, guint32, i);
        walker->is_touched[variable] = 0;
        if (walker->state[variable] != DEAD) {
            walker->state[variable] = LIVE;
        } else if (ws_liveness_contains(out, out->live_in[b], variable)) {
            guint32 number = out->number[variable] - 1;
            out->live_in[b] = ws_shared_set_without(out->sets, out->live_in[b], &number, 1);
        }
    }
}

static void emit_segments(Walker *walker)
{
    const guint32 *first = walker->out->block_first;
    g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(guint32));
    WsSharedSet behind = WS_SHARED_SET_EMPTY;
    walker->emit = TRUE;
    for (guint32 b = walker->function->blocks->len; b-- > 0;) {
        if (first[b] == first[b + 1])
            continue;
        cross_border(walker, behind, walker->out->live_out[b], 2 * first[b + 1], list);
        collect_touched(walker, b);
        walk_block(walker, b);
        meet_begin(walker, b);
        behind = walker->out->live_in[b];
    }
    cross_border(walker, behind, WS_SHARED_SET_EMPTY, 0, list);
}

static void walker_init(Walker *walker, const WsIrFunction *function, WsLiveness *out)
{
    guint32 count = out->variables.count;
    *walker = (Walker){.function = function, .out = out};
    walker->state = g_new0(guint32, count + 1);
    walker->end = g_new0(guint32, count + 1);
    walker->is_touched = g_new0(guint8, count + 1);
    walker->conditional = g_array_new(FALSE, FALSE, sizeof(Conditional));
    walker->under = g_new0(guint32, ws_predicate_numbers(function));
    walker->touched = g_array_new(FALSE, FALSE, sizeof(guint32));
    walker->defined = g_new(WsSharedSet, (gsize)function->blocks->len + 1);
    ws_variable_accesses_init(&walker->accesses, &out->variables, function);
    for (guint l = 0; l < LISTS; l++) {
        walker->lists[l].variables = g_array_sized_new(FALSE, FALSE, sizeof(guint32), 1);
        walker->lists[l].first = g_new0(guint32, (gsize)function->blocks->len + 1);
    }
}

static void walker_clear(Walker *walker)
{
    g_free(walker->state);
    g_free(walker->end);
    g_free(walker->is_touched);
    g_array_unref(walker->conditional);
    g_free(walker->under);
    g_array_unref(walker->touched);
    g_free(walker->defined);
    ws_variable_accesses_clear(&walker->accesses);
    for (guint l = 0; l < LISTS; l++) {
        g_array_unref(walker->lists[l].variables);
        g_free(walker->lists[l].first);
    }
}

WsLiveness *ws_liveness_new(const WsIrFunction *function)
{
    WsLiveness *out = g_new0(WsLiveness, 1);
    guint32 blocks = function->blocks->len;
    ws_variables_init(&out->variables, function);
    out->segments = g_array_new(FALSE, FALSE, sizeof(WsSegment));
    out->first = g_new0(guint32, out->variables.count + 1);
    out->block_first = g_new(guint32, blocks + 1);
    for (guint32 b = 0; b < blocks; b++) {
        out->block_first[b] = out->instruction_count;
        out->instruction_count += ws_ir_length(ws_ir_block(function, b));
    }
    out->block_first[blocks] = out->instruction_count;

    out->number = g_new0(guint32, out->variables.count + 1);
    out->crossing = g_array_new(FALSE, FALSE, sizeof(guint32));
    out->live_in = g_new0(WsSharedSet, (gsize)blocks + 1);
    out->live_out = g_new0(WsSharedSet, (gsize)blocks + 1);

    Walker walker;
    walker_init(&walker, function, out);
    describe_blocks(&walker);
    g_autoptr(WsGraph) graph = ws_ir_graph(function);
    g_autoptr(WsGraph) back = ws_graph_reversed(graph);
    walker.graph = graph;
    walker.back = back;
    solve_defined(&walker);
    solve_live(&walker);
    emit_segments(&walker);
    walker_clear(&walker);
    return out;
}

void ws_liveness_free(WsLiveness *liveness)
{
    if (liveness == NULL)
        return;
    ws_variables_clear(&liveness->variables);
    g_array_unref(liveness->segments);
    g_free(liveness->first);
    g_free(liveness->block_first);
    g_free(liveness->number);
    g_array_unref(liveness->crossing);
    ws_shared_sets_free(liveness->sets);
    g_free(liveness->live_in);
    g_free(liveness->live_out);
    g_free(liveness);
}

void ws_liveness_list(const WsLiveness *liveness, WsSharedSet a, WsSharedSet b, GArray *list)
{
    guint from = list->len;
    ws_shared_set_list(liveness->sets, a, b, list);
    for (guint i = from; i < list->len; i++) {
        guint32 *number = &g_array_index(list, guint32, i);
        *number = g_array_index(liveness->crossing, guint32, *number);
    }
}

gboolean ws_liveness_contains(const WsLiveness *liveness, WsSharedSet set, guint32 variable)
{
    guint32 number = liveness->number[variable];
    return number != 0 && ws_shared_set_contains(liveness->sets, set, number - 1);
}
