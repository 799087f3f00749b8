#include "sim/device/ideal_device.h"
#include "sim/gpu/stepping.h"

#include "isa/base/size.h"
#include "sim/base/page_store.h"
#include "sim/gpu/early_end.h"
#include "sim/gpu/gpu.h"
#include "sim/gpu/launch_order.h"
#include "sim/gpu/machine_memory.h"
#include "sim/gpu/reference_run.h"
#include "sim/gpu/sampler.h"
#include "sim/memory/global_memory.h"
#include "sim/report/expect.h"
#include "sim/report/region_watch.h"
#include "sim/report/statistics.h"
#include "sim/sm/watch.h"

enum { DEFAULT_MAX_CYCLES = 1000000000, DEFAULT_SPIN_LIMIT = 100000 };
enum { SECTOR_WORK = 4 }; /* of the host, in warp instructions */

struct WsSimulation {
    WsJob *job;
    WsRunOptions options;
    WsStateArena *arena;          /* or NULL: not savable */
    WsMachine *machine;           /* in the arena */
    WsPageStore pages;            /* of saved states */
    WsEventStream tap;            /* what taps the SMs; kinds 0 = nothing does */
    WsRegionWatch *regions;       /* or NULL: the job has none, or nobody observes */
    const WsObserver **observers; /* the caller's and that one; NULL-terminated */
};

struct WsSavedState {
    WsPageCopy *state;
    WsPageCopy **regions; /* of global memory, in its order */
    guint32 region_count;
};

void ws_run_options_init(WsRunOptions *ret)
{
    *ret = (WsRunOptions){
        .max_cycles = DEFAULT_MAX_CYCLES, .spin_limit = DEFAULT_SPIN_LIMIT, .threads = 1};
}

static WsRunOptions with_defaults(const WsRunOptions *options)
{
    WsRunOptions filled;

    ws_run_options_init(&filled);
    if (options == NULL)
        return filled;
    filled = *options;
    if (filled.max_cycles == 0)
        filled.max_cycles = DEFAULT_MAX_CYCLES;
    if (filled.spin_limit == 0)
        filled.spin_limit = DEFAULT_SPIN_LIMIT;
    return filled;
}

/* ---- life ---------------------------------------------------------------------------------------
 */

/* Blocks of the largest launch. */
static guint64 most_blocks(const WsJob *job)
{
    guint64 most = 0;

    for (guint32 i = 0; i < job->launch_count; i++)
        most = MAX(most, ws_size_volume(job->launches[i].grid));
    return most;
}

static WsMachine *machine_new(WsSimulation *simulation)
{
    WsStateArena *arena = simulation->arena;
    WsJob *job = simulation->job;
    WsMachine *machine = ws_state_new(arena, WsMachine, 1);

    machine->arena = arena;
    machine->job = job;
    machine->ideal = ws_ideal_device_new(job->device);
    machine->device = machine->ideal != NULL ? machine->ideal : job->device;
    machine->options = &simulation->options;
    machine->max_cycles = simulation->options.max_cycles;
    machine->time_limit = ws_time_limit(simulation->options.max_seconds);
    machine->result = g_new0(WsResult, 1);
    machine->result->launches = g_new0(WsLaunchResult, MAX(job->launch_count, 1));
    machine->warnings = g_new0(char **, MAX(job->launch_count, 1));
    machine->prepared = g_new0(WsPreparedLaunch *, MAX(job->launch_count, 1));
    machine->contents = ws_global_memory_new(job);
    machine->system = ws_memory_system_new(machine->device, machine->contents, arena);
    machine->ranks = ws_launch_ranks(machine->device, most_blocks(job));
    machine->fetch = ws_state_new(arena, WsInstructionFetch *, job->device->sms);
    machine->constants = ws_state_new(arena, WsConstantCache *, job->device->sms);
    ws_line_directory_init(&machine->code_in_l2, arena, ws_instruction_fetch_lines(job->program));
    ws_line_directory_init(&machine->constants_in_l2, arena, WS_CONSTANT_L15_LINES);
    machine->over = job->launch_count == 0;
    return machine;
}

/* Of launches that have ended in another state than the last one. */
static void drop_spare_results(const WsMachine *machine, WsResult *result)
{
    for (guint32 i = result->launch_count; i < machine->job->launch_count; i++)
        ws_launch_result_clear(&result->launches[i]);
}

