#include "isa/ir/liveness.h"

/*
 * State of a variable at a point of the backward walk: dead, live, or live for the lanes that a
 * guard lets through.
 */
enum { DEAD = 0, LIVE = 1, UNDER = 2 /* + 2 * predicate variable number + negated */ };

typedef struct {
    guint64 *bits;
    gsize words;
} BitRows;

/* A variable that may be in an UNDER state. */
typedef struct {
    guint32 variable;
    guint32 predicate;
    guint32 next; /* the one before under the same predicate + 1 */
} Conditional;

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
    guint32 *global;    /* per variable: number among those live between blocks + 1, 0 = none */
    GArray *globals;    /* of guint32: variables */
    BitRows gen, pass, in, out_rows, written, defined;
    gboolean emit; /* segments are wanted */
} Walker;

static void rows_init(BitRows *rows, guint32 blocks, guint32 bits)
{
    rows->words = (bits + 63) / 64;
    rows->bits = g_new0(guint64, rows->words * blocks + 1);
}

static inline guint64 *row(const BitRows *rows, guint32 block)
{
    return rows->bits + rows->words * block;
}

static inline void set_bit(guint64 *bits, guint32 n)
{
    bits[n / 64] |= G_GUINT64_CONSTANT(1) << (n % 64);
}

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

/* Variables that some block reads before it writes them fully: only these cross blocks. */
static void find_globals(Walker *walker)
{
    for (guint32 b = 0; b < walker->function->blocks->len; b++) {
        collect_touched(walker, b);
        walk_block(walker, b);
        for (guint i = 0; i < walker->touched->len; i++) {
            guint32 variable = g_array_index(walker->touched, guint32, i);
            if (walker->state[variable] != DEAD && walker->global[variable] == 0) {
                g_array_append_val(walker->globals, variable);
                walker->global[variable] = walker->globals->len;
            }
        }
        reset_touched(walker);
    }
}

