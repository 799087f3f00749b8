/*
 * Independent thread scheduling: how warps diverge on Volta and later. A path runs until it waits
 * for other lanes (BSYNC, WARPSYNC, WARPSYNC.ALL, a block barrier), ends, or gives others a turn
 * (YIELD, NANOSLEEP). Then the path set aside most recently runs. Lanes meet at convergence
 * barriers: BSSY says which lanes, BSYNC waits for those of them that have not ended.
 *
 * Two sides of a branch may use the same barrier register at the same time. So what is kept is, for
 * each barrier and lane, the group that the lane is in, by the group's lowest lane.
 *
 * The model `none` is the same without convergence barriers: lanes join only at WARPSYNC and block
 * barriers.
 */
#include "sim/divergence/divergence.h"

#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { BARRIERS = 16, NO_GROUP = 255 };

typedef enum { READY, AT_SYNC, AT_WARPSYNC, AT_PLACE, AT_BLOCK } Wait;

typedef struct {
    guint64 lanes;
    guint64 mask; /* AT_WARPSYNC: lanes waited for */
    guint32 pc;
    guint8 wait;    /* Wait */
    guint8 barrier; /* AT_SYNC, AT_BLOCK */
} Entry;

typedef struct {
    guint64 alive;
    guint64 turns;
    guint64 at_hand; /* lanes of the side that the last split set aside; 0 once it has run */
    guint32 count;
    Entry entries[WS_MAX_PATHS]; /* paths set aside, the latest last */
    guint8 group[BARRIERS][64];
    guint32 met_count;
    guint64 met[WS_MAX_PATHS / 2]; /* lanes that left one WARPSYNC for several places */
} State;

static gsize its_bytes(guint warp_size)
{
    return sizeof(State);
}

static void its_begin(void *state, guint64 lanes)
{
    State *s = state;

    s->alive = lanes;
    s->turns = 0;
    s->at_hand = 0;
    s->count = 0;
    s->met_count = 0;
    memset(s->met, 0, sizeof s->met);
    memset(s->group, NO_GROUP, sizeof s->group);
}

/* ---- paths set aside ---------------------------------------------------------------------------
 */

static void push(State *s, Entry entry)
{
    s->entries[s->count++] = entry;
}

static void drop(State *s, guint32 i)
{
    s->count--;
    memmove(&s->entries[i], &s->entries[i + 1], (s->count - i) * sizeof s->entries[0]);
}

/* The path that was set aside most recently and can run; an empty one if none can. */
static WsConvergence take(State *s, WsPath *path)
{
    path->active = 0;
    path->stop = WS_NOWHERE;
    for (guint32 i = s->count; i-- > 0;)
        if (s->entries[i].wait == READY) {
            gboolean at_hand = s->entries[i].lanes == s->at_hand;

            path->active = s->entries[i].lanes;
            path->pc = s->entries[i].pc;
            s->at_hand = 0;
            drop(s, i);
            return at_hand ? WS_CONVERGED_SWITCHED : WS_CONVERGED_RECALLED;
        }
    return WS_CONVERGED_SWITCHED;
}

static void its_split(void *state, WsPath *path, guint64 taken, guint32 target, guint32 next,
                      guint32 meet, WsFirstSide first)
{
    State *s = state;
    guint64 rest = path->active & ~taken;

    if (ws_taken_side_is_first(taken, rest, first)) {
        push(s, (Entry){.lanes = rest, .pc = next});
        s->at_hand = rest;
        *path = (WsPath){taken, target, WS_NOWHERE};
    } else {
        push(s, (Entry){.lanes = taken, .pc = target});
        s->at_hand = taken;
        *path = (WsPath){rest, next, WS_NOWHERE};
    }
}

/* Paths do not stop at an instruction here. */
static WsConvergence its_stop(void *state, WsPath *path)
{
    return WS_CONVERGED_NOTHING;
}

/* ---- lanes that wait for lanes -----------------------------------------------------------------
 */

/* The places of 64 bytes that hold `value`: this is what a divergent warp spends most time on. */
static guint64 places_of(const guint8 bytes[64], guint8 value)
{
    guint64 places = 0;

#if defined(__SSE2__)
    for (guint i = 0; i < 64; i += 16) {
        __m128i part = _mm_loadu_si128((const __m128i *)(const void *)(bytes + i));
        __m128i same = _mm_cmpeq_epi8(part, _mm_set1_epi8((char)value));
        places |= (guint64)(guint32)_mm_movemask_epi8(same) << i;
    }
#else
    for (guint i = 0; i < 64; i++)
        places |= (guint64)(bytes[i] == value) << i;
#endif
    return places;
}

