/* What the machine of a launch takes of the host's memory. */
#ifndef WS_SIM_GPU_MACHINE_MEMORY_H
#define WS_SIM_GPU_MACHINE_MEMORY_H

#include "sim/launch/launch.h"

/*
 * Checks that the machine of `launch` fits beside what the job has taken: SMs with their registers,
 * caches and shared memory, L2, and the local memory of all threads that can be resident at a time.
 * Errors: WS_ERROR_INPUT.
 */
gboolean ws_machine_memory_check(const WsJob *job, const WsLaunch *launch, guint32 threads,
                                 GError **error);

#endif
