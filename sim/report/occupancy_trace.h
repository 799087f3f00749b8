/* Occupancy over time: an observer that writes down how many warps each SM holds. */
#ifndef WS_SIM_REPORT_OCCUPANCY_TRACE_H
#define WS_SIM_REPORT_OCCUPANCY_TRACE_H

#include "sim/observe/observer.h"

typedef struct WsOccupancyTrace WsOccupancyTrace;

/*
 * For the SMs in `list` ("0-3,7"), or for all of a device with `sm_count` if it is NULL. Errors:
 * WS_ERROR_USAGE (no such list, an SM that the device does not have).
 */
WsOccupancyTrace *ws_occupancy_trace_new(const char *list, guint32 sm_count, GError **error);
void ws_occupancy_trace_free(WsOccupancyTrace *trace);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsOccupancyTrace, ws_occupancy_trace_free)

/* To be attached to a run; valid as long as the trace. */
const WsObserver *ws_occupancy_trace_observer(WsOccupancyTrace *trace);

/*
 * CSV with the columns sm, cycle and warps: a row for every cycle from which on an SM holds another
 * number of warps, by SM, then by cycle. Cycles go on from launch to launch. g_free.
 */
char *ws_occupancy_trace_csv(const WsOccupancyTrace *trace);

#endif
