/* Appending of instructions and blocks. */
#include "isa/bytecode/instruction_check.h"
#include "isa/bytecode/opcode.h"
#include "isa/ir/walk.h"
#include "isa/lower/lower.h"

/* ---- blocks ---- */

/* The block being filled; after an unconditional branch a fresh one that nothing reaches. */
static WsIrBlock *current(WsLowerKernel *kernel)
{
    if (kernel->block == WS_IR_NO_BLOCK)
        kernel->block = ws_ir_new_block(kernel->ir);
    return ws_ir_block(kernel->ir, kernel->block);
}

guint32 ws_lower_label_block(WsLowerKernel *kernel, guint32 label)
{
    const WsPtxFrame *frame = kernel->frame;
    guint32 *block = &frame->labels[label];
    if (*block == WS_IR_NO_BLOCK) {
        *block = ws_ir_new_block(kernel->ir);
        const char *name = g_array_index(frame->function->labels, WsPtxLabel, label).name;
        if (frame->caller == NULL)
            ws_ir_block(kernel->ir, *block)->label = g_strdup(name);
        ws_ir_block(kernel->ir, *block)->cold = frame->is_library && g_str_has_prefix(name, "COLD");
    }
    return *block;
}

void ws_lower_fall_through(WsLowerKernel *kernel, guint32 next)
{
    if (kernel->block != WS_IR_NO_BLOCK)
        current(kernel)->next = next;
    kernel->block = next;
}

static WsInstruction *start_branch(WsLowerStatement *lower, WsIrBlock *block, WsOpcode opcode)
{
    ws_instruction_init(&block->branch, opcode);
    block->branch.location = lower->frame->location;
    return &block->branch;
}

/*
 * What is no branch of the PTX and takes one to compute: the opcode of the statement, the one that
 * calls the library if it is of that. NULL: a branch, call or return.
 */
static const char *operation_of(const WsPtxFrame *frame)
{
    static const char *const control[] = {"bra", "brx", "call", "ret", "exit", NULL};
    while (frame->is_library && frame->caller != NULL)
        frame = frame->caller;
    const WsPtxStatement *statement = ws_lower_statement_at(frame);
    return statement == NULL || g_strv_contains(control, statement->opcode) ? NULL
                                                                            : statement->opcode;
}

/* The location of such a branch names the operation, at whose end its lanes meet. */
static void name_operation(WsLowerKernel *kernel, WsInstruction *branch)
{
    const char *opcode = operation_of(kernel->frame);
    WsIrModule *ir = kernel->module->ir;
    WsLocation location = g_array_index(ir->locations, WsLocation, branch->location);
    GArray *constructs = ir->constructs;
    const WsConstruct *last = &g_array_index(constructs, WsConstruct, constructs->len - 1);
    if (opcode == NULL || location.line == 0 || !kernel->module->options->from_cuda)
        return;
    if (g_strcmp0(last->name, opcode) != 0 || last->file != location.file ||
        last->line != location.line) {
        const WsConstruct operation = {.kind = WS_CONSTRUCT_OPERATION,
                                       .file = location.file,
                                       .line = location.line,
                                       .end_line = location.line,
                                       .name = g_strdup(opcode),
                                       .meets = constructs->len};
        g_array_append_val(constructs, operation);
    }
    location.construct = constructs->len - 1;
    g_array_append_val(ir->locations, location);
    branch->location = ir->locations->len - 1;
}

void ws_lower_branch(WsLowerStatement *lower, WsOperand p, guint32 taken, guint32 next)
{
    WsIrBlock *block = current(lower->kernel);
    WsInstruction *branch = start_branch(lower, block, WS_OP_BRA);
    if (p.kind == WS_OPERAND_PREDICATE) {
        branch->guard = p.index;
        branch->guard_negated = (p.flags & WS_OPERAND_NEGATE) != 0;
        name_operation(lower->kernel, branch);
    }
    block->taken = taken;
    block->next = next;
    block->uniform = ws_lower_has(lower, "uni");
    lower->kernel->block = next;
}

WsInstruction *ws_lower_end(WsLowerStatement *lower, WsOpcode opcode)
{
    WsLowerKernel *kernel = lower->kernel;
    guint32 next = lower->guard == WS_PT ? WS_IR_NO_BLOCK : ws_ir_new_block(kernel->ir);
    WsIrBlock *block = current(kernel);
    WsInstruction *branch = start_branch(lower, block, opcode);
    branch->guard = lower->guard;
    branch->guard_negated = lower->guard_negated;
    block->next = next;
    kernel->block = next;
    return branch;
}

