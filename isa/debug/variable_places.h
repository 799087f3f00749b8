/* From what the PTX says of variables, and what was made of it, to the program's table of them. */
#ifndef WS_ISA_DEBUG_VARIABLE_PLACES_H
#define WS_ISA_DEBUG_VARIABLE_PLACES_H

#include "isa/ir/ir.h"

/*
 * The table of a program that was made of `module` with WsCompileOptions.variables. Where nothing
 * is known of variables, it is empty and has the reason. Never NULL.
 */
WsVariableTable *ws_variables_of_module(const WsIrModule *module, const WsProgram *program,
                                        const WsCompileOptions *options);

#endif
