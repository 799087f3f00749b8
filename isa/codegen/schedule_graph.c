#include "isa/codegen/schedule_graph.h"
#include "isa/bytecode/opcode.h"
#include "isa/codegen/latency.h"

#include <string.h>

enum {
    NOBODY = G_MAXUINT32,
    MAX_PENDING = 64,   /* memory accesses compared one by one; then a full order */
    LONGEST_FIXED = 15, /* cycles; what is shorter does not vary: a textbook's memory */
    WINDOW = 1024,      /* longer blocks are scheduled in parts */
    PHYSICAL_PLACES = 64 + 8 + 8
};

typedef struct {
    guint32 node;
    guint8 space;
    gboolean store;
    guint32 base;    /* variable of the base register, or NOBODY for RZ */
    guint32 version; /* write of the base that is read */
    gint64 offset;
    guint bytes;
} Access;

static WsScheduleNode *node_at(const WsScheduleGraph *g, guint32 n)
{
    return &g_array_index(g->nodes, WsScheduleNode, n);
}

static void add_edge(WsScheduleGraph *g, guint32 from, guint32 to, guint latency)
{
    if (from == NOBODY || from == to)
        return;
    WsScheduleEdge edge = {to, latency, node_at(g, from)->first_edge};
    g_array_append_val(g->edges, edge);
    node_at(g, from)->first_edge = g->edges->len;
    node_at(g, to)->predecessors++;
}

/* ---- registers --------------------------------------------------------------------------------
 */

/* Variables of an access, physical uniform registers and predicates behind the virtual ones. */
static guint places_of(const WsScheduleGraph *g, const WsRegisterAccess *access, guint32 *ret_first)
{
    guint32 base = g->variables.count;
    switch (access->file) {
    case WS_FILE_UNIFORM:
        *ret_first = base + MIN(access->index, 63);
        return access->index + access->words <= 64 ? access->words : 1;
    case WS_FILE_UNIFORM_PREDICATE:
        *ret_first = base + 64 + MIN(access->index, 7);
        return 1;
    case WS_FILE_PREDICATE:
        if (access->index < WS_VIRTUAL_BASE) {
            *ret_first = base + 72 + MIN(access->index, 7);
            return 1;
        }
        break;
    default:
        break;
    }
    return ws_variables_of(&g->variables, access, ret_first);
}

static void touch(WsScheduleGraph *g, guint32 place)
{
    if (g->stamp[place] == g->epoch)
        return;
    g->stamp[place] = g->epoch;
    g->writer[place] = NOBODY;
    g->readers[place] = 0;
    g->reads[place] = 0;
    g_array_append_val(g->touched, place);
}

/* Whether the instruction adds the result of another one to its own product. */
static gboolean reads_as_addend(const WsInstruction *producer, const WsInstruction *product)
{
    guint addend = product->opcode == WS_OP_IMAD_WIDE ? 4 : 3;
    return ws_class_pipe(ws_instruction_class(product)) == WS_PIPE_FMA &&
           product->operand[addend].kind == WS_OPERAND_REGISTER &&
           product->operand[addend].index == producer->operand[0].index;
}

/*
 * A product of 64 bits keeps its warp from the FMA pipe for longer than its stall count says, so
 * that the order in which ptxas expects its result in arithmetic is not told by the cycles it
 * takes. As a factor of another such product, and as an address, it is there when it is.
 */
static guint wide_latency(const WsScheduleGraph *g, guint32 writer, guint32 reader)
{
    const WsInstruction *consumer = ws_schedule_instruction(g, reader);
    const WsCodeOrder *order = ws_code_order(g->options);
    WsClass to = ws_instruction_class(consumer);
    if (reads_as_addend(ws_schedule_instruction(g, writer), consumer))
        return ws_use_latency(WS_CLASS_IMAD_WIDE, WS_RELATION_ADDEND, g->options);
    if (to == WS_CLASS_IMAD_WIDE)
        return order->wide_to_factor;
    if (ws_class_pipe(to) == WS_PIPE_FMA || ws_class_pipe(to) == WS_PIPE_ALU)
        return ws_use_latency(WS_CLASS_IMAD_WIDE, WS_PIPE_ALU, g->options);
    return order->wide_to_address;
}

/*
 * What a result takes, as far as the order goes. While predicates have no registers a carry is
 * taken to stay on its pipe: ptxas has the high word of a sum in front of what waits for the low
 * word alone, so that sums behind each other have one predicate, and a wait for it. A device's
 * latency of global memory is that of its L1 cache; most loads of a kernel miss it, and compiled
 * code issues them together and early.
 */
