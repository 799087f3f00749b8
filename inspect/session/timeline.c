#include "inspect/session/timeline_state.h"

#include "inspect/session/timeline_edit.h"
#include "isa/base/error.h"
#include "sim/sm/eligibility.h"

#include <time.h>

/* Steps on a way are so long, at first and at most: cycles. */
enum { FIRST_STRIDE = 256, LONGEST_STRIDE = 1 << 13 };
/* The even states are to be met by so many steps. */
enum { STEPS_BETWEEN_STATES = 4 };

/*
 * Microseconds that the host has worked for this process. What others do on it, who may hold up
 * one run for long, does not count.
 */
static gint64 work_time(void)
{
    struct timespec time;

    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) != 0)
        return g_get_monotonic_time();
    return time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

/* ---- moving -------------------------------------------------------------------------------------
 */

/* The run is over: where and how. */
static void note_end(WsTimeline *timeline)
{
    const WsResult *result = ws_simulation_result(timeline->simulation);

    timeline->end = ws_simulation_end(timeline->simulation);
    timeline->status = result->status;
    ws_stop_copy(&result->stop, &timeline->stop);
}

/* Short steps are not worth a look at the clock. */
static gboolean advance(WsTimeline *timeline, guint64 cycle, GError **error)
{
    guint64 work;
    gint64 begin;

    if (cycle - timeline->cycle < FIRST_STRIDE)
        return ws_simulation_advance(timeline->simulation, cycle, error);
    work = ws_simulation_work(timeline->simulation);
    begin = work_time();
    if (!ws_simulation_advance(timeline->simulation, cycle, error))
        return FALSE;
    timeline->ran[timeline->searching] += work_time() - begin;
    timeline->ran_work[timeline->searching] += ws_simulation_work(timeline->simulation) - work;
    return TRUE;
}

static gboolean run_to(WsTimeline *timeline, guint64 cycle, GError **error)
{
    guint64 before = timeline->cycle;

    if (!advance(timeline, cycle, error))
        return FALSE;
    timeline->cycle = cycle;
    if (ws_simulation_is_over(timeline->simulation)) {
        if (timeline->end == WS_NEVER)
            note_end(timeline);
        timeline->cycle = timeline->end;
    }
    timeline->simulated += timeline->cycle - MIN(before, timeline->cycle);
    if (timeline->cycle > timeline->furthest) {
        timeline->furthest = timeline->cycle;
        timeline->furthest_work = ws_simulation_work(timeline->simulation);
    }
    return TRUE;
}

/* The changes of the cycle that the run has come to. They are absolute: again does no harm. */
static void make_edits(WsTimeline *timeline)
{
    for (guint i = 0; i < timeline->edits->len; i++) {
        const WsEdit *edit = &g_array_index(timeline->edits, WsEdit, i);

        if (edit->cycle == timeline->cycle)
            ws_edit_apply(edit, timeline->simulation);
    }
}

gboolean ws_timeline_run_on(WsTimeline *timeline, guint64 cycle, GError **error)
{
    for (guint i = 0; i < timeline->edits->len; i++) {
        guint64 at = g_array_index(timeline->edits, WsEdit, i).cycle;

        if (at <= timeline->cycle || at > cycle || ws_simulation_is_over(timeline->simulation))
            continue;
        if (!run_to(timeline, at, error))
            return FALSE;
        make_edits(timeline);
    }
    return (timeline->cycle == cycle && timeline->edits->len != 0) ||
           run_to(timeline, cycle, error);
}

void ws_timeline_go_to_state(WsTimeline *timeline, guint index)
{
    ws_saved_states_restore(timeline->states, index);
    timeline->cycle = ws_saved_states_cycle(timeline->states, index);
    make_edits(timeline);
}

