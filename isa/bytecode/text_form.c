#include "isa/bytecode/text_form.h"

#include "isa/bytecode/opcode.h"

#include <string.h>

static gboolean has_slot(const WsOpcodeInfo *info, WsSlot slot)
{
    return memchr(info->slots, slot, info->operand_count) != NULL;
}

gboolean ws_operand_is_optional(WsOpcode opcode, guint n)
{
    const WsOpcodeInfo *info = ws_opcode_info(opcode);
    switch (info->slots[n]) {
    case WS_SLOT_Np:
    case WS_SLOT_Nq:
    case WS_SLOT_Um:
    case WS_SLOT_Un:
        return TRUE;
    case WS_SLOT_Pd:
        return has_slot(info, WS_SLOT_Rd);
    case WS_SLOT_Pe:
        return has_slot(info, WS_SLOT_Rd) || ws_opcode_has(opcode, WS_FLAG_COMPARES);
    case WS_SLOT_Uf:
    case WS_SLOT_Ug:
        return has_slot(info, WS_SLOT_Ud) || ws_opcode_has(opcode, WS_FLAG_COMPARES);
    case WS_SLOT_Ur:
        return ws_opcode_has(opcode, WS_FLAG_COMPARES);
    case WS_SLOT_Ud:
        return opcode == WS_OP_VOTEU;
    case WS_SLOT_Pp:
    case WS_SLOT_Pq:
    case WS_SLOT_Uq:
        return ws_opcode_has(opcode, WS_FLAG_COMPARES) || opcode == WS_OP_BRA ||
               opcode == WS_OP_EXIT || opcode == WS_OP_BREAK || opcode == WS_OP_BAR;
    case WS_SLOT_Rd:
        return opcode == WS_OP_VOTE || opcode == WS_OP_BAR;
    case WS_SLOT_Sc:
        return opcode == WS_OP_IADD3 || opcode == WS_OP_BAR;
    case WS_SLOT_Uc:
        return opcode == WS_OP_UIADD3 || opcode == WS_OP_ULEA;
    case WS_SLOT_Rc:
        return opcode == WS_OP_SHF || opcode == WS_OP_LEA;
    default:
        return FALSE;
    }
}

static gboolean is_default(const WsInstruction *instruction, guint n)
{
    WsInstruction plain;
    ws_instruction_init(&plain, instruction->opcode);
    const WsOperand *a = &plain.operand[n];
    const WsOperand *b = &instruction->operand[n];
    return a->kind == b->kind && a->index == b->index && a->flags == b->flags;
}

gboolean ws_operand_is_omitted(const WsInstruction *instruction, guint n)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    WsOpcode opcode = instruction->opcode;
    if (!ws_operand_is_optional(opcode, n) || !is_default(instruction, n)) {
        return FALSE;
    }
    WsSlot next = n + 1 < info->operand_count ? info->slots[n + 1] : WS_SLOT_NONE;
    switch (info->slots[n]) {
    case WS_SLOT_Rd: /* of BAR, with its Pd; of VOTE the mask is always shown */
        return opcode == WS_OP_BAR && is_default(instruction, n + 1);
    case WS_SLOT_Pd:
        if (opcode == WS_OP_BAR) {
            return is_default(instruction, n - 1);
        }
        return opcode != WS_OP_VOTE && (next != WS_SLOT_Pe || is_default(instruction, n + 1));
    case WS_SLOT_Ud: /* of VOTEU: the mask is always shown */
        return FALSE;
    case WS_SLOT_Uf:
        return opcode != WS_OP_VOTEU && (next != WS_SLOT_Ug || is_default(instruction, n + 1));
    case WS_SLOT_Pe:
    case WS_SLOT_Ug:
        return !ws_opcode_has(opcode, WS_FLAG_COMPARES);
    case WS_SLOT_Np:
    case WS_SLOT_Um:
        return (next != WS_SLOT_Nq && next != WS_SLOT_Un) || is_default(instruction, n + 1);
    case WS_SLOT_Pp:
    case WS_SLOT_Uq:
        return !ws_opcode_has(opcode, WS_FLAG_COMPARES);
    case WS_SLOT_Sc:
        return opcode == WS_OP_BAR;
    case WS_SLOT_Uc:
        return opcode == WS_OP_ULEA;
    case WS_SLOT_Rc:
        return opcode == WS_OP_LEA;
    default:
        return TRUE;
    }
}

gboolean ws_modifier_is_required(WsModifier group)
{
    switch (group) {
    case WS_MOD_FCMP:
    case WS_MOD_ICMP:
    case WS_MOD_MUFU:
    case WS_MOD_DIRECTION:
    case WS_MOD_ATOMIC:
    case WS_MOD_SHUFFLE:
    case WS_MOD_VOTE:
    case WS_MOD_MATCH:
    case WS_MOD_REDUX:
    case WS_MOD_BARRIER:
    case WS_MOD_TRAP:
    case WS_MOD_DOT:
        return TRUE;
    default:
        return FALSE;
    }
}

WsLiteral ws_operand_literal(const WsInstruction *instruction, guint n)
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    WsSlot slot = info->slots[n];
    if (info->sources != WS_SOURCES_FLOAT ||
        ws_opcode_has_modifier(instruction->opcode, WS_MOD_HALF_TYPE) ||
        (slot != WS_SLOT_Sb && slot != WS_SLOT_Sc)) {
        return WS_LITERAL_INTEGER;
    }
    switch (instruction->opcode) {
    case WS_OP_F2I:
    case WS_OP_F2F:
        return instruction->mod[WS_MOD_FLOAT_FROM] == WS_FLOAT_F64   ? WS_LITERAL_DOUBLE_HIGH
               : instruction->mod[WS_MOD_FLOAT_FROM] == WS_FLOAT_F32 ? WS_LITERAL_FLOAT
                                                                     : WS_LITERAL_INTEGER;
    case WS_OP_MUFU:
        return instruction->mod[WS_MOD_MUFU] >= WS_MUFU_RCP64H ? WS_LITERAL_DOUBLE_HIGH
               : instruction->mod[WS_MOD_MUFU_FORMAT] == 0     ? WS_LITERAL_FLOAT
                                                               : WS_LITERAL_INTEGER;
    default:
        return ws_operand_words(instruction, n) == 2 ? WS_LITERAL_DOUBLE_HIGH : WS_LITERAL_FLOAT;
    }
}
