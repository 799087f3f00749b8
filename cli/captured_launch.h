/* Launches of a whole CUDA program as targets of a command. */
#ifndef WS_CLI_CAPTURED_LAUNCH_H
#define WS_CLI_CAPTURED_LAUNCH_H

#include "cli/simulation_options.h"
#include "cli/whole_program.h"
#include "isa/base/temporary_folder.h"

/* The program as the options describe it, with settings of its process; both must outlive it. */
WsWholeProgram ws_program_of_options(const WsSimulationOptions *options, const char *source,
                                     const char *const *settings);

/*
 * The launch file of the launch that the options name, in a folder that `ret_folder` gets; NULL
 * without an error where `target` is no whole program. Errors: those of ws_whole_program_capture(),
 * and WS_ERROR_USAGE for options that are for whole programs, or not for them.
 */
char *ws_captured_launch(const WsSimulationOptions *options, const char *target,
                         WsTemporaryFolder **ret_folder, GError **error);

/*
 * The launch files of all launches of the whole program `target`, in their order, in a folder that
 * `ret_folder` gets. The program runs to its end, without timing, and prints on stderr. Elements:
 * char*; g_ptr_array_unref. Errors: as above, and that there was no launch.
 */
GPtrArray *ws_captured_launches(const WsSimulationOptions *options, const char *target,
                                WsTemporaryFolder **ret_folder, GError **error);

#endif
