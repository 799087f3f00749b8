#include "isa/flow/reconvergence.h"

#include <string.h>

#include "isa/bytecode/opcode.h"
#include "isa/flow/branch_uniformity.h"
#include "isa/flow/control_flow.h"
#include "isa/flow/dominators.h"
#include "isa/flow/lock_release.h"
#include "isa/flow/loops.h"

enum {
    BARRIERS = 16,
    MAX_BLOCKS = 1 << 13, /* larger kernels keep their code; the passes are not linear */
    MAX_EXITS = 64,       /* candidates for the exit that counts */
    MAX_SPLITS = 64       /* blocks split behind the release of a lock */
};

/* One barrier: where it is set and where it is waited for. */
typedef struct {
    gboolean preheader; /* set on the way into the loop at `block`, else before its last branch */
    guint32 block;
    guint32 join;
    guint32 reg;          /* B register */
    guint32 wait;         /* new number of its BSYNC */
    guint8 *region;       /* [block]: between the two */
    gboolean from_inside; /* the join is the header of a loop that holds the branch */
} Placement;

typedef struct {
    const WsInstruction *program;
    guint32 first;
    guint32 count;
    WsControlFlow *flow;
    WsGraph *live; /* without the ways to early exits */
    WsLoops *loops;
    guint32 *post;
    guint32 *position; /* of blocks in reverse post-order */
    GPtrArray *placements;
    /* layout */
    guint32 *outside_entry; /* [block]: where edges from outside its loop land */
    guint32 *inside_entry;  /* [block]: where back edges and inner edges land */
    WsReconvergence *out;
    GArray *made; /* of guint32, one a new instruction: MADE_* or MADE_SET + placement */
} Placer;

enum { MADE_NOT, MADE_JUMP, MADE_SET };

static void placement_free(Placement *placement)
{
    g_free(placement->region);
    g_free(placement);
}

/* ---- the live graph ---------------------------------------------------------------------------
 */

static const WsInstruction *last_of(const Placer *placer, guint32 block)
{
    const WsBlock *at = &placer->flow->blocks[block];
    return &placer->program[at->first + at->count - 1];
}

/* The block that ends the kernel for most others; the last one of equals. WS_NO_NODE if none. */
static guint32 main_exit(const Placer *placer, const WsGraph *back, guint32 *stack)
{
    const WsGraph *graph = placer->flow->graph;
    guint32 best = WS_NO_NODE;
    guint32 best_count = 0;
    guint tried = 0;
    g_autofree guint8 *marked = g_malloc(graph->count);
    for (guint32 block = graph->count; block-- > 0 && tried < MAX_EXITS;) {
        if (graph->first[block] == graph->first[block + 1] &&
            last_of(placer, block)->opcode == WS_OP_EXIT) {
            tried++;
            memset(marked, 0, graph->count);
            guint32 count = ws_graph_mark(back, block, marked, stack);
            if (count > best_count) {
                best_count = count;
                best = block;
            }
        }
    }
    return best;
}

/* Drops edges into blocks that only lead to an early exit or into an endless loop. */
static WsGraph *live_graph(const Placer *placer)
{
    const WsGraph *graph = placer->flow->graph;
    g_autoptr(WsGraph) back = ws_graph_reversed(graph);
    g_autofree guint32 *stack = g_new(guint32, (gsize)graph->count + 1);
    g_autofree guint8 *alive = g_malloc0((gsize)graph->count + 1);
    guint32 exit = main_exit(placer, back, stack);
    for (guint32 block = 0; block < graph->count; block++) {
        gboolean ends = graph->first[block] == graph->first[block + 1];
        if (ends && (block == exit || last_of(placer, block)->opcode == WS_OP_RET)) {
            ws_graph_mark(back, block, alive, stack);
        }
    }
    g_autoptr(GArray) edges = g_array_new(FALSE, FALSE, sizeof(WsEdge));
    for (guint32 block = 0; block < graph->count; block++) {
        for (guint32 e = graph->first[block]; e < graph->first[block + 1]; e++) {
            WsEdge edge = {block, graph->successors[e]};
            if (alive[edge.to] || !alive[block]) {
                g_array_append_val(edges, edge);
            }
        }
    }
    return ws_graph_new(graph->count, (const WsEdge *)(gpointer)edges->data, edges->len);
}

/* ---- which barriers ---------------------------------------------------------------------------
 */

