#include "sim/gpu/sampler.h"

#include "sim/memory/memory_marks.h"
#include "sim/report/statistics.h"
#include "sim/sm/open_counts.h"

/* An SM, or all of them. */
typedef struct {
    WsCounters before; /* counted up to the end of the last sample */
    guint64 dram_bytes;
    WsSample sample; /* the last one: told when another one follows, since what is counted behind
                      * the last cycle belongs to it */
    gboolean has_sample;
} Series;

/* The end of a sample in a window that is not closed. */
typedef struct {
    guint32 series;
    guint64 cycle;
    WsCounters counters; /* up to there */
} Pending;

struct WsSampler {
    WsGpuLaunch *launch;
    const WsSampleSink *sampling;
    guint32 count;
    Series *series;                      /* [count]: by SM of the launch, or one */
    GArray *pending;                     /* of Pending */
    WsInstructionCounters *instructions; /* [SM][instruction] where each SM has its own, or NULL */
    guint64 every;                       /* cycles between memory's marks */
    WsMemoryMark mark;                   /* taken, and no sample ends there yet */
    gboolean has_mark;
    guint64 next;
};

static guint32 instruction_count(const WsSampler *sampler)
{
    return sampler->launch->prepared->context.program->instruction_count;
}

WsSampler *ws_sampler_new(WsGpuLaunch *launch, const WsSampleSink *sampling)
{
    guint64 begin = launch->prepared->context.begin;
    WsSampler *sampler;

    if (sampling == NULL)
        return NULL;
    sampler = g_new0(WsSampler, 1);
    sampler->launch = launch;
    sampler->sampling = sampling;
    sampler->count = sampling->by_sm ? launch->sm_count : 1;
    sampler->series = g_new0(Series, sampler->count);
    sampler->pending = g_array_new(FALSE, FALSE, sizeof(Pending));
    sampler->every = sampling->every;
    sampler->next = (begin / sampling->every + 1) * sampling->every;
    if (!sampling->by_sm) {
        const WsCounters *before = &launch->machine->before;

        sampler->series->before = *before;
        sampler->series->dram_bytes = before->dram_read_bytes + before->dram_write_bytes;
        ws_memory_system_begin_marks(launch->machine->system, begin, sampling->every);
        return sampler;
    }
    sampler->instructions =
        g_new0(WsInstructionCounters, (gsize)launch->sm_count * instruction_count(sampler));
    for (guint32 i = 0; i < launch->sm_count; i++)
        launch->sms[i]->counters = sampler->instructions + (gsize)i * instruction_count(sampler);
    ws_sm_pool_keep_counters(launch->pool);
    return sampler;
}

void ws_sampler_free(WsSampler *sampler)
{
    if (sampler == NULL)
        return;
    g_free(sampler->series);
    g_array_unref(sampler->pending);
    g_free(sampler->instructions);
    g_free(sampler);
}

guint64 ws_sampler_next(const WsSampler *sampler)
{
    return sampler != NULL ? sampler->next : G_MAXUINT64;
}

/* ---- sums ---------------------------------------------------------------------------------------
 */

/* Of one array of counters as SMs count them (ws_instruction_counters_finish()). */
static void add_instructions(const WsInstructionCounters *instructions, guint32 count,
                             WsCounters *ret)
{
    for (guint32 i = 0; i < count; i++) {
        const WsInstructionCounters *one = &instructions[i];

        ret->warp_instructions += one->issued;
        ret->thread_instructions += one->lanes;
        ret->thread_instructions_pred_on += one->lanes_on + one->lanes;
        ret->stalls[WS_STALL_SELECTED] += one->issued;
        for (guint s = WS_STALL_SELECTED + 1; s < WS_STALL_COUNT; s++)
            ret->stalls[s] += one->stalls[s];
    }
}

/* Of one SM up to `cycle`, without its instructions. */
static void add_sm(const WsSm *sm, guint64 cycle, gboolean over, WsCounters *ret)
{
    ws_counters_add_sm(ret, sm);
    if (!over)
        ws_sm_add_open_counts(sm, cycle, ret);
    ret->cycles = ret->elapsed_cycles = 0;
}

