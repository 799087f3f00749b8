#include "isa/ir/liveness.h"

/*
 * State of a variable at a point of the backward walk: dead, live, or live for the lanes that a
 * guard lets through.
 */
enum { DEAD = 0, LIVE = 1, UNDER = 2 /* + 2 * predicate variable number + negated */ };
enum { NOT_CROSSING = G_MAXUINT32 };

/* A variable that may be in an UNDER state. */
typedef struct {
    guint32 variable;
    guint32 predicate;
    guint32 next; /* the one before under the same predicate + 1 */
} Conditional;

/* Facts of the blocks, as sets of what is numbered in `numbers`; one entry a block. */
typedef struct {
    WsSharedSet *gen;     /* read before it is written */
    WsSharedSet *killed;  /* written on the way, whatever is live behind */
    WsSharedSet *written; /* by some lanes at least */
    WsSharedSet *defined; /* may have been written when control leaves the block */
} Facts;

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
    Facts facts;
    gboolean emit; /* segments are wanted */
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

/* Virtual predicates first, then the physical ones. */
static guint32 predicate_number(const Walker *walker, guint32 index)
{
    return index >= WS_VIRTUAL_BASE ? index - WS_VIRTUAL_BASE
                                    : walker->function->predicate_count + index;
}

static void walk_instruction(Walker *walker, const WsInstruction *instruction, guint32 number)
{
    const WsVariables *variables = &walker->out->variables;
    WsAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    guint32 condition = LIVE;
    if (instruction->guard != WS_PT)
        condition = UNDER + 2 * predicate_number(walker, instruction->guard) +
                    (instruction->guard_negated != 0);
    for (guint a = 0; a < count; a++) {
        if (accesses[a].write && accesses[a].file == WS_FILE_PREDICATE)
            forget_condition(walker, predicate_number(walker, accesses[a].index));
    }
    for (guint a = 0; a < count; a++) {
        guint32 first = 0;
        guint words = accesses[a].write ? ws_variables_of(variables, &accesses[a], &first) : 0;
        for (guint w = 0; w < words; w++)
            walk_write(walker, first + w, condition, 2 * number + 1);
    }
    for (guint a = 0; a < count; a++) {
        guint32 first = 0;
        guint words = accesses[a].write ? 0 : ws_variables_of(variables, &accesses[a], &first);
        gboolean guard = accesses[a].operand == WS_ACCESS_GUARD;
        for (guint w = 0; w < words; w++)
            walk_read(walker, first + w, guard ? LIVE : condition, 2 * number);
    }
}

static void walk_block(Walker *walker, guint32 b)
{
    WsIrBlock *block = ws_ir_block(walker->function, b);
    guint32 first = walker->out->block_first[b];
    for (guint i = ws_ir_length(block); i-- > 0;)
        walk_instruction(walker, ws_ir_instruction(block, i), first + i);
    forget_conditions(walker);
}

static void collect_touched(Walker *walker, guint32 b)
{
    g_array_set_size(walker->touched, 0);
    WsIrBlock *block = ws_ir_block(walker->function, b);
    for (guint i = 0; i < ws_ir_length(block); i++) {
        WsAccess accesses[WS_MAX_ACCESSES];
        guint count = ws_instruction_accesses(ws_ir_instruction(block, i), accesses);
        for (guint a = 0; a < count; a++) {
            guint32 first = 0;
            guint words = ws_variables_of(&walker->out->variables, &accesses[a], &first);
            for (guint w = 0; w < words; w++) {
                guint32 variable = first + w;
                if (!(walker->is_touched[variable] & 1))
                    g_array_append_val(walker->touched, variable);
                walker->is_touched[variable] |= accesses[a].write ? 3 : 1;
            }
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

/* What the blocks say of variables: lists one after the other, in the order of the blocks. */
typedef struct {
    GArray *variables; /* of guint32 */
    guint32 *first;    /* [blocks + 1] */
} Lists;

static void lists_init(Lists *lists, guint32 blocks)
{
    lists->variables = g_array_new(FALSE, FALSE, sizeof(guint32));
    lists->first = g_new0(guint32, (gsize)blocks + 1);
}

static void lists_clear(Lists *lists)
{
    g_array_unref(lists->variables);
    g_free(lists->first);
}

enum { GEN, KILLED, WRITTEN, LISTS };

static void describe_block(Walker *walker, guint32 b, Lists lists[LISTS])
{
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

/* A set a block, of those of a list that cross blocks. */
static WsSharedSet *sets_of(const Walker *walker, const Lists *lists)
{
    guint32 blocks = walker->function->blocks->len;
    WsSharedSet *ret = g_new(WsSharedSet, (gsize)blocks + 1);
    g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint32 b = 0; b < blocks; b++) {
        g_array_set_size(numbers, 0);
        for (guint32 i = lists->first[b]; i < lists->first[b + 1]; i++) {
            guint32 number = walker->out->number[g_array_index(lists->variables, guint32, i)] - 1;
            if (number != NOT_CROSSING)
                g_array_append_val(numbers, number);
        }
        g_array_sort(numbers, compare_numbers);
        ret[b] = ws_shared_set_of(walker->out->sets, (const guint32 *)(void *)numbers->data,
                                  numbers->len);
    }
    return ret;
}

static void describe_blocks(Walker *walker)
{
    guint32 blocks = walker->function->blocks->len;
    Lists lists[LISTS];
    for (guint l = 0; l < LISTS; l++)
        lists_init(&lists[l], blocks);
    for (guint32 b = 0; b < blocks; b++)
        describe_block(walker, b, lists);
    number_crossing(walker, lists[GEN].variables);
    walker->out->sets = ws_shared_sets_new(walker->out->crossing->len);
    walker->facts.gen = sets_of(walker, &lists[GEN]);
    walker->facts.killed = sets_of(walker, &lists[KILLED]);
    walker->facts.written = sets_of(walker, &lists[WRITTEN]);
    for (guint l = 0; l < LISTS; l++)
        lists_clear(&lists[l]);
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
    WsSharedSet *defined =
        g_memdup2(walker->facts.written, sizeof(WsSharedSet) * ((gsize)graph->count + 1));
    walker->facts.defined = defined;
    Queue queue;
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
    if (branch->opcode != WS_OP_CALL)
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
            WsSharedSet wanted = ws_shared_set_intersection(sets, in[graph->successors[e]],
                                                            walker->facts.defined[b]);
            out[b] = ws_shared_set_union(sets, out[b], wanted);
        }
        keep_across_call(walker, b, &queue);
        WsSharedSet passed = ws_shared_set_difference(sets, out[b], walker->facts.killed[b]);
        WsSharedSet live = ws_shared_set_union(sets, walker->facts.gen[b], passed);
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
            WsSharedSet dead = ws_shared_set_of(out->sets, &number, 1);
            out->live_in[b] = ws_shared_set_difference(out->sets, out->live_in[b], dead);
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
    walker->under = g_new0(guint32, (gsize)function->predicate_count + WS_PT + 1);
    walker->touched = g_array_new(FALSE, FALSE, sizeof(guint32));
}

static void walker_clear(Walker *walker)
{
    g_free(walker->state);
    g_free(walker->end);
    g_free(walker->is_touched);
    g_array_unref(walker->conditional);
    g_free(walker->under);
    g_array_unref(walker->touched);
    g_free(walker->facts.gen);
    g_free(walker->facts.killed);
    g_free(walker->facts.written);
    g_free(walker->facts.defined);
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
