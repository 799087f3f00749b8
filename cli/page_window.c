#include "cli/page_window.h"

#include "sim/base/number_list.h"

#include <string.h>

/* SMs that are chosen at most, and cycles before a highlight that a window of its own begins at. */
enum { MOST_SMS = 4, LEAD_CYCLES = 2000 };

void ws_watched_run_clear(WsWatchedRun *run)
{
    ws_result_free(run->result);
    ws_timeline_record_free(run->record);
    ws_highlights_free(run->highlights);
    ws_quiz_free(run->quiz);
    ws_frames_free(run->frames);
    *run = (WsWatchedRun){0};
}

/* ---- windows ------------------------------------------------------------------------------------
 */

static WsTimelineRecord *record_new(const WsPageWindow *window, const WsDevice *device,
                                    const gboolean *sms, guint64 first)
{
    WsTimelineWindow shown = {.sms = sms,
                              .sm_count = (guint32)device->sms,
                              .first = first,
                              .end = window->to >= 0 ? (guint64)window->to + 1 : G_MAXUINT64,
                              .max_issues = window->max_issues};

    for (guint32 i = 0; i < shown.sm_count; i++)
        if (sms[i])
            return ws_timeline_record_new(&shown, (guint32)device->max_warps_per_sm);
    shown.first_block = TRUE;
    return ws_timeline_record_new(&shown, (guint32)device->max_warps_per_sm);
}

static void mark_given(const WsPageWindow *window, gboolean *sms)
{
    for (guint i = 0; window->sms != NULL && i < window->sms->len; i++) {
        const WsNumberRange *range = &g_array_index(window->sms, WsNumberRange, i);

        for (guint32 sm = range->from; sm <= range->to; sm++)
            sms[sm] = TRUE;
    }
}

/* The SM of the highlight that leads, and those of the others, as long as all fit. */
static void mark_chosen(const WsPageWindow *window, const WsWatchedRun *run, gboolean *sms)
{
    guint count = 0;
    guint64 issues = 0;

    for (guint i = 0; i <= WS_HIGHLIGHT_COUNT; i++) {
        guint kind = i == 0 ? run->opening : i - 1;
        const WsHighlight *highlight = ws_highlights_at(run->highlights, (WsHighlightKind)kind);
        guint64 more;

        if (!highlight->there || sms[highlight->sm])
            continue;
        more = ws_timeline_record_sm_issues(run->record, highlight->sm);
        if (count == MOST_SMS || (count > 0 && issues + more > window->max_issues))
            continue;
        sms[highlight->sm] = TRUE;
        issues += more;
        count++;
    }
}

/* ---- running ------------------------------------------------------------------------------------
 */

/* A run writes to the buffers of its job: the contents of all of them, before it. */
static GPtrArray *keep_inputs(const WsJob *job)
{
    GPtrArray *inputs = g_ptr_array_new_with_free_func(g_free);

    for (guint32 i = 0; i < job->buffer_count; i++)
        g_ptr_array_add(inputs, g_memdup2(job->buffers[i].data, job->buffers[i].bytes));
    return inputs;
}

/* The same run once more, with the same inputs. The job's results stay as they are. */
static gboolean run_again(const WsSimulationOptions *options, WsJob *job, const GPtrArray *inputs,
                          const WsObserver *observer, const WsResult *result, GError **error)
{
    const WsObserver *observers[] = {observer, NULL};
    g_autofree guint8 **results = g_new(guint8 *, job->buffer_count + 1);
    gboolean ok;

    for (guint32 i = 0; i < job->buffer_count; i++) {
        results[i] = job->buffers[i].data;
        job->buffers[i].data = g_memdup2(inputs->pdata[i], job->buffers[i].bytes);
    }
    ok = ws_simulation_options_run_again(options, job, observers, result, error);
    for (guint32 i = 0; i < job->buffer_count; i++) {
        g_free(job->buffers[i].data);
        job->buffers[i].data = results[i];
    }
    return ok;
}

/* Takes the timeline of another window, which is that of the same run. */
static gboolean show_other(const WsPageWindow *window, const WsSimulationOptions *options,
                           WsJob *job, const GPtrArray *inputs, const gboolean *sms, guint64 first,
                           WsWatchedRun *run, GError **error)
{
    g_autoptr(WsTimelineRecord) record = record_new(window, job->device, sms, first);

    if (!run_again(options, job, inputs, ws_timeline_record_observer(record), run->result, error))
        return FALSE;
    ws_timeline_record_finish(record);
    ws_timeline_record_free(run->record);
    run->record = g_steal_pointer(&record);
    return TRUE;
}

