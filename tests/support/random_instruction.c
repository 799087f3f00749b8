#include "tests/support/random_instruction.h"

#include "isa/bytecode/instruction_check.h"
#include "isa/bytecode/opcode.h"
#include "isa/bytecode/program.h"

static guint32 below(GRand *random, guint32 limit)
{
    return (guint32)g_rand_int_range(random, 0, (gint32)limit);
}

static guint32 random_value(GRand *random)
{
    static const guint32 corners[] = {0,          1,          15,         16,
                                      0xffff,     0x7fffffff, 0x80000000, 0xffffffff,
                                      0x3f800000, 0x7f800000, 0x7fc00000, 0x00000001};
    return below(random, 2) ? g_rand_int(random) : corners[below(random, G_N_ELEMENTS(corners))];
}

static WsOperandKind random_kind(GRand *random, WsSlot slot)
{
    static const WsOperandKind kinds[] = {WS_OPERAND_REGISTER, WS_OPERAND_IMMEDIATE,
                                          WS_OPERAND_CONSTANT, WS_OPERAND_UNIFORM_REGISTER};
    if (slot == WS_SLOT_Sb || slot == WS_SLOT_Sc) {
        return kinds[below(random, 4)];
    }
    if (slot == WS_SLOT_Ub || slot == WS_SLOT_Uc) {
        return kinds[1 + below(random, 3)];
    }
    return ws_slot_kind(slot);
}

static guint32 random_register(GRand *random, guint32 zero, guint width)
{
    return below(random, 6) == 0 ? zero : below(random, zero / width) * width;
}

static void random_operand(GRand *random, WsInstruction *ret, guint n, guint32 target_limit)
{
    const WsOpcodeInfo *info = ws_opcode_info(ret->opcode);
    WsSlot slot = info->slots[n];
    guint width = MAX(ws_operand_words(ret, n), 1);
    WsOperand *operand = &ret->operand[n];
    *operand = (WsOperand){.kind = random_kind(random, slot), .uniform = WS_URZ};
    if (slot == WS_SLOT_Pr && below(random, 2)) {
        operand->kind = WS_OPERAND_UNIFORM_PREDICATE;
    }
    switch (operand->kind) {
    case WS_OPERAND_REGISTER:
        operand->index = random_register(random, WS_RZ, width);
        break;
    case WS_OPERAND_UNIFORM_REGISTER:
        operand->index = random_register(random, WS_URZ, width);
        break;
    case WS_OPERAND_PREDICATE:
    case WS_OPERAND_UNIFORM_PREDICATE:
        operand->index = below(random, 8);
        break;
    case WS_OPERAND_BARRIER:
        operand->index = below(random, 16);
        break;
    case WS_OPERAND_IMMEDIATE:
        operand->value = slot == WS_SLOT_Ic                            ? below(random, 256)
                         : ret->opcode == WS_OP_BAR                    ? below(random, 16)
                         : ws_opcode_takes_two_immediates(ret->opcode) ? below(random, 65536)
                                                                       : random_value(random);
        break;
    case WS_OPERAND_CONSTANT:
        operand->bank = (guint8)below(random, WS_CONSTANT_BANKS);
        operand->value = below(random, WS_CONSTANT_BANK_BYTES / 8) * 8;
        operand->index = slot == WS_SLOT_Cm ? random_register(random, WS_RZ, 1) : WS_RZ;
        if (info->slots[0] == WS_SLOT_Ud && slot == WS_SLOT_Cm && below(random, 2)) {
            operand->index = WS_RZ;
            operand->uniform = (guint8)random_register(random, WS_URZ, 1);
        }
        break;
    case WS_OPERAND_ADDRESS:
        operand->index = random_register(random, WS_RZ, width);
        operand->uniform = (guint8)(below(random, 2) ? WS_URZ : below(random, 63));
        operand->value =
            (guint32)g_rand_int_range(random, WS_ADDRESS_OFFSET_MIN, WS_ADDRESS_OFFSET_MAX + 1);
        break;
    case WS_OPERAND_TARGET:
        operand->value = below(random, target_limit);
        break;
    case WS_OPERAND_SPECIAL:
        operand->value = below(random, WS_SR_COUNT);
        break;
    default:
        break;
    }
    guint flags = below(random, 8) | (below(random, 2) ? 0 : below(random, 3) * WS_OPERAND_LOW);
    operand->flags = (guint8)(flags & ws_operand_allowed_flags(ret, n));
}

static void random_control(GRand *random, WsControl *ret)
{
    static const guint8 barriers[] = {0, 1, 2, 3, 4, 5, 7};
    *ret = (WsControl){.write_barrier = 7, .read_barrier = 7};
    if (below(random, 2) == 0) {
        return;
    }
    *ret = (WsControl){.stall = (guint8)below(random, 16),
                       .yield = (guint8)below(random, 2),
                       .write_barrier = barriers[below(random, 7)],
                       .read_barrier = barriers[below(random, 7)],
                       .wait_mask = (guint8)below(random, 64)};
}

void random_instruction(GRand *random, WsOpcode opcode, guint32 target_limit, WsInstruction *ret)
{
    const WsOpcodeInfo *info = ws_opcode_info(opcode);
    for (;;) {
        ws_instruction_init(ret, opcode);
        ret->guard = below(random, 2) ? WS_PT : below(random, WS_GUARD_UNIFORM + WS_PT);
        ret->guard_negated = (guint8)below(random, 2);
        random_control(random, &ret->control);
        for (guint m = 0; m < info->modifier_count; m++) {
            guint count = ws_modifier_count(info->modifiers[m]);
            ret->mod[info->modifiers[m]] = (guint8)below(random, count);
        }
        for (guint n = 0; n < info->operand_count; n++) {
            random_operand(random, ret, n, target_limit);
        }
        g_autofree char *problem = ws_instruction_problem(ret);
        if (problem == NULL) {
            return;
        }
    }
}
