#include "isa/bytecode/accesses.h"

typedef struct {
    WsRegisterAccess *list;
    guint count;
} Accesses;

static void add(Accesses *to, WsRegisterFile file, guint operand, guint word, guint words,
                gboolean write, guint32 index)
{
    to->list[to->count++] = (WsRegisterAccess){.file = (guint8)file,
                                               .operand = (guint8)operand,
                                               .word = (guint8)word,
                                               .words = (guint8)words,
                                               .write = write != FALSE,
                                               .index = index};
}

static void add_register(Accesses *to, const WsInstruction *instruction, guint n)
{
    const WsOperand *operand = &instruction->operand[n];
    guint words = operand->kind == WS_OPERAND_CONSTANT ? ws_operand_width(instruction, n)
                                                       : ws_operand_words(instruction, n);
    if (words == 0)
        return;
    gboolean has_words =
        operand->kind == WS_OPERAND_REGISTER || operand->kind == WS_OPERAND_ADDRESS;
    gboolean write =
        operand->kind != WS_OPERAND_ADDRESS && ws_operand_is_destination(instruction, n);
    add(to, WS_FILE_REGISTER, n, has_words && operand->index >= WS_VIRTUAL_BASE ? operand->bank : 0,
        words, write, operand->index);
}

/* Asks for width and use only where there is a register or predicate: most time of a compile. */
static void add_operand(Accesses *to, const WsInstruction *instruction, guint n)
{
    const WsOperand *operand = &instruction->operand[n];
    switch ((WsOperandKind)operand->kind) {
    case WS_OPERAND_ADDRESS:
        if (operand->index != WS_RZ)
            add_register(to, instruction, n);
        if (operand->uniform != WS_URZ)
            add(to, WS_FILE_UNIFORM, n, 0, ws_operand_width(instruction, n), FALSE,
                operand->uniform);
        break;
    case WS_OPERAND_CONSTANT:
        if (operand->uniform < WS_URZ)
            add(to, WS_FILE_UNIFORM, n, 0, 1, FALSE, operand->uniform);
        if (operand->index != WS_RZ)
            add_register(to, instruction, n);
        break;
    case WS_OPERAND_REGISTER:
        if (operand->index != WS_RZ)
            add_register(to, instruction, n);
        break;
    case WS_OPERAND_PREDICATE:
        if (operand->index != WS_PT)
            add(to, WS_FILE_PREDICATE, n, 0, 1, ws_operand_is_destination(instruction, n),
                operand->index);
        break;
    case WS_OPERAND_UNIFORM_REGISTER:
        if (operand->index != WS_URZ)
            add(to, WS_FILE_UNIFORM, n, 0, ws_operand_width(instruction, n),
                ws_operand_is_destination(instruction, n), operand->index);
        break;
    case WS_OPERAND_UNIFORM_PREDICATE:
        if (operand->index != WS_PT)
            add(to, WS_FILE_UNIFORM_PREDICATE, n, 0, 1, ws_operand_is_destination(instruction, n),
                operand->index);
        break;
    case WS_OPERAND_BARRIER:
        add(to, WS_FILE_BARRIER, n, 0, 1, ws_operand_is_destination(instruction, n),
            operand->index);
        break;
    default:
        break;
    }
}

guint ws_instruction_accesses(const WsInstruction *instruction,
                              WsRegisterAccess ret[WS_MAX_ACCESSES])
{
    Accesses to = {.list = ret};
    if (ws_is_guarded_uniformly(instruction))
        add(&to, WS_FILE_UNIFORM_PREDICATE, WS_ACCESS_GUARD, 0, 1, FALSE,
            instruction->guard - WS_GUARD_UNIFORM);
    else if (instruction->guard != WS_PT)
        add(&to, WS_FILE_PREDICATE, WS_ACCESS_GUARD, 0, 1, FALSE, instruction->guard);
    for (guint n = 0; n < instruction->operand_count; n++)
        add_operand(&to, instruction, n);

    gboolean writes_mask = ws_opcode_has(instruction->opcode, WS_FLAG_PREDICATES_OUT);
    if (writes_mask || ws_opcode_has(instruction->opcode, WS_FLAG_PREDICATES_IN)) {
        guint32 mask = instruction->operand[writes_mask ? 1 : 2].value;
        for (guint p = 0; p < WS_PT; p++) {
            if (mask >> p & 1)
                add(&to, WS_FILE_PREDICATE, WS_ACCESS_MASK, 0, 1, writes_mask, p);
        }
    }
    return to.count;
}