static gboolean make_quiz(const WsSimulationOptions *options, WsJob *job, const GPtrArray *inputs,
                          WsWatchedRun *run, GError **error)
{
    const WsHighlight *opening = ws_highlights_at(run->highlights, run->opening);

    run->quiz = ws_quiz_new(opening->sm, (guint32)job->device->max_warps_per_sm);
    if (!run_again(options, job, inputs, ws_quiz_observer(run->quiz), run->result, error))
        return FALSE;
    ws_quiz_finish(run->quiz);
    return TRUE;
}

/* Cycles before and behind the first one of a highlight. */
enum { CYCLES_BEFORE = 8, CYCLES_BEHIND = 72 };

static gboolean make_frames(const WsPageWindow *window, const WsSimulationOptions *options,
                            WsJob *job, const GPtrArray *inputs, WsWatchedRun *run, GError **error)
{
    const WsHighlight *highlight = ws_highlights_at(run->highlights, run->opening);
    guint64 first = window->animation.first, last = window->animation.last;
    guint32 sm = highlight->sm;

    if (window->sms != NULL)
        sm = g_array_index(window->sms, WsNumberRange, 0).from;
    if (window->animation.around != WS_HIGHLIGHT_COUNT) {
        first = highlight->cycle - MIN(highlight->cycle, CYCLES_BEFORE);
        last = highlight->cycle + CYCLES_BEHIND - 1;
    }
    run->focus = sm == highlight->sm ? highlight->slot : 0;
    run->frames =
        ws_frames_new(job->program, sm, (guint32)job->device->max_warps_per_sm, first, last);
    if (!run_again(options, job, inputs, ws_frames_observer(run->frames), run->result, error))
        return FALSE;
    ws_frames_finish(run->frames, ws_timeline_record_run_end(run->record));
    if (ws_frames_count(run->frames) == 0)
        ws_set_error(error, WS_ERROR_USAGE,
                     "--animate: the run ends before cycle %" G_GUINT64_FORMAT, first);
    return ws_frames_count(run->frames) != 0;
}

static gboolean first_run(const WsPageWindow *window, const WsSimulationOptions *options,
                          WsJob *job, const gboolean *sms, WsWatchedRun *run, GError **error)
{
    const WsDevice *device = job->device;

    run->highlights = ws_highlights_new((guint32)device->sms, (guint32)device->max_warps_per_sm);
    run->record = record_new(window, device, sms, (guint64)MAX(window->from, 0));
    const WsObserver *observers[] = {ws_timeline_record_observer(run->record),
                                     ws_highlights_observer(run->highlights), NULL};
    run->result = ws_simulation_options_run(options, job, observers, 0, error);
    if (run->result == NULL)
        return FALSE;
    ws_timeline_record_finish(run->record);
    ws_highlights_finish(run->highlights, ws_timeline_record_run_end(run->record),
                         run->result->status, &run->result->stop);
    run->opening =
        window->at != WS_HIGHLIGHT_COUNT ? window->at : ws_highlights_lead(run->highlights);
    if (run->opening != WS_HIGHLIGHT_COUNT &&
        ws_highlights_at(run->highlights, run->opening)->there)
        return TRUE;
    if (window->at != WS_HIGHLIGHT_COUNT)
        ws_set_error(error, WS_ERROR_USAGE, "--at %s: there is no such event in this run",
                     ws_highlight_name(window->at));
    return window->at == WS_HIGHLIGHT_COUNT;
}

gboolean ws_watched_run_make(const WsPageWindow *window, const WsSimulationOptions *options,
                             WsJob *job, WsWatchedRun *run, GError **error)
{
    g_autofree gboolean *sms = g_new0(gboolean, job->device->sms);
    g_autoptr(GPtrArray) inputs = keep_inputs(job);
    const WsHighlight *opening;

    mark_given(window, sms);
    if (!first_run(window, options, job, sms, run, error))
        return FALSE;
    if (run->opening == WS_HIGHLIGHT_COUNT)
        return TRUE;
    if (window->animation.wanted)
        return make_frames(window, options, job, inputs, run, error);
    if (window->sms == NULL) {
        mark_chosen(window, run, sms);
        if (memcmp(sms, run->record->shown, (gsize)job->device->sms * sizeof *sms) != 0 &&
            !show_other(window, options, job, inputs, sms, (guint64)MAX(window->from, 0), run,
                        error))
            return FALSE;
    }
    if (window->quiz && !make_quiz(options, job, inputs, run, error))
        return FALSE;
    opening = ws_highlights_at(run->highlights, run->opening);
    if (window->from >= 0 || !run->record->cut || opening->cycle < run->record->window.end)
        return TRUE;
    /* The timeline was full before it came there. */
    return show_other(window, options, job, inputs, sms,
                      opening->cycle - MIN(opening->cycle, LEAD_CYCLES), run, error);
}
