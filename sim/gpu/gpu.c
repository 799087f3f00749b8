#include "sim/gpu/gpu.h"

#include <string.h>

#include "isa/base/size.h"
#include "sim/gpu/launch_order.h"
#include "sim/gpu/sampler.h"
#include "sim/memory/last_writers.h"
#include "sim/sm/watch.h"

/* Windows end early enough for progress and endless loops to be noticed. */
enum { LONGEST_WINDOW = 4096 };

/* Caches of an SM that has none yet are cold. */
static WsInstructionFetch *fetch_of(WsGpuLaunch *launch, guint32 number)
{
    WsMachine *machine = launch->machine;
    const WsLaunch *what = launch->prepared->context.launch;

    if (machine->fetch[number] == NULL)
        machine->fetch[number] =
            ws_instruction_fetch_new(machine->device, machine->job->program, machine->ranks[number],
                                     &machine->code_in_l2, machine->arena);
    if (machine->fetch[number] != NULL)
        ws_instruction_fetch_begin(machine->fetch[number], what->kernel, what->keep_caches,
                                   machine->cycle);
    return machine->fetch[number];
}

static WsConstantCache *constants_of(WsGpuLaunch *launch, guint32 number, guint32 sharing)
{
    WsMachine *machine = launch->machine;

    if (machine->constants[number] == NULL)
        machine->constants[number] = ws_constant_cache_new(
            machine->device, machine->ranks[number], &machine->constants_in_l2, machine->arena);
    if (machine->constants[number] != NULL)
        ws_constant_cache_begin(machine->constants[number], sharing);
    return machine->constants[number];
}

/* The shared part of the unified array on every SM of the launch, in bytes. */
static guint64 carveout_of(const WsGpuLaunch *launch)
{
    const WsPreparedLaunch *prepared = launch->prepared;
    const WsDevice *device = prepared->context.device;
    guint64 blocks = launch->scheduler.blocks;
    guint64 resident =
        MIN(prepared->occupancy.blocks_per_sm, (blocks + device->sms - 1) / device->sms);

    if (prepared->context.launch->carveout >= 0)
        return prepared->occupancy.carveout_bytes;
    return ws_occupancy_carveout(device, resident * prepared->occupancy.shared_per_block);
}

static WsSm *make_sm(WsGpuLaunch *launch, guint32 index, const guint32 *sharing)
{
    WsMachine *machine = launch->machine;
    const WsLaunchContext *context = &launch->prepared->context;
    guint32 number = launch->scheduler.places[index].number;
    WsSmMemory *memory =
        ws_sm_memory_new(machine->system, context->device, number, context->warp_slots,
                         carveout_of(launch), ws_launch_local_bytes(context->launch));
    WsSm *sm = ws_sm_new(context, machine->arena, number, memory, fetch_of(launch, number),
                         constants_of(launch, number, sharing[ws_gpc_of(context->device, number)]));

    sm->index = index;
    sm->counters = launch->counters;
    sm->hazards = launch->hazards;
    if (launch->merge != NULL)
        ws_sm_watch(sm, ws_event_merge_stream(launch->merge, index));
    return sm;
}

static void make_sms(WsGpuLaunch *launch)
{
    WsMachine *machine = launch->machine;
    const WsLaunchContext *context = &launch->prepared->context;
    guint32 sharing[WS_MAX_LIST + 1] = {0}; /* SMs of the launch by GPC */

    launch->sm_count = launch->scheduler.count;
    if (!context->launch->keep_caches) {
        ws_line_directory_empty(&machine->code_in_l2);
        ws_line_directory_empty(&machine->constants_in_l2);
    }
    launch->sms = ws_state_new(machine->arena, WsSm *, launch->sm_count);
    for (guint32 i = 0; i < launch->sm_count; i++)
        sharing[ws_gpc_of(context->device, launch->scheduler.places[i].number)]++;
    for (guint32 i = 0; i < launch->sm_count; i++)
        launch->sms[i] = make_sm(launch, i, sharing);
}

/* What never changes of the launch, made if it is not there from an earlier run of it. */
static const WsPreparedLaunch *prepare(WsMachine *machine, GError **error)
{
    WsPreparedLaunch **place = &machine->prepared[machine->index];

    if (*place == NULL)
        *place = ws_prepared_launch_new(machine->job, machine->device, machine->options,
                                        machine->index, machine->cycle, error);
    return *place;
}

