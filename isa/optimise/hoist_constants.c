/*
 * Constants that instructions of loops need in registers are made once, in front of the loops, as
 * ptxas does: of x * 0.5 + 1 one number is in the instruction and one in a register (seen in loops
 * compiled for sm_90). Where registers are short they stay where they are read.
 */
#include "isa/flow/loops.h"
#include "isa/ir/liveness.h"
#include "isa/optimise/optimise.h"

enum { MOST_LIVE = 26 }; /* words live at once up to which a loop gets one more */

typedef struct {
    WsIrFunction *function;
    WsVariables variables;
    guint32 *writes; /* per variable */
    WsGraph *graph;
    WsLoops *loops;
    guint32 *outside;
    guint32 *around;   /* per loop: the outermost that holds it */
    guint32 *pressure; /* per outermost loop: most words live at once in it */
} Hoister;

static guint32 *count_live(const WsLiveness *liveness)
{
    guint32 positions = 2 * liveness->instruction_count + 2;
    guint32 *live = g_new0(guint32, positions + 1);
    for (guint32 v = 0; v < liveness->variables.word_count; v++) {
        for (const WsSegment *segment = ws_liveness_first(liveness, v); segment != NULL;
             segment = ws_liveness_next(liveness, segment)) {
            live[segment->begin]++;
            live[segment->end]--;
        }
    }
    for (guint32 p = 1; p <= positions; p++)
        live[p] += live[p - 1];
    return live;
}

static void measure_loops(Hoister *h)
{
    g_autoptr(WsLiveness) liveness = ws_liveness_new(h->function);
    g_autofree guint32 *live = count_live(liveness);
    for (guint32 b = 0; b < h->function->blocks->len; b++) {
        guint32 most = 0, loop = h->loops->innermost[b];
        for (guint32 p = 2 * liveness->block_first[b]; p < 2 * liveness->block_first[b + 1]; p++)
            most = MAX(most, live[p]);
        if (loop != WS_NO_NODE)
            h->pressure[h->around[loop]] = MAX(h->pressure[h->around[loop]], most);
    }
}

/* A constant in a register of its own that nothing else writes. */
static gboolean is_constant(const Hoister *h, const WsInstruction *move)
{
    if (!ws_is_copy(move) || ws_is_guarded(move) || move->operand[0].index < WS_VIRTUAL_BASE ||
        move->operand[1].kind != WS_OPERAND_IMMEDIATE)
        return FALSE;
    guint32 r = move->operand[0].index - WS_VIRTUAL_BASE;
    return g_array_index(h->function->registers, WsIrRegister, r).words == 1 &&
           h->writes[h->variables.first[r]] == 1;
}

static guint32 *find_around(const WsLoops *loops)
{
    guint32 *around = g_new(guint32, loops->loop_count);
    for (guint32 l = 0; l < loops->loop_count; l++)
        around[l] = loops->loops[l].parent == WS_NO_NODE ? l : around[loops->loops[l].parent];
    return around;
}

/* Per loop the nearest dominator of its header that lies in no loop, or the entry. */
static guint32 *find_outside(const WsLoops *loops)
{
    guint32 *outside = g_new(guint32, loops->loop_count);
    for (guint32 l = 0; l < loops->loop_count; l++) {
        guint32 home = loops->loops[l].home, around = loops->innermost[home];
        outside[l] = around == WS_NO_NODE || around >= l ? home : outside[around];
    }
    return outside;
}

static void visit_block(Hoister *h, guint32 b)
{
    guint32 loop = h->loops->innermost[b];
    guint32 home = loop == WS_NO_NODE ? b : h->outside[loop];
    if (home == b)
        return;
    WsIrBlock *block = ws_ir_block(h->function, b);
    guint kept = 0;
    for (guint i = 0; i < block->instructions->len; i++) {
        WsInstruction *instruction = ws_ir_instruction(block, i);
        if (is_constant(h, instruction) && h->pressure[h->around[loop]] < MOST_LIVE) {
            g_array_append_vals(ws_ir_block(h->function, home)->instructions, instruction, 1);
            h->pressure[h->around[loop]]++;
            continue;
        }
        g_array_index(block->instructions, WsInstruction, kept++) = *instruction;
    }
    g_array_set_size(block->instructions, kept);
}

void ws_hoist_constants(WsIrFunction *function)
{
    Hoister h = {.function = function, .graph = ws_ir_graph(function)};
    h.loops = ws_graph_loops(h.graph, 0);
    if (h.loops->loop_count > 0) {
        h.outside = find_outside(h.loops);
        h.around = find_around(h.loops);
        h.pressure = g_new0(guint32, h.loops->loop_count);
        ws_variables_init(&h.variables, function);
        h.writes = g_new0(guint32, h.variables.count + 1);
        ws_variables_count(&h.variables, function, NULL, h.writes);
        measure_loops(&h);
        for (guint32 b = 0; b < function->blocks->len; b++)
            visit_block(&h, b);
        g_free(h.outside);
        g_free(h.around);
        g_free(h.pressure);
        g_free(h.writes);
        ws_variables_clear(&h.variables);
    }
    ws_loops_free(h.loops);
    ws_graph_free(h.graph);
}