static void machine_free(WsMachine *machine)
{
    const WsJob *job = machine->job;

    if (machine->result != NULL)
        drop_spare_results(machine, machine->result);
    ws_gpu_launch_free(machine->launch);
    for (guint64 i = 0; i < job->device->sms; i++) {
        ws_instruction_fetch_free(machine->fetch[i]);
        ws_constant_cache_free(machine->constants[i]);
    }
    for (guint32 i = 0; i < job->launch_count; i++) {
        ws_prepared_launch_free(machine->prepared[i]);
        g_strfreev(machine->warnings[i]);
    }
    g_free(machine->prepared);
    g_free(machine->warnings);
    g_free(machine->ranks);
    ws_state_free(machine->arena, machine->fetch);
    ws_state_free(machine->arena, machine->constants);
    ws_line_directory_clear(&machine->code_in_l2);
    ws_line_directory_clear(&machine->constants_in_l2);
    ws_memory_system_free(machine->system);
    ws_global_memory_free(machine->contents);
    ws_result_free(machine->result);
    g_free(machine->ideal);
    ws_state_free(machine->arena, machine);
}

static void watch_regions(WsSimulation *simulation)
{
    const WsObserver *const *given = simulation->options.observers;
    guint count = 0;

    simulation->regions = ws_region_watch_new(simulation->job);
    if (simulation->regions == NULL)
        return;
    while (given != NULL && given[count] != NULL)
        count++;
    simulation->observers = g_new0(const WsObserver *, count + 2);
    for (guint i = 0; i < count; i++)
        simulation->observers[i] = given[i];
    simulation->observers[count] = ws_region_watch_observer(simulation->regions);
    simulation->options.observers = simulation->observers;
}

WsSimulation *ws_simulation_new(WsJob *job, const WsRunOptions *options, gboolean savable,
                                GError **error)
{
    WsRunOptions filled = with_defaults(options);
    WsStateArena *arena = NULL;
    WsSimulation *simulation;

    for (guint32 i = 0; i < job->launch_count; i++)
        if (!ws_machine_memory_check(job, &job->launches[i], filled.threads, error))
            return NULL;
    const WsTimeLimit time_limit = ws_time_limit(filled.max_seconds);
    if (!ws_reference_launches_run(job, &time_limit, filled.interrupt, error))
        return NULL;
    if (savable) {
        arena = ws_state_arena_new();
        if (arena == NULL) {
            ws_set_error(error, WS_ERROR_LIMIT, "the host has no room for the state of a run");
            return NULL;
        }
    }
    simulation = g_new0(WsSimulation, 1);
    simulation->job = job;
    simulation->options = filled;
    if (savable) {
        simulation->options.observers = NULL;
        simulation->options.sampling = NULL;
    } else {
        watch_regions(simulation);
    }
    simulation->arena = arena;
    simulation->machine = machine_new(simulation);
    return simulation;
}

void ws_simulation_free(WsSimulation *simulation)
{
    if (simulation == NULL)
        return;
    machine_free(simulation->machine);
    ws_state_arena_free(simulation->arena);
    ws_region_watch_free(simulation->regions);
    g_free(simulation->observers);
    g_free(simulation);
}

/* ---- tapping ------------------------------------------------------------------------------------
 */

static void tap_sms(WsSimulation *simulation)
{
    const WsGpuLaunch *launch = simulation->machine->launch;

    for (guint32 i = 0; launch != NULL && i < launch->sm_count; i++)
        ws_sm_watch(launch->sms[i], &simulation->tap);
}

void ws_simulation_tap(WsSimulation *simulation, guint64 kinds, WsTap tap, void *data)
{
    g_assert(simulation->arena != NULL);
    ws_simulation_untap(simulation);
    simulation->tap = (WsEventStream){.kinds = kinds, .tap = tap, .tap_data = data};
    if (kinds != 0)
        tap_sms(simulation);
}

void ws_simulation_untap(WsSimulation *simulation)
{
    const WsGpuLaunch *launch = simulation->machine->launch;

    if (simulation->tap.kinds == 0)
        return;
    simulation->tap.kinds = 0;
    for (guint32 i = 0; launch != NULL && i < launch->sm_count; i++)
        g_clear_pointer(&launch->sms[i]->watch, ws_sm_watch_free);
}

/* ---- running ------------------------------------------------------------------------------------
 */

/* The launch has run; the next one begins when somebody wants a cycle of it. */
static void end_launch(WsMachine *machine)
{
    ws_gpu_launch_finish(machine->launch);
    machine->over =
        machine->result->status != WS_STATUS_OK || machine->index + 1 == machine->job->launch_count;
}

static gboolean begin_next_launch(WsSimulation *simulation, GError **error)
{
    WsMachine *machine = simulation->machine;

    if (machine->launch != NULL) {
        g_clear_pointer(&machine->launch, ws_gpu_launch_free);
        machine->index++;
        if (!machine->job->launches[machine->index].keep_caches)
            ws_memory_system_flush(machine->system);
    }
    if (!ws_gpu_launch_begin(machine, error))
        return FALSE;
    if (simulation->tap.kinds != 0)
        tap_sms(simulation);
    return TRUE;
}

