#include "sim/gpu/gpu.h"

#include <string.h>

#include "isa/base/size.h"
#include "sim/gpu/block_scheduler.h"
#include "sim/gpu/early_end.h"
#include "sim/gpu/launch_order.h"
#include "sim/gpu/sm_pool.h"
#include "sim/observe/event_merge.h"
#include "sim/report/report.h"
#include "sim/report/statistics.h"
#include "sim/sm/livelock.h"
#include "sim/sm/watch.h"

/* Windows end early enough for progress and endless loops to be noticed. */
enum { PROGRESS_MICROSECONDS = 100000, LONGEST_WINDOW = 4096 };

/* So many requests in a window are worth the time in which host threads wait for each other. */
enum { PARALLEL_REQUESTS = 100 };

/* A launch under way. */
typedef struct {
    WsMachine *machine;
    WsLaunchContext context;
    WsDecodedProgram *decoded;
    WsSchedule *schedule;
    guint8 *constants[WS_CONSTANT_BANKS];
    WsOccupancy occupancy;
    WsSm **sms;
    guint32 sm_count;
    WsInstructionCounters *counters;
    guint32 *hazards;
    WsBlockScheduler scheduler;
    guint64 window; /* longest, for memory alone */
    WsLivelock livelock;
    WsSmPool *pool;
    WsEventMerge *merge; /* or NULL: nobody watches */
    guint64 from, end;   /* window run last */
} Launch;

/* ---- setting up --------------------------------------------------------------------------------
 */

static gboolean find_occupancy(Launch *launch, const WsLaunch *what, GError **error)
{
    const WsDevice *device = launch->machine->job->device;
    const WsKernel *kernel = what->kernel;
    WsOccupancyQuery query = {.threads = launch->context.threads_per_block,
                              .registers = kernel->registers,
                              .static_shared = kernel->static_shared_bytes,
                              .dynamic_shared = what->dynamic_shared_bytes,
                              .carveout = what->carveout,
                              .barriers = kernel->barriers};

    ws_occupancy(device, &query, &launch->occupancy);
    if (launch->occupancy.limits[WS_OCCUPANCY_WARPS] == 0 &&
        device->slot_partition == WS_SLOTS_STATIC) {
        ws_set_error(error, WS_ERROR_INPUT,
                     "kernel '%s': a block of %u warps does not fit into the %u warp slots that a "
                     "block slot of '%s' has (limits.slot_partition: static)",
                     kernel->display_name, launch->occupancy.warps_per_block,
                     ws_occupancy_slot_share(device), device->name);
        return FALSE;
    }
    if (launch->occupancy.blocks_per_sm == 0) {
        ws_set_error(error, WS_ERROR_INPUT,
                     "kernel '%s': a block of %u threads with %u registers a thread and "
                     "%" G_GUINT64_FORMAT " bytes of shared memory does not fit on an SM of '%s'",
                     kernel->display_name, query.threads, query.registers,
                     query.static_shared + query.dynamic_shared, device->name);
        return FALSE;
    }
    launch->context.warps_per_block = launch->occupancy.warps_per_block;
    launch->context.block_slots = launch->occupancy.blocks_per_sm;
    return TRUE;
}

static gboolean check_machine(const Launch *launch, GError **error)
{
    const WsDevice *device = launch->machine->job->device;

    if (device->memory_model == WS_MEMORY_FIXED && device->sms != 1) {
        ws_set_error(error, WS_ERROR_INPUT, "memory.model: 'fixed' needs a device with sms: 1");
        return FALSE;
    }
    return TRUE;
}

static gboolean decode(Launch *launch, const WsLaunch *what, GError **error)
{
    const WsJob *job = launch->machine->job;

    for (guint i = 0; i < WS_CONSTANT_BANKS; i++)
        launch->constants[i] = g_malloc0(WS_CONSTANT_BANK_BYTES);
    ws_fill_bank0(launch->constants[0], job->program, what->kernel, what->grid, what->block,
                  what->parameters);
    if (job->constant_data != NULL)
        memcpy(launch->constants[3], job->constant_data, job->program->constant_bytes);
    launch->decoded =
        ws_decode(job->program, what->kernel, job->device, what->grid, what->block,
                  what->dynamic_shared_bytes, (const guint8 *const *)launch->constants, error);
    return launch->decoded != NULL;
}