gboolean ws_timeline_edit(WsTimeline *timeline, const WsEdit *edit, guint *ret_dropped,
                          GError **error)
{
    guint kept = 0;

    if (ws_simulation_is_over(timeline->simulation)) {
        ws_set_error(error, WS_ERROR_USAGE, "the run is over: nothing can be changed any more");
        return FALSE;
    }
    if (!ws_edit_apply(edit, timeline->simulation)) {
        ws_set_error(error, WS_ERROR_USAGE,
                     "there is no memory at this place that can be written to");
        return FALSE;
    }
    while (kept < timeline->edits->len &&
           g_array_index(timeline->edits, WsEdit, kept).cycle <= timeline->cycle)
        kept++;
    *ret_dropped = timeline->edits->len - kept;
    g_array_set_size(timeline->edits, kept);
    g_array_append_val(timeline->edits, *edit);
    ws_saved_states_drop_from(timeline->states, timeline->cycle);
    timeline->end = WS_NEVER;
    timeline->status = WS_STATUS_OK;
    ws_stop_clear(&timeline->stop);
    timeline->stop = (WsStop){0};
    timeline->furthest = timeline->cycle;
    timeline->furthest_work = ws_simulation_work(timeline->simulation);
    return TRUE;
}

guint64 ws_stride_next(WsStride *stride, const WsTimeline *timeline)
{
    guint64 work = ws_simulation_work(timeline->simulation);
    guint64 most = ws_saved_states_spacing(timeline->states) / STEPS_BETWEEN_STATES;

    if (stride->cycles == 0)
        stride->cycles = FIRST_STRIDE;
    else if (work - stride->work > most)
        stride->cycles = MAX(stride->cycles / 2, 1);
    else if (work - stride->work < most / 2)
        stride->cycles = MIN(stride->cycles * 2, LONGEST_STRIDE);
    stride->work = work;
    return stride->cycles;
}

guint64 ws_step_towards(guint64 step, guint64 cycle, guint64 target)
{
    guint64 left = target - cycle;

    return MIN(left, MIN(step, MAX(left / 2, FIRST_STRIDE)));
}

/* ---- estimates ----------------------------------------------------------------------------------
 */

/* ws_simulation_work() at a cycle behind state `index` and before the next one, about. */
static double work_at(const WsTimeline *timeline, guint index, guint64 cycle)
{
    guint64 from = ws_saved_states_cycle(timeline->states, index);
    guint64 from_work = ws_saved_states_work(timeline->states, index);
    gboolean is_last = index + 1 == ws_saved_states_count(timeline->states);
    guint64 to = is_last ? timeline->furthest : ws_saved_states_cycle(timeline->states, index + 1);
    guint64 to_work =
        is_last ? timeline->furthest_work : ws_saved_states_work(timeline->states, index + 1);

    if (to <= from || to_work < from_work)
        return (double)from_work;
    return (double)from_work +
           (double)(to_work - from_work) * (double)(MIN(cycle, to) - from) / (double)(to - from);
}

gboolean ws_timeline_report_estimate(const WsTimeline *timeline, double work, guint64 cycles,
                                     gboolean searching)
{
    guint by = searching && timeline->ran_work[1] != 0 ? 1 : 0;
    double seconds;

    if (timeline->estimate == NULL || timeline->ran_work[by] == 0)
        return FALSE;
    seconds = work * (double)timeline->ran[by] / (double)timeline->ran_work[by] / G_USEC_PER_SEC;
    if (seconds < timeline->estimate_least)
        return FALSE;
    timeline->estimate(timeline->estimate_data, seconds, cycles);
    return TRUE;
}

void ws_timeline_estimate(const WsTimeline *timeline, guint index, guint64 cycle,
                          gboolean searching)
{
    guint last = ws_saved_states_last(timeline->states, cycle);
    double work =
        work_at(timeline, last, cycle) - (double)ws_saved_states_work(timeline->states, index);

    ws_timeline_report_estimate(timeline, work,
                                cycle - MIN(cycle, ws_saved_states_cycle(timeline->states, index)),
                                searching);
}

