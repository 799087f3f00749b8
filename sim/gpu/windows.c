#include "sim/gpu/gpu.h"

#include "sim/gpu/early_end.h"
#include "sim/gpu/printed.h"
#include "sim/gpu/sampler.h"
#include "sim/report/report.h"

enum { PROGRESS_MICROSECONDS = 100000 };

/* So many requests in a window are worth the time in which host threads wait for each other. */
enum { PARALLEL_REQUESTS = 100 };

/* What SMs asked memory for in this window is in L2, or on its way there, for all. */
static void share_lines(WsGpuLaunch *launch)
{
    WsMachine *machine = launch->machine;

    if (launch->prepared->context.device->fetch_model == WS_FETCH_IDEAL)
        return;
    for (guint32 i = 0; i < launch->sm_count; i++) {
        guint32 number = launch->sms[i]->number;

        ws_line_directory_add(&machine->code_in_l2, &machine->fetch[number]->asked);
        ws_line_directory_add(&machine->constants_in_l2, &machine->constants[number]->asked);
    }
}

static void after_settle(const WsGpuLaunch *launch)
{
    for (guint32 i = 0; i < launch->sm_count; i++)
        if (launch->sms[i]->state->stop.status == WS_STATUS_OK)
            ws_sm_after_settle(launch->sms[i]);
}

/* Next cycle at which an SM has something to do, answers of memory still to come included. */
static guint64 next_cycle(const WsGpuLaunch *launch)
{
    guint64 next;

    do {
        next = WS_NEVER;
        for (guint32 i = 0; i < launch->sm_count; i++)
            next = MIN(next, ws_sm_next(launch->sms[i]));
        if (!ws_memory_system_catch_up(launch->machine->system, next))
            return next;
        after_settle(launch);
    } while (TRUE);
}

/* Cycle by cycle, with someone who looks on. */
static void run_inspected(const WsMachine *machine, WsSm *sm, guint64 from, guint64 until)
{
    for (guint64 cycle = from; cycle < until; cycle++) {
        ws_sm_take_events(sm, cycle);
        machine->inspect(machine->inspect_data, sm, cycle);
        ws_sm_run(sm, cycle + 1);
        if (sm->state->stop.status != WS_STATUS_OK)
            return;
    }
}

/* Like run_inspected(), but only cycles in which something happens and those behind them. */
static void run_watched(WsGpuLaunch *launch, WsSm *sm, guint64 until)
{
    for (guint64 cycle = MAX(launch->from, launch->until); cycle < until;) {
        gboolean idle;

        ws_sm_take_events(sm, cycle);
        ws_livelock_watch(&launch->livelock, sm, cycle);
        idle = ws_sm_next(sm) > cycle;
        ws_sm_run(sm, cycle + 1);
        if (sm->state->stop.status != WS_STATUS_OK)
            return;
        cycle = MAX(cycle + 1, idle ? ws_sm_next(sm) : 0);
    }
}

/* On the way to the end of a window, or to a cycle inside it. */
typedef struct {
    WsGpuLaunch *launch;
    guint64 until;
} WsWay;

static void run_sm(void *data, WsSm *sm)
{
    const WsWay *way = data;

    if (way->launch->livelock.watching)
        run_watched(way->launch, sm, way->until);
    ws_sm_run(sm, way->until);
}

static void settle_share(void *data, guint32 number)
{
    WsGpuLaunch *launch = data;

    ws_memory_system_settle_share(launch->machine->system, number, launch->end);
}

static void collect(void *data, WsSm *sm)
{
    WsGpuLaunch *launch = data;

    ws_memory_system_collect(launch->machine->system, sm->number);
    if (sm->state->stop.status == WS_STATUS_OK)
        ws_sm_after_settle(sm);
}

/* On the threads of the pool if there is enough to do. */
static void settle(WsGpuLaunch *launch, gboolean wide)
{
    WsMemorySystem *system = launch->machine->system;
    guint32 shares = ws_memory_system_shares(system);

    if (!wide || shares == 1 || ws_memory_system_waiting(system) < PARALLEL_REQUESTS) {
        ws_memory_system_settle(system, launch->end);
        after_settle(launch);
        return;
    }
    ws_sm_pool_do(launch->pool, shares, settle_share, launch);
    ws_memory_system_end_settle(system, launch->end);
    ws_sm_pool_run_all(launch->pool, collect, launch);
}

/* Runs the cycles of the window before `until`; TRUE where several threads did. */
static gboolean run_sms(WsGpuLaunch *launch, guint64 until)
{
    WsMachine *machine = launch->machine;
    WsWay way = {launch, until};
    gboolean wide = FALSE;

    for (guint32 i = 0; i < launch->sm_count && machine->inspect != NULL; i++)
        run_inspected(machine, launch->sms[i], launch->until, until);
    if (launch->pool != NULL)
        wide = ws_sm_pool_run(launch->pool, until, run_sm, &way);
    else
        for (guint32 i = 0; i < launch->sm_count; i++)
            run_sm(&way, launch->sms[i]);
    launch->until = until;
    return wide;
}

static void report_progress(WsGpuLaunch *launch)
{
    WsMachine *machine = launch->machine;
    gint64 time;

    if (machine->options->progress == NULL)
        return;
    time = g_get_monotonic_time();
    if (time < machine->progress_time + PROGRESS_MICROSECONDS)
        return;
    machine->progress_time = time;
    machine->options->progress(machine->options->progress_data, launch->end,
                               (double)launch->scheduler.ended_blocks /
                                   (double)launch->scheduler.blocks);
}