static void sum_all(const WsSampler *sampler, guint64 cycle, gboolean over, WsCounters *ret)
{
    const WsGpuLaunch *launch = sampler->launch;
    guint32 count = instruction_count(sampler);

    *ret = (WsCounters){0};
    if (over)
        add_instructions(launch->counters, count, ret);
    else
        for (guint32 i = 0; i < ws_sm_pool_workers(launch->pool); i++)
            add_instructions(ws_sm_pool_counters(launch->pool, i), count, ret);
    for (guint32 i = 0; i < launch->sm_count; i++)
        add_sm(launch->sms[i], cycle, over, ret);
}

/* ---- telling ------------------------------------------------------------------------------------
 */

/* `ret` is what has come since `before`, which becomes `now`. */
static void take_change(WsCounters *before, const WsCounters *now, WsCounters *ret)
{
    guint64 *old = (guint64 *)(void *)before, *change = (guint64 *)(void *)ret;
    const guint64 *new = (const guint64 *)(const void *)now;

    for (gsize i = 0; i < sizeof(WsCounters) / sizeof(guint64); i++) {
        change[i] = new[i] - old[i];
        old[i] = new[i];
    }
}

static void tell(const WsSampler *sampler, Series *series)
{
    if (series->has_sample)
        sampler->sampling->take(sampler->sampling->data, &series->sample);
    series->has_sample = FALSE;
}

/* The series has counted `counters` up to `cycle`, and `dram_bytes`; its sample ends there. */
static void end_sample(WsSampler *sampler, Series *series, guint64 cycle,
                       const WsCounters *counters, guint64 dram_bytes)
{
    const WsGpuLaunch *launch = sampler->launch;
    const WsLaunchContext *context = &launch->prepared->context;
    WsSample *sample = &series->sample;
    guint64 end = series->has_sample ? sample->cycle + sample->cycles : context->begin;
    guint64 bytes = dram_bytes - MIN(series->dram_bytes, dram_bytes);
    WsCounters change;

    take_change(&series->before, counters, &change);
    series->dram_bytes += bytes;
    if (series->has_sample && cycle <= end) {
        ws_counters_add_launch(&sample->counters, &change);
        sample->dram_bytes += bytes;
        return;
    }
    tell(sampler, series);
    *sample = (WsSample){
        .launch = context->launch_index,
        .sm = sampler->sampling->by_sm ? (gint32)launch->sms[series - sampler->series]->number : -1,
        .cycle = end,
        .cycles = cycle - MIN(end, cycle),
        .counters = change,
        .dram_bytes = bytes};
    series->has_sample = TRUE;
}

/* ---- taking -------------------------------------------------------------------------------------
 */

/* What the series has counted, up to `cycle`, without what memory has. */
static void add_pending(WsSampler *sampler, guint32 series, guint64 cycle, gboolean over)
{
    const WsGpuLaunch *launch = sampler->launch;
    Pending pending = {.series = series, .cycle = cycle};

    if (sampler->sampling->by_sm) {
        add_instructions(launch->sms[series]->counters, instruction_count(sampler),
                         &pending.counters);
        add_sm(launch->sms[series], cycle, over, &pending.counters);
    } else {
        sum_all(sampler, cycle, over, &pending.counters);
    }
    g_array_append_val(sampler->pending, pending);
}

void ws_sampler_take(WsSampler *sampler)
{
    for (guint32 i = 0; i < sampler->count; i++)
        add_pending(sampler, i, sampler->next, FALSE);
    if (sampler->every != sampler->sampling->every && !sampler->sampling->by_sm)
        ws_memory_system_spread_marks(sampler->launch->machine->system, sampler->sampling->every);
    sampler->every = sampler->sampling->every;
    sampler->next = (sampler->next / sampler->every + 1) * sampler->every;
}