/* The loop that has `block` as its header, or WS_NO_NODE. */
static guint32 loop_of_header(const WsLoops *loops, guint32 block)
{
    guint32 loop = loops->innermost[block];
    return loop != WS_NO_NODE && loops->loops[loop].header == block ? loop : WS_NO_NODE;
}

static gboolean is_table_row(const Placer *placer, guint32 block)
{
    return placer->flow->in_table[placer->flow->blocks[block].first - placer->first];
}

/* The block whose successors are where the branch can go: for BRX the first row of its table. */
static guint32 parting_block(const Placer *placer, guint32 block)
{
    const WsGraph *graph = placer->live;
    gboolean table = last_of(placer, block)->opcode == WS_OP_BRX;
    return table && graph->first[block] < graph->first[block + 1]
               ? graph->successors[graph->first[block]]
               : block;
}

static gboolean parts(const WsGraph *graph, guint32 block)
{
    for (guint32 e = graph->first[block]; e + 1 < graph->first[block + 1]; e++) {
        if (graph->successors[e] != graph->successors[e + 1]) {
            return TRUE;
        }
    }
    return FALSE;
}

/* The block that a CALL at the end of `block` goes to, or WS_NO_NODE. */
static guint32 called_block(const Placer *placer, guint32 block)
{
    const WsInstruction *last = last_of(placer, block);
    guint32 target = last->opcode == WS_OP_CALL ? ws_branch_target(last) : WS_NO_NODE;
    gboolean inside = target >= placer->first && target - placer->first < placer->count;
    return inside ? placer->flow->block_of[target - placer->first] : WS_NO_NODE;
}

/* Everything from the placement to its join, functions that are called on the way included. */
static void fill_region(const Placer *placer, Placement *placement)
{
    const WsGraph *graph = placer->flow->graph;
    g_autofree guint32 *stack = g_new(guint32, (gsize)graph->count + 1);
    guint32 depth = 0;
    placement->region = g_malloc0((gsize)graph->count + 1);
    if (placement->preheader) {
        placement->region[placement->block] = TRUE;
    }
    stack[depth++] = placement->block;
    while (depth > 0) {
        guint32 at = stack[--depth], called = called_block(placer, at);
        if (called != WS_NO_NODE && !placement->region[called]) {
            placement->region[called] = TRUE;
            stack[depth++] = called;
        }
        for (guint32 e = graph->first[at]; e < graph->first[at + 1]; e++) {
            guint32 next = graph->successors[e];
            if (next != placement->join && !placement->region[next]) {
                placement->region[next] = TRUE;
                stack[depth++] = next;
            }
        }
    }
}

/* TRUE if the barrier could be set again before it was waited for. */
static gboolean repeats(const Placer *placer, const Placement *placement)
{
    if (!placement->preheader) {
        return placement->region[placement->block];
    }
    const WsGraph *graph = placer->flow->graph;
    guint32 loop = loop_of_header(placer->loops, placement->block);
    for (guint32 block = 0; block < graph->count; block++) {
        if (!placement->region[block] || ws_loop_holds(placer->loops, loop, block)) {
            continue;
        }
        for (guint32 e = graph->first[block]; e < graph->first[block + 1]; e++) {
            if (graph->successors[e] == placement->block) {
                return TRUE;
            }
        }
    }
    return FALSE;
}

/* TRUE if there is one already for this join that holds all the lanes. */
static gboolean is_covered(const Placer *placer, const Placement *placement)
{
    for (guint i = 0; i < placer->placements->len; i++) {
        const Placement *other = g_ptr_array_index(placer->placements, i);
        gboolean same =
            other->preheader == placement->preheader && other->block == placement->block;
        if (other->join == placement->join && (same || other->region[placement->block])) {
            return TRUE;
        }
    }
    return FALSE;
}

static void consider(Placer *placer, guint32 block)
{
    guint32 parting = parting_block(placer, block);
    guint32 split;
    guint32 behind = ws_join_behind_release(placer->program, placer->flow, placer->loops,
                                            placer->post, block, &split);
    guint32 join = behind != WS_NO_NODE ? behind : placer->post[parting];
    if (!parts(placer->live, parting) || join >= placer->flow->block_count ||
        is_table_row(placer, join)) {
        return;
    }
    const WsLoops *loops = placer->loops;
    Placement placement = {.block = block, .join = join};
    for (guint32 loop = loops->innermost[block];
         loop != WS_NO_NODE && !ws_loop_holds(loops, loop, join);
         loop = loops->loops[loop].parent) {
        placement.preheader = TRUE;
        placement.block = loops->loops[loop].header;
    }
    guint32 around = loop_of_header(loops, join);
    placement.from_inside = around != WS_NO_NODE && ws_loop_holds(loops, around, placement.block);
    if (placement.preheader && is_table_row(placer, placement.block)) {
        return;
    }
    if (is_covered(placer, &placement)) {
        return;
    }
    fill_region(placer, &placement);
    if (repeats(placer, &placement)) {
        g_free(placement.region);
        return;
    }
    g_ptr_array_add(placer->placements, g_memdup2(&placement, sizeof placement));
}

