/*
 * Shuffles, votes, matches and reductions of PTX (.sync) and __syncwarp() for all lanes of the warp
 * in code that only some lanes may come to. ptxas 13.0 does with them, as it does here [M: SASS of
 * sm_90]:
 *   - Lanes may be apart between a branch that splits the warp and its join and, where that region
 *     holds such an operation, wherever control goes from there.
 *   - If no other operation there is of the same kind, all lanes have to come to this very one: it
 *     gets WARPSYNC.ALL. Branches that decide by themselves whether a lane comes to it have no
 *     convergence barrier, so lanes that do not come go on. A loop that lanes which are apart so
 *     may come to gets one, also if its branch does not split a warp.
 *   - Else lanes may meet from several of them. WARPSYNC names them, and barriers stay.
 */
#include "isa/converge/convergence.h"

#include "isa/bytecode/opcode.h"
#include "isa/flow/dominators.h"
#include "isa/flow/loops.h"

#include <string.h>

enum { ALL = 0xffffffff, MAX_WORK = 10000000 /* blocks looked at; beyond it nothing changes */ };

typedef struct {
    guint32 block, place; /* its WARPSYNC; `place` = G_MAXUINT32: it needs none */
    guint32 kind;
} Meeting;

typedef struct {
    WsIrFunction *function;
    const WsJoins *joins;
    WsBlockSet region, reached;
    guint8 *holds; /* per block: WARPSYNC is in it */
    guint64 work;
    GArray *meetings; /* of Meeting */
} Settler;

static gboolean is_warpsync(const WsInstruction *instruction)
{
    return instruction->opcode == WS_OP_WARPSYNC;
}

/* The operation that the WARPSYNC at `i` is for, itself for a __syncwarp(); NULL: matrices. */
static const WsInstruction *operation_behind(const GArray *instructions, guint i)
{
    const WsInstruction *self = &g_array_index(instructions, WsInstruction, i);
    for (guint k = i + 1; k < instructions->len; k++) {
        const WsInstruction *next = &g_array_index(instructions, WsInstruction, k);
        if (ws_is_meeting(next, next - 1))
            return next;
        if (is_warpsync(next))
            return self;
        if (ws_opcode_info(next->opcode)->kind == WS_KIND_MATRIX || next->opcode == WS_OP_LDSM)
            return NULL;
    }
    return self;
}

static void note_block(Settler *settler, guint32 b)
{
    const GArray *instructions = ws_ir_block(settler->function, b)->instructions;
    const WsInstruction *expected = NULL;
    for (guint i = 0; i < instructions->len; i++) {
        const WsInstruction *instruction = &g_array_index(instructions, WsInstruction, i);
        Meeting meeting = {.block = b, .place = i};
        if (is_warpsync(instruction)) {
            settler->holds[b] = TRUE;
            expected = operation_behind(instructions, i);
            if (expected == NULL)
                continue;
            meeting.kind = ws_meeting_kind(expected);
        } else if (ws_is_meeting(instruction, i > 0 ? instruction - 1 : NULL) &&
                   instruction != expected) {
            meeting.place = G_MAXUINT32;
            meeting.kind = ws_meeting_kind(instruction);
        } else {
            continue;
        }
        g_array_append_val(settler->meetings, meeting);
    }
}

/* What control comes to from the blocks of the set. Lanes meet at a block barrier. */
static void follow(Settler *settler, WsBlockSet *set)
{
    const WsGraph *graph = settler->joins->graph;
    for (guint32 n = 0; n < set->count; n++) {
        const GArray *instructions = ws_ir_block(settler->function, set->list[n])->instructions;
        gboolean barrier = FALSE;
        for (guint i = 0; i < instructions->len && !barrier; i++)
            barrier = g_array_index(instructions, WsInstruction, i).opcode == WS_OP_BAR;
        if (barrier)
            continue;
        for (guint32 e = graph->first[set->list[n]]; e < graph->first[set->list[n] + 1]; e++)
            ws_block_set_add(set, graph->successors[e]);
    }
    settler->work += set->count;
}

/* Lanes that end leave the others together. */
static gboolean leaves(const Settler *settler, guint32 b)
{
    const WsGraph *graph = settler->joins->graph;
    for (guint32 e = graph->first[b]; e < graph->first[b + 1]; e++)
        if (ws_is_bare_exit(settler->function, graph->successors[e]))
            return TRUE;
    return FALSE;
}

/* Blocks where lanes may be apart: one byte a block, and those a barrier does not bring together
 * for sure in `ret_loose`. FALSE: too much to look at. */
static gboolean find_apart(Settler *settler, const guint8 *divergent, guint8 *ret_apart)
{
    const WsJoins *joins = settler->joins;
    WsBlockSet *region = &settler->region, *loose = &settler->reached;
    ws_block_set_empty(loose);
    for (guint32 b = 0; b < joins->graph->count && settler->work <= MAX_WORK; b++) {
        gboolean meets = FALSE;
        if (!divergent[b] || leaves(settler, b))
            continue;
        ws_joins_region(joins, b, FALSE, joins->joins[b], region);
        settler->work += region->count;
        for (guint i = 0; i < region->count; i++) {
            ret_apart[region->list[i]] = TRUE;
            meets |= settler->holds[region->list[i]];
        }
        for (guint32 e = joins->graph->first[b]; meets && e < joins->graph->first[b + 1]; e++)
            ws_block_set_add(loose, joins->graph->successors[e]);
    }
    follow(settler, loose);
    for (guint i = 0; i < loose->count; i++)
        ret_apart[loose->list[i]] = TRUE;
    return settler->work <= MAX_WORK;
}