static void fill_context(Launch *launch, guint32 index)
{
    WsMachine *machine = launch->machine;
    const WsJob *job = machine->job;
    const WsLaunch *what = &job->launches[index];
    WsLaunchContext *context = &launch->context;

    context->device = job->device;
    context->program = job->program;
    context->kernel = what->kernel;
    context->divergence = ws_divergence_model(job->device->divergence);
    context->policy = ws_policy(job->device->policy);
    context->launch = what;
    context->launch_index = index;
    context->threads_per_block = (guint32)ws_size_volume(what->block);
    context->warp_slots = (guint32)job->device->max_warps_per_sm;
    context->sub_cores = (guint32)job->device->sub_cores;
    context->slot_share = ws_occupancy_slot_share(job->device);
    context->shared_bytes = (guint64)what->kernel->static_shared_bytes + what->dynamic_shared_bytes;
    context->begin = machine->cycle;
    context->spin_limit = machine->options->spin_limit;
}

/* Caches of an SM that has none yet are cold. */
static WsInstructionFetch *fetch_of(Launch *launch, guint32 number)
{
    WsMachine *machine = launch->machine;
    const WsLaunch *what = launch->context.launch;

    if (machine->fetch[number] == NULL)
        machine->fetch[number] =
            ws_instruction_fetch_new(machine->job->device, machine->job->program,
                                     machine->ranks[number], &machine->code_in_l2);
    if (machine->fetch[number] != NULL)
        ws_instruction_fetch_begin(machine->fetch[number], what->kernel, what->keep_caches,
                                   machine->cycle);
    return machine->fetch[number];
}

static WsConstantCache *constants_of(Launch *launch, guint32 number, guint32 sharing)
{
    WsMachine *machine = launch->machine;

    if (machine->constants[number] == NULL)
        machine->constants[number] = ws_constant_cache_new(
            machine->job->device, machine->ranks[number], &machine->constants_in_l2);
    if (machine->constants[number] != NULL)
        ws_constant_cache_begin(machine->constants[number], sharing);
    return machine->constants[number];
}

/* What SMs asked memory for in this window is in L2, or on its way there, for all. */
static void share_lines(Launch *launch)
{
    WsMachine *machine = launch->machine;

    if (launch->context.device->fetch_model == WS_FETCH_IDEAL)
        return;
    for (guint32 i = 0; i < launch->sm_count; i++) {
        guint32 number = launch->sms[i]->number;

        ws_line_directory_add(&machine->code_in_l2, machine->fetch[number]->asked);
        ws_line_directory_add(&machine->constants_in_l2, machine->constants[number]->asked);
    }
}

static void make_sms(Launch *launch)
{
    WsMachine *machine = launch->machine;
    const WsDevice *device = launch->context.device;
    guint64 blocks = launch->scheduler.blocks, resident;
    guint32 sharing[WS_MAX_LIST + 1] = {0}; /* SMs of the launch by GPC */

    launch->sm_count = launch->scheduler.count;
    resident = MIN(launch->occupancy.blocks_per_sm, (blocks + device->sms - 1) / device->sms);
    if (!launch->context.launch->keep_caches) {
        ws_line_directory_empty(&machine->code_in_l2);
        ws_line_directory_empty(&machine->constants_in_l2);
    }
    launch->sms = g_new0(WsSm *, launch->sm_count);
    for (guint32 i = 0; i < launch->sm_count; i++)
        sharing[ws_gpc_of(device, launch->scheduler.places[i].number)]++;
    for (guint32 i = 0; i < launch->sm_count; i++) {
        guint32 number = launch->scheduler.places[i].number;
        guint64 carveout =
            launch->context.launch->carveout >= 0
                ? launch->occupancy.carveout_bytes
                : ws_occupancy_carveout(device, resident * launch->occupancy.shared_per_block);
        WsSmMemory *memory =
            ws_sm_memory_new(machine->system, device, number, launch->context.warp_slots, carveout,
                             launch->context.kernel->local_bytes);
        launch->sms[i] =
            ws_sm_new(&launch->context, number, memory, fetch_of(launch, number),
                      constants_of(launch, number, sharing[ws_gpc_of(device, number)]));
        launch->sms[i]->index = i;
        launch->sms[i]->counters = launch->counters;
        launch->sms[i]->hazards = launch->hazards;
        if (launch->merge != NULL)
            ws_sm_watch(launch->sms[i], ws_event_merge_stream(launch->merge, i));
    }
}

