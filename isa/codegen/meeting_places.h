/* The places of BSSY and BSYNC: what they open and close. */
#ifndef WS_ISA_CODEGEN_MEETING_PLACES_H
#define WS_ISA_CODEGEN_MEETING_PLACES_H

#include "isa/bytecode/program.h"

/*
 * BSSY and BSYNC of `count` instructions, which have the location of the branch that they are for,
 * get that of the construct at whose end its lanes meet (WsConstruct.meets): the line of its head.
 * Where the code behind BSYNC still is in an `if`, `switch` or `?:`, they meet at what its sides
 * have in common. They keep the line of the branch and name none where the construct is not known,
 * and where the code shows another: it goes on inside of a loop, or there are stores, barriers or
 * branches of the same function before BSYNC that are not in the construct. Targets are instruction
 * numbers from 0. New entries are added to `locations` (of WsLocation) and `constructs` (of
 * WsConstruct).
 */
void ws_place_meetings(WsInstruction *code, guint32 count, GArray *locations, GArray *constructs);

#endif