/* ---- legal operands ---- */

static gboolean slot_takes_only_registers(guint slot)
{
    return slot == WS_SLOT_Ra || slot == WS_SLOT_Rb || slot == WS_SLOT_Rc;
}

static gboolean is_plain(const WsOperand *operand)
{
    return operand->kind == WS_OPERAND_REGISTER;
}

/* A pair from a 64-bit float immediate, or a word. */
static WsOperand to_register(WsLowerStatement *lower, const WsOperand *operand, guint width)
{
    if (operand->kind == WS_OPERAND_IMMEDIATE && operand->value == 0)
        return ws_operand_zero();
    WsOperand plain = *operand;
    plain.flags = 0;
    WsOperand d;
    if (width == 2 && operand->kind == WS_OPERAND_IMMEDIATE) {
        d = ws_lower_pair(lower, ws_operand_zero(), plain);
    } else if (width == 2) {
        d = ws_lower_temporary(lower, 2);
        WsOperand high = plain;
        high.value += 4;
        ws_lower_move(lower, d, plain);
        ws_lower_move(lower, ws_operand_word(d, 1), high);
    } else {
        d = ws_lower_temporary(lower, 1);
        ws_lower_move(lower, d, plain);
    }
    d.flags = operand->flags;
    return d;
}

/* Words of operand `n` if it is a register. */
static guint width_of_slot(const WsInstruction *instruction, guint n)
{
    WsInstruction with_register = *instruction;
    with_register.operand[n].kind = WS_OPERAND_REGISTER;
    with_register.operand[n].index = WS_VIRTUAL_BASE;
    return ws_operand_width(&with_register, n);
}

static void make_legal(WsLowerStatement *lower, WsInstruction *instruction)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    gboolean taken = FALSE; /* the one operand that may be other than a register */
    for (guint n = 0; n < instruction->operand_count; n++) {
        WsOperand *operand = &instruction->operand[n];
        guint slot = info->slots[n];
        if (slot == WS_SLOT_Sb || slot == WS_SLOT_Sc) {
            if (operand->kind == WS_OPERAND_IMMEDIATE && operand->value == 0 &&
                info->sources != WS_SOURCES_FLOAT)
                *operand = ws_operand_zero();
            if (is_plain(operand))
                continue;
            if (taken && !ws_opcode_takes_two_immediates(instruction->opcode))
                *operand = to_register(lower, operand, width_of_slot(instruction, n));
            else
                taken = TRUE;
        } else if (slot_takes_only_registers(slot) && !is_plain(operand)) {
            *operand = to_register(lower, operand, width_of_slot(instruction, n));
        }
    }
}

/* a op b with an immediate a: the other order needs no copy. */
static void swap_commutative(WsInstruction *instruction)
{
    guint a, b;
    switch (instruction->opcode) {
    case WS_OP_FADD:
    case WS_OP_FMUL:
    case WS_OP_FFMA:
    case WS_OP_DADD:
    case WS_OP_DMUL:
    case WS_OP_DFMA:
    case WS_OP_HADD2:
    case WS_OP_HMUL2:
    case WS_OP_HFMA2:
    case WS_OP_IMAD:
    case WS_OP_IMAD_HI:
    case WS_OP_FMNMX:
    case WS_OP_VIMNMX:
        a = 1;
        break;
    case WS_OP_IADD3:
        a = 3;
        break;
    case WS_OP_IMAD_WIDE:
        a = 2;
        break;
    default:
        return;
    }
    b = a + 1;
    if (is_plain(&instruction->operand[a]) || !is_plain(&instruction->operand[b]))
        return;
    WsOperand swapped = instruction->operand[a];
    instruction->operand[a] = instruction->operand[b];
    instruction->operand[b] = swapped;
}

void ws_lower_count(WsLowerKernel *kernel, guint32 instructions)
{
    guint32 before = kernel->emitted;
    kernel->emitted += instructions;
    if (before > WS_PTX_MAX_EMITTED || kernel->emitted <= WS_PTX_MAX_EMITTED)
        return;
    const WsPtxStatement *statement = ws_lower_statement_at(kernel->frame);
    ws_lower_fail(kernel, statement == NULL ? &kernel->ptx->position : &statement->position,
                  "kernel '%s' needs more than %d instructions", kernel->ptx->name,
                  WS_PTX_MAX_EMITTED);
}

