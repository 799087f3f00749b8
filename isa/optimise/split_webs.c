/*
 * Each independent life of a register becomes a register of its own (a web: writes and reads that
 * reach each other). Code that was inlined, and code written with few names, uses one register for
 * many values; the passes that look for "the only write" see through it afterwards. Words of a pair
 * that are never used as a pair part as well.
 *
 * A web is found by union: every unguarded write opens a node, every read joins the node at hand,
 * and at each edge of the graph the node of the one end joins that of the other, where the variable
 * is live. A block begins with the nodes that the first way to it brings, and maps that share what
 * they have in common say which those are: so a value that lives through many blocks costs nothing
 * there.
 */
#include "isa/ir/liveness.h"
#include "isa/ir/shared_maps.h"
#include "isa/optimise/optimise.h"

#include <string.h>

enum { NO_WEB = G_MAXUINT32 };

typedef struct {
    guint32 index; /* register or predicate of the result; 0 = none yet */
    guint32 first; /* word that becomes word 0 */
    guint32 words; /* of the original register that are used: bits */
    guint32 size;  /* words of the original register */
} Web;

typedef struct {
    WsIrFunction *function;
    WsVariables variables;
    WsLiveness *liveness;
    WsSharedMaps *maps;   /* node + 1 by number of the variable among those that cross blocks */
    WsSharedMap *in;      /* per block: of what is live where it begins */
    WsSharedMap *out;     /* per block: of what is wanted where it ends */
    gboolean *is_entered; /* per block: `in` is known */
    guint32 *first_node;  /* per block: the first that is opened in it */
    GArray *parent;       /* of guint32, per node */
    GArray *webs;         /* of Web, per node; that of the root counts */
    guint32 *current;     /* per variable: node, valid where the stamp is that of the block */
    guint32 *stamp;
    GArray *touched; /* of guint32: variables whose stamp is that of the block */
    GArray *list;    /* of guint32: variables, for a while */
    guint32 block;
    guint32 next_node;
    GArray *registers; /* of WsIrRegister: the new ones */
    guint32 predicate_count;
    gboolean rewrite;
} Splitter;

static guint32 root_of(Splitter *s, guint32 node)
{
    guint32 *parent = &g_array_index(s->parent, guint32, 0);
    while (parent[node] != node) {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    return node;
}

static void join(Splitter *s, guint32 a, guint32 b)
{
    if (s->rewrite)
        return;
    guint32 x = root_of(s, a);
    guint32 y = root_of(s, b);
    g_array_index(s->parent, guint32, MAX(x, y)) = MIN(x, y);
}

static void hold_node(Splitter *s, guint32 variable, guint32 node)
{
    if (s->stamp[variable] != s->block + 1)
        g_array_append_val(s->touched, variable);
    s->stamp[variable] = s->block + 1;
    s->current[variable] = node;
}

/* The second walk meets the nodes of a block in the order in which the first one made them. */
static guint32 open_node(Splitter *s, guint32 variable)
{
    guint32 node = s->next_node++;
    if (!s->rewrite) {
        g_array_append_val(s->parent, node);
        g_array_set_size(s->webs, node + 1);
    }
    hold_node(s, variable, node);
    return node;
}

static guint32 current_node(Splitter *s, guint32 variable)
{
    if (s->stamp[variable] == s->block + 1)
        return s->current[variable];
    if (!ws_liveness_contains(s->liveness, s->liveness->live_in[s->block], variable))
        return open_node(s, variable);
    guint32 number = s->liveness->number[variable] - 1;
    guint32 node = ws_shared_map_get(s->maps, s->in[s->block], number) - 1;
    hold_node(s, variable, node);
    return node;
}

/* ---- new registers ---- */

/* Notes which words of a register the web takes. */
static void note_words(Splitter *s, guint32 node, const WsRegisterAccess *access, guint words)
{
    Web *web = &g_array_index(s->webs, Web, node);
    web->words |= ((1u << words) - 1) << access->word;
    if (access->file == WS_FILE_REGISTER)
        web->size =
            g_array_index(s->function->registers, WsIrRegister, access->index - WS_VIRTUAL_BASE)
                .words;
}

static void gather_words(Splitter *s)
{
    for (guint32 node = 0; node < s->webs->len; node++) {
        guint32 root = root_of(s, node);
        const Web *web = &g_array_index(s->webs, Web, node);
        g_array_index(s->webs, Web, root).words |= web->words;
        g_array_index(s->webs, Web, root).size =
            MAX(g_array_index(s->webs, Web, root).size, web->size);
    }
}

static void name_web(Splitter *s, Web *web, gboolean predicate)
{
    if (predicate) {
        web->index = WS_VIRTUAL_BASE + s->predicate_count++;
        return;
    }
    guint32 words = web->words;
    guint32 last = (guint32)g_bit_nth_msf(words, -1);
    web->first = (guint32)g_bit_nth_lsf(words, -1);
    WsIrRegister fresh = {1};
    if (last != web->first) {
        gboolean half = web->size == 4 && web->first / 2 == last / 2;
        fresh.words = (guint8)(half ? 2 : web->size);
        web->first = half ? web->first & 2 : 0;
    }
    web->index = WS_VIRTUAL_BASE + s->registers->len;
    g_array_append_val(s->registers, fresh);
}

static void rename_access(Splitter *s, WsInstruction *instruction, const WsRegisterAccess *access,
                          guint32 node)
{
    Web *web = &g_array_index(s->webs, Web, root_of(s, node));
    if (web->index == 0)
        name_web(s, web, access->file == WS_FILE_PREDICATE);
    if (access->operand == WS_ACCESS_GUARD) {
        instruction->guard = web->index;
        return;
    }
    WsOperand *operand = &instruction->operand[access->operand];
    operand->index = web->index;
    if (access->file == WS_FILE_REGISTER && operand->kind != WS_OPERAND_CONSTANT)
        operand->bank = (guint8)(access->word - web->first);
}

/* ---- the walk ---- */

static void visit_access(Splitter *s, WsInstruction *instruction, const WsRegisterAccess *access,
                         gboolean opens)
{
    guint32 first;
    guint words = ws_variables_of(&s->variables, access, &first);
    if (words == 0)
        return;
    guint32 node = opens ? open_node(s, first) : current_node(s, first);
    for (guint w = 1; w < words; w++) {
        guint32 other = opens ? open_node(s, first + w) : current_node(s, first + w);
        join(s, node, other);
    }
    if (s->rewrite)
        rename_access(s, instruction, access, node);
    else
        note_words(s, node, access, words);
}

static void visit(Splitter *s, WsInstruction *instruction)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    gboolean guarded = ws_is_guarded(instruction);
    for (guint pass = 0; pass < 2; pass++)
        for (guint a = 0; a < count; a++)
            if (accesses[a].write == pass)
                visit_access(s, instruction, &accesses[a], pass == 1 && !guarded);
}

