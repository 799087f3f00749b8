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
#include "isa/convergence.h"

#include <string.h>

enum {
    BARRIERS = 16,
    MAX_STEPS = 10000,
    MAX_WORK = 100000000 /* blocks looked at; beyond it no more barriers are placed */
};

typedef struct {
    guint32 start;
    gboolean before; /* BSSY on the edges that enter the loop at `start`, else at its end */
    guint32 join;
    guint32 size;
    guint8 *member; /* per block */
    guint32 number; /* in the order found */
    gint barrier;   /* -1 = none */
} Region;

typedef struct {
    WsIrFunction *function;
    WsJoins *joins;
    WsLoops *loops;
    guint32 *overrides;
    guint32 *enter; /* of the dominator tree: number on the way down and on the way up */
    guint32 *leave;
    GArray *regions; /* of Region */
    guint32 blocks;  /* before blocks were added */
    guint32 *front;  /* per block: block put in front of a loop, or WS_NO_NODE */
    guint64 work;
} Placer;

/* ---- dominators by intervals ------------------------------------------------------------------
 */

static void number_dominators(Placer *placer)
{
    const guint32 *parent = placer->joins->dominators;
    guint32 count = placer->blocks;
    g_autofree guint32 *first = g_new(guint32, count + 1);
    g_autofree guint32 *next = g_new(guint32, count + 1);
    placer->enter = g_new0(guint32, count + 1);
    placer->leave = g_new0(guint32, count + 1);
    for (guint32 b = 0; b < count; b++)
        first[b] = WS_NO_NODE;
    for (guint32 b = count; b-- > 1;) {
        if (parent[b] == WS_NO_NODE)
            continue;
        next[b] = first[parent[b]];
        first[parent[b]] = b;
    }
    guint32 clock = 0;
    guint32 at = 0;
    placer->enter[0] = clock++;
    for (;;) {
        guint32 child = first[at];
        if (child != WS_NO_NODE) {
            first[at] = next[child];
            at = child;
            placer->enter[at] = clock++;
            continue;
        }
        placer->leave[at] = clock++;
        if (at == 0)
            return;
        at = parent[at];
    }
}

static gboolean dominates(const Placer *placer, guint32 a, guint32 b)
{
    return placer->enter[a] <= placer->enter[b] && placer->leave[b] <= placer->leave[a];
}

/* ---- regions ----------------------------------------------------------------------------------
 */

static gboolean is_bare_exit(const WsIrFunction *function, guint32 b)
{
    const WsIrBlock *block = ws_ir_block(function, b);
    return block->instructions->len == 0 && block->branch.opcode == WS_OP_EXIT &&
           block->next == WS_IR_NO_BLOCK;
}

