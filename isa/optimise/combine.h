/* Fusing of instructions as ptxas does it: the last step of the front end. */
#ifndef WS_ISA_OPTIMISE_COMBINE_H
#define WS_ISA_OPTIMISE_COMBINE_H

#include "isa/ir/ir.h"

/* Folds copies and fuses instructions, until nothing changes. */
void ws_ir_combine(WsIrFunction *function);

#endif