static guint64 group_lanes(const State *s, guint barrier, guint lane)
{
    guint8 group = s->group[barrier][lane];

    if (group == NO_GROUP)
        return (guint64)1 << lane;
    return places_of(s->group[barrier], group) & s->alive;
}

static void set_group(State *s, guint barrier, guint64 lanes, guint8 group)
{
    for (; lanes != 0; lanes &= lanes - 1)
        s->group[barrier][__builtin_ctzll(lanes)] = group;
}

/* Lanes in WARPSYNC: BSYNC does not wait for them [M]. */
static guint64 in_warpsync(const State *s)
{
    guint64 lanes = 0;

    for (guint32 i = 0; i < s->count; i++)
        if (s->entries[i].wait == AT_WARPSYNC || s->entries[i].wait == AT_PLACE)
            lanes |= s->entries[i].lanes;
    return lanes;
}

/* Lanes that a waiting entry waits for, itself included. */
static guint64 waited_for(const State *s, const Entry *entry)
{
    if (entry->wait == AT_SYNC)
        return (group_lanes(s, entry->barrier, (guint)__builtin_ctzll(entry->lanes)) &
                ~in_warpsync(s)) |
               entry->lanes;
    if (entry->wait == AT_PLACE)
        return s->alive;
    return (entry->mask & s->alive) | entry->lanes;
}

/*
 * Both wait at the same barrier, or in WARPSYNC for the same lanes, ended ones left out, or in the
 * same WARPSYNC.ALL.
 */
static gboolean is_alike(const State *s, const Entry *a, const Entry *b)
{
    if (a->wait == AT_PLACE && a->pc != b->pc)
        return FALSE;
    return a->wait == b->wait && a->barrier == b->barrier && ((a->mask ^ b->mask) & s->alive) == 0;
}

/* Lanes of `wanted` that wait in the same way. */
static guint64 waiting_like(const State *s, const Entry *entry, guint64 wanted)
{
    guint64 lanes = 0;

    for (guint32 i = 0; i < s->count; i++)
        if (is_alike(s, &s->entries[i], entry))
            lanes |= s->entries[i].lanes & wanted;
    return lanes;
}

/*
 * `gone` leave their groups at a barrier. Those left behind, in WARPSYNC, go on under the lowest of
 * them: the name that they had is free again.
 */
static void leave_groups(State *s, guint barrier, guint64 gone)
{
    guint8 *group = s->group[barrier], name[64];

    set_group(s, barrier, gone, NO_GROUP);
    if (places_of(group, NO_GROUP) == ~(guint64)0) /* as most often: nobody is left */
        return;
    memset(name, NO_GROUP, sizeof name);
    for (guint i = 0; i < 64; i++) {
        if (group[i] == NO_GROUP)
            continue;
        if (name[group[i]] == NO_GROUP)
            name[group[i]] = (guint8)i;
        group[i] = name[group[i]];
    }
}

/* Lets `lanes`, which wait in the same way, go: one path for each place where they go on. */
static void let_go(State *s, Entry like, guint64 lanes)
{
    guint32 kept = 0, released = 0;
    guint64 gone = lanes; /* a path may hold lanes of other groups too */
    Entry free[WS_MAX_PATHS];

    for (guint32 i = 0; i < s->count; i++) {
        Entry *entry = &s->entries[i];
        guint32 k = 0;

        if (!is_alike(s, entry, &like) || (entry->lanes & lanes) == 0) {
            s->entries[kept++] = *entry;
            continue;
        }
        while (k < released && free[k].pc != entry->pc)
            k++;
        if (k == released)
            free[released++] = (Entry){.pc = entry->pc};
        free[k].lanes |= entry->lanes;
        gone |= entry->lanes;
    }
    s->count = kept;
    if (like.wait == AT_WARPSYNC && released > 1 && s->met_count < G_N_ELEMENTS(s->met))
        s->met[s->met_count++] = gone;
    while (released > 0)
        push(s, free[--released]);
    if (like.wait == AT_SYNC)
        leave_groups(s, like.barrier, gone);
}

/* The first group that has no lane to wait for any more: at BSYNC, or in WARPSYNC. */
static gboolean release_one(State *s, gboolean at_sync)
{
    for (guint32 i = 0; i < s->count; i++) {
        Entry entry = s->entries[i];
        guint64 wanted;

        if (entry.wait == READY || entry.wait == AT_BLOCK || (entry.wait == AT_SYNC) != at_sync)
            continue;
        wanted = waited_for(s, &entry);
        if ((wanted & ~waiting_like(s, &entry, wanted)) != 0)
            continue;
        let_go(s, entry, wanted);
        return TRUE;
    }
    return FALSE;
}