/* ---- ways ---------------------------------------------------------------------------------------
 */

gboolean ws_timeline_is_past_fault(const WsTimeline *timeline)
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
    WsStride stride = {0};

    while (timeline->cycle < cycle && !ws_simulation_is_over(timeline->simulation)) {
        guint64 step = ws_step_towards(ws_stride_next(&stride, timeline), timeline->cycle, cycle);

        if (!ws_timeline_run_on(timeline, timeline->cycle + step, error))
            return FALSE;
        ws_saved_states_offer(timeline->states, timeline->cycle,
                              cycle < timeline->end ? cycle : WS_NEVER);
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
    gboolean is_past_fault = ws_timeline_is_past_fault(timeline);
    guint state;

    cycle = MIN(cycle, timeline->end);
    if (cycle == timeline->cycle && !is_past_fault)
        return TRUE;
    state = ws_saved_states_last(timeline->states, cycle);
    if (cycle < timeline->cycle || is_past_fault ||
        ws_saved_states_cycle(timeline->states, state) > timeline->cycle) {
        if (cycle <= timeline->furthest)
            ws_timeline_estimate(timeline, state, cycle, FALSE);
        ws_timeline_go_to_state(timeline, state);
    }
    if (!run_and_save(timeline, cycle, ret_interrupted, error))
        return FALSE;
    return ws_timeline_is_past_fault(timeline) ? travel(timeline, timeline->end, NULL, error)
                                               : TRUE;
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
    timeline->edits = g_array_new(FALSE, FALSE, sizeof(WsEdit));
    timeline->simulation = ws_simulation_new(job, options, TRUE, error);
    if (timeline->simulation == NULL || !ws_timeline_run_on(timeline, 0, error))
        return NULL;
    timeline->states = ws_saved_states_new(timeline->simulation, job->program, bytes);
    return g_steal_pointer(&timeline);
}

void ws_timeline_free(WsTimeline *timeline)
{
    if (timeline == NULL)
        return;
    ws_saved_states_free(timeline->states);
    ws_simulation_free(timeline->simulation);
    ws_stop_clear(&timeline->stop);
    g_array_unref(timeline->edits);
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

WsStall ws_timeline_stall(const WsTimeline *timeline, const WsSm *sm, guint32 slot)
{
    WsStall stall = ws_warp_stall(sm, slot, timeline->cycle);

    if (stall == WS_STALL_NOT_SELECTED && timeline->cycle != timeline->end &&
        (ws_sm_next_issues(sm, timeline->cycle) >> slot & 1) != 0)
        return WS_STALL_SELECTED;
    return stall;
}

guint64 ws_timeline_digest(const WsTimeline *timeline)
{
    return ws_simulation_digest(timeline->simulation, timeline->cycle);
}

guint ws_timeline_states(const WsTimeline *timeline, gsize *ret_bytes)
{
    *ret_bytes = ws_saved_states_bytes(timeline->states);
    return ws_saved_states_count(timeline->states);
}

guint64 ws_timeline_simulated(const WsTimeline *timeline)
{
    return timeline->simulated;
}

void ws_timeline_set_interrupt(WsTimeline *timeline, WsInterrupt interrupt, void *data)
{
    timeline->interrupt = interrupt;
    timeline->interrupt_data = data;
}

gboolean ws_timeline_is_interrupted(const WsTimeline *timeline)
{
    return timeline->interrupt != NULL && timeline->interrupt(timeline->interrupt_data);
}

void ws_timeline_set_estimate(WsTimeline *timeline, double least, WsEstimate estimate, void *data)
{
    timeline->estimate_least = least;
    timeline->estimate = estimate;
    timeline->estimate_data = data;
}

char *ws_timeline_estimate_text(double seconds, guint64 cycles)
{
    return g_strdup_printf("%" G_GUINT64_FORMAT
                           " cycles at most must be simulated again, which takes about %.0f s",
                           cycles, seconds);
}
