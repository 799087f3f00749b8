/*
 * List scheduling inside blocks: longest path to the end of the block first, by latency; source
 * order breaks ties. Where the registers in use come near the cap, what frees registers goes first.
 * What must stay behind what: schedule_graph.h.
 */
#include "isa/codegen/code_generation.h"
#include "isa/codegen/latency.h"
#include "isa/codegen/schedule_graph.h"
#include "isa/ir/liveness.h"

enum {
    NOBODY = G_MAXUINT32,
    PRESSURE_MARGIN = 6, /* registers left free below the cap for pairs and temporaries */
    TRIES = 5,           /* where a block ends up above its limit: again, more careful */
    STEP = 3,            /* by so many registers */
    WIDEST = 4,          /* registers that one instruction may write */
    PREDICATE_LIMIT = 5  /* of seven: some are needed while others are made */
};

/* How far a node has come while an order is made. */
typedef struct {
    guint32 waits_for; /* predecessors not yet placed */
    guint32 ready;     /* cycle */
} Progress;

typedef struct {
    WsScheduleGraph graph;
    WsLiveness *liveness;
    guint cap, free;
    GArray *progress; /* of Progress, per node */
    /* per place, right for those that the block touches */
    guint32 *reads_left;
    guint8 *live;
    /* of the block, and of the one before until it is left */
    WsSharedSet in, out;
    guint8 *live_in;
    guint8 *live_out;
    gint words_in, predicates_in; /* live where it begins */
    GArray *changes;              /* of guint32: variables, for a while */
    GArray *needs;                /* of gint: registers that nodes need, for a while */
    gint predicates;              /* live now */
    guint32 product_from;         /* cycle from which the FMA pipe takes a product */
} Scheduler;

static const WsScheduleNode *node_at(const Scheduler *s, guint32 n)
{
    return ws_schedule_node(&s->graph, n);
}

static Progress *progress_of(const Scheduler *s, guint32 n)
{
    return &g_array_index(s->progress, Progress, n);
}

static const WsScheduleUse *use_at(const Scheduler *s, guint32 u)
{
    return &g_array_index(s->graph.uses, WsScheduleUse, u);
}

/* ---- placing ----------------------------------------------------------------------------------
 */

/* Words (or predicates) that come to life minus those that die when node n is placed now. */
static gint pressure_change(const Scheduler *s, guint32 n, gboolean predicates)
{
    const WsScheduleNode *node = node_at(s, n);
    const WsScheduleUse *use = use_at(s, node->first_use), *end = use + node->use_count;
    const guint32 words = s->graph.variables.word_count;
    gint change = 0;
    for (; use < end; use++) {
        guint32 variable = use->variable;
        if ((variable >= words) != (predicates != FALSE))
            continue;
        if (use->write)
            change += !s->live[variable];
        else if (s->reads_left[variable] == 1 && !s->live_out[variable])
            change -= 1;
    }
    return change;
}

static gint *counter_of(Scheduler *s, guint32 variable, gint *words)
{
    return variable >= s->graph.variables.word_count ? &s->predicates : words;
}

static gint place_pressure(Scheduler *s, guint32 n)
{
    gint change = 0;
    const WsScheduleNode *node = node_at(s, n);
    for (guint32 u = node->first_use; u < node->first_use + node->use_count; u++) {
        const WsScheduleUse *use = use_at(s, u);
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
        const WsScheduleUse *use = use_at(s, u);
        if (use->write && !s->live[use->variable] &&
            (s->reads_left[use->variable] > 0 || s->live_out[use->variable])) {
            s->live[use->variable] = TRUE;
            *counter_of(s, use->variable, &change) += 1;
        }
    }
    return change;
}

/* The first cycle in which node n may be placed. */
static guint32 ready_from(const Scheduler *s, guint32 n)
{
    guint32 ready = progress_of(s, n)->ready;
    return node_at(s, n)->product ? MAX(ready, s->product_from) : ready;
}

/* What decides between ready nodes, if registers do not matter. */
typedef struct {
    gint predicates; /* that come to life with it, where these are short */
    guint32 late;    /* the cycle in which it may be placed, 0 if that is not to come */
    guint32 priority, node;
} Rank;