/* Runs the cycles of the launch before `cycle`, and takes its samples on the way. FALSE: it ended.
 */
static gboolean run_launch(WsGpuLaunch *launch, guint64 cycle)
{
    guint64 next;

    for (;;) {
        next = ws_sampler_next(launch->sampler);
        ws_gpu_launch_advance(launch, MIN(cycle, next));
        if (launch->ended)
            return FALSE;
        if (next > cycle)
            return TRUE;
        ws_sampler_take(launch->sampler);
    }
}

gboolean ws_simulation_advance(WsSimulation *simulation, guint64 cycle, GError **error)
{
    WsMachine *machine = simulation->machine;

    while (!machine->over) {
        if ((machine->launch == NULL || machine->launch->ended) &&
            !begin_next_launch(simulation, error))
            return FALSE;
        if (run_launch(machine->launch, cycle))
            return TRUE;
        end_launch(machine);
    }
    return TRUE;
}

gboolean ws_simulation_is_over(const WsSimulation *simulation)
{
    return simulation->machine->over;
}

guint64 ws_simulation_end(const WsSimulation *simulation)
{
    const WsMachine *machine = simulation->machine;
    const WsResult *result = machine->result;

    if (result->status == WS_STATUS_OK)
        return machine->cycle;
    /* An instruction that completes a deadlock has done what it does; a fault is seen before. */
    return result->stop.cycle +
           (result->status == WS_STATUS_DEADLOCK && result->stop.instruction >= 0);
}

const WsResult *ws_simulation_result(const WsSimulation *simulation)
{
    return simulation->machine->result;
}

guint32 ws_simulation_launch(const WsSimulation *simulation)
{
    return simulation->machine->index;
}

WsSm *const *ws_simulation_sms(const WsSimulation *simulation, guint32 *ret_count)
{
    const WsGpuLaunch *launch = simulation->machine->launch;

    *ret_count = launch != NULL ? launch->sm_count : 0;
    return launch != NULL ? launch->sms : NULL;
}

const WsGpuLaunch *ws_simulation_gpu_launch(const WsSimulation *simulation)
{
    return simulation->machine->launch;
}

const WsGlobalMemory *ws_simulation_contents(const WsSimulation *simulation)
{
    return simulation->machine->contents;
}

WsMemorySystem *ws_simulation_memory(const WsSimulation *simulation)
{
    return simulation->machine->system;
}

guint64 ws_simulation_next_block(const WsSimulation *simulation)
{
    const WsGpuLaunch *launch = simulation->machine->launch;

    return launch != NULL ? launch->scheduler.next_block : 0;
}

const WsInstructionCounters *ws_simulation_counters(const WsSimulation *simulation)
{
    const WsGpuLaunch *launch = simulation->machine->launch;

    return launch != NULL ? launch->counters : NULL;
}

static guint64 work_of(const WsInstructionCounters *counters, guint32 count)
{
    guint64 work = 0;

    for (guint32 i = 0; i < count; i++)
        work += counters[i].issued + SECTOR_WORK * counters[i].sectors;
    return work;
}

guint64 ws_simulation_work(const WsSimulation *simulation)
{
    const WsMachine *machine = simulation->machine;
    guint32 count = machine->job->program->instruction_count;
    guint64 work = 0;

    for (guint32 i = 0; i < machine->index; i++)
        work += work_of(machine->result->launches[i].instructions, count);
    return machine->launch != NULL ? work + work_of(machine->launch->counters, count) : work;
}

static char **all_warnings(const WsMachine *machine, guint32 launches)
{
    GPtrArray *all = g_ptr_array_new();
    char **of_device = machine->job->device->warnings;

    for (; of_device != NULL && *of_device != NULL; of_device++)
        g_ptr_array_add(all, g_strdup(*of_device));
    for (guint32 i = 0; i < launches; i++)
        for (char **warning = machine->warnings[i]; *warning != NULL; warning++)
            g_ptr_array_add(all, g_strdup(*warning));
    g_ptr_array_add(all, NULL);
    return (char **)g_ptr_array_free(all, FALSE);
}

