/*
 * `__device__ const` arrays that are too large for constant memory. clang puts every one there,
 * without `.visible`, which `__constant__` variables have; nvcc puts them in global memory and
 * reads them through the path for what nobody writes (ld.global.nc), as it is done here with those
 * that do not fit. Only for the PTX of clang: ptxas refuses a `.const` array of more than 64 KiB.
 */
#ifndef WS_ISA_PTX_LARGE_CONSTANTS_H
#define WS_ISA_PTX_LARGE_CONSTANTS_H

#include "isa/ptx/ast.h"

/*
 * Moves variables of more than `limit` bytes that are not visible outside of the module from
 * constant to global memory, and with them every ld.const and cvta.const whose address is made from
 * one. Errors: WS_ERROR_INPUT where it is made from such a one and another one that stays.
 */
gboolean ws_ptx_move_large_constants(WsPtxModule *module, guint64 limit, GError **error);

#endif
