#include "sim/sm_pool.h"

#include "sim/statistics.h"

enum { MAX_THREADS = 64 };

typedef struct {
    WsSmPool *pool;
    GThread *thread; /* NULL for the caller's */
    WsInstructionCounters *counters;
    guint32 *hazards;
} Worker;

struct WsSmPool {
    WsSm *const *sms;
    guint32 sm_count;
    guint32 instructions;
    guint32 worker_count;
    Worker workers[MAX_THREADS];
    gint next_sm; /* atomic: the next SM that nobody runs yet */
    guint64 until;
    GMutex mutex; /* of what follows */
    GCond begin, end;
    guint64 window;  /* number of the window to be run */
    guint32 running; /* workers that are not done with it */
    gboolean quit;
};

static void run_some(WsSmPool *pool, Worker *worker)
{
    gint i;

    while ((i = g_atomic_int_add(&pool->next_sm, 1)) < (gint)pool->sm_count) {
        WsSm *sm = pool->sms[i];

        sm->counters = worker->counters;
        sm->hazards = worker->hazards;
        ws_sm_run(sm, pool->until);
    }
}

static gpointer work(gpointer data)
{
    Worker *worker = data;
    WsSmPool *pool = worker->pool;
    guint64 done = 0;

    g_mutex_lock(&pool->mutex);
    while (TRUE) {
        while (pool->window == done && !pool->quit)
            g_cond_wait(&pool->begin, &pool->mutex);
        if (pool->quit)
            break;
        done = pool->window;
        g_mutex_unlock(&pool->mutex);
        run_some(pool, worker);
        g_mutex_lock(&pool->mutex);
        if (--pool->running == 0)
            g_cond_signal(&pool->end);
    }
    g_mutex_unlock(&pool->mutex);
    return NULL;
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
    g_mutex_lock(&pool->mutex);
    pool->quit = TRUE;
    g_cond_broadcast(&pool->begin);
    g_mutex_unlock(&pool->mutex);
    for (guint32 i = 1; i < pool->worker_count; i++)
        join(pool, &pool->workers[i]);
    for (guint32 i = 0; i < pool->sm_count; i++) {
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

void ws_sm_pool_run(WsSmPool *pool, guint64 until)
{
    pool->until = until;
    g_atomic_int_set(&pool->next_sm, 0);
    if (pool->worker_count == 1 || count_busy(pool, until) < 2) {
        run_some(pool, &pool->workers[0]);
        return;
    }
    g_mutex_lock(&pool->mutex);
    pool->running = pool->worker_count - 1;
    pool->window++;
    g_cond_broadcast(&pool->begin);
    g_mutex_unlock(&pool->mutex);
    run_some(pool, &pool->workers[0]);
    g_mutex_lock(&pool->mutex);
    while (pool->running != 0)
        g_cond_wait(&pool->end, &pool->mutex);
    g_mutex_unlock(&pool->mutex);
}
