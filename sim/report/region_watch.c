#include "sim/report/region_watch.h"

#include <string.h>

#include "sim/launch/code_regions.h"
#include "sim/report/statistics.h"

/* Of spans that may still grow together so many are kept before the older ones are counted. */
enum { KEPT_SPANS = 4096 };

/* Cycles from `from` to before `to`. */
typedef struct {
    guint64 from, to;
} Span;

/* The cycles of one SM in one region: those counted, and spans behind them, apart and ascending. */
typedef struct {
    guint64 counted;
    GArray *spans; /* of Span, or NULL: none so far */
} Cover;

typedef struct {
    gboolean there;
    guint64 from;        /* cycles from here on belong to its next instruction */
    guint32 instruction; /* that it issued last */
} Warp;

typedef struct {
    Warp *warps;   /* by slot */
    Cover *covers; /* by region */
    guint64 since; /* of the block that begins */
} Sm;

struct WsRegionWatch {
    const WsJob *job;
    WsObserver observer;
    guint32 sm_count, slots;
    Sm *sms;
    guint64 *cycles, *sm_cycles; /* by region, of the launches that have ended */
};

/* ---- covers -------------------------------------------------------------------------------------
 */

/* The earliest cycle that a warp of the SM may still add. */
static guint64 earliest(const WsRegionWatch *watch, const Sm *sm)
{
    guint64 cycle = G_MAXUINT64;

    for (guint32 i = 0; i < watch->slots; i++)
        if (sm->warps[i].there)
            cycle = MIN(cycle, sm->warps[i].from);
    return cycle;
}

/* Counts the spans that end before `cycle`, which nothing can grow together with any more. */
static void count_spans(Cover *cover, guint64 cycle)
{
    guint done = 0;

    while (done < cover->spans->len && g_array_index(cover->spans, Span, done).to < cycle) {
        const Span *span = &g_array_index(cover->spans, Span, done++);

        cover->counted += span->to - span->from;
    }
    g_array_remove_range(cover->spans, 0, done);
}

/* Adds a span that ends no earlier than all before. */
static void add_span(const WsRegionWatch *watch, const Sm *sm, Cover *cover, Span span)
{
    GArray *spans;

    if (cover->spans == NULL)
        cover->spans = g_array_new(FALSE, FALSE, sizeof(Span));
    spans = cover->spans;
    while (spans->len != 0 && g_array_index(spans, Span, spans->len - 1).to >= span.from) {
        span.from = MIN(span.from, g_array_index(spans, Span, spans->len - 1).from);
        span.to = MAX(span.to, g_array_index(spans, Span, spans->len - 1).to);
        g_array_set_size(spans, spans->len - 1);
    }
    g_array_append_val(spans, span);
    if (spans->len > KEPT_SPANS)
        count_spans(cover, MIN(earliest(watch, sm), span.from));
}

/* The warp was at the instruction up to before cycle `to`. */
static void be_at(const WsRegionWatch *watch, Sm *sm, Warp *warp, guint32 instruction, guint64 to)
{
    for (guint32 i = 0; i < watch->job->region_count && warp->from < to; i++)
        if (watch->job->regions[i].holds[instruction])
            add_span(watch, sm, &sm->covers[i], (Span){warp->from, to});
    warp->from = MAX(warp->from, to);
}

/* ---- events -------------------------------------------------------------------------------------
 */

static void note(void *data, const WsTraceEvent *event)
{
    WsRegionWatch *watch = data;
    Sm *sm = &watch->sms[event->sm];
    Warp *warp = &sm->warps[event->warp];

    switch (event->kind) {
    case WS_TRACE_BLOCK_BEGIN:
        sm->since = event->block_begin.since;
        break;
    case WS_TRACE_WARP_BEGIN:
        *warp = (Warp){.there = TRUE, .from = sm->since, .instruction = WS_NO_INSTRUCTION};
        break;
    case WS_TRACE_ISSUE:
        be_at(watch, sm, warp, event->instruction, event->cycle + 1);
        warp->instruction = event->instruction;
        break;
    default:
        if (warp->instruction != WS_NO_INSTRUCTION)
            be_at(watch, sm, warp, warp->instruction, event->cycle);
        warp->there = FALSE;
        break;
    }
}

