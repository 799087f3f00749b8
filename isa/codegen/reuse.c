/*
 * Reuse flags: an operand stays in the operand cache of its slot if the next instruction of the
 * same pipe reads the same register in the same slot and nothing writes it before. Where the warp
 * waits longer before its next instruction, another one is likely to issue and to empty the cache:
 * there ptxas sets no flag (nvcc 13.0 for sm_90: 825 of 852 such operands before a short stall,
 * none of 1962 others).
 */
#include "isa/codegen/code_generation.h"

enum { WINDOW = 8, SHORT_STALL = 2 };

void ws_operand_slots(const WsInstruction *instruction, gint ret[WS_OPERAND_SLOTS])
{
    const WsOpcodeInfo *info = ws_opcode_info(instruction->opcode);
    for (guint s = 0; s < WS_OPERAND_SLOTS; s++)
        ret[s] = -1;
    for (guint n = 0; n < info->operand_count; n++) {
        const WsOperand *operand = &instruction->operand[n];
        if (operand->kind != WS_OPERAND_REGISTER || operand->index == WS_RZ)
            continue;
        switch (info->slots[n]) {
        case WS_SLOT_Ra:
            ret[0] = (gint)n;
            break;
        case WS_SLOT_Rb:
        case WS_SLOT_Sb:
            ret[1] = (gint)n;
            break;
        case WS_SLOT_Rc:
        case WS_SLOT_Sc:
            ret[2] = (gint)n;
            break;
        default:
            break;
        }
    }
}

gboolean ws_pipe_has_operand_slots(WsPipe pipe)
{
    return pipe == WS_PIPE_FMA || pipe == WS_PIPE_ALU || pipe == WS_PIPE_FP16 ||
           pipe == WS_PIPE_FP16_MMA || pipe == WS_PIPE_FP64;
}

static gboolean writes_register(const WsInstruction *instruction, guint32 index, guint words)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    for (guint a = 0; a < count; a++) {
        if (accesses[a].write && accesses[a].file == WS_FILE_REGISTER &&
            accesses[a].index < index + words && index < accesses[a].index + accesses[a].words)
            return TRUE;
    }
    return FALSE;
}

/* TRUE if the warp's next instruction comes soon after instruction `i`. */
static gboolean goes_on(const WsInstruction *instructions, guint i, guint count)
{
    return instructions[i].control.stall <= SHORT_STALL &&
           (i + 1 >= count || instructions[i + 1].control.wait_mask == 0);
}

void ws_mark_reuse(WsInstruction *instructions, guint count)
{
    for (guint i = 0; i < count; i++) {
        WsInstruction *instruction = &instructions[i];
        WsPipe pipe = ws_class_pipe(ws_instruction_class(instruction));
        if (!ws_pipe_has_operand_slots(pipe) || !goes_on(instructions, i, count))
            continue;
        guint next = i + 1;
        while (next < count && next < i + WINDOW &&
               ws_class_pipe(ws_instruction_class(&instructions[next])) != pipe)
            next++;
        if (next >= count || next >= i + WINDOW)
            continue;
        gint own[WS_OPERAND_SLOTS];
        gint other[WS_OPERAND_SLOTS];
        ws_operand_slots(instruction, own);
        ws_operand_slots(&instructions[next], other);
        for (guint s = 0; s < WS_OPERAND_SLOTS; s++) {
            if (own[s] < 0 || other[s] < 0)
                continue;
            WsOperand *operand = &instruction->operand[own[s]];
            guint words = ws_operand_width(instruction, (guint)own[s]);
            gboolean kept = instructions[next].operand[other[s]].index == operand->index &&
                            ws_operand_width(&instructions[next], (guint)other[s]) == words;
            for (guint k = i; kept && k < next; k++)
                kept = !writes_register(&instructions[k], operand->index, words);
            if (kept)
                operand->flags |= WS_OPERAND_REUSE;
        }
    }
}
