#include "study/run/sweep.h"

#include "sim/gpu/simulation.h"
#include "study/results/region_metrics.h"

#include <string.h>

enum { WAKE_MILLISECONDS = 100, TABLE_MILLISECONDS = 2000 };

/* A point that failed, to be told of in the calling thread. */
typedef struct {
    guint point;
    char *status, *message;
} Failure;

typedef struct {
    const WsStudy *study;
    WsStudyFolder *folder;
    WsProgramStore *programs;
    const WsSweepOptions *options;
    GMutex mutex; /* guards all below, and the folder */
    GCond changed;
    GArray *todo;  /* of guint: numbers of points */
    guint next;    /* into `todo` */
    guint working; /* threads */
    gint stop;     /* as WsRunOptions.interrupt: nothing more is wanted */
    GError *error;
    GArray *failures; /* of Failure */
    WsSweepCount count;
} Sweep;

/* ---- one point --------------------------------------------------------------------------------
 */

static char **joined(char *const *first, char *const *second)
{
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    for (; *first != NULL; first++)
        g_ptr_array_add(all, g_strdup(*first));
    for (; *second != NULL; second++)
        g_ptr_array_add(all, g_strdup(*second));
    g_ptr_array_add(all, NULL);
    return (char **)g_ptr_array_free(g_steal_pointer(&all), FALSE);
}

WsJob *ws_sweep_load(const WsStudy *study, WsStudyPoint *point, const WsSweepOptions *options,
                     WsProgramStore *programs, GError **error)
{
    point->options.bounds = options->bounds;
    point->options.max_memory = options->max_memory;
    point->options.programs = programs;
    return ws_job_load(point->target, &point->options, error);
}

/* Its metrics; NULL if it was interrupted. */
static char **run_point(Sweep *sweep, guint number)
{
    const WsSweepOptions *options = sweep->options;
    g_autoptr(GError) error = NULL;
    g_auto(WsStudyPoint) point = {0};
    ws_study_point_init(&point, sweep->study, number);
    g_autoptr(WsJob) job = ws_sweep_load(sweep->study, &point, options, sweep->programs, &error);
    if (job == NULL)
        return ws_metrics_of_error(error->message);
    WsRunOptions run;
    ws_run_options_init(&run);
    if (sweep->study->max_cycles != 0)
        run.max_cycles = sweep->study->max_cycles;
    run.max_seconds = options->max_seconds;
    run.interrupt = &sweep->stop;
    g_autoptr(WsResult) result = ws_simulation_run(job, &run, &error);
    if (result == NULL)
        return ws_metrics_of_error(error->message);
    if (result->status == WS_STATUS_INTERRUPTED)
        return NULL;
    g_auto(GStrv) metrics = ws_metrics_of_run(job, result);
    g_auto(GStrv) regions = ws_region_metrics_of_run(job, result, sweep->study->regions);
    return joined(metrics, regions);
}

static void take(Sweep *sweep, guint number, char *const *metrics)
{
    gboolean failed = strcmp(metrics[0], "ok") != 0;
    GError *error = NULL;
    if (!ws_study_folder_add(sweep->folder, number, metrics, &error)) {
        if (sweep->error == NULL)
            sweep->error = error;
        else
            g_error_free(error);
        g_atomic_int_set(&sweep->stop, 1);
        return;
    }
    sweep->count.done++;
    if (!failed)
        return;
    sweep->count.failed++;
    const Failure failure = {number, g_strdup(metrics[0]),
                             g_strdup(metrics[ws_metric_find("error")])};
    g_array_append_val(sweep->failures, failure);
    if (sweep->options->fail_fast)
        g_atomic_int_set(&sweep->stop, 1);
}

static gpointer work(gpointer data)
{
    Sweep *sweep = data;
    g_mutex_lock(&sweep->mutex);
    while (sweep->next < sweep->todo->len && !g_atomic_int_get(&sweep->stop)) {
        guint number = g_array_index(sweep->todo, guint, sweep->next++);
        if (ws_study_folder_has(sweep->folder, number)) { /* another process was faster */
            sweep->count.points--;
            sweep->count.skipped++;
            continue;
        }
        g_mutex_unlock(&sweep->mutex);
        g_auto(GStrv) metrics = run_point(sweep, number);
        g_mutex_lock(&sweep->mutex);
        if (metrics != NULL)
            take(sweep, number, metrics);
        /* The watcher looks by itself every so often. Woken for each of many short points, it
         * would want a processor of its own. */
        if (sweep->failures->len > 0)
            g_cond_signal(&sweep->changed);
    }
    sweep->working--;
    g_cond_signal(&sweep->changed);
    g_mutex_unlock(&sweep->mutex);
    return NULL;
}

