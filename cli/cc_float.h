/* How floats of device code are computed: nvcc's options as clang's. */
#ifndef WS_CLI_CC_FLOAT_H
#define WS_CLI_CC_FLOAT_H

#include "cli/cc_options.h"

/* Adds them for the device pass. What an option says counts before --use_fast_math, as in nvcc. */
void ws_cc_float_arguments(GPtrArray *arguments, const WsCcFloat *floats);

#endif
