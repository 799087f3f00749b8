/*
 * Which construct of the source each branch of a module belongs to, before anything is done with
 * it.
 */
#ifndef WS_ISA_SOURCE_CONSTRUCT_PLACES_H
#define WS_ISA_SOURCE_CONSTRUCT_PLACES_H

#include "isa/ir/ir.h"

/*
 * `sources`: char*, a name in module->files -> char*, its text. Fills module->constructs and
 * WsLocation.construct of the branches that may go two ways. A branch that clang made in front of a
 * loop gets the loop's place, where clang gives it one inside of the loop, or none.
 */
void ws_name_constructs(WsIrModule *module, GHashTable *sources);

#endif
