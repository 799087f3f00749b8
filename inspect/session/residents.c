#include "inspect/session/residents.h"

#include <string.h>

/* Events that a warp causes by an issue alone. */
#define ISSUE_KINDS                                                                                \
    (WS_TRACE_BIT(ISSUE) | WS_TRACE_BIT(DIVERGE) | WS_TRACE_BIT(RECONVERGE) |                      \
     WS_TRACE_BIT(WARP_EXIT))
#define BARRIER_KINDS (WS_TRACE_BIT(BARRIER_ARRIVE) | WS_TRACE_BIT(BARRIER_RELEASE))

enum {
    AT_BARRIER = 1, /* others may let it go */
    ACCESS = 2      /* memory has yet to answer it */
};

/* Stands for all warps of a block that has a place and has not begun. */
enum { WARPS_TO_COME = G_MAXUINT32 };

typedef struct {
    guint64 last_issue;
    guint32 block, warp, sm;
    guint8 sub_core, flags;
} Resident;

struct WsResidents {
    guint32 launch;
    guint64 next_block; /* it and those behind it have no place yet */
    GArray *rows;       /* of Resident, by block and warp */
};

/* ---- taking them --------------------------------------------------------------------------------
 */

static int compare(const void *a, const void *b)
{
    const Resident *left = a, *right = b;

    if (left->block != right->block)
        return left->block < right->block ? -1 : 1;
    return left->warp < right->warp ? -1 : left->warp > right->warp;
}

/* Warp slots that memory has yet to answer. */
static guint64 slots_with_accesses(const WsSm *sm)
{
    guint64 slots = 0;

    for (guint32 i = 0; i < sm->pending.count; i++) {
        const WsSmAccess *access = &ws_state_array_index(&sm->pending, WsSmAccess, i);

        if (access->under_way)
            slots |= (guint64)1 << access->slot;
    }
    return slots;
}

static void add_sm(WsResidents *residents, const WsSm *sm)
{
    const WsSmState *state = sm->state;
    guint64 accesses = slots_with_accesses(sm);

    for (guint64 rest = state->resident; rest != 0; rest &= rest - 1) {
        guint slot = (guint)__builtin_ctzll(rest);
        const WsWarp *warp = &state->warps[slot];
        Resident row = {.last_issue = warp->last_issue,
                        .block = state->blocks[warp->block_slot].linear,
                        .warp = warp->warp_in_block,
                        .sm = sm->number,
                        .sub_core = warp->sub_core};

        if (ws_warp_is_at_barrier(warp))
            row.flags |= AT_BARRIER;
        if ((accesses >> slot & 1) != 0)
            row.flags |= ACCESS;
        g_array_append_val(residents->rows, row);
    }
    for (guint32 i = 0; i < state->start_count; i++) {
        Resident row = {
            .block = (guint32)state->starts[i].linear, .warp = WARPS_TO_COME, .sm = sm->number};

        g_array_append_val(residents->rows, row);
    }
}

WsResidents *ws_residents_new(const WsSimulation *simulation)
{
    WsResidents *residents = g_new0(WsResidents, 1);
    guint32 count;
    WsSm *const *sms = ws_simulation_sms(simulation, &count);

    residents->launch = ws_simulation_launch(simulation);
    residents->next_block = ws_simulation_next_block(simulation);
    residents->rows = g_array_new(FALSE, FALSE, sizeof(Resident));
    for (guint32 i = 0; i < count; i++)
        add_sm(residents, sms[i]);
    g_array_sort(residents->rows, compare);
    return residents;
}

void ws_residents_free(WsResidents *residents)
{
    if (residents == NULL)
        return;
    g_array_unref(residents->rows);
    g_free(residents);
}

gsize ws_residents_bytes(const WsResidents *residents)
{
    return sizeof *residents + residents->rows->len * sizeof(Resident);
}

/* ---- comparing them -----------------------------------------------------------------------------
 */

