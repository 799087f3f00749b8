/*
 * Layout order. Reverse post-order in which the successor that should stand right behind a block is
 * searched last: the fall-through, or the side that stays in the loop. Cold blocks stand behind all
 * others.
 */
#include "isa/flow/control_flow.h"
#include "isa/flow/loops.h"
#include "isa/optimise/optimise.h"

static gboolean leaves_loop(const WsLoops *loops, guint32 from, guint32 to)
{
    guint32 loop = loops->innermost[from];
    return loop != WS_NO_NODE && !ws_loop_holds(loops, loop, to);
}

static WsGraph *graph_for_order(const WsIrFunction *function)
{
    g_autoptr(WsGraph) graph = ws_ir_procedures(function, WS_IR_FROM_CALLS);
    g_autoptr(WsLoops) loops = ws_graph_loops(graph, 0);
    g_autoptr(GArray) edges = g_array_new(FALSE, FALSE, sizeof(WsEdge));
    for (guint32 b = 0; b < graph->count; b++) {
        const guint32 *to = &graph->successors[graph->first[b]];
        guint32 count = graph->first[b + 1] - graph->first[b];
        for (guint pass = 0; pass < 2; pass++) {
            for (guint32 n = 0; n < count; n++) {
                WsEdge edge = {b, to[n]};
                if (leaves_loop(loops, b, to[n]) == (pass == 0))
                    g_array_append_val(edges, edge);
            }
        }
    }
    return ws_graph_new(graph->count, (const WsEdge *)(void *)edges->data, edges->len);
}

static void renumber(WsIrBlock *block, const guint32 *number)
{
    if (block->taken != WS_IR_NO_BLOCK)
        block->taken = number[block->taken];
    if (block->next != WS_IR_NO_BLOCK)
        block->next = number[block->next];
    for (guint i = 0; block->table != NULL && i < block->table->len; i++) {
        guint32 *entry = &g_array_index(block->table, guint32, i);
        *entry = number[*entry];
    }
    for (guint i = 0; i < block->instructions->len; i++) {
        WsInstruction *instruction = ws_ir_instruction(block, i);
        if (ws_is_kind(instruction, WS_KIND_BSSY))
            ws_branch_set_target(instruction, number[ws_branch_target(instruction)]);
    }
}

/* Marked by the front end, or reached from such blocks only. `order` is reverse post-order. */
static guint8 *find_cold(const WsIrFunction *function, const guint32 *order, guint32 count)
{
    enum { SEEN = 1, WARM = 2 }; /* by any block before, by a warm one */
    g_autofree guint8 *reached = g_new0(guint8, function->blocks->len);
    guint8 *cold = g_new0(guint8, function->blocks->len);
    for (guint32 i = 0; i < count; i++) {
        const WsIrBlock *block = ws_ir_block(function, order[i]);
        guint successors = ws_ir_successor_count(block);
        cold[order[i]] = i > 0 && (block->cold || reached[order[i]] == SEEN);
        for (guint n = 0; n < successors; n++)
            reached[ws_ir_successor(block, n)] |= cold[order[i]] ? SEEN : SEEN | WARM;
    }
    return cold;
}

void ws_order_blocks(WsIrFunction *function, gboolean cold_last)
{
    g_autoptr(WsGraph) graph = graph_for_order(function);
    guint32 count = 0;
    g_autofree guint32 *order = ws_graph_reverse_post_order(graph, 0, &count);
    guint32 total = function->blocks->len;
    g_autofree guint32 *number = g_new(guint32, total);
    for (guint32 b = 0; b < total; b++)
        number[b] = WS_IR_NO_BLOCK;
    g_autofree guint8 *cold = find_cold(function, order, count);
    guint32 place = 0;
    for (guint pass = 0; pass < 2; pass++)
        for (guint32 i = 0; i < count; i++)
            if ((cold_last && cold[order[i]]) == pass)
                number[order[i]] = place++;

    g_autofree WsIrBlock *moved = g_new(WsIrBlock, total);
    memcpy(moved, function->blocks->data, total * sizeof(WsIrBlock));
    guint32 unreached = count;
    for (guint32 b = 0; b < total; b++) {
        if (number[b] == WS_IR_NO_BLOCK)
            number[b] = unreached++;
    }
    for (guint32 b = 0; b < total; b++) {
        WsIrBlock *to = ws_ir_block(function, number[b]);
        *to = moved[b];
        renumber(to, number);
    }
    g_array_set_size(function->blocks, count);

    g_autoptr(WsGraph) ordered = ws_ir_procedures(function, WS_IR_FROM_CALLS);
    g_autoptr(WsLoops) loops = ws_graph_loops(ordered, 0);
    for (guint32 b = 0; b < count; b++)
        ws_ir_block(function, b)->loop_depth = ws_loop_depth(loops, b);
}