static void find_placements(Placer *placer)
{
    g_autofree guint8 *condition = ws_condition_uniformity(placer->program, placer->flow);
    guint32 reached;
    for (guint entry = 0; entry < placer->flow->entries->len; entry++) {
        guint32 start = g_array_index(placer->flow->entries, guint32, entry);
        g_autofree guint32 *order =
            ws_graph_reverse_post_order(placer->flow->graph, start, &reached);
        for (guint32 i = 0; i < reached; i++) {
            const WsInstruction *last = last_of(placer, order[i]);
            guint32 number = (guint32)(last - placer->program) - placer->first;
            if (ws_opcode_ends_block(last->opcode) && condition[number] == WS_DIVERGENT &&
                (last->opcode == WS_OP_BRA || last->opcode == WS_OP_BRX)) {
                consider(placer, order[i]);
            }
        }
    }
}

/* Gives each barrier a register that no other one holds in its region; drops it if there is none.
 */
static void assign_registers(Placer *placer)
{
    guint32 blocks = placer->flow->block_count;
    g_autofree guint16 *used = g_new0(guint16, (gsize)blocks + 1);
    for (guint i = 0; i < placer->placements->len;) {
        Placement *placement = g_ptr_array_index(placer->placements, i);
        guint taken = placement->preheader ? 0 : used[placement->block];
        for (guint32 block = 0; block < blocks; block++) {
            taken |= placement->region[block] ? used[block] : 0;
        }
        placement->reg = 0;
        while (placement->reg < BARRIERS && (taken >> placement->reg & 1) != 0) {
            placement->reg++;
        }
        if (placement->reg == BARRIERS) {
            g_ptr_array_remove_index(placer->placements, i);
            continue;
        }
        for (guint32 block = 0; block < blocks; block++) {
            used[block] |= placement->region[block] ? (guint16)(1u << placement->reg) : 0;
        }
        i++;
    }
}

/* ---- layout -----------------------------------------------------------------------------------
 */

static guint32 emit(Placer *placer, const WsInstruction *instruction, guint32 origin, guint32 made)
{
    WsInstruction copy = *instruction;
    copy.location = placer->program[placer->first + origin].location;
    g_array_append_val(placer->out->code, copy);
    g_array_append_val(placer->out->origin, origin);
    g_array_append_val(placer->made, made);
    return placer->first + placer->out->code->len - 1;
}

static void emit_set(Placer *placer, guint number, guint32 origin)
{
    const Placement *placement = g_ptr_array_index(placer->placements, number);
    WsInstruction instruction;
    ws_instruction_init(&instruction, WS_OP_BSSY);
    instruction.operand[0].index = placement->reg;
    emit(placer, &instruction, origin, MADE_SET + number);
}

static guint32 emit_jump(Placer *placer, guint32 origin)
{
    WsInstruction instruction;
    ws_instruction_init(&instruction, WS_OP_BRA);
    return emit(placer, &instruction, origin, MADE_JUMP);
}

/* The waits at a join, those of inner barriers first. */
static void emit_waits(Placer *placer, guint32 block, gboolean from_inside, guint32 origin)
{
    for (guint i = placer->placements->len; i-- > 0;) {
        Placement *placement = g_ptr_array_index(placer->placements, i);
        if (placement->join == block && placement->from_inside == from_inside) {
            WsInstruction instruction;
            ws_instruction_init(&instruction, WS_OP_BSYNC);
            instruction.operand[0].index = placement->reg;
            placement->wait = emit(placer, &instruction, origin, MADE_NOT);
        }
    }
}

static gboolean any_placement(const Placer *placer, guint32 block, gboolean set, gboolean inside)
{
    for (guint i = 0; i < placer->placements->len; i++) {
        const Placement *placement = g_ptr_array_index(placer->placements, i);
        gboolean found = set ? placement->preheader && placement->block == block
                             : placement->join == block && placement->from_inside == inside;
        if (found) {
            return TRUE;
        }
    }
    return FALSE;
}