static gboolean launch_init(Launch *launch, WsMachine *machine, guint32 index, GError **error)
{
    const WsJob *job = machine->job;
    const WsLaunch *what = &job->launches[index];

    *launch = (Launch){.machine = machine};
    fill_context(launch, index);
    if (!check_machine(launch, error) || !find_occupancy(launch, what, error) ||
        !decode(launch, what, error))
        return FALSE;
    launch->schedule = ws_schedule_new(job->device, launch->decoded);
    launch->context.decoded = launch->decoded;
    launch->context.schedule = launch->schedule;
    launch->context.path_bytes =
        (launch->context.divergence->bytes(launch->decoded->warp_size) + 7) & ~(gsize)7;
    launch->counters = g_new0(WsInstructionCounters, job->program->instruction_count);
    launch->hazards = g_new0(guint32, job->program->instruction_count);
    launch->end = machine->cycle;
    launch->window = MIN(ws_memory_window(job->device), LONGEST_WINDOW);
    ws_block_scheduler_init(&launch->scheduler, job->device, &launch->occupancy,
                            ws_size_volume(what->grid), machine->cycle);
    launch->merge = ws_event_merge_new(machine->options->observers, launch->scheduler.count);
    make_sms(launch);
    launch->pool =
        ws_sm_pool_new(launch->sms, launch->sm_count, machine->options->threads, launch->counters,
                       launch->hazards, job->program->instruction_count);
    ws_memory_system_split(machine->system, MIN(machine->options->threads, launch->sm_count));
    ws_livelock_init(&launch->livelock, launch->context.spin_limit, launch->sm_count);
    return TRUE;
}

static void launch_clear(Launch *launch)
{
    g_clear_pointer(&launch->pool, ws_sm_pool_free);
    for (guint32 i = 0; launch->sms != NULL && i < launch->sm_count; i++)
        ws_sm_free(launch->sms[i]);
    ws_event_merge_free(launch->merge);
    for (guint i = 0; i < WS_CONSTANT_BANKS; i++)
        g_free(launch->constants[i]);
    g_free(launch->sms);
    g_free(launch->counters);
    g_free(launch->hazards);
    ws_livelock_clear(&launch->livelock);
    ws_block_scheduler_clear(&launch->scheduler);
    ws_schedule_free(launch->schedule);
    ws_decoded_program_free(launch->decoded);
}

/* ---- windows -----------------------------------------------------------------------------------
 */

static void after_settle(const Launch *launch)
{
    for (guint32 i = 0; i < launch->sm_count; i++)
        if (launch->sms[i]->state->stop.status == WS_STATUS_OK)
            ws_sm_after_settle(launch->sms[i]);
}

/* Next cycle at which an SM has something to do, answers of memory still to come included. */
static guint64 next_cycle(const Launch *launch)
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
static void run_inspected(Launch *launch, WsSm *sm, guint64 from,
                          void (*inspect)(void *data, WsSm *sm, guint64 cycle), void *data)
{
    for (guint64 cycle = from; cycle < launch->end; cycle++) {
        ws_sm_take_events(sm, cycle);
        inspect(data, sm, cycle);
        ws_sm_run(sm, cycle + 1);
        if (sm->state->stop.status != WS_STATUS_OK)
            return;
    }
}

