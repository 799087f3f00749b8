/*
 * What the kernels of a module have in common while they are lowered: the PTX and what is made of
 * it, where variables and functions lie, the library. From ws_ptx_to_ir()'s call to its return.
 */
#ifndef WS_ISA_LOWER_MODULE_H
#define WS_ISA_LOWER_MODULE_H

#include "isa/ir/ir.h"
#include "isa/lower/call_graph.h"
#include "isa/ptx/ast.h"

typedef struct {
    const WsPtxModule *ptx;
    const WsCompileOptions *options;
    WsIrModule *ir;
    WsPtxModule *library;  /* parsed when first needed */
    GHashTable *rows;      /* opcode -> GPtrArray of WsPtxRow* (isa/lower/lower.h) */
    GHashTable *addresses; /* places of variables in their spaces */
    guint64 heap;          /* address of that of malloc; 0 = nothing calls it */
    guint64 grid_memory;   /* address of what %envreg1 and %envreg2 name; 0 = nothing does */
    WsPtxCallGraph *calls;
} WsLowerModule;

/* Places of variables: a table of WsPtxVariable* -> guint64*, looked up with g_hash_table_lookup().
 */
GHashTable *ws_lower_places_new(void);
void ws_lower_put_place(GHashTable *places, const WsPtxVariable *variable, guint64 place);

/* Gives variables their addresses and notes them in module->ir, with their initial values. */
gboolean ws_lower_place_variables(WsLowerModule *module, GError **error);

/* An extern declaration stands for the definition of the same name, if there is one. */
const WsPtxVariable *ws_lower_definition(const WsPtxModule *module, const WsPtxVariable *variable);

/* The type that a program gives a variable or parameter. */
WsType ws_lower_symbol_type(WsPtxType type);

/* The address of a device function, or the number of a kernel; 0: it has none. */
guint64 ws_lower_address_of_function(const WsLowerModule *module, const WsPtxFunction *function);

/* A function of the library that has a body; NULL: there is none of the name. */
const WsPtxFunction *ws_lower_library_function(WsLowerModule *module, const char *name,
                                               GError **error);

/* The index of a file in those of module->ir. */
guint32 ws_lower_file_index(WsLowerModule *module, const char *name);

/*
 * Whether values in registers are to be found in the finished code. clang's debug compile has its
 * variables in memory; nvcc's PTX has them in registers with -G too.
 */
static inline gboolean ws_keeps_reference(const WsCompileOptions *options)
{
    return options->variables && !(options->debug && options->from_cuda);
}

#endif
