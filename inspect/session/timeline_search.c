#include "inspect/session/timeline_state.h"

/* Looking ahead goes cycle by cycle first, so as not to go too far. */
enum { CLOSE_CYCLES = 1024 };

/* By so much a response or an opening barrier may be known before it comes. */
enum { AHEAD_CYCLES = 4096 };

/* A search under way: the best stop so far. */
typedef struct {
    WsTimeline *timeline;
    const WsQuery *query;
    guint64 from, to; /* stops count that are behind `from` and before `to` */
    gboolean last;    /* the last of them is wanted, else the first */
    WsFinding finding;
} Search;

static void look_at(void *data, const WsTraceEvent *event)
{
    Search *search = data;
    WsFinding *finding = &search->finding;
    const WsSm *sm = ws_timeline_sm(search->timeline, event->sm);
    guint64 cycle = search->query->find(search->query->data, sm, event);

    if (cycle == WS_NEVER || cycle <= search->from || cycle >= search->to)
        return;
    if (finding->found && cycle == finding->cycle)
        finding->also++;
    else if (!finding->found || (search->last ? cycle > finding->cycle : cycle < finding->cycle))
        *finding = (WsFinding){.found = TRUE, .cycle = cycle, .event = *event};
}

/* From here on the search is told of events. */
static void listen(WsTimeline *timeline, Search *search)
{
    ws_simulation_tap(timeline->simulation, search->query->kinds, look_at, search);
    timeline->searching = TRUE;
}

static void begin_search(WsTimeline *timeline, Search *search)
{
    if (search->query->begin != NULL)
        search->query->begin(search->query->data);
    listen(timeline, search);
}

static void end_search(WsTimeline *timeline)
{
    ws_simulation_untap(timeline->simulation);
    timeline->searching = FALSE;
}

/* Nothing that the query wants is told between the state and the next one. */
static gboolean is_quiet(const WsTimeline *timeline, const WsQuery *query, guint state)
{
    return query->scope != NULL &&
           ws_saved_states_are_quiet(timeline->states, state, query->scope, query->kinds);
}

/* Where nothing of the kind is told from here on, up to a state ahead, the run begins there. */
static void skip_ahead(WsTimeline *timeline, Search *search, guint64 limit)
{
    guint count = ws_saved_states_count(timeline->states);
    guint here = ws_saved_states_last(timeline->states, timeline->cycle), state = here;

    if (search->finding.found)
        return;
    while (state + 1 < count && ws_saved_states_cycle(timeline->states, state + 1) <= limit &&
           is_quiet(timeline, search->query, state))
        state++;
    if (state == here)
        return;
    ws_timeline_go_to_state(timeline, state);
    begin_search(timeline, search);
}

/* From the cycle on, until a stop is found that nothing can come before any more. */
static gboolean search_on(WsTimeline *timeline, Search *search, guint64 limit, GError **error)
{
    guint64 begin = timeline->cycle, step = 1;
    WsStride stride = {0};

    while (timeline->cycle < limit && !ws_simulation_is_over(timeline->simulation)) {
        if (step > 1)
            skip_ahead(timeline, search, limit);
        if (timeline->cycle - begin >= CLOSE_CYCLES)
            step = ws_stride_next(&stride, timeline);
        if (!ws_timeline_run_on(timeline, MIN(timeline->cycle + step, limit), error))
            return FALSE;
        if (search->finding.found && timeline->cycle >= search->finding.cycle)
            return TRUE;
        if (step > 1)
            ws_saved_states_offer(timeline->states, timeline->cycle, WS_NEVER);
        if (timeline->cycle < limit && ws_timeline_is_interrupted(timeline)) {
            search->finding = (WsFinding){.interrupted = TRUE};
            return TRUE;
        }
    }
    return TRUE;
}