static gboolean falls_through(const Placer *placer, guint32 block)
{
    const WsInstruction *last = last_of(placer, block);
    return !ws_opcode_ends_block(last->opcode) || last->opcode == WS_OP_CALL ||
           ws_branch_is_conditional(last);
}

/* What stands in front of a loop header: for lanes that come in, and for those that come back. */
static void emit_loop_entry(Placer *placer, guint32 block, guint32 loop, guint32 origin)
{
    gboolean waits_inside = any_placement(placer, block, FALSE, TRUE);
    gboolean stub = waits_inside || any_placement(placer, block, TRUE, FALSE) ||
                    any_placement(placer, block, FALSE, FALSE);
    guint32 around = WS_NO_NODE; /* number of a jump past the way in */
    guint32 past = WS_NO_NODE;   /* number of a jump past the waits of inner edges */
    if (stub && block > 0 && ws_loop_holds(placer->loops, loop, block - 1) &&
        falls_through(placer, block - 1)) {
        around = emit_jump(placer, origin - 1);
    }
    placer->outside_entry[block] = placer->first + placer->out->code->len;
    emit_waits(placer, block, FALSE, origin);
    for (guint i = 0; i < placer->placements->len; i++) {
        const Placement *placement = g_ptr_array_index(placer->placements, i);
        if (placement->preheader && placement->block == block) {
            emit_set(placer, i, origin);
        }
    }
    if (waits_inside) {
        past = emit_jump(placer, origin);
    }
    placer->inside_entry[block] = placer->first + placer->out->code->len;
    emit_waits(placer, block, TRUE, origin);
    guint32 body = placer->first + placer->out->code->len;
    WsInstruction *code = (WsInstruction *)(gpointer)placer->out->code->data;
    if (around != WS_NO_NODE) {
        ws_branch_set_target(&code[around - placer->first], placer->inside_entry[block]);
    }
    if (past != WS_NO_NODE) {
        ws_branch_set_target(&code[past - placer->first], body);
    }
}

static void emit_block(Placer *placer, guint32 block)
{
    const WsBlock *at = &placer->flow->blocks[block];
    guint32 origin = at->first - placer->first;
    guint32 loop = loop_of_header(placer->loops, block);
    if (loop != WS_NO_NODE) {
        emit_loop_entry(placer, block, loop, origin);
    } else {
        placer->outside_entry[block] = placer->first + placer->out->code->len;
        placer->inside_entry[block] = placer->outside_entry[block];
        emit_waits(placer, block, FALSE, origin);
    }
    for (guint32 i = 0; i < at->count; i++) {
        guint32 entry = placer->out->code->len;
        if (i == 0) {
            entry = placer->outside_entry[block] - placer->first;
        }
        for (guint p = 0; i + 1 == at->count && p < placer->placements->len; p++) {
            const Placement *placement = g_ptr_array_index(placer->placements, p);
            if (!placement->preheader && placement->block == block) {
                emit_set(placer, p, origin + i);
            }
        }
        g_array_append_val(placer->out->entry, entry);
        emit(placer, &placer->program[at->first + i], origin + i, MADE_NOT);
    }
}

/* Where the edge between two blocks lands. */
static guint32 landing(const Placer *placer, guint32 from, guint32 to)
{
    guint32 loop = loop_of_header(placer->loops, to);
    gboolean inside = loop != WS_NO_NODE && ws_loop_holds(placer->loops, loop, from);
    return inside ? placer->inside_entry[to] : placer->outside_entry[to];
}

/* Old branches get the new numbers; made-up jumps have theirs; BSSY points at its BSYNC. */
static void relocate(Placer *placer)
{
    for (guint i = 0; i < placer->out->code->len; i++) {
        WsInstruction *instruction = &g_array_index(placer->out->code, WsInstruction, i);
        guint32 origin = g_array_index(placer->out->origin, guint32, i);
        guint32 made = g_array_index(placer->made, guint32, i);
        guint32 target = ws_branch_target(instruction);
        if (made >= MADE_SET) {
            const Placement *placement = g_ptr_array_index(placer->placements, made - MADE_SET);
            ws_branch_set_target(instruction, placement->wait);
        } else if (made == MADE_NOT && target != WS_NO_NODE && target >= placer->first &&
                   target - placer->first < placer->count) {
            guint32 to = placer->flow->block_of[target - placer->first];
            ws_branch_set_target(instruction, landing(placer, placer->flow->block_of[origin], to));
        }
    }
}

