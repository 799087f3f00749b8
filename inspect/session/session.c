#include "inspect/session/session.h"

#include <string.h>

#include "sim/report/line_profile.h"

enum { WATCH_STRIDE = 256 }; /* cycles between two looks at memory that is watched */

struct WsSession {
    WsJob *job;
    WsTimeline *timeline;
    WsFocus focus;
    GPtrArray *breakpoints; /* of WsBreakpoint, by number */
    guint last_number;
    GHashTable *marks; /* char * -> guint64 * */
    gboolean interrupted;
    guint64 interrupted_at; /* cycle at which going on was interrupted last */
};

/* ---- the table of moves -------------------------------------------------------------------------
 */

static const struct {
    const char *name, *help;
    guint64 kinds;
    guint lead;
} moves[] = {
#define MOVE(enumerator, name, help, kinds, lead) {name, help, kinds, lead},
#include "inspect/session/moves.def"
#undef MOVE
};

const char *ws_move_name(WsMove move)
{
    return moves[move].name;
}

const char *ws_move_help(WsMove move)
{
    return moves[move].help;
}

/* ---- life ---------------------------------------------------------------------------------------
 */

static void free_breakpoint(gpointer breakpoint)
{
    ws_breakpoint_free(breakpoint);
}

WsSession *ws_session_new(WsJob *job, const WsRunOptions *options, gsize bytes, GError **error)
{
    g_autoptr(WsSession) session = g_new0(WsSession, 1);

    session->job = job;
    session->breakpoints = g_ptr_array_new_with_free_func(free_breakpoint);
    session->marks = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    session->timeline = ws_timeline_new(job, options, bytes, error);
    return session->timeline != NULL ? g_steal_pointer(&session) : NULL;
}

void ws_session_free(WsSession *session)
{
    if (session == NULL)
        return;
    ws_timeline_free(session->timeline);
    g_ptr_array_unref(session->breakpoints);
    g_hash_table_unref(session->marks);
    g_free(session);
}

WsTimeline *ws_session_timeline(const WsSession *session)
{
    return session->timeline;
}

const WsJob *ws_session_job(const WsSession *session)
{
    return session->job;
}

WsFocus *ws_session_focus(WsSession *session)
{
    return &session->focus;
}

WsWarpPlace ws_session_place(const WsSession *session)
{
    return ws_find_warp(session->timeline, session->focus.block, session->focus.warp);
}

/* ---- moves --------------------------------------------------------------------------------------
 */

/* A move by events, under way. */
typedef struct {
    const WsSession *session;
    WsMove move;
    guint32 sm, sub_core; /* ISSUE: whose */
    gboolean known;       /* LINE: `file` and `line` are those of the last instruction */
    guint32 file, line;
} Way;

static gboolean is_focused(const Way *way, const WsTraceEvent *event)
{
    const WsFocus *focus = &way->session->focus;

    if (way->move == WS_MOVE_ISSUE)
        return event->sm == way->sm && event->sub_core == way->sub_core;
    return event->block == focus->block && event->warp_in_block == focus->warp;
}

/* Whether the instruction begins a line; those that come from none belong to the line before. */
static gboolean begins_line(Way *way, guint32 instruction)
{
    guint32 file, line;
    gboolean begins;

    ws_line_of_instruction(way->session->job->program, instruction, &file, &line);
    if (line == 0)
        return FALSE;
    begins = !way->known || file != way->file || line != way->line;
    way->known = TRUE;
    way->file = file;
    way->line = line;
    return begins;
}

static guint64 find_move(void *data, const WsSm *sm, const WsTraceEvent *event)
{
    Way *way = data;

    if (!is_focused(way, event) ||
        (way->move == WS_MOVE_LINE && !begins_line(way, event->instruction)))
        return WS_NEVER;
    return event->cycle + moves[way->move].lead;
}

static void begin_move(void *data)
{
    Way *way = data;

    way->known = FALSE;
}

/* To the next line from the one that the warp is at, wherever in it that is; to its first one. */
static void know_line(Way *way)
{
    WsWarpPlace place = ws_session_place(way->session);

    way->known = FALSE;
    if (place.sm != NULL && place.sm->state->warps[place.slot].last_issue != WS_NEVER)
        begins_line(way, place.sm->state->warps[place.slot].path.pc);
}

static void begin_ahead(void *data)
{
    know_line(data);
}