WsResult *ws_simulation_finish(WsSimulation *simulation)
{
    WsMachine *machine = simulation->machine;
    WsResult *result = g_steal_pointer(&machine->result);

    result->total = (WsCounters){0};
    for (guint32 i = 0; i < result->launch_count; i++)
        ws_counters_add_launch(&result->total, &result->launches[i].counters);
    result->warnings = all_warnings(machine, result->launch_count);
    drop_spare_results(machine, result);
    if (simulation->regions != NULL)
        result->regions = ws_region_watch_results(simulation->regions, result);
    if (result->status == WS_STATUS_OK) /* a run that stopped early has no results to check */
        ws_expectations_check(simulation->job, result);
    return result;
}

WsResult *ws_simulation_run(WsJob *job, const WsRunOptions *options, GError **error)
{
    return ws_simulation_run_inspected(job, options, NULL, NULL, error);
}

WsResult *ws_simulation_run_inspected(WsJob *job, const WsRunOptions *options,
                                      void (*inspect)(void *data, WsSm *sm, guint64 cycle),
                                      void *data, GError **error)
{
    g_autoptr(WsSimulation) simulation = ws_simulation_new(job, options, FALSE, error);

    if (simulation == NULL)
        return NULL;
    simulation->machine->inspect = inspect;
    simulation->machine->inspect_data = data;
    if (!ws_simulation_advance(simulation, G_MAXUINT64, error))
        return NULL;
    return ws_simulation_finish(simulation);
}

/* ---- saved states -------------------------------------------------------------------------------
 */

/* Copies the arena as it is while nothing taps the SMs. */
static WsPageCopy *save_arena(WsSimulation *simulation, const WsPageCopy *before)
{
    const WsGpuLaunch *launch = simulation->machine->launch;
    guint32 count = launch != NULL && simulation->tap.kinds != 0 ? launch->sm_count : 0;
    g_autofree WsSmWatch **watches = g_new(WsSmWatch *, count + 1);
    const guint8 *range;
    WsPageCopy *copy;
    gsize bytes;

    for (guint32 i = 0; i < count; i++)
        watches[i] = g_steal_pointer(&launch->sms[i]->watch);
    range = ws_state_arena_range(simulation->arena, &bytes);
    copy = ws_page_copy_new(&simulation->pages, range, bytes, before);
    for (guint32 i = 0; i < count; i++)
        launch->sms[i]->watch = watches[i];
    return copy;
}

WsSavedState *ws_simulation_save(WsSimulation *simulation, const WsSavedState *before)
{
    const WsGlobalMemory *contents = simulation->machine->contents;
    WsSavedState *saved = g_new0(WsSavedState, 1);

    g_assert(simulation->arena != NULL && !simulation->machine->over);
    saved->state = save_arena(simulation, before != NULL ? before->state : NULL);
    saved->region_count = ws_global_memory_region_count(contents);
    saved->regions = g_new0(WsPageCopy *, saved->region_count);
    for (guint32 i = 0; i < saved->region_count; i++) {
        const WsRegion *region = ws_global_memory_region(contents, i);

        saved->regions[i] = ws_page_copy_new(&simulation->pages, region->data, region->bytes,
                                             before != NULL ? before->regions[i] : NULL);
    }
    return saved;
}

/* The run is not over, and what launches that end have to tell does not change. */
static void set_back_result(WsMachine *machine)
{
    WsResult *result = machine->result;

    result->launch_count = machine->index;
    result->status = WS_STATUS_OK;
    ws_stop_clear(&result->stop);
}

void ws_simulation_restore(WsSimulation *simulation, const WsSavedState *state)
{
    const WsGlobalMemory *contents = simulation->machine->contents;
    gsize bytes;
    guint8 *range = ws_state_arena_range(simulation->arena, &bytes);

    ws_simulation_untap(simulation);
    ws_state_arena_cut(simulation->arena, ws_page_copy_length(state->state));
    ws_page_copy_restore(state->state, range);
    for (guint32 i = 0; i < state->region_count; i++)
        ws_page_copy_restore(state->regions[i], ws_global_memory_region(contents, i)->data);
    set_back_result(simulation->machine);
}

void ws_saved_state_free(WsSavedState *state)
{
    if (state == NULL)
        return;
    ws_page_copy_free(state->state);
    for (guint32 i = 0; i < state->region_count; i++)
        ws_page_copy_free(state->regions[i]);
    g_free(state->regions);
    g_free(state);
}

gsize ws_simulation_saved_bytes(const WsSimulation *simulation)
{
    return simulation->pages.bytes;
}

gsize ws_simulation_state_bytes(const WsSimulation *simulation)
{
    const WsGlobalMemory *contents = simulation->machine->contents;
    gsize bytes;

    ws_state_arena_range(simulation->arena, &bytes);
    for (guint32 i = 0; i < ws_global_memory_region_count(contents); i++)
        bytes += ws_global_memory_region(contents, i)->bytes;
    return bytes;
}
