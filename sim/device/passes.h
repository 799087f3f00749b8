/*
 * Pipes whose width stays when that of the warps changes (`pipe_lanes`).
 *
 * With W lanes to a warp and pipes of L lanes, the numbers of an execution class hold for a warp of
 * L lanes. A larger one passes through the pipe in W / L parts, one after the other: the pipe, its
 * half, the unit that the SM shares and the issue stage that an instruction holds are busy W / L
 * times as long, register ports read as many times more, and the load-store unit gets a register of
 * operands in as many times the cycles. A part of a dependent instruction follows the same part of
 * what it depends on, so the latency is that of one part; a branch waits for the last part of its
 * predicate. The uniform datapath, control instructions and fences know no lanes. What memory does
 * is counted in lines and wavefronts, of which a larger warp has more. A warp of fewer lanes leaves
 * the pipe so much sooner, but takes one cycle at least.
 *
 * A pipe that takes L lanes a cycle thus does L lane operations a cycle with larger warps, and W
 * with smaller ones, of which the sub-core issues one a cycle.
 */
#ifndef WS_SIM_DEVICE_PASSES_H
#define WS_SIM_DEVICE_PASSES_H

#include "sim/device/device.h"

/* Lanes that pipes are made for: `pipe_lanes`, or those of a warp. */
guint64 ws_pipe_lanes(const WsDevice *device);

/* Parts in which a warp passes through pipes; 1 for those that it does not fill. */
guint32 ws_warp_passes(const WsDevice *device);

/* `cycles` that a pipe is busy with a warp of `pipe_lanes`, for a warp of the device; 0 stays 0. */
guint64 ws_pass_cycles(const WsDevice *device, guint64 cycles);

/* Fills device->timing. Inside this room only: a device is constant after loading. */
void ws_device_fill_timing(WsDevice *device);

#endif
