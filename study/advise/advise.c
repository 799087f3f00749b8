#include "study/advise/advise.h"

#include "sim/gpu/simulation.h"
#include "sim/report/line_profile.h"
#include "sim/report/memory_use.h"
#include "study/advise/variants.h"
#include "study/results/metrics.h"

#include <string.h>

static const double STARVING_GAIN = 0.05; /* of the cycles, under a policy that is fair */
static const double STARVING_TAIL = 0.05; /* of the warp-cycles, lost while others still run */

static void clear_advice(gpointer data)
{
    WsAdvice *advice = data;
    g_free(advice->what);
    g_free(advice->how);
    g_free(advice->command);
    g_free(advice->file);
    g_free(advice->source);
}

void ws_advise_free(WsAdvise *advise)
{
    if (advise == NULL)
        return;
    g_array_unref(advise->advice);
    g_free(advise->share);
    g_free(advise->warning);
    g_free(advise->starving);
    g_free(advise);
}

static double ipc_of(const WsCounters *total)
{
    return total->active_sm_cycles == 0
               ? 0
               : (double)total->warp_instructions / (double)total->active_sm_cycles;
}

/* Of the warp-cycles that there could have been. */
static double tail_of(const WsResult *result)
{
    WsOccupancySummary sum;
    ws_result_sum_losses(result, &sum);
    double all = (double)sum.losses[WS_LOSS_TAIL] + (double)result->total.warp_cycles;
    return all == 0 ? 0 : (double)sum.losses[WS_LOSS_TAIL] / all;
}

/* ---- running ----------------------------------------------------------------------------------
 */

typedef struct {
    const WsAdviseOptions *options;
    WsProgramStore *programs;
} Runner;

static WsResult *run(const Runner *runner, const WsStudy *study, WsJob **ret_job, GError **error)
{
    g_auto(WsStudyPoint) point = {0};
    ws_study_point_init(&point, study, 0);
    point.options.bounds = runner->options->bounds;
    point.options.max_memory = runner->options->max_memory;
    point.options.programs = runner->programs;
    *ret_job = ws_job_load(point.target, &point.options, error);
    if (runner->options->loaded != NULL)
        runner->options->loaded();
    if (*ret_job == NULL)
        return NULL;
    WsRunOptions options;
    ws_run_options_init(&options);
    options.interrupt = runner->options->interrupt;
    if (study->max_cycles != 0)
        options.max_cycles = study->max_cycles;
    return ws_simulation_run(*ret_job, &options, error);
}

typedef struct {
    const WsVariant *variant;
    gboolean ran, interrupted;
    guint64 hash; /* of the results */
    guint64 cycles;
    double ipc, tail;
} Trial;

static void run_trial(gpointer data, gpointer user_data)
{
    Trial *trial = data;
    WsJob *job = NULL;
    g_autoptr(WsResult) result = run(user_data, trial->variant->study, &job, NULL);
    if (result != NULL) {
        trial->ran = result->status == WS_STATUS_OK;
        trial->interrupted = result->status == WS_STATUS_INTERRUPTED;
        trial->cycles = result->total.cycles;
        trial->ipc = ipc_of(&result->total);
        trial->tail = tail_of(result);
        trial->hash = ws_results_hash(job);
    }
    ws_job_free(job);
}

static Trial *run_trials(const Runner *runner, const GArray *variants)
{
    Trial *trials = g_new0(Trial, MAX(variants->len, 1));
    guint threads =
        runner->options->threads != 0 ? runner->options->threads : g_get_num_processors();
    GThreadPool *pool = g_thread_pool_new(run_trial, (gpointer)runner, (gint)threads, FALSE, NULL);
    for (guint i = 0; i < variants->len; i++) {
        trials[i].variant = &g_array_index(variants, WsVariant, i);
        g_thread_pool_push(pool, &trials[i], NULL);
    }
    g_thread_pool_free(pool, FALSE, TRUE);
    return trials;
}

/* ---- what comes out ---------------------------------------------------------------------------
 */

static gint compare_advice(gconstpointer a, gconstpointer b)
{
    const WsAdvice *first = a, *second = b;
    gboolean is_cause = first->cause != WS_CAUSE_NONE;
    if (is_cause != (second->cause != WS_CAUSE_NONE))
        return is_cause ? -1 : 1;
    if (first->ran != second->ran)
        return first->ran ? -1 : 1;
    if (first->cycles != second->cycles)
        return first->cycles < second->cycles ? -1 : 1;
    if (first->cause != second->cause)
        return first->cause < second->cause ? -1 : 1;
    return strcmp(first->what, second->what);
}

/* Under a fair policy the warps end together and sooner. */
static char *starving_text(const WsJob *job, const WsResult *result, const Trial *trial)
{
    double gain = 1 - (double)trial->cycles / (double)result->total.cycles;
    double tail = tail_of(result);
    if (!trial->ran || gain < STARVING_GAIN || tail < STARVING_TAIL || trial->tail > tail / 2)
        return NULL;
    return g_strdup_printf(
        "%s starves warps: some end late and then run alone (%.0f %% of the warp-cycles are lost "
        "to the tail). Under lrr, which rotates among warps, %.1f %% are, and the run takes "
        "%" G_GUINT64_FORMAT " cycles instead of %" G_GUINT64_FORMAT,
        ws_device_policy_name(job->device), 100 * tail, 100 * trial->tail, trial->cycles,
        result->total.cycles);
}

