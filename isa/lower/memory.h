/* Addresses and widths that loads, stores and atomics share. */
#ifndef WS_ISA_LOWER_MEMORY_H
#define WS_ISA_LOWER_MEMORY_H

#include "isa/lower/lower.h"

/* The space among the modifiers of the statement. */
WsPtxSpace ws_lower_space(const WsLowerStatement *lower);
/* An ADDRESS operand for `n`, plus `extra` bytes: a pair for global and generic, else a word. */
WsOperand ws_lower_address(WsLowerStatement *lower, guint n, WsPtxSpace space);
/* TRUE if the generic address of operand `n` is sure to lie in shared memory. */
gboolean ws_lower_is_shared(WsLowerStatement *lower, guint n);
/* .cta, .gpu, .sys as WS_SCOPE_*; GPU if none is named. */
guint8 ws_lower_scope(const WsLowerStatement *lower);
void ws_lower_fence(WsLowerStatement *lower, guint8 scope);

#endif
