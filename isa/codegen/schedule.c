/*
 * List scheduling inside blocks: longest path to the end of the block first, by latency; source
 * order breaks ties. Where the registers in use come near the cap, what frees registers goes first.
 *
 * Order that is kept: reads and writes of registers, predicates and uniform registers; memory
 * accesses that may meet; volatile accesses and atomics that return with all memory; barriers,
 * convergence and clock reads with everything that must not pass them. What memory accesses may
 * meet: those of one space, unless both use the same base register value with offsets apart. Loads
 * pass loads.
 */
#include "isa/codegen/code_generation.h"
#include "isa/codegen/latency.h"
#include "isa/ir/liveness.h"

#include <string.h>

enum {
    NOBODY = G_MAXUINT32,
    PRESSURE_MARGIN = 6, /* registers left free below the cap for pairs and temporaries */
    TRIES = 5,           /* where a block ends up above its limit: again, more careful */
    STEP = 3,            /* by so many registers */
    WIDEST = 4,          /* registers that one instruction may write */
    PREDICATE_LIMIT = 5, /* of seven: some are needed while others are made */
    MAX_PENDING = 64,    /* memory accesses compared one by one; then a full order */
    MISS = 200,          /* cycles that a load from L2 takes at least */
    LONGEST_FIXED = 15,  /* cycles; what is shorter does not vary: a textbook's memory */
    WIDE_TO_ADDEND = 4,  /* stall counts of compiled code behind IMAD.WIDE and IMAD.HI */
    WIDE_TO_OTHERS = 5,
    WIDE_TO_FACTOR = 9, /* cycles from one to the next product that multiplies it, as measured */
    WIDE_TO_ADDRESS = 10,
    WIDE_INTERVAL = 4, /* to the next product of the FMA pipe */
    WINDOW = 1024,     /* longer blocks are scheduled in parts */
    PHYSICAL_PLACES = 64 + 8 + 8
};

typedef struct {
    guint32 to;
    guint32 latency;
    guint32 next; /* edge + 1 */
} Edge;

typedef struct {
    guint32 first_edge; /* edge + 1 */
    guint32 waits_for;  /* predecessors not yet placed */
    guint32 ready;      /* cycle */
    guint32 priority;   /* longest path to the end */
    guint32 first_use;  /* in `uses`: variables it reads and writes */
    guint32 use_count;
    gboolean product; /* of the FMA pipe */
} Node;

typedef struct {
    guint32 variable;
    gboolean write;
} Use;

typedef struct {
    guint32 node;
    guint8 space;
    gboolean store;
    guint32 base;    /* variable of the base register, or NOBODY for RZ */
    guint32 version; /* write of the base that is read */
    gint64 offset;
    guint bytes;
} Access;

typedef struct {
    WsIrFunction *function;
    const WsCompileOptions *options;
    WsVariables variables;
    WsLiveness *liveness;
    guint cap, free;
    gboolean early; /* predicates have no registers yet */
    /* per variable and physical place, valid where the stamp is that of the block */
    guint32 *stamp;
    guint32 *writer;
    guint32 *readers; /* newest reader: entry + 1 of reader_lists */
    guint32 *reads_left;
    guint8 *live;
    guint32 epoch;
    /* of the block, and of the one before until it is left */
    WsSharedSet in, out;
    guint8 *live_in;
    guint8 *live_out;
    gint words_in, predicates_in; /* live where it begins */
    GArray *changes;              /* of guint32: variables, for a while */
    GArray *nodes;                /* of Node */
    GArray *edges;                /* of Edge */
    GArray *uses;                 /* of Use */
    GArray *reader_lists;         /* of WsEdge: node, next entry + 1 */
    GArray *pending;              /* of Access */
    guint32 fence;                /* node that everything follows */
    guint32 memory_fence;         /* node that memory and warp-wide instructions follow */
    gint predicates;              /* live now */
    guint32 product_from;         /* cycle from which the FMA pipe takes a product */
    WsIrBlock *block;
} Scheduler;

static Node *node_at(const Scheduler *s, guint32 n)
{
    return &g_array_index(s->nodes, Node, n);
}

