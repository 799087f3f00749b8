#include "inspect/screen/history.h"
#include "sim/sm/eligibility.h"

/* So many more cycles are looked up than asked for, so that small moves need not look again. */
enum { MARGIN = 64, MOST_CYCLES = 1 << 15 };

struct WsHistory {
    WsTimeline *timeline;
    guint32 sm;
    guint64 first;
    GArray *cycles; /* of WsHistoryCycle, from `first` on */
};

WsHistory *ws_history_new(WsTimeline *timeline)
{
    WsHistory *history = g_new0(WsHistory, 1);

    history->timeline = timeline;
    history->cycles = g_array_new(FALSE, FALSE, sizeof(WsHistoryCycle));
    return history;
}

void ws_history_free(WsHistory *history)
{
    if (history == NULL)
        return;
    g_array_unref(history->cycles);
    g_free(history);
}

/* ---- one cycle ---------------------------------------------------------------------------------
 */

typedef struct {
    guint32 sm;
    guint64 cycle;
    WsHistoryCycle *into;
} Look;

static guint64 note_issue(void *data, const WsSm *sm, const WsTraceEvent *event)
{
    const Look *look = data;

    if (event->sm == look->sm && event->cycle == look->cycle && event->warp < WS_MAX_WARP_SLOTS &&
        event->sub_core < WS_MAX_SUB_CORES) {
        look->into->reasons[event->warp] = WS_STALL_SELECTED;
        look->into->issued[event->sub_core] = event->instruction;
        look->into->issued_slot[event->sub_core] = (guint8)event->warp;
    }
    return WS_NEVER;
}

/* Goes on by one cycle. `ret_over`: there is none. */
static gboolean look_at_cycle(WsHistory *history, WsHistoryCycle *ret, gboolean *ret_over,
                              GError **error)
{
    guint64 cycle = ws_timeline_cycle(history->timeline);
    const WsSm *sm = ws_timeline_sm(history->timeline, history->sm);
    Look look = {history->sm, cycle, ret};
    WsQuery query = {
        .kinds = WS_TRACE_BIT(ISSUE), .find = note_issue, .data = &look, .limit = cycle + 1};
    WsFinding finding;

    for (guint i = 0; i < WS_MAX_WARP_SLOTS; i++)
        ret->reasons[i] = WS_NO_REASON;
    for (guint i = 0; i < WS_MAX_SUB_CORES; i++)
        ret->issued[i] = WS_NO_INSTRUCTION;
    if (sm != NULL)
        for (guint64 rest = sm->state->resident; rest != 0; rest &= rest - 1) {
            guint32 slot = (guint32)__builtin_ctzll(rest);

            ret->reasons[slot] = (guint8)ws_warp_stall(sm, slot, cycle);
        }
    if (!ws_timeline_find(history->timeline, &query, &finding, error))
        return FALSE;
    *ret_over = ws_timeline_cycle(history->timeline) == cycle;
    return TRUE;
}

/*
 * A warp whose slot was taken before it could be seen there: it waited for its first instruction.
 * `cycles` ends before `cycle`.
 */
static void fill_in(const WsHistory *history, guint64 cycle, const WsHistoryCycle *seen,
                    GArray *cycles)
{
    const WsSm *sm = ws_timeline_sm(history->timeline, history->sm);

    for (guint slot = 0; sm != NULL && slot < WS_MAX_WARP_SLOTS; slot++) {
        guint64 since = sm->state->warps[slot].resident_since;

        if (seen->reasons[slot] == WS_NO_REASON || (sm->state->resident >> slot & 1) == 0)
            continue;
        for (guint i = cycles->len; i-- > 0 && since + (cycles->len - i) <= cycle;) {
            WsHistoryCycle *before = &g_array_index(cycles, WsHistoryCycle, i);

            if (before->reasons[slot] != WS_NO_REASON)
                break;
            before->reasons[slot] = WS_STALL_NO_INSTRUCTION;
        }
    }
}

/* Cycles from `from` to before `to`, into `cycles`. */
static gboolean look_at_cycles(WsHistory *history, guint64 from, guint64 to, GArray *cycles,
                               GError **error)
{
    gboolean over = FALSE;

    if (!ws_timeline_go(history->timeline, from, error))
        return FALSE;
    while (!over && ws_timeline_cycle(history->timeline) < to) {
        guint64 now = ws_timeline_cycle(history->timeline);
        WsHistoryCycle cycle;

        if (!look_at_cycle(history, &cycle, &over, error))
            return FALSE;
        if (over)
            break;
        fill_in(history, now, &cycle, cycles);
        g_array_append_val(cycles, cycle);
    }
    return TRUE;
}

/* ---- what is kept ------------------------------------------------------------------------------
 */

static guint64 end_of(const WsHistory *history)
{
    return history->first + history->cycles->len;
}

static gboolean look_before(WsHistory *history, guint64 from, GError **error)
{
    g_autoptr(GArray) before = g_array_new(FALSE, FALSE, sizeof(WsHistoryCycle));

    from -= MIN(from, MARGIN);
    if (!look_at_cycles(history, from, history->first, before, error))
        return FALSE;
    g_array_prepend_vals(history->cycles, before->data, before->len);
    history->first -= before->len;
    return TRUE;
}

static gboolean reach(WsHistory *history, guint64 from, guint64 to, GError **error)
{
    if (from < history->first && !look_before(history, from, error))
        return FALSE;
    if (to <= end_of(history) || end_of(history) >= ws_timeline_end(history->timeline))
        return TRUE;
    return look_at_cycles(history, end_of(history), to + MARGIN, history->cycles, error);
}

gboolean ws_history_reach(WsHistory *history, guint32 sm, guint64 from, guint64 to, GError **error)
{
    guint64 here = ws_timeline_cycle(history->timeline);

    if (sm != history->sm || to + MARGIN < history->first || from > end_of(history) ||
        history->cycles->len > MOST_CYCLES) {
        history->sm = sm;
        history->first = from;
        g_array_set_size(history->cycles, 0);
    }
    return reach(history, from, to, error) && ws_timeline_go(history->timeline, here, error);
}

const WsHistoryCycle *ws_history_at(const WsHistory *history, guint64 cycle)
{
    if (cycle < history->first || cycle >= end_of(history))
        return NULL;
    return &g_array_index(history->cycles, WsHistoryCycle, cycle - history->first);
}