static gboolean search_ahead(WsTimeline *timeline, const WsQuery *query, guint64 limit,
                             WsFinding *ret, GError **error)
{
    guint64 here = timeline->cycle;
    Search search = {.timeline = timeline, .query = query, .from = here, .to = G_MAXUINT64};
    gboolean ok = TRUE;

    if (query->here && here > 0)
        search.from = here - 1;

    *ret = (WsFinding){0};
    if (ws_timeline_is_past_fault(timeline) || here == timeline->end)
        return TRUE;
    if (query->ahead)
        ws_timeline_go_to_state(
            timeline, ws_saved_states_last(timeline->states, here - MIN(here, AHEAD_CYCLES)));
    begin_search(timeline, &search);
    if (timeline->cycle < here)
        ok = ws_timeline_run_on(timeline, here, error);
    ok = ok && search_on(timeline, &search, limit, error);
    end_search(timeline);
    if (ok)
        ws_saved_states_offer(timeline->states, timeline->cycle, WS_NEVER);
    /* What is told ahead of time may never come true. */
    if (search.finding.interrupted ||
        (search.finding.found && search.finding.cycle <= MIN(limit, timeline->end)))
        *ret = search.finding;
    return ok;
}

gboolean ws_timeline_find(WsTimeline *timeline, const WsQuery *query, WsFinding *ret,
                          GError **error)
{
    guint64 limit = query->limit != 0 ? query->limit : G_MAXUINT64;

    if (!search_ahead(timeline, query, limit, ret, error))
        return FALSE;
    return ret->interrupted ||
           ws_timeline_go(timeline, ret->found ? ret->cycle : MIN(limit, timeline->end), error);
}

gboolean ws_timeline_look_ahead(WsTimeline *timeline, const WsQuery *query, guint64 cycles,
                                WsFinding *ret, GError **error)
{
    guint64 here = timeline->cycle;

    return search_ahead(timeline, query, here + cycles, ret, error) &&
           ws_timeline_go(timeline, here, error);
}

/* Nothing that is told before `cycle` can come behind what has been found. */
static gboolean is_final(const Search *search, guint64 cycle)
{
    return search->finding.found &&
           (!search->query->ahead || cycle + AHEAD_CYCLES <= search->finding.cycle);
}

/* Nothing that is told before `cycle` can lie at `limit` or behind it. */
static gboolean is_beyond(const WsQuery *query, guint64 cycle, guint64 limit)
{
    return limit > 0 && (query->ahead ? cycle + AHEAD_CYCLES <= limit : cycle <= limit);
}

/*
 * Runs on to `cycle`; what has been found counts for nothing if the interrupt ends it before.
 * `target`: the place of interest, around which states are saved, or WS_NEVER.
 */
static gboolean search_through(WsTimeline *timeline, Search *search, guint64 cycle, guint64 target,
                               GError **error)
{
    WsStride stride = {0};

    while (timeline->cycle < cycle && !ws_simulation_is_over(timeline->simulation)) {
        guint64 step = ws_step_towards(ws_stride_next(&stride, timeline), timeline->cycle, cycle);

        if (!ws_timeline_run_on(timeline, timeline->cycle + step, error))
            return FALSE;
        ws_saved_states_offer(timeline->states, timeline->cycle, target);
        if (timeline->cycle < cycle && ws_timeline_is_interrupted(timeline)) {
            search->finding = (WsFinding){.interrupted = TRUE};
            return TRUE;
        }
    }
    return TRUE;
}

/*
 * The state to begin at so that what is kept from event to event is right from `state` on: there
 * is an event between the two, if there is any before.
 */
static guint lead_up_to(const WsTimeline *timeline, const WsQuery *query, guint state)
{
    if (query->begin == NULL || state == 0)
        return state;
    state--;
    while (state > 0 && is_quiet(timeline, query, state))
        state--;
    return state;
}

/* From the state `begin` to the cycle `from`, which a state is at, leaving out what is quiet. */
static gboolean lead(WsTimeline *timeline, Search *search, guint begin, guint64 from,
                     GError **error)
{
    guint state;

    if (!search_through(timeline, search, ws_saved_states_cycle(timeline->states, begin + 1),
                        WS_NEVER, error) ||
        search->finding.interrupted)
        return search->finding.interrupted;
    state = ws_saved_states_last(timeline->states, from);
    if (ws_saved_states_cycle(timeline->states, state) > timeline->cycle) {
        ws_timeline_go_to_state(timeline, state);
        listen(timeline, search);
    }
    return TRUE;
}