static guint expected_latency(const WsScheduleGraph *g, guint32 writer, guint32 reader,
                              WsReadKind kind)
{
    const WsInstruction *producer = ws_schedule_instruction(g, writer);
    guint latency =
        ws_dependence_latency(producer, ws_schedule_instruction(g, reader), kind, g->options);
    WsClass from = ws_instruction_class(producer);
    if (g->early && kind == WS_READ_PREDICATE &&
        ws_schedule_instruction(g, reader)->opcode == WS_OP_IMAD_X)
        return ws_class_latency(from, g->options);
    if (from == WS_CLASS_IMAD_WIDE && kind == WS_READ_VALUE)
        return ws_code_order(g->options)->wide_to_factor != 0 ? wide_latency(g, writer, reader)
                                                              : latency;
    if (latency > LONGEST_FIXED && (from == WS_CLASS_GLOBAL_LOAD ||
                                    from == WS_CLASS_GLOBAL_ATOMIC || from == WS_CLASS_TEXTURE))
        return MAX(latency, ws_code_order(g->options)->miss);
    return latency;
}

static void order_read(WsScheduleGraph *g, guint32 n, guint32 place, WsReadKind kind)
{
    guint32 writer = g->writer[place];
    if (writer != NOBODY)
        add_edge(g, writer, n, expected_latency(g, writer, n, kind));
    WsEdge entry = {n, g->readers[place]};
    g_array_append_val(g->reader_lists, entry);
    g->readers[place] = g->reader_lists->len;
    g->reads[place]++;
}

static void order_write(WsScheduleGraph *g, guint32 n, guint32 place)
{
    if (g->readers[place] == 0 && g->writer[place] != NOBODY)
        add_edge(g, g->writer[place], n, 1);
    for (guint32 at = g->readers[place]; at != 0;) {
        const WsEdge *entry = &g_array_index(g->reader_lists, WsEdge, at - 1);
        add_edge(g, entry->from, n, 0);
        at = entry->to;
    }
    g->readers[place] = 0;
    g->writer[place] = n;
}

static void note_use(WsScheduleGraph *g, guint32 variable, gboolean write, gboolean guarded)
{
    WsScheduleUse use = {variable, FALSE};
    if (!write || guarded)
        g_array_append_val(g->uses, use);
    use.write = TRUE;
    if (write)
        g_array_append_val(g->uses, use);
}

/* A guarded write keeps what was there for some lanes: it reads as well. */
static void order_registers(WsScheduleGraph *g, guint32 n)
{
    const WsInstruction *instruction = ws_schedule_instruction(g, n);
    gboolean guarded = ws_is_guarded(instruction);
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    node_at(g, n)->first_use = g->uses->len;
    for (guint pass = 0; pass < 2; pass++) {
        for (guint a = 0; a < count; a++) {
            guint32 first = 0;
            guint words = places_of(g, &accesses[a], &first);
            for (guint w = 0; w < words; w++) {
                touch(g, first + w);
                if (pass == 0 && (!accesses[a].write || guarded))
                    order_read(g, n, first + w, ws_read_kind(&accesses[a]));
                if (pass == 1 && accesses[a].write)
                    order_write(g, n, first + w);
                if (pass == 0 && first + w < g->variables.count)
                    note_use(g, first + w, accesses[a].write, guarded);
            }
        }
    }
    node_at(g, n)->use_count = g->uses->len - node_at(g, n)->first_use;
}

/* ---- memory -----------------------------------------------------------------------------------
 */

/* Of warp-wide instructions without an address. */
enum { OWN_SPACE = WS_SPACE_COUNT };

