/* Branches, returns and traps of PTX. */
#include "isa/lower/bodies.h"

#include "isa/bytecode/opcode.h"
#include "isa/ir/walk.h"

static WsOperand guard_of(const WsLowerStatement *lower)
{
    if (lower->guard == WS_PT)
        return ws_operand_none();
    WsOperand p = ws_operand_predicate(lower->guard);
    p.flags = lower->guard_negated ? WS_OPERAND_NEGATE : 0;
    return p;
}

static void jump(WsLowerStatement *lower, guint32 target)
{
    guint32 next = lower->guard == WS_PT ? WS_IR_NO_BLOCK : ws_ir_new_block(lower->kernel->ir);
    ws_lower_branch(lower, guard_of(lower), target, next);
}

static void lower_bra(WsLowerStatement *lower)
{
    const WsPtxOperand *target = &lower->operands[0];
    if (target->kind == WS_PTX_LABEL)
        jump(lower, ws_lower_label_block(lower->kernel, target->index));
    else
        ws_lower_fail(lower->kernel, &target->position, "a label expected in '%s'",
                      lower->statement->full);
}

/* brx.idx a, targets: the label stands before a .branchtargets list. */
static void lower_brx(WsLowerStatement *lower)
{
    const WsPtxFunction *function = lower->frame->function;
    const WsPtxOperand *list = &lower->operands[1];
    const WsPtxStatement *targets = NULL;
    if (list->kind == WS_PTX_LABEL) {
        guint32 at = g_array_index(function->labels, WsPtxLabel, list->index).statement + 1;
        if (at < function->statements->len)
            targets = &g_array_index(function->statements, WsPtxStatement, at);
    }
    if (targets == NULL || targets->kind != WS_PTX_STATEMENT_TARGETS || lower->guard != WS_PT) {
        ws_lower_refuse(lower);
        return;
    }
    GArray *table = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint i = 0; i < targets->operand_count; i++) {
        const WsPtxOperand *target =
            &g_array_index(function->operands, WsPtxOperand, targets->first_operand + i);
        if (target->kind != WS_PTX_LABEL)
            ws_lower_fail(lower->kernel, &target->position, "a label expected");
        else {
            guint32 block = ws_lower_label_block(lower->kernel, target->index);
            g_array_append_val(table, block);
        }
    }
    WsOperand index = ws_lower_temporary(lower, 1);
    ws_lower_shift(lower, index, ws_lower_operand_word(lower, &lower->operands[0], WS_PTX_U32, 0),
                   ws_operand_immediate(4), ws_operand_zero(), WS_DIRECTION_LEFT, WS_SHIFT_U32,
                   FALSE);
    guint32 block = lower->kernel->block;
    WsInstruction *branch = ws_lower_end(lower, WS_OP_BRX);
    branch->operand[0] = index;
    WsIrBlock *ended = ws_ir_block(lower->kernel->ir, block);
    ended->table = table;
    ended->uniform = ws_lower_has(lower, "uni");
}

static void lower_ret(WsLowerStatement *lower)
{
    if (lower->frame->caller == NULL && lower->kernel->body != NULL)
        jump(lower, lower->kernel->body->exit);
    else if (lower->frame->caller == NULL)
        ws_lower_end(lower, WS_OP_EXIT);
    else
        jump(lower, lower->frame->return_block);
}

static void lower_exit(WsLowerStatement *lower)
{
    ws_lower_end(lower, WS_OP_EXIT);
}

static void lower_trap(WsLowerStatement *lower)
{
    ws_lower_end(lower, WS_OP_BPT)->mod[WS_MOD_TRAP] = WS_TRAP_TRAP;
}

/* Of the library: free() of what malloc() has not given. */
static void lower_bad_free(WsLowerStatement *lower)
{
    ws_lower_end(lower, WS_OP_BPT)->mod[WS_MOD_TRAP] = WS_TRAP_FREE;
}

const WsPtxRow ws_ptx_control_rows[] = {
    {"ws", "badfree", 0, 0, 0, 0, 0, lower_bad_free},
    {"bra", "uni", 0, 0, 1, 1, 0, lower_bra},
    {"brx", "idx uni", 0, 0, 2, 2, 0, lower_brx},
    {"ret", "uni", 0, 0, 0, 0, 0, lower_ret},
    {"exit", "", 0, 0, 0, 0, 0, lower_exit},
    {"trap", "", 0, 0, 0, 0, 0, lower_trap},
    {"brkpt", "", 0, 0, 0, 0, 0, lower_trap}, /* no debugger takes it */
    {"call", "uni", 0, 0, 1, 4, WS_PTX_ROW_BRANCHES, ws_lower_call},
    {0}};
