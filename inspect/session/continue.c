/*
 * Going on until a breakpoint, or until something that is watched changes, forward and back.
 */
#include <string.h>

#include "inspect/session/session_state.h"

enum { WATCH_STRIDE = 256 }; /* cycles between two looks at memory that is watched */

/* What breakpoints and watchpoints see of a run. */
typedef struct {
    const WsSession *session;
    gboolean back;
    guint64 *values; /* of what is watched, by index of the breakpoint; valid if `known` */
    gboolean *known;
    GHashTable **seen; /* of watches with a condition, by index; else NULL */
    WsTraceEvent last; /* that was told */
} Watcher;

static gboolean is_watch(const WsBreakpoint *breakpoint)
{
    return breakpoint->kind != WS_STOP_AT;
}

/* In all lanes, not in one. */
static gboolean is_wide(const WsBreakpoint *breakpoint)
{
    return is_watch(breakpoint) && breakpoint->condition != NULL;
}

static void watcher_init(Watcher *watcher, const WsSession *session, gboolean back)
{
    guint count = session->breakpoints->len + 1;

    *watcher = (Watcher){.session = session,
                         .back = back,
                         .values = g_new0(guint64, count),
                         .known = g_new0(gboolean, count),
                         .seen = g_new0(GHashTable *, count)};
    for (guint i = 0; i + 1 < count; i++)
        if (is_wide(ws_session_breakpoint_at(session, i)))
            watcher->seen[i] = ws_watch_seen_new();
}

static void watcher_clear(Watcher *watcher)
{
    for (guint i = 0; i < watcher->session->breakpoints->len; i++)
        g_clear_pointer(&watcher->seen[i], g_hash_table_unref);
    g_free(watcher->values);
    g_free(watcher->known);
    g_free(watcher->seen);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Watcher, watcher_clear)

/* All warps on the machine: the first one that has changed, if any. */
static gboolean look_at_warps(const Watcher *watcher, guint index, WsWatchChange *ret)
{
    const WsSimulation *simulation = ws_timeline_simulation(watcher->session->timeline);
    const WsBreakpoint *watch = ws_session_breakpoint_at(watcher->session, index);
    gboolean changed = FALSE;
    guint32 count;
    WsSm *const *sms = ws_simulation_sms(simulation, &count);

    for (guint32 i = 0; i < count; i++)
        for (guint64 rest = sms[i]->state->resident; rest != 0; rest &= rest - 1) {
            WsWatchChange change;

            if (ws_watch_look(watch, sms[i], (guint32)__builtin_ctzll(rest), watcher->seen[index],
                              &change) == 0 ||
                changed)
                continue;
            *ret = change;
            changed = TRUE;
        }
    return changed;
}

/* What is watched as it is now. */
static void look_at_values(Watcher *watcher)
{
    const WsSession *session = watcher->session;

    for (guint i = 0; i < session->breakpoints->len; i++) {
        const WsBreakpoint *watch = ws_session_breakpoint_at(session, i);
        WsWatchChange change;

        if (is_wide(watch)) {
            g_hash_table_remove_all(watcher->seen[i]);
            look_at_warps(watcher, i, &change);
        } else {
            watcher->known[i] =
                is_watch(watch) && ws_watch_value(session->timeline, watch, &watcher->values[i]);
        }
    }
}

static void begin_watch(void *data)
{
    ((Watcher *)data)->last = (WsTraceEvent){.kind = WS_TRACE_ISSUE};
    look_at_values(data);
}

/* Whether the event can have changed what is watched. */
static gboolean concerns(const WsBreakpoint *watch, const WsTraceEvent *event)
{
    if (watch->kind == WS_STOP_VALUE)
        return event->kind != WS_TRACE_ISSUE &&
               (is_wide(watch) ||
                (event->block == watch->focus.block &&
                 (watch->reads_shared || event->warp_in_block == watch->focus.warp)));
    return watch->kind == WS_STOP_SHARED && event->kind == WS_TRACE_REQUEST &&
           event->block == watch->focus.block;
}

/* In some lane of the event's warp. */
static gboolean has_changed_widely(Watcher *watcher, guint index, const WsSm *sm, guint32 slot)
{
    const WsBreakpoint *watch = ws_session_breakpoint_at(watcher->session, index);
    WsWatchChange change;

    return watch->reads_shared ? look_at_warps(watcher, index, &change)
                               : ws_watch_look(watch, sm, slot, watcher->seen[index], &change) != 0;
}

static gboolean has_changed(Watcher *watcher, guint index)
{
    guint64 value = 0;
    gboolean known = ws_watch_value(watcher->session->timeline,
                                    ws_session_breakpoint_at(watcher->session, index), &value);
    gboolean changed = known && watcher->known[index] && value != watcher->values[index];

    watcher->known[index] = known;
    watcher->values[index] = value;
    return changed;
}

