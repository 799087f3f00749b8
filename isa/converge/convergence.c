/*
 * Placement of BSSY and BSYNC.
 *
 * A branch that may split a warp gets a region: it starts at a place that sets the barrier and ends
 * at the join. The place is moved up, and the join down, until
 *   - every path from the place passes the join or ends,
 *   - the place is not reached again before the join (a loop that is left by the branch: the place
 *     is in front of the loop),
 *   - control enters the region at the place alone.
 * So the lanes that BSSY names are exactly those that come to BSYNC or exit. BSYNC stands on the
 * edges from the region to the join; where all edges into the join come from there, in the join.
 */
#include "isa/converge/convergence.h"

#include "isa/bytecode/opcode.h"
#include "isa/flow/control_flow.h"
#include "isa/flow/dominators.h"
#include "isa/flow/loops.h"

enum {
    BARRIERS = 16,
    MAX_STEPS = 10000,
    /*
     * Blocks looked at; beyond it no more barriers are placed. Only the regions of more than 4000
     * branches inside each other come to it, and barriers serve 16 of them.
     */
    MAX_WORK = 20000000
};

typedef struct {
    guint32 start;
    gboolean before; /* BSSY on the edges that enter the loop at `start`, else at its end */
    guint32 join;
    guint32 size;
    WsBlockBits members;
    guint32 number; /* the block whose branch it is for */
    guint32 older;  /* the one kept before with the same join + 1 */
    gint barrier;   /* -1 = none */
} Region;

typedef struct {
    WsIrFunction *function;
    WsJoins *joins;
    WsLoops *loops;
    guint32 *overrides;
    WsDominance *dominance;
    WsDominance *post_dominance;
    WsGraph *back;      /* edges of the joins' graph turned round */
    WsBlockSet members; /* of the region at hand */
    GArray *regions;    /* of Region */
    guint32 blocks;     /* before blocks were added */
    guint32 *newest;    /* per block: the last region kept that joins there + 1 */
    guint32 *front;     /* per block: block put in front of a loop, or WS_NO_NODE */
    GPtrArray *from; /* per block: GArray of the blocks that may lead to it; NULL = not asked yet */
    guint64 work;
    WsProcedures *procedures;
    guint32 *returns; /* of ws_ir_returns() */
} Placer;

/* ---- regions ----------------------------------------------------------------------------------
 */

/* Header of the outermost loop that holds `block` and not `join`, or WS_NO_NODE. */
static guint32 loop_to_leave(const Placer *placer, guint32 block, guint32 join)
{
    guint32 found = WS_NO_NODE;
    for (guint32 at = placer->loops->innermost[block]; at != WS_NO_NODE;
         at = placer->loops->loops[at].parent) {
        if (ws_loop_holds(placer->loops, at, join))
            break;
        found = placer->loops->loops[at].header;
    }
    return found;
}

typedef enum {
    ENTERED_AT_START,
    ENTERED_FROM_ABOVE, /* also from where the start has not been passed */
    ENTERED_FROM_BELOW  /* also from behind the join */
} Entry;

/* How control comes over the edge between two blocks, of which the second is in the region. */
static Entry edge_entry(const Placer *placer, const Region *region, guint32 from, guint32 to)
{
    const guint8 *ends_early = placer->joins->ends_early;
    if (placer->members.has[from] || (!region->before && from == region->start))
        return ENTERED_AT_START;
    gboolean above = !ws_dominance_holds(placer->dominance, region->start, from);
    /* Whoever comes to an early end never comes to the join. */
    if (ends_early[to] && !ends_early[region->start])
        return ENTERED_AT_START;
    if (above && region->before && to == region->start)
        return ENTERED_AT_START;
    return above ? ENTERED_FROM_ABOVE : ENTERED_FROM_BELOW;
}

/* How control comes into the region other than over its start. */
static Entry how_entered(const Placer *placer, const Region *region)
{
    const WsGraph *back = placer->back;
    Entry entry = ENTERED_AT_START;
    for (guint i = 0; i < placer->members.count; i++) {
        guint32 to = placer->members.list[i];
        for (guint32 e = back->first[to]; e < back->first[to + 1]; e++) {
            Entry one = edge_entry(placer, region, back->successors[e], to);
            if (one == ENTERED_FROM_ABOVE)
                return one;
            if (one == ENTERED_FROM_BELOW)
                entry = one;
        }
    }
    return entry;
}

