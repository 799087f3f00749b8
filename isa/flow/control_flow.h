/* Basic blocks of bytecode, and the graph that its branches make of them. */
#ifndef WS_ISA_FLOW_CONTROL_FLOW_H
#define WS_ISA_FLOW_CONTROL_FLOW_H

#include "isa/bytecode/instruction.h"
#include "isa/flow/graph.h"

typedef struct {
    guint32 first; /* instruction number */
    guint32 count;
} WsBlock;

/*
 * Basic blocks of instructions `first` .. `first + count - 1` of a program, in their order. Edges:
 * a branch that some lanes may not take goes on to the next instruction first, then to its target.
 * CALL goes on to the next instruction (the callee is apart, see `entries`); RET, EXIT and BPT have
 * no successor unless guarded. BRX goes to any row of its table: the unguarded BRA that stand at
 * its target, one after the other. This is drawn as an edge to the first row and one from each row
 * to the next, so that the graph stays as small as the code. Edges that leave the range are left
 * out (the verifier refuses them).
 */
typedef struct {
    WsBlock *blocks;
    guint32 block_count;
    guint32 *block_of;  /* [count]: block of instruction first + i */
    guint8 *in_table;   /* [count]: TRUE for the rows of BRX tables */
    WsGraph *graph;     /* over blocks */
    GArray *entries;    /* of guint32: block 0 and the blocks that CALL names */
    gboolean falls_off; /* control may run past the last instruction */
} WsControlFlow;

WsControlFlow *ws_control_flow_new(const WsInstruction *program, guint32 first, guint32 count);
void ws_control_flow_free(WsControlFlow *flow);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(WsControlFlow, ws_control_flow_free)

/* TRUE if some lanes may go on to the next instruction: guarded, or with a condition operand. */
gboolean ws_branch_is_conditional(const WsInstruction *branch);

/* The instruction number that operand Tg names, or WS_NO_NODE if the row has none. */
guint32 ws_branch_target(const WsInstruction *instruction);
/* Sets it; the row must have a Tg. */
void ws_branch_set_target(WsInstruction *instruction, guint32 target);

#endif
