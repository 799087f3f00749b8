/*
 * If-conversion: short sides of a branch become predicated. On an H200 ptxas predicates 1 and 4
 * instructions a side and an 8-instruction single side, and branches around 8 on two sides
 * (measured); the limits here are those.
 */
#include "isa/bytecode/opcode.h"
#include "isa/ir/reference.h"
#include "isa/optimise/optimise.h"

enum {
    ONE_SIDED_LIMIT = 8, /* instructions of the only side */
    TWO_SIDED_LIMIT = 6  /* of each of two sides */
};

/* Instructions that may stand under a guard in place of a branch. */
static gboolean can_be_guarded(const WsInstruction *instruction, guint32 guard)
{
    if (ws_is_guarded(instruction) || ws_is_warp_wide(instruction))
        return FALSE;
    switch (ws_opcode_info(instruction->opcode)->execution_class) {
    case WS_CLASS_BARRIER:
    case WS_CLASS_MEMORY_BARRIER:
    case WS_CLASS_CONVERGENCE:
    case WS_CLASS_BRANCH:
    case WS_CLASS_EXIT:
    case WS_CLASS_SLEEP:
    case WS_CLASS_UNIFORM:
        return FALSE;
    default:
        break;
    }
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    for (guint a = 0; a < count; a++) {
        if (!accesses[a].write)
            continue;
        if (accesses[a].file == WS_FILE_UNIFORM || accesses[a].file == WS_FILE_UNIFORM_PREDICATE ||
            accesses[a].operand == WS_ACCESS_MASK)
            return FALSE;
        if (accesses[a].file == WS_FILE_PREDICATE && accesses[a].index == guard)
            return FALSE;
    }
    return TRUE;
}

/* A side: reached by the branch alone, short, and goes on without a condition. */
static gboolean is_side(const WsIrFunction *function, const guint32 *predecessors, guint32 b,
                        guint32 guard, guint limit)
{
    WsIrBlock *block = ws_ir_block(function, b);
    if (predecessors[b] != 1 || block->branch.opcode != WS_OP_NOP ||
        block->next == WS_IR_NO_BLOCK || block->next == b || block->instructions->len > limit)
        return FALSE;
    for (guint i = 0; i < block->instructions->len; i++) {
        if (!can_be_guarded(ws_ir_instruction(block, i), guard))
            return FALSE;
    }
    return TRUE;
}

typedef struct {
    WsIrFunction *function;
    guint32 *predecessors; /* of blocks */
    WsVariables variables;
    guint32 *writes; /* per variable */
} Converter;

/*
 * A constant in a register that nothing else writes does no harm where the side does not run, and
 * without a guard it may become an operand of its readers.
 */
static gboolean is_harmless(const Converter *converter, const WsInstruction *instruction)
{
    const WsOperand *to = &instruction->operand[0];
    return instruction->opcode == WS_OP_MOV &&
           instruction->operand[1].kind == WS_OPERAND_IMMEDIATE &&
           to->kind == WS_OPERAND_REGISTER && to->index >= WS_VIRTUAL_BASE &&
           converter->writes[converter->variables.first[to->index - WS_VIRTUAL_BASE] + to->bank] ==
               1;
}

static void append_guarded(const Converter *converter, WsIrBlock *to, const WsIrBlock *side,
                           guint32 guard, gboolean negated)
{
    for (guint i = 0; i < side->instructions->len; i++) {
        WsInstruction instruction = g_array_index(side->instructions, WsInstruction, i);
        if (!is_harmless(converter, &instruction)) {
            instruction.guard = guard;
            instruction.guard_negated = negated != FALSE;
        }
        g_array_append_val(to->instructions, instruction);
    }
}

static gboolean is_word_move(const WsInstruction *instruction)
{
    return instruction->opcode == WS_OP_MOV && instruction->guard == WS_PT &&
           instruction->operand[0].kind == WS_OPERAND_REGISTER &&
           instruction->operand[1].kind != WS_OPERAND_UNIFORM_REGISTER;
}

/*
 * One MOV to the same place on each side is a selection. SEL takes a register and a flexible
 * operand, so one of the two must be a register.
 */
