/* Where libwarpstep-cudart is, the runtime that whole programs are linked with. */
#ifndef WS_ISA_CUDA_FIND_RUNTIME_H
#define WS_ISA_CUDA_FIND_RUNTIME_H

#include "isa/base/error.h"

/*
 * Beside libwarpstep of the installed program that this process runs, or, in a build folder, in
 * runtime/. g_free. Errors: WS_ERROR_INPUT.
 */
char *ws_find_runtime(GError **error);

/* The folders of the runtime and of libwarpstep, which it loads: NULL-terminated, g_strfreev. */
char **ws_runtime_folders(const char *runtime);

#endif