/* ---- meanwhile --------------------------------------------------------------------------------
 */

static void clear_failure(gpointer data)
{
    Failure *failure = data;
    g_free(failure->status);
    g_free(failure->message);
}

/* The mutex is held. */
static void tell(Sweep *sweep)
{
    const WsSweepOptions *options = sweep->options;
    for (guint i = 0; i < sweep->failures->len; i++) {
        const Failure *failure = &g_array_index(sweep->failures, Failure, i);
        if (options->failure != NULL)
            options->failure(options->data, failure->point, failure->status, failure->message);
    }
    g_array_set_size(sweep->failures, 0);
    if (options->progress != NULL)
        options->progress(options->data, &sweep->count);
}

static void write_table(Sweep *sweep)
{
    GError *error = NULL;
    if (ws_study_folder_refresh(sweep->folder, &error) &&
        ws_study_folder_write_table(sweep->folder, &error))
        return;
    g_atomic_int_set(&sweep->stop, 1);
    if (sweep->error == NULL)
        sweep->error = error;
    else
        g_error_free(error);
}

/*
 * Other processes may have written the table since its rows were read, with more of them: so it is
 * looked once more what there is. Rows that come later are of a process that writes it later.
 */
static void write_last_table(Sweep *sweep)
{
    enum { MOST_TIMES = 8 };
    guint before = G_MAXUINT;
    for (guint i = 0; i < MOST_TIMES && sweep->error == NULL; i++) {
        guint now = ws_study_folder_count(sweep->folder, NULL);
        if (now == before)
            return;
        write_table(sweep);
        before = ws_study_folder_count(sweep->folder, NULL);
        if (sweep->error == NULL && !ws_study_folder_refresh(sweep->folder, &sweep->error))
            g_atomic_int_set(&sweep->stop, 1);
    }
}

static void watch(Sweep *sweep)
{
    gint64 table_due = g_get_monotonic_time() + TABLE_MILLISECONDS * (gint64)1000;
    g_mutex_lock(&sweep->mutex);
    while (sweep->working > 0) {
        gint64 now = g_get_monotonic_time();
        g_cond_wait_until(&sweep->changed, &sweep->mutex, now + WAKE_MILLISECONDS * (gint64)1000);
        if (sweep->options->interrupt != NULL && g_atomic_int_get(sweep->options->interrupt) != 0)
            g_atomic_int_set(&sweep->stop, 1);
        tell(sweep);
        if (g_get_monotonic_time() < table_due)
            continue;
        write_table(sweep);
        table_due = g_get_monotonic_time() + TABLE_MILLISECONDS * (gint64)1000;
    }
    write_last_table(sweep);
    tell(sweep);
    g_mutex_unlock(&sweep->mutex);
}

static void list_points(Sweep *sweep)
{
    const WsSweepOptions *options = sweep->options;
    guint points = ws_study_points(sweep->study);
    guint last = options->last == 0 ? points : MIN(options->last, points);
    for (guint number = options->first; number < last; number++) {
        if (options->shards > 1 && number % options->shards != options->shard)
            continue;
        if (ws_study_folder_has(sweep->folder, number))
            sweep->count.skipped++;
        else
            g_array_append_val(sweep->todo, number);
    }
    sweep->count.points = sweep->todo->len;
}

gboolean ws_sweep_run(const WsStudy *study, WsStudyFolder *folder, WsProgramStore *programs,
                      const WsSweepOptions *options, WsSweepCount *ret, GError **error)
{
    Sweep sweep = {.study = study,
                   .folder = folder,
                   .programs = programs,
                   .options = options,
                   .todo = g_array_new(FALSE, FALSE, sizeof(guint)),
                   .failures = g_array_new(FALSE, FALSE, sizeof(Failure))};
    g_array_set_clear_func(sweep.failures, clear_failure);
    g_mutex_init(&sweep.mutex);
    g_cond_init(&sweep.changed);
    list_points(&sweep);
    guint threads = options->threads != 0 ? options->threads : g_get_num_processors();
    threads = MIN(threads, sweep.todo->len);
    sweep.working = threads;
    g_autofree GThread **workers = g_new0(GThread *, MAX(threads, 1));
    for (guint i = 0; i < threads; i++)
        workers[i] = g_thread_new("point", work, &sweep);
    watch(&sweep);
    for (guint i = 0; i < threads; i++)
        g_thread_join(workers[i]);
    g_array_unref(sweep.todo);
    g_array_unref(sweep.failures);
    g_cond_clear(&sweep.changed);
    g_mutex_clear(&sweep.mutex);
    *ret = sweep.count;
    if (sweep.error == NULL)
        return TRUE;
    g_propagate_error(error, sweep.error);
    return FALSE;
}