WsInstruction *ws_lower_emit(WsLowerStatement *lower, WsOpcode opcode, const WsOperand *operands,
                             guint count)
{
    WsInstruction instruction;
    ws_instruction_init(&instruction, opcode);
    for (guint n = 0; n < count && n < instruction.operand_count; n++)
        if (operands[n].kind != WS_OPERAND_NONE)
            instruction.operand[n] = operands[n];
    swap_commutative(&instruction);
    make_legal(lower, &instruction);
    instruction.guard = lower->guard;
    instruction.guard_negated = (guint8)lower->guard_negated;
    instruction.location = lower->frame->location;
    ws_lower_count(lower->kernel, 1);
    GArray *instructions = current(lower->kernel)->instructions;
    g_array_append_val(instructions, instruction);
    return &g_array_index(instructions, WsInstruction, instructions->len - 1);
}

/* ---- common instructions ---- */

void ws_lower_move(WsLowerStatement *lower, WsOperand to, WsOperand from)
{
    if (to.index != WS_RZ)
        EMIT(lower, MOV, to, from);
}

void ws_lower_move_pair(WsLowerStatement *lower, WsOperand to, WsOperand from)
{
    ws_lower_move(lower, to, from);
    ws_lower_move(lower, ws_operand_word(to, 1), ws_operand_word(from, 1));
}

void ws_lower_logic(WsLowerStatement *lower, WsOperand d, WsOperand a, WsOperand b, WsOperand c,
                    guint8 table)
{
    if (a.kind != WS_OPERAND_REGISTER && b.kind == WS_OPERAND_REGISTER) {
        WsOperand swapped = a;
        a = b;
        b = swapped;
        table = (guint8)((table & 0xc3) | ((table & 0x0c) << 2) | ((table & 0x30) >> 2));
    }
    EMIT(lower, LOP3, d, ws_operand_none(), a, b, c, ws_operand_immediate(table));
}

void ws_lower_add(WsLowerStatement *lower, WsOperand d, WsOperand a, WsOperand b)
{
    EMIT(lower, IADD3, d, ws_operand_none(), ws_operand_none(), a, b, ws_operand_zero());
}

/* -x of a pair is ~x + 1: with .X the minus means ~, and the low half's carry is the + 1. */
void ws_lower_add_pair(WsLowerStatement *lower, WsOperand d, WsOperand a0, WsOperand a1,
                       WsOperand b0, WsOperand b1)
{
    WsOperand carry = ws_lower_temporary_predicate(lower);
    WsOperand none = ws_operand_none();
    EMIT(lower, IADD3, d, carry, none, a0, b0, ws_operand_zero());
    EMIT(lower, IADD3, ws_operand_word(d, 1), none, none, a1, b1, ws_operand_zero(), carry)
        ->mod[WS_MOD_EXTENDED] = 1;
}

void ws_lower_select(WsLowerStatement *lower, WsOperand d, WsOperand p, WsOperand a, WsOperand b)
{
    gboolean swap = a.kind != WS_OPERAND_REGISTER && b.kind == WS_OPERAND_REGISTER;
    if (swap)
        p = ws_operand_negated(p);
    EMIT(lower, SEL, d, swap ? b : a, swap ? a : b, p);
}

void ws_lower_shift(WsLowerStatement *lower, WsOperand d, WsOperand low, WsOperand amount,
                    WsOperand high, guint direction, guint type, gboolean high_word)
{
    WsInstruction *shift = EMIT(lower, SHF, d, low, amount, high);
    shift->mod[WS_MOD_DIRECTION] = (guint8)direction;
    shift->mod[WS_MOD_SHIFT_TYPE] = (guint8)type;
    shift->mod[WS_MOD_HIGH] = (guint8)high_word;
}

void ws_lower_compare(WsLowerStatement *lower, WsOperand p, guint cmp, gboolean is_unsigned,
                      WsOperand a, WsOperand b)
{
    WsInstruction *compare = EMIT(lower, ISETP, p, ws_operand_none(), a, b);
    compare->mod[WS_MOD_ICMP] = (guint8)cmp;
    compare->mod[WS_MOD_UNSIGNED] = (guint8)is_unsigned;
}
