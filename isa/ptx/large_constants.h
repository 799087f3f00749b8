/*
 * Arrays of constant memory that are too large for it. clang puts every `__device__ const` array
 * there; nvcc puts it in global memory and reads it through the path for what nobody writes
 * (ld.global.nc), as it is done here with those that do not fit.
 */
#ifndef WS_ISA_PTX_LARGE_CONSTANTS_H
#define WS_ISA_PTX_LARGE_CONSTANTS_H

#include "isa/ptx/ast.h"

/*
 * Moves variables of more than `limit` bytes from constant to global memory, and with them every
 * ld.const and cvta.const whose address is made from one. Errors: WS_ERROR_INPUT where it is made
 * from such a one and another one that stays.
 */
gboolean ws_ptx_move_large_constants(WsPtxModule *module, guint64 limit, GError **error);

#endif