/* Moves the start up, or gives up. */
static gboolean move_up(const Placer *placer, Region *region)
{
    if (region->start == 0)
        return FALSE;
    region->start = placer->joins->dominators[region->start];
    region->before = FALSE;
    return TRUE;
}

/* Finds the region of the branch that ends `block`. FALSE: its lanes do not meet again. */
static gboolean find_region(Placer *placer, guint32 block, Region *region)
{
    const WsJoins *joins = placer->joins;
    region->start = block;
    region->before = FALSE;
    region->join =
        placer->overrides[block] != WS_NO_NODE ? placer->overrides[block] : joins->joins[block];
    for (guint step = 0; step < MAX_STEPS && placer->work < MAX_WORK; step++) {
        if (region->join >= placer->blocks || ws_is_bare_exit(placer->function, region->join))
            return FALSE;
        placer->work++;
        if (!ws_dominance_holds(placer->post_dominance, region->join, region->start) ||
            region->join == region->start) {
            region->join = joins->joins[region->join];
            continue;
        }
        ws_joins_region(joins, region->start, region->before, region->join, &placer->members);
        region->size = placer->members.count;
        placer->work += region->size;
        if (!region->before && placer->members.has[region->start]) {
            guint32 header = loop_to_leave(placer, region->start, region->join);
            if (header == WS_NO_NODE && !move_up(placer, region))
                return FALSE;
            if (header != WS_NO_NODE) {
                region->start = header;
                region->before = TRUE;
            }
            continue;
        }
        Entry entry = how_entered(placer, region);
        if (entry == ENTERED_AT_START)
            return TRUE;
        if (entry == ENTERED_FROM_BELOW)
            region->join = joins->joins[region->join];
        else if (!move_up(placer, region))
            return FALSE;
    }
    return FALSE;
}

static gboolean holds(const Region *outer, const Region *inner)
{
    if (outer->start == inner->start)
        return outer->before == inner->before || outer->before;
    return ws_block_bits_has(&outer->members, inner->start);
}

/* A region inside another with the same join needs no barrier of its own. */
static gboolean is_covered(const Placer *placer, const Region *region)
{
    for (guint32 at = placer->newest[region->join]; at != 0;) {
        const Region *other = &g_array_index(placer->regions, Region, at - 1);
        if (holds(other, region))
            return TRUE;
        at = other->older;
    }
    return FALSE;
}

static gint compare_size(gconstpointer a, gconstpointer b)
{
    const Region *x = a;
    const Region *y = b;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void clear_region(gpointer data)
{
    g_free(((Region *)data)->members.bits);
}

static void find_regions(Placer *placer, const guint8 *divergent, const guint8 *open)
{
    g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(Region));
    for (guint32 b = 0; b < placer->blocks; b++) {
        if (!divergent[b] || open[b] || !placer->joins->meets[b])
            continue;
        Region region = {.number = b, .barrier = -1};
        if (!find_region(placer, b, &region))
            continue;
        region.members = ws_block_bits_of(&placer->members);
        g_array_append_val(found, region);
    }
    g_array_sort(found, compare_size);
    placer->regions = g_array_new(FALSE, FALSE, sizeof(Region));
    g_array_set_clear_func(placer->regions, clear_region);
    for (guint i = 0; i < found->len; i++) {
        Region *region = &g_array_index(found, Region, i);
        if (is_covered(placer, region)) {
            g_free(region->members.bits);
            continue;
        }
        region->older = placer->newest[region->join];
        g_array_append_vals(placer->regions, region, 1);
        placer->newest[region->join] = placer->regions->len;
    }
}

/* ---- barrier registers ------------------------------------------------------------------------
 */

/* Sets of barriers as bits, per block. */
typedef struct {
    guint32 *inside; /* those of regions that the block is in */
    guint32 *begun;  /* those of regions that start at the block */
} Holders;

