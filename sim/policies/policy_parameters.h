/*
 * Parameters of a policy in C: the variables that its file declares by WS_PARAMETER
 * (isa/cuda/include/warpstep/policy.h), and the values that a device gives them.
 */
#ifndef WS_SIM_POLICIES_POLICY_PARAMETERS_H
#define WS_SIM_POLICIES_POLICY_PARAMETERS_H

#include "isa/bytecode/program.h"
#include "sim/device/device.h"

/*
 * Whether the program has every parameter that the device gives, and takes its value. Errors:
 * WS_ERROR_INPUT, at the place where the value was written.
 */
gboolean ws_policy_parameters_check(const WsProgram *program, const WsDevice *device,
                                    GError **error);
/* Puts the values, which were checked, into the image of the module's variables. */
void ws_policy_parameters_apply(const WsProgram *program, const WsDevice *device, guint8 *image);

#endif