/* Lets go whatever has no lane to wait for any more. Who leaves WARPSYNC still comes to BSYNC. */
static void release_complete(State *s)
{
    while (release_one(s, FALSE) || release_one(s, TRUE))
        continue;
}

/* The path waits; if that completes something, it is what runs next. */
static WsConvergence wait_as(State *s, WsPath *path, Entry entry)
{
    guint64 lanes = path->active, at_hand = s->at_hand;
    WsConvergence how;

    entry.lanes = lanes;
    entry.pc = path->pc;
    push(s, entry);
    release_complete(s);
    how = take(s, path);
    if ((path->active & lanes) != lanes)
        return how;
    s->at_hand = at_hand; /* the path goes on */
    return path->active == lanes ? WS_CONVERGED_NOTHING : WS_CONVERGED_JOINED;
}

static void its_enter(void *state, const WsPath *path, guint barrier)
{
    set_group(state, barrier, path->active, (guint8)__builtin_ctzll(path->active));
}

static WsConvergence its_sync(void *state, WsPath *path, guint barrier)
{
    return wait_as(state, path, (Entry){.wait = AT_SYNC, .barrier = (guint8)barrier});
}

static void its_leave(void *state, const WsPath *path, guint barrier, guint64 lanes)
{
    set_group(state, barrier, lanes, NO_GROUP);
    release_complete(state);
}

static guint64 its_get(void *state, const WsPath *path, guint barrier)
{
    const State *s = state;
    guint lane = (guint)__builtin_ctzll(path->active);

    return s->group[barrier][lane] == NO_GROUP ? 0 : group_lanes(s, barrier, lane);
}

static void its_set(void *state, const WsPath *path, guint barrier, guint64 lanes)
{
    State *s = state;

    lanes &= s->alive;
    set_group(s, barrier, path->active, NO_GROUP);
    if (lanes != 0)
        set_group(s, barrier, lanes, (guint8)__builtin_ctzll(lanes));
    release_complete(s);
}

static WsConvergence its_meet(void *state, WsPath *path, guint64 lanes)
{
    return wait_as(state, path, (Entry){.wait = AT_WARPSYNC, .mask = lanes});
}

static WsConvergence its_meet_here(void *state, WsPath *path)
{
    return wait_as(state, path, (Entry){.wait = AT_PLACE});
}

static void note_places(guint64 lanes, guint32 pc, guint32 ret_pc[])
{
    for (; lanes != 0; lanes &= lanes - 1)
        ret_pc[__builtin_ctzll(lanes)] = pc;
}

static guint64 its_met(void *state, const WsPath *path, guint32 ret_pc[64])
{
    State *s = state;
    guint64 lanes;

    if (s->met_count == 0)
        return 0;
    lanes = s->met[--s->met_count];
    s->met[s->met_count] = 0;
    note_places(path->active & lanes, path->pc, ret_pc);
    for (guint32 i = 0; i < s->count; i++)
        note_places(s->entries[i].lanes & lanes, s->entries[i].pc, ret_pc);
    return lanes;
}

/* ---- turns -------------------------------------------------------------------------------------
 */

static WsConvergence its_yield(void *state, WsPath *path)
{
    State *s = state;
    WsPath before = *path;
    WsConvergence how = take(s, path);

    s->turns = 0;
    if (path->active == 0) {
        *path = before;
        return WS_CONVERGED_NOTHING;
    }
    /* Behind all others, so that each gets its turn. */
    memmove(&s->entries[1], &s->entries[0], s->count * sizeof s->entries[0]);
    s->entries[0] = (Entry){.lanes = before.active, .pc = before.pc};
    s->count++;
    return how;
}

static gboolean its_turn(void *state, guint64 limit)
{
    State *s = state;

    return s->count != 0 && ++s->turns >= limit;
}

static guint64 its_turns(const void *state)
{
    const State *s = state;

    for (guint32 i = 0; i < s->count; i++)
        if (s->entries[i].wait == READY)
            return s->turns;
    return 0;
}

/* ---- exits and block barriers ------------------------------------------------------------------
 */

static gboolean its_exit(void *state, WsPath *path, guint64 lanes)
{
    State *s = state;

    s->alive &= ~lanes;
    path->active &= ~lanes;
    release_complete(s);
    if (path->active == 0)
        take(s, path);
    return s->alive == 0;
}

static void its_wait(void *state, WsPath *path, guint number)
{
    wait_as(state, path, (Entry){.wait = AT_BLOCK, .barrier = (guint8)number});
}

static guint64 block_lanes(const State *s, guint number)
{
    Entry like = {.wait = AT_BLOCK, .barrier = (guint8)number};

    return waiting_like(s, &like, s->alive);
}

