/*
 * Branches in front of a loop that decide whether it runs at all. clang makes them of the loop's
 * test, and may give them the place of a statement in the loop, or none.
 */
#ifndef WS_ISA_SOURCE_LOOP_GUARDS_H
#define WS_ISA_SOURCE_LOOP_GUARDS_H

#include "isa/ir/ir.h"

/* Gives such branches, and the comparisons that they look at, the place of their loop. */
void ws_place_loop_guards(WsIrModule *module, WsIrFunction *function);

#endif