/*
 * When a result comes is known as its instruction issues, and told at once (ws_emit_result()):
 * there is nothing new to see since the event before.
 */
static gboolean is_told_with_last(const Watcher *watcher, const WsTraceEvent *event)
{
    const WsTraceEvent *last = &watcher->last;

    return event->kind == WS_TRACE_WRITE && last->kind == WS_TRACE_SCOREBOARD_SET &&
           last->sm == event->sm && last->warp == event->warp && last->block == event->block &&
           last->instruction == event->instruction && last->scoreboard.until == event->cycle;
}

static guint64 find_breakpoint(void *data, const WsSm *sm, const WsTraceEvent *event)
{
    Watcher *watcher = data;
    const WsSession *session = watcher->session;
    gboolean nothing_new = is_told_with_last(watcher, event);
    guint64 stop = WS_NEVER;

    watcher->last = *event;
    if (nothing_new)
        return WS_NEVER;
    for (guint i = 0; i < session->breakpoints->len; i++) {
        const WsBreakpoint *breakpoint = ws_session_breakpoint_at(session, i);
        guint64 cycle = WS_NEVER;

        if (breakpoint->disabled)
            continue;
        if (breakpoint->kind != WS_STOP_AT) {
            if (concerns(breakpoint, event) &&
                (is_wide(breakpoint) ? has_changed_widely(watcher, i, sm, event->warp)
                                     : has_changed(watcher, i)))
                cycle = sm->state->now + 1;
        } else if (event->kind == WS_TRACE_ISSUE &&
                   ws_breakpoint_may_stop(breakpoint, sm, event->warp, event->instruction,
                                          event->issue.executed)) {
            cycle = event->cycle;
        }
        if (cycle != WS_NEVER && (stop == WS_NEVER || (cycle > stop) == watcher->back))
            stop = cycle;
    }
    return stop;
}

static guint64 kinds_of(const WsSession *session)
{
    guint64 kinds = 0;

    for (guint i = 0; i < session->breakpoints->len; i++) {
        const WsBreakpoint *breakpoint = ws_session_breakpoint_at(session, i);

        if (breakpoint->disabled)
            continue;
        if (breakpoint->kind == WS_STOP_AT)
            kinds |= WS_TRACE_BIT(ISSUE);
        else if (breakpoint->kind == WS_STOP_VALUE)
            kinds |= WS_TRACE_BIT(SCOREBOARD_SET) | WS_TRACE_BIT(WRITE) | WS_TRACE_BIT(RESPONSE) |
                     WS_TRACE_BIT(REQUEST);
        else if (breakpoint->kind == WS_STOP_SHARED)
            kinds |= WS_TRACE_BIT(REQUEST);
    }
    return kinds;
}

/* A bit for each instruction that has a breakpoint, by number; free it with g_free. */
static guint8 *instructions_of(const WsSession *session)
{
    guint8 *bits = g_new0(guint8, session->job->program->instruction_count / 8 + 1);

    for (guint i = 0; i < session->breakpoints->len; i++) {
        const WsBreakpoint *breakpoint = ws_session_breakpoint_at(session, i);
        const WsCodePlace *place = &breakpoint->place;

        for (guint32 k = 0; !breakpoint->disabled && k < place->count; k++)
            bits[place->instructions[k] / 8] |= (guint8)(1 << place->instructions[k] % 8);
    }
    return bits;
}

/* ---- which one it was --------------------------------------------------------------------------
 */

typedef struct {
    const WsSession *session;
    guint64 cycle;
    WsBreakpoint *found;
    WsTraceEvent event;
    guint64 lanes, unknown;
    guint32 also;
} Hit;

static guint64 find_hit(void *data, const WsSm *sm, const WsTraceEvent *event)
{
    Hit *hit = data;

    for (guint i = 0; event->cycle == hit->cycle && i < hit->session->breakpoints->len; i++) {
        WsBreakpoint *breakpoint = ws_session_breakpoint_at(hit->session, i);
        guint64 unknown = 0;
        guint64 lanes = breakpoint->kind == WS_STOP_AT && !breakpoint->disabled
                            ? ws_breakpoint_lanes(breakpoint, sm, event->warp, event->instruction,
                                                  event->issue.executed, &unknown)
                            : 0;

        if (lanes == 0)
            continue;
        if (hit->found != NULL) {
            hit->also++;
            continue;
        }
        hit->found = breakpoint;
        hit->event = *event;
        hit->lanes = lanes;
        hit->unknown = unknown;
    }
    return WS_NEVER;
}