static gboolean append_selection(WsIrBlock *to, const WsIrBlock *taken, const WsIrBlock *next,
                                 guint32 guard, gboolean negated)
{
    if (taken->instructions->len != 1 || next->instructions->len != 1)
        return FALSE;
    const WsInstruction *a = &g_array_index(taken->instructions, WsInstruction, 0);
    const WsInstruction *b = &g_array_index(next->instructions, WsInstruction, 0);
    if (!is_word_move(a) || !is_word_move(b) || a->operand[0].index != b->operand[0].index ||
        a->operand[0].bank != b->operand[0].bank)
        return FALSE;
    gboolean swap = a->operand[1].kind != WS_OPERAND_REGISTER;
    if (swap && b->operand[1].kind != WS_OPERAND_REGISTER)
        return FALSE;
    WsInstruction select;
    ws_instruction_init(&select, WS_OP_SEL);
    select.location = a->location;
    select.operand[0] = a->operand[0];
    select.operand[1] = swap ? b->operand[1] : a->operand[1];
    select.operand[2] = swap ? a->operand[1] : b->operand[1];
    select.operand[3].index = guard;
    select.operand[3].flags = (negated != FALSE) != (swap != FALSE) ? WS_OPERAND_NEGATE : 0;
    g_array_append_val(to->instructions, select);
    return TRUE;
}

static void empty_block(WsIrBlock *block)
{
    g_array_set_size(block->instructions, 0);
    block->next = WS_IR_NO_BLOCK;
}

static void end_without_branch(WsIrBlock *block, guint32 next)
{
    ws_instruction_init(&block->branch, WS_OP_NOP);
    block->taken = WS_IR_NO_BLOCK;
    block->next = next;
}

static gboolean convert(Converter *converter, guint32 b)
{
    WsIrFunction *function = converter->function;
    guint32 *predecessors = converter->predecessors;
    WsIrBlock *block = ws_ir_block(function, b);
    const WsInstruction *branch = &block->branch;
    if (branch->opcode != WS_OP_BRA || block->next == WS_IR_NO_BLOCK || branch->guard == WS_PT ||
        branch->operand[0].index != WS_PT || block->taken == b || block->next == b ||
        block->taken == block->next)
        return FALSE;
    guint32 guard = branch->guard;
    gboolean negated = branch->guard_negated;
    guint32 taken = block->taken;
    guint32 next = block->next;
    WsIrBlock *taken_block = ws_ir_block(function, taken);
    WsIrBlock *next_block = ws_ir_block(function, next);
    if (is_side(function, predecessors, taken, guard, ONE_SIDED_LIMIT) &&
        taken_block->next == next) {
        append_guarded(converter, block, taken_block, guard, negated);
        ws_covers_append_side(block, taken_block, WS_COVER_SIDE);
        end_without_branch(block, next);
        empty_block(taken_block);
        predecessors[next]--;
        return TRUE;
    }
    if (is_side(function, predecessors, next, guard, ONE_SIDED_LIMIT) &&
        next_block->next == taken) {
        append_guarded(converter, block, next_block, guard, !negated);
        ws_covers_append_side(block, next_block, WS_COVER_SIDE);
        end_without_branch(block, taken);
        empty_block(next_block);
        predecessors[taken]--;
        return TRUE;
    }
    if (!is_side(function, predecessors, taken, guard, TWO_SIDED_LIMIT) ||
        !is_side(function, predecessors, next, guard, TWO_SIDED_LIMIT) ||
        taken_block->next != next_block->next)
        return FALSE;
    guint32 join = taken_block->next;
    if (!append_selection(block, taken_block, next_block, guard, negated)) {
        append_guarded(converter, block, taken_block, guard, negated);
        append_guarded(converter, block, next_block, guard, !negated);
    }
    ws_covers_append_side(block, taken_block, WS_COVER_SIDE);
    ws_covers_append_side(block, next_block, WS_COVER_OTHER_SIDE);
    end_without_branch(block, join);
    empty_block(taken_block);
    empty_block(next_block);
    predecessors[join]--;
    return TRUE;
}

static guint32 *count_predecessors(const WsIrFunction *function)
{
    guint32 *predecessors = g_new0(guint32, function->blocks->len + 1);
    predecessors[0] = 1;
    for (guint32 b = 0; b < function->blocks->len; b++) {
        const WsIrBlock *block = ws_ir_block(function, b);
        for (guint n = 0; n < ws_ir_successor_count(block); n++)
            predecessors[ws_ir_successor(block, n)]++;
    }
    return predecessors;
}

void ws_if_convert(WsIrFunction *function)
{
    Converter converter = {.function = function, .predecessors = count_predecessors(function)};
    ws_variables_init(&converter.variables, function);
    converter.writes = g_new0(guint32, converter.variables.count + 1);
    ws_variables_count(&converter.variables, function, NULL, converter.writes);
    for (guint32 b = function->blocks->len; b-- > 0;)
        convert(&converter, b);
    g_free(converter.predecessors);
    g_free(converter.writes);
    ws_variables_clear(&converter.variables);
}
