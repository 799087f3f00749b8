/*
 * What-if runs (settings `ideal.*`): the machine with one thing made free.
 *
 * The compiler sees the device as it is set, so the code is that of the unchanged run. The machine
 * runs with another device, whose numbers follow here from the settings; only what no number can
 * express asks for a setting itself: lines and sectors (sim/memory/cached_access.c), rounds of
 * atomics (sim/memory/atomic_cost.c, shared_memory.c), resident blocks (sim/occupancy/) and what
 * warps wait (sim/sm/ideal_time.h). All of them change times only: values are exchanged in the same
 * way as in the unchanged run.
 */
#ifndef WS_SIM_DEVICE_IDEAL_DEVICE_H
#define WS_SIM_DEVICE_IDEAL_DEVICE_H

#include "sim/device/device.h"

/* The most blocks that an SM holds with ideal.blocks: the block slots of the model. */
enum { WS_IDEAL_BLOCKS = 64 };

/*
 * The device that a run of `device` simulates, or NULL if that is `device` itself. Texts are those
 * of `device`, which must live longer. g_free.
 */
WsDevice *ws_ideal_device_new(const WsDevice *device);

#endif