/* An instruction with a breakpoint that issues in this very cycle. */
static gboolean find_instruction(WsSession *session, WsArrival *ret, GError **error)
{
    Hit hit = {.session = session, .cycle = ws_timeline_cycle(session->timeline)};
    WsQuery query = {.kinds = WS_TRACE_BIT(ISSUE), .find = find_hit, .data = &hit};
    WsFinding finding;

    if (!ws_timeline_look_ahead(session->timeline, &query, 1, &finding, error))
        return FALSE;
    if (hit.found == NULL)
        return TRUE;
    *ret = (WsArrival){.kind = WS_ARRIVED_BREAKPOINT,
                       .has_event = TRUE,
                       .event = hit.event,
                       .also = hit.also,
                       .breakpoint = hit.found,
                       .lanes = hit.lanes,
                       .unknown = hit.unknown};
    session->focus = (WsFocus){.block = hit.event.block,
                               .warp = hit.event.warp_in_block,
                               .lane = (hit.lanes >> session->focus.lane & 1) != 0
                                           ? session->focus.lane
                                           : (guint32)__builtin_ctzll(hit.lanes)};
    hit.found->hits++;
    return TRUE;
}

/* What a watch has seen change, and where. */
static void report_change(WsSession *session, WsBreakpoint *watch, const WsWatchChange *change,
                          WsArrival *ret)
{
    session->focus = change->focus;
    *ret = (WsArrival){.kind = WS_ARRIVED_WATCH,
                       .breakpoint = watch,
                       .old_value = change->old_value[change->focus.lane],
                       .new_value = change->new_value[change->focus.lane]};
}

/* A value that is not as it was a cycle before. */
static gboolean find_change(WsSession *session, WsArrival *ret, GError **error)
{
    guint64 here = ws_timeline_cycle(session->timeline);
    g_auto(Watcher) watcher = {0};

    watcher_init(&watcher, session, FALSE);
    if (here == 0 || !ws_timeline_go(session->timeline, here - 1, error))
        return here == 0;
    look_at_values(&watcher);
    if (!ws_timeline_go(session->timeline, here, error))
        return FALSE;
    for (guint i = 0; i < session->breakpoints->len; i++) {
        WsBreakpoint *watch = ws_session_breakpoint_at(session, i);
        guint64 old_value = watcher.values[i];
        WsWatchChange change;

        if (!is_watch(watch) || watch->disabled ||
            !(is_wide(watch) ? look_at_warps(&watcher, i, &change) : has_changed(&watcher, i)))
            continue;
        if (is_wide(watch))
            report_change(session, watch, &change, ret);
        else
            *ret = (WsArrival){.kind = WS_ARRIVED_WATCH,
                               .breakpoint = watch,
                               .old_value = old_value,
                               .new_value = watcher.values[i]};
        watch->hits++;
        return TRUE;
    }
    return TRUE;
}

static gboolean name_stop(WsSession *session, WsArrival *ret, GError **error)
{
    if (!find_instruction(session, ret, error))
        return FALSE;
    if (ret->kind != WS_ARRIVED_BREAKPOINT && !find_change(session, ret, error))
        return FALSE;
    if (ret->breakpoint != NULL && ret->breakpoint->once)
        ws_session_breakpoint(session, ret->breakpoint->number)->disabled = TRUE;
    return TRUE;
}

/* ---- memory that is watched ---------------------------------------------------------------------
 */

static gboolean watches_memory(const WsSession *session)
{
    for (guint i = 0; i < session->breakpoints->len; i++)
        if (is_watch(ws_session_breakpoint_at(session, i)) &&
            ws_watch_reads_memory(ws_session_breakpoint_at(session, i)) &&
            !ws_session_breakpoint_at(session, i)->disabled)
            return TRUE;
    return FALSE;
}

static gboolean memory_differs(Watcher *watcher)
{
    const WsSession *session = watcher->session;

    for (guint i = 0; i < session->breakpoints->len; i++) {
        const WsBreakpoint *watch = ws_session_breakpoint_at(session, i);
        guint64 value;

        if (is_watch(watch) && ws_watch_reads_memory(watch) && !watch->disabled &&
            ws_watch_value(session->timeline, watch, &value) && value != watcher->values[i])
            return TRUE;
    }
    return FALSE;
}

/*
 * Memory is as in `watcher` at `same`, and differs at `other`, which is behind or before it: goes
 * to the first cycle at which it differs or, going back, to the previous one which it does. An
 * interruption ends it where the same search finds that cycle again.
 */
static gboolean close_in(WsSession *session, Watcher *watcher, guint64 same, guint64 other,
                         WsFinding *ret, GError **error)
{
    *ret = (WsFinding){.found = TRUE};
    while (other > same ? other - same > 1 : same - other > 1) {
        guint64 middle = MIN(same, other) + (MAX(same, other) - MIN(same, other)) / 2;

        if (ws_timeline_is_interrupted(session->timeline)) {
            *ret = (WsFinding){.interrupted = TRUE};
            return ws_timeline_go(session->timeline, watcher->back ? same + 1 : same, error);
        }
        if (!ws_timeline_go(session->timeline, middle, error))
            return FALSE;
        *(memory_differs(watcher) ? &other : &same) = middle;
    }
    return ws_timeline_go(session->timeline, MAX(same, other), error);
}

