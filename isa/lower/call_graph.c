#include "isa/lower/call_graph.h"

#include "isa/flow/graph.h"

#include <string.h>

enum {
    WINDOW = 0x03100000, /* behind that of constants, in front of that of the module */
    WINDOW_BYTES = 0x00f00000,
    PAGE = 0x1000
};

/* ---- statements ---- */

static gboolean is_call(const WsPtxStatement *statement)
{
    return statement->kind == WS_PTX_STATEMENT_INSTRUCTION &&
           strcmp(statement->opcode, "call") == 0;
}

static const WsPtxOperand *list_at(const WsPtxFunction *function, const WsPtxStatement *statement,
                                   guint n, guint *ret_count)
{
    *ret_count = 0;
    if (n >= statement->operand_count)
        return NULL;
    const WsPtxOperand *operand =
        &g_array_index(function->operands, WsPtxOperand, statement->first_operand + n);
    if (operand->kind != WS_PTX_VECTOR)
        return NULL;
    *ret_count = operand->count;
    return &g_array_index(function->operands, WsPtxOperand, operand->first);
}

/* call (results), f, (arguments); or call f; or call f, (arguments); and behind them a label. */
WsPtxCallParts ws_ptx_call_parts(const WsPtxFunction *function, const WsPtxStatement *statement)
{
    WsPtxCallParts parts = {0};
    guint at = 0;
    if (statement->operand_count == 0)
        return parts;
    if (g_array_index(function->operands, WsPtxOperand, statement->first_operand).kind ==
        WS_PTX_VECTOR) {
        parts.results = list_at(function, statement, 0, &parts.result_count);
        at = 1;
    }
    if (at < statement->operand_count)
        parts.callee =
            &g_array_index(function->operands, WsPtxOperand, statement->first_operand + at);
    parts.actual = list_at(function, statement, at + 1, &parts.actual_count);
    return parts;
}

/* ---- signatures ---- */

static void append_type(GString *out, WsPtxSpace space, WsPtxType type, guint64 size)
{
    if (space == WS_PTX_SPACE_REG && type == WS_PTX_PRED)
        g_string_append(out, "p,");
    else if (space == WS_PTX_SPACE_REG)
        g_string_append_printf(out, "%u,", MAX(4, ws_ptx_type_bits(type) / 8));
    else
        g_string_append_printf(out, "%" G_GUINT64_FORMAT ",", MAX(4, size));
}

static void append_formals(GString *out, const GPtrArray *formals)
{
    for (guint i = 0; i < formals->len; i++) {
        const WsPtxVariable *formal = formals->pdata[i];
        append_type(out, formal->space, formal->type, formal->size);
    }
    g_string_append_c(out, ';');
}

char *ws_ptx_function_signature(const WsPtxFunction *function)
{
    GString *out = g_string_new(NULL);
    append_formals(out, function->returns);
    append_formals(out, function->parameters);
    return g_string_free(out, FALSE);
}

static gboolean append_actuals(GString *out, const WsPtxFunction *caller,
                               const WsPtxOperand *actual, guint count)
{
    for (guint i = 0; i < count; i++) {
        if (actual[i].kind == WS_PTX_REGISTER)
            append_type(out, WS_PTX_SPACE_REG,
                        g_array_index(caller->registers, guint8, actual[i].index), 0);
        else if (actual[i].kind == WS_PTX_VARIABLE &&
                 actual[i].variable->space == WS_PTX_SPACE_PARAM)
            append_type(out, WS_PTX_SPACE_PARAM, WS_PTX_NONE, actual[i].variable->size);
        else
            return FALSE;
    }
    g_string_append_c(out, ';');
    return TRUE;
}

char *ws_ptx_call_signature(const WsPtxFunction *caller, const WsPtxCallParts *parts)
{
    GString *out = g_string_new(NULL);
    gboolean known = append_actuals(out, caller, parts->results, parts->result_count) &&
                     append_actuals(out, caller, parts->actual, parts->actual_count);
    return g_string_free(out, !known);
}

/* ---- addresses ---- */

static void note_address(WsPtxCallGraph *graph, const char *name, guint8 *addressed)
{
    const WsPtxFunction *function = g_hash_table_lookup(graph->module->function_map, name);
    guint32 number = function == NULL ? G_MAXUINT32 : ws_ptx_call_number(graph, function);
    if (number != G_MAXUINT32)
        addressed[number] = TRUE;
}

/* Named elsewhere than as what is called. */
static void find_addressed_in(WsPtxCallGraph *graph, const WsPtxFunction *function,
                              guint8 *addressed)
{
    for (guint i = 0; i < function->statements->len; i++) {
        const WsPtxStatement *s = &g_array_index(function->statements, WsPtxStatement, i);
        if (s->kind == WS_PTX_STATEMENT_LABEL || is_call(s))
            continue;
        for (guint n = 0; n < s->operand_count; n++) {
            const WsPtxOperand *operand =
                &g_array_index(function->operands, WsPtxOperand, s->first_operand + n);
            if (operand->kind == WS_PTX_FUNCTION)
                note_address(graph, operand->name, addressed);
        }
    }
}