static void end_pending(WsSampler *sampler, Pending *pending, const WsMemoryMark *mark)
{
    guint64 asked = mark->dram_read_bytes + mark->dram_write_bytes;

    pending->counters.l2_lookups = mark->l2_lookups;
    pending->counters.l2_hits = mark->l2_hits;
    pending->counters.dram_read_bytes = mark->dram_read_bytes;
    pending->counters.dram_write_bytes = mark->dram_write_bytes;
    end_sample(sampler, &sampler->series[pending->series], pending->cycle, &pending->counters,
               asked - MIN(mark->dram_waiting_bytes, asked));
}

/* Whether memory's next mark is there. */
static gboolean look_at_mark(WsSampler *sampler)
{
    if (!sampler->has_mark)
        sampler->has_mark =
            ws_memory_system_take_mark(sampler->launch->machine->system, &sampler->mark);
    return sampler->has_mark;
}

/*
 * Those that memory has come to, too. Where samples have become longer, one side knows cycles that
 * the other one does not: no sample ends there.
 */
static void end_reached(WsSampler *sampler)
{
    const WsMemoryMark none = {0};
    guint reached = 0;

    while (reached < sampler->pending->len && (sampler->sampling->by_sm || look_at_mark(sampler))) {
        Pending *pending = &g_array_index(sampler->pending, Pending, reached);

        if (sampler->sampling->by_sm || pending->cycle == sampler->mark.cycle)
            end_pending(sampler, pending, sampler->sampling->by_sm ? &none : &sampler->mark);
        if (sampler->sampling->by_sm || pending->cycle <= sampler->mark.cycle)
            reached++;
        if (pending->cycle >= sampler->mark.cycle)
            sampler->has_mark = FALSE;
    }
    g_array_remove_range(sampler->pending, 0, reached);
}

void ws_sampler_close_window(WsSampler *sampler)
{
    if (sampler == NULL || sampler->pending->len == 0)
        return;
    for (guint i = 0; i < sampler->pending->len; i++) {
        Pending *pending = &g_array_index(sampler->pending, Pending, i);
        WsSm *const *sms = sampler->launch->sms;

        if (sampler->sampling->by_sm)
            ws_sm_add_queued_counts(sms[pending->series], pending->cycle, &pending->counters);
        for (guint32 k = 0; !sampler->sampling->by_sm && k < sampler->launch->sm_count; k++)
            ws_sm_add_queued_counts(sms[k], pending->cycle, &pending->counters);
    }
    end_reached(sampler);
}

/* What memory has not come to before the end counts as the end does. */
static void finish_memory(WsSampler *sampler, WsMemoryMark *ret)
{
    WsMemorySystem *system = sampler->launch->machine->system;
    WsCounters memory = {0};

    *ret = (WsMemoryMark){0};
    if (sampler->sampling->by_sm)
        return;
    ws_memory_system_end_marks(system);
    ws_memory_system_add_counters(system, &memory);
    *ret = (WsMemoryMark){.l2_lookups = memory.l2_lookups,
                          .l2_hits = memory.l2_hits,
                          .dram_read_bytes = memory.dram_read_bytes,
                          .dram_write_bytes = memory.dram_write_bytes};
}

void ws_sampler_finish(WsSampler *sampler)
{
    WsGpuLaunch *launch = sampler->launch;
    guint64 end = launch->prepared->context.begin;
    WsMemoryMark mark;

    for (guint32 i = 0; i < launch->sm_count; i++)
        end = MAX(end, launch->sms[i]->state->last_end);
    end_reached(sampler);
    finish_memory(sampler, &mark);
    for (guint32 i = 0; i < sampler->count; i++)
        add_pending(sampler, i, end, TRUE);
    for (guint i = 0; i < sampler->pending->len; i++)
        end_pending(sampler, &g_array_index(sampler->pending, Pending, i), &mark);
    for (guint32 i = 0; i < sampler->count; i++)
        tell(sampler, &sampler->series[i]);
    for (guint32 i = 0; sampler->instructions != NULL && i < launch->sm_count; i++) {
        ws_instruction_counters_add(launch->counters, launch->sms[i]->counters,
                                    instruction_count(sampler));
        launch->sms[i]->counters = launch->counters;
    }
}
