#include "inspect/session/saved_states.h"

#include <string.h>

enum {
    COMPARED_BYTES = 2048, /* by a save, for a unit of work */
    COPIED_BYTES = 256,    /* the same */
    EVEN_WORTH = 10,       /* even states lie apart by so many times the work of a save */
    NEAR_WORTH = 2,        /* those near a target */
    LEAST_SPACING = 4096   /* work: smaller machines have no use for more states */
};

/* Near the place that the run is at, gaps are so many times smaller than the way to it. */
enum { NEAR_SHARE = 4 };

/* Events that come from an instruction that issues, then or before. */
#define BY_INSTRUCTION                                                                             \
    (WS_TRACE_BIT(ISSUE) | WS_TRACE_BIT(BARRIER_ARRIVE) | WS_TRACE_BIT(BARRIER_RELEASE) |          \
     WS_TRACE_BIT(RESPONSE))

typedef struct {
    guint64 cycle, work;
    WsSavedState *state;
    WsResidents *residents;
    /* Of the stretch up to the next state: instructions that may have issued, a bit each, and
     * whether a branch has split a warp. NULL: not known. */
    guint8 *issued;
    gboolean diverged;
    gboolean has_diverged; /* at the state: one has, in the launch so far */
} Saved;

/* The counts of instructions when the simulation was saved or restored last. */
typedef struct {
    guint64 cycle;
    guint32 launch;
    guint64 *issued, *divergent;
} Counts;

struct WsSavedStates {
    WsSimulation *simulation;
    GArray *saved; /* of Saved, ascending */
    Counts counts;
    guint32 instructions; /* of the program */
    gsize most_bytes, own_bytes;
    guint64 furthest; /* work that has been seen */
    guint64 save_work;
    guint fitting; /* states when memory was short last; 0 = it has not been */
};

static Saved *at(const WsSavedStates *states, guint index)
{
    return &g_array_index(states->saved, Saved, index);
}

guint ws_saved_states_count(const WsSavedStates *states)
{
    return states->saved->len;
}

gsize ws_saved_states_bytes(const WsSavedStates *states)
{
    return ws_simulation_saved_bytes(states->simulation) + states->own_bytes;
}

guint64 ws_saved_states_cycle(const WsSavedStates *states, guint index)
{
    return at(states, index)->cycle;
}

guint64 ws_saved_states_work(const WsSavedStates *states, guint index)
{
    return at(states, index)->work;
}

guint ws_saved_states_last(const WsSavedStates *states, guint64 cycle)
{
    guint low = 0, high = states->saved->len;

    while (high - low > 1) {
        guint middle = low + (high - low) / 2;

        if (at(states, middle)->cycle <= cycle)
            low = middle;
        else
            high = middle;
    }
    return low;
}

guint64 ws_saved_states_spacing(const WsSavedStates *states)
{
    guint64 spacing = MAX(EVEN_WORTH * states->save_work, LEAST_SPACING);

    /* Half of the states that find room lie evenly. */
    return states->fitting == 0 ? spacing
                                : MAX(spacing, states->furthest / MAX(states->fitting / 2, 1));
}

/* ---- what has issued ----------------------------------------------------------------------------
 */

static gsize mask_bytes(const WsSavedStates *states)
{
    return (states->instructions + 7) / 8;
}

static void take_counts(WsSavedStates *states, guint64 cycle)
{
    const WsInstructionCounters *counters = ws_simulation_counters(states->simulation);

    states->counts.cycle = cycle;
    states->counts.launch = ws_simulation_launch(states->simulation);
    for (guint32 i = 0; i < states->instructions; i++) {
        states->counts.issued[i] = counters != NULL ? counters[i].issued : 0;
        states->counts.divergent[i] = counters != NULL ? counters[i].divergent : 0;
    }
}

static gboolean has_diverged(const WsSavedStates *states)
{
    const WsInstructionCounters *counters = ws_simulation_counters(states->simulation);

    for (guint32 i = 0; counters != NULL && i < states->instructions; i++)
        if (counters[i].divergent != 0)
            return TRUE;
    return FALSE;
}