static void find_candidates(WsPtxCallGraph *graph)
{
    g_autofree guint8 *addressed = g_new0(guint8, (gsize)graph->functions->len + 1);
    const WsPtxModule *module = graph->module;
    for (guint i = 0; i < module->functions->len; i++)
        find_addressed_in(graph, module->functions->pdata[i], addressed);
    for (guint i = 0; i < module->variables->len; i++) {
        const WsPtxVariable *v = module->variables->pdata[i];
        for (guint r = 0; v->relocations != NULL && r < v->relocations->len; r++)
            note_address(graph, g_array_index(v->relocations, WsPtxRelocation, r).symbol,
                         addressed);
    }
    for (guint32 f = 0; f < graph->functions->len; f++) {
        if (!addressed[f])
            continue;
        char *signature = ws_ptx_function_signature(graph->functions->pdata[f]);
        GArray *list = g_hash_table_lookup(graph->candidates, signature);
        if (list == NULL) {
            list = g_array_new(FALSE, FALSE, sizeof(guint32));
            g_hash_table_insert(graph->candidates, signature, list);
        } else {
            g_free(signature);
        }
        g_array_append_val(list, f);
    }
}

/* ---- rings of calls ---- */

/* Nodes: the functions, then the signatures of pointers, which lead to their candidates. */
typedef struct {
    WsPtxCallGraph *graph;
    GHashTable *nodes; /* signature -> node */
    guint32 count;
    GArray *edges; /* of WsEdge */
} Builder;

static void add_edge(Builder *builder, guint32 from, guint32 to)
{
    WsEdge edge = {from, to};
    g_array_append_val(builder->edges, edge);
}

static guint32 node_of_signature(Builder *builder, const char *signature, const GArray *candidates)
{
    gpointer found = g_hash_table_lookup(builder->nodes, signature);
    if (found != NULL)
        return GPOINTER_TO_UINT(found);
    guint32 node = builder->count++;
    g_hash_table_insert(builder->nodes, g_strdup(signature), GUINT_TO_POINTER(node));
    for (guint i = 0; i < candidates->len; i++)
        add_edge(builder, node, g_array_index(candidates, guint32, i));
    return node;
}

static void add_call(Builder *builder, guint32 caller, const WsPtxStatement *statement)
{
    const WsPtxFunction *function = builder->graph->functions->pdata[caller];
    WsPtxCallParts parts = ws_ptx_call_parts(function, statement);
    if (parts.callee == NULL)
        return;
    if (parts.callee->kind != WS_PTX_REGISTER) {
        const WsPtxFunction *callee =
            parts.callee->name == NULL
                ? NULL
                : g_hash_table_lookup(builder->graph->module->function_map, parts.callee->name);
        guint32 number = callee == NULL ? G_MAXUINT32 : ws_ptx_call_number(builder->graph, callee);
        if (number != G_MAXUINT32)
            add_edge(builder, caller, number);
        return;
    }
    g_autofree char *signature = ws_ptx_call_signature(function, &parts);
    const GArray *candidates =
        signature == NULL ? NULL : g_hash_table_lookup(builder->graph->candidates, signature);
    if (candidates != NULL)
        add_edge(builder, caller, node_of_signature(builder, signature, candidates));
}

/* Tarjan's components, which come out with what they lead to in front of them. */
typedef struct {
    const WsGraph *graph;
    guint32 *order; /* per node: when it was met, from 1; 0 = not yet */
    guint32 *low;
    guint32 *next; /* per node: its next edge */
    guint8 *open;  /* per node: its component is not finished */
    GArray *path, *members;
    guint32 met, components;
    WsPtxCallGraph *out;
    guint8 *uses; /* per node: as uses_stack */
} Walk;

static void finish_component(Walk *walk, guint32 root)
{
    guint first = walk->members->len;
    while (g_array_index(walk->members, guint32, first - 1) != root)
        first--;
    first--;
    gboolean ring = walk->members->len - first > 1, uses = FALSE;
    for (guint i = first; i < walk->members->len; i++) {
        guint32 node = g_array_index(walk->members, guint32, i);
        for (guint32 e = walk->graph->first[node]; e < walk->graph->first[node + 1]; e++) {
            guint32 to = walk->graph->successors[e];
            ring |= to == node;
            uses |= walk->uses[to];
        }
    }
    walk->components += ring;
    for (guint i = first; i < walk->members->len; i++) {
        guint32 node = g_array_index(walk->members, guint32, i);
        walk->open[node] = FALSE;
        walk->uses[node] = (guint8)(ring || uses);
        if (node < walk->out->functions->len) {
            walk->out->component[node] = ring ? walk->components : 0;
            walk->out->uses_stack[node] = walk->uses[node];
        }
    }
    g_array_set_size(walk->members, first);
}

