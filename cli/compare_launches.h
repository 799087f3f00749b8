/* The runs of `warpstep compare`: the launches of a target that a profile has. */
#ifndef WS_CLI_COMPARE_LAUNCHES_H
#define WS_CLI_COMPARE_LAUNCHES_H

#include "cli/compare_report.h"
#include "cli/simulation_options.h"

/*
 * Matches the launches of `target` with those of the profile, simulates them, and fills in
 * `report`. Of a whole program without --kernel all launches are captured, and those simulated that
 * the profile has. `id`: only this measured launch, or NULL. Returns the exit code of the worst
 * run; an error is printed, its code returned, and `report` has no comparison.
 */
int ws_compare_launches(WsSimulationOptions *options, const char *target,
                        const WsMeasuredProfile *profile, const char *id, WsCompareReport *report);

#endif