/* What a block without instructions leads to. */
static guint32 skip_empty(const Splitter *s, guint32 b)
{
    for (guint32 steps = 0; steps < s->function->blocks->len; steps++) {
        const WsIrBlock *block = ws_ir_block(s->function, b);
        if (ws_ir_length(block) > 0 || block->next == WS_IR_NO_BLOCK)
            break;
        b = block->next;
    }
    return b;
}

/* Nodes of their own for all that is live where a block begins to which nothing leads. */
static void enter_from_nowhere(Splitter *s, guint32 b)
{
    g_array_set_size(s->list, 0);
    ws_liveness_list(s->liveness, s->liveness->live_in[b], WS_SHARED_SET_EMPTY, s->list);
    for (guint i = 0; i < s->list->len; i++) {
        guint32 variable = g_array_index(s->list, guint32, i);
        s->in[b] = ws_shared_map_set(s->maps, s->in[b], s->liveness->number[variable] - 1,
                                     open_node(s, variable) + 1);
    }
    s->is_entered[b] = TRUE;
}

/* The node at hand of a variable is the one where the block ends. */
static void note_end(Splitter *s, guint32 variable)
{
    guint32 b = s->block;
    s->out[b] = ws_shared_map_set(s->maps, s->out[b], s->liveness->number[variable] - 1,
                                  current_node(s, variable) + 1);
}

static void leave_block(Splitter *s, const WsIrBlock *block)
{
    const WsSharedSet *live_in = s->liveness->live_in;
    WsSharedSet live_out = s->liveness->live_out[s->block];
    s->out[s->block] = s->in[s->block];
    for (guint i = 0; i < s->touched->len; i++) {
        guint32 variable = g_array_index(s->touched, guint32, i);
        if (ws_liveness_contains(s->liveness, live_out, variable))
            note_end(s, variable);
    }
    for (guint n = 0; n < ws_ir_successor_count(block); n++) {
        guint32 to = skip_empty(s, ws_ir_successor(block, n));
        /* What is read there and was written on no way to here. */
        g_array_set_size(s->list, 0);
        ws_liveness_list(s->liveness, live_in[to], live_out, s->list);
        for (guint i = 0; i < s->list->len; i++)
            note_end(s, g_array_index(s->list, guint32, i));
    }
    for (guint n = 0; n < ws_ir_successor_count(block); n++) {
        guint32 to = skip_empty(s, ws_ir_successor(block, n));
        if (!s->is_entered[to])
            s->in[to] = s->out[s->block];
        s->is_entered[to] = TRUE;
    }
}

