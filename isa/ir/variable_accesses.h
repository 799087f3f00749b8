/*
 * What the instructions of a function read and write of its variables, one instruction after the
 * other: for passes that look at them several times.
 */
#ifndef WS_ISA_IR_VARIABLE_ACCESSES_H
#define WS_ISA_IR_VARIABLE_ACCESSES_H

#include "isa/ir/variables.h"

typedef struct {
    guint32 first; /* variable */
    guint8 words;  /* variables from there on; 0 for a predicate that is not virtual */
    guint8 write;
    guint8 guard;      /* read as the guard */
    guint32 predicate; /* number of the predicate that is written + 1, 0 = none is */
} WsVariableAccess;

typedef struct {
    GArray *list;    /* of WsVariableAccess */
    guint32 *begin;  /* [instructions + 1]: the first of each instruction */
    guint32 *guards; /* per instruction: 2 * number of the predicate + negated + 1, 0 = no guard */
} WsVariableAccesses;

/* Instructions are numbered in the order of the blocks, the branch last in each. */
void ws_variable_accesses_init(WsVariableAccesses *ret, const WsVariables *variables,
                               const WsIrFunction *function);
void ws_variable_accesses_clear(WsVariableAccesses *accesses);

/* Predicates by number: virtual ones first, then these. */
guint32 ws_predicate_numbers(const WsIrFunction *function); /* how many there are */

#endif
