#include "inspect/profile/simulated_launch.h"

#include <string.h>

char *ws_opcode_family(const char *opcode)
{
    return g_strndup(opcode, strcspn(opcode, "."));
}

static void add(WsInstructionSums *sums, const WsInstructionCounters *counters)
{
    sums->issued += counters->issued;
    sums->lanes += counters->lanes;
    sums->lanes_on += counters->lanes_on;
    sums->sectors += counters->sectors;
    sums->extra_sectors += counters->extra_sectors;
    sums->extra_wavefronts += counters->extra_wavefronts;
}

static WsInstructionSums *opcode_sums(GHashTable *opcodes, const WsInstruction *instruction)
{
    char *name = ws_opcode_family(ws_opcode_info(instruction->opcode)->mnemonic);
    WsInstructionSums *sums = g_hash_table_lookup(opcodes, name);

    if (sums != NULL) {
        g_free(name);
        return sums;
    }
    sums = g_new0(WsInstructionSums, 1);
    g_hash_table_insert(opcodes, name, sums);
    return sums;
}

static void add_instructions(WsSimulatedLaunch *launch)
{
    const WsProgram *program = launch->job->program;

    for (guint32 i = 0; i < program->instruction_count; i++) {
        const WsInstructionCounters *counters = &launch->result->instructions[i];
        WsClass class;

        if (counters->issued == 0)
            continue;
        class = ws_instruction_class(&program->instructions[i]);
        add(&launch->classes[class], counters);
        add(&launch->pipes[ws_class_pipe(class)], counters);
        add(opcode_sums(launch->opcodes, &program->instructions[i]), counters);
    }
}

WsSimulatedLaunch *ws_simulated_launch_new(const WsJob *job, const WsResult *result, guint32 index)
{
    enum { KHZ = 1000 };
    WsSimulatedLaunch *launch = g_new0(WsSimulatedLaunch, 1);
    WsOccupancyQuery query;

    launch->job = job;
    launch->device = job->device;
    launch->launch = &job->launches[index];
    launch->result = &result->launches[index];
    launch->counters = &launch->result->counters;
    launch->opcodes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    launch->sms = (double)job->device->sms;
    launch->sub_cores = (double)job->device->sub_cores;
    launch->active = (double)launch->counters->active_sm_cycles / launch->sms;
    launch->elapsed = (double)launch->counters->elapsed_cycles;
    launch->seconds = launch->elapsed / (double)job->device->clock_khz / KHZ;
    query = ws_launch_occupancy_query(launch->launch);
    ws_occupancy(job->device, &query, &launch->occupancy);
    add_instructions(launch);
    return launch;
}

void ws_simulated_launch_free(WsSimulatedLaunch *launch)
{
    if (launch == NULL)
        return;
    g_hash_table_unref(launch->opcodes);
    g_free(launch);
}

const WsInstructionSums *ws_simulated_opcode(const WsSimulatedLaunch *launch, const char *opcode)
{
    static const WsInstructionSums none = {0};
    const WsInstructionSums *sums = g_hash_table_lookup(launch->opcodes, opcode);

    return sums != NULL ? sums : &none;
}
