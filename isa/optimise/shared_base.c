/*
 * Where shared memory begins. On Hopper the address of a shared variable holds the number of the
 * block in its cluster, and compiled code makes it at run time: S2R SR_CgaCtaId, MOV of the
 * variable's place, LEA with a shift by 24 (seen wherever a kernel compiled for sm_90 uses a shared
 * variable). A block alone in its cluster has the number 0.
 *
 * The front end emits S2R and LEA where the address is used. They move out of innermost loops, and
 * are shared like other subexpressions; the MOV comes last, for nothing to fold it.
 */
#include "isa/bytecode/opcode.h"
#include "isa/flow/loops.h"
#include "isa/ir/variables.h"
#include "isa/optimise/optimise.h"

enum { WINDOW_SHIFT = 24 };

static gboolean reads_rank(const WsInstruction *instruction)
{
    return instruction->opcode == WS_OP_S2R && instruction->operand[1].value == WS_SR_CGACTAID;
}

/* An offset: an immediate, or RZ for 0. */
static gboolean is_offset(const WsOperand *operand)
{
    return operand->kind == WS_OPERAND_IMMEDIATE ||
           (operand->kind == WS_OPERAND_REGISTER && operand->index == WS_RZ);
}

/* Nothing else writes the word: it may be made elsewhere. */
static gboolean is_written_once(const WsVariableCounts *counts, const WsOperand *word)
{
    return word->index >= WS_VIRTUAL_BASE &&
           counts->writes[counts->variables.first[word->index - WS_VIRTUAL_BASE] + word->bank] == 1;
}

static gboolean is_base_of(const WsVariableCounts *counts, const WsInstruction *lea,
                           const WsInstruction *rank)
{
    return lea->opcode == WS_OP_LEA && lea->operand[5].value == WINDOW_SHIFT &&
           !lea->mod[WS_MOD_HIGH] && is_offset(&lea->operand[3]) &&
           lea->operand[2].index == rank->operand[0].index && lea->guard == WS_PT &&
           rank->guard == WS_PT && is_written_once(counts, &lea->operand[0]) &&
           is_written_once(counts, &rank->operand[0]);
}

/* Moves the bases of block `b` to the end of block `home`. */
static void move_bases(const WsVariableCounts *counts, WsIrFunction *function, guint32 b,
                       guint32 home)
{
    WsIrBlock *block = ws_ir_block(function, b);
    guint kept = 0;
    for (guint i = 0; i < block->instructions->len; i++) {
        WsInstruction *instruction = ws_ir_instruction(block, i);
        if (reads_rank(instruction) && i + 1 < block->instructions->len &&
            is_base_of(counts, ws_ir_instruction(block, i + 1), instruction)) {
            g_array_append_vals(ws_ir_block(function, home)->instructions, instruction, 2);
            i++;
            continue;
        }
        g_array_index(block->instructions, WsInstruction, kept++) = *instruction;
    }
    g_array_set_size(block->instructions, kept);
}

void ws_hoist_shared_bases(WsIrFunction *function)
{
    g_autoptr(WsGraph) graph = ws_ir_graph(function);
    g_autoptr(WsLoops) loops = ws_graph_loops(graph, 0);
    WsVariableCounts counts;
    ws_variable_counts_init(&counts, function);
    for (guint32 b = 0; b < function->blocks->len; b++) {
        guint32 home = ws_loop_hoist_node(loops, b);
        if (home != b)
            move_bases(&counts, function, b, home);
    }
    ws_variable_counts_clear(&counts);
}

static guint8 *find_ranks(const WsIrFunction *function)
{
    guint8 *ranks = g_new0(guint8, function->registers->len + 1);
    for (guint32 b = 0; b < function->blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(function, b);
        for (guint i = 0; i < block->instructions->len; i++) {
            const WsInstruction *instruction = ws_ir_instruction(block, i);
            if (reads_rank(instruction) && instruction->operand[0].index >= WS_VIRTUAL_BASE)
                ranks[instruction->operand[0].index - WS_VIRTUAL_BASE] = TRUE;
        }
    }
    return ranks;
}

void ws_finish_shared_bases(WsIrFunction *function)
{
    g_autofree guint8 *ranks = find_ranks(function);
    for (guint32 b = 0; b < function->blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(function, b);
        for (guint i = 0; i < block->instructions->len; i++) {
            WsInstruction *lea = ws_ir_instruction(block, i), move;
            if (lea->opcode != WS_OP_LEA || lea->operand[2].index < WS_VIRTUAL_BASE ||
                !is_offset(&lea->operand[3]) || !ranks[lea->operand[2].index - WS_VIRTUAL_BASE])
                continue;
            ws_instruction_init(&move, WS_OP_MOV);
            move.location = lea->location;
            move.guard = lea->guard;
            move.guard_negated = lea->guard_negated;
            move.operand[0].index = ws_ir_new_register(function, 1);
            move.operand[1] = lea->operand[3];
            lea->operand[3] = move.operand[0];
            g_array_insert_val(block->instructions, i, move);
            i++;
        }
    }
}