static const Resident *row_at(const WsResidents *residents, guint index)
{
    return &g_array_index(residents->rows, Resident, index);
}

/* Index of the first row that is not before the warp. */
static guint lower_bound(const WsResidents *residents, guint32 block, guint32 warp)
{
    const Resident wanted = {.block = block, .warp = warp};
    guint low = 0, high = residents->rows->len;

    while (low < high) {
        guint middle = low + (high - low) / 2;

        if (compare(row_at(residents, middle), &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const Resident *find_row(const WsResidents *residents, guint32 block, guint32 warp)
{
    guint place = lower_bound(residents, block, warp);
    const Resident *row = place < residents->rows->len ? row_at(residents, place) : NULL;

    return row != NULL && row->block == block && row->warp == warp ? row : NULL;
}

/* The row of the warp, or of its block where that has not begun; NULL: it is not there. */
static const Resident *find(const WsResidents *residents, guint32 block, guint32 warp)
{
    const Resident *row = find_row(residents, block, warp);

    return row != NULL ? row : find_row(residents, block, WARPS_TO_COME);
}

/* Some of the events may come to the warp though it does not issue. */
static gboolean awaits(const Resident *row, guint64 kinds)
{
    kinds &= ~ISSUE_KINDS;
    if ((row->flags & AT_BARRIER) == 0)
        kinds &= ~BARRIER_KINDS;
    if ((row->flags & ACCESS) == 0)
        kinds &= ~WS_TRACE_BIT(RESPONSE);
    return kinds != 0;
}

/* A warp that is there before and behind has not issued, and nothing comes to it from elsewhere. */
static gboolean is_idle(const Resident *from, const Resident *to, guint64 kinds)
{
    return from->warp == to->warp && from->last_issue == to->last_issue && !awaits(from, kinds);
}

static gboolean is_warp_quiet(const WsResidents *from, const WsResidents *to,
                              const WsEventScope *scope, guint64 kinds)
{
    const Resident *before = find(from, scope->block, scope->warp);
    const Resident *behind = find(to, scope->block, scope->warp);

    if (before != NULL && behind != NULL)
        return is_idle(before, behind, kinds);
    if (before != NULL || behind != NULL)
        return FALSE;
    /* It has gone before, or comes later. */
    return scope->block < from->next_block || scope->block >= to->next_block;
}

static gboolean is_in_scope(const Resident *row, const WsEventScope *scope)
{
    if (scope->kind == WS_SCOPE_WARP)
        return row->block == scope->block && row->warp == scope->warp;
    return scope->kind == WS_SCOPE_ALL ||
           (row->sm == scope->sm &&
            (row->sub_core == scope->sub_core || row->warp == WARPS_TO_COME));
}

/* Warps have neither come nor gone, and each of the scope is idle. */
static gboolean are_all_quiet(const WsResidents *from, const WsResidents *to,
                              const WsEventScope *scope, guint64 kinds)
{
    if (from->rows->len != to->rows->len || from->next_block != to->next_block)
        return FALSE;
    for (guint i = 0; i < from->rows->len; i++) {
        const Resident *before = row_at(from, i), *behind = row_at(to, i);

        if (compare(before, behind) != 0 ||
            (is_in_scope(before, scope) && !is_idle(before, behind, kinds)))
            return FALSE;
    }
    return TRUE;
}

gboolean ws_residents_are_quiet(const WsResidents *from, const WsResidents *to,
                                const WsEventScope *scope, guint64 kinds)
{
    if (from->launch != to->launch)
        return FALSE;
    return scope->kind == WS_SCOPE_WARP ? is_warp_quiet(from, to, scope, kinds)
                                        : are_all_quiet(from, to, scope, kinds);
}

gboolean ws_residents_await(const WsResidents *residents, const WsEventScope *scope, guint64 kinds)
{
    for (guint i = 0; i < residents->rows->len; i++)
        if (is_in_scope(row_at(residents, i), scope) && awaits(row_at(residents, i), kinds))
            return TRUE;
    return FALSE;
}
