/* What is said of calls that go wrong. */
#ifndef WS_SIM_BASE_CALL_FAULT_H
#define WS_SIM_BASE_CALL_FAULT_H

#include "isa/bytecode/program.h"

/* Of BPT, by its modifier (WS_TRAP_*). */
const char *ws_trap_text(guint kind);

/*
 * Of an access to byte `offset` of local memory that is not there: the stack has overflowed. NULL
 * if that is not why. `stack_bytes`: as the launch says. Free with g_free().
 */
char *ws_stack_fault_describe(const WsKernel *kernel, guint32 stack_bytes, guint64 offset);

#endif
