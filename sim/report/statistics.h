/* From what SMs count to the results of a launch and a job. Inside the library only. */
#ifndef WS_SIM_REPORT_STATISTICS_H
#define WS_SIM_REPORT_STATISTICS_H

#include "sim/occupancy/occupancy.h"
#include "sim/report/result.h"
#include "sim/sm/sm.h"

/*
 * Issues count the lanes that are on only where some are off, and not that they were selected: this
 * fills in the rest.
 */
void ws_instruction_counters_finish(WsInstructionCounters *counters, guint32 count);
/* Adds the counters of instructions, `count` of them. */
void ws_instruction_counters_add(WsInstructionCounters *to, const WsInstructionCounters *from,
                                 guint32 count);
/* Sums the counters of instructions into issue counts and stalls. */
void ws_counters_from_instructions(WsCounters *counters, const WsInstructionCounters *instructions,
                                   guint32 count);
/* Adds what one SM counted. */
void ws_counters_add_sm(WsCounters *counters, const WsSm *sm);
/* Adds a launch to the totals of its job: cycles follow one another. */
void ws_counters_add_launch(WsCounters *total, const WsCounters *launch);
void ws_occupancy_summary(WsOccupancySummary *ret, const WsDevice *device,
                          const WsOccupancy *occupancy, WsSm *const *sms, guint32 sm_count,
                          const WsCounters *counters);

#endif