static gboolean move_by_event(WsSession *session, WsMove move, gboolean back, WsArrival *ret,
                              GError **error)
{
    Way way = {.session = session, .move = move};
    WsQuery query = {.kinds = moves[move].kinds, .find = find_move, .data = &way};
    WsWarpPlace place = ws_session_place(session);
    WsFinding finding;

    query.ahead = move == WS_MOVE_BARRIER || move == WS_MOVE_RESPONSE;
    if (move == WS_MOVE_LINE)
        query.begin = back ? begin_move : begin_ahead;
    else if (move == WS_MOVE_STALL) /* the first change behind a state is not seen from there */
        query.begin = begin_move;
    if (place.sm != NULL) {
        way.sm = place.sm->number;
        way.sub_core = place.sm->state->warps[place.slot].sub_core;
    }
    if (!(back ? ws_timeline_find_back : ws_timeline_find)(session->timeline, &query, &finding,
                                                           error))
        return FALSE;
    *ret = (WsArrival){.has_event = finding.found, .event = finding.event, .also = finding.also};
    if (finding.interrupted)
        ret->kind = WS_ARRIVED_INTERRUPTED;
    else if (!finding.found)
        ret->kind = back ? WS_ARRIVED_BEGINNING : WS_ARRIVED_END;
    return TRUE;
}

static gboolean move_by_cycles(WsSession *session, gint64 count, WsArrival *ret, GError **error)
{
    guint64 cycle = ws_timeline_cycle(session->timeline), to;

    if (count < 0) {
        guint64 back = (guint64) - (count + 1) + 1;

        to = cycle - MIN(cycle, back);
    } else {
        to = cycle + (guint64)count;
    }
    if (!ws_timeline_go(session->timeline, to, error))
        return FALSE;
    *ret = (WsArrival){.kind = WS_ARRIVED_THERE};
    if (count > 0 && ws_timeline_cycle(session->timeline) < to)
        ret->kind = WS_ARRIVED_END;
    if (count < 0 && cycle < (guint64) - (count + 1) + 1)
        ret->kind = WS_ARRIVED_BEGINNING;
    return TRUE;
}

gboolean ws_session_move(WsSession *session, WsMove move, gint64 count, WsArrival *ret,
                         GError **error)
{
    guint64 left = (guint64)ABS(count);

    *ret = (WsArrival){.kind = WS_ARRIVED_THERE};
    if (move == WS_MOVE_CYCLE)
        return move_by_cycles(session, count, ret, error);
    while (left != 0) {
        if (!move_by_event(session, move, count < 0, ret, error))
            return FALSE;
        if (ret->kind != WS_ARRIVED_THERE)
            break;
        left--;
    }
    ret->left = left;
    return TRUE;
}

/* ---- breakpoints --------------------------------------------------------------------------------
 */

/* What breakpoints and watchpoints see of a run. */
typedef struct {
    const WsSession *session;
    gboolean back;
    guint64 *values; /* of what is watched, by index of the breakpoint; valid if `known` */
    gboolean *known;
} Watcher;

static WsBreakpoint *breakpoint_at(const WsSession *session, guint index)
{
    return g_ptr_array_index(session->breakpoints, index);
}

/* What is watched as it is now. */
static void look_at_values(Watcher *watcher)
{
    const WsSession *session = watcher->session;

    for (guint i = 0; i < session->breakpoints->len; i++)
        watcher->known[i] =
            breakpoint_at(session, i)->kind != WS_STOP_AT &&
            ws_watch_value(session->timeline, breakpoint_at(session, i), &watcher->values[i]);
}

static void begin_watch(void *data)
{
    look_at_values(data);
}

/* Whether the event can have changed what is watched. */
static gboolean concerns(const WsBreakpoint *watch, const WsTraceEvent *event)
{
    if (watch->kind == WS_STOP_REGISTER)
        return event->kind != WS_TRACE_ISSUE && event->block == watch->focus.block &&
               event->warp_in_block == watch->focus.warp;
    return watch->kind == WS_STOP_SHARED && event->kind == WS_TRACE_REQUEST &&
           event->block == watch->focus.block;
}

static gboolean has_changed(Watcher *watcher, guint index)
{
    guint64 value = 0;
    gboolean known =
        ws_watch_value(watcher->session->timeline, breakpoint_at(watcher->session, index), &value);
    gboolean changed = known && watcher->known[index] && value != watcher->values[index];

    watcher->known[index] = known;
    watcher->values[index] = value;
    return changed;
}

