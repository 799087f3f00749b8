/* The order of passes of `warpstep cc`: device and host pass over each source, then the linker. */
#ifndef WS_CLI_CC_PASSES_H
#define WS_CLI_CC_PASSES_H

#include "cli/cc_options.h"
#include "isa/base/error.h"

/* clang writes its own messages on stderr. Errors: WS_ERROR_INPUT. */
gboolean ws_cc_passes(const WsCcOptions *options, GError **error);

#endif
