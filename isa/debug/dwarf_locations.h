/*
 * Where DWARF says that a variable of a PTX text is: a symbol with an offset, a number, or, in
 * nvcc's code (-G), registers of the PTX from statement to statement.
 */
#ifndef WS_ISA_DEBUG_DWARF_LOCATIONS_H
#define WS_ISA_DEBUG_DWARF_LOCATIONS_H

#include "isa/debug/dwarf_entries.h"

#include <elfutils/libdw.h>

/*
 * Fills in `to`'s place from its attribute DW_AT_location. Values in registers and numbers that
 * hold over some lines only are appended to `values` (of WsMachineValue) as those of variable
 * `number`; scope lines `range` bound a location that has no bounds of its own.
 */
void ws_dwarf_read_location(const WsDebugText *text, Dwarf_Attribute *attribute, WsDebugRange range,
                            guint32 number, GArray *values, WsDebugVariable *to);

#endif
