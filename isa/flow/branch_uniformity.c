#include "isa/flow/branch_uniformity.h"

#include "isa/flow/dominators.h"

#include <string.h>

enum {
    REGISTERS = 256,
    FIRST_PREDICATE = REGISTERS,
    FIRST_UNIFORM = FIRST_PREDICATE + 8,
    FIRST_UNIFORM_PREDICATE = FIRST_UNIFORM + 64,
    STATE = FIRST_UNIFORM_PREDICATE + 8,
    /* Larger kernels are not analysed: everything counts as divergent. */
    MAX_BLOCKS = 1 << 13,
    MAX_ROUNDS = 8
};

typedef struct {
    const WsInstruction *program;
    const WsControlFlow *flow;
    guint8 *entry_state; /* [block][STATE] */
    guint8 *parted;      /* [block]: lanes may run it at different times */
    guint8 *condition;   /* [instruction]: the answer */
} Analysis;

static guint8 special_level(guint32 special)
{
    switch (ws_special_varies(special)) {
    case WS_VARIES_LANES:
        return WS_DIVERGENT;
    case WS_VARIES_WARPS:
        return WS_WARP_UNIFORM;
    default:
        return WS_UNIFORM;
    }
}

/* Reads `width` registers from `index`; the zero register is uniform. */
static guint8 read_range(const guint8 *state, guint base, guint32 index, guint width, guint zero)
{
    guint8 level = WS_UNIFORM;
    for (guint w = 0; index != zero && w < MAX(width, 1) && index + w < zero; w++) {
        level = MAX(level, state[base + index + w]);
    }
    return level;
}

static guint8 read_operand(const WsInstruction *instruction, guint n, const guint8 *state)
{
    const WsOperand *operand = &instruction->operand[n];
    guint width = ws_operand_width(instruction, n);
    switch (operand->kind) {
    case WS_OPERAND_REGISTER:
        return read_range(state, 0, operand->index, width, WS_RZ);
    case WS_OPERAND_CONSTANT:
    case WS_OPERAND_ADDRESS:
        return MAX(read_range(state, 0, operand->index, width, WS_RZ),
                   read_range(state, FIRST_UNIFORM, operand->uniform, 1, WS_URZ));
    case WS_OPERAND_PREDICATE:
        return read_range(state, FIRST_PREDICATE, operand->index, 1, WS_PT);
    case WS_OPERAND_UNIFORM_REGISTER:
        return read_range(state, FIRST_UNIFORM, operand->index, width, WS_URZ);
    case WS_OPERAND_UNIFORM_PREDICATE:
        return read_range(state, FIRST_UNIFORM_PREDICATE, operand->index, 1, WS_PT);
    case WS_OPERAND_SPECIAL:
        return special_level(operand->value);
    case WS_OPERAND_BARRIER:
        return WS_WARP_UNIFORM;
    default:
        return WS_UNIFORM;
    }
}

/* Level of what the instruction computes, from that of its sources. */
static guint8 result_level(const WsInstruction *instruction, guint8 sources)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    if (info->flags & WS_FLAG_WARP_VALUE)
        return WS_WARP_UNIFORM;
    if (info->flags & WS_FLAG_LANE_VALUE)
        return WS_DIVERGENT;
    /* What memory holds, or a barrier counts, may differ from warp to warp. */
    if (ws_kind_is_memory(info->kind) || info->kind == WS_KIND_BARRIER)
        return MAX(sources, WS_WARP_UNIFORM);
    return sources;
}

static void write_range(guint8 *state, guint base, guint32 index, guint width, guint zero,
                        guint8 level, gboolean merge)
{
    for (guint w = 0; index != zero && w < MAX(width, 1) && index + w < zero; w++) {
        guint8 *at = &state[base + index + w];
        *at = merge ? MAX(*at, level) : level;
    }
}

static void write_operand(const WsInstruction *instruction, guint n, guint8 *state, guint8 level,
                          gboolean merge)
{
    const WsOperand *operand = &instruction->operand[n];
    guint width = ws_operand_width(instruction, n);
    switch (operand->kind) {
    case WS_OPERAND_REGISTER:
        write_range(state, 0, operand->index, width, WS_RZ, level, merge);
        break;
    case WS_OPERAND_PREDICATE:
        write_range(state, FIRST_PREDICATE, operand->index, 1, WS_PT, level, merge);
        break;
    case WS_OPERAND_UNIFORM_REGISTER:
        write_range(state, FIRST_UNIFORM, operand->index, width, WS_URZ, level, merge);
        break;
    case WS_OPERAND_UNIFORM_PREDICATE:
        write_range(state, FIRST_UNIFORM_PREDICATE, operand->index, 1, WS_PT, level, merge);
        break;
    default:
        break;
    }
}

