/* Those who wait for each other in a circle: a walk from who waits to who is waited for. */
#include "sim/report/waits.h"

typedef struct {
    GPtrArray *waits;
    WsSm *const *sms;
    guint32 sm_count;
    guint (*first)[WS_MAX_WARP_SLOTS + 1]; /* by SM and slot: where its waits begin */
    guint8 *seen;                          /* by wait: 0 not yet, 1 on the way, 2 done */
    GArray *way;                           /* of guint: waits on the way */
} Walk;

static WsWaiting *wait_at(const Walk *walk, guint i)
{
    return g_ptr_array_index(walk->waits, i);
}

/* Waits lie in order of SM and slot. */
static void find_first(Walk *walk)
{
    guint i = 0;

    for (guint32 sm = 0; sm < walk->sm_count; sm++)
        for (guint32 slot = 0; slot <= WS_MAX_WARP_SLOTS; slot++) {
            while (i < walk->waits->len &&
                   (wait_at(walk, i)->index < sm ||
                    (wait_at(walk, i)->index == sm && wait_at(walk, i)->slot < slot)))
                i++;
            walk->first[sm][slot] = i;
        }
}

/* The waits of some lanes of a warp; of any, if none of these waits or `lanes` is 0. */
static void add_warp(const Walk *walk, guint32 sm, guint32 slot, guint64 lanes, GArray *ret)
{
    guint from = walk->first[sm][slot], end = walk->first[sm][slot + 1], before = ret->len;

    for (guint i = from; i < end; i++)
        if (wait_at(walk, i)->lanes & lanes)
            g_array_append_val(ret, i);
    for (guint i = from; i < end && ret->len == before; i++)
        if (lanes == 0)
            g_array_append_val(ret, i);
}

/* Warps of a block, by their numbers as bits. */
static void add_warps(const Walk *walk, guint32 sm, guint32 block_slot, guint64 numbers,
                      GArray *ret)
{
    const WsSmState *state = walk->sms[sm]->state;

    for (guint64 m = state->blocks[block_slot].alive; m != 0; m &= m - 1) {
        guint32 slot = (guint32)__builtin_ctzll(m);

        if (numbers >> state->warps[slot].warp_in_block & 1)
            add_warp(walk, sm, slot, 0, ret);
    }
}

/*
 * Who changed the value last has it in hand. If nobody has, it is up to those who cannot: other
 * lanes of the warp, and in shared memory other warps of the block.
 */
static void add_writers(const Walk *walk, const WsWaiting *waiting, GArray *ret)
{
    if (waiting->writer.known) {
        if (!waiting->writer_left)
            add_warp(walk, waiting->writer_index, waiting->writer_slot, waiting->writer.lanes, ret);
        return;
    }
    add_warp(walk, waiting->index, waiting->slot, ~waiting->lanes, ret);
    if (waiting->shared)
        add_warps(walk, waiting->index,
                  walk->sms[waiting->index]->state->warps[waiting->slot].block_slot,
                  ~((guint64)1 << waiting->warp), ret);
}

/* Who is waited for, as far as they wait themselves. */
static GArray *waited_for(const Walk *walk, guint i)
{
    const WsWaiting *waiting = wait_at(walk, i);
    GArray *found = g_array_new(FALSE, FALSE, sizeof(guint));

    if (waiting->kind == WS_WAITS_FOR_VALUE)
        add_writers(walk, waiting, found);
    else if (waiting->kind == WS_WAITS_AT_BARRIER)
        add_warps(walk, waiting->index,
                  walk->sms[waiting->index]->state->warps[waiting->slot].block_slot,
                  waiting->wanted, found);
    else
        add_warp(walk, waiting->index, waiting->slot, waiting->wanted, found);
    return found;
}

/* A step of the walk: where it goes on, or that it has come back to its own way. */
typedef struct {
    guint wait, next;
    GArray *targets;
} Step;

static void clear_step(gpointer step)
{
    g_array_unref(((Step *)step)->targets);
}

static void enter(Walk *walk, GArray *steps, guint wait)
{
    Step step = {wait, 0, waited_for(walk, wait)};

    walk->seen[wait] = 1;
    g_array_append_val(steps, step);
}