/* A barrier that no region has which holds this one or is held by it. */
static gboolean assign_one(Region *region, Holders *holders, guint32 held)
{
    const WsBlockBits *members = &region->members;
    guint32 used = held | holders->inside[region->start] | holders->begun[region->start];
    for (guint32 b = ws_block_bits_next(members, 0); b != G_MAXUINT32;
         b = ws_block_bits_next(members, b + 1))
        used |= holders->begun[b];
    region->barrier = -1;
    for (gint b = 0; b < BARRIERS && region->barrier < 0; b++) {
        if (!(used >> b & 1))
            region->barrier = b;
    }
    if (region->barrier < 0)
        return FALSE;
    holders->begun[region->start] |= 1u << region->barrier;
    for (guint32 b = ws_block_bits_next(members, 0); b != G_MAXUINT32;
         b = ws_block_bits_next(members, b + 1))
        holders->inside[b] |= 1u << region->barrier;
    return TRUE;
}

/* Lanes in a deeper call would take the barrier register from those that wait at it. */
static gboolean calls_itself(const Placer *placer, const Region *region)
{
    const guint8 *recurs = placer->procedures->recurs;
    if (!region->before && recurs[region->start])
        return TRUE;
    const WsBlockBits *members = &region->members;
    for (guint32 b = ws_block_bits_next(members, 0); b != G_MAXUINT32;
         b = ws_block_bits_next(members, b + 1)) {
        if (recurs[b])
            return TRUE;
    }
    return FALSE;
}

static WsGraph *regions_of_procedures(const Placer *placer)
{
    g_autoptr(GArray) edges = g_array_new(FALSE, FALSE, sizeof(WsEdge));
    for (guint i = 0; i < placer->regions->len; i++) {
        guint32 start = g_array_index(placer->regions, Region, i).start;
        WsEdge edge = {placer->procedures->of[start], i};
        g_array_append_val(edges, edge);
    }
    return ws_graph_new(placer->function->bodies + 1, (const WsEdge *)(gpointer)edges->data,
                        edges->len);
}

static gboolean assign_in_order(Placer *placer, gboolean inner_first)
{
    g_autofree guint32 *inside = g_new0(guint32, (gsize)placer->blocks + 1);
    g_autofree guint32 *begun = g_new0(guint32, (gsize)placer->blocks + 1);
    Holders holders = {inside, begun};
    WsProcedures *procedures = placer->procedures;
    g_autoptr(WsGraph) mine = regions_of_procedures(placer);
    gboolean all = TRUE;
    for (guint32 n = 0; n < procedures->count; n++) {
        guint32 procedure = procedures->order[n];
        guint32 first = mine->first[procedure], count = mine->first[procedure + 1] - first;
        for (guint i = 0; i < count && (all || inner_first); i++) {
            guint32 r = mine->successors[first + (inner_first ? count - 1 - i : i)];
            Region *region = &g_array_index(placer->regions, Region, r);
            if (calls_itself(placer, region))
                region->barrier = -1;
            else
                all &= assign_one(region, &holders, procedures->held[procedure]);
        }
        ws_procedures_hold(procedures, procedure, inside, begun);
    }
    return all;
}

/* From the outside in; if the nesting is too deep, from the inside out, and outer ones go without.
 */
static void assign_barriers(Placer *placer)
{
    if (!assign_in_order(placer, FALSE))
        assign_in_order(placer, TRUE);
}

/* ---- instructions -----------------------------------------------------------------------------
 */

/* The blocks that lead to block `to`, and maybe others that did so before. */
static GArray *leading_to(Placer *placer, guint32 to)
{
    if (to >= placer->from->len)
        g_ptr_array_set_size(placer->from, (gint)to + 1);
    if (placer->from->pdata[to] == NULL) {
        GArray *list = g_array_new(FALSE, FALSE, sizeof(guint32));
        guint32 end = to < placer->blocks ? placer->back->first[to + 1] : 0;
        for (guint32 e = to < placer->blocks ? placer->back->first[to] : 0; e < end; e++)
            g_array_append_val(list, placer->back->successors[e]);
        placer->from->pdata[to] = list;
    }
    return placer->from->pdata[to];
}

static gboolean leads_to(const Placer *placer, guint32 b, guint32 to)
{
    const WsIrBlock *block = ws_ir_block(placer->function, b);
    if (block->site != 0)
        return ws_ir_behind_call(placer->function, placer->returns, block) == to;
    for (guint n = 0; n < ws_ir_successor_count(block); n++) {
        if (ws_ir_successor(block, n) == to)
            return TRUE;
    }
    return FALSE;
}

