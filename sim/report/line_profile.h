/*
 * Counters by source line. An instruction belongs to its own line or, if that lies in Warpstep's
 * CUDA header ("warpstep/..."), to the line of the user's that the header was inlined into.
 */
#ifndef WS_SIM_REPORT_LINE_PROFILE_H
#define WS_SIM_REPORT_LINE_PROFILE_H

#include "sim/base/instruction_place.h"
#include "sim/report/result.h"

typedef struct {
    guint32 file; /* index into WsProgram.files; 0 = no source known */
    guint32 line;
    WsInstructionCounters counters;
    guint64 branches; /* issues of the instructions that split lanes at least once */
} WsLineCounters;

/*
 * Lines with any instruction issued or cycle waited, by file name and line. `counters` has one
 * entry an instruction of the program. Free with g_array_unref.
 */
GArray *ws_line_profile(const WsProgram *program, const WsInstructionCounters *counters);

/* Adds the counters of all launches, instruction by instruction, to `sum` (`count` entries). */
void ws_result_sum_instructions(const WsResult *result, guint32 count, WsInstructionCounters *sum);

/* The reason that warps waited for most; WS_STALL_SELECTED if they never waited. */
WsStall ws_main_stall(const guint64 stalls[WS_STALL_COUNT]);

/* Warp-cycles that warps waited at the line: all stalls but `selected`. */
guint64 ws_counters_waited(const WsInstructionCounters *counters);

#endif