/* Header of the outermost loop that holds `block` and not `join`, or WS_NO_NODE. */
static guint32 loop_to_leave(const Placer *placer, guint32 block, guint32 join)
{
    guint32 found = WS_NO_NODE;
    for (guint32 at = placer->loops->innermost[block]; at != WS_NO_NODE;
         at = placer->loops->loops[at].parent) {
        gboolean holds_join = FALSE;
        for (guint32 up = placer->loops->innermost[join]; up != WS_NO_NODE;
             up = placer->loops->loops[up].parent)
            holds_join |= up == at;
        if (holds_join)
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

/* How control comes into the region other than over its start. */
static Entry how_entered(const Placer *placer, const Region *region)
{
    const WsGraph *graph = placer->joins->graph;
    const guint8 *ends_early = placer->joins->ends_early;
    Entry entry = ENTERED_AT_START;
    for (guint32 from = 0; from < placer->blocks; from++) {
        if (region->member[from] || (!region->before && from == region->start))
            continue;
        for (guint32 e = graph->first[from]; e < graph->first[from + 1]; e++) {
            guint32 to = graph->successors[e];
            gboolean above = !dominates(placer, region->start, from);
            /* Whoever comes to an early end never comes to the join. */
            if (ends_early[to] && !ends_early[region->start])
                continue;
            if (!region->member[to] || (above && region->before && to == region->start))
                continue;
            if (above)
                return ENTERED_FROM_ABOVE;
            entry = ENTERED_FROM_BELOW;
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
        if (region->join >= placer->blocks || is_bare_exit(placer->function, region->join))
            return FALSE;
        if (!ws_dominates(joins->joins, region->join, region->start) ||
            region->join == region->start) {
            region->join = joins->joins[region->join];
            continue;
        }
        memset(region->member, 0, placer->blocks);
        region->size =
            ws_joins_region(joins, region->start, region->before, region->join, region->member);
        placer->work += placer->blocks;
        if (!region->before && region->member[region->start]) {
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
    return outer->member[inner->start];
}

/* A region inside another with the same join needs no barrier of its own. */
static gboolean is_covered(const Placer *placer, const Region *region)
{
    for (guint i = 0; i < placer->regions->len; i++) {
        const Region *other = &g_array_index(placer->regions, Region, i);
        if (other->join == region->join && holds(other, region))
            return TRUE;
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
    g_free(((Region *)data)->member);
}

static void find_regions(Placer *placer, const guint8 *divergent)
{
    g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(Region));
    for (guint32 b = 0; b < placer->blocks; b++) {
        if (!divergent[b] || !placer->joins->meets[b])
            continue;
        Region region = {.member = g_new0(guint8, placer->blocks + 1), .number = b, .barrier = -1};
        if (find_region(placer, b, &region))
            g_array_append_val(found, region);
        else
            g_free(region.member);
    }
    g_array_sort(found, compare_size);
    placer->regions = g_array_new(FALSE, FALSE, sizeof(Region));
    g_array_set_clear_func(placer->regions, clear_region);
    for (guint i = 0; i < found->len; i++) {
        Region *region = &g_array_index(found, Region, i);
        if (is_covered(placer, region))
            g_free(region->member);
        else
            g_array_append_vals(placer->regions, region, 1);
    }
}

/* ---- barrier registers ------------------------------------------------------------------------
 */

static gboolean assign_one(Placer *placer, guint i)
{
    Region *region = &g_array_index(placer->regions, Region, i);
    guint32 used = 0;
    for (guint j = 0; j < placer->regions->len; j++) {
        const Region *other = &g_array_index(placer->regions, Region, j);
        if (j != i && other->barrier >= 0 && (holds(other, region) || holds(region, other)))
            used |= 1u << other->barrier;
    }
    region->barrier = -1;
    for (gint b = 0; b < BARRIERS && region->barrier < 0; b++) {
        if (!(used >> b & 1))
            region->barrier = b;
    }
    return region->barrier >= 0;
}

/* From the outside in; if the nesting is too deep, from the inside out, and outer ones go without.
 */
static void assign_barriers(Placer *placer)
{
    gboolean all = TRUE;
    for (guint i = 0; i < placer->regions->len; i++)
        all &= assign_one(placer, i);
    if (all)
        return;
    for (guint i = 0; i < placer->regions->len; i++)
        g_array_index(placer->regions, Region, i).barrier = -1;
    for (guint i = placer->regions->len; i-- > 0;)
        assign_one(placer, i);
}

/* ---- instructions -----------------------------------------------------------------------------
 */

/* The block in front of a loop: all edges into `header` that do not come from the loop. */
static guint32 front_of(Placer *placer, const Region *region)
{
    guint32 header = region->start;
    if (placer->front[header] != WS_NO_NODE)
        return placer->front[header];
    guint32 front = ws_ir_new_block(placer->function);
    ws_ir_block(placer->function, front)->next = header;
    for (guint32 b = 0; b < front; b++) {
        gboolean inside = b < placer->blocks && dominates(placer, header, b);
        if (!inside)
            ws_ir_redirect(ws_ir_block(placer->function, b), header, front);
    }
    placer->front[header] = front;
    return front;
}

static guint32 location_of(const WsIrFunction *function, guint32 b)
{
    WsIrBlock *block = ws_ir_block(function, b);
    return ws_ir_length(block) > 0 ? ws_ir_instruction(block, ws_ir_length(block) - 1)->location
                                   : 0;
}

/* Puts BSYNC on the edges from the region into `target` and returns the block that holds it. */
static guint32 put_sync(Placer *placer, const Region *region, guint32 target, guint32 to)
{
    WsIrFunction *function = placer->function;
    gboolean others = FALSE;
    gboolean any = FALSE;
    for (guint32 b = 0; b < function->blocks->len; b++) {
        const WsIrBlock *block = ws_ir_block(function, b);
        for (guint n = 0; n < ws_ir_successor_count(block); n++) {
            if (ws_ir_successor(block, n) != target)
                continue;
            gboolean own = b < placer->blocks &&
                           (region->member[b] || (!region->before && b == region->start));
            any |= own;
            others |= !own;
        }
    }
    if (!any)
        return WS_NO_NODE;
    WsInstruction sync;
    ws_instruction_init(&sync, WS_OP_BSYNC);
    sync.operand[0].index = (guint32)region->barrier;
    sync.location = location_of(function, region->start);
    if (!others && to == WS_NO_NODE) {
        g_array_prepend_val(ws_ir_block(function, target)->instructions, sync);
        return target;
    }
    guint32 middle = to;
    if (middle == WS_NO_NODE) {
        middle = ws_ir_new_block(function);
        ws_ir_block(function, middle)->next = target;
        g_array_append_val(ws_ir_block(function, middle)->instructions, sync);
    }
    for (guint32 b = 0; b < placer->blocks; b++) {
        if (region->member[b] || (!region->before && b == region->start))
            ws_ir_redirect(ws_ir_block(function, b), target, middle);
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
    set.location = location_of(placer->function, region->start);
    g_array_append_val(ws_ir_block(placer->function, at)->instructions, set);
}

static void put_regions(Placer *placer)
{
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
    gboolean looped = FALSE;
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
    Placer placer = {.function = function};
    placer.overrides = ws_yield_in_spin_loops(function);
    placer.joins = ws_joins_new(function);
    placer.blocks = function->blocks->len;
    placer.loops = ws_graph_loops(placer.joins->graph, 0);
    g_autofree guint8 *divergent = ws_divergent_branches(function, placer.joins);
    ws_drop_needless_barrier_meetings(function, placer.joins, divergent);
    number_dominators(&placer);
    find_regions(&placer, divergent);
    assign_barriers(&placer);
    put_regions(&placer);
    ws_joins_free(placer.joins);
    ws_loops_free(placer.loops);
    g_array_unref(placer.regions);
    g_free(placer.overrides);
    g_free(placer.enter);
    g_free(placer.leave);
    g_free(placer.front);
}
