/*
 * Division and remainder of 64 bits: subroutines, one of each kind in a kernel, as in code compiled
 * by ptxas (seen in kernels for sm_90). The front end writes a CALL with the subroutine's number as
 * its target, that yields operand WS_CALL_RESULT from the pairs behind it and stands among other
 * instructions; ws_place_subroutines() makes a real one of it.
 */
#ifndef WS_ISA_IR_DIVIDE_H
#define WS_ISA_IR_DIVIDE_H

#include "isa/ir/ir.h"

typedef enum {
    WS_DIVIDE_UNSIGNED,
    WS_REMAINDER_UNSIGNED,
    WS_DIVIDE_SIGNED,
    WS_REMAINDER_SIGNED,
    WS_SUBROUTINES
} WsSubroutine;

/* The label it has in a listing; no name of PTX has a dot. */
const char *ws_subroutine_label(WsSubroutine subroutine);

/*
 * Appends the body to `block`: pair `result` from pairs `dividend` and `divisor`, which stay as
 * they are. Division by zero gives all ones, and so does the remainder (as on an H200).
 */
void ws_append_division(WsIrFunction *function, guint32 block, WsSubroutine subroutine,
                        WsOperand result, WsOperand dividend, WsOperand divisor, guint32 location);

#endif
