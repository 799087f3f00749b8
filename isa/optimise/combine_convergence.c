/*
 * WARPSYNC in front of shuffles, votes and the like is left out where the lanes are sure to be
 * together: from the start of the kernel, or from the last WARPSYNC, as long as no branch can split
 * them (lanes that exit leave the others together). One that stands for itself, a __syncwarp(),
 * stays.
 */
#include "isa/optimise/combine_patterns.h"

enum { ALL = 0xffffffff };

/* TRUE if the next thing the lanes do together is what the WARPSYNC at `i` was made for. */
static gboolean belongs_to_operation(const GArray *instructions, guint i)
{
    for (guint k = i + 1; k < instructions->len; k++) {
        const WsInstruction *next = &g_array_index(instructions, WsInstruction, k);
        if (ws_is_kind(next, WS_KIND_WARPSYNC))
            return FALSE;
        if (ws_is_warp_wide(next))
            return TRUE;
    }
    return FALSE;
}

/* Drops what is not needed where the lanes of `together` are; returns those at the end. */
static guint32 clean_block(WsIrBlock *block, guint32 together)
{
    GArray *instructions = block->instructions;
    guint kept = 0;
    for (guint i = 0; i < instructions->len; i++) {
        WsInstruction instruction = g_array_index(instructions, WsInstruction, i);
        if (ws_is_kind(&instruction, WS_KIND_WARPSYNC) && !ws_is_guarded(&instruction)) {
            const WsOperand *mask = &instruction.operand[0];
            gboolean known = mask->kind == WS_OPERAND_IMMEDIATE;
            if (known && (mask->value & ~together) == 0 && belongs_to_operation(instructions, i))
                continue;
            if (known && (mask->value & ~together) != 0)
                together = mask->value;
        }
        g_array_index(instructions, WsInstruction, kept++) = instruction;
    }
    g_array_set_size(instructions, kept);
    return together;
}

static gboolean may_split(const WsIrBlock *block)
{
    if (ws_is_kind(&block->branch, WS_KIND_BRX))
        return TRUE;
    return ws_is_kind(&block->branch, WS_KIND_BRA) && ws_ir_is_conditional(block);
}

void ws_remove_redundant_warpsyncs(WsIrFunction *function)
{
    guint32 count = function->blocks->len;
    g_autofree guint32 *predecessors = g_new0(guint32, count + 1);
    g_autofree guint8 *done = g_malloc0(count + 1);
    for (guint32 b = 0; b < count; b++) {
        const WsIrBlock *block = ws_ir_block(function, b);
        for (guint n = 0; n < ws_ir_successor_count(block); n++)
            predecessors[ws_ir_successor(block, n)]++;
    }
    /* Chains of blocks with one way in; the first chain starts with all lanes together. */
    for (guint32 head = 0; head < count; head++) {
        guint32 together = head == 0 && predecessors[0] == 0 ? ALL : 0;
        for (guint32 b = head; !done[b];) {
            WsIrBlock *block = ws_ir_block(function, b);
            done[b] = 1;
            together = clean_block(block, together);
            if (may_split(block) || ws_ir_successor_count(block) != 1 ||
                predecessors[ws_ir_successor(block, 0)] != 1)
                break;
            b = ws_ir_successor(block, 0);
        }
    }
}
