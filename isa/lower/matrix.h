/* Fragments of matrices: what mma, wmma and ldmatrix share. */
#ifndef WS_ISA_LOWER_MATRIX_H
#define WS_ISA_LOWER_MATRIX_H

#include "isa/lower/memory.h"

/* WARPSYNC of all lanes. */
void ws_lower_meet_warp(WsLowerStatement *lower);
/*
 * The `count` elements of operand `n`, a vector of registers of `each` words; an error and FALSE if
 * it is another.
 */
gboolean ws_lower_fragment(WsLowerStatement *lower, guint n, guint count, guint each,
                           const WsPtxOperand **ret);
/*
 * The value of a register that was last set by MOV of an immediate in this block, or of an
 * immediate; FALSE if it is not known.
 */
gboolean ws_lower_known_value(const WsLowerKernel *kernel, WsOperand operand, guint32 *ret);
/* As ws_lower_gather(), but RZ where every element is known to be zero. */
WsOperand ws_lower_gather_sum(WsLowerStatement *lower, const WsPtxOperand *elements, guint count);
/* `count` elements side by side in a register of as many words. */
WsOperand ws_lower_gather(WsLowerStatement *lower, const WsPtxOperand *elements, guint count);
/* The elements = the words of `from`. */
void ws_lower_scatter(WsLowerStatement *lower, const WsPtxOperand *elements, guint count,
                      WsOperand from);

/* The low word of a generic address that lies in shared memory, as an offset there. */
WsOperand ws_lower_offset_in_shared(WsLowerStatement *lower, WsOperand generic);

void ws_lower_wmma_load(WsLowerStatement *lower);
void ws_lower_wmma_store(WsLowerStatement *lower);
void ws_lower_wmma_mma(WsLowerStatement *lower);

#endif
