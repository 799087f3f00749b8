/* What a failed assertion says, as CUDA writes it. */
#ifndef WS_SIM_MEMORY_ASSERTION_TEXT_H
#define WS_SIM_MEMORY_ASSERTION_TEXT_H

#include "sim/memory/memory.h"

/*
 * "k.cu:12: void f(int): block: [0,0,0], thread: [5,0,0] Assertion `x > 0` failed." of the lane
 * that executes ASSERTFAIL in a thread of a block; a name that is not in global memory is "?".
 * Control characters are escapes. Free with g_free.
 */
char *ws_assertion_text(const WsGlobalMemory *memory, const WsDecodedProgram *program,
                        const WsDecoded *instruction, const WsWarpRegisters *registers, guint lane,
                        const guint32 block[3], const guint32 thread[3]);

#endif
