/*
 * Runs one thread of a function in the intermediate form, or of a compiled kernel. Copies,
 * selections, integer comparisons and memory mean what they say; every other result is a hash of
 * the operation and its operands. So two forms of a function agree exactly if every operand comes
 * from the same place.
 */
#ifndef WS_TESTS_IR_INTERPRETER_H
#define WS_TESTS_IR_INTERPRETER_H

#include "isa/ir.h"

typedef struct {
    GArray *trace;      /* of guint64: volatile stores, atomics and barriers, in order */
    GHashTable *memory; /* address -> word: global and shared memory, without local */
    gboolean ended;     /* EXIT was reached inside the limit */
    guint steps;
} WsRun;

void ws_run_function(WsRun *ret, const WsIrFunction *function, guint limit);
void ws_run_kernel(WsRun *ret, const WsProgram *program, const WsKernel *kernel, guint limit);
void ws_run_clear(WsRun *run);

/* NULL if both did the same as far as both went, else what differs; to be freed. */
char *ws_run_difference(const WsRun *a, const WsRun *b);

#endif
