/* Registers of a debug compile of PTX that variables are in: they keep their values. */
#ifndef WS_ISA_DEBUG_KEPT_REGISTERS_H
#define WS_ISA_DEBUG_KEPT_REGISTERS_H

#include "isa/ir/ir.h"

/*
 * Fills in WsIrFunction.kept of the module's functions, from the DWARF of `ptx`, which they were
 * made of. Nothing happens without DWARF.
 */
void ws_keep_debug_registers(WsIrModule *module, const char *ptx);

#endif