static gboolean its_all_wait(const void *state, guint number)
{
    const State *s = state;

    return s->alive != 0 && block_lanes(s, number) == s->alive;
}

static guint its_open(void *state, WsPath *path, guint number, WsLanesAt ret_lanes[WS_MAX_PATHS])
{
    State *s = state;
    guint count = 0;

    for (guint32 i = 0; i < s->count; i++)
        if (s->entries[i].wait == AT_BLOCK && s->entries[i].barrier == number)
            ret_lanes[count++] = (WsLanesAt){.lanes = s->entries[i].lanes, .pc = s->entries[i].pc};
    let_go(s, (Entry){.wait = AT_BLOCK, .barrier = (guint8)number}, s->alive);
    if (path->active == 0)
        take(s, path);
    return count;
}

#define AT_BARRIER(number) "wait at block barrier " #number " at"
static const char *const at_barrier[] = {
    AT_BARRIER(0),  AT_BARRIER(1),  AT_BARRIER(2),  AT_BARRIER(3), AT_BARRIER(4),  AT_BARRIER(5),
    AT_BARRIER(6),  AT_BARRIER(7),  AT_BARRIER(8),  AT_BARRIER(9), AT_BARRIER(10), AT_BARRIER(11),
    AT_BARRIER(12), AT_BARRIER(13), AT_BARRIER(14), AT_BARRIER(15)};

static guint its_waiting(const void *state, const WsPath *path, WsLanesAt ret_lanes[WS_MAX_PATHS])
{
    static const char *const how[] = {
        [READY] = "inactive, to resume at",
        [AT_SYNC] = "wait for other lanes, to resume at",
        [AT_WARPSYNC] = "wait for other lanes of the warp at",
        [AT_PLACE] = "wait for all lanes of the warp at",
    };
    const State *s = state;

    for (guint32 i = 0; i < s->count; i++) {
        const Entry *entry = &s->entries[i];
        WsLanesAt *at = &ret_lanes[i];

        *at = (WsLanesAt){
            .lanes = entry->lanes,
            .pc = entry->pc,
            .at_join = entry->wait == AT_SYNC,
            .how = entry->wait == AT_BLOCK ? at_barrier[entry->barrier] : how[entry->wait],
        };
        if (entry->wait == READY) {
            at->wanted = path->active;
            at->in_turn = TRUE;
        } else if (entry->wait == AT_BLOCK) {
            at->block_barrier = entry->barrier + 1;
            at->wanted = s->alive & ~block_lanes(s, entry->barrier);
        } else {
            guint64 wanted = waited_for(s, entry);
            at->wanted = wanted & ~waiting_like(s, entry, wanted);
        }
        if (entry->wait == AT_PLACE || entry->wait == AT_WARPSYNC || entry->wait == AT_BLOCK)
            at->pc--; /* the instruction itself, which the path's pc is behind */
    }
    return s->count;
}

static gboolean its_same(const void *a, const void *b)
{
    const State *x = a, *y = b;

    if (x->alive != y->alive || x->at_hand != y->at_hand || x->count != y->count)
        return FALSE;
    for (guint32 i = 0; i < x->count; i++)
        if (x->entries[i].lanes != y->entries[i].lanes || x->entries[i].pc != y->entries[i].pc ||
            x->entries[i].mask != y->entries[i].mask ||
            !is_alike(x, &x->entries[i], &y->entries[i]))
            return FALSE;
    return memcmp(x->group, y->group, sizeof x->group) == 0;
}

const WsDivergenceModel ws_divergence_its = {
    .name = "its",
    .bytes = its_bytes,
    .begin = its_begin,
    .split = its_split,
    .stop = its_stop,
    .exit = its_exit,
    .waiting = its_waiting,
    .same = its_same,
    .enter = its_enter,
    .sync = its_sync,
    .leave = its_leave,
    .get = its_get,
    .set = its_set,
    .meet = its_meet,
    .meet_here = its_meet_here,
    .met = its_met,
    .yield = its_yield,
    .turn = its_turn,
    .turns = its_turns,
    .wait = its_wait,
    .all_wait = its_all_wait,
    .open = its_open,
};

const WsDivergenceModel ws_divergence_none = {
    .name = "none",
    .bytes = its_bytes,
    .begin = its_begin,
    .split = its_split,
    .stop = its_stop,
    .exit = its_exit,
    .waiting = its_waiting,
    .same = its_same,
    .meet = its_meet,
    .meet_here = its_meet_here,
    .met = its_met,
    .yield = its_yield,
    .turn = its_turn,
    .turns = its_turns,
    .wait = its_wait,
    .all_wait = its_all_wait,
    .open = its_open,
};