static Rank rank_of(const Scheduler *s, guint32 n, guint32 now)
{
    guint32 ready = ready_from(s, n);
    Rank rank = {.late = ready <= now ? 0 : ready, .priority = node_at(s, n)->priority, .node = n};
    if (s->predicates >= (gint)PREDICATE_LIMIT)
        rank.predicates = MAX(pressure_change(s, n, TRUE), 0);
    return rank;
}

static gboolean is_better(const Rank *a, const Rank *b)
{
    if (a->predicates != b->predicates)
        return a->predicates < b->predicates;
    if (a->predicates > 0 && a->priority != b->priority)
        return a->priority > b->priority;
    if (a->late != b->late)
        return a->late < b->late;
    if (a->priority != b->priority)
        return a->priority > b->priority;
    return a->node < b->node;
}

static void release(Scheduler *s, guint32 n, guint32 now, GArray *ready)
{
    for (guint32 at = node_at(s, n)->first_edge; at != 0;) {
        const WsScheduleEdge *edge = &g_array_index(s->graph.edges, WsScheduleEdge, at - 1);
        Progress *to = progress_of(s, edge->to);
        to->ready = MAX(to->ready, now + edge->latency);
        if (--to->waits_for == 0)
            g_array_append_val(ready, edge->to);
        at = edge->next;
    }
}

/*
 * Place in `ready` of the best node, or NOBODY: of all, or with `needs` of those that need at most
 * `room` more registers.
 */
static guint find_best(const Scheduler *s, const GArray *ready, guint32 now, const gint *needs,
                       gint room)
{
    guint best = NOBODY;
    Rank highest = {0};
    for (guint i = 0; i < ready->len; i++) {
        if (needs != NULL && needs[i] > room)
            continue;
        Rank rank = rank_of(s, g_array_index(ready, guint32, i), now);
        if (best == NOBODY || is_better(&rank, &highest)) {
            best = i;
            highest = rank;
        }
    }
    return best;
}

/* Place in `ready` of the node that needs the fewest registers. */
static guint find_least(const GArray *ready, const gint *needs)
{
    guint least = 0;
    for (guint i = 1; i < ready->len; i++) {
        guint32 a = g_array_index(ready, guint32, i), b = g_array_index(ready, guint32, least);
        if (needs[i] < needs[least] || (needs[i] == needs[least] && a < b))
            least = i;
    }
    return least;
}

/*
 * The node to place next. Where the best one does not fit, those that need no register go first, so
 * that room for it gathers and is not taken by what is less urgent.
 */
static guint choose(const Scheduler *s, const GArray *ready, guint32 now, gint room)
{
    guint best = find_best(s, ready, now, NULL, room);
    if (room >= (gint)WIDEST ||
        pressure_change(s, g_array_index(ready, guint32, best), FALSE) <= MAX(room, 0))
        return best;
    g_array_set_size(s->needs, ready->len);
    gint *needs = &g_array_index(s->needs, gint, 0);
    for (guint i = 0; i < ready->len; i++)
        needs[i] = pressure_change(s, g_array_index(ready, guint32, i), FALSE);
    best = find_best(s, ready, now, needs, 0);
    if (best == NOBODY && room > 0)
        best = find_best(s, ready, now, needs, room);
    return best != NOBODY ? best : find_least(ready, needs);
}

/* Fills `order`. FALSE, and no order, if more than `allowed` words would be live on the way. */
static gboolean place_nodes(Scheduler *s, guint32 *order, guint pressure, guint limit,
                            guint allowed)
{
    g_autoptr(GArray) ready = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint32 n = 0; n < s->graph.nodes->len; n++) {
        if (progress_of(s, n)->waits_for == 0)
            g_array_append_val(ready, n);
    }
    guint32 now = 0;
    s->product_from = 0;
    for (guint32 placed = 0; placed < s->graph.nodes->len && pressure <= allowed; placed++) {
        guint best = choose(s, ready, now, (gint)limit - (gint)pressure);
        guint32 n = g_array_index(ready, guint32, best);
        g_array_remove_index_fast(ready, best);
        now = MAX(now, ready_from(s, n));
        order[placed] = n;
        if (ws_instruction_class(ws_schedule_instruction(&s->graph, n)) == WS_CLASS_IMAD_WIDE)
            s->product_from = now + ws_code_order(s->graph.options)->wide_interval;
        pressure = (guint)((gint)pressure + place_pressure(s, n));
        release(s, n, now, ready);
        now++;
    }
    return pressure <= allowed;
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
        *(variable >= s->graph.variables.word_count ? &s->predicates_in : &s->words_in) += by;
    }
}

