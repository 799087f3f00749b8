/*
 * Variables in optimised code: which of LLVM's values (isa/debug/machine_values.h) each is at an
 * instruction, and where the code has that (isa/debug/value_places.h).
 *
 * An instruction shows the variables as they are in front of the statement of the PTX that it was
 * made for, whatever the order in which the code runs.
 */
#ifndef WS_ISA_DEBUG_OPTIMISED_PLACES_H
#define WS_ISA_DEBUG_OPTIMISED_PLACES_H

#include "isa/debug/variable_places.h"

/* A variable of the table whose places are looked for. */
typedef struct {
    guint32 variable; /* in the table */
    guint32 machine;  /* in WsMachineValues.variables */
    guint32 frame;    /* of the module, that it belongs to */
} WsOptimisedVariable;

/* LLVM's variable of a name, line and chain of calls; WS_NO_VARIABLE if it has none. */
guint32 ws_machine_variable_find(const WsMachineValues *values, const char *function,
                                 const WsMachineVariable *like);

/* Adds the places of the variables (of WsOptimisedVariable) in kernel `kernel` to the table. */
void ws_optimised_places_add(const WsCompiled *compiled, guint32 kernel, const GArray *variables,
                             WsVariableTable *table);

#endif