static void add_edge(Scheduler *s, guint32 from, guint32 to, guint latency)
{
    if (from == NOBODY || from == to)
        return;
    Edge edge = {to, latency, node_at(s, from)->first_edge};
    g_array_append_val(s->edges, edge);
    node_at(s, from)->first_edge = s->edges->len;
    node_at(s, to)->waits_for++;
}

/* ---- registers --------------------------------------------------------------------------------
 */

/* Variables of an access, physical uniform registers and predicates behind the virtual ones. */
static guint places_of(const Scheduler *s, const WsAccess *access, guint32 *ret_first)
{
    guint32 base = s->variables.count;
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
    return ws_variables_of(&s->variables, access, ret_first);
}

static void touch(Scheduler *s, guint32 place)
{
    if (s->stamp[place] == s->epoch)
        return;
    s->stamp[place] = s->epoch;
    s->writer[place] = NOBODY;
    s->readers[place] = 0;
    s->reads_left[place] = 0;
    s->live[place] = s->live_in[place];
}

static const WsInstruction *instruction_at(const Scheduler *s, guint32 n)
{
    return &g_array_index(s->block->instructions, WsInstruction, n);
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
static guint wide_latency(const Scheduler *s, guint32 writer, guint32 reader)
{
    const WsInstruction *consumer = instruction_at(s, reader);
    WsClass to = ws_instruction_class(consumer);
    if (reads_as_addend(instruction_at(s, writer), consumer))
        return WIDE_TO_ADDEND;
    if (to == WS_CLASS_IMAD_WIDE)
        return WIDE_TO_FACTOR;
    return ws_class_pipe(to) == WS_PIPE_FMA || ws_class_pipe(to) == WS_PIPE_ALU ? WIDE_TO_OTHERS
                                                                                : WIDE_TO_ADDRESS;
}

/*
 * What a result takes, as far as the order goes. While predicates have no registers a carry is
 * taken to stay on its pipe: ptxas has the high word of a sum in front of what waits for the low
 * word alone, so that sums behind each other have one predicate, and a wait for it. A device's
 * latency of global memory is that of its L1 cache; most loads of a kernel miss it, and compiled
 * code issues them together and early.
 */
static guint expected_latency(const Scheduler *s, guint32 writer, guint32 reader, WsReadKind kind)
{
    const WsInstruction *producer = instruction_at(s, writer);
    guint latency = ws_dependence_latency(producer, instruction_at(s, reader), kind, s->options);
    WsClass from = ws_instruction_class(producer);
    if (s->early && kind == WS_READ_PREDICATE && instruction_at(s, reader)->opcode == WS_OP_IMAD_X)
        return ws_class_latency(from, s->options);
    if (from == WS_CLASS_IMAD_WIDE && kind == WS_READ_VALUE)
        return latency < WIDE_TO_ADDEND ? latency : wide_latency(s, writer, reader);
    if (latency > LONGEST_FIXED && (from == WS_CLASS_GLOBAL_LOAD ||
                                    from == WS_CLASS_GLOBAL_ATOMIC || from == WS_CLASS_TEXTURE))
        return MAX(latency, MISS);
    return latency;
}

static void order_read(Scheduler *s, guint32 n, guint32 place, WsReadKind kind)
{
    guint32 writer = s->writer[place];
    if (writer != NOBODY)
        add_edge(s, writer, n, expected_latency(s, writer, n, kind));
    WsEdge entry = {n, s->readers[place]};
    g_array_append_val(s->reader_lists, entry);
    s->readers[place] = s->reader_lists->len;
    s->reads_left[place]++;
}

static void order_write(Scheduler *s, guint32 n, guint32 place)
{
    if (s->readers[place] == 0 && s->writer[place] != NOBODY)
        add_edge(s, s->writer[place], n, 1);
    for (guint32 at = s->readers[place]; at != 0;) {
        const WsEdge *entry = &g_array_index(s->reader_lists, WsEdge, at - 1);
        add_edge(s, entry->from, n, 0);
        at = entry->to;
    }
    s->readers[place] = 0;
    s->writer[place] = n;
}

static void note_use(Scheduler *s, guint32 variable, gboolean write, gboolean guarded)
{
    Use use = {variable, FALSE};
    if (!write || guarded)
        g_array_append_val(s->uses, use);
    use.write = TRUE;
    if (write)
        g_array_append_val(s->uses, use);
}

/* A guarded write keeps what was there for some lanes: it reads as well. */
static void order_registers(Scheduler *s, guint32 n)
{
    const WsInstruction *instruction = instruction_at(s, n);
    gboolean guarded = instruction->guard != WS_PT || instruction->guard_negated;
    WsAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(instruction, accesses);
    node_at(s, n)->first_use = s->uses->len;
    for (guint pass = 0; pass < 2; pass++) {
        for (guint a = 0; a < count; a++) {
            guint32 first = 0;
            guint words = places_of(s, &accesses[a], &first);
            for (guint w = 0; w < words; w++) {
                touch(s, first + w);
                if (pass == 0 && (!accesses[a].write || guarded))
                    order_read(s, n, first + w, ws_read_kind(&accesses[a]));
                if (pass == 1 && accesses[a].write)
                    order_write(s, n, first + w);
                if (pass == 0 && first + w < s->variables.count)
                    note_use(s, first + w, accesses[a].write, guarded);
            }
        }
    }
    node_at(s, n)->use_count = s->uses->len - node_at(s, n)->first_use;
}

/* ---- memory -----------------------------------------------------------------------------------
 */

typedef enum { SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_ANY, SPACE_NONE } Space;

static Space space_of(const WsInstruction *instruction)
{
    guint flags = ws_opcode_info(instruction->opcode)->flags;
    return flags & WS_FLAG_GLOBAL   ? SPACE_GLOBAL
           : flags & WS_FLAG_SHARED ? SPACE_SHARED
           : flags & WS_FLAG_LOCAL  ? SPACE_LOCAL
                                    : SPACE_ANY;
}

static Access describe_access(Scheduler *s, guint32 n)
{
    const WsInstruction *instruction = instruction_at(s, n);
    Access access = {.node = n,
                     .space = space_of(instruction),
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
            access.base = s->variables.first[operand->index - WS_VIRTUAL_BASE] + operand->bank;
            touch(s, access.base);
            access.version = s->writer[access.base];
        }
        if (operand->index >= WS_VIRTUAL_BASE && operand->uniform != WS_URZ)
            access.base = access.version = NOBODY - 1 - n;
    }
    if (instruction->opcode == WS_OP_LDSM) /* lanes give each other's rows: anywhere */
        access.version = NOBODY - 1 - n;
    else if (ws_is_load(instruction) || ws_is_store(instruction))
        access.bytes = instruction->mod[WS_MOD_WIDTH] == WS_WIDTH_128  ? 16
                       : instruction->mod[WS_MOD_WIDTH] == WS_WIDTH_64 ? 8
                                                                       : 4;
    return access;
}

