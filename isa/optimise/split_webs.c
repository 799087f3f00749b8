/*
 * Each independent life of a register becomes a register of its own (a web: writes and reads that
 * reach each other). Code that was inlined, and code written with few names, uses one register for
 * many values; the passes that look for "the only write" see through it afterwards. Words of a pair
 * that are never used as a pair part as well.
 *
 * A web is found by union: every unguarded write opens a node, every read joins the node at hand,
 * and at each edge of the graph the node of the one end joins that of the other, where the variable
 * is live.
 */
#include "isa/ir/liveness.h"
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
    GPtrArray *live_in; /* per block: GArray of guint32 variables */
    guint32 *in_node;   /* per block: node of the first of them */
    GArray *parent;     /* of guint32, per node */
    GArray *webs;       /* of Web, per node; that of the root counts */
    guint32 *current;   /* per variable: node, valid where the stamp is that of the block */
    guint32 *stamp;
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

/* The second walk meets the nodes in the order in which the first one made them. */
static guint32 open_node(Splitter *s, guint32 variable)
{
    guint32 node = s->next_node++;
    if (!s->rewrite) {
        g_array_append_val(s->parent, node);
        g_array_set_size(s->webs, node + 1);
    }
    s->stamp[variable] = s->block + 1;
    s->current[variable] = node;
    return node;
}

static guint32 current_node(Splitter *s, guint32 variable)
{
    return s->stamp[variable] == s->block + 1 ? s->current[variable] : open_node(s, variable);
}

/* ---- new registers ---- */

/* Notes which words of a register the web takes. */
static void note_words(Splitter *s, guint32 node, const WsAccess *access, guint words)
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

static void rename_access(Splitter *s, WsInstruction *instruction, const WsAccess *access,
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

static void visit_access(Splitter *s, WsInstruction *instruction, const WsAccess *access,
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
    WsAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    gboolean guarded = instruction->guard != WS_PT || instruction->guard_negated;
    for (guint pass = 0; pass < 2; pass++)
        for (guint a = 0; a < count; a++)
            if (accesses[a].write == pass)
                visit_access(s, instruction, &accesses[a], pass == 1 && !guarded);
}

/* What a block without instructions leads to: nothing is noted as live there. */
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

static void leave_block(Splitter *s, const WsIrBlock *block)
{
    for (guint n = 0; n < ws_ir_successor_count(block); n++) {
        guint32 to = skip_empty(s, ws_ir_successor(block, n));
        const GArray *live = s->live_in->pdata[to];
        for (guint i = 0; i < live->len; i++)
            join(s, current_node(s, g_array_index(live, guint32, i)), s->in_node[to] + i);
    }
}

static void walk(Splitter *s)
{
    s->next_node = 0;
    memset(s->stamp, 0, sizeof(guint32) * s->variables.count);
    for (s->block = 0; s->block < s->function->blocks->len; s->block++) {
        const GArray *live = s->live_in->pdata[s->block];
        s->in_node[s->block] = s->next_node;
        for (guint i = 0; i < live->len; i++)
            open_node(s, g_array_index(live, guint32, i));
    }
    for (s->block = 0; s->block < s->function->blocks->len; s->block++) {
        WsIrBlock *block = ws_ir_block(s->function, s->block);
        const GArray *live = s->live_in->pdata[s->block];
        for (guint i = 0; i < live->len; i++) {
            s->stamp[g_array_index(live, guint32, i)] = s->block + 1;
            s->current[g_array_index(live, guint32, i)] = s->in_node[s->block] + i;
        }
        for (guint i = 0; i < ws_ir_length(block); i++)
            visit(s, ws_ir_instruction(block, i));
        leave_block(s, block);
    }
}

void ws_split_webs(WsIrFunction *function)
{
    Splitter s = {.function = function};
    ws_variables_init(&s.variables, function);
    g_autoptr(WsLiveness) liveness = ws_liveness_new(function);
    s.live_in = ws_liveness_borders(liveness, function->blocks->len, FALSE);
    s.in_node = g_new0(guint32, function->blocks->len + 1);
    s.current = g_new0(guint32, s.variables.count + 1);
    s.stamp = g_new0(guint32, s.variables.count + 1);
    s.parent = g_array_new(FALSE, FALSE, sizeof(guint32));
    s.webs = g_array_new(FALSE, TRUE, sizeof(Web));
    s.registers = g_array_new(FALSE, TRUE, sizeof(WsIrRegister));
    walk(&s);
    gather_words(&s);
    s.rewrite = TRUE;
    walk(&s);
    g_array_unref(function->registers);
    function->registers = s.registers;
    function->predicate_count = s.predicate_count;
    g_ptr_array_unref(s.live_in);
    g_array_unref(s.parent);
    g_array_unref(s.webs);
    g_free(s.in_node);
    g_free(s.current);
    g_free(s.stamp);
    ws_variables_clear(&s.variables);
}