/* The stop that comes first by (cycle, SM, sub-core), or NULL. */
static const WsSm *first_stopped(const WsGpuLaunch *launch)
{
    const WsSm *first = NULL;

    for (guint32 i = 0; i < launch->sm_count; i++) {
        const WsSm *sm = launch->sms[i];
        if (sm->state->stop.status != WS_STATUS_OK &&
            (first == NULL || sm->state->stop.cycle < first->state->stop.cycle))
            first = sm;
    }
    return first;
}

static WsLaunchState state_of(const WsGpuLaunch *launch)
{
    return (WsLaunchState){.sms = launch->sms,
                           .sm_count = launch->sm_count,
                           .system = launch->machine->system,
                           .not_started = launch->scheduler.blocks - launch->scheduler.next_block};
}

/* The launch ends here, with a status that ws_simulation_run() knows. */
static void end(WsGpuLaunch *launch, WsStatus status)
{
    launch->ended = TRUE;
    launch->machine->result->status = status;
}

/*
 * Opens the next window, in which nothing that one SM does can reach another: the shortest way
 * through the memory system, or from the end of a block to the first instruction of the next. FALSE
 * if the launch ends instead.
 */
static gboolean open_window(WsGpuLaunch *launch)
{
    WsMachine *machine = launch->machine;
    WsBlockScheduler *scheduler = &launch->scheduler;
    guint64 next = next_cycle(launch), length = launch->length;
    WsStatus status;

    if (ws_block_scheduler_refill(scheduler, launch->sms, next, launch->end))
        next = next_cycle(launch);
    ws_sampler_close_window(launch->sampler);
    if (next >= WS_NEVER) {
        WsLaunchState state = state_of(launch);

        ws_report_nothing_happens(&machine->result->stop, &state);
        end(launch, WS_STATUS_DEADLOCK);
        return FALSE;
    }
    /* The cycles up to the limit are there to be stopped at, though nothing happens in them. */
    if (launch->end < machine->max_cycles)
        next = MIN(next, machine->max_cycles - 1);
    status = ws_early_end(machine, &launch->prepared->context, next, &launch->end);
    if (status != WS_STATUS_OK) {
        WsLaunchState state = state_of(launch);

        ws_report_cut_off(&machine->result->stop, &state);
        end(launch, status);
        return FALSE;
    }
    if (scheduler->next_block < scheduler->blocks)
        length = MIN(length, MAX(scheduler->refill, 1));
    launch->from = next;
    launch->end = MIN(next + length, machine->max_cycles);
    launch->open = TRUE;
    return TRUE;
}

/* All SMs have run up to the end of the window: they hear of each other. */
static void close_window(WsGpuLaunch *launch, gboolean wide)
{
    WsMachine *machine = launch->machine;
    WsLaunchState state = state_of(launch);
    const WsSm *stopped;

    launch->open = FALSE;
    share_lines(launch);
    settle(launch, wide);
    if (launch->merge != NULL)
        ws_event_merge_emit(launch->merge, launch->end);
    stopped = first_stopped(launch);
    ws_gpu_take_printed(launch, stopped != NULL ? stopped->state->stop.cycle : WS_NEVER);
    if (stopped != NULL) {
        ws_report_stop(&machine->result->stop, stopped, &state);
        end(launch, stopped->state->stop.status);
        return;
    }
    if (ws_livelock_look(&launch->livelock, launch->sms, launch->end)) {
        ws_report_livelock(&machine->result->stop, &state);
        end(launch, WS_STATUS_LIVELOCK);
        return;
    }
    ws_block_scheduler_collect(&launch->scheduler, launch->sms);
    report_progress(launch);
    launch->ended = launch->scheduler.ended_blocks == launch->scheduler.blocks;
}

/* Nothing is left to run in the window but waiting for its end. */
static gboolean has_run_out(const WsGpuLaunch *launch)
{
    guint64 ended = launch->scheduler.ended_blocks;

    if (first_stopped(launch) != NULL)
        return TRUE;
    for (guint32 i = 0; i < launch->sm_count; i++)
        ended += launch->sms[i]->state->freed_count;
    return ended == launch->scheduler.blocks;
}

/*
 * A block has come to a stop for ever in the last cycle: that is a state to look at, with all SMs
 * in the same cycle.
 */
static gboolean shows_deadlock(const WsGpuLaunch *launch)
{
    const WsSm *stopped = first_stopped(launch);

    return stopped != NULL && stopped->state->stop.status == WS_STATUS_DEADLOCK &&
           stopped->state->stop.cycle + 1 == launch->until;
}

/* What is due at the cycle that the SMs have come to: responses, starts and ends. */
static void take_events(WsGpuLaunch *launch)
{
    for (guint32 i = 0; i < launch->sm_count; i++)
        if (launch->sms[i]->state->stop.status == WS_STATUS_OK)
            ws_sm_take_events(launch->sms[i], launch->until);
}

void ws_gpu_launch_advance(WsGpuLaunch *launch, guint64 until)
{
    while (!launch->ended && (launch->open || open_window(launch))) {
        gboolean wide;

        if (until < launch->end) {
            if (until > launch->until)
                run_sms(launch, until);
            if (until == launch->until)
                take_events(launch);
            if (!has_run_out(launch) || shows_deadlock(launch))
                return;
        }
        wide = run_sms(launch, launch->end);
        if (until == launch->end && shows_deadlock(launch))
            return;
        close_window(launch, wide);
    }
}
