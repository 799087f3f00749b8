#include "sim/sm/stall_counts.h"

#include "isa/bytecode/accesses.h"
#include "isa/flow/control_flow.h"

enum {
    LONGEST_STALL = 15,
    CLOSE = 2, /* so many instructions behind one of the XU pipe less than xu.spacing is counted */
    BEGIN = CLOSE /* the block's first instruction is close to none */
};

gboolean ws_is_fixed_latency(const WsDevice *device, const WsInstruction *instruction)
{
    WsClass k = ws_instruction_class(instruction);

    switch (ws_class_pipe(k)) {
    case WS_PIPE_FMA:
    case WS_PIPE_ALU:
    case WS_PIPE_FP16:
    case WS_PIPE_FP16_MMA:
    case WS_PIPE_FP64:
    case WS_PIPE_UNIFORM:
        return device->classes[k].latency < LONGEST_STALL;
    default:
        return FALSE;
    }
}

static gboolean overlap(const WsRegisterAccess *a, const WsRegisterAccess *b)
{
    return a->file == WS_FILE_REGISTER && b->file == WS_FILE_REGISTER &&
           a->index < b->index + b->words && b->index < a->index + a->words;
}

static gboolean overwrites_operand(const WsInstruction *instruction)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);

    for (guint w = 0; w < count; w++)
        for (guint r = 0; accesses[w].write && r < count; r++)
            if (!accesses[r].write && overlap(&accesses[r], &accesses[w]))
                return TRUE;
    return FALSE;
}

guint8 *ws_xu_apart(const WsDevice *device, const WsInstruction *instructions, guint32 first,
                    guint32 count)
{
    g_autofree guint8 *is_target = g_new0(guint8, count + 1);
    guint8 *apart;
    guint behind = BEGIN; /* instructions since the last one of the XU pipe in the block */

    if (device->xu_spacing == 0)
        return NULL;
    apart = g_new0(guint8, count + 1);
    for (guint32 i = 0; i < count; i++) {
        guint32 target = ws_branch_target(&instructions[first + i]);

        if (target - first < count)
            is_target[target - first] = TRUE;
    }
    for (guint32 i = 0; i < count; i++) {
        const WsInstruction *instruction = &instructions[first + i];

        if (is_target[i])
            behind = BEGIN;
        if (ws_class_pipe(ws_instruction_class(instruction)) == WS_PIPE_XU) {
            apart[i] = behind < CLOSE || overwrites_operand(instruction);
            behind = 0;
        } else if (behind < CLOSE) {
            behind++;
        }
        if (ws_opcode_ends_block(instruction->opcode))
            behind = BEGIN;
    }
    return apart;
}
