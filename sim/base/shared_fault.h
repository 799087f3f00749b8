/* Where a fault in shared memory lies, by the names of the kernel's __shared__ variables. */
#ifndef WS_SIM_BASE_SHARED_FAULT_H
#define WS_SIM_BASE_SHARED_FAULT_H

#include "isa/bytecode/program.h"

/*
 * "12 bytes past the end of shared array 'tile' (f32[256]), index 259". `offset` is that of the
 * access in the block's shared memory and may be negative, `bytes` its size. A kernel with dynamic
 * shared memory, of which the launch gives `dynamic_bytes`, has that at the end. g_free.
 */
char *ws_shared_fault_describe(const WsKernel *kernel, guint32 dynamic_bytes, gint64 offset,
                               guint32 bytes);

#endif
