/*
 * Programs that were built before, by nvcc or by `cc`, as the target of a command: ELF files, whose
 * kernels run in the simulator in place of a GPU (docs/use/programs.md).
 */
#ifndef WS_CLI_BUILT_PROGRAM_H
#define WS_CLI_BUILT_PROGRAM_H

#include "isa/base/error.h"

/* Whether the file is one of ELF. */
gboolean ws_is_built_program(const char *path);

/*
 * Whether it can be run: the loader finds CUDA's runtime for it, and there is PTX for a device of
 * compute capability `capability` (10 * major + minor) where it holds kernels itself. Errors:
 * WS_ERROR_INPUT, what is missing and how to build it with that.
 */
gboolean ws_built_program_check(const char *path, guint capability, GError **error);

#endif
