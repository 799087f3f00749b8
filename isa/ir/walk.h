/*
 * Walking through a function in the intermediate form, and what an instruction of it is.
 */
#ifndef WS_ISA_IR_WALK_H
#define WS_ISA_IR_WALK_H

#include "isa/bytecode/accesses.h"
#include "isa/bytecode/operand.h"
#include "isa/flow/graph.h"
#include "isa/ir/ir.h"

static inline WsIrBlock *ws_ir_block(const WsIrFunction *function, guint32 block)
{
    return &g_array_index(function->blocks, WsIrBlock, block);
}

/* Instructions of a block, its branch counted as the last one if it has one. */
static inline guint ws_ir_length(const WsIrBlock *block)
{
    return block->instructions->len + (!ws_is_kind(&block->branch, WS_KIND_NOP));
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

typedef enum {
    WS_IR_FROM_FIRST, /* bodies are led to from the first block of the function */
    WS_IR_FROM_CALLS  /* from the calls, and the block behind a call comes last of its successors */
} WsIrProcedures;

/*
 * The graph of a function with bodies (isa/ir/ir.h) where control goes on behind each call, and
 * ends at the RET of a body. Without bodies it is ws_ir_graph().
 */
WsGraph *ws_ir_procedures(const WsIrFunction *function, WsIrProcedures bodies);
/* Per body the block that ends in its RET; freed with g_free(). */
guint32 *ws_ir_returns(const WsIrFunction *function);
/* The block behind the call that ends `block`. */
guint32 ws_ir_behind_call(const WsIrFunction *function, const guint32 *returns,
                          const WsIrBlock *block);
void ws_ir_put_behind_call(WsIrFunction *function, const guint32 *returns, const WsIrBlock *block,
                           guint32 behind);

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
