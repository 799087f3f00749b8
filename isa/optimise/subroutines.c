/*
 * Subroutines: what a kernel calls stands behind its code once. Arguments and result have one
 * register each for all calls. An operand that is the same register at every call stays there, as
 * in code compiled by ptxas; the others are copied around the call, and the copies go where
 * registers are coalesced.
 */
#include "isa/bytecode/opcode.h"
#include "isa/flow/control_flow.h"
#include "isa/ir/divide.h"
#include "isa/ir/reference.h"
#include "isa/optimise/optimise.h"

#include <string.h>

typedef struct {
    guint32 calls;
    guint32 block; /* of its body */
    guint32 location;
    WsOperand link; /* register of the return address */
    WsOperand passed[WS_CALL_LINK];
} Subroutine;

typedef struct {
    WsIrFunction *function;
    Subroutine subroutines[WS_SUBROUTINES];
    guint32 *start; /* new number of each block; the pieces behind its calls follow */
    GArray *blocks; /* of WsIrBlock: the new ones */
} Placer;

static gboolean is_pair(const Placer *placer, const WsOperand *operand)
{
    return operand->kind == WS_OPERAND_REGISTER && operand->index >= WS_VIRTUAL_BASE &&
           operand->bank == 0 &&
           g_array_index(placer->function->registers, WsIrRegister,
                         operand->index - WS_VIRTUAL_BASE)
                   .words == 2;
}

static void note_call(Placer *placer, const WsInstruction *call)
{
    Subroutine *subroutine = &placer->subroutines[ws_branch_target(call)];
    gboolean first = subroutine->calls++ == 0;
    if (first)
        subroutine->location = call->location;
    else if (subroutine->location != call->location)
        subroutine->location = 0;
    for (guint n = WS_CALL_RESULT; n < WS_CALL_LINK; n++) {
        const WsOperand *operand = &call->operand[n];
        WsOperand *passed = &subroutine->passed[n];
        if (first && is_pair(placer, operand))
            *passed = *operand;
        else if (first || !ws_operands_equal(passed, operand))
            *passed = ws_operand_none();
    }
}

/* Numbers the blocks as they will be. FALSE if nothing is called. */
static gboolean collect(Placer *placer)
{
    guint32 count = placer->function->blocks->len, place = 0;
    for (guint32 b = 0; b < count; b++) {
        const GArray *list = ws_ir_block(placer->function, b)->instructions;
        placer->start[b] = place++;
        for (guint i = 0; i < list->len; i++) {
            const WsInstruction *instruction = &g_array_index(list, WsInstruction, i);
            if (!ws_is_subroutine_call(instruction))
                continue;
            note_call(placer, instruction);
            place++;
        }
    }
    gboolean any = place > count;
    for (guint s = 0; s < WS_SUBROUTINES; s++) {
        Subroutine *subroutine = &placer->subroutines[s];
        if (subroutine->calls == 0)
            continue;
        subroutine->block = place++;
        subroutine->link = ws_operand_register(ws_ir_new_register(placer->function, 1));
        for (guint n = WS_CALL_RESULT; n < WS_CALL_LINK; n++)
            if (subroutine->passed[n].kind == WS_OPERAND_NONE)
                subroutine->passed[n] =
                    ws_operand_register(ws_ir_new_register(placer->function, 2));
    }
    return any;
}

/* `origin`: of the first word, 0 = nobody's. */
static void copy_pair(GArray *list, WsOperand to, WsOperand from, guint32 location, guint32 origin)
{
    for (guint w = 0; w < 2 && !ws_operands_equal(&to, &from); w++) {
        WsInstruction move;
        ws_instruction_init(&move, WS_OP_MOV);
        move.location = location;
        move.origin = origin == 0 ? 0 : origin + w;
        move.operand[0] = ws_operand_word(to, w);
        move.operand[1] = ws_operand_word(from, w);
        g_array_append_val(list, move);
    }
}

static WsIrBlock new_piece(const WsIrBlock *like)
{
    WsIrBlock piece = {.instructions = g_array_new(FALSE, TRUE, sizeof(WsInstruction)),
                       .taken = WS_IR_NO_BLOCK,
                       .next = WS_IR_NO_BLOCK,
                       .uniform = like->uniform,
                       .cold = like->cold,
                       .loop_depth = like->loop_depth};
    ws_instruction_init(&piece.branch, WS_OP_NOP);
    return piece;
}

