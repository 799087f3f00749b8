#include "sim/sm/register_reads.h"

#include <string.h>

/* What an instruction reads through one operand slot. */
typedef struct {
    guint32 index; /* first register */
    guint8 words;  /* 0 = no register */
    guint8 reuse;
} Read;

static void find_reads(const WsInstruction *instruction, Read ret[WS_OPERAND_SLOTS])
{
    gint operands[WS_OPERAND_SLOTS];

    ws_operand_slots(instruction, operands);
    for (guint s = 0; s < WS_OPERAND_SLOTS; s++) {
        const WsOperand *operand = &instruction->operand[MAX(operands[s], 0)];

        ret[s] = (Read){0};
        if (operands[s] >= 0)
            ret[s] = (Read){.index = operand->index,
                            .words = (guint8)ws_operand_width(instruction, (guint)operands[s]),
                            .reuse = (operand->flags & WS_OPERAND_REUSE) != 0};
    }
}

/*
 * How many instructions before `n` the operand was cached that it finds, WS_READ_RUNS if there is
 * none.
 */
static guint cached_since(const WsInstruction *instructions, guint32 first, guint32 n, guint slot,
                          const Read *read)
{
    WsPipe pipe = ws_class_pipe(ws_instruction_class(&instructions[n]));

    for (guint32 back = 1; back < WS_READ_RUNS && back <= n - first; back++) {
        const WsInstruction *before = &instructions[n - back];
        Read reads[WS_OPERAND_SLOTS];

        if (ws_class_pipe(ws_instruction_class(before)) != pipe)
            continue;
        find_reads(before, reads);
        if (reads[slot].words == 0)
            continue;
        return reads[slot].reuse && reads[slot].index == read->index &&
                       reads[slot].words == read->words
                   ? back
                   : WS_READ_RUNS;
    }
    return WS_READ_RUNS;
}

/* TRUE if the word is read for an earlier slot as well. */
static gboolean is_read_before(const Read reads[WS_OPERAND_SLOTS],
                               const gboolean cached[WS_OPERAND_SLOTS], guint slot, guint32 index)
{
    for (guint s = 0; s < slot; s++)
        if (!cached[s] && index - reads[s].index < reads[s].words)
            return TRUE;
    return FALSE;
}

guint64 ws_register_reads(const WsDevice *device, const WsInstruction *instructions, guint32 first,
                          guint32 n)
{
    Read reads[WS_OPERAND_SLOTS];
    guint since[WS_OPERAND_SLOTS];
    guint64 ret = 0;

    if (!ws_pipe_has_operand_slots(ws_class_pipe(ws_instruction_class(&instructions[n]))))
        return 0;
    find_reads(&instructions[n], reads);
    for (guint s = 0; s < WS_OPERAND_SLOTS; s++)
        since[s] = cached_since(instructions, first, n, s, &reads[s]);
    for (guint run = 0; run < WS_READ_RUNS; run++) {
        gboolean cached[WS_OPERAND_SLOTS];

        for (guint s = 0; s < WS_OPERAND_SLOTS; s++) {
            cached[s] = since[s] <= run;
            for (guint w = 0; w < reads[s].words && !cached[s]; w++) {
                guint bank = (reads[s].index + w) % (guint)device->register_banks;

                if (!is_read_before(reads, cached, s, reads[s].index + w))
                    ret += (guint64)1 << (run * 2 + bank) * WS_READ_BITS;
            }
        }
    }
    return ret;
}
