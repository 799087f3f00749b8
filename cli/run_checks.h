/* `run --check`, `report --check`: what is looked for beside the run. */
#ifndef WS_CLI_RUN_CHECKS_H
#define WS_CLI_RUN_CHECKS_H

#include "cli/simulation_options.h"
#include "sim/check/check.h"

/*
 * The kinds in the value of --check; FALSE with a message of its own. The program is compiled with
 * its variables then: findings name the functions that code is inlined in.
 */
gboolean ws_run_checks_parse(const char *text, WsSimulationOptions *options, guint *ret);

/*
 * Runs the checks after the job, of `target`, has run: the result gets their findings, and is a
 * failed one if there are some. Why they ended early is a warning, printed on stderr as well.
 */
void ws_run_checks(WsCheck *check, const WsJob *job, const WsSimulationOptions *options,
                   const char *target, WsResult *result);

#endif