/* R2P writes predicates that it does not name as operands. */
static void write_masked_predicates(const WsInstruction *instruction, guint8 *state, guint8 level)
{
    guint32 mask = instruction->operand[1].value;
    for (guint p = 0; p < WS_PT; p++) {
        if ((mask >> p & 1) != 0) {
            guint8 *at = &state[FIRST_PREDICATE + p];
            *at = MAX(*at, level);
        }
    }
}

static guint8 read_guard(const WsInstruction *instruction, const guint8 *state)
{
    return ws_is_guarded_uniformly(instruction)
               ? read_range(state, FIRST_UNIFORM_PREDICATE, instruction->guard - WS_GUARD_UNIFORM,
                            1, WS_PT)
               : read_range(state, FIRST_PREDICATE, instruction->guard, 1, WS_PT);
}

static guint8 condition_of(const WsInstruction *instruction, const guint8 *state)
{
    guint8 level = read_guard(instruction, state);
    if (ws_is_kind(instruction, WS_KIND_BRA) || ws_is_kind(instruction, WS_KIND_EXIT) ||
        ws_is_kind(instruction, WS_KIND_BRX) || ws_is_kind(instruction, WS_KIND_RET)) {
        level = MAX(level, read_operand(instruction, 0, state));
    }
    return level;
}

static void step(const WsInstruction *instruction, gboolean parted, guint8 *state)
{
    guint8 guard = read_guard(instruction, state);
    guint8 sources = WS_UNIFORM;
    for (guint n = 0; n < instruction->operand_count; n++) {
        if (!ws_operand_is_destination(instruction, n)) {
            sources = MAX(sources, read_operand(instruction, n, state));
        }
    }
    if (ws_opcode_has(instruction->opcode, WS_FLAG_PREDICATES_IN)) {
        for (guint p = 0; p < WS_PT; p++) {
            sources = MAX(sources, state[FIRST_PREDICATE + p]);
        }
    }
    guint8 level = MAX(result_level(instruction, sources), guard);
    if (parted) {
        level = WS_DIVERGENT;
    }
    if (ws_opcode_has(instruction->opcode, WS_FLAG_PREDICATES_OUT)) {
        write_masked_predicates(instruction, state, level);
    }
    gboolean merge = ws_is_guarded(instruction);
    for (guint n = 0; n < instruction->operand_count; n++) {
        if (ws_operand_is_destination(instruction, n)) {
            write_operand(instruction, n, state, level, merge);
        }
    }
}

static gboolean merge_into(guint8 *to, const guint8 *from)
{
    gboolean changed = FALSE;
    for (guint i = 0; i < STATE; i++) {
        if (from[i] > to[i]) {
            to[i] = from[i];
            changed = TRUE;
        }
    }
    return changed;
}

static void flow_block(Analysis *analysis, guint32 block, guint8 *state)
{
    const WsBlock *at = &analysis->flow->blocks[block];
    guint32 first = analysis->flow->blocks[0].first;
    memcpy(state, analysis->entry_state + (gsize)block * STATE, STATE);
    for (guint32 i = at->first; i < at->first + at->count; i++) {
        const WsInstruction *instruction = &analysis->program[i];
        analysis->condition[i - first] = condition_of(instruction, state);
        step(instruction, analysis->parted[block], state);
        if (ws_is_kind(instruction, WS_KIND_CALL)) {
            memset(state, WS_DIVERGENT, STATE); /* the callee may write anything */
        }
    }
}