/* The last stop from the state on that is told before `to`. */
static gboolean search_from_state(WsTimeline *timeline, Search *search, guint state, guint64 to,
                                  GError **error)
{
    guint64 from = ws_saved_states_cycle(timeline->states, state);
    guint begin = lead_up_to(timeline, search->query, state);
    gboolean ok = TRUE;

    /* On the way up to the state something may look like an event that is none. */
    if (begin < state)
        search->from = MAX(search->from, from - 1);
    ws_timeline_estimate(timeline, state, to, TRUE);
    ws_timeline_go_to_state(timeline, begin);
    begin_search(timeline, search);
    if (begin < state)
        ok = lead(timeline, search, begin, from, error);
    ok = ok && (search->finding.interrupted || search_through(timeline, search, to, to, error));
    end_search(timeline);
    return ok;
}

/* Tells how long it takes to search all that lies before state `end` and may hold an event. */
static gboolean report_rest(const WsTimeline *timeline, const WsQuery *query, guint end)
{
    guint64 work = 0, cycles = 0;

    for (guint i = 0; i < end; i++) {
        if (is_quiet(timeline, query, i))
            continue;
        work += ws_saved_states_work(timeline->states, i + 1) -
                ws_saved_states_work(timeline->states, i);
        cycles += ws_saved_states_cycle(timeline->states, i + 1) -
                  ws_saved_states_cycle(timeline->states, i);
    }
    if (query->begin != NULL) /* led up to each */
        work *= 2;
    return ws_timeline_report_estimate(timeline, (double)work, cycles, TRUE);
}

/*
 * The state to search from up to `to`: the last one before it, or where nothing has been found
 * nearer by as far back as even states lie apart. There is a way to go before each stretch.
 */
static guint state_before(const WsTimeline *timeline, const WsQuery *query, guint64 to,
                          gboolean nearest)
{
    guint end = ws_saved_states_last(timeline->states, to), state;
    guint64 least;

    state = ws_saved_states_last(timeline->states, to - 1);
    least =
        ws_saved_states_work(timeline->states, end) -
        MIN(ws_saved_states_work(timeline->states, end), ws_saved_states_spacing(timeline->states));
    while (!nearest && state > 0 && ws_saved_states_work(timeline->states, state - 1) >= least &&
           !is_quiet(timeline, query, state - 1) && !is_quiet(timeline, query, state))
        state--;
    return state;
}

/* The last stop from `limit` to the cycle. The timeline is left where the search was. */
static gboolean search_back(WsTimeline *timeline, const WsQuery *query, guint64 limit,
                            WsFinding *ret, GError **error)
{
    guint64 here = timeline->cycle, to = here;
    Search search = {.timeline = timeline, .query = query, .to = here, .last = TRUE};
    gboolean ok = TRUE, told = FALSE;

    while (ok && to > 0 && !search.finding.interrupted && !is_final(&search, to) &&
           !is_beyond(query, to, limit)) {
        guint state = state_before(timeline, query, to, to == here);
        guint64 from = ws_saved_states_cycle(timeline->states, state);

        search.from = MAX(limit, 1) - 1;
        if (!is_quiet(timeline, query, state)) {
            ok = search_from_state(timeline, &search, state, to, error);
            told = told || search.finding.found || from <= limit ||
                   report_rest(timeline, query, ws_saved_states_last(timeline->states, from));
        }
        to = from;
        if (to > 0 && !search.finding.found && ws_timeline_is_interrupted(timeline))
            search.finding.interrupted = TRUE;
    }
    *ret = search.finding;
    return ok;
}

gboolean ws_timeline_look_back(WsTimeline *timeline, const WsQuery *query, WsFinding *ret,
                               GError **error)
{
    guint64 here = timeline->cycle;

    return search_back(timeline, query, 0, ret, error) && ws_timeline_go(timeline, here, error);
}

gboolean ws_timeline_find_back(WsTimeline *timeline, const WsQuery *query, WsFinding *ret,
                               GError **error)
{
    guint64 here = timeline->cycle, to = query->limit;

    if (!search_back(timeline, query, query->limit, ret, error))
        return FALSE;
    if (ret->interrupted)
        to = here;
    else if (ret->found)
        to = ret->cycle;
    return ws_timeline_go(timeline, to, error);
}
