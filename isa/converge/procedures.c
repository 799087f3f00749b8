#include "isa/converge/convergence.h"

static const WsIrSite *site_of(const WsIrFunction *function, const WsIrBlock *block)
{
    return block->site == 0 ? NULL : &g_array_index(function->sites, WsIrSite, block->site - 1);
}

/* Which blocks a body has: those that control comes to from its first one. */
static void find_blocks(WsProcedures *procedures, const WsJoins *joins)
{
    const WsIrFunction *function = procedures->function;
    g_autoptr(GArray) work = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint32 b = 0; b < function->blocks->len; b++) {
        const WsIrBlock *block = ws_ir_block(function, b);
        const WsIrSite *site = site_of(function, block);
        if (site == NULL)
            continue;
        procedures->recurs[b] = (guint8)site->recursive;
        g_array_append_val(work, block->taken);
        while (work->len > 0) {
            guint32 at = g_array_index(work, guint32, work->len - 1);
            g_array_set_size(work, work->len - 1);
            if (procedures->of[at] != 0)
                continue;
            procedures->of[at] = site->body + 1;
            for (guint32 e = joins->graph->first[at]; e < joins->graph->first[at + 1]; e++)
                g_array_append_val(work, joins->graph->successors[e]);
        }
    }
}

/* The blocks of each procedure that end in calls which are not recursive. */
static WsGraph *find_calls(const WsProcedures *procedures)
{
    const WsIrFunction *function = procedures->function;
    g_autoptr(GArray) edges = g_array_new(FALSE, FALSE, sizeof(WsEdge));
    for (guint32 b = 0; b < function->blocks->len; b++) {
        const WsIrSite *site = site_of(function, ws_ir_block(function, b));
        WsEdge edge = {procedures->of[b], b};
        if (site != NULL && !site->recursive)
            g_array_append_val(edges, edge);
    }
    return ws_graph_new(procedures->count, (const WsEdge *)(gpointer)edges->data, edges->len);
}

static guint32 called_by(const WsProcedures *procedures, guint32 e)
{
    guint32 block = procedures->calls->successors[e];
    return site_of(procedures->function, ws_ir_block(procedures->function, block))->body + 1;
}

/* Callers first. */
static void put_in_order(WsProcedures *procedures)
{
    const WsGraph *calls = procedures->calls;
    g_autofree guint32 *callers = g_new0(guint32, procedures->count);
    guint32 found = 0;
    for (guint32 e = 0; e < calls->first[calls->count]; e++)
        callers[called_by(procedures, e)]++;
    for (guint32 p = 0; p < procedures->count; p++)
        if (callers[p] == 0)
            procedures->order[found++] = p;
    for (guint32 n = 0; n < found; n++) {
        guint32 p = procedures->order[n];
        for (guint32 e = calls->first[p]; e < calls->first[p + 1]; e++) {
            guint32 called = called_by(procedures, e);
            if (--callers[called] == 0)
                procedures->order[found++] = called;
        }
    }
    procedures->count = found;
}

WsProcedures *ws_procedures_new(const WsIrFunction *function, const WsJoins *joins)
{
    WsProcedures *procedures = g_new0(WsProcedures, 1);
    guint32 blocks = function->blocks->len;
    *procedures = (WsProcedures){.function = function,
                                 .count = function->bodies + 1,
                                 .order = g_new0(guint32, (gsize)function->bodies + 1),
                                 .held = g_new0(guint32, (gsize)function->bodies + 1),
                                 .of = g_new0(guint32, (gsize)blocks + 1),
                                 .recurs = g_new0(guint8, (gsize)blocks + 1)};
    if (function->sites->len > 0)
        find_blocks(procedures, joins);
    procedures->calls = find_calls(procedures);
    put_in_order(procedures);
    return procedures;
}

void ws_procedures_hold(WsProcedures *procedures, guint32 procedure, const guint32 *inside,
                        const guint32 *begun)
{
    const WsGraph *calls = procedures->calls;
    for (guint32 e = calls->first[procedure]; e < calls->first[procedure + 1]; e++) {
        guint32 block = calls->successors[e];
        procedures->held[called_by(procedures, e)] |=
            procedures->held[procedure] | inside[block] | begun[block];
    }
}

void ws_procedures_free(WsProcedures *procedures)
{
    if (procedures == NULL)
        return;
    ws_graph_free(procedures->calls);
    g_free(procedures->order);
    g_free(procedures->held);
    g_free(procedures->of);
    g_free(procedures->recurs);
    g_free(procedures);
}

void ws_free_bodies(WsIrFunction *function)
{
    guint32 count = function->blocks->len;
    if (function->sites->len == 0)
        return;
    g_autofree guint8 *led_to = g_new0(guint8, count);
    g_autofree guint32 *front = g_new0(guint32, count);
    for (guint32 b = 0; b < count; b++) {
        const WsIrBlock *block = ws_ir_block(function, b);
        for (guint n = 0; n < ws_ir_successor_count(block) && block->site == 0; n++)
            led_to[ws_ir_successor(block, n)] = TRUE;
    }
    for (guint32 b = 0; b < count; b++) {
        guint32 to = ws_ir_block(function, b)->taken;
        if (ws_ir_block(function, b)->site == 0 || !led_to[to])
            continue;
        if (front[to] == 0) {
            front[to] = ws_ir_new_block(function);
            ws_ir_block(function, front[to])->next = to;
        }
        ws_ir_block(function, b)->taken = front[to];
    }
}
