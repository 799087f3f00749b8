/* LDSM in an SM: checks, values, time. */
#include "sim/memory/matrix_load.h"
#include "sim/memory/sm_memory.h"

static void set_fault(WsIssue *issue, guint lane, const char *text)
{
    issue->result =
        (WsMemoryAccess){.outcome = WS_ACCESS_FAULT,
                         .fault_lane = lane,
                         .fault_address = (guint64)WS_SHARED_WINDOW + issue->address[lane],
                         .fault = text};
}

static void take_passes(WsIssue *issue, guint32 passes)
{
    WsSmMemory *memory = issue->memory;
    const WsClassTiming *timing = issue->timing;
    guint32 pass_cycles =
        MAX(timing->sm_interval, (guint32)memory->device->shared_wavefront_interval);
    guint64 late;
    guint64 start = ws_lsu_issue(&memory->lsu, issue->cycle, issue->sub_core, WS_STAGE_DATA,
                                 timing->interval, passes, pass_cycles, &late);
    ws_issue_finish(issue, start,
                    start + late + timing->latency + (guint64)timing->extra_per_way * (passes - 1));
}

void ws_matrix_access(WsIssue *issue, const WsDecodedProgram *program, const WsDecoded *instruction,
                      WsWarpRegisters *warp, guint64 mask)
{
    WsSmMemory *memory = issue->memory;
    const guint8 *rows[WS_MAX_WARP_SIZE] = {NULL};
    guint64 lanes = ws_matrix_load_lanes(instruction);
    const char *text = NULL;
    ws_lane_addresses(program, instruction, warp, mask, WS_MATRIX_ROW_BYTES, issue->address,
                      &issue->span);
    if (mask != program->all_lanes) {
        set_fault(issue, (guint)__builtin_ctzll(mask), WS_LANES_MISSING);
        return;
    }
    gint lane = ws_shared_memory_check(&memory->shared, issue->block_slot, issue->address, lanes,
                                       WS_MATRIX_ROW_BYTES, &text);
    if (lane >= 0) {
        set_fault(issue, (guint)lane, text);
        return;
    }
    for (guint64 rest = lanes; rest != 0; rest &= rest - 1) {
        guint row = (guint)__builtin_ctzll(rest);
        rows[row] = memory->shared.blocks[issue->block_slot].data + issue->address[row];
    }
    ws_matrix_load(instruction, warp, rows);
    guint32 passes = ws_matrix_load_passes(instruction, issue->address, memory->shared.banks);
    guint32 matrices = (guint32)__builtin_popcountll(lanes) / 8;
    memory->counters.shared_wavefronts += passes;
    guint32 extra = passes - MIN(passes, matrices);
    memory->counters.shared_bank_conflicts += extra;
    issue->result.level = WS_LEVEL_SHARED;
    issue->result.wavefronts += passes;
    issue->result.extra_wavefronts += extra;
    take_passes(issue, passes);
}