static void emit_all(Placer *placer)
{
    for (guint32 block = 0; block < placer->flow->block_count; block++) {
        emit_block(placer, block);
    }
    relocate(placer);
}

static void copy_unchanged(Placer *placer)
{
    for (guint32 i = 0; i < placer->count; i++) {
        g_array_append_val(placer->out->entry, i);
        emit(placer, &placer->program[placer->first + i], i, MADE_NOT);
    }
}

/* Loops of the kernel and of the functions that it calls: with a way from each CALL to its callee.
 */
static WsLoops *loops_of(const Placer *placer)
{
    const WsGraph *graph = placer->flow->graph;
    g_autoptr(GArray) edges = g_array_new(FALSE, FALSE, sizeof(WsEdge));
    for (guint32 block = 0; block < graph->count; block++) {
        WsEdge call = {block, called_block(placer, block)};
        for (guint32 e = graph->first[block]; e < graph->first[block + 1]; e++) {
            WsEdge edge = {block, graph->successors[e]};
            g_array_append_val(edges, edge);
        }
        if (call.to != WS_NO_NODE) {
            g_array_append_val(edges, call);
        }
    }
    g_autoptr(WsGraph) whole =
        ws_graph_new(graph->count, (const WsEdge *)(gpointer)edges->data, edges->len);
    return ws_graph_loops(whole, 0);
}

static void analyse(Placer *placer, WsControlFlow *flow)
{
    placer->flow = flow;
    placer->loops = loops_of(placer);
    placer->live = live_graph(placer);
    placer->post = ws_graph_post_dominators(placer->live);
}

static void clear_analysis(Placer *placer)
{
    g_clear_pointer(&placer->loops, ws_loops_free);
    g_clear_pointer(&placer->live, ws_graph_free);
    g_clear_pointer(&placer->post, g_free);
    g_clear_pointer(&placer->flow, ws_control_flow_free);
}

/* The instruction in front of which a block is to be split, or WS_NO_NODE. */
static guint32 next_split(const Placer *placer)
{
    guint32 split = WS_NO_NODE;
    for (guint32 b = 0; b < placer->flow->block_count && split == WS_NO_NODE; b++) {
        if (parts(placer->live, b)) {
            ws_join_behind_release(placer->program, placer->flow, placer->loops, placer->post, b,
                                   &split);
        }
    }
    return split;
}

static void split_behind_releases(Placer *placer)
{
    guint32 split;
    for (guint i = 0; i < MAX_SPLITS && (split = next_split(placer)) != WS_NO_NODE; i++) {
        WsControlFlow *flow =
            ws_control_flow_split(placer->flow, placer->first, placer->count, split);
        clear_analysis(placer);
        analyse(placer, flow);
    }
}

WsReconvergence *ws_place_convergence_barriers(const WsInstruction *program, guint32 first,
                                               guint32 count)
{
    Placer placer = {.program = program, .first = first, .count = count};
    g_autoptr(GArray) made = g_array_new(FALSE, FALSE, sizeof(guint32));
    placer.flow = ws_control_flow_new(program, first, count);
    placer.made = made;
    placer.out = g_new0(WsReconvergence, 1);
    placer.out->code = g_array_new(FALSE, FALSE, sizeof(WsInstruction));
    placer.out->origin = g_array_new(FALSE, FALSE, sizeof(guint32));
    placer.out->entry = g_array_new(FALSE, FALSE, sizeof(guint32));
    if (count == 0 || placer.flow->block_count > MAX_BLOCKS) {
        copy_unchanged(&placer);
        clear_analysis(&placer);
        return placer.out;
    }
    analyse(&placer, placer.flow);
    split_behind_releases(&placer);
    g_autofree guint32 *outside = g_new0(guint32, (gsize)placer.flow->block_count + 1);
    g_autofree guint32 *inside = g_new0(guint32, (gsize)placer.flow->block_count + 1);
    g_autoptr(GPtrArray) placements =
        g_ptr_array_new_with_free_func((GDestroyNotify)placement_free);
    placer.outside_entry = outside;
    placer.inside_entry = inside;
    placer.placements = placements;
    find_placements(&placer);
    assign_registers(&placer);
    emit_all(&placer);
    clear_analysis(&placer);
    return placer.out;
}

void ws_reconvergence_free(WsReconvergence *placed)
{
    if (placed != NULL) {
        g_array_unref(placed->code);
        g_array_unref(placed->origin);
        g_array_unref(placed->entry);
        g_free(placed);
    }
}