/* Like run_inspected(), but only cycles in which something happens and those behind them. */
static void run_watched(Launch *launch, WsSm *sm)
{
    for (guint64 cycle = launch->from; cycle < launch->end;) {
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

static void run_sm(void *data, WsSm *sm)
{
    Launch *launch = data;

    if (launch->livelock.watching)
        run_watched(launch, sm);
    ws_sm_run(sm, launch->end);
}

static void settle_share(void *data, guint32 number)
{
    Launch *launch = data;

    ws_memory_system_settle_share(launch->machine->system, number, launch->end);
}

static void collect(void *data, WsSm *sm)
{
    Launch *launch = data;

    ws_memory_system_collect(launch->machine->system, sm->number);
    if (sm->state->stop.status == WS_STATUS_OK)
        ws_sm_after_settle(sm);
}

/* On the threads of the pool if there is enough to do. */
static void settle(Launch *launch, gboolean wide)
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

/*
 * Runs the SMs from `from` on, for as long as nothing that one does can reach another: the shortest
 * way through the memory system, or from the end of a block to the first instruction of the next.
 */
static void run_window(Launch *launch, guint64 from)
{
    WsMachine *machine = launch->machine;
    guint64 length = launch->window, last = launch->end;
    gboolean wide;

    if (launch->scheduler.next_block < launch->scheduler.blocks)
        length = MIN(length, MAX(launch->scheduler.refill, 1));
    launch->end = MIN(from + length, machine->max_cycles);
    for (guint32 i = 0; i < launch->sm_count && machine->inspect != NULL; i++)
        run_inspected(launch, launch->sms[i], last, machine->inspect, machine->inspect_data);
    launch->from = from;
    wide = ws_sm_pool_run(launch->pool, launch->end, run_sm, launch);
    share_lines(launch);
    settle(launch, wide);
    if (launch->merge != NULL)
        ws_event_merge_tell(launch->merge, launch->end);
}

static void report_progress(Launch *launch)
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
static const WsSm *first_stopped(const Launch *launch)
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

static guint64 blocks_left(const Launch *launch)
{
    return launch->scheduler.blocks - launch->scheduler.next_block;
}

static WsStatus run(Launch *launch)
{
    WsMachine *machine = launch->machine;
    WsBlockScheduler *scheduler = &launch->scheduler;

    ws_block_scheduler_start(scheduler, launch->sms);
    while (scheduler->ended_blocks < scheduler->blocks) {
        guint64 next = next_cycle(launch);
        const WsSm *stopped;
        WsStatus status;

        if (ws_block_scheduler_refill(scheduler, launch->sms, next, launch->end))
            next = next_cycle(launch);
        if (next >= WS_NEVER) {
            ws_report_nothing_happens(&machine->result->stop, launch->sms, launch->sm_count,
                                      blocks_left(launch));
            return WS_STATUS_DEADLOCK;
        }
        status = ws_early_end(machine, &launch->context, next, &launch->end);
        if (status != WS_STATUS_OK)
            return status;
        run_window(launch, next);
        stopped = first_stopped(launch);
        if (stopped != NULL) {
            ws_report_stop(&machine->result->stop, stopped, machine->contents);
            return stopped->state->stop.status;
        }
        if (ws_livelock_look(&launch->livelock, launch->sms, launch->end)) {
            ws_report_livelock(&machine->result->stop, launch->sms, launch->sm_count,
                               blocks_left(launch));
            return WS_STATUS_LIVELOCK;
        }
        ws_block_scheduler_collect(scheduler, launch->sms);
        report_progress(launch);
    }
    return WS_STATUS_OK;
}

/* ---- results -----------------------------------------------------------------------------------
 */

static void settle_sms(Launch *launch)
{
    for (guint32 i = 0; i < launch->sm_count; i++) {
        WsSmState *state = launch->sms[i]->state;
        guint64 end = state->stop.status != WS_STATUS_OK ? state->stop.cycle + 1 : launch->end;
        ws_sm_settle(launch->sms[i], MAX(end, state->now));
    }
}

static void add_warnings(const Launch *launch)
{
    const WsProgram *program = launch->context.program;
    GPtrArray *warnings = launch->machine->warnings;

    for (guint32 i = 0; i < program->instruction_count; i++)
        if (launch->hazards[i] != 0)
            g_ptr_array_add(warnings, ws_report_hazard(program, i, launch->hazards[i]));
    for (guint32 i = 0; i < launch->sm_count; i++) {
        const guint32 *mixed = launch->sms[i]->state->mixed_barrier;
        if (mixed[0] != WS_NOWHERE) {
            g_ptr_array_add(warnings, ws_report_mixed_barrier(program, mixed[0], mixed[1]));
            break;
        }
    }
}

static void fill_result(Launch *launch, WsLaunchResult *ret)
{
    const WsLaunchContext *context = &launch->context;
    WsMachine *machine = launch->machine;
    guint32 count = context->program->instruction_count;
    WsCounters system = {0};

    ret->kernel = g_strdup(context->kernel->display_name);
    ret->registers_per_thread = context->kernel->registers;
    ret->instructions = g_steal_pointer(&launch->counters);
    ws_instruction_counters_finish(ret->instructions, count);
    ws_counters_from_instructions(&ret->counters, ret->instructions, count);
    for (guint32 i = 0; i < launch->sm_count; i++) {
        ws_sm_finish_losses(launch->sms[i], blocks_left(launch) != 0);
        ws_counters_add_sm(&ret->counters, launch->sms[i]);
    }
    ws_memory_system_add_counters(machine->system, &system);
    ret->counters.l2_lookups += system.l2_lookups - machine->before.l2_lookups;
    ret->counters.l2_hits += system.l2_hits - machine->before.l2_hits;
    ret->counters.dram_read_bytes += system.dram_read_bytes - machine->before.dram_read_bytes;
    ret->counters.dram_write_bytes += system.dram_write_bytes - machine->before.dram_write_bytes;
    machine->before = system;
    add_warnings(launch);
    ws_occupancy_summary(&ret->occupancy, context->device, &launch->occupancy, launch->sms,
                         launch->sm_count, &ret->counters);
    ws_counters_add_launch(&machine->result->total, &ret->counters);
    machine->cycle = context->begin + ret->counters.elapsed_cycles;
}

/* ---- observers ----------------------------------------------------------------------------------
 */

static void tell_begin(const Launch *launch)
{
    const WsLaunchContext *context = &launch->context;
    const WsDevice *device = context->device;
    WsTraceLaunch what = {.number = context->launch_index,
                          .cycle = context->begin,
                          .device = device->name,
                          .program = context->program,
                          .kernel = context->kernel,
                          .warp_size = launch->decoded->warp_size,
                          .warps_per_block = context->warps_per_block,
                          .sms = (guint32)device->sms,
                          .sub_cores = context->sub_cores,
                          .warp_slots = context->warp_slots,
                          .clock_khz = (guint32)device->clock_khz};

    memcpy(what.grid, context->launch->grid, sizeof what.grid);
    memcpy(what.block, context->launch->block, sizeof what.block);
    ws_observers_begin(launch->machine->options->observers, &what);
}

static void tell_end(const Launch *launch)
{
    if (launch->merge != NULL)
        ws_event_merge_finish(launch->merge);
    ws_observers_end(launch->machine->options->observers, launch->context.launch_index,
                     launch->machine->cycle);
}

gboolean ws_gpu_launch(WsMachine *machine, guint32 index, GError **error)
{
    Launch launch;
    gboolean ok = launch_init(&launch, machine, index, error);

    if (ok) {
        tell_begin(&launch);
        machine->result->status = run(&launch);
        g_clear_pointer(&launch.pool, ws_sm_pool_free);
        if (machine->result->status != WS_STATUS_OK)
            settle_sms(&launch);
        machine->result->stop.launch = index;
        fill_result(&launch, &machine->result->launches[index]);
        machine->result->launch_count = index + 1;
        tell_end(&launch);
    }
    launch_clear(&launch);
    return ok;
}
