/*
 * A launch made ready to run: its decoded program, constants and occupancy. Constant from then on,
 * and shared by all SMs. Inside the library only.
 */
#ifndef WS_SIM_GPU_PREPARED_LAUNCH_H
#define WS_SIM_GPU_PREPARED_LAUNCH_H

#include "sim/gpu/simulation.h"
#include "sim/occupancy/occupancy.h"
#include "sim/sm/sm.h"

typedef struct {
    WsLaunchContext context;
    WsDecodedProgram *decoded;
    WsIssueTable *issue_table;
    WsPolicyCode *policy_code; /* or NULL */
    WsSpinLoops *spin;         /* or NULL: no loop waits */
    guint8 *polls;             /* by instruction of the program: it reads what a loop waits for */
    guint8 *constants[WS_CONSTANT_BANKS];
    WsOccupancy occupancy;
} WsPreparedLaunch;

/* How a launch lies on an SM. Errors: WS_ERROR_INPUT (a block that no SM can hold). */
gboolean ws_launch_occupancy(const WsDevice *device, const WsLaunch *launch, WsOccupancy *ret,
                             GError **error);
/* Launch `index` of the job, from cycle `begin` on. Errors: WS_ERROR_INPUT (a launch or setting
 * the machine cannot run). */
WsPreparedLaunch *ws_prepared_launch_new(const WsJob *job, const WsDevice *device,
                                         const WsRunOptions *options, guint32 index, guint64 begin,
                                         GError **error);
void ws_prepared_launch_free(WsPreparedLaunch *launch);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsPreparedLaunch, ws_prepared_launch_free)

#endif