/* Host threads, where the state need not stay where it is. */
static WsSmPool *make_pool(WsGpuLaunch *launch)
{
    WsMachine *machine = launch->machine;

    if (machine->arena != NULL)
        return NULL;
    return ws_sm_pool_new(launch->sms, launch->sm_count, machine->options->threads,
                          launch->counters, launch->hazards,
                          machine->job->program->instruction_count);
}

static void emit_begin(const WsGpuLaunch *launch)
{
    const WsLaunchContext *context = &launch->prepared->context;
    const WsDevice *device = context->device;
    WsTraceLaunch what = {.number = context->launch_index,
                          .cycle = context->begin,
                          .device = device->name,
                          .program = context->program,
                          .kernel = context->kernel,
                          .warp_size = context->decoded->warp_size,
                          .warps_per_block = context->warps_per_block,
                          .sms = (guint32)device->sms,
                          .sub_cores = context->sub_cores,
                          .warp_slots = context->warp_slots,
                          .clock_khz = (guint32)device->clock_khz};

    memcpy(what.grid, context->launch->grid, sizeof what.grid);
    memcpy(what.block, context->launch->block, sizeof what.block);
    ws_observers_begin(launch->machine->options->observers, &what);
}

gboolean ws_gpu_launch_begin(WsMachine *machine, GError **error)
{
    const WsPreparedLaunch *prepared = prepare(machine, error);
    guint32 instructions = machine->job->program->instruction_count;
    guint32 shares = machine->arena != NULL ? 1 : machine->options->threads;
    WsGpuLaunch *launch;

    if (prepared == NULL)
        return FALSE;
    launch = ws_state_new(machine->arena, WsGpuLaunch, 1);
    machine->launch = launch;
    launch->machine = machine;
    launch->prepared = prepared;
    launch->counters = ws_state_new(machine->arena, WsInstructionCounters, instructions);
    launch->hazards = ws_state_new(machine->arena, guint32, instructions);
    launch->end = launch->until = machine->cycle;
    launch->length = MIN(ws_memory_window(machine->device), LONGEST_WINDOW);
    ws_block_scheduler_init(&launch->scheduler, machine->arena, machine->device,
                            &prepared->occupancy, ws_size_volume(prepared->context.launch->grid),
                            machine->cycle);
    ws_print_log_init(&launch->printed, machine->arena, machine->device->printf_bytes);
    launch->merge = ws_event_merge_new(machine->options->observers, launch->scheduler.count);
    make_sms(launch);
    launch->pool = make_pool(launch);
    ws_memory_system_split(machine->system, MIN(shares, launch->sm_count));
    ws_memory_system_keep_writers(machine->system, prepared->polls);
    ws_livelock_init(&launch->livelock, machine->arena, machine->system,
                     prepared->context.spin_limit, launch->sm_count);
    launch->sampler = ws_sampler_new(launch, machine->options->sampling);
    emit_begin(launch);
    ws_block_scheduler_start(&launch->scheduler, launch->sms);
    return TRUE;
}

void ws_gpu_launch_free(WsGpuLaunch *launch)
{
    WsMachine *machine;
    WsPreparedLaunch **prepared;

    if (launch == NULL)
        return;
    machine = launch->machine;
    prepared = &machine->prepared[launch->prepared->context.launch_index];
    g_clear_pointer(&launch->pool, ws_sm_pool_free);
    g_clear_pointer(&launch->sampler, ws_sampler_free);
    for (guint32 i = 0; i < launch->sm_count; i++)
        ws_sm_free(launch->sms[i]);
    ws_event_merge_free(launch->merge);
    ws_state_free(machine->arena, launch->sms);
    ws_state_free(machine->arena, launch->counters);
    ws_state_free(machine->arena, launch->hazards);
    ws_livelock_clear(&launch->livelock);
    ws_print_log_clear(&launch->printed);
    ws_block_scheduler_clear(&launch->scheduler);
    ws_state_free(machine->arena, launch);
    if (machine->arena == NULL)
        g_clear_pointer(prepared, ws_prepared_launch_free);
}