static void fill_rows(Walker *walker)
{
    for (guint32 b = 0; b < walker->function->blocks->len; b++) {
        collect_touched(walker, b);
        walk_block(walker, b);
        memset(row(&walker->pass, b), 0xff, walker->pass.words * sizeof(guint64));
        for (guint i = 0; i < walker->touched->len; i++) {
            guint32 variable = g_array_index(walker->touched, guint32, i);
            guint32 global = walker->global[variable];
            if (global != 0 && walker->state[variable] != DEAD)
                set_bit(row(&walker->gen, b), global - 1);
            if (global != 0 && (walker->is_touched[variable] & 2))
                set_bit(row(&walker->written, b), global - 1);
            walker->state[variable] = LIVE;
        }
        walk_block(walker, b);
        for (guint i = 0; i < walker->touched->len; i++) {
            guint32 variable = g_array_index(walker->touched, guint32, i);
            guint32 global = walker->global[variable];
            if (global != 0 && walker->state[variable] == DEAD)
                row(&walker->pass, b)[(global - 1) / 64] &=
                    ~(G_GUINT64_CONSTANT(1) << ((global - 1) % 64));
        }
        reset_touched(walker);
    }
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

static gboolean add_row(guint64 *to, const guint64 *from, gsize words)
{
    guint64 added = 0;
    for (gsize w = 0; w < words; w++) {
        added |= from[w] & ~to[w];
        to[w] |= from[w];
    }
    return added != 0;
}

/* defined[b]: what may have been written when control leaves b. Forward, to a fixed point. */
static void solve_defined(Walker *walker)
{
    const WsGraph *graph = walker->graph;
    Queue queue;
    for (guint32 b = 0; b < graph->count; b++)
        memcpy(row(&walker->defined, b), row(&walker->written, b),
               walker->defined.words * sizeof(guint64));
    queue_init(&queue, graph, FALSE);
    while (queue.count > 0) {
        guint32 b = queue_pop(&queue);
        for (guint32 e = graph->first[b]; e < graph->first[b + 1]; e++) {
            guint32 next = graph->successors[e];
            if (add_row(row(&walker->defined, next), row(&walker->defined, b),
                        walker->defined.words))
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
    guint32 target = ws_branch_target(branch);
    if (add_row(row(&walker->out_rows, target), row(&walker->out_rows, b), walker->in.words))
        queue_push(queue, target);
}

static void solve_live(Walker *walker)
{
    const WsGraph *graph = walker->graph, *back = walker->back;
    Queue queue;
    queue_init(&queue, graph, TRUE);
    while (queue.count > 0) {
        guint32 b = queue_pop(&queue);
        guint64 *out = row(&walker->out_rows, b);
        guint64 *in = row(&walker->in, b);
        const guint64 *defined = row(&walker->defined, b);
        gboolean changed = FALSE;
        for (guint32 e = graph->first[b]; e < graph->first[b + 1]; e++) {
            const guint64 *from = row(&walker->in, graph->successors[e]);
            for (gsize w = 0; w < walker->in.words; w++)
                out[w] |= from[w] & defined[w];
        }
        keep_across_call(walker, b, &queue);
        for (gsize w = 0; w < walker->in.words; w++) {
            guint64 live = row(&walker->gen, b)[w] | (out[w] & row(&walker->pass, b)[w]);
            changed |= live != in[w];
            in[w] = live;
        }
        for (guint32 e = back->first[b]; changed && e < back->first[b + 1]; e++)
            queue_push(&queue, back->successors[e]);
    }
    queue_clear(&queue);
}

/* Fills `list`; returns how many they are. */
static guint words_of_row(const Walker *walker, const BitRows *rows, guint32 b, guint32 *list)
{
    guint count = 0;
    const guint64 *bits = row(rows, b);
    for (gsize w = 0; w < rows->words; w++) {
        for (guint64 rest = bits[w]; rest != 0; rest &= rest - 1) {
            guint32 n = (guint32)(w * 64) + (guint32)__builtin_ctzll(rest);
            if (n < walker->globals->len)
                list[count++] = g_array_index(walker->globals, guint32, n);
        }
    }
    return count;
}

static void emit_segments(Walker *walker)
{
    g_autofree guint32 *live = g_new(guint32, walker->globals->len + 1);
    walker->emit = TRUE;
    for (guint32 b = walker->function->blocks->len; b-- > 0;) {
        guint32 begin = 2 * walker->out->block_first[b];
        guint32 end = 2 * walker->out->block_first[b + 1];
        guint live_count = words_of_row(walker, &walker->out_rows, b, live);
        for (guint i = 0; i < live_count; i++) {
            walker->state[live[i]] = LIVE;
            walker->end[live[i]] = end;
        }
        collect_touched(walker, b);
        walk_block(walker, b);
        for (guint i = 0; i < walker->touched->len; i++) {
            guint32 variable = g_array_index(walker->touched, guint32, i);
            if (walker->state[variable] != DEAD)
                close_segment(walker, variable, begin);
        }
        for (guint i = 0; i < live_count; i++) {
            if (!walker->is_touched[live[i]] && begin < end)
                close_segment(walker, live[i], begin);
        }
        reset_touched(walker);
        for (guint i = 0; i < live_count; i++)
            walker->state[live[i]] = DEAD;
    }
}

static void walker_init(Walker *walker, const WsIrFunction *function, WsLiveness *out)
{
    guint32 count = out->variables.count;
    *walker = (Walker){.function = function, .out = out};
    walker->state = g_new0(guint32, count + 1);
    walker->end = g_new0(guint32, count + 1);
    walker->is_touched = g_new0(guint8, count + 1);
    walker->global = g_new0(guint32, count + 1);
    walker->conditional = g_array_new(FALSE, FALSE, sizeof(Conditional));
    walker->under = g_new0(guint32, (gsize)function->predicate_count + WS_PT + 1);
    walker->touched = g_array_new(FALSE, FALSE, sizeof(guint32));
    walker->globals = g_array_new(FALSE, FALSE, sizeof(guint32));
}

static void walker_clear(Walker *walker)
{
    g_free(walker->state);
    g_free(walker->end);
    g_free(walker->is_touched);
    g_free(walker->global);
    g_array_unref(walker->conditional);
    g_free(walker->under);
    g_array_unref(walker->touched);
    g_array_unref(walker->globals);
    g_free(walker->gen.bits);
    g_free(walker->pass.bits);
    g_free(walker->in.bits);
    g_free(walker->out_rows.bits);
    g_free(walker->written.bits);
    g_free(walker->defined.bits);
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

    Walker walker;
    walker_init(&walker, function, out);
    find_globals(&walker);
    BitRows *rows[] = {&walker.gen,      &walker.pass,    &walker.in,
                       &walker.out_rows, &walker.written, &walker.defined};
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
        rows_init(rows[i], blocks, walker.globals->len);
    fill_rows(&walker);
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
    g_free(liveness);
}

static guint32 block_at(const WsLiveness *liveness, guint32 blocks, guint32 position)
{
    guint32 low = 0;
    guint32 high = blocks;
    while (high - low > 1) {
        guint32 middle = low + (high - low) / 2;
        if (2 * liveness->block_first[middle] <= position)
            low = middle;
        else
            high = middle;
    }
    return low;
}

GPtrArray *ws_liveness_borders(const WsLiveness *liveness, guint32 blocks, gboolean ends)
{
    GPtrArray *lists = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    for (guint32 b = 0; b < blocks; b++)
        g_ptr_array_add(lists, g_array_new(FALSE, FALSE, sizeof(guint32)));
    for (guint32 word = 0; word < liveness->variables.count; word++) {
        const WsSegment *segment = ws_liveness_first(liveness, word);
        for (; segment != NULL; segment = ws_liveness_next(liveness, segment)) {
            guint32 b = block_at(liveness, blocks, segment->begin);
            for (; b < blocks && 2 * liveness->block_first[b] < segment->end; b++) {
                guint32 border = 2 * liveness->block_first[ends ? b + 1 : b];
                gboolean live = ends ? segment->end >= border : segment->begin <= border;
                if (live && liveness->block_first[b] < liveness->block_first[b + 1])
                    g_array_append_val(lists->pdata[b], word);
            }
        }
    }
    return lists;
}
