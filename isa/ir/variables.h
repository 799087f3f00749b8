/*
 * Variables of a function in the intermediate form: the words of its virtual registers, then its
 * virtual predicates.
 */
#ifndef WS_ISA_IR_VARIABLES_H
#define WS_ISA_IR_VARIABLES_H

#include "isa/ir/walk.h"

typedef struct {
    guint32 *first;     /* per virtual register: its first word */
    guint32 word_count; /* words of all registers */
    guint32 count;      /* words and predicates */
} WsVariables;

void ws_variables_init(WsVariables *ret, const WsIrFunction *function);
void ws_variables_clear(WsVariables *variables);
/* Number of variables (0 for what is not virtual) and the first of them. */
guint ws_variables_of(const WsVariables *variables, const WsRegisterAccess *access,
                      guint32 *ret_first);
/*
 * Per variable, how many operands of the function read it and write it. Both arrays
 * begin as zeros; NULL where the numbers are not wanted.
 */
void ws_variables_count(const WsVariables *variables, const WsIrFunction *function, guint32 *reads,
                        guint32 *writes);

/* The variables of a function and both numbers. */
typedef struct {
    WsVariables variables;
    guint32 *reads, *writes; /* per variable */
} WsVariableCounts;

void ws_variable_counts_init(WsVariableCounts *ret, const WsIrFunction *function);
void ws_variable_counts_clear(WsVariableCounts *counts);

#endif