static Access describe_access(WsScheduleGraph *g, guint32 n)
{
    const WsInstruction *instruction = ws_schedule_instruction(g, n);
    Access access = {.node = n,
                     .space = (guint8)ws_opcode_space(instruction->opcode),
                     .store = !ws_is_load(instruction),
                     .base = NOBODY,
                     .version = NOBODY,
                     .bytes = 16};
    for (guint o = 0; o < instruction->operand_count; o++) {
        const WsOperand *operand = &instruction->operand[o];
        if (operand->kind != WS_OPERAND_ADDRESS)
            continue;
        access.offset = (gint32)operand->value;
        if (operand->uniform != WS_URZ)
            access.base = NOBODY - 1 - operand->uniform;
        if (operand->index >= WS_VIRTUAL_BASE) {
            access.base = g->variables.first[operand->index - WS_VIRTUAL_BASE] + operand->bank;
            touch(g, access.base);
            access.version = g->writer[access.base];
        }
        if (operand->index >= WS_VIRTUAL_BASE && operand->uniform != WS_URZ)
            access.base = access.version = NOBODY - 1 - n;
    }
    if (ws_opcode_info(instruction->opcode)->kind == WS_KIND_MATRIX_LOAD) /* rows lie anywhere */
        access.version = NOBODY - 1 - n;
    else if (ws_is_load(instruction) || ws_is_store(instruction))
        access.bytes = instruction->mod[WS_MOD_WIDTH] == WS_WIDTH_128  ? 16
                       : instruction->mod[WS_MOD_WIDTH] == WS_WIDTH_64 ? 8
                                                                       : 4;
    return access;
}

static gboolean may_meet(const Access *a, const Access *b)
{
    if (a->space != b->space && a->space != WS_SPACE_GENERIC && b->space != WS_SPACE_GENERIC)
        return FALSE;
    if (a->space != b->space || a->base != b->base || a->version != b->version)
        return TRUE;
    return a->offset < b->offset + (gint64)b->bytes && b->offset < a->offset + (gint64)a->bytes;
}

static gboolean is_read_only(const WsInstruction *instruction)
{
    return ws_is_load(instruction) && instruction->mod[WS_MOD_CACHE] == WS_CACHE_CONSTANT;
}

/* From here on every memory access follows node n, and n follows all before it. */
static void close_memory(WsScheduleGraph *g, guint32 n)
{
    for (guint i = 0; i < g->pending->len; i++)
        add_edge(g, g_array_index(g->pending, Access, i).node, n, 1);
    g_array_set_size(g->pending, 0);
    add_edge(g, g->memory_fence, n, 1);
    g->memory_fence = n;
}

static void order_memory(WsScheduleGraph *g, guint32 n)
{
    const WsInstruction *instruction = ws_schedule_instruction(g, n);
    if (is_read_only(instruction))
        return;
    Access access = describe_access(g, n);
    add_edge(g, g->memory_fence, n, 1);
    for (guint i = 0; i < g->pending->len; i++) {
        const Access *other = &g_array_index(g->pending, Access, i);
        if ((access.store || other->store) && may_meet(&access, other))
            add_edge(g, other->node, n, 1);
    }
    gboolean keeps_place = ws_is_volatile(instruction) ||
                           ws_opcode_info(instruction->opcode)->kind == WS_KIND_SYSTEM ||
                           (ws_is_atomic(instruction) && instruction->opcode != WS_OP_RED);
    if (keeps_place || g->pending->len >= MAX_PENDING)
        close_memory(g, n);
    else
        g_array_append_val(g->pending, access);
}

/* ---- fences -----------------------------------------------------------------------------------
 */

static gboolean reads_clock(const WsInstruction *instruction)
{
    if (instruction->opcode != WS_OP_S2R && instruction->opcode != WS_OP_CS2R &&
        instruction->opcode != WS_OP_S2UR)
        return FALSE;
    guint32 special = instruction->operand[1].value;
    return special >= WS_SR_CLOCK_LO && special <= WS_SR_GLOBALTIMER_HI;
}

/* Nothing passes: the set of active lanes changes here, or time is read. */
static gboolean is_full_fence(const WsInstruction *instruction)
{
    return ws_opcode_has(instruction->opcode, WS_FLAG_PARTS_LANES) || reads_clock(instruction);
}

/* Memory and warp-wide instructions do not pass. */
static gboolean is_memory_fence(const WsInstruction *instruction)
{
    return instruction->opcode == WS_OP_BAR || instruction->opcode == WS_OP_MEMBAR;
}

static void order_fences(WsScheduleGraph *g, guint32 n)
{
    const WsInstruction *instruction = ws_schedule_instruction(g, n);
    if (g->fence != NOBODY)
        add_edge(g, g->fence, n, 1);
    if (is_full_fence(instruction) || n % WINDOW == WINDOW - 1) {
        for (guint32 before = g->fence == NOBODY ? 0 : g->fence + 1; before < n; before++)
            add_edge(g, before, n, 0);
        g_array_set_size(g->pending, 0);
        g->fence = n;
        g->memory_fence = NOBODY;
        return;
    }
    gboolean memory =
        ws_is_load(instruction) || ws_is_store(instruction) || ws_is_atomic(instruction);
    if (is_memory_fence(instruction)) {
        close_memory(g, n);
    } else if (memory) {
        order_memory(g, n);
    } else if (ws_is_warp_wide(instruction)) {
        /* Between barriers it may move like a load of a space of its own. */
        add_edge(g, g->memory_fence, n, 1);
        Access access = {
            .node = n, .space = OWN_SPACE, .base = NOBODY, .version = NOBODY, .bytes = 1};
        g_array_append_val(g->pending, access);
    }
}

