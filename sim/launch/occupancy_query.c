#include "isa/base/size.h"
#include "sim/launch/launch.h"

WsOccupancyQuery ws_launch_occupancy_query(const WsLaunch *launch)
{
    const WsKernel *kernel = launch->kernel;

    return (WsOccupancyQuery){.threads = (guint32)ws_size_volume(launch->block),
                              .registers = kernel->registers,
                              .static_shared = ws_kernel_shared_asked(kernel),
                              .dynamic_shared = launch->dynamic_shared_bytes,
                              .carveout = launch->carveout,
                              .barriers = kernel->barriers};
}