static void forget_issued(WsSavedStates *states, Saved *saved)
{
    if (saved->issued != NULL)
        states->own_bytes -= mask_bytes(states);
    g_clear_pointer(&saved->issued, g_free);
}

/* The stretch of `saved` ends here: what has issued in it, or a little before it. */
static void note_issued(WsSavedStates *states, Saved *saved)
{
    const WsInstructionCounters *counters = ws_simulation_counters(states->simulation);

    if (counters == NULL || states->counts.cycle > saved->cycle ||
        states->counts.launch != ws_simulation_launch(states->simulation))
        return;
    forget_issued(states, saved);
    saved->issued = g_malloc0(mask_bytes(states) + 1);
    saved->diverged = FALSE;
    states->own_bytes += mask_bytes(states);
    for (guint32 i = 0; i < states->instructions; i++) {
        if (counters[i].issued != states->counts.issued[i])
            saved->issued[i / 8] |= (guint8)(1 << i % 8);
        saved->diverged |= counters[i].divergent != states->counts.divergent[i];
    }
}

/* The stretch of `removed` becomes part of that of `saved`, which is the one before it. */
static void join_stretches(WsSavedStates *states, Saved *saved, const Saved *removed)
{
    if (removed->issued == NULL) {
        forget_issued(states, saved);
        return;
    }
    saved->diverged |= removed->diverged;
    for (gsize i = 0; saved->issued != NULL && i < mask_bytes(states); i++)
        saved->issued[i] |= removed->issued[i];
}

static gboolean has_issued(const WsSavedStates *states, const Saved *saved, const guint8 *wanted)
{
    for (gsize i = 0; i < mask_bytes(states); i++)
        if ((saved->issued[i] & (wanted != NULL ? wanted[i] : 0xff)) != 0)
            return TRUE;
    return FALSE;
}

gboolean ws_saved_states_are_quiet(const WsSavedStates *states, guint index,
                                   const WsEventScope *scope, guint64 kinds)
{
    const Saved *saved = at(states, index);

    if (index + 1 == states->saved->len)
        return FALSE;
    if (saved->issued != NULL) {
        if (kinds == WS_TRACE_BIT(DIVERGE) && !saved->diverged)
            return TRUE;
        if (kinds == WS_TRACE_BIT(RECONVERGE) && !saved->has_diverged && !saved->diverged)
            return TRUE;
        if ((kinds & ~BY_INSTRUCTION) == 0 && !has_issued(states, saved, scope->instructions) &&
            !ws_residents_await(saved->residents, scope, kinds))
            return TRUE;
    }
    return ws_residents_are_quiet(saved->residents, at(states, index + 1)->residents, scope, kinds);
}

/* ---- life ---------------------------------------------------------------------------------------
 */

static void clear_saved(WsSavedStates *states, Saved *saved)
{
    forget_issued(states, saved);
    states->own_bytes -= ws_residents_bytes(saved->residents);
    ws_saved_state_free(saved->state);
    ws_residents_free(saved->residents);
}

static void save(WsSavedStates *states, guint64 cycle);

WsSavedStates *ws_saved_states_new(WsSimulation *simulation, const WsProgram *program, gsize bytes)
{
    WsSavedStates *states = g_new0(WsSavedStates, 1);

    states->simulation = simulation;
    states->saved = g_array_new(FALSE, FALSE, sizeof(Saved));
    states->instructions = program->instruction_count;
    states->counts.issued = g_new0(guint64, states->instructions + 1);
    states->counts.divergent = g_new0(guint64, states->instructions + 1);
    states->most_bytes = bytes;
    save(states, 0);
    return states;
}

void ws_saved_states_free(WsSavedStates *states)
{
    if (states == NULL)
        return;
    for (guint i = 0; i < states->saved->len; i++)
        clear_saved(states, at(states, i));
    g_array_unref(states->saved);
    g_free(states->counts.issued);
    g_free(states->counts.divergent);
    g_free(states);
}

/* ---- saving and restoring -----------------------------------------------------------------------
 */

static void drop(WsSavedStates *states, guint index)
{
    join_stretches(states, at(states, index - 1), at(states, index));
    clear_saved(states, at(states, index));
    g_array_remove_index(states->saved, index);
}