static gboolean is_alone(const Settler *settler, const Meeting *meeting, const guint8 *apart)
{
    for (guint i = 0; i < settler->meetings->len; i++) {
        const Meeting *other = &g_array_index(settler->meetings, Meeting, i);
        if (other != meeting && other->kind == meeting->kind && apart[other->block])
            return FALSE;
    }
    return TRUE;
}

/* Whether the branch decides by itself if control comes to `block`. */
static gboolean decides(const Settler *settler, const WsDominance *post, guint32 branch,
                        guint32 block)
{
    const WsGraph *graph = settler->joins->graph;
    if (branch != block && ws_dominance_holds(post, block, branch))
        return FALSE;
    for (guint32 e = graph->first[branch]; e < graph->first[branch + 1]; e++)
        if (ws_dominance_holds(post, block, graph->successors[e]))
            return TRUE;
    return FALSE;
}

static void settle_one(Settler *settler, const Meeting *meeting, const WsDominance *post,
                       const guint8 *divergent, guint8 *ret_open)
{
    GArray *instructions = ws_ir_block(settler->function, meeting->block)->instructions;
    WsInstruction *sync = &g_array_index(instructions, WsInstruction, meeting->place);
    WsInstruction all;
    ws_instruction_init(&all, WS_OP_WARPSYNC_ALL);
    all.location = sync->location;
    *sync = all;
    for (guint32 b = 0; b < settler->joins->graph->count; b++)
        ret_open[b] |= divergent[b] && decides(settler, post, b, meeting->block);
    settler->work += settler->joins->graph->count;
}

/* Loops that lanes come to apart, since a branch has no barrier. */
static void split_loops(Settler *settler, const guint8 *open, guint8 *divergent)
{
    const WsGraph *graph = settler->joins->graph;
    WsLoops *loops = ws_graph_loops(graph, 0);
    WsBlockSet *reached = &settler->reached;
    ws_block_set_empty(reached);
    for (guint32 b = 0; b < graph->count; b++)
        for (guint32 e = graph->first[b]; open[b] && e < graph->first[b + 1]; e++)
            ws_block_set_add(reached, graph->successors[e]);
    follow(settler, reached);
    for (guint i = 0; i < reached->count; i++) {
        guint32 b = reached->list[i], loop = loops->innermost[b];
        if (loop == WS_NO_NODE || ws_ir_successor_count(ws_ir_block(settler->function, b)) < 2)
            continue;
        for (guint32 e = graph->first[b]; e < graph->first[b + 1]; e++)
            divergent[b] |= !ws_loop_holds(loops, loop, graph->successors[e]);
    }
    ws_loops_free(loops);
}

static gboolean is_full(const Settler *settler, const Meeting *meeting)
{
    if (meeting->place == G_MAXUINT32)
        return FALSE;
    const GArray *instructions = ws_ir_block(settler->function, meeting->block)->instructions;
    const WsInstruction *sync = &g_array_index(instructions, WsInstruction, meeting->place);
    return !ws_is_guarded(sync) && sync->operand[0].kind == WS_OPERAND_IMMEDIATE &&
           sync->operand[0].value == ALL;
}

static void settle(Settler *settler, guint8 *divergent, guint8 *ret_apart, guint8 *ret_open)
{
    guint32 count = settler->joins->graph->count;
    for (guint32 b = 0; b < count; b++)
        note_block(settler, b);
    if (!find_apart(settler, divergent, ret_apart)) {
        memset(ret_apart, TRUE, count);
        return;
    }
    WsDominance *post = ws_dominance_new(settler->joins->joins, count + 1);
    gboolean any = FALSE;
    for (guint i = 0; i < settler->meetings->len && settler->work <= MAX_WORK; i++) {
        const Meeting *meeting = &g_array_index(settler->meetings, Meeting, i);
        settler->work += settler->meetings->len;
        if (!ret_apart[meeting->block] || !is_full(settler, meeting) ||
            !is_alone(settler, meeting, ret_apart))
            continue;
        settle_one(settler, meeting, post, divergent, ret_open);
        any = TRUE;
    }
    ws_dominance_free(post);
    if (any)
        split_loops(settler, ret_open, divergent);
}

void ws_settle_warp_meetings(WsIrFunction *function, const WsJoins *joins, guint8 *divergent,
                             guint8 *ret_apart, guint8 *ret_open)
{
    guint32 count = joins->graph->count;
    /* Which lanes come to a body is not known there. */
    if (function->sites->len > 0 || !ws_ir_has(function, is_warpsync))
        return;
    Settler settler = {.function = function, .joins = joins};
    ws_block_set_init(&settler.region, count);
    ws_block_set_init(&settler.reached, count);
    settler.holds = g_new0(guint8, (gsize)count + 1);
    settler.meetings = g_array_new(FALSE, FALSE, sizeof(Meeting));
    settle(&settler, divergent, ret_apart, ret_open);
    g_array_unref(settler.meetings);
    g_free(settler.holds);
    ws_block_set_clear(&settler.region);
    ws_block_set_clear(&settler.reached);
}