static guint32 renumbered(const Placer *placer, guint32 block)
{
    return block == WS_IR_NO_BLOCK ? WS_IR_NO_BLOCK : placer->start[block];
}

/* Ends `piece` with the call. What yields the result begins the next piece. */
static void end_with_call(Placer *placer, WsIrBlock *piece, const WsInstruction *call)
{
    const Subroutine *subroutine = &placer->subroutines[ws_branch_target(call)];
    for (guint n = WS_CALL_FIRST; n < WS_CALL_LINK; n++)
        copy_pair(piece->instructions, subroutine->passed[n], call->operand[n], call->location, 0);
    WsInstruction link;
    ws_instruction_init(&link, WS_OP_MOV);
    link.location = call->location;
    link.operand[0] = subroutine->link;
    link.operand[1] = ws_operand_immediate(WS_INSTRUCTION_BYTES);
    g_array_append_val(piece->instructions, link);
    piece->branch = *call;
    for (guint n = WS_CALL_RESULT; n < WS_CALL_LINK; n++)
        piece->branch.operand[n] = subroutine->passed[n];
    piece->branch.operand[WS_CALL_LINK] = subroutine->link;
    ws_branch_set_target(&piece->branch, subroutine->block);
    piece->next = placer->blocks->len + 1;
}

static void split_block(Placer *placer, WsIrBlock *block)
{
    WsIrBlock piece = new_piece(block);
    piece.label = block->label;
    piece.covers = block->covers;
    for (guint i = 0; i < block->instructions->len; i++) {
        WsInstruction instruction = *ws_ir_instruction(block, i);
        if (instruction.opcode == WS_OP_BSSY)
            ws_branch_set_target(&instruction, placer->start[ws_branch_target(&instruction)]);
        if (!ws_is_subroutine_call(&instruction)) {
            g_array_append_val(piece.instructions, instruction);
            continue;
        }
        end_with_call(placer, &piece, &instruction);
        g_array_append_val(placer->blocks, piece);
        piece = new_piece(block);
        ws_covers_continue(&piece, block);
        copy_pair(piece.instructions, instruction.operand[WS_CALL_RESULT],
                  placer->subroutines[ws_branch_target(&instruction)].passed[WS_CALL_RESULT],
                  instruction.location, instruction.origin);
    }
    piece.branch = block->branch;
    piece.taken = renumbered(placer, block->taken);
    piece.next = renumbered(placer, block->next);
    piece.table = block->table;
    piece.site = block->site;
    piece.body = block->body;
    for (guint i = 0; piece.table != NULL && i < piece.table->len; i++) {
        guint32 *entry = &g_array_index(piece.table, guint32, i);
        *entry = placer->start[*entry];
    }
    g_array_append_val(placer->blocks, piece);
    g_array_unref(block->instructions);
}

static void append_body(WsIrFunction *function, WsSubroutine number, const Subroutine *subroutine)
{
    guint32 b = ws_ir_new_block(function);
    ws_append_division(function, b, number, subroutine->passed[WS_CALL_RESULT],
                       subroutine->passed[WS_CALL_FIRST], subroutine->passed[WS_CALL_SECOND],
                       subroutine->location);
    WsIrBlock *block = ws_ir_block(function, b);
    ws_instruction_init(&block->branch, WS_OP_RET);
    block->branch.operand[0] = subroutine->link;
    block->branch.location = subroutine->location;
    block->label = g_strdup(ws_subroutine_label(number));
}

void ws_place_subroutines(WsIrFunction *function)
{
    guint32 count = function->blocks->len;
    g_autofree guint32 *start = g_new0(guint32, count + 1);
    Placer placer = {.function = function, .start = start};
    if (!collect(&placer))
        return;
    placer.blocks = g_array_sized_new(FALSE, TRUE, sizeof(WsIrBlock), count);
    for (guint32 b = 0; b < count; b++)
        split_block(&placer, ws_ir_block(function, b));
    for (guint32 b = count; b < placer.blocks->len; b++)
        g_array_unref(ws_ir_block(function, ws_ir_new_block(function))->instructions);
    memcpy(function->blocks->data, placer.blocks->data, placer.blocks->len * sizeof(WsIrBlock));
    g_array_unref(placer.blocks);
    for (guint s = 0; s < WS_SUBROUTINES; s++)
        if (placer.subroutines[s].calls > 0)
            append_body(function, s, &placer.subroutines[s]);
}
