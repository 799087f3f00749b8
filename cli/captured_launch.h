/* One launch of a whole CUDA program as the target of a command. */
#ifndef WS_CLI_CAPTURED_LAUNCH_H
#define WS_CLI_CAPTURED_LAUNCH_H

#include "cli/simulation_options.h"
#include "isa/base/temporary_folder.h"

/*
 * The launch file of the launch that the options name, in a folder that `ret_folder` gets; NULL
 * without an error where `target` is no whole program. Errors: those of ws_whole_program_capture(),
 * and WS_ERROR_USAGE for options that are for whole programs, or not for them.
 */
char *ws_captured_launch(const WsSimulationOptions *options, const char *target,
                         WsTemporaryFolder **ret_folder, GError **error);

#endif
