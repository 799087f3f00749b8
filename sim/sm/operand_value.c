#include "sim/sm/operand_value.h"

#include <string.h>

guint32 ws_operand_value(const WsSm *sm, guint32 slot, const WsOperand *operand, guint lane)
{
    const WsDecodedProgram *decoded = sm->context->decoded;
    const WsWarpRegisters *registers = &sm->state->registers[slot];
    guint32 value = 0;

    switch (operand->kind) {
    case WS_OPERAND_REGISTER:
        if (operand->index < sm->context->kernel->registers)
            value = registers->registers[(gsize)operand->index * decoded->warp_size + lane];
        break;
    case WS_OPERAND_UNIFORM_REGISTER:
        value = registers->uniform[operand->index & 63];
        break;
    case WS_OPERAND_IMMEDIATE:
        value = operand->value;
        break;
    case WS_OPERAND_CONSTANT:
        if (operand->value <= WS_CONSTANT_BANK_BYTES - 4 && operand->bank < WS_CONSTANT_BANKS)
            memcpy(&value, decoded->constants[operand->bank] + operand->value, 4);
        break;
    default:
        break;
    }
    return value;
}

guint32 ws_warp_operand(const WsSm *sm, guint32 slot, guint32 pc, guint n)
{
    const WsWarp *warp = &sm->state->warps[slot];
    guint lane = (guint)__builtin_ctzll(warp->path.active);

    return ws_operand_value(sm, slot, &sm->context->program->instructions[pc].operand[n], lane);
}
