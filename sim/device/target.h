/* The device as compiled code knows it. */
#ifndef WS_SIM_DEVICE_TARGET_H
#define WS_SIM_DEVICE_TARGET_H

#include "isa/bytecode/code_target.h"
#include "sim/device/device.h"

void ws_code_target_of_device(const WsDevice *device, WsCodeTarget *ret);

#endif