/* Of each region the SM with most cycles, as for the cycles of a launch. */
static void end_launch(void *data, guint32 launch, guint64 cycle)
{
    WsRegionWatch *watch = data;

    for (guint32 i = 0; i < watch->job->region_count; i++) {
        guint64 most = 0;

        for (guint32 k = 0; k < watch->sm_count; k++) {
            Cover *cover = &watch->sms[k].covers[i];

            if (cover->spans != NULL)
                count_spans(cover, G_MAXUINT64);
            most = MAX(most, cover->counted);
            watch->sm_cycles[i] += cover->counted;
            cover->counted = 0;
        }
        watch->cycles[i] += most;
    }
    for (guint32 k = 0; k < watch->sm_count; k++)
        memset(watch->sms[k].warps, 0, watch->slots * sizeof(Warp));
}

/* ---- life ---------------------------------------------------------------------------------------
 */

WsRegionWatch *ws_region_watch_new(const WsJob *job)
{
    WsRegionWatch *watch;

    if (job->region_count == 0)
        return NULL;
    watch = g_new0(WsRegionWatch, 1);
    watch->job = job;
    watch->observer = (WsObserver){.data = watch,
                                   .kinds = WS_TRACE_BIT(BLOCK_BEGIN) | WS_TRACE_BIT(WARP_BEGIN) |
                                            WS_TRACE_BIT(ISSUE) | WS_TRACE_BIT(WARP_END),
                                   .event = note,
                                   .launch_end = end_launch};
    watch->sm_count = (guint32)job->device->sms;
    watch->slots = (guint32)job->device->max_warps_per_sm;
    watch->sms = g_new0(Sm, watch->sm_count);
    for (guint32 i = 0; i < watch->sm_count; i++) {
        watch->sms[i].warps = g_new0(Warp, watch->slots);
        watch->sms[i].covers = g_new0(Cover, job->region_count);
    }
    watch->cycles = g_new0(guint64, job->region_count);
    watch->sm_cycles = g_new0(guint64, job->region_count);
    return watch;
}

void ws_region_watch_free(WsRegionWatch *watch)
{
    if (watch == NULL)
        return;
    for (guint32 i = 0; i < watch->sm_count; i++) {
        for (guint32 k = 0; k < watch->job->region_count; k++)
            if (watch->sms[i].covers[k].spans != NULL)
                g_array_unref(watch->sms[i].covers[k].spans);
        g_free(watch->sms[i].warps);
        g_free(watch->sms[i].covers);
    }
    g_free(watch->sms);
    g_free(watch->cycles);
    g_free(watch->sm_cycles);
    g_free(watch);
}

const WsObserver *ws_region_watch_observer(const WsRegionWatch *watch)
{
    return &watch->observer;
}

WsRegionResult *ws_region_watch_results(const WsRegionWatch *watch, const WsResult *result)
{
    const WsJob *job = watch->job;
    WsRegionResult *results = g_new0(WsRegionResult, job->region_count);

    for (guint32 i = 0; i < job->region_count; i++) {
        results[i].cycles = watch->cycles[i];
        results[i].active_sm_cycles = watch->sm_cycles[i];
        for (guint32 launch = 0; launch < result->launch_count; launch++)
            for (guint32 k = 0; k < job->program->instruction_count; k++)
                if (job->regions[i].holds[k])
                    ws_instruction_counters_add(&results[i].counters,
                                                &result->launches[launch].instructions[k], 1);
        for (guint k = 0; k < WS_STALL_COUNT; k++)
            results[i].warp_cycles += results[i].counters.stalls[k];
    }
    return results;
}
