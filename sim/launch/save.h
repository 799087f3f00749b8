/* Writing what is to be run as a launch file: what ws_job_load() reads. */
#ifndef WS_SIM_LAUNCH_SAVE_H
#define WS_SIM_LAUNCH_SAVE_H

#include "sim/launch/launch.h"

/*
 * Writes the job, whose launches have not run, as the launch file `path`. The program (PTX as it
 * was loaded, else bytecode), a device that is none of those built in, and the contents of buffers
 * and variables go to the folder `data` beside it, under names by their contents: launch files of
 * one folder share them. Buffers keep their addresses; names become ones that a launch file may
 * have. The launch file is written last, as a whole.
 *
 * What a job of a launch file may have besides is not written: values of `let`, expectations,
 * regions of --lines, arrays of dynamic shared memory, and states in which warps start; textures
 * are an error. Errors: WS_ERROR_INPUT, and then there is no file `path` that was not there before.
 */
gboolean ws_job_save(const WsJob *job, const char *path, GError **error);

#endif