static void flow_states(Analysis *analysis)
{
    const WsGraph *graph = analysis->flow->graph;
    g_autoptr(GQueue) work = g_queue_new();
    g_autofree guint8 *queued = g_malloc0(graph->count);
    for (guint32 block = 0; block < graph->count; block++) {
        g_queue_push_tail(work, GUINT_TO_POINTER(block));
        queued[block] = TRUE;
    }
    while (!g_queue_is_empty(work)) {
        guint32 block = GPOINTER_TO_UINT(g_queue_pop_head(work));
        guint8 state[STATE];
        queued[block] = FALSE;
        flow_block(analysis, block, state);
        for (guint32 e = graph->first[block]; e < graph->first[block + 1]; e++) {
            guint32 next = graph->successors[e];
            if (merge_into(analysis->entry_state + (gsize)next * STATE, state) && !queued[next]) {
                queued[next] = TRUE;
                g_queue_push_tail(work, GUINT_TO_POINTER(next));
            }
        }
    }
}

/* Marks what lies between a divergent branch and its join. TRUE if anything is new. */
static gboolean mark_parted(Analysis *analysis, guint32 block, guint32 join, guint32 *stack,
                            guint32 *mark)
{
    const WsGraph *graph = analysis->flow->graph;
    gboolean changed = FALSE;
    guint32 depth = 0;
    stack[depth++] = block;
    while (depth > 0) {
        guint32 at = stack[--depth];
        for (guint32 e = graph->first[at]; e < graph->first[at + 1]; e++) {
            guint32 next = graph->successors[e];
            if (next != join && mark[next] != block) {
                mark[next] = block;
                stack[depth++] = next;
                changed = changed || !analysis->parted[next];
                analysis->parted[next] = TRUE;
            }
        }
    }
    return changed;
}

static gboolean part_blocks(Analysis *analysis, const guint32 *post)
{
    const WsControlFlow *flow = analysis->flow;
    g_autofree guint32 *stack = g_new(guint32, (gsize)flow->block_count + 1);
    g_autofree guint32 *mark = g_new(guint32, (gsize)flow->block_count + 1);
    memset(mark, 0xff, sizeof(guint32) * ((gsize)flow->block_count + 1));
    gboolean changed = FALSE;
    for (guint32 block = 0; block < flow->block_count; block++) {
        guint32 last = flow->blocks[block].first + flow->blocks[block].count - 1;
        guint32 first = flow->blocks[0].first;
        gboolean several = flow->graph->first[block + 1] - flow->graph->first[block] > 1;
        gboolean table = ws_is_kind(&analysis->program[last], WS_KIND_BRX);
        if ((several || table) && analysis->condition[last - first] == WS_DIVERGENT) {
            /* The rows of a table hang on its first one, which is the only successor. */
            guint32 edge = flow->graph->first[block];
            guint32 row = several || edge == flow->graph->first[block + 1]
                              ? block
                              : flow->graph->successors[edge];
            guint32 join = table ? post[row] : post[block];
            changed = mark_parted(analysis, block, join, stack, mark) || changed;
        }
    }
    return changed;
}

guint8 *ws_condition_uniformity(const WsInstruction *program, const WsControlFlow *flow)
{
    guint32 blocks = flow->block_count;
    gsize count = 0;
    if (blocks > 0) {
        count =
            flow->blocks[blocks - 1].first + flow->blocks[blocks - 1].count - flow->blocks[0].first;
    }
    guint8 *condition = g_malloc0(count + 1);
    gboolean stable = FALSE;
    if (blocks <= MAX_BLOCKS) {
        g_autofree guint8 *state = g_malloc0((gsize)blocks * STATE + 1);
        g_autofree guint8 *parted = g_malloc0((gsize)blocks + 1);
        g_autofree guint32 *post = ws_graph_post_dominators(flow->graph);
        Analysis analysis = {program, flow, state, parted, condition};
        for (guint e = 1; e < flow->entries->len; e++) {
            guint32 entry = g_array_index(flow->entries, guint32, e);
            memset(state + (gsize)entry * STATE, WS_DIVERGENT, STATE);
        }
        for (guint round = 0; round < MAX_ROUNDS && !stable; round++) {
            flow_states(&analysis);
            stable = !part_blocks(&analysis, post);
        }
    }
    for (gsize i = 0; i < count && !stable; i++) {
        const WsInstruction *instruction = &program[flow->blocks[0].first + i];
        gboolean conditional = ws_branch_is_conditional(instruction) ||
                               ws_is_kind(instruction, WS_KIND_BRX) ||
                               ws_is_kind(instruction, WS_KIND_RET);
        condition[i] = conditional ? WS_DIVERGENT : WS_UNIFORM;
    }
    return condition;
}
