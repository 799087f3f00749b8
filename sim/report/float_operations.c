#include "sim/report/float_operations.h"

#include "isa/bytecode/opcode.h"

#include <math.h>

/* Of a matrix instruction: rows, columns, products of an element. */
static guint64 matrix_operations(const WsInstruction *instruction)
{
    static const guint depths[] = {16, 8, 4}; /* by the rows of MMA_SHAPE */

    if (instruction->opcode == WS_OP_DMMA)
        return 2 * 8 * 8 * 4;
    return 2 * 16 * 8 * depths[instruction->mod[WS_MOD_MMA_SHAPE]];
}

guint64 ws_float_operations_of(const WsInstruction *instruction, guint64 issued, guint64 lanes)
{
    switch (instruction->opcode) {
    case WS_OP_FADD:
    case WS_OP_FMUL:
    case WS_OP_DADD:
    case WS_OP_DMUL:
        return lanes;
    case WS_OP_FFMA:
    case WS_OP_DFMA:
    case WS_OP_HADD2:
    case WS_OP_HMUL2:
        return 2 * lanes;
    case WS_OP_HFMA2:
    case WS_OP_HFMA2_MMA:
        return 4 * lanes;
    case WS_OP_HMMA:
    case WS_OP_DMMA:
        return lanes != 0 ? issued * matrix_operations(instruction) : 0;
    default:
        return 0;
    }
}

guint64 ws_launch_float_operations(const WsProgram *program, const WsLaunchResult *launch)
{
    guint64 sum = 0;

    for (guint32 i = 0; i < program->instruction_count; i++)
        sum += ws_float_operations_of(&program->instructions[i], launch->instructions[i].issued,
                                      launch->instructions[i].lanes_on);
    return sum;
}

guint64 ws_float_operations(const WsProgram *program, const WsResult *result)
{
    guint64 sum = 0;

    for (guint32 i = 0; i < result->launch_count; i++)
        sum += ws_launch_float_operations(program, &result->launches[i]);
    return sum;
}

double ws_tflops(guint64 operations, guint64 elapsed_cycles, const WsDevice *device)
{
    enum { KHZ_TO_TERA = 1000000000 };

    return elapsed_cycles == 0 ? (double)NAN
                               : (double)operations * (double)device->clock_khz /
                                     (double)elapsed_cycles / KHZ_TO_TERA;
}
