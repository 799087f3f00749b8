/*
 * Runs one thread of a function in the intermediate form, or of a compiled kernel. Copies,
 * selections, integer comparisons and memory mean what they say; every other result is a hash of
 * the operation and its operands. So two forms of a function agree exactly if every operand comes
 * from the same place.
 */
#ifndef WS_TESTS_IR_INTERPRETER_H
#define WS_TESTS_IR_INTERPRETER_H

#include "isa/ir/ir.h"

typedef struct {
    GArray *trace;      /* of guint64: volatile stores, atomics and barriers, in order */
    GHashTable *memory; /* address -> word: global and shared memory, without local */
    gboolean ended;     /* EXIT was reached inside the limit */
    guint steps;
} WsRun;

/* One thread. What differs between lanes (thread numbers, loads, shuffles) depends on `number`. */
typedef struct {
    WsRun *run;
    guint number;
    GHashTable *registers;  /* register and word -> value */
    GHashTable *predicates; /* number -> value */
    GHashTable *local;
} WsLane;

typedef enum { WS_LANE_NEXT, WS_LANE_TAKEN, WS_LANE_ENDED } WsLaneStep;

/* `run` is set up here; free it with ws_run_clear(). */
void ws_lane_init(WsLane *lane, WsRun *run, guint number);
void ws_lane_clear(WsLane *lane);
/* Runs one instruction. For a taken BRX `ret_row` gets the row of its table, else 0. */
WsLaneStep ws_lane_step(WsLane *lane, const WsInstruction *instruction, guint32 *ret_row);

void ws_run_function(WsRun *ret, const WsIrFunction *function, guint limit);
void ws_run_kernel(WsRun *ret, const WsProgram *program, const WsKernel *kernel, guint limit);
void ws_run_clear(WsRun *run);

/* NULL if both did the same as far as both went, else what differs; to be freed. */
char *ws_run_difference(const WsRun *a, const WsRun *b);

#endif
