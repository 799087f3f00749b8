#include "isa/flow/control_flow.h"

static gint target_operand(const WsInstruction *instruction)
{
    for (guint n = 0; n < instruction->operand_count; n++) {
        if (instruction->operand[n].kind == WS_OPERAND_TARGET) {
            return (gint)n;
        }
    }
    return -1;
}

guint32 ws_branch_target(const WsInstruction *instruction)
{
    gint n = target_operand(instruction);
    return n < 0 ? WS_NO_NODE : instruction->operand[n].value;
}

void ws_branch_set_target(WsInstruction *instruction, guint32 target)
{
    gint n = target_operand(instruction);
    g_return_if_fail(n >= 0);
    instruction->operand[n].value = target;
}

gboolean ws_branch_is_conditional(const WsInstruction *branch)
{
    if (ws_is_guarded(branch)) {
        return TRUE;
    }
    if (ws_is_kind(branch, WS_KIND_BRA) || ws_is_kind(branch, WS_KIND_EXIT)) {
        const WsOperand *condition = &branch->operand[0];
        return condition->kind != WS_OPERAND_PREDICATE || condition->index != WS_PT ||
               (condition->flags & WS_OPERAND_NEGATE) != 0;
    }
    return FALSE;
}

static gboolean is_table_row(const WsInstruction *instruction)
{
    return ws_is_kind(instruction, WS_KIND_BRA) && !ws_branch_is_conditional(instruction);
}

typedef struct {
    const WsInstruction *code; /* of the range */
    guint32 first;
    guint32 count;
    guint8 *table; /* per instruction: TRUE if it is a row of a BRX table */
} Range;

/* Number of the instruction inside the range, or WS_NO_NODE. */
static guint32 inside(const Range *range, guint32 number)
{
    return number >= range->first && number - range->first < range->count ? number - range->first
                                                                          : WS_NO_NODE;
}

static void mark_leaders(const Range *range, guint8 *leader)
{
    leader[0] = TRUE;
    for (guint32 i = 0; i < range->count; i++) {
        const WsInstruction *instruction = &range->code[i];
        if (!ws_opcode_ends_block(instruction->opcode)) {
            continue;
        }
        if (i + 1 < range->count) {
            leader[i + 1] = TRUE;
        }
        guint32 target = inside(range, ws_branch_target(instruction));
        if (target == WS_NO_NODE) {
            continue;
        }
        leader[target] = TRUE;
        if (ws_is_kind(instruction, WS_KIND_BRX)) {
            for (guint32 row = target;
                 row < range->count && !range->table[row] && is_table_row(&range->code[row]);
                 row++) {
                range->table[row] = TRUE;
            }
        }
    }
}

static void add_edge(GArray *edges, guint32 from, guint32 to)
{
    WsEdge edge = {from, to};
    g_array_append_val(edges, edge);
}

static void add_block_edges(WsControlFlow *flow, const Range *range, guint32 block, GArray *edges)
{
    guint32 last = flow->blocks[block].first - range->first + flow->blocks[block].count - 1;
    const WsInstruction *instruction = &range->code[last];
    gboolean ends = ws_opcode_ends_block(instruction->opcode);
    if (!ends || ws_is_kind(instruction, WS_KIND_CALL) || ws_branch_is_conditional(instruction)) {
        if (last + 1 < range->count) {
            add_edge(edges, block, block + 1);
        } else {
            flow->falls_off = TRUE;
        }
    }
    if (range->table[last] && last + 1 < range->count && range->table[last + 1]) {
        add_edge(edges, block, block + 1);
    }
    guint32 target = ends ? inside(range, ws_branch_target(instruction)) : WS_NO_NODE;
    if (target == WS_NO_NODE) {
        return;
    }
    if (ws_is_kind(instruction, WS_KIND_CALL)) {
        g_array_append_val(flow->entries, flow->block_of[target]);
    } else {
        add_edge(edges, block, flow->block_of[target]);
    }
}

WsControlFlow *ws_control_flow_new(const WsInstruction *program, guint32 first, guint32 count)
{
    WsControlFlow *flow = g_new0(WsControlFlow, 1);
    flow->in_table = g_new0(guint8, (gsize)count + 1);
    Range range = {program + first, first, count, flow->in_table};
    flow->entries = g_array_new(FALSE, FALSE, sizeof(guint32));
    flow->block_of = g_new0(guint32, (gsize)count + 1);
    flow->blocks = g_new0(WsBlock, (gsize)count + 1);
    g_autofree guint8 *leader = g_new0(guint8, (gsize)count + 1);
    g_autoptr(GArray) edges = g_array_new(FALSE, FALSE, sizeof(WsEdge));
    if (count > 0) {
        mark_leaders(&range, leader);
        guint32 entry = 0;
        g_array_append_val(flow->entries, entry);
    }
    for (guint32 i = 0; i < count; i++) {
        if (leader[i]) {
            flow->blocks[flow->block_count++].first = first + i;
        }
        flow->blocks[flow->block_count - 1].count++;
        flow->block_of[i] = flow->block_count - 1;
    }
    for (guint32 block = 0; block < flow->block_count; block++) {
        add_block_edges(flow, &range, block, edges);
    }
    flow->graph =
        ws_graph_new(flow->block_count, (const WsEdge *)(gpointer)edges->data, edges->len);
    return flow;
}

void ws_control_flow_free(WsControlFlow *flow)
{
    if (flow != NULL) {
        g_free(flow->blocks);
        g_free(flow->block_of);
        g_free(flow->in_table);
        ws_graph_free(flow->graph);
        g_array_unref(flow->entries);
        g_free(flow);
    }
}