void ws_saved_states_drop_from(WsSavedStates *states, guint64 cycle)
{
    guint last = states->saved->len - 1;

    for (; last > 0 && at(states, last)->cycle >= cycle; last--) {
        clear_saved(states, at(states, last));
        g_array_remove_index(states->saved, last);
    }
    forget_issued(states, at(states, last));
    states->furthest = ws_simulation_work(states->simulation);
}

/*
 * The gap that would be there without the state, in parts of the gap that is wanted at the place:
 * the even one, or less near `here`.
 */
static double spare(const WsSavedStates *states, guint index, guint64 here)
{
    guint64 before = at(states, index - 1)->work, work = at(states, index)->work;
    guint64 behind =
        index + 1 < states->saved->len ? at(states, index + 1)->work : MAX(states->furthest, work);
    guint64 way = work > here ? work - here : here - work;
    guint64 even = states->furthest / MAX(states->saved->len / 2, 1);

    return (double)(behind - before) /
           (double)(MIN(way / NEAR_SHARE, even) + states->save_work + 1);
}

/* Drops the states that are missed least until the rest finds room. */
static void thin_out(WsSavedStates *states, guint64 here)
{
    while (states->saved->len > 2 && ws_saved_states_bytes(states) > states->most_bytes) {
        guint least = 1;

        for (guint i = 2; i < states->saved->len; i++)
            if (spare(states, i, here) < spare(states, least, here))
                least = i;
        drop(states, least);
        states->fitting = states->saved->len;
    }
}

static void save(WsSavedStates *states, guint64 cycle)
{
    gsize before_bytes = ws_simulation_saved_bytes(states->simulation);
    guint place = 0;
    Saved saved = {.cycle = cycle,
                   .work = ws_simulation_work(states->simulation),
                   .residents = ws_residents_new(states->simulation),
                   .has_diverged = has_diverged(states)};

    states->own_bytes += ws_residents_bytes(saved.residents);
    if (states->saved->len != 0) {
        Saved *before = at(states, ws_saved_states_last(states, cycle));

        place = ws_saved_states_last(states, cycle) + 1;
        saved.state = ws_simulation_save(states->simulation, before->state);
        /* The rest of a stretch that was known: no more than all of it. */
        if (before->issued != NULL) {
            saved.issued = g_memdup2(before->issued, mask_bytes(states) + 1);
            saved.diverged = before->diverged;
            states->own_bytes += mask_bytes(states);
        }
        note_issued(states, before);
    } else {
        saved.state = ws_simulation_save(states->simulation, NULL);
    }
    g_array_insert_val(states->saved, place, saved);
    states->furthest = MAX(states->furthest, saved.work);
    take_counts(states, cycle);
    states->save_work =
        ws_simulation_state_bytes(states->simulation) / COMPARED_BYTES +
        (place != 0 ? (ws_simulation_saved_bytes(states->simulation) - before_bytes) / COPIED_BYTES
                    : 0);
    thin_out(states, saved.work);
}

void ws_saved_states_restore(WsSavedStates *states, guint index)
{
    ws_simulation_restore(states->simulation, at(states, index)->state);
    take_counts(states, at(states, index)->cycle);
}

void ws_saved_states_offer(WsSavedStates *states, guint64 cycle, guint64 target)
{
    guint last = ws_saved_states_last(states, cycle);
    const Saved *before = at(states, last);
    guint64 work, gap, near = MAX(NEAR_WORTH * states->save_work, LEAST_SPACING);
    gboolean close;

    if (ws_simulation_is_over(states->simulation) || cycle == before->cycle)
        return;
    work = ws_simulation_work(states->simulation);
    states->furthest = MAX(states->furthest, work);
    gap = work - before->work;
    if (last + 1 < states->saved->len)
        gap = MIN(gap, at(states, last + 1)->work - work);
    /* Half of what was left of the way is behind. */
    close = target != WS_NEVER && cycle - before->cycle >= target - cycle && gap >= near;
    if (close || gap >= ws_saved_states_spacing(states))
        save(states, cycle);
}