/* ---- causes -----------------------------------------------------------------------------------
 */

/* Names the line that loses most by each cause. */
static void find_lines(const WsJob *job, const WsResult *result, const GArray *advice)
{
    guint32 count = job->program->instruction_count;
    g_autofree WsInstructionCounters *sum = g_new0(WsInstructionCounters, MAX(count, 1));
    ws_result_sum_instructions(result, count, sum);
    for (guint i = 0; i < advice->len; i++) {
        WsAdvice *at = &g_array_index(advice, WsAdvice, i);
        if (at->cause == WS_CAUSE_NONE)
            continue;
        WsCauseLine line = ws_cause_line(at->cause, job, sum);
        if (line.line == 0)
            continue;
        at->file = g_strdup(job->program->files[line.file]);
        at->line = line.line;
        at->source = ws_source_line(job->sources, line.file, line.line);
        at->share = line.share;
    }
}

/* All that accesses wait for comes behind what explains half of it. */
static void put_back_caches(GArray *advice, guint64 cycles)
{
    guint from = 0, to;
    while (from < advice->len && g_array_index(advice, WsAdvice, from).cause != WS_CAUSE_CACHES)
        from++;
    if (from == advice->len)
        return;
    WsAdvice caches = g_array_index(advice, WsAdvice, from);
    for (to = from; caches.ran && to + 1 < advice->len; to++) {
        const WsAdvice *next = &g_array_index(advice, WsAdvice, to + 1);
        if (next->cause == WS_CAUSE_NONE || !next->ran || next->cycles >= cycles ||
            2 * (cycles - next->cycles) < cycles - MIN(cycles, caches.cycles))
            break;
        g_array_index(advice, WsAdvice, to) = *next;
    }
    g_array_index(advice, WsAdvice, to) = caches;
}

static WsAdvise *conclude(const WsJob *job, const WsResult *result, const GArray *variants,
                          const Trial *trials)
{
    WsAdvise *advise = g_new0(WsAdvise, 1);
    guint64 hash = ws_results_hash(job);
    advise->cycles = result->total.cycles;
    advise->ipc = ipc_of(&result->total);
    WsMemoryUse use;
    ws_memory_use(job, result, &use);
    advise->share = use.known ? ws_memory_use_share(&use) : NULL;
    advise->warning = ws_memory_use_warning(&use);
    advise->advice = g_array_new(FALSE, FALSE, sizeof(WsAdvice));
    g_array_set_clear_func(advise->advice, clear_advice);
    for (guint i = 0; i < variants->len; i++) {
        const WsVariant *variant = &g_array_index(variants, WsVariant, i);
        const WsAdvice advice = {.what = g_strdup(variant->what),
                                 .how = g_strdup(variant->how),
                                 .possible = variant->possible,
                                 .cause = variant->cause,
                                 .command = ws_study_point_command(variant->study, 0),
                                 .ran = trials[i].ran,
                                 .differs = variant->launch && result->check_count == 0 &&
                                            trials[i].hash != hash,
                                 .cycles = trials[i].cycles,
                                 .ipc = trials[i].ipc};
        g_array_append_val(advise->advice, advice);
        if (variant->fair && advise->starving == NULL)
            advise->starving = starving_text(job, result, &trials[i]);
    }
    g_array_sort(advise->advice, compare_advice);
    put_back_caches(advise->advice, advise->cycles);
    find_lines(job, result, advise->advice);
    return advise;
}

WsAdvise *ws_advise(const WsStudy *study, const WsAdviseOptions *options, GError **error)
{
    g_autoptr(WsProgramStore) programs = ws_program_store_new();
    const Runner runner = {options, programs};
    WsJob *loaded = NULL;
    g_autoptr(WsResult) result = run(&runner, study, &loaded, error);
    g_autoptr(WsJob) job = loaded;
    if (result == NULL)
        return NULL;
    if (result->status != WS_STATUS_OK) {
        const WsPosition position = {.file = job->path};
        ws_set_error_at(error,
                        result->status == WS_STATUS_INTERRUPTED ? WS_ERROR_LIMIT : WS_ERROR_CHECK,
                        &position,
                        "the run ended with '%s': 'warpstep run' says why. Advice is for runs that "
                        "complete with correct results",
                        ws_status_name(result->status));
        return NULL;
    }
    g_autoptr(GArray) variants = ws_variants(study, job, result);
    g_autofree Trial *trials = run_trials(&runner, variants);
    for (guint i = 0; i < variants->len; i++)
        if (trials[i].interrupted) {
            ws_set_error(error, WS_ERROR_LIMIT, "interrupted before all runs were done");
            return NULL;
        }
    return conclude(job, result, variants, trials);
}