static void walk_block(Splitter *s, guint32 b)
{
    WsIrBlock *block = ws_ir_block(s->function, b);
    s->block = b;
    g_array_set_size(s->touched, 0);
    if (ws_ir_length(block) == 0)
        return;
    if (!s->is_entered[b])
        enter_from_nowhere(s, b);
    if (s->rewrite)
        s->next_node = s->first_node[b];
    else
        s->first_node[b] = s->next_node;
    for (guint i = 0; i < ws_ir_length(block); i++)
        visit(s, ws_ir_instruction(block, i));
    if (!s->rewrite)
        leave_block(s, block);
}

/* Blocks in an order in which most come behind one that leads to them. */
static void walk_along(Splitter *s)
{
    guint32 reached, blocks = s->function->blocks->len;
    g_autoptr(WsGraph) graph = ws_ir_graph(s->function);
    g_autofree guint32 *order = ws_graph_reverse_post_order(graph, 0, &reached);
    g_autofree gboolean *is_walked = g_new0(gboolean, blocks + 1);
    for (guint32 i = 0; i < reached; i++) {
        walk_block(s, order[i]);
        is_walked[order[i]] = TRUE;
    }
    for (guint32 b = 0; b < blocks; b++) {
        if (!is_walked[b])
            walk_block(s, b);
    }
}

static void join_values(guint32 a, guint32 b, gpointer data)
{
    join(data, a - 1, b - 1);
}

static void join_edges(Splitter *s)
{
    for (guint32 b = 0; b < s->function->blocks->len; b++) {
        const WsIrBlock *block = ws_ir_block(s->function, b);
        for (guint n = 0; n < ws_ir_successor_count(block) && ws_ir_length(block) > 0; n++) {
            guint32 to = skip_empty(s, ws_ir_successor(block, n));
            ws_shared_map_compare(s->maps, s->out[b], s->in[to], s->liveness->live_in[to],
                                  join_values, s);
        }
    }
}

static void splitter_init(Splitter *s, WsIrFunction *function)
{
    guint32 blocks = function->blocks->len;
    *s = (Splitter){.function = function};
    ws_variables_init(&s->variables, function);
    s->liveness = ws_liveness_new(function);
    s->maps = ws_shared_maps_new(s->liveness->sets);
    s->in = g_new0(WsSharedMap, blocks + 1);
    s->out = g_new0(WsSharedMap, blocks + 1);
    s->is_entered = g_new0(gboolean, blocks + 1);
    s->first_node = g_new0(guint32, blocks + 1);
    s->current = g_new0(guint32, s->variables.count + 1);
    s->stamp = g_new0(guint32, s->variables.count + 1);
    s->parent = g_array_new(FALSE, FALSE, sizeof(guint32));
    s->webs = g_array_new(FALSE, TRUE, sizeof(Web));
    s->touched = g_array_new(FALSE, FALSE, sizeof(guint32));
    s->list = g_array_new(FALSE, FALSE, sizeof(guint32));
    s->registers = g_array_new(FALSE, TRUE, sizeof(WsIrRegister));
}

static void splitter_clear(Splitter *s)
{
    ws_shared_maps_free(s->maps);
    ws_liveness_free(s->liveness);
    ws_variables_clear(&s->variables);
    g_free(s->in);
    g_free(s->out);
    g_free(s->is_entered);
    g_free(s->first_node);
    g_free(s->current);
    g_free(s->stamp);
    g_array_unref(s->parent);
    g_array_unref(s->webs);
    g_array_unref(s->touched);
    g_array_unref(s->list);
}

void ws_split_webs(WsIrFunction *function)
{
    Splitter s;
    splitter_init(&s, function);
    walk_along(&s);
    join_edges(&s);
    gather_words(&s);
    s.rewrite = TRUE;
    memset(s.stamp, 0, sizeof(guint32) * s.variables.count);
    for (guint32 b = 0; b < function->blocks->len; b++)
        walk_block(&s, b);
    g_array_unref(function->registers);
    function->registers = s.registers;
    function->predicate_count = s.predicate_count;
    splitter_clear(&s);
}
