#include "inspect/session/timeline.h"

#include <time.h>

enum {
    MOST_STATES = 128,
    FIRST_DISTANCE = 256, /* cycles from one state to the next, at least */
    WORTH = 20            /* a state is saved when running took so many times as long */
};

/* Looking ahead goes cycle by cycle first, so as not to go too far, then faster and faster. */
enum { CLOSE_CYCLES = 1024, LONGEST_STRIDE = 1 << 13 };

/* By so much a response or an opening barrier may be known before it comes. */
enum { AHEAD_CYCLES = 4096 };

typedef struct {
    guint64 cycle;
    WsSavedState *state;
} SavedCycle;

struct WsTimeline {
    WsJob *job;
    WsSimulation *simulation;
    guint64 cycle;
    guint64 end; /* or WS_NEVER */
    WsStatus status;
    WsStop stop;
    GArray *states; /* of SavedCycle, ascending; the first is the beginning */
    gsize most_bytes;
    guint64 distance;      /* of states, at least */
    gint64 ran, save_cost; /* work_time(): run since the last state, one saving */
    WsInterrupt interrupt; /* or NULL */
    void *interrupt_data;
};

/*
 * Microseconds that the host has worked for this process. What others do on it, who may hold up one
 * saving for long, does not count.
 */
static gint64 work_time(void)
{
    struct timespec time;

    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) != 0)
        return g_get_monotonic_time();
    return time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

/* ---- saved states -------------------------------------------------------------------------------
 */

static SavedCycle *state_at(const WsTimeline *timeline, guint index)
{
    return &g_array_index(timeline->states, SavedCycle, index);
}

static void clear_state(gpointer data)
{
    SavedCycle *saved = data;

    ws_saved_state_free(saved->state);
}

