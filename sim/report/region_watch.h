/*
 * In how many cycles of a run at least one warp is inside a region (sim/launch/code_regions.h): an
 * observer, since no counter of an instruction can tell.
 *
 * A warp is inside the region of an instruction from the cycle behind its issue before, or from the
 * one at which its slot was taken, to the issue of that instruction; behind its last one until it
 * has left. Warps that a run leaves behind where it stops early are inside up to their last issue.
 */
#ifndef WS_SIM_REPORT_REGION_WATCH_H
#define WS_SIM_REPORT_REGION_WATCH_H

#include "sim/observe/observer.h"
#include "sim/report/result.h"

typedef struct WsRegionWatch WsRegionWatch;

/* For the regions of the job, which must stay. NULL if it has none. */
WsRegionWatch *ws_region_watch_new(const WsJob *job);
void ws_region_watch_free(WsRegionWatch *watch); /* NULL does nothing */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsRegionWatch, ws_region_watch_free)

const WsObserver *ws_region_watch_observer(const WsRegionWatch *watch);
/* When the run is over: one result a region, with the counters of result->launches. */
WsRegionResult *ws_region_watch_results(const WsRegionWatch *watch, const WsResult *result);

#endif
