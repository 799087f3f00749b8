#include "tests/support/ir_text.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "isa/bytecode/opcode.h"
#include "isa/ir/walk.h"
#include "isa/text/assembler.h"
#include "isa/text/disassembler.h"

/* The registers of the text become virtual ones of the same numbers. */
static void make_virtual(WsIrFunction *function, WsInstruction *instruction)
{
    for (guint n = 0; n < instruction->operand_count; n++) {
        WsOperand *operand = &instruction->operand[n];
        guint width = ws_operand_width(instruction, n);
        if (operand->kind == WS_OPERAND_PREDICATE && operand->index < WS_PT) {
            function->predicate_count = MAX(function->predicate_count, operand->index + 1);
            operand->index += WS_VIRTUAL_BASE;
        }
        if (operand->kind == WS_OPERAND_UNIFORM_REGISTER || width == 0 || operand->index >= WS_RZ)
            continue;
        while (function->registers->len <= operand->index)
            ws_ir_new_register(function, 1);
        WsIrRegister *of = &g_array_index(function->registers, WsIrRegister, operand->index);
        of->words = (guint8)MAX(of->words, width);
        operand->index += WS_VIRTUAL_BASE;
    }
    if (instruction->guard < WS_PT) {
        function->predicate_count = MAX(function->predicate_count, instruction->guard + 1u);
        instruction->guard += WS_VIRTUAL_BASE;
    }
}

static WsInstruction assemble(const char *text)
{
    WsInstruction instruction;
    GError *error = NULL;

    if (!ws_assemble_instruction(text, &instruction, &error))
        ck_abort_msg("%s: %s", text, error->message);
    return instruction;
}

static void end_block(WsIrFunction *function, guint32 number, const char *to)
{
    WsIrBlock *block = ws_ir_block(function, number);
    guint predicate, taken, next;

    ws_instruction_init(&block->branch, WS_OP_NOP);
    block->taken = WS_IR_NO_BLOCK;
    block->next = number + 1;
    if (to == NULL)
        return;
    if (sscanf(to, " P%u ? %u : %u", &predicate, &taken, &next) == 3) {
        ws_instruction_init(&block->branch, WS_OP_BRA);
        block->branch.guard = (guint16)(WS_VIRTUAL_BASE + predicate);
        block->taken = taken;
        block->next = next;
    } else if (sscanf(to, " %u", &next) == 1) {
        block->next = next;
    } else {
        ck_assert_str_eq(to, " exit");
        ws_instruction_init(&block->branch, WS_OP_EXIT);
        block->next = WS_IR_NO_BLOCK;
    }
}

WsIrFunction *ir_from_text(const char *text)
{
    WsIrFunction *function = ws_ir_function_new("f");
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

    for (guint32 b = 0; lines[b] != NULL; b++)
        ck_assert_uint_eq(ws_ir_new_block(function), b);
    for (guint32 b = 0; lines[b] != NULL; b++) {
        g_auto(GStrv) parts = g_strsplit(lines[b], "->", 2);
        g_auto(GStrv) code = g_strsplit(parts[0], ";", -1);
        for (guint i = 0; code[i] != NULL; i++) {
            if (*g_strstrip(code[i]) == '\0')
                continue;
            WsInstruction instruction = assemble(code[i]);
            make_virtual(function, &instruction);
            g_array_append_val(ws_ir_block(function, b)->instructions, instruction);
        }
        end_block(function, b, parts[1]);
    }
    return function;
}

char *ir_block_text(const WsIrFunction *function, guint32 block)
{
    GString *out = g_string_new(NULL);
    const GArray *code = ws_ir_block(function, block)->instructions;

    for (guint i = 0; i < code->len; i++) {
        WsInstruction instruction = g_array_index(code, WsInstruction, i);
        for (guint n = 0; n < instruction.operand_count; n++)
            if (instruction.operand[n].index >= WS_VIRTUAL_BASE)
                instruction.operand[n].index -= WS_VIRTUAL_BASE;
        if (instruction.guard >= WS_VIRTUAL_BASE)
            instruction.guard = (guint16)(instruction.guard - WS_VIRTUAL_BASE);
        g_string_append(out, i == 0 ? "" : "; ");
        ws_instruction_append_text(out, &instruction, NULL);
    }
    return g_string_free(out, FALSE);
}

guint ir_count(const WsIrFunction *function, const char *mnemonic)
{
    guint count = 0;

    for (guint32 b = 0; b < function->blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(function, b);
        for (guint i = 0; i < ws_ir_length(block); i++)
            count += strcmp(ws_opcode_info(ws_ir_instruction(block, i)->opcode)->mnemonic,
                            mnemonic) == 0;
    }
    return count;
}