static void compute_priorities(WsScheduleGraph *g)
{
    for (guint32 n = g->nodes->len; n-- > 0;) {
        WsScheduleNode *node = node_at(g, n);
        guint32 longest = 1;
        for (guint32 at = node->first_edge; at != 0;) {
            const WsScheduleEdge *edge = &g_array_index(g->edges, WsScheduleEdge, at - 1);
            longest = MAX(longest, edge->latency + node_at(g, edge->to)->priority);
            at = edge->next;
        }
        node->priority = MAX(node->priority, longest);
    }
}

static gboolean is_product(const WsInstruction *instruction)
{
    WsClass class = ws_instruction_class(instruction);
    return class == WS_CLASS_IMAD_WIDE || class == WS_CLASS_IMAD;
}

/* What decides the branch should be done early. */
static void expect_branch(WsScheduleGraph *g)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(&g->block->branch, accesses);
    for (guint a = 0; a < count; a++) {
        guint32 first = 0;
        guint words = places_of(g, &accesses[a], &first);
        for (guint w = 0; w < words; w++) {
            touch(g, first + w);
            g->reads[first + w]++;
            if (g->writer[first + w] != NOBODY) {
                const WsInstruction *producer = ws_schedule_instruction(g, g->writer[first + w]);
                node_at(g, g->writer[first + w])->priority = ws_dependence_latency(
                    producer, &g->block->branch, ws_read_kind(&accesses[a]), g->options);
            }
        }
    }
}

void ws_schedule_graph_build(WsScheduleGraph *g, WsIrBlock *block)
{
    g->epoch++;
    g->block = block;
    GArray *arrays[] = {g->nodes, g->edges, g->uses, g->touched, g->reader_lists, g->pending};
    for (guint i = 0; i < G_N_ELEMENTS(arrays); i++)
        g_array_set_size(arrays[i], 0);
    g->fence = g->memory_fence = NOBODY;
    g_array_set_size(g->nodes, g->block->instructions->len);
    memset(g->nodes->data, 0, g->nodes->len * sizeof(WsScheduleNode));
    for (guint32 n = 0; n < g->nodes->len; n++) {
        order_fences(g, n);
        order_registers(g, n);
        node_at(g, n)->product = is_product(ws_schedule_instruction(g, n));
    }
    expect_branch(g);
    compute_priorities(g);
}

void ws_schedule_graph_init(WsScheduleGraph *ret, const WsIrFunction *function,
                            const WsCompileOptions *options, gboolean early)
{
    *ret = (WsScheduleGraph){.function = function, .options = options, .early = early};
    ws_variables_init(&ret->variables, function);
    ret->places = ret->variables.count + PHYSICAL_PLACES;
    ret->stamp = g_new0(guint32, ret->places);
    ret->writer = g_new0(guint32, ret->places);
    ret->readers = g_new0(guint32, ret->places);
    ret->reads = g_new0(guint32, ret->places);
    ret->nodes = g_array_new(FALSE, TRUE, sizeof(WsScheduleNode));
    ret->edges = g_array_new(FALSE, FALSE, sizeof(WsScheduleEdge));
    ret->uses = g_array_new(FALSE, FALSE, sizeof(WsScheduleUse));
    ret->touched = g_array_new(FALSE, FALSE, sizeof(guint32));
    ret->reader_lists = g_array_new(FALSE, FALSE, sizeof(WsEdge));
    ret->pending = g_array_new(FALSE, FALSE, sizeof(Access));
}

void ws_schedule_graph_clear(WsScheduleGraph *graph)
{
    GArray *arrays[] = {graph->nodes,   graph->edges,        graph->uses,
                        graph->touched, graph->reader_lists, graph->pending};
    for (guint i = 0; i < G_N_ELEMENTS(arrays); i++)
        g_array_unref(arrays[i]);
    ws_variables_clear(&graph->variables);
    g_free(graph->stamp);
    g_free(graph->writer);
    g_free(graph->readers);
    g_free(graph->reads);
}
