#include "sim/gpu/prepared_launch.h"

#include <string.h>

#include "isa/base/size.h"

gboolean ws_launch_occupancy(const WsDevice *device, const WsLaunch *launch, WsOccupancy *ret,
                             GError **error)
{
    const WsKernel *kernel = launch->kernel;
    const WsOccupancyQuery query = ws_launch_occupancy_query(launch);

    ws_occupancy(device, &query, ret);
    if (ret->limits[WS_OCCUPANCY_WARPS] == 0 && device->slot_partition == WS_SLOTS_STATIC) {
        ws_set_error(error, WS_ERROR_INPUT,
                     "kernel '%s': a block of %u warps does not fit into the %u warp slots that a "
                     "block slot of '%s' has (limits.slot_partition: static)",
                     kernel->display_name, ret->warps_per_block, ws_occupancy_slot_share(device),
                     device->name);
        return FALSE;
    }
    if (ret->blocks_per_sm == 0) {
        ws_set_error(error, WS_ERROR_INPUT,
                     "kernel '%s': a block of %u threads with %u registers a thread and "
                     "%" G_GUINT64_FORMAT " bytes of shared memory does not fit on an SM of '%s'",
                     kernel->display_name, query.threads, query.registers,
                     query.static_shared + query.dynamic_shared, device->name);
        return FALSE;
    }
    return TRUE;
}

static gboolean find_occupancy(WsPreparedLaunch *launch, GError **error)
{
    WsLaunchContext *context = &launch->context;

    if (!ws_launch_occupancy(context->device, context->launch, &launch->occupancy, error))
        return FALSE;
    context->warps_per_block = launch->occupancy.warps_per_block;
    context->block_slots = launch->occupancy.blocks_per_sm;
    return TRUE;
}

static gboolean check_machine(const WsDevice *device, GError **error)
{
    if (device->memory_model == WS_MEMORY_FIXED && device->sms != 1) {
        ws_set_error(error, WS_ERROR_INPUT, "memory.model: 'fixed' needs a device with sms: 1");
        return FALSE;
    }
    return TRUE;
}

static gboolean decode(WsPreparedLaunch *launch, const WsJob *job, GError **error)
{
    const WsLaunch *what = launch->context.launch;

    for (guint i = 0; i < WS_CONSTANT_BANKS; i++)
        launch->constants[i] = g_malloc0(WS_CONSTANT_BANK_BYTES);
    ws_fill_bank0(launch->constants[0], job->program, what->kernel, what->grid, what->block,
                  what->parameters);
    if (job->constant_data != NULL)
        memcpy(launch->constants[3], job->constant_data, job->program->constant_bytes);
    launch->decoded =
        ws_decode(job->program, what->kernel, launch->context.device, what->grid, what->block,
                  what->dynamic_shared_bytes, (const guint8 *const *)launch->constants, error);
    return launch->decoded != NULL;
}

static void fill_context(WsLaunchContext *context, const WsJob *job, const WsDevice *device,
                         const WsRunOptions *options, guint32 index, guint64 begin)
{
    const WsLaunch *what = &job->launches[index];

    context->device = device;
    context->program = job->program;
    context->kernel = what->kernel;
    context->divergence = ws_divergence_model(device->divergence);
    context->policy = ws_policy(device->policy);
    context->launch = what;
    context->launch_index = index;
    context->threads_per_block = (guint32)ws_size_volume(what->block);
    context->warp_slots = (guint32)device->max_warps_per_sm;
    context->sub_cores = (guint32)device->sub_cores;
    context->slot_share = ws_occupancy_slot_share(device);
    context->shared_bytes = (guint64)what->kernel->static_shared_bytes + what->dynamic_shared_bytes;
    context->begin = begin;
    context->spin_limit = options->spin_limit;
}

/* Loops in which threads wait for each other, and which instructions they wait by. */
static void find_spin_loops(WsPreparedLaunch *launch)
{
    const WsProgram *program = launch->context.program;
    const WsKernel *kernel = launch->context.kernel;

    launch->spin = ws_spin_loops_new(program->instructions, kernel->first, kernel->count);
    if (launch->spin->reads->len == 0) {
        g_clear_pointer(&launch->spin, ws_spin_loops_free);
        return;
    }
    launch->polls = g_new0(guint8, program->instruction_count);
    for (guint i = 0; i < launch->spin->reads->len; i++) {
        const GArray *reads = g_ptr_array_index(launch->spin->reads, i);

        for (guint k = 0; k < reads->len; k++)
            launch->polls[g_array_index(reads, guint32, k)] = TRUE;
    }
    launch->context.spin = launch->spin;
}

WsPreparedLaunch *ws_prepared_launch_new(const WsJob *job, const WsDevice *device,
                                         const WsRunOptions *options, guint32 index, guint64 begin,
                                         GError **error)
{
    g_autoptr(WsPreparedLaunch) launch = g_new0(WsPreparedLaunch, 1);
    WsLaunchContext *context = &launch->context;

    fill_context(context, job, device, options, index, begin);
    if (!check_machine(device, error) || !find_occupancy(launch, error) ||
        !decode(launch, job, error))
        return NULL;
    if (device->policy == WS_POLICY_FILE) {
        if (job->policy == NULL) {
            ws_set_error(error, WS_ERROR_INPUT, "policy: '%s' was not loaded", device->policy_file);
            return NULL;
        }
        launch->policy_code = ws_policy_code_new(job->policy, device, error);
        if (launch->policy_code == NULL)
            return NULL;
    }
    launch->issue_table = ws_issue_table_new(device, launch->decoded);
    find_spin_loops(launch);
    context->policy_code = launch->policy_code;
    context->decoded = launch->decoded;
    context->issue_table = launch->issue_table;
    context->path_bytes = (context->divergence->bytes(launch->decoded->warp_size) + 7) & ~(gsize)7;
    return g_steal_pointer(&launch);
}

void ws_prepared_launch_free(WsPreparedLaunch *launch)
{
    if (launch == NULL)
        return;
    for (guint i = 0; i < WS_CONSTANT_BANKS; i++)
        g_free(launch->constants[i]);
    ws_issue_table_free(launch->issue_table);
    ws_spin_loops_free(launch->spin);
    g_free(launch->polls);
    ws_policy_code_free(launch->policy_code);
    ws_decoded_program_free(launch->decoded);
    g_free(launch);
}
