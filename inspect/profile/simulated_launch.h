/* What a simulated launch has to say to metrics of Nsight Compute: its counters, summed as they
 * are. */
#ifndef WS_INSPECT_PROFILE_SIMULATED_LAUNCH_H
#define WS_INSPECT_PROFILE_SIMULATED_LAUNCH_H

#include "sim/report/result.h"

/* Counters of the instructions of one execution class, or of one opcode, together. */
typedef struct {
    guint64 issued, lanes, lanes_on, sectors, extra_sectors, extra_wavefronts;
} WsInstructionSums;

typedef struct {
    const WsJob *job;
    const WsDevice *device;
    const WsLaunch *launch;
    const WsLaunchResult *result;
    const WsCounters *counters; /* of the result */
    WsOccupancy occupancy;
    WsInstructionSums classes[WS_CLASS_COUNT];
    WsInstructionSums pipes[WS_PIPE_COUNT];
    GHashTable *opcodes; /* name without modifiers, "LDG" -> WsInstructionSums */
    double sms, sub_cores;
    double active;  /* cycles with a resident warp, of the average SM */
    double elapsed; /* cycles from the launch to its last completion */
    double seconds; /* the same at the device's clock */
} WsSimulatedLaunch;

/* Launch `index` of a run, which outlives it. */
WsSimulatedLaunch *ws_simulated_launch_new(const WsJob *job, const WsResult *result, guint32 index);
void ws_simulated_launch_free(WsSimulatedLaunch *launch);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsSimulatedLaunch, ws_simulated_launch_free)

/* The sums of an opcode; all zero where none was issued. */
const WsInstructionSums *ws_simulated_opcode(const WsSimulatedLaunch *launch, const char *opcode);

/* The name of an opcode without what modifies it: "LDSM" of "LDSM.16". g_free. */
char *ws_opcode_family(const char *opcode);

#endif
