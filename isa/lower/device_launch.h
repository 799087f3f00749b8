/*
 * Launches by kernels: CUDA's device runtime, as far as it is here. A launch is a record in a queue
 * of device memory, whose address a pragma of the PTX says
 * (isa/cuda/include/warpstep/device_launches.h); who has put it there runs what is in it when the
 * grid has ended. The code is PTX (isa/ptx/make_library.py).
 */
#ifndef WS_ISA_LOWER_DEVICE_LAUNCH_H
#define WS_ISA_LOWER_DEVICE_LAUNCH_H

#include "isa/lower/lower.h"

/* What the address of a kernel is. */
guint64 ws_lower_kernel_number(const WsPtxFunction *kernel);
/* At the beginning of a kernel: it has had no error. */
void ws_lower_begin_launches(WsLowerKernel *kernel);
/* Lowers a call of one of these functions; FALSE: it is none. */
gboolean ws_lower_launch_call(WsLowerStatement *lower, const WsPtxCallParts *parts);

#endif