/* From a wait on; TRUE if that ends in a circle, which `walk->way` then is. */
static gboolean walk_from(Walk *walk, guint start)
{
    g_autoptr(GArray) steps = g_array_new(FALSE, FALSE, sizeof(Step));

    g_array_set_clear_func(steps, clear_step);
    enter(walk, steps, start);
    while (steps->len != 0) {
        Step *step = &g_array_index(steps, Step, steps->len - 1);
        guint target;

        if (step->next == step->targets->len) {
            walk->seen[step->wait] = 2;
            g_array_set_size(steps, steps->len - 1);
            continue;
        }
        target = g_array_index(step->targets, guint, step->next++);
        if (walk->seen[target] == 0) {
            enter(walk, steps, target);
        } else if (walk->seen[target] == 1) {
            guint i = steps->len;

            while (g_array_index(steps, Step, i - 1).wait != target)
                i--;
            for (i--; i < steps->len; i++)
                g_array_append_val(walk->way, g_array_index(steps, Step, i).wait);
            return TRUE;
        }
    }
    return FALSE;
}

/* The circle first, then the others in the order that they had. */
static void put_first(Walk *walk)
{
    g_autofree gpointer *ordered = g_new(gpointer, walk->waits->len);
    guint count = 0;

    for (guint i = 0; i < walk->way->len; i++) {
        WsWaiting *waiting = wait_at(walk, g_array_index(walk->way, guint, i));

        waiting->in_circle = TRUE;
        ordered[count++] = waiting;
    }
    for (guint i = 0; i < walk->waits->len; i++)
        if (!wait_at(walk, i)->in_circle)
            ordered[count++] = wait_at(walk, i);
    for (guint i = 0; i < count; i++)
        walk->waits->pdata[i] = ordered[i];
}

void ws_waits_find_circle(GPtrArray *waits, WsSm *const *sms, guint32 sm_count)
{
    Walk walk = {.waits = waits, .sms = sms, .sm_count = sm_count};
    gboolean found = FALSE;

    walk.first = g_malloc0_n(MAX(sm_count, 1), sizeof *walk.first);
    walk.seen = g_new0(guint8, waits->len + 1);
    walk.way = g_array_new(FALSE, FALSE, sizeof(guint));
    find_first(&walk);
    for (guint i = 0; i < waits->len && !found; i++)
        found = walk.seen[i] == 0 && walk_from(&walk, i);
    if (found)
        put_first(&walk);
    g_free(walk.first);
    g_free(walk.seen);
    g_array_unref(walk.way);
}

/* ---- writers ------------------------------------------------------------------------------------
 */

typedef struct {
    guint32 index;
    guint64 alive; /* warp slots */
} Place;

/* By number + 1: where the blocks are that have not ended. */
static GHashTable *find_blocks(WsSm *const *sms, guint32 sm_count)
{
    GHashTable *places = g_hash_table_new_full(NULL, NULL, NULL, g_free);

    for (guint32 i = 0; i < sm_count; i++)
        for (guint32 b = 0; b < WS_MAX_BLOCK_SLOTS; b++) {
            const WsBlockState *block = &sms[i]->state->blocks[b];
            Place *place;

            if (!block->used)
                continue;
            place = g_new(Place, 1);
            *place = (Place){i, block->alive};
            g_hash_table_insert(places, GSIZE_TO_POINTER((gsize)block->linear + 1), place);
        }
    return places;
}

void ws_waits_find_writers(GPtrArray *waits, WsSm *const *sms, guint32 sm_count)
{
    g_autoptr(GHashTable) places = find_blocks(sms, sm_count);

    for (guint i = 0; i < waits->len; i++) {
        WsWaiting *waiting = g_ptr_array_index(waits, i);
        const Place *place =
            g_hash_table_lookup(places, GSIZE_TO_POINTER((gsize)waiting->writer.block + 1));

        if (!waiting->writer.known)
            continue;
        waiting->writer_left = TRUE;
        for (guint64 m = place != NULL ? place->alive : 0; m != 0; m &= m - 1) {
            guint32 slot = (guint32)__builtin_ctzll(m);

            if (sms[place->index]->state->warps[slot].warp_in_block != waiting->writer.warp)
                continue;
            waiting->writer_left = FALSE;
            waiting->writer_index = place->index;
            waiting->writer_slot = slot;
        }
    }
}
