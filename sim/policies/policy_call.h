/* Between policy_code.c and policy_call.c. */
#ifndef WS_SIM_POLICIES_POLICY_CALL_H
#define WS_SIM_POLICIES_POLICY_CALL_H

#include "sim/policies/policy_code_private.h"

/* Fills code->listener with the functions that the file has. */
void ws_policy_call_listener(WsPolicyCode *code);

#endif
