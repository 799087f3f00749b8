/*
 * The aligned barriers of PTX (bar.sync, __syncthreads()) ask for all lanes of the warp at one
 * instruction. WARPSYNC.ALL in front of BAR makes sure of it. It stays where a branch may have
 * split the warp and its lanes have not joined yet, and is left out elsewhere. ptxas does the same
 * [M: SASS of sm_90; lanes of one warp at two of them hang an H200].
 */
#include "isa/converge/convergence.h"

#include <string.h>

enum { MAX_WORK = 10000000 /* blocks looked at; beyond it all are kept */ };

static gboolean is_meeting(const WsInstruction *instruction)
{
    return ws_is_kind(instruction, WS_KIND_WARPSYNC_ALL);
}

/* Blocks that lanes of a warp may run apart: one byte a block. */
static guint8 *parted_blocks(const WsIrFunction *function, const WsJoins *joins,
                             const guint8 *divergent)
{
    guint32 count = function->blocks->len;
    guint8 *parted = g_new0(guint8, count + 1);
    WsBlockSet region;
    guint64 work = 0;

    ws_block_set_init(&region, count);
    for (guint32 b = 0; b < count && work <= MAX_WORK; b++) {
        if (!divergent[b])
            continue;
        ws_joins_region(joins, b, FALSE, joins->joins[b], &region);
        work += region.count;
        for (guint i = 0; i < region.count; i++)
            parted[region.list[i]] = TRUE;
    }
    if (work > MAX_WORK)
        memset(parted, TRUE, count);
    ws_block_set_clear(&region);
    return parted;
}

void ws_remove_redundant_barrier_warpsyncs(WsIrFunction *function, const WsJoins *joins,
                                           const guint8 *divergent, const guint8 *apart)
{
    g_autofree guint8 *parted = NULL;

    /* A body does not know which lanes are called. */
    if (function->sites->len > 0 || !ws_ir_has(function, is_meeting))
        return;
    parted = parted_blocks(function, joins, divergent);
    for (guint32 b = 0; b < function->blocks->len; b++) {
        GArray *instructions = ws_ir_block(function, b)->instructions;
        guint kept = 0;

        if (parted[b] || apart[b])
            continue;
        for (guint i = 0; i < instructions->len; i++) {
            WsInstruction instruction = g_array_index(instructions, WsInstruction, i);
            if (!ws_is_kind(&instruction, WS_KIND_WARPSYNC_ALL))
                g_array_index(instructions, WsInstruction, kept++) = instruction;
        }
        g_array_set_size(instructions, kept);
    }
}