static void enter(Walk *walk, guint32 node)
{
    walk->order[node] = walk->low[node] = ++walk->met;
    walk->next[node] = walk->graph->first[node];
    walk->open[node] = TRUE;
    g_array_append_val(walk->path, node);
    g_array_append_val(walk->members, node);
}

static void walk_from(Walk *walk, guint32 start)
{
    enter(walk, start);
    while (walk->path->len > 0) {
        guint32 node = g_array_index(walk->path, guint32, walk->path->len - 1);
        if (walk->next[node] < walk->graph->first[node + 1]) {
            guint32 to = walk->graph->successors[walk->next[node]++];
            if (walk->order[to] == 0)
                enter(walk, to);
            else if (walk->open[to])
                walk->low[node] = MIN(walk->low[node], walk->order[to]);
            continue;
        }
        g_array_set_size(walk->path, walk->path->len - 1);
        if (walk->path->len > 0) {
            guint32 above = g_array_index(walk->path, guint32, walk->path->len - 1);
            walk->low[above] = MIN(walk->low[above], walk->low[node]);
        }
        if (walk->low[node] == walk->order[node])
            finish_component(walk, node);
    }
}

static void find_rings(WsPtxCallGraph *graph, const WsGraph *calls)
{
    g_autofree guint32 *order = g_new0(guint32, (gsize)calls->count + 1);
    g_autofree guint32 *low = g_new0(guint32, (gsize)calls->count + 1);
    g_autofree guint32 *next = g_new0(guint32, (gsize)calls->count + 1);
    g_autofree guint8 *open = g_new0(guint8, (gsize)calls->count + 1);
    g_autofree guint8 *uses = g_new0(guint8, (gsize)calls->count + 1);
    g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_autoptr(GArray) members = g_array_new(FALSE, FALSE, sizeof(guint32));
    Walk walk = {calls, order, low, next, open, path, members, 0, 0, graph, uses};
    for (guint32 node = 0; node < calls->count; node++)
        if (order[node] == 0)
            walk_from(&walk, node);
}

static void find_calls(WsPtxCallGraph *graph)
{
    guint32 functions = graph->functions->len;
    Builder builder = {.graph = graph,
                       .nodes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                       .count = functions,
                       .edges = g_array_new(FALSE, FALSE, sizeof(WsEdge))};
    graph->component = g_new0(guint32, (gsize)functions + 1);
    graph->uses_stack = g_new0(guint8, (gsize)functions + 1);
    for (guint32 f = 0; f < functions; f++) {
        const GArray *statements = ((const WsPtxFunction *)graph->functions->pdata[f])->statements;
        for (guint i = 0; i < statements->len; i++) {
            const WsPtxStatement *s = &g_array_index(statements, WsPtxStatement, i);
            if (is_call(s))
                add_call(&builder, f, s);
        }
    }
    g_autoptr(WsGraph) calls = ws_graph_new(
        builder.count, (const WsEdge *)(void *)builder.edges->data, builder.edges->len);
    find_rings(graph, calls);
    g_array_unref(builder.edges);
    g_hash_table_unref(builder.nodes);
}

/* ---- all of it ---- */

WsPtxCallGraph *ws_ptx_call_graph_new(const WsPtxModule *module)
{
    WsPtxCallGraph *graph = g_new0(WsPtxCallGraph, 1);
    guint32 hash = 5381;
    graph->module = module;
    graph->functions = g_ptr_array_new();
    graph->numbers = g_hash_table_new(NULL, NULL);
    graph->candidates =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_array_unref);
    for (guint i = 0; i < module->functions->len; i++) {
        WsPtxFunction *function = module->functions->pdata[i];
        hash = hash * 33 + g_str_hash(function->name);
        if (function->is_entry || !function->has_body)
            continue;
        g_ptr_array_add(graph->functions, function);
        g_hash_table_insert(graph->numbers, function, GUINT_TO_POINTER(graph->functions->len));
    }
    guint32 bytes = WS_PTX_FUNCTION_BYTES * graph->functions->len;
    graph->first_address = WINDOW + hash % ((WINDOW_BYTES - bytes) / PAGE) * PAGE;
    find_candidates(graph);
    find_calls(graph);
    return graph;
}

void ws_ptx_call_graph_free(WsPtxCallGraph *graph)
{
    if (graph == NULL)
        return;
    g_ptr_array_unref(graph->functions);
    g_hash_table_unref(graph->numbers);
    g_hash_table_unref(graph->candidates);
    g_free(graph->component);
    g_free(graph->uses_stack);
    g_free(graph);
}

guint32 ws_ptx_call_number(const WsPtxCallGraph *graph, const WsPtxFunction *function)
{
    gpointer found = g_hash_table_lookup(graph->numbers, function);
    return found == NULL ? G_MAXUINT32 : GPOINTER_TO_UINT(found) - 1;
}