/* A stride, searched for what events tell, then looked at for memory. */
static gboolean stride(WsSession *session, const WsQuery *query, Watcher *watcher, WsFinding *ret,
                       GError **error)
{
    WsTimeline *timeline = session->timeline;
    guint64 from = ws_timeline_cycle(timeline), to;
    guint64 same = watcher->back ? from - 1 : from; /* a change just behind it brought one here */
    WsQuery part = *query;

    part.limit = watcher->back
                     ? MAX(from - MIN(from, WATCH_STRIDE), query->limit)
                     : MIN(from + WATCH_STRIDE, query->limit != 0 ? query->limit : G_MAXUINT64);
    if (!(watcher->back ? ws_timeline_find_back : ws_timeline_find)(timeline, &part, ret, error))
        return FALSE;
    to = ws_timeline_cycle(timeline);
    if (ret->interrupted && watcher->back) /* it is where it began */
        return TRUE;
    look_at_values(watcher);
    if (!ws_timeline_go(timeline, same, error))
        return FALSE;
    if (!memory_differs(watcher))
        return ws_timeline_go(timeline, to, error);
    look_at_values(watcher);
    return close_in(session, watcher, same, to, ret, error);
}

static gboolean find_in_strides(WsSession *session, const WsQuery *query, Watcher *watcher,
                                WsFinding *ret, GError **error)
{
    WsTimeline *timeline = session->timeline;
    WsQuery rest = *query;
    guint64 limit = query->limit;

    *ret = (WsFinding){0};
    while (!ret->found && !ret->interrupted) {
        guint64 before = ws_timeline_cycle(timeline);

        if (watcher->back ? before <= limit : before == limit && limit != 0)
            return TRUE;
        if (!stride(session, &rest, watcher, ret, error))
            return FALSE;
        if (ws_timeline_cycle(timeline) == before)
            return TRUE;
        if (!ret->found && ws_timeline_is_interrupted(timeline))
            ret->interrupted = TRUE;
        rest.here = TRUE; /* what issues where a stride ends has not been told */
    }
    return TRUE;
}

/* One search for a stop, as the query says. */
static gboolean search(WsSession *session, const WsQuery *query, Watcher *watcher, WsFinding *ret,
                       GError **error)
{
    if (watches_memory(session))
        return find_in_strides(session, query, watcher, ret, error);
    return (watcher->back ? ws_timeline_find_back : ws_timeline_find)(session->timeline, query, ret,
                                                                      error);
}

/* Whether a stop may be found that turns out to be none. */
static gboolean guesses(const WsSession *session)
{
    for (guint i = 0; i < session->breakpoints->len; i++)
        if (ws_breakpoint_reads_memory(ws_session_breakpoint_at(session, i)))
            return TRUE;
    return FALSE;
}

gboolean ws_session_continue(WsSession *session, gboolean back, guint64 limit, WsArrival *ret,
                             GError **error)
{
    g_auto(Watcher) watcher = {0};
    g_autofree guint8 *instructions = instructions_of(session);
    const WsEventScope scope = {.kind = WS_SCOPE_ALL, .instructions = instructions};
    WsQuery query = {.kinds = kinds_of(session),
                     .find = find_breakpoint,
                     .data = &watcher,
                     .here = session->interrupted &&
                             session->interrupted_at == ws_timeline_cycle(session->timeline),
                     .limit = limit};
    WsFinding finding = {0};
    guint64 begin = ws_timeline_cycle(session->timeline);
    gboolean ok;

    watcher_init(&watcher, session, back);
    if ((query.kinds & ~WS_TRACE_BIT(ISSUE)) == 0)
        query.scope = &scope;
    else
        query.begin = begin_watch;
    do {
        ok = search(session, &query, &watcher, &finding, error);
        /* What issues at the cycle where it began has been told before. */
        session->interrupted =
            finding.interrupted && (query.here || ws_timeline_cycle(session->timeline) != begin);
        session->interrupted_at = ws_timeline_cycle(session->timeline);
        *ret = (WsArrival){.kind = finding.interrupted ? WS_ARRIVED_INTERRUPTED
                                   : back              ? WS_ARRIVED_BEGINNING
                                                       : WS_ARRIVED_END};
        ok = ok && (!finding.found || name_stop(session, ret, error));
        query.here = FALSE;
    } while (ok && finding.found && ret->breakpoint == NULL && guesses(session));
    return ok;
}
