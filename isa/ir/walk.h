/*
 * Walking through a function in the intermediate form, and what an instruction of it is.
 */
#ifndef WS_ISA_IR_WALK_H
#define WS_ISA_IR_WALK_H

#include "isa/bytecode/accesses.h"
#include "isa/bytecode/operand.h"
#include "isa/flow/control_flow.h"
#include "isa/ir/ir.h"

static inline WsIrBlock *ws_ir_block(const WsIrFunction *function, guint32 block)
{
    return &g_array_index(function->blocks, WsIrBlock, block);
}

/* Instructions of a block, its branch counted as the last one if it has one. */
static inline guint ws_ir_length(const WsIrBlock *block)
{
    return block->instructions->len + (block->branch.opcode != WS_OP_NOP);
}

static inline WsInstruction *ws_ir_instruction(WsIrBlock *block, guint i)
{
    return i < block->instructions->len ? &g_array_index(block->instructions, WsInstruction, i)
                                        : &block->branch;
}

/* Number of successors, and the n-th: taken (or the table), then next. */
guint ws_ir_successor_count(const WsIrBlock *block);
guint32 ws_ir_successor(const WsIrBlock *block, guint n);
void ws_ir_redirect(WsIrBlock *block, guint32 from, guint32 to);
gboolean ws_ir_is_conditional(const WsIrBlock *block);
WsGraph *ws_ir_graph(const WsIrFunction *function);

/* Whether `is` holds for any instruction of the function, the branches of blocks among them. */
gboolean ws_ir_has(const WsIrFunction *function, gboolean (*is)(const WsInstruction *));

/*
 * TRUE for accesses that may not be dropped, moved or merged (volatile, acquire and the like): the
 * cache operator is one of the strong ones, also for LDS, STS, LDL and STL, which lose it when code
 * is emitted.
 */
gboolean ws_is_volatile(const WsInstruction *instruction);
gboolean ws_is_load(const WsInstruction *instruction);   /* LDG LDS LDL LD */
gboolean ws_is_store(const WsInstruction *instruction);  /* STG STS STL ST */
gboolean ws_is_atomic(const WsInstruction *instruction); /* ATOM* RED */
/* TRUE for instructions with an effect other than the registers they write. */
gboolean ws_has_effect(const WsInstruction *instruction);
/* TRUE for SHFL VOTE MATCH REDUX R2UR and the like: the set of active lanes matters. */
gboolean ws_is_warp_wide(const WsInstruction *instruction);

#endif