/* A new block on the way to `to`; nothing leads to it yet. */
static guint32 new_block_before(Placer *placer, guint32 to)
{
    guint32 made = ws_ir_new_block(placer->function);
    ws_ir_block(placer->function, made)->next = to;
    g_array_append_val(leading_to(placer, to), made);
    return made;
}

/* Edges from block `b` to `to` go to `instead`. */
static void turn(Placer *placer, guint32 b, guint32 to, guint32 instead)
{
    WsIrBlock *block = ws_ir_block(placer->function, b);
    if (block->site == 0)
        ws_ir_redirect(block, to, instead);
    else if (leads_to(placer, b, to))
        ws_ir_put_behind_call(placer->function, placer->returns, block, instead);
    g_array_append_val(leading_to(placer, instead), b);
}

/* The block in front of a loop: all edges into `header` that do not come from the loop. */
static guint32 front_of(Placer *placer, const Region *region)
{
    guint32 header = region->start;
    if (placer->front[header] != WS_NO_NODE)
        return placer->front[header];
    guint32 front = new_block_before(placer, header);
    const GArray *from = leading_to(placer, header);
    for (guint i = 0; i < from->len; i++) {
        guint32 b = g_array_index(from, guint32, i);
        gboolean inside = b < placer->blocks && ws_dominance_holds(placer->dominance, header, b);
        if (b != front && !inside)
            turn(placer, b, header, front);
    }
    placer->front[header] = front;
    return front;
}

/* BSSY and BSYNC stand for the branch whose lanes they bring together. */
static guint32 location_of(const WsIrFunction *function, const Region *region)
{
    return ws_ir_block(function, region->number)->branch.location;
}

static gboolean is_own(const Placer *placer, const Region *region, guint32 b)
{
    return b < placer->blocks &&
           (ws_block_bits_has(&region->members, b) || (!region->before && b == region->start));
}

/* Whether the region and others lead to `target`; who does so no more is forgotten. */
static void who_leads(Placer *placer, const Region *region, guint32 target, gboolean *ret_own,
                      gboolean *ret_others)
{
    GArray *from = leading_to(placer, target);
    guint kept = 0;
    *ret_own = *ret_others = FALSE;
    for (guint i = 0; i < from->len; i++) {
        guint32 b = g_array_index(from, guint32, i);
        if (!leads_to(placer, b, target))
            continue;
        g_array_index(from, guint32, kept++) = b;
        if (is_own(placer, region, b))
            *ret_own = TRUE;
        else
            *ret_others = TRUE;
    }
    g_array_set_size(from, kept);
}

/* Puts BSYNC on the edges from the region into `target` and returns the block that holds it. */
static guint32 put_sync(Placer *placer, const Region *region, guint32 target, guint32 to)
{
    WsIrFunction *function = placer->function;
    gboolean any, others;
    who_leads(placer, region, target, &any, &others);
    if (!any)
        return WS_NO_NODE;
    WsInstruction sync;
    ws_instruction_init(&sync, WS_OP_BSYNC);
    sync.operand[0].index = (guint32)region->barrier;
    sync.location = location_of(function, region);
    if (!others && to == WS_NO_NODE) {
        g_array_prepend_val(ws_ir_block(function, target)->instructions, sync);
        return target;
    }
    guint32 middle = to;
    if (middle == WS_NO_NODE) {
        middle = new_block_before(placer, target);
        g_array_append_val(ws_ir_block(function, middle)->instructions, sync);
    }
    const GArray *from = leading_to(placer, target);
    for (guint i = 0; i < from->len; i++) {
        guint32 b = g_array_index(from, guint32, i);
        if (is_own(placer, region, b))
            turn(placer, b, target, middle);
    }
    return middle;
}

