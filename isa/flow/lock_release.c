#include "isa/flow/lock_release.h"

#include <string.h>

#include "isa/flow/lock_take.h"
#include "isa/flow/loops.h"

static const WsOperand *address_of(const WsInstruction *instruction)
{
    for (guint n = 0; n < instruction->operand_count; n++)
        if (instruction->operand[n].kind == WS_OPERAND_ADDRESS)
            return &instruction->operand[n];
    return NULL;
}

/* Local memory is a lane's own and holds no lock. */
static gboolean stores(const WsInstruction *instruction)
{
    guint flags = ws_opcode_info(instruction->opcode)->flags;

    return ((flags & WS_FLAG_STORE) && !(flags & WS_FLAG_LOCAL)) || ws_is_exchange(instruction);
}

static gboolean same_place(const WsOperand *a, const WsOperand *b)
{
    return a->index == b->index && a->bank == b->bank && a->value == b->value &&
           a->uniform == b->uniform;
}

/* The first of the block's instructions for which `test` holds, at `lock` if that is given. */
static const WsInstruction *find(const WsInstruction *program, const WsBlock *block,
                                 gboolean (*test)(const WsInstruction *), const WsOperand *lock)
{
    for (guint32 i = 0; i < block->count; i++) {
        const WsInstruction *instruction = &program[block->first + i];
        const WsOperand *address = test(instruction) ? address_of(instruction) : NULL;

        if (address != NULL && (lock == NULL || same_place(address, lock)))
            return instruction;
    }
    return NULL;
}

/* Whether the instruction writes a register of the address. */
static gboolean moves(const WsInstruction *instruction, const WsOperand *address)
{
    for (guint n = 0; n < instruction->operand_count; n++) {
        const WsOperand *o = &instruction->operand[n];
        gboolean uniform = o->kind == WS_OPERAND_UNIFORM_REGISTER;
        guint32 used = uniform ? address->uniform : address->index;
        guint32 none = uniform ? WS_URZ : WS_RZ;

        if ((uniform || o->kind == WS_OPERAND_REGISTER) && used != none &&
            ws_operand_is_destination(instruction, n) && o->index <= used + 1 &&
            used < o->index + ws_operand_width(instruction, n))
            return TRUE;
    }
    return FALSE;
}

/* Whether the block writes a register of the address before instruction `end`, if that is in it. */
static gboolean moves_before(const WsInstruction *program, const WsBlock *block,
                             const WsInstruction *end, const WsOperand *address)
{
    for (guint32 i = 0; i < block->count && &program[block->first + i] != end; i++)
        if (moves(&program[block->first + i], address))
            return TRUE;
    return FALSE;
}

static WsPlaceInBlock place_of(const WsInstruction *program, const WsBlock *block,
                               const WsInstruction *instruction)
{
    const WsInstruction *code = &program[block->first];

    return (WsPlaceInBlock){code, block->count, (guint32)(instruction - code)};
}

/* The exchange with which the loop takes a lock; `code` is NULL if there is none. */
static WsPlaceInBlock taker_of(const WsInstruction *program, const WsControlFlow *flow,
                               const WsLoops *loops, guint32 loop)
{
    for (guint32 b = 0; b < flow->block_count; b++) {
        const WsBlock *block = &flow->blocks[b];
        const WsInstruction *taker = find(program, block, ws_is_exchange, NULL);

        if (taker != NULL && ws_loop_holds(loops, loop, b))
            return place_of(program, block, taker);
    }
    return (WsPlaceInBlock){0};
}

static gboolean leaves(const WsControlFlow *flow, const WsLoops *loops, guint32 loop, guint32 block)
{
    const WsGraph *graph = flow->graph;

    for (guint32 e = graph->first[block]; e < graph->first[block + 1]; e++)
        if (!ws_loop_holds(loops, loop, graph->successors[e]))
            return TRUE;
    return FALSE;
}

guint32 ws_join_behind_release(const WsInstruction *program, const WsControlFlow *flow,
                               const WsLoops *loops, const guint32 *post, guint32 branch,
                               guint32 *ret_split)
{
    guint32 loop = loops->innermost[branch];
    const WsOperand *lock;
    WsPlaceInBlock taker;

    *ret_split = WS_NO_NODE;
    if (loop == WS_NO_NODE || !leaves(flow, loops, loop, branch))
        return WS_NO_NODE;
    taker = taker_of(program, flow, loops, loop);
    if (taker.code == NULL)
        return WS_NO_NODE;
    lock = address_of(&taker.code[taker.at]);
    for (guint32 b = post[branch]; b < flow->block_count; b = post[b]) {
        const WsBlock *block = &flow->blocks[b];
        const WsInstruction *release = find(program, block, stores, lock);
        guint32 behind = release == NULL ? 0 : (guint32)(release - program) + 1;
        WsPlaceInBlock place;

        if (ws_loop_holds(loops, loop, b))
            continue;
        if (moves_before(program, block, release, lock)) /* from here on it is another place */
            return WS_NO_NODE;
        if (release == NULL)
            continue;
        place = place_of(program, block, release);
        if (ws_takes_again(&place, &taker)) /* the loop has given it back */
            return WS_NO_NODE;
        if (behind < block->first + block->count) {
            *ret_split = behind;
            return WS_NO_NODE;
        }
        return post[b] < flow->block_count ? post[b] : WS_NO_NODE;
    }
    return WS_NO_NODE;
}

static WsGraph *graph_with(const WsGraph *graph, guint32 split)
{
    g_autoptr(GArray) edges = g_array_new(FALSE, FALSE, sizeof(WsEdge));
    WsEdge between = {split, split + 1};

    for (guint32 from = 0; from < graph->count; from++) {
        for (guint32 e = graph->first[from]; e < graph->first[from + 1]; e++) {
            guint32 to = graph->successors[e];
            WsEdge edge = {from + (from >= split), to + (to > split)};

            g_array_append_val(edges, edge);
        }
    }
    g_array_append_val(edges, between);
    return ws_graph_new(graph->count + 1, (const WsEdge *)(gpointer)edges->data, edges->len);
}

WsControlFlow *ws_control_flow_split(const WsControlFlow *flow, guint32 first, guint32 count,
                                     guint32 number)
{
    WsControlFlow *ret = g_new0(WsControlFlow, 1);
    guint32 split = flow->block_of[number - first];
    guint32 done = number - flow->blocks[split].first;

    ret->block_count = flow->block_count + 1;
    ret->blocks = g_new(WsBlock, ret->block_count);
    memcpy(ret->blocks, flow->blocks, (split + 1) * sizeof *ret->blocks);
    memcpy(&ret->blocks[split + 1], &flow->blocks[split],
           (flow->block_count - split) * sizeof *ret->blocks);
    ret->blocks[split].count = done;
    ret->blocks[split + 1].first = number;
    ret->blocks[split + 1].count -= done;
    ret->block_of = g_new(guint32, count);
    for (guint32 i = 0; i < count; i++)
        ret->block_of[i] =
            flow->block_of[i] +
            (flow->block_of[i] > split || (flow->block_of[i] == split && first + i >= number));
    ret->in_table = g_memdup2(flow->in_table, count);
    ret->graph = graph_with(flow->graph, split);
    ret->entries = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint i = 0; i < flow->entries->len; i++) {
        guint32 entry = g_array_index(flow->entries, guint32, i);

        entry += entry > split;
        g_array_append_val(ret->entries, entry);
    }
    ret->falls_off = flow->falls_off;
    return ret;
}
