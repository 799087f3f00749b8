/* From what the PTX says of variables, and what was made of it, to the program's table of them. */
#ifndef WS_ISA_DEBUG_VARIABLE_PLACES_H
#define WS_ISA_DEBUG_VARIABLE_PLACES_H

#include "isa/debug/machine_values.h"
#include "isa/ir/ir.h"

/* What a program was made of. */
typedef struct {
    const WsIrModule *module;
    const WsProgram *program;
    const GPtrArray *functions;    /* of WsIrFunction*, as emitted; NULL = not kept */
    const WsMachineValues *values; /* of optimised code that clang made; else NULL */
    const char *ptx;               /* with debug information */
    const guint32 *lines; /* by line of the module's PTX, that line of `ptx`; NULL: the same */
    guint32 line_count;
    GHashTable *sources; /* char*, as in WsProgram.files -> char*, text; NULL = not known */
} WsCompiled;

/*
 * The table of a program that was made with WsCompileOptions.variables. Where nothing
 * is known of variables, it is empty and has the reason. Never NULL.
 */
WsVariableTable *ws_variables_of_module(const WsCompiled *compiled,
                                        const WsCompileOptions *options);

#endif
