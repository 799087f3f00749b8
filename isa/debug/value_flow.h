/*
 * Which of DWARF's values a variable has in front of each instruction of a kernel's reference.
 *
 * Compilers list values by lines of code, as if control ran from the first line to the last: nvcc
 * 13's
 * `-G` says of `if (c) s = f(); else s = g();` that s is in the register of the first side all
 * through the second. What is certain is where a value begins: there the variable is assigned. From
 * there on it is followed along the code; where ways meet that bring other values, none is known.
 */
#ifndef WS_ISA_DEBUG_VALUE_FLOW_H
#define WS_ISA_DEBUG_VALUE_FLOW_H

#include "isa/debug/machine_values.h"
#include "isa/ir/ir.h"
#include "isa/ir/reference.h"

enum { WS_NO_VALUE = G_MAXUINT32 };

/*
 * Per instruction of the reference, the index in `values` of the value in front of it; WS_NO_VALUE
 * where none is known. `count` values from `first` on are those of one variable of frame `frame`,
 * by rising lines, each of the whole variable.
 */
guint32 *ws_value_flow(const WsReference *reference, const WsIrModule *module, guint32 frame,
                       const WsMachineValues *values, guint32 first, guint32 count);

#endif
