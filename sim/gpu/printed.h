/* What kernels print: from the SMs into one order, a window after the other. */
#ifndef WS_SIM_GPU_PRINTED_H
#define WS_SIM_GPU_PRINTED_H

#include "sim/gpu/gpu.h"

/* Takes what the SMs have printed up to and with cycle `last`, in the order of cycle, SM, warp slot
 * and lane. What they have printed later is dropped. */
void ws_gpu_take_printed(WsGpuLaunch *launch, guint64 last);

#endif
