/*
 * Control flow made simple: branches to empty blocks go where those go, branches to a bare EXIT
 * become a guarded EXIT, a branch with both sides alike is none, a block that alone leads to
 * another takes it in. Blocks that nothing reaches are emptied here and removed by
 * ws_order_blocks().
 */
#include "isa/bytecode/opcode.h"
#include "isa/ir/reference.h"
#include "isa/optimise/optimise.h"

static gboolean is_plain_jump(const WsIrBlock *block)
{
    return block->instructions->len == 0 && block->branch.opcode == WS_OP_NOP &&
           block->next != WS_IR_NO_BLOCK;
}

static gboolean is_bare_exit(const WsIrBlock *block)
{
    return block->instructions->len == 0 && block->branch.opcode == WS_OP_EXIT &&
           block->next == WS_IR_NO_BLOCK && block->branch.guard == WS_PT &&
           !block->branch.guard_negated && block->branch.operand[0].index == WS_PT &&
           block->branch.operand[0].flags == 0;
}

/* Where a jump to `target` ends up; a ring of empty blocks (an endless loop) is left alone. */
static guint32 final_target(const WsIrFunction *function, guint32 target)
{
    guint32 steps = 0;
    guint32 at = target;
    while (at != WS_IR_NO_BLOCK && is_plain_jump(ws_ir_block(function, at))) {
        at = ws_ir_block(function, at)->next;
        if (++steps > function->blocks->len)
            return target;
    }
    return at;
}

/* An unconditional BRA is the same as going on to `taken`. */
static void normalise(WsIrBlock *block)
{
    if (block->branch.opcode != WS_OP_BRA)
        return;
    if (block->next == WS_IR_NO_BLOCK || block->next == block->taken) {
        block->next = block->taken;
        block->taken = WS_IR_NO_BLOCK;
        ws_instruction_init(&block->branch, WS_OP_NOP);
    }
}

static gboolean thread_jumps(WsIrFunction *function, WsIrBlock *block)
{
    gboolean changed = FALSE;
    guint count = ws_ir_successor_count(block);
    for (guint n = 0; n < count; n++) {
        guint32 from = ws_ir_successor(block, n);
        guint32 to = final_target(function, from);
        if (to != from) {
            ws_ir_redirect(block, from, to);
            changed = TRUE;
        }
    }
    return changed;
}

/* @P BRA to a bare EXIT is @P EXIT; where the other side is the EXIT the guard is turned round. */
static gboolean guard_exit(WsIrFunction *function, WsIrBlock *block)
{
    if (block->branch.opcode == WS_OP_NOP && block->next != WS_IR_NO_BLOCK &&
        is_bare_exit(ws_ir_block(function, block->next))) {
        block->branch = ws_ir_block(function, block->next)->branch;
        block->next = WS_IR_NO_BLOCK;
        return TRUE;
    }
    if (block->branch.opcode != WS_OP_BRA || block->branch.operand[0].index != WS_PT)
        return FALSE;
    gboolean taken = is_bare_exit(ws_ir_block(function, block->taken));
    if (!taken && !is_bare_exit(ws_ir_block(function, block->next)))
        return FALSE;
    WsInstruction branch;
    ws_instruction_init(&branch, WS_OP_EXIT);
    branch.guard = block->branch.guard;
    branch.guard_negated = block->branch.guard_negated ^ !taken;
    branch.location = block->branch.location;
    block->branch = branch;
    if (!taken)
        block->next = block->taken;
    block->taken = WS_IR_NO_BLOCK;
    return TRUE;
}

static guint32 *count_predecessors(const WsIrFunction *function)
{
    guint32 *predecessors = g_new0(guint32, function->blocks->len);
    predecessors[0] = 1;
    for (guint32 b = 0; b < function->blocks->len; b++) {
        const WsIrBlock *block = ws_ir_block(function, b);
        guint count = ws_ir_successor_count(block);
        for (guint n = 0; n < count; n++)
            predecessors[ws_ir_successor(block, n)]++;
    }
    return predecessors;
}

static void take_in(WsIrBlock *block, WsIrBlock *other)
{
    g_array_append_vals(block->instructions, other->instructions->data, other->instructions->len);
    ws_covers_append(block, other);
    block->branch = other->branch;
    block->taken = other->taken;
    block->next = other->next;
    block->uniform = other->uniform;
    block->site = other->site;
    block->body = other->body;
    other->site = other->body = 0;
    g_clear_pointer(&block->table, g_array_unref);
    block->table = g_steal_pointer(&other->table);
    g_array_set_size(other->instructions, 0);
    ws_instruction_init(&other->branch, WS_OP_NOP);
    other->taken = other->next = WS_IR_NO_BLOCK;
}

static gboolean merge_blocks(WsIrFunction *function)
{
    gboolean changed = FALSE;
    g_autofree guint32 *predecessors = count_predecessors(function);
    for (guint32 b = 0; b < function->blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(function, b);
        while (block->branch.opcode == WS_OP_NOP && block->next != WS_IR_NO_BLOCK &&
               block->next != b && predecessors[block->next] == 1 && predecessors[b] > 0) {
            take_in(block, ws_ir_block(function, block->next));
            changed = TRUE;
        }
    }
    return changed;
}

static void clear_unreachable(WsIrFunction *function)
{
    g_autoptr(WsGraph) graph = ws_ir_graph(function);
    guint32 count = 0;
    g_autofree guint32 *order = ws_graph_reverse_post_order(graph, 0, &count);
    g_autofree guint8 *reached = g_new0(guint8, function->blocks->len);
    for (guint32 i = 0; i < count; i++)
        reached[order[i]] = TRUE;
    for (guint32 b = 0; b < function->blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(function, b);
        if (reached[b])
            continue;
        g_array_set_size(block->instructions, 0);
        g_clear_pointer(&block->table, g_array_unref);
        ws_instruction_init(&block->branch, WS_OP_NOP);
        block->taken = block->next = WS_IR_NO_BLOCK;
        block->site = block->body = 0;
    }
}

void ws_simplify_blocks(WsIrFunction *function)
{
    gboolean changed = TRUE;
    while (changed) {
        changed = FALSE;
        for (guint32 b = 0; b < function->blocks->len; b++) {
            WsIrBlock *block = ws_ir_block(function, b);
            changed |= thread_jumps(function, block);
            normalise(block);
            changed |= guard_exit(function, block);
        }
        clear_unreachable(function);
        changed |= merge_blocks(function);
    }
}

void ws_turn_exits(WsIrFunction *function)
{
    guint32 count = function->blocks->len;
    for (guint32 b = 0; b < count; b++) {
        const WsIrBlock *seen = ws_ir_block(function, b);
        if (seen->branch.opcode != WS_OP_EXIT || seen->branch.guard == WS_PT ||
            seen->branch.operand[0].index != WS_PT || seen->next > b)
            continue;
        guint32 end = ws_ir_new_block(function);
        WsIrBlock *block = ws_ir_block(function, b), *last = ws_ir_block(function, end);
        WsInstruction leave = block->branch;
        ws_instruction_init(&last->branch, WS_OP_EXIT);
        last->branch.location = leave.location;
        last->taken = last->next = WS_IR_NO_BLOCK;
        ws_instruction_init(&block->branch, WS_OP_BRA);
        block->branch.location = leave.location;
        block->branch.guard = leave.guard;
        block->branch.guard_negated = !leave.guard_negated;
        block->taken = block->next;
        block->next = end;
    }
}
