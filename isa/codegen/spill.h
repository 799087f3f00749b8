/*
 * Spill code: what the register allocator could not place goes to local memory; predicates go to
 * registers; constants are made again where they are read.
 */
#ifndef WS_ISA_CODEGEN_SPILL_H
#define WS_ISA_CODEGEN_SPILL_H

#include "isa/ir/walk.h"

/*
 * Rewrites all accesses to the registers marked in `chosen` (one byte a register). New registers
 * are short-lived. `local_bytes` and `spill_bytes` of the kernel grow.
 */
void ws_spill_registers(WsIrFunction *function, const guint8 *chosen);

/*
 * The same for predicates: each gets a register that holds 0 or 1. What was read stays in its new
 * predicate for further reads in the block until another spilled one is read; predicates from
 * `first_temporary` on, which spilling made, are loaded for each read.
 */
void ws_spill_predicates(WsIrFunction *function, const guint8 *chosen, guint32 first_temporary);

#endif
