/*
 * Which functions of a module a call may enter, and which of them may enter themselves again.
 *
 * A function whose address is taken has an address: a number in a window in which no memory lies,
 * the same in every kernel of the module, and another one in other modules. A call through a
 * pointer may enter all functions with an address that take and give values of the same sizes.
 */
#ifndef WS_ISA_LOWER_CALL_GRAPH_H
#define WS_ISA_LOWER_CALL_GRAPH_H

#include "isa/ptx/ast.h"

/* Parts of a call statement. */
typedef struct {
    const WsPtxOperand *callee; /* NULL: there is none */
    const WsPtxOperand *results, *actual;
    guint result_count, actual_count;
} WsPtxCallParts;

WsPtxCallParts ws_ptx_call_parts(const WsPtxFunction *function, const WsPtxStatement *statement);

typedef struct {
    const WsPtxModule *module;
    GPtrArray *functions;   /* of WsPtxFunction*: those of the device that are defined */
    GHashTable *numbers;    /* WsPtxFunction* -> its place in `functions` + 1 */
    GHashTable *candidates; /* signature -> GArray of guint32: what a pointer may lead to */
    guint32 *component;    /* per function: calls may lead round among those of the same; 0: none */
    guint8 *uses_stack;    /* per function: it, or what it calls, is in such a ring */
    guint32 first_address; /* that of functions[0]; WS_PTX_FUNCTION_BYTES from one to the next */
} WsPtxCallGraph;

enum { WS_PTX_FUNCTION_BYTES = 16 };

WsPtxCallGraph *ws_ptx_call_graph_new(const WsPtxModule *module);
void ws_ptx_call_graph_free(WsPtxCallGraph *graph);

/* The place of a function in graph->functions; G_MAXUINT32: it is not defined, or a kernel. */
guint32 ws_ptx_call_number(const WsPtxCallGraph *graph, const WsPtxFunction *function);

/* Bytes of results and arguments. NULL for a call whose arguments do not tell. Freed with g_free.
 */
char *ws_ptx_function_signature(const WsPtxFunction *function);
char *ws_ptx_call_signature(const WsPtxFunction *caller, const WsPtxCallParts *parts);

#endif
