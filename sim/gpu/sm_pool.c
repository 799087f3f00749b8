#include "sim/gpu/sm_pool.h"

#include "sim/report/statistics.h"

enum {
    MAX_THREADS = 64,
    SPINS = 4096 /* looks before a thread that has nothing to do goes to sleep */
};

typedef struct {
    WsSmPool *pool;
    GThread *thread; /* NULL for the caller's */
    WsInstructionCounters *counters;
    guint32 *hazards;
    /* Its share of the work, so that the same host core sees SMs again; others help at the end. */
    gint next; /* atomic */
    gint end;
} Worker;

struct WsSmPool {
    WsSm *const *sms;
    guint32 sm_count;
    guint32 instructions;
    guint32 worker_count;
    gboolean keep_counters; /* those of the SMs are their own */
    Worker workers[MAX_THREADS];
    WsSmRun run; /* of this window; NULL: `task` */
    WsPoolTask task;
    void *data;
    gint window;        /* atomic: number of the window to be run */
    gint running;       /* atomic: workers that are not done with it */
    gint quit;          /* atomic */
    gint asleep;        /* atomic: workers that have to be woken */
    gint caller_asleep; /* atomic */
    GMutex mutex;       /* around going to sleep and waking */
    GCond begin, end;
};

static void run_one(WsSmPool *pool, Worker *worker, guint32 number)
{
    WsSm *sm;

    if (pool->run == NULL) {
        pool->task(pool->data, number);
        return;
    }
    sm = pool->sms[number];
    if (!pool->keep_counters)
        sm->counters = worker->counters;
    sm->hazards = worker->hazards;
    pool->run(pool->data, sm);
}

static void run_some(WsSmPool *pool, Worker *worker)
{
    guint32 first = (guint32)(worker - pool->workers);

    for (guint32 n = 0; n < pool->worker_count; n++) {
        Worker *share = &pool->workers[(first + n) % pool->worker_count];
        gint i;

        while ((i = g_atomic_int_add(&share->next, 1)) < share->end)
            run_one(pool, worker, (guint32)i);
    }
}