static void put_region(Placer *placer, const Region *region)
{
    guint32 join = region->join;
    guint32 front = placer->front[join];
    guint32 sync = WS_NO_NODE;
    if (front != WS_NO_NODE)
        sync = put_sync(placer, region, front, WS_NO_NODE);
    guint32 other = put_sync(placer, region, join, sync);
    sync = sync != WS_NO_NODE ? sync : other;
    if (sync == WS_NO_NODE)
        return;
    WsInstruction set;
    ws_instruction_init(&set, WS_OP_BSSY);
    set.operand[0].index = (guint32)region->barrier;
    ws_branch_set_target(&set, sync);
    guint32 at = region->before ? placer->front[region->start] : region->start;
    set.location = location_of(placer->function, region);
    g_array_append_val(ws_ir_block(placer->function, at)->instructions, set);
}

static void free_list(gpointer list)
{
    if (list != NULL)
        g_array_unref(list);
}

static void put_regions(Placer *placer)
{
    placer->from = g_ptr_array_new_with_free_func(free_list);
    placer->front = g_new(guint32, placer->blocks + 1);
    for (guint32 b = 0; b < placer->blocks; b++)
        placer->front[b] = WS_NO_NODE;
    for (guint i = 0; i < placer->regions->len; i++) {
        const Region *region = &g_array_index(placer->regions, Region, i);
        if (region->barrier >= 0 && region->before)
            front_of(placer, region);
    }
    for (guint i = 0; i < placer->regions->len; i++) {
        const Region *region = &g_array_index(placer->regions, Region, i);
        if (region->barrier >= 0)
            put_region(placer, region);
    }
}

/* A loop that starts at the entry gets a block in front, where a barrier can be set. */
static void free_entry(WsIrFunction *function)
{
    gboolean looped = function->sites->len > 0; /* bodies begin there too: ws_ir_procedures() */
    for (guint32 b = 0; b < function->blocks->len; b++) {
        const WsIrBlock *block = ws_ir_block(function, b);
        for (guint n = 0; n < ws_ir_successor_count(block); n++)
            looped |= ws_ir_successor(block, n) == 0;
    }
    if (!looped)
        return;
    guint32 moved = ws_ir_new_block(function);
    for (guint32 b = 0; b < function->blocks->len; b++)
        ws_ir_redirect(ws_ir_block(function, b), 0, moved);
    WsIrBlock *entry = ws_ir_block(function, 0);
    WsIrBlock *to = ws_ir_block(function, moved);
    WsIrBlock empty = *to;
    *to = *entry;
    *entry = empty;
    entry->next = moved;
}

void ws_place_convergence(WsIrFunction *function)
{
    free_entry(function);
    ws_free_bodies(function);
    Placer placer = {.function = function};
    placer.overrides = ws_yield_in_spin_loops(function);
    placer.joins = ws_joins_new(function);
    placer.blocks = function->blocks->len;
    placer.loops = ws_graph_loops(placer.joins->graph, 0);
    g_autofree guint8 *divergent = ws_divergent_branches(function, placer.joins);
    g_autofree guint8 *apart = g_new0(guint8, (gsize)placer.blocks + 1);
    g_autofree guint8 *open = g_new0(guint8, (gsize)placer.blocks + 1);
    ws_settle_warp_meetings(function, placer.joins, divergent, apart, open);
    ws_remove_redundant_barrier_warpsyncs(function, placer.joins, divergent, apart);
    placer.procedures = ws_procedures_new(function, placer.joins);
    placer.returns = ws_ir_returns(function);
    placer.dominance = ws_dominance_new(placer.joins->dominators, placer.blocks);
    placer.post_dominance = ws_dominance_new(placer.joins->joins, placer.blocks + 1);
    placer.back = ws_graph_reversed(placer.joins->graph);
    placer.newest = g_new0(guint32, (gsize)placer.blocks + 1);
    ws_block_set_init(&placer.members, placer.blocks);
    find_regions(&placer, divergent, open);
    assign_barriers(&placer);
    put_regions(&placer);
    ws_joins_free(placer.joins);
    ws_loops_free(placer.loops);
    g_array_unref(placer.regions);
    g_free(placer.overrides);
    ws_dominance_free(placer.dominance);
    ws_dominance_free(placer.post_dominance);
    ws_graph_free(placer.back);
    ws_block_set_clear(&placer.members);
    g_ptr_array_unref(placer.from);
    g_free(placer.newest);
    g_free(placer.front);
    ws_procedures_free(placer.procedures);
    g_free(placer.returns);
}
