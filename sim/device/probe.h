/* Reads the limits of a real CUDA device, where there is one, through its driver (libcuda). */
#ifndef WS_SIM_DEVICE_PROBE_H
#define WS_SIM_DEVICE_PROBE_H

#include "isa/base/error.h"

/*
 * A configuration of CUDA device `ordinal`, as YAML text: limits, SMs, clock and L2 as the driver
 * tells them, everything else inherited from the built-in device of the nearest compute capability.
 * The driver is loaded at run time (libcuda.so.1); nothing of CUDA is needed to build. g_free.
 * Errors: WS_ERROR_INPUT (no driver, no such device, a call of the driver failed).
 */
char *ws_device_probe(guint ordinal, GError **error);

#endif
