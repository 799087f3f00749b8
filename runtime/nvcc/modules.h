/* What modules.c needs of those of nvcc's programs. */
#ifndef WS_RUNTIME_NVCC_MODULES_H
#define WS_RUNTIME_NVCC_MODULES_H

#include "runtime/runtime.h"

/* Whether a fat binary begins at `data`, which is one or a text that ends with a byte 0. */
gboolean ws_nvcc_is_fatbin(const void *data);

/* The module's PTX, linked where it is of several files; g_free. Else an error, which was told. */
cudaError_t ws_nvcc_find_ptx(WsRuntime *runtime, const WsModule *module, char **ret);

/*
 * Makes memory for the managed variables of a module that is about to be loaded, sets the host's
 * pointers to it, and says in `text` where they are.
 */
cudaError_t ws_nvcc_place_managed(WsRuntime *runtime, const WsModule *module, char **text);
/* Of the module that was loaded: what they are at the beginning. */
void ws_nvcc_fill_managed(WsRuntime *runtime, const WsModule *module);

#endif
