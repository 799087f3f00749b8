/*
 * `kernel<<<grid, block>>>(...)` in functions of the device, which clang refuses: it becomes a call
 * of what warpstep/device_launch.h has. Launches by the host stay.
 */
#ifndef WS_ISA_CUDA_REWRITE_DEVICE_LAUNCHES_H
#define WS_ISA_CUDA_REWRITE_DEVICE_LAUNCHES_H

#include <glib.h>

/*
 * The text with such launches replaced, each in its line. `text` itself, with a reference more, if
 * there are none. A function of the device is one that says `__global__` or `__device__`, and not
 * `__host__`, in front of its body. In macros nothing is replaced.
 */
GBytes *ws_cuda_rewrite_device_launches(GBytes *text);

#endif