/* Index of the last state at or before `cycle`. */
static guint last_state(const WsTimeline *timeline, guint64 cycle)
{
    guint low = 0, high = timeline->states->len;

    while (high - low > 1) {
        guint middle = low + (high - low) / 2;

        if (state_at(timeline, middle)->cycle <= cycle)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Every other state goes, the first one stays. */
static void thin_out(WsTimeline *timeline)
{
    for (guint i = timeline->states->len; i-- > 1;)
        if (i % 2 != 0)
            g_array_remove_index(timeline->states, i);
    timeline->distance *= 2;
}

static void save(WsTimeline *timeline)
{
    guint before = last_state(timeline, timeline->cycle);
    SavedCycle saved = {.cycle = timeline->cycle};
    gint64 begin = work_time();

    saved.state =
        ws_simulation_save(timeline->simulation,
                           timeline->states->len != 0 ? state_at(timeline, before)->state : NULL);
    g_array_insert_val(timeline->states, timeline->states->len != 0 ? before + 1 : 0, saved);
    timeline->save_cost = work_time() - begin;
    timeline->ran = 0;
    while (timeline->states->len > 2 &&
           (timeline->states->len > MOST_STATES ||
            ws_simulation_saved_bytes(timeline->simulation) > timeline->most_bytes))
        thin_out(timeline);
}

/* Whether a state here would spare much work later. What the host's clock says shows nowhere. */
static gboolean is_worth_saving(const WsTimeline *timeline)
{
    guint before = last_state(timeline, timeline->cycle);

    return !ws_simulation_is_over(timeline->simulation) &&
           timeline->cycle - state_at(timeline, before)->cycle >= timeline->distance &&
           timeline->ran >= WORTH * timeline->save_cost &&
           (before + 1 == timeline->states->len ||
            state_at(timeline, before + 1)->cycle - timeline->cycle >= timeline->distance);
}

/* ---- moving -------------------------------------------------------------------------------------
 */

/* The run is over: where and how. */
static void note_end(WsTimeline *timeline)
{
    const WsResult *result = ws_simulation_result(timeline->simulation);

    timeline->end = ws_simulation_end(timeline->simulation);
    timeline->status = result->status;
    timeline->stop = result->stop;
    timeline->stop.message = g_strdup(result->stop.message);
    timeline->stop.details = g_strdup(result->stop.details);
}

/* Runs on to `cycle`, which lies ahead, and no further. The run may end before. */
static gboolean run_on(WsTimeline *timeline, guint64 cycle, GError **error)
{
    gint64 begin = work_time();
    gboolean ok = ws_simulation_advance(timeline->simulation, cycle, error);

    timeline->ran += work_time() - begin;
    if (!ok)
        return FALSE;
    timeline->cycle = cycle;
    if (!ws_simulation_is_over(timeline->simulation))
        return TRUE;
    if (timeline->end == WS_NEVER)
        note_end(timeline);
    timeline->cycle = timeline->end;
    return TRUE;
}

static void go_to_state(WsTimeline *timeline, guint index)
{
    const SavedCycle *saved = state_at(timeline, index);

    ws_simulation_restore(timeline->simulation, saved->state);
    timeline->cycle = saved->cycle;
    timeline->ran = 0;
}

/* The SMs have run past the cycle at which one of them was stopped. */
static gboolean is_past_fault(const WsTimeline *timeline)
{
    guint32 count;
    WsSm *const *sms = ws_simulation_sms(timeline->simulation, &count);

    for (guint32 i = 0; i < count; i++)
        if (sms[i]->state->stop.status != WS_STATUS_OK)
            return ws_simulation_is_over(timeline->simulation);
    return FALSE;
}

/*
 * In steps that end where a state may be saved. `ret_interrupted`, or NULL: is set where the
 * interrupt ends it before `cycle`.
 */
static gboolean run_and_save(WsTimeline *timeline, guint64 cycle, gboolean *ret_interrupted,
                             GError **error)
{
    while (timeline->cycle < cycle && !ws_simulation_is_over(timeline->simulation)) {
        guint64 next = timeline->cycle + MIN(timeline->distance, LONGEST_STRIDE);

        if (!run_on(timeline, MIN(next, cycle), error))
            return FALSE;
        if (is_worth_saving(timeline))
            save(timeline);
        if (ret_interrupted != NULL && timeline->cycle < cycle &&
            ws_timeline_is_interrupted(timeline)) {
            *ret_interrupted = TRUE;
            return TRUE;
        }
    }
    return TRUE;
}

/* As ws_timeline_travel(), or with NULL as ws_timeline_go(). */
static gboolean travel(WsTimeline *timeline, guint64 cycle, gboolean *ret_interrupted,
                       GError **error)
{
    cycle = MIN(cycle, timeline->end);
    if (cycle == timeline->cycle && !is_past_fault(timeline))
        return TRUE;
    if (cycle < timeline->cycle || is_past_fault(timeline) ||
        state_at(timeline, last_state(timeline, cycle))->cycle > timeline->cycle)
        go_to_state(timeline, last_state(timeline, cycle));
    if (!run_and_save(timeline, cycle, ret_interrupted, error))
        return FALSE;
    return is_past_fault(timeline) ? travel(timeline, timeline->end, NULL, error) : TRUE;
}

gboolean ws_timeline_go(WsTimeline *timeline, guint64 cycle, GError **error)
{
    return travel(timeline, cycle, NULL, error);
}

gboolean ws_timeline_travel(WsTimeline *timeline, guint64 cycle, gboolean *ret_interrupted,
                            GError **error)
{
    *ret_interrupted = FALSE;
    return travel(timeline, cycle, ret_interrupted, error);
}

/* ---- life ---------------------------------------------------------------------------------------
 */

WsTimeline *ws_timeline_new(WsJob *job, const WsRunOptions *options, gsize bytes, GError **error)
{
    g_autoptr(WsTimeline) timeline = g_new0(WsTimeline, 1);

    timeline->job = job;
    timeline->end = WS_NEVER;
    timeline->most_bytes = bytes;
    timeline->distance = FIRST_DISTANCE;
    timeline->states = g_array_new(FALSE, FALSE, sizeof(SavedCycle));
    g_array_set_clear_func(timeline->states, clear_state);
    timeline->simulation = ws_simulation_new(job, options, TRUE, error);
    if (timeline->simulation == NULL || !run_on(timeline, 0, error))
        return NULL;
    save(timeline);
    return g_steal_pointer(&timeline);
}

void ws_timeline_free(WsTimeline *timeline)
{
    if (timeline == NULL)
        return;
    g_array_unref(timeline->states);
    ws_simulation_free(timeline->simulation);
    g_free(timeline->stop.message);
    g_free(timeline->stop.details);
    g_free(timeline);
}

guint64 ws_timeline_cycle(const WsTimeline *timeline)
{
    return timeline->cycle;
}

guint64 ws_timeline_end(const WsTimeline *timeline)
{
    return timeline->end;
}

WsStatus ws_timeline_status(const WsTimeline *timeline)
{
    return timeline->status;
}

const WsStop *ws_timeline_stop(const WsTimeline *timeline)
{
    return &timeline->stop;
}

const WsJob *ws_timeline_job(const WsTimeline *timeline)
{
    return timeline->job;
}

const WsSimulation *ws_timeline_simulation(const WsTimeline *timeline)
{
    return timeline->simulation;
}

const WsSm *ws_timeline_sm(const WsTimeline *timeline, guint32 number)
{
    guint32 count;
    WsSm *const *sms = ws_simulation_sms(timeline->simulation, &count);
    guint32 low = 0, high = count;

    while (low < high) {
        guint32 middle = low + (high - low) / 2;

        if (sms[middle]->number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && sms[low]->number == number ? sms[low] : NULL;
}

guint64 ws_timeline_digest(const WsTimeline *timeline)
{
    return ws_simulation_digest(timeline->simulation, timeline->cycle);
}

guint ws_timeline_states(const WsTimeline *timeline, gsize *ret_bytes)
{
    *ret_bytes = ws_simulation_saved_bytes(timeline->simulation);
    return timeline->states->len;
}

/* ---- looking for events -------------------------------------------------------------------------
 */

void ws_timeline_set_interrupt(WsTimeline *timeline, WsInterrupt interrupt, void *data)
{
    timeline->interrupt = interrupt;
    timeline->interrupt_data = data;
}

gboolean ws_timeline_is_interrupted(const WsTimeline *timeline)
{
    return timeline->interrupt != NULL && timeline->interrupt(timeline->interrupt_data);
}

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

static void begin_search(WsTimeline *timeline, Search *search)
{
    if (search->query->begin != NULL)
        search->query->begin(search->query->data);
    ws_simulation_tap(timeline->simulation, search->query->kinds, look_at, search);
}

/* From the cycle on, until a stop is found that nothing can come before any more. */
static gboolean search_on(WsTimeline *timeline, Search *search, guint64 limit, GError **error)
{
    guint64 begin = timeline->cycle, stride = 1;

    while (timeline->cycle < limit && !ws_simulation_is_over(timeline->simulation)) {
        if (timeline->cycle - begin >= CLOSE_CYCLES)
            stride = MIN(2 * stride, LONGEST_STRIDE);
        if (!run_on(timeline, MIN(timeline->cycle + stride, limit), error))
            return FALSE;
        if (search->finding.found && timeline->cycle >= search->finding.cycle)
            return TRUE;
        if (is_worth_saving(timeline))
            save(timeline);
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
    if (is_past_fault(timeline) || here == timeline->end)
        return TRUE;
    if (query->ahead)
        go_to_state(timeline, last_state(timeline, here - MIN(here, AHEAD_CYCLES)));
    begin_search(timeline, &search);
    if (timeline->cycle < here)
        ok = run_on(timeline, here, error);
    ok = ok && search_on(timeline, &search, limit, error);
    ws_simulation_untap(timeline->simulation);
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

/* Runs on to `cycle`; what has been found counts for nothing if the interrupt ends it before. */
static gboolean search_through(WsTimeline *timeline, Search *search, guint64 cycle, GError **error)
{
    while (timeline->cycle < cycle && !ws_simulation_is_over(timeline->simulation)) {
        if (!run_on(timeline, MIN(timeline->cycle + LONGEST_STRIDE, cycle), error))
            return FALSE;
        if (timeline->cycle < cycle && ws_timeline_is_interrupted(timeline)) {
            search->finding = (WsFinding){.interrupted = TRUE};
            return TRUE;
        }
    }
    return TRUE;
}

/* The last stop from `limit` to the cycle. The timeline is left where the search was. */
static gboolean search_back(WsTimeline *timeline, const WsQuery *query, guint64 limit,
                            WsFinding *ret, GError **error)
{
    guint64 here = timeline->cycle, to = here;
    Search search = {
        .timeline = timeline, .query = query, .from = MAX(limit, 1) - 1, .to = here, .last = TRUE};
    gboolean ok = TRUE;

    for (guint i = here == 0 ? 0 : last_state(timeline, here - 1) + 1;
         ok && !search.finding.interrupted && i-- > 0 && !is_final(&search, to) &&
         !is_beyond(query, to, limit);) {
        guint64 from = state_at(timeline, i)->cycle;

        /* What is kept from event to event is right from the second state on. */
        go_to_state(timeline, query->begin != NULL && i > 0 ? i - 1 : i);
        begin_search(timeline, &search);
        ok = search_through(timeline, &search, to, error);
        ws_simulation_untap(timeline->simulation);
        to = from;
        if (i > 0 && !search.finding.found && ws_timeline_is_interrupted(timeline))
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
