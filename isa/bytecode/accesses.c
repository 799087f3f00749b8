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

static void add_register(Accesses *to, const WsOperand *operand, guint n, guint words,
                         gboolean write)
{
    if (operand->index == WS_RZ || words == 0)
        return;
    guint word = operand->kind == WS_OPERAND_REGISTER || operand->kind == WS_OPERAND_ADDRESS
                     ? operand->bank
                     : 0;
    add(to, WS_FILE_REGISTER, n, operand->index >= WS_VIRTUAL_BASE ? word : 0, words, write,
        operand->index);
}

static void add_operand(Accesses *to, const WsInstruction *instruction, guint n)
{
    const WsOperand *operand = &instruction->operand[n];
    if (operand->kind == WS_OPERAND_NONE || operand->kind == WS_OPERAND_IMMEDIATE)
        return;
    gboolean write = ws_operand_is_destination(instruction, n);
    guint words = ws_operand_width(instruction, n);
    switch ((WsOperandKind)operand->kind) {
    case WS_OPERAND_REGISTER:
    case WS_OPERAND_CONSTANT:
        add_register(to, operand, n, words, write);
        break;
    case WS_OPERAND_ADDRESS:
        add_register(to, operand, n, words, FALSE);
        if (operand->uniform != WS_URZ)
            add(to, WS_FILE_UNIFORM, n, 0, words, FALSE, operand->uniform);
        break;
    case WS_OPERAND_PREDICATE:
        if (operand->index != WS_PT)
            add(to, WS_FILE_PREDICATE, n, 0, 1, write, operand->index);
        break;
    case WS_OPERAND_UNIFORM_REGISTER:
        if (operand->index != WS_URZ)
            add(to, WS_FILE_UNIFORM, n, 0, words, write, operand->index);
        break;
    case WS_OPERAND_UNIFORM_PREDICATE:
        if (operand->index != WS_PT)
            add(to, WS_FILE_UNIFORM_PREDICATE, n, 0, 1, write, operand->index);
        break;
    case WS_OPERAND_BARRIER:
        add(to, WS_FILE_BARRIER, n, 0, 1, write, operand->index);
        break;
    default:
        break;
    }
}

guint ws_instruction_accesses(const WsInstruction *instruction,
                              WsRegisterAccess ret[WS_MAX_ACCESSES])
{
    Accesses to = {.list = ret};
    if (instruction->guard != WS_PT)
        add(&to, WS_FILE_PREDICATE, WS_ACCESS_GUARD, 0, 1, FALSE, instruction->guard);
    for (guint n = 0; n < instruction->operand_count; n++)
        add_operand(&to, instruction, n);

    gboolean writes_mask = instruction->opcode == WS_OP_R2P;
    if (writes_mask || instruction->opcode == WS_OP_P2R) {
        guint32 mask = instruction->operand[writes_mask ? 1 : 2].value;
        for (guint p = 0; p < WS_PT; p++) {
            if (mask >> p & 1)
                add(&to, WS_FILE_PREDICATE, WS_ACCESS_MASK, 0, 1, writes_mask, p);
        }
    }
    return to.count;
}
