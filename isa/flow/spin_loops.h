/*
 * Loops in which threads wait for others: those that go on until something read from memory, at a
 * place that the loop does not change, allows them to leave. A lock that is taken, a flag that is
 * polled. An exit that depends on something that the loop counts is none of waiting.
 */
#ifndef WS_ISA_FLOW_SPIN_LOOPS_H
#define WS_ISA_FLOW_SPIN_LOOPS_H

#include "isa/bytecode/instruction.h"

typedef struct {
    guint32 first, count; /* instructions of the kernel */
    guint32 *loop;        /* [count]: index into `reads` of the innermost such loop around it, or
                             WS_NO_NODE */
    GPtrArray *reads; /* by loop: GArray of guint32, the instructions that read what it waits for */
} WsSpinLoops;

/* Instructions `first` .. `first + count - 1` of a program. */
WsSpinLoops *ws_spin_loops_new(const WsInstruction *program, guint32 first, guint32 count);
void ws_spin_loops_free(WsSpinLoops *spin); /* NULL does nothing */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsSpinLoops, ws_spin_loops_free)

/*
 * The loads and atomics (of guint32, numbers in the program) that the innermost such loop around an
 * instruction waits for, or NULL if there is none.
 */
const GArray *ws_spin_loop_reads(const WsSpinLoops *spin, guint32 instruction);

#endif