static guint64 find_breakpoint(void *data, const WsSm *sm, const WsTraceEvent *event)
{
    Watcher *watcher = data;
    const WsSession *session = watcher->session;
    guint64 stop = WS_NEVER;

    for (guint i = 0; i < session->breakpoints->len; i++) {
        const WsBreakpoint *breakpoint = breakpoint_at(session, i);
        guint64 cycle = WS_NEVER;

        if (breakpoint->disabled)
            continue;
        if (breakpoint->kind != WS_STOP_AT) {
            if (concerns(breakpoint, event) && has_changed(watcher, i))
                cycle = sm->state->now + 1;
        } else if (event->kind == WS_TRACE_ISSUE &&
                   ws_breakpoint_lanes(breakpoint, sm, event->warp, event->instruction,
                                       event->issue.executed) != 0) {
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
        const WsBreakpoint *breakpoint = breakpoint_at(session, i);

        if (breakpoint->disabled)
            continue;
        if (breakpoint->kind == WS_STOP_AT)
            kinds |= WS_TRACE_BIT(ISSUE);
        else if (breakpoint->kind == WS_STOP_REGISTER)
            kinds |= WS_TRACE_BIT(SCOREBOARD_SET) | WS_TRACE_BIT(WRITE) | WS_TRACE_BIT(RESPONSE);
        else if (breakpoint->kind == WS_STOP_SHARED)
            kinds |= WS_TRACE_BIT(REQUEST);
    }
    return kinds;
}

/* ---- which one it was --------------------------------------------------------------------------
 */

typedef struct {
    const WsSession *session;
    guint64 cycle;
    WsBreakpoint *found;
    WsTraceEvent event;
    guint64 lanes;
    guint32 also;
} Hit;

static guint64 find_hit(void *data, const WsSm *sm, const WsTraceEvent *event)
{
    Hit *hit = data;

    for (guint i = 0; event->cycle == hit->cycle && i < hit->session->breakpoints->len; i++) {
        WsBreakpoint *breakpoint = breakpoint_at(hit->session, i);
        guint64 lanes = breakpoint->kind == WS_STOP_AT && !breakpoint->disabled
                            ? ws_breakpoint_lanes(breakpoint, sm, event->warp, event->instruction,
                                                  event->issue.executed)
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
                       .lanes = hit.lanes};
    session->focus = (WsFocus){.block = hit.event.block,
                               .warp = hit.event.warp_in_block,
                               .lane = (hit.lanes >> session->focus.lane & 1) != 0
                                           ? session->focus.lane
                                           : (guint32)__builtin_ctzll(hit.lanes)};
    hit.found->hits++;
    return TRUE;
}

/* A value that is not as it was a cycle before. */
static gboolean find_change(WsSession *session, WsArrival *ret, GError **error)
{
    guint64 here = ws_timeline_cycle(session->timeline);
    guint count = session->breakpoints->len;
    g_autofree guint64 *values = g_new0(guint64, count + 1);
    g_autofree gboolean *known = g_new0(gboolean, count + 1);
    Watcher watcher = {.session = session, .values = values, .known = known};

    if (here == 0 || !ws_timeline_go(session->timeline, here - 1, error))
        return here == 0;
    look_at_values(&watcher);
    if (!ws_timeline_go(session->timeline, here, error))
        return FALSE;
    for (guint i = 0; i < count; i++) {
        WsBreakpoint *watch = breakpoint_at(session, i);
        guint64 old_value = values[i];

        if (watch->kind == WS_STOP_AT || watch->disabled || !has_changed(&watcher, i))
            continue;
        *ret = (WsArrival){.kind = WS_ARRIVED_WATCH,
                           .breakpoint = watch,
                           .old_value = old_value,
                           .new_value = values[i]};
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
        if (breakpoint_at(session, i)->kind == WS_STOP_GLOBAL &&
            !breakpoint_at(session, i)->disabled)
            return TRUE;
    return FALSE;
}

static gboolean memory_differs(Watcher *watcher)
{
    const WsSession *session = watcher->session;

    for (guint i = 0; i < session->breakpoints->len; i++) {
        const WsBreakpoint *watch = breakpoint_at(session, i);
        guint64 value;

        if (watch->kind == WS_STOP_GLOBAL && !watch->disabled &&
            ws_watch_value(session->timeline, watch, &value) && value != watcher->values[i])
            return TRUE;
    }
    return FALSE;
}

/*
 * Memory is as in `watcher` at `same`, and differs at `other`, which is behind or before it: goes
 * to the first cycle at which it differs or, going back, to the last one before which it does.
 */
static gboolean close_in(WsSession *session, Watcher *watcher, guint64 same, guint64 other,
                         GError **error)
{
    while (other > same ? other - same > 1 : same - other > 1) {
        guint64 middle = MIN(same, other) + (MAX(same, other) - MIN(same, other)) / 2;

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
    look_at_values(watcher);
    if (!ws_timeline_go(timeline, same, error))
        return FALSE;
    if (!memory_differs(watcher))
        return ws_timeline_go(timeline, to, error);
    look_at_values(watcher);
    *ret = (WsFinding){.found = TRUE};
    return close_in(session, watcher, same, to, error);
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
        rest.here = TRUE; /* what issues where a stride ends has not been told */
    }
    return TRUE;
}

gboolean ws_session_continue(WsSession *session, gboolean back, guint64 limit, WsArrival *ret,
                             GError **error)
{
    guint count = session->breakpoints->len + 1;
    g_autofree guint64 *values = g_new0(guint64, count);
    g_autofree gboolean *known = g_new0(gboolean, count);
    Watcher watcher = {.session = session, .back = back, .values = values, .known = known};
    WsQuery query = {.kinds = kinds_of(session),
                     .find = find_breakpoint,
                     .data = &watcher,
                     .begin = begin_watch,
                     .here = session->interrupted &&
                             session->interrupted_at == ws_timeline_cycle(session->timeline),
                     .limit = limit};
    WsFinding finding = {0};
    gboolean ok;

    if (watches_memory(session))
        ok = find_in_strides(session, &query, &watcher, &finding, error);
    else
        ok = (back ? ws_timeline_find_back : ws_timeline_find)(session->timeline, &query, &finding,
                                                               error);
    session->interrupted = finding.interrupted;
    session->interrupted_at = ws_timeline_cycle(session->timeline);
    *ret = (WsArrival){.kind = finding.interrupted ? WS_ARRIVED_INTERRUPTED
                               : back              ? WS_ARRIVED_BEGINNING
                                                   : WS_ARRIVED_END};
    return ok && (!finding.found || name_stop(session, ret, error));
}

/* ---- lists --------------------------------------------------------------------------------------
 */

static gint index_of(const WsSession *session, guint number)
{
    for (guint i = 0; i < session->breakpoints->len; i++)
        if (breakpoint_at(session, i)->number == number)
            return (gint)i;
    return -1;
}

const WsBreakpoint *ws_session_add_breakpoint(WsSession *session, WsBreakpoint *breakpoint)
{
    breakpoint->number = ++session->last_number;
    g_ptr_array_add(session->breakpoints, breakpoint);
    return breakpoint;
}

gboolean ws_session_delete_breakpoint(WsSession *session, guint number)
{
    gint index = index_of(session, number);

    if (index < 0)
        return FALSE;
    g_ptr_array_remove_index(session->breakpoints, (guint)index);
    return TRUE;
}

void ws_session_delete_breakpoints(WsSession *session)
{
    g_ptr_array_set_size(session->breakpoints, 0);
}

WsBreakpoint *ws_session_breakpoint(const WsSession *session, guint number)
{
    gint index = index_of(session, number);

    return index < 0 ? NULL : breakpoint_at(session, (guint)index);
}

guint ws_session_breakpoint_count(const WsSession *session)
{
    return session->breakpoints->len;
}

WsBreakpoint *ws_session_breakpoint_at(const WsSession *session, guint index)
{
    return breakpoint_at(session, index);
}

void ws_session_mark(WsSession *session, const char *name)
{
    guint64 cycle = ws_timeline_cycle(session->timeline);

    g_hash_table_insert(session->marks, g_strdup(name), g_memdup2(&cycle, sizeof cycle));
}

gboolean ws_session_find_mark(const WsSession *session, const char *name, guint64 *ret_cycle)
{
    const guint64 *cycle = g_hash_table_lookup(session->marks, name);

    if (cycle != NULL)
        *ret_cycle = *cycle;
    return cycle != NULL;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char **ws_session_marks(const WsSession *session)
{
    guint count;
    const char **names = (const char **)g_hash_table_get_keys_as_array(session->marks, &count);

    qsort(names, count, sizeof *names, compare_names);
    return names;
}
