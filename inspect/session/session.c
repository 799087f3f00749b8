#include "inspect/session/session_state.h"

#include <string.h>

#include "inspect/session/selected_frame.h"
#include "inspect/session/timeline_edit.h"
#include "isa/base/error.h"
#include "sim/report/line_profile.h"

/* ---- the table of moves -------------------------------------------------------------------------
 */

static const struct {
    const char *name;
    guint64 kinds;
    guint lead;
} moves[] = {
#define MOVE(enumerator, name, help, kinds, lead) {name, kinds, lead},
#include "inspect/session/moves.def"
#undef MOVE
};

const char *ws_move_name(WsMove move)
{
    return moves[move].name;
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
    ws_highlights_free(session->highlights);
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
    gboolean any;         /* of any warp, not only the focused one */
    guint32 sm, sub_core; /* ISSUE: whose */
    gboolean known;       /* LINE: `file` and `line` are those of the last instruction */
    guint32 file, line;
} Way;

static gboolean is_focused(const Way *way, const WsTraceEvent *event)
{
    const WsFocus *focus = &way->session->focus;

    if (way->any)
        return TRUE;
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

/* ---- the sub-core of a warp ---------------------------------------------------------------------
 */

static guint64 find_issue(void *data, const WsSm *sm, const WsTraceEvent *event)
{
    WsHome *home = data;

    if (event->block != home->block || event->warp_in_block != home->warp)
        return WS_NEVER;
    home->sm = event->sm;
    home->sub_core = event->sub_core;
    return MAX(event->cycle, 1); /* a search back does not come to cycle 0 */
}

/*
 * Of the focused warp, also where it has left or not yet begun. !ret->known: the search was
 * interrupted.
 */
static gboolean find_home(WsSession *session, WsHome *ret, GError **error)
{
    WsHome home = {.launch = ws_simulation_launch(ws_timeline_simulation(session->timeline)),
                   .block = session->focus.block,
                   .warp = session->focus.warp};
    const WsEventScope scope = {.kind = WS_SCOPE_WARP, .block = home.block, .warp = home.warp};
    WsQuery query = {
        .kinds = WS_TRACE_BIT(ISSUE), .find = find_issue, .data = &home, .scope = &scope};
    WsWarpPlace place = ws_session_place(session);
    WsFinding finding = {0};

    *ret = session->home;
    if (ret->known && ret->launch == home.launch && ret->block == home.block &&
        ret->warp == home.warp)
        return TRUE;
    if (place.sm != NULL) {
        home.sm = place.sm->number;
        home.sub_core = place.sm->state->warps[place.slot].sub_core;
    } else if (!ws_timeline_look_back(session->timeline, &query, &finding, error) ||
               (!finding.found && !finding.interrupted &&
                !ws_timeline_look_ahead(session->timeline, &query, WS_NEVER / 2, &finding,
                                        error))) {
        return FALSE;
    }
    home.known = place.sm != NULL || finding.found;
    *ret = session->home = home;
    if (!home.known && !finding.interrupted)
        ws_set_error(error, WS_ERROR_USAGE, "block %u warp %u runs on no sub-core in this launch",
                     home.block, home.warp);
    return home.known || finding.interrupted;
}

/* A bit for each instruction that the move's events can come from; NULL: any. g_free() it. */
static guint8 *instructions_of(const WsProgram *program, WsMove move)
{
    guint8 *bits;

    if (move != WS_MOVE_BARRIER && move != WS_MOVE_RESPONSE)
        return NULL;
    bits = g_new0(guint8, program->instruction_count / 8 + 1);
    for (guint32 i = 0; i < program->instruction_count; i++) {
        const WsOpcodeInfo *info = ws_opcode_info(program->instructions[i].opcode);

        if (move == WS_MOVE_BARRIER
                ? info->kind == WS_KIND_BARRIER
                : ws_kind_is_memory(info->kind) || info->execution_class == WS_CLASS_CONSTANT_LOAD)
            bits[i / 8] |= (guint8)(1 << i % 8);
    }
    return bits;
}

static gboolean move_by_event(WsSession *session, WsMove move, gboolean any, gboolean back,
                              WsArrival *ret, GError **error)
{
    Way way = {.session = session, .move = move, .any = any};
    g_autofree guint8 *instructions = instructions_of(session->job->program, move);
    WsEventScope scope = {.kind = any ? WS_SCOPE_ALL : WS_SCOPE_WARP,
                          .instructions = instructions,
                          .block = session->focus.block,
                          .warp = session->focus.warp};
    WsQuery query = {.kinds = moves[move].kinds, .find = find_move, .data = &way, .scope = &scope};
    WsHome home = {0};
    WsFinding finding;

    query.ahead = move == WS_MOVE_BARRIER || move == WS_MOVE_RESPONSE;
    if (move == WS_MOVE_LINE)
        query.begin = back ? begin_move : begin_ahead;
    else if (move == WS_MOVE_STALL) /* the first change behind a state is not seen from there */
        query.begin = begin_move;
    if (move == WS_MOVE_ISSUE) {
        if (!find_home(session, &home, error))
            return FALSE;
        *ret = (WsArrival){.kind = WS_ARRIVED_INTERRUPTED};
        if (!home.known)
            return TRUE;
        scope = (WsEventScope){.kind = WS_SCOPE_SUB_CORE, .sm = home.sm, .sub_core = home.sub_core};
    }
    way.sm = home.sm;
    way.sub_core = home.sub_core;
    if (!(back ? ws_timeline_find_back : ws_timeline_find)(session->timeline, &query, &finding,
                                                           error))
        return FALSE;
    *ret = (WsArrival){.has_event = finding.found, .event = finding.event, .also = finding.also};
    if (finding.interrupted)
        ret->kind = WS_ARRIVED_INTERRUPTED;
    else if (!finding.found)
        ret->kind = back ? WS_ARRIVED_BEGINNING : WS_ARRIVED_END;
    if (any && ret->kind == WS_ARRIVED_THERE) {
        session->focus.block = finding.event.block;
        session->focus.warp = finding.event.warp_in_block;
    }
    return TRUE;
}

gboolean ws_session_go(WsSession *session, guint64 cycle, WsArrival *ret, GError **error)
{
    gboolean interrupted;

    if (!ws_timeline_travel(session->timeline, cycle, &interrupted, error))
        return FALSE;
    *ret = (WsArrival){.kind = WS_ARRIVED_THERE};
    if (interrupted)
        ret->kind = WS_ARRIVED_INTERRUPTED;
    else if (ws_timeline_cycle(session->timeline) < cycle)
        ret->kind = WS_ARRIVED_END;
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
    if (!ws_session_go(session, to, ret, error))
        return FALSE;
    if (ret->kind == WS_ARRIVED_THERE && count < 0 && cycle < (guint64) - (count + 1) + 1)
        ret->kind = WS_ARRIVED_BEGINNING;
    return TRUE;
}

static gboolean move_by_events(WsSession *session, WsMove move, gboolean any, gint64 count,
                               WsArrival *ret, GError **error)
{
    guint64 left = (guint64)ABS(count);

    *ret = (WsArrival){.kind = WS_ARRIVED_THERE};
    while (left != 0) {
        if (!move_by_event(session, move, any, count < 0, ret, error))
            return FALSE;
        if (ret->kind != WS_ARRIVED_THERE)
            break;
        left--;
        if (left != 0 && ws_timeline_is_interrupted(session->timeline)) {
            *ret = (WsArrival){.kind = WS_ARRIVED_INTERRUPTED};
            break;
        }
    }
    ret->left = left;
    return TRUE;
}

gboolean ws_session_move(WsSession *session, WsMove move, gint64 count, WsArrival *ret,
                         GError **error)
{
    if (move == WS_MOVE_CYCLE)
        return move_by_cycles(session, count, ret, error);
    return move_by_events(session, move, FALSE, count, ret, error);
}

gboolean ws_session_can_move_any(WsMove move)
{
    return move != WS_MOVE_CYCLE && move != WS_MOVE_LINE && move != WS_MOVE_ISSUE;
}

gboolean ws_session_move_any(WsSession *session, WsMove move, gint64 count, WsArrival *ret,
                             GError **error)
{
    g_assert(ws_session_can_move_any(move));
    return move_by_events(session, move, TRUE, count, ret, error);
}

/* ---- the fault ----------------------------------------------------------------------------------
 */

/* The warp that the run stops for, if it is one. */
static gboolean focus_on_stop(WsSession *session)
{
    const WsStop *stop = ws_timeline_stop(session->timeline);
    const WsSm *sm = stop->sm >= 0 ? ws_timeline_sm(session->timeline, (guint32)stop->sm) : NULL;

    if (sm == NULL || stop->slot < 0 || (sm->state->resident >> stop->slot & 1) == 0)
        return FALSE;
    session->focus = ws_focus_of(sm, (guint32)stop->slot);
    if (stop->lane >= 0)
        session->focus.lane = (guint32)stop->lane;
    return TRUE;
}

static void focus_on_first_warp(WsSession *session)
{
    guint32 count;
    WsSm *const *sms = ws_simulation_sms(ws_timeline_simulation(session->timeline), &count);

    for (guint32 i = 0; i < count; i++)
        if (sms[i]->state->resident != 0) {
            session->focus = ws_focus_of(sms[i], (guint32)__builtin_ctzll(sms[i]->state->resident));
            return;
        }
}

gboolean ws_session_go_to_fault(WsSession *session, WsArrival *ret, GError **error)
{
    if (!ws_session_go(session, WS_NEVER, ret, error))
        return FALSE;
    if (ret->kind == WS_ARRIVED_END && ws_timeline_status(session->timeline) != WS_STATUS_OK &&
        !focus_on_stop(session) && ws_session_place(session).sm == NULL)
        focus_on_first_warp(session);
    return TRUE;
}

/* ---- changes ------------------------------------------------------------------------------------
 */

gboolean ws_session_set(WsSession *session, guint64 lanes, const char *text, guint *ret_dropped,
                        GError **error)
{
    g_autoptr(WsLaneScope) scope = ws_session_scope(session);
    WsEdit edit;

    if (!ws_edit_parse(scope, session->timeline, ws_session_place(session), lanes, text, &edit,
                       error) ||
        !ws_timeline_edit(session->timeline, &edit, ret_dropped, error))
        return FALSE;
    session->home = (WsHome){0};
    session->interrupted = FALSE;
    g_clear_pointer(&session->highlights, ws_highlights_free);
    return TRUE;
}

/* ---- lists --------------------------------------------------------------------------------------
 */

static WsBreakpoint *breakpoint_at(const WsSession *session, guint index)
{
    return g_ptr_array_index(session->breakpoints, index);
}

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