static gboolean may_meet(const Access *a, const Access *b)
{
    if (a->space != b->space && a->space != SPACE_ANY && b->space != SPACE_ANY)
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
static void close_memory(Scheduler *s, guint32 n)
{
    for (guint i = 0; i < s->pending->len; i++)
        add_edge(s, g_array_index(s->pending, Access, i).node, n, 1);
    g_array_set_size(s->pending, 0);
    add_edge(s, s->memory_fence, n, 1);
    s->memory_fence = n;
}

static void order_memory(Scheduler *s, guint32 n)
{
    const WsInstruction *instruction = instruction_at(s, n);
    if (is_read_only(instruction))
        return;
    Access access = describe_access(s, n);
    add_edge(s, s->memory_fence, n, 1);
    for (guint i = 0; i < s->pending->len; i++) {
        const Access *other = &g_array_index(s->pending, Access, i);
        if ((access.store || other->store) && may_meet(&access, other))
            add_edge(s, other->node, n, 1);
    }
    gboolean keeps_place = ws_is_volatile(instruction) ||
                           (ws_is_atomic(instruction) && instruction->opcode != WS_OP_RED);
    if (keeps_place || s->pending->len >= MAX_PENDING)
        close_memory(s, n);
    else
        g_array_append_val(s->pending, access);
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

static void order_fences(Scheduler *s, guint32 n)
{
    const WsInstruction *instruction = instruction_at(s, n);
    if (s->fence != NOBODY)
        add_edge(s, s->fence, n, 1);
    if (is_full_fence(instruction) || n % WINDOW == WINDOW - 1) {
        for (guint32 before = s->fence == NOBODY ? 0 : s->fence + 1; before < n; before++)
            add_edge(s, before, n, 0);
        g_array_set_size(s->pending, 0);
        s->fence = n;
        s->memory_fence = NOBODY;
        return;
    }
    gboolean memory =
        ws_is_load(instruction) || ws_is_store(instruction) || ws_is_atomic(instruction);
    if (is_memory_fence(instruction)) {
        close_memory(s, n);
    } else if (memory) {
        order_memory(s, n);
    } else if (ws_is_warp_wide(instruction)) {
        /* Between barriers it may move like a load of a space of its own. */
        add_edge(s, s->memory_fence, n, 1);
        Access access = {
            .node = n, .space = SPACE_NONE, .base = NOBODY, .version = NOBODY, .bytes = 1};
        g_array_append_val(s->pending, access);
    }
}

/* ---- placing ----------------------------------------------------------------------------------
 */

static void compute_priorities(Scheduler *s)
{
    for (guint32 n = s->nodes->len; n-- > 0;) {
        Node *node = node_at(s, n);
        guint32 longest = 1;
        for (guint32 at = node->first_edge; at != 0;) {
            const Edge *edge = &g_array_index(s->edges, Edge, at - 1);
            longest = MAX(longest, edge->latency + node_at(s, edge->to)->priority);
            at = edge->next;
        }
        node->priority = MAX(node->priority, longest);
    }
}

/* Words (or predicates) that come to life minus those that die when node n is placed now. */
static gint pressure_change(const Scheduler *s, guint32 n, gboolean predicates)
{
    const Node *node = node_at(s, n);
    gint change = 0;
    for (guint32 u = node->first_use; u < node->first_use + node->use_count; u++) {
        const Use *use = &g_array_index(s->uses, Use, u);
        if ((use->variable >= s->variables.word_count) != (predicates != FALSE))
            continue;
        if (use->write)
            change += !s->live[use->variable];
        else if (s->reads_left[use->variable] == 1 && !s->live_out[use->variable])
            change -= 1;
    }
    return change;
}

static gint *counter_of(Scheduler *s, guint32 variable, gint *words)
{
    return variable >= s->variables.word_count ? &s->predicates : words;
}

static gint place_pressure(Scheduler *s, guint32 n)
{
    gint change = 0;
    const Node *node = node_at(s, n);
    for (guint32 u = node->first_use; u < node->first_use + node->use_count; u++) {
        const Use *use = &g_array_index(s->uses, Use, u);
        if (use->write)
            continue;
        guint32 *left = &s->reads_left[use->variable];
        *left -= *left > 0;
        if (*left == 0 && s->live[use->variable] && !s->live_out[use->variable]) {
            s->live[use->variable] = FALSE;
            *counter_of(s, use->variable, &change) -= 1;
        }
    }
    for (guint32 u = node->first_use; u < node->first_use + node->use_count; u++) {
        const Use *use = &g_array_index(s->uses, Use, u);
        if (use->write && !s->live[use->variable] &&
            (s->reads_left[use->variable] > 0 || s->live_out[use->variable])) {
            s->live[use->variable] = TRUE;
            *counter_of(s, use->variable, &change) += 1;
        }
    }
    return change;
}

static gboolean is_product(const Scheduler *s, guint32 n)
{
    WsClass class = ws_instruction_class(instruction_at(s, n));
    return class == WS_CLASS_IMAD_WIDE || class == WS_CLASS_IMAD;
}

/* The first cycle in which node n may be placed. */
static guint32 ready_from(const Scheduler *s, guint32 n)
{
    guint32 ready = node_at(s, n)->ready;
    return node_at(s, n)->product ? MAX(ready, s->product_from) : ready;
}

/* The better of two ready nodes at cycle `now`, if registers do not matter. */
static gboolean is_better(const Scheduler *s, guint32 a, guint32 b, guint32 now)
{
    const Node *x = node_at(s, a);
    const Node *y = node_at(s, b);
    if (s->predicates >= PREDICATE_LIMIT) {
        gint p = pressure_change(s, a, TRUE);
        gint q = pressure_change(s, b, TRUE);
        if (MAX(p, 0) != MAX(q, 0))
            return p < q;
        if (p > 0 && x->priority != y->priority)
            return x->priority > y->priority;
    }
    guint32 x_ready = ready_from(s, a);
    guint32 y_ready = ready_from(s, b);
    if ((x_ready <= now) != (y_ready <= now))
        return x_ready <= now;
    if (x_ready > now && x_ready != y_ready)
        return x_ready < y_ready;
    if (x->priority != y->priority)
        return x->priority > y->priority;
    return a < b;
}

static void release(Scheduler *s, guint32 n, guint32 now, GArray *ready)
{
    for (guint32 at = node_at(s, n)->first_edge; at != 0;) {
        const Edge *edge = &g_array_index(s->edges, Edge, at - 1);
        Node *to = node_at(s, edge->to);
        to->ready = MAX(to->ready, now + edge->latency);
        if (--to->waits_for == 0)
            g_array_append_val(ready, edge->to);
        at = edge->next;
    }
}

/* Place in `ready` of the best node that needs at most `room` more registers, or NOBODY. */
static guint find_best(const Scheduler *s, const GArray *ready, guint32 now, gint room)
{
    guint best = NOBODY;
    for (guint i = 0; i < ready->len; i++) {
        guint32 n = g_array_index(ready, guint32, i);
        if (best != NOBODY && !is_better(s, n, g_array_index(ready, guint32, best), now))
            continue;
        if (room >= WIDEST || pressure_change(s, n, FALSE) <= room)
            best = i;
    }
    return best;
}

/* Place in `ready` of the node that needs the fewest registers. */
static guint find_least(const Scheduler *s, const GArray *ready)
{
    guint least = 0;
    gint fewest = G_MAXINT;
    for (guint i = 0; i < ready->len; i++) {
        guint32 a = g_array_index(ready, guint32, i), b = g_array_index(ready, guint32, least);
        gint change = pressure_change(s, a, FALSE);
        if (change < fewest || (change == fewest && a < b)) {
            least = i;
            fewest = change;
        }
    }
    return least;
}

/*
 * The node to place next. Where the best one does not fit, those that need no register go first, so
 * that room for it gathers and is not taken by what is less urgent.
 */
static guint choose(const Scheduler *s, const GArray *ready, guint32 now, gint room)
{
    guint best = find_best(s, ready, now, G_MAXINT);
    if (room >= WIDEST ||
        pressure_change(s, g_array_index(ready, guint32, best), FALSE) <= MAX(room, 0))
        return best;
    best = find_best(s, ready, now, 0);
    if (best == NOBODY && room > 0)
        best = find_best(s, ready, now, room);
    return best != NOBODY ? best : find_least(s, ready);
}

/* Fills `order`. FALSE, and no order, if more than `allowed` words would be live on the way. */
static gboolean place_nodes(Scheduler *s, guint32 *order, guint pressure, guint limit,
                            guint allowed)
{
    g_autoptr(GArray) ready = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint32 n = 0; n < s->nodes->len; n++) {
        if (node_at(s, n)->waits_for == 0)
            g_array_append_val(ready, n);
    }
    guint32 now = 0;
    s->product_from = 0;
    for (guint32 placed = 0; placed < s->nodes->len && pressure <= allowed; placed++) {
        guint best = choose(s, ready, now, (gint)limit - (gint)pressure);
        guint32 n = g_array_index(ready, guint32, best);
        g_array_remove_index_fast(ready, best);
        now = MAX(now, ready_from(s, n));
        order[placed] = n;
        if (ws_instruction_class(instruction_at(s, n)) == WS_CLASS_IMAD_WIDE)
            s->product_from = now + WIDE_INTERVAL;
        pressure = (guint)((gint)pressure + place_pressure(s, n));
        release(s, n, now, ready);
        now++;
    }
    return pressure <= allowed;
}

static void build_graph(Scheduler *s)
{
    s->epoch++;
    GArray *arrays[] = {s->nodes, s->edges, s->uses, s->reader_lists, s->pending};
    for (guint i = 0; i < G_N_ELEMENTS(arrays); i++)
        g_array_set_size(arrays[i], 0);
    s->fence = s->memory_fence = NOBODY;
    g_array_set_size(s->nodes, s->block->instructions->len);
    memset(s->nodes->data, 0, s->nodes->len * sizeof(Node));
    for (guint32 n = 0; n < s->nodes->len; n++) {
        order_fences(s, n);
        order_registers(s, n);
        node_at(s, n)->product = is_product(s, n);
    }
    /* What decides the branch should be done early. */
    WsAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(&s->block->branch, accesses);
    for (guint a = 0; a < count; a++) {
        guint32 first = 0;
        guint words = places_of(s, &accesses[a], &first);
        for (guint w = 0; w < words; w++) {
            touch(s, first + w);
            s->reads_left[first + w]++;
            if (s->writer[first + w] != NOBODY) {
                const WsInstruction *producer = instruction_at(s, s->writer[first + w]);
                node_at(s, s->writer[first + w])->priority = ws_dependence_latency(
                    producer, &s->block->branch, ws_read_kind(&accesses[a]), s->options);
            }
        }
    }
    compute_priorities(s);
}

/* ---- blocks -----------------------------------------------------------------------------------
 */

/* Sets the flags of what is in `to` and not in `from`. */
static void flag_changes(Scheduler *s, WsSharedSet to, WsSharedSet from, guint8 *flags,
                         gboolean live)
{
    g_array_set_size(s->changes, 0);
    ws_liveness_list(s->liveness, to, from, s->changes);
    for (guint i = 0; i < s->changes->len; i++)
        flags[g_array_index(s->changes, guint32, i)] = (guint8)live;
}

static void count_changes(Scheduler *s, gint by)
{
    for (guint i = 0; i < s->changes->len; i++) {
        guint32 variable = g_array_index(s->changes, guint32, i);
        *(variable >= s->variables.word_count ? &s->predicates_in : &s->words_in) += by;
    }
}

/* Its last instruction needs places for what it writes, whoever reads that. */
static void flag_last_writes(Scheduler *s, gboolean live)
{
    WsAccess accesses[WS_MAX_ACCESSES];
    guint count =
        ws_instruction_accesses(ws_ir_instruction(s->block, ws_ir_length(s->block) - 1), accesses);
    for (guint a = 0; a < count; a++) {
        guint32 first = 0;
        guint words = accesses[a].write ? ws_variables_of(&s->variables, &accesses[a], &first) : 0;
        for (guint w = 0; w < words; w++)
            s->live_out[first + w] = live || ws_liveness_contains(s->liveness, s->out, first + w);
    }
}

/* Goes on to a block: what is live around it is seldom much else than around the one before. */
static void come_to_block(Scheduler *s, guint32 b)
{
    WsSharedSet in = s->liveness->live_in[b], out = s->liveness->live_out[b];
    s->block = ws_ir_block(s->function, b);
    flag_changes(s, s->in, in, s->live_in, FALSE);
    count_changes(s, -1);
    flag_changes(s, in, s->in, s->live_in, TRUE);
    count_changes(s, 1);
    flag_changes(s, s->out, out, s->live_out, FALSE);
    flag_changes(s, out, s->out, s->live_out, TRUE);
    s->in = in;
    s->out = out;
}

/* Registers live where the block begins. */
static guint enter_block(Scheduler *s)
{
    build_graph(s);
    s->predicates = s->predicates_in;
    return (guint)s->words_in;
}

static guint pressure_as_written(Scheduler *s, guint pressure)
{
    guint highest = pressure;
    for (guint32 n = 0; n < s->nodes->len; n++) {
        pressure = (guint)((gint)pressure + place_pressure(s, n));
        highest = MAX(highest, pressure);
    }
    return highest;
}

/* An order with at most `allowed` words live at once, looked for at `limit` and below. */
static gboolean find_order(Scheduler *s, guint limit, guint allowed, guint32 *order)
{
    for (guint try = 0; try < TRIES && limit > try * STEP; try++)
        if (place_nodes(s, order, enter_block(s), limit - try * STEP, allowed))
            return TRUE;
    return FALSE;
}

static void schedule_block(Scheduler *s)
{
    flag_last_writes(s, TRUE);
    guint written = pressure_as_written(s, enter_block(s));
    guint cap = s->cap > PRESSURE_MARGIN ? s->cap - PRESSURE_MARGIN : 0;
    guint limit = MIN(cap, s->free);
    g_autofree guint32 *order = g_new(guint32, s->nodes->len + 1);
    gboolean found = find_order(s, limit, limit, order);
    if (!found && written > limit) {
        limit = MIN(cap, written + PRESSURE_MARGIN);
        found = find_order(s, limit, MAX(limit, written), order);
    }
    flag_last_writes(s, FALSE);
    if (!found)
        return;
    GArray *placed = g_array_sized_new(FALSE, TRUE, sizeof(WsInstruction), s->nodes->len);
    for (guint32 n = 0; n < s->nodes->len; n++)
        g_array_append_vals(placed, instruction_at(s, order[n]), 1);
    g_array_unref(s->block->instructions);
    s->block->instructions = placed;
}

static void scheduler_init(Scheduler *s, WsIrFunction *function, const WsCompileOptions *options,
                           guint cap, guint free, gboolean early)
{
    *s = (Scheduler){
        .function = function, .options = options, .cap = cap, .free = free, .early = early};
    ws_variables_init(&s->variables, function);
    gsize places = (gsize)s->variables.count + PHYSICAL_PLACES;
    s->stamp = g_new0(guint32, places);
    s->writer = g_new0(guint32, places);
    s->readers = g_new0(guint32, places);
    s->reads_left = g_new0(guint32, places);
    s->live = g_new0(guint8, places);
    s->live_in = g_new0(guint8, places);
    s->live_out = g_new0(guint8, places);
    s->liveness = ws_liveness_new(function);
    s->changes = g_array_new(FALSE, FALSE, sizeof(guint32));
    s->nodes = g_array_new(FALSE, TRUE, sizeof(Node));
    s->edges = g_array_new(FALSE, FALSE, sizeof(Edge));
    s->uses = g_array_new(FALSE, FALSE, sizeof(Use));
    s->reader_lists = g_array_new(FALSE, FALSE, sizeof(WsEdge));
    s->pending = g_array_new(FALSE, FALSE, sizeof(Access));
}

static void scheduler_clear(Scheduler *s)
{
    ws_variables_clear(&s->variables);
    g_free(s->stamp);
    g_free(s->writer);
    g_free(s->readers);
    g_free(s->reads_left);
    g_free(s->live);
    g_free(s->live_in);
    g_free(s->live_out);
    g_array_unref(s->changes);
    ws_liveness_free(s->liveness);
    g_array_unref(s->nodes);
    g_array_unref(s->edges);
    g_array_unref(s->uses);
    g_array_unref(s->reader_lists);
    g_array_unref(s->pending);
}

void ws_schedule(WsIrFunction *function, const WsCompileOptions *options, guint cap, guint free,
                 gboolean early)
{
    Scheduler s;
    scheduler_init(&s, function, options, cap, free, early);
    for (guint32 b = 0; b < function->blocks->len; b++) {
        if (ws_ir_block(function, b)->instructions->len < 2)
            continue;
        come_to_block(&s, b);
        schedule_block(&s);
    }
    scheduler_clear(&s);
}