/* Its last instruction needs places for what it writes, whoever reads that. */
static void flag_last_writes(Scheduler *s, gboolean live)
{
    WsRegisterAccess accesses[WS_MAX_ACCESSES];
    guint count = ws_instruction_accesses(
        ws_ir_instruction(s->graph.block, ws_ir_length(s->graph.block) - 1), accesses);
    for (guint a = 0; a < count; a++) {
        guint32 first = 0;
        guint words =
            accesses[a].write ? ws_variables_of(&s->graph.variables, &accesses[a], &first) : 0;
        for (guint w = 0; w < words; w++)
            s->live_out[first + w] = live || ws_liveness_contains(s->liveness, s->out, first + w);
    }
}

/* Goes on to a block: what is live around it is seldom much else than around the one before. */
static void come_to_block(Scheduler *s, guint32 b)
{
    WsSharedSet in = s->liveness->live_in[b], out = s->liveness->live_out[b];
    ws_schedule_graph_build(&s->graph, ws_ir_block(s->graph.function, b));
    flag_changes(s, s->in, in, s->live_in, FALSE);
    count_changes(s, -1);
    flag_changes(s, in, s->in, s->live_in, TRUE);
    count_changes(s, 1);
    flag_changes(s, s->out, out, s->live_out, FALSE);
    flag_changes(s, out, s->out, s->live_out, TRUE);
    s->in = in;
    s->out = out;
}

/* As before the first instruction of the block. Returns the registers live there. */
static guint enter_block(Scheduler *s)
{
    g_array_set_size(s->progress, s->graph.nodes->len);
    for (guint32 n = 0; n < s->graph.nodes->len; n++)
        *progress_of(s, n) = (Progress){node_at(s, n)->predecessors, 0};
    for (guint i = 0; i < s->graph.touched->len; i++) {
        guint32 place = g_array_index(s->graph.touched, guint32, i);
        s->reads_left[place] = s->graph.reads[place];
        s->live[place] = s->live_in[place];
    }
    s->predicates = s->predicates_in;
    return (guint)s->words_in;
}

static guint pressure_as_written(Scheduler *s, guint pressure)
{
    guint highest = pressure;
    for (guint32 n = 0; n < s->graph.nodes->len; n++) {
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
    g_autofree guint32 *order = g_new(guint32, s->graph.nodes->len + 1);
    gboolean found = find_order(s, limit, limit, order);
    if (!found && written > limit) {
        limit = MIN(cap, written + PRESSURE_MARGIN);
        found = find_order(s, limit, MAX(limit, written), order);
    }
    flag_last_writes(s, FALSE);
    if (!found)
        return;
    GArray *placed = g_array_sized_new(FALSE, TRUE, sizeof(WsInstruction), s->graph.nodes->len);
    for (guint32 n = 0; n < s->graph.nodes->len; n++)
        g_array_append_vals(placed, ws_schedule_instruction(&s->graph, order[n]), 1);
    g_array_unref(s->graph.block->instructions);
    s->graph.block->instructions = placed;
}

static void scheduler_init(Scheduler *s, WsIrFunction *function, const WsCompileOptions *options,
                           guint cap, guint free, gboolean early)
{
    *s = (Scheduler){.cap = cap, .free = free};
    ws_schedule_graph_init(&s->graph, function, options, early);
    s->reads_left = g_new0(guint32, s->graph.places);
    s->live = g_new0(guint8, s->graph.places);
    s->live_in = g_new0(guint8, s->graph.places);
    s->live_out = g_new0(guint8, s->graph.places);
    s->liveness = ws_liveness_new(function);
    s->progress = g_array_new(FALSE, FALSE, sizeof(Progress));
    s->changes = g_array_new(FALSE, FALSE, sizeof(guint32));
    s->needs = g_array_new(FALSE, FALSE, sizeof(gint));
}

static void scheduler_clear(Scheduler *s)
{
    ws_schedule_graph_clear(&s->graph);
    ws_liveness_free(s->liveness);
    g_free(s->reads_left);
    g_free(s->live);
    g_free(s->live_in);
    g_free(s->live_out);
    g_array_unref(s->progress);
    g_array_unref(s->changes);
    g_array_unref(s->needs);
}

void ws_schedule_instructions(WsIrFunction *function, const WsCompileOptions *options, guint cap,
                              guint free, gboolean early)
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
