#include "isa/ir/walk.h"

guint ws_ir_successor_count(const WsIrBlock *block)
{
    guint taken = block->table != NULL ? block->table->len : block->taken != WS_IR_NO_BLOCK;
    return taken + (block->next != WS_IR_NO_BLOCK);
}

guint32 ws_ir_successor(const WsIrBlock *block, guint n)
{
    guint taken = block->table != NULL ? block->table->len : block->taken != WS_IR_NO_BLOCK;
    if (n >= taken)
        return block->next;
    return block->table != NULL ? g_array_index(block->table, guint32, n) : block->taken;
}

void ws_ir_redirect(WsIrBlock *block, guint32 from, guint32 to)
{
    if (block->taken == from)
        block->taken = to;
    if (block->next == from)
        block->next = to;
    for (guint i = 0; block->table != NULL && i < block->table->len; i++) {
        guint32 *entry = &g_array_index(block->table, guint32, i);
        if (*entry == from)
            *entry = to;
    }
}

gboolean ws_ir_is_conditional(const WsIrBlock *block)
{
    return !ws_is_kind(&block->branch, WS_KIND_NOP) && block->next != WS_IR_NO_BLOCK;
}

WsGraph *ws_ir_graph(const WsIrFunction *function)
{
    g_autoptr(GArray) edges = g_array_new(FALSE, FALSE, sizeof(WsEdge));
    for (guint32 b = 0; b < function->blocks->len; b++) {
        const WsIrBlock *block = ws_ir_block(function, b);
        guint count = ws_ir_successor_count(block);
        for (guint n = 0; n < count; n++) {
            WsEdge edge = {b, ws_ir_successor(block, n)};
            g_array_append_val(edges, edge);
        }
    }
    return ws_graph_new(function->blocks->len, (const WsEdge *)(void *)edges->data, edges->len);
}

guint32 *ws_ir_returns(const WsIrFunction *function)
{
    guint32 *returns = g_new(guint32, (gsize)function->bodies + 1);
    for (guint32 n = 0; n < function->bodies; n++)
        returns[n] = WS_IR_NO_BLOCK;
    for (guint32 b = 0; b < function->blocks->len; b++) {
        guint32 body = ws_ir_block(function, b)->body;
        if (body != 0)
            returns[body - 1] = b;
    }
    return returns;
}

guint32 ws_ir_behind_call(const WsIrFunction *function, const guint32 *returns,
                          const WsIrBlock *block)
{
    const WsIrSite *site = &g_array_index(function->sites, WsIrSite, block->site - 1);
    guint32 end = returns[site->body];
    if (end == WS_IR_NO_BLOCK) /* the body never returns */
        return WS_IR_NO_BLOCK;
    return g_array_index(ws_ir_block(function, end)->table, guint32, site->place);
}

void ws_ir_put_behind_call(WsIrFunction *function, const guint32 *returns, const WsIrBlock *block,
                           guint32 behind)
{
    const WsIrSite *site = &g_array_index(function->sites, WsIrSite, block->site - 1);
    GArray *table = ws_ir_block(function, returns[site->body])->table;
    g_array_index(table, guint32, site->place) = behind;
}

static void add_edge(GArray *edges, guint32 from, guint32 to)
{
    WsEdge edge = {from, to};
    if (to != WS_IR_NO_BLOCK)
        g_array_append_val(edges, edge);
}

WsGraph *ws_ir_procedures(const WsIrFunction *function, WsIrProcedures bodies)
{
    if (function->sites->len == 0)
        return ws_ir_graph(function);
    g_autoptr(GArray) edges = g_array_new(FALSE, FALSE, sizeof(WsEdge));
    g_autofree guint32 *returns = ws_ir_returns(function);
    g_autofree guint8 *entered = g_new0(guint8, (gsize)function->bodies + 1);
    for (guint32 b = 0; b < function->blocks->len; b++) {
        const WsIrBlock *block = ws_ir_block(function, b);
        guint count = block->body != 0 ? 0 : ws_ir_successor_count(block);
        if (block->site != 0) {
            guint8 *first =
                &entered[g_array_index(function->sites, WsIrSite, block->site - 1).body];
            if (bodies == WS_IR_FROM_CALLS || !*first)
                add_edge(edges, bodies == WS_IR_FROM_CALLS ? b : 0, block->taken);
            *first = TRUE;
            add_edge(edges, b, ws_ir_behind_call(function, returns, block));
            continue;
        }
        for (guint n = 0; n < count; n++)
            add_edge(edges, b, ws_ir_successor(block, n));
    }
    return ws_graph_new(function->blocks->len, (const WsEdge *)(void *)edges->data, edges->len);
}

gboolean ws_is_load(const WsInstruction *instruction)
{
    return ws_opcode_has(instruction->opcode, WS_FLAG_LOAD);
}

gboolean ws_is_store(const WsInstruction *instruction)
{
    return ws_opcode_has(instruction->opcode, WS_FLAG_STORE);
}

gboolean ws_is_atomic(const WsInstruction *instruction)
{
    return ws_opcode_has(instruction->opcode, WS_FLAG_ATOMIC);
}

gboolean ws_is_volatile(const WsInstruction *instruction)
{
    if (!ws_is_load(instruction) && !ws_is_store(instruction))
        return FALSE;
    guint cache = instruction->mod[WS_MOD_CACHE];
    return cache == WS_CACHE_STRONG_CTA || cache == WS_CACHE_STRONG_GPU ||
           cache == WS_CACHE_STRONG_SYS;
}

gboolean ws_has_effect(const WsInstruction *instruction)
{
    if (ws_is_store(instruction) || ws_is_atomic(instruction) || ws_is_volatile(instruction))
        return TRUE;
    if (ws_is_subroutine_call(instruction))
        return FALSE;
    switch (ws_opcode_info(instruction->opcode)->execution_class) {
    case WS_CLASS_BARRIER:
    case WS_CLASS_MEMORY_BARRIER:
    case WS_CLASS_CONVERGENCE:
    case WS_CLASS_BRANCH:
    case WS_CLASS_EXIT:
    case WS_CLASS_SLEEP:
        return TRUE;
    default:
        return ws_opcode_has(instruction->opcode, WS_FLAG_PREDICATES_OUT);
    }
}

gboolean ws_is_warp_wide(const WsInstruction *instruction)
{
    return ws_opcode_has(instruction->opcode, WS_FLAG_WARP_WIDE) ||
           (ws_reads_special(instruction) && instruction->operand[1].value == WS_SR_ACTIVEMASK);
}

gboolean ws_ir_has(const WsIrFunction *function, gboolean (*is)(const WsInstruction *))
{
    for (guint32 b = 0; b < function->blocks->len; b++) {
        WsIrBlock *block = ws_ir_block(function, b);
        for (guint i = 0; i < ws_ir_length(block); i++)
            if (is(ws_ir_instruction(block, i)))
                return TRUE;
    }
    return FALSE;
}
