#include "sim/gpu/sampler.h"

#include "sim/memory/memory_system.h"

#include "sim/report/report.h"
#include "sim/report/statistics.h"

static guint64 blocks_left(const WsGpuLaunch *launch)
{
    return launch->scheduler.blocks - launch->scheduler.next_block;
}

static void charge_sms(WsGpuLaunch *launch)
{
    for (guint32 i = 0; i < launch->sm_count; i++) {
        WsSmState *state = launch->sms[i]->state;
        guint64 end = state->stop.status != WS_STATUS_OK ? state->stop.cycle + 1 : launch->end;
        ws_sm_charge_all(launch->sms[i], MAX(end, state->now));
    }
}

static char **find_warnings(const WsGpuLaunch *launch)
{
    const WsProgram *program = launch->prepared->context.program;
    GPtrArray *warnings = g_ptr_array_new();

    for (guint32 i = 0; i < program->instruction_count; i++)
        if (launch->hazards[i] != 0)
            g_ptr_array_add(warnings, ws_report_hazard(program, i, launch->hazards[i]));
    for (guint32 i = 0; i < launch->sm_count; i++) {
        const guint32 *mixed = launch->sms[i]->state->barrier_unit.mixed;
        if (mixed[0] != WS_NOWHERE) {
            g_ptr_array_add(warnings, ws_report_mixed_barrier(program, mixed[0], mixed[1]));
            break;
        }
    }
    g_ptr_array_add(warnings, NULL);
    return (char **)g_ptr_array_free(warnings, FALSE);
}

static void fill_result(WsGpuLaunch *launch, WsLaunchResult *ret)
{
    const WsLaunchContext *context = &launch->prepared->context;
    WsMachine *machine = launch->machine;
    guint32 count = context->program->instruction_count;
    WsCounters system = {0};

    ret->kernel = g_strdup(context->kernel->display_name);
    ret->registers_per_thread = context->kernel->registers;
    ret->instructions = g_memdup2(launch->counters, count * sizeof *launch->counters);
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
    ws_print_log_copy(&launch->printed, &ret->printed);
    ret->l2_held_bytes = ws_memory_system_held_bytes(machine->system);
    ws_occupancy_summary(&ret->occupancy, context->device, &launch->prepared->occupancy,
                         launch->sms, launch->sm_count, &ret->counters);
    machine->cycle = context->begin + ret->counters.elapsed_cycles;
}

void ws_gpu_launch_finish(WsGpuLaunch *launch)
{
    WsMachine *machine = launch->machine;
    guint32 index = launch->prepared->context.launch_index;

    g_clear_pointer(&launch->pool, ws_sm_pool_free);
    if (machine->result->status != WS_STATUS_OK)
        charge_sms(launch);
    if (launch->sampler != NULL)
        ws_sampler_finish(launch->sampler);
    machine->result->stop.launch = index;
    ws_launch_result_clear(&machine->result->launches[index]);
    fill_result(launch, &machine->result->launches[index]);
    g_strfreev(machine->warnings[index]);
    machine->warnings[index] = find_warnings(launch);
    machine->result->launch_count = index + 1;
    /* What stores were under way is in the buffers; counted it is with the launch that follows. */
    ws_memory_system_drain(machine->system);
    if (launch->merge != NULL)
        ws_event_merge_finish(launch->merge);
    ws_observers_end(machine->options->observers, index, machine->cycle);
}