static void pause_host(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* Waits a little for the next window; TRUE if it has come. */
static gboolean spin_for_window(WsSmPool *pool, gint done)
{
    for (guint i = 0; i < SPINS; i++) {
        if (g_atomic_int_get(&pool->window) != done)
            return TRUE;
        pause_host();
    }
    return FALSE;
}

static void sleep_until_window(WsSmPool *pool, gint done)
{
    g_mutex_lock(&pool->mutex);
    g_atomic_int_inc(&pool->asleep);
    while (g_atomic_int_get(&pool->window) == done)
        g_cond_wait(&pool->begin, &pool->mutex);
    g_atomic_int_add(&pool->asleep, -1);
    g_mutex_unlock(&pool->mutex);
}

static void begin_window(WsSmPool *pool)
{
    g_atomic_int_inc(&pool->window);
    if (g_atomic_int_get(&pool->asleep) == 0)
        return;
    g_mutex_lock(&pool->mutex);
    g_cond_broadcast(&pool->begin);
    g_mutex_unlock(&pool->mutex);
}

static void finish_window(WsSmPool *pool)
{
    if (!g_atomic_int_dec_and_test(&pool->running) || g_atomic_int_get(&pool->caller_asleep) == 0)
        return;
    g_mutex_lock(&pool->mutex);
    g_cond_signal(&pool->end);
    g_mutex_unlock(&pool->mutex);
}

static void wait_for_workers(WsSmPool *pool)
{
    for (guint i = 0; i < SPINS; i++) {
        if (g_atomic_int_get(&pool->running) == 0)
            return;
        pause_host();
    }
    g_mutex_lock(&pool->mutex);
    g_atomic_int_set(&pool->caller_asleep, 1);
    while (g_atomic_int_get(&pool->running) != 0)
        g_cond_wait(&pool->end, &pool->mutex);
    g_atomic_int_set(&pool->caller_asleep, 0);
    g_mutex_unlock(&pool->mutex);
}

static gpointer work(gpointer data)
{
    Worker *worker = data;
    WsSmPool *pool = worker->pool;
    gint done = 0;

    while (TRUE) {
        if (!spin_for_window(pool, done))
            sleep_until_window(pool, done);
        done++;
        if (g_atomic_int_get(&pool->quit))
            return NULL;
        run_some(pool, worker);
        finish_window(pool);
    }
}

WsSmPool *ws_sm_pool_new(WsSm *const *sms, guint32 sm_count, guint32 threads,
                         WsInstructionCounters *counters, guint32 *hazards, guint32 instructions)
{
    WsSmPool *pool = g_new0(WsSmPool, 1);

    pool->sms = sms;
    pool->sm_count = sm_count;
    pool->instructions = instructions;
    pool->worker_count = CLAMP(threads, 1, MIN(sm_count, MAX_THREADS));
    g_mutex_init(&pool->mutex);
    g_cond_init(&pool->begin);
    g_cond_init(&pool->end);
    for (guint32 i = 0; i < pool->worker_count; i++) {
        Worker *worker = &pool->workers[i];

        worker->pool = pool;
        worker->counters = i == 0 ? counters : g_new0(WsInstructionCounters, instructions);
        worker->hazards = i == 0 ? hazards : g_new0(guint32, instructions);
        if (i != 0)
            worker->thread = g_thread_new("sm", work, worker);
    }
    return pool;
}

void ws_sm_pool_keep_counters(WsSmPool *pool)
{
    pool->keep_counters = TRUE;
}

guint32 ws_sm_pool_workers(const WsSmPool *pool)
{
    return pool->worker_count;
}

const WsInstructionCounters *ws_sm_pool_counters(const WsSmPool *pool, guint32 worker)
{
    return pool->workers[worker].counters;
}

static void join(WsSmPool *pool, Worker *worker)
{
    Worker *own = &pool->workers[0];

    g_thread_join(worker->thread);
    ws_instruction_counters_add(own->counters, worker->counters, pool->instructions);
    for (guint32 i = 0; i < pool->instructions; i++)
        own->hazards[i] = MAX(own->hazards[i], worker->hazards[i]);
    g_free(worker->counters);
    g_free(worker->hazards);
}

void ws_sm_pool_free(WsSmPool *pool)
{
    if (pool == NULL)
        return;
    g_atomic_int_set(&pool->quit, 1);
    begin_window(pool);
    for (guint32 i = 1; i < pool->worker_count; i++)
        join(pool, &pool->workers[i]);
    for (guint32 i = 0; i < pool->sm_count; i++) {
        if (!pool->keep_counters)
            pool->sms[i]->counters = pool->workers[0].counters;
        pool->sms[i]->hazards = pool->workers[0].hazards;
    }
    g_mutex_clear(&pool->mutex);
    g_cond_clear(&pool->begin);
    g_cond_clear(&pool->end);
    g_free(pool);
}

static guint32 count_busy(const WsSmPool *pool, guint64 until)
{
    guint32 busy = 0;

    for (guint32 i = 0; i < pool->sm_count; i++)
        busy += ws_sm_next(pool->sms[i]) < until;
    return busy;
}

/* Work 0 to count - 1, on all threads. */
static void spread(WsSmPool *pool, guint32 count)
{
    gint end = 0;

    for (guint32 i = 0; i < pool->worker_count; i++) {
        g_atomic_int_set(&pool->workers[i].next, end);
        end = (gint)((guint64)count * (i + 1) / pool->worker_count);
        pool->workers[i].end = end;
    }
    g_atomic_int_set(&pool->running, (gint)pool->worker_count - 1);
    begin_window(pool);
    run_some(pool, &pool->workers[0]);
    wait_for_workers(pool);
}

gboolean ws_sm_pool_run(WsSmPool *pool, guint64 until, WsSmRun run, void *data)
{
    pool->run = run;
    pool->data = data;
    if (pool->worker_count == 1 || count_busy(pool, until) < 2) {
        for (guint32 i = 0; i < pool->sm_count; i++)
            run_one(pool, &pool->workers[0], i);
        return FALSE;
    }
    spread(pool, pool->sm_count);
    return TRUE;
}

void ws_sm_pool_run_all(WsSmPool *pool, WsSmRun run, void *data)
{
    pool->run = run;
    pool->data = data;
    spread(pool, pool->sm_count);
}

void ws_sm_pool_do(WsSmPool *pool, guint32 count, WsPoolTask task, void *data)
{
    pool->run = NULL;
    pool->task = task;
    pool->data = data;
    spread(pool, count);
}
