/*
 * Passes over the intermediate form that leave less to do, in front of code generation.
 * code_generation.c has their order. Block order is layout order from ws_order_blocks() on.
 */
#ifndef WS_ISA_OPTIMISE_OPTIMISE_H
#define WS_ISA_OPTIMISE_OPTIMISE_H

#include "isa/ir/walk.h"

/* Copies and constants into operands; MOVs that become dead stay. */
void ws_propagate_copies(WsIrFunction *function);
/* Gives every value that does not meet another one a register of its own. */
void ws_split_webs(WsIrFunction *function);
/* Makes results where they are copied to. */
void ws_retarget_copies(WsIrFunction *function);
/* Logic of predicates into the comparisons that feed it; the comparisons become dead. */
void ws_fuse_logic(WsIrFunction *function);
/* Selections between a value and what is made of it: made under the predicate. Leaves MOVs. */
void ws_select_in_place(WsIrFunction *function);
/* Addresses of shared variables (shared_base.c): out of loops; then MOVs where code stands. */
void ws_hoist_shared_bases(WsIrFunction *function);
void ws_finish_shared_bases(WsIrFunction *function);
/* What was made before on all paths is not made again. Leaves MOVs. */
void ws_share_subexpressions(WsIrFunction *function);
/* Removes instructions whose results nobody reads; discards unread results. */
void ws_remove_dead_code(WsIrFunction *function);
/* Jump threading, guarded exits, merging, unreachable blocks. */
void ws_simplify_blocks(WsIrFunction *function);
/* At the end of a loop @P EXIT and a branch back become @!P BRA and EXIT. Wants layout order. */
void ws_turn_exits(WsIrFunction *function);
/* Loads of neighbouring words of shared memory into one of 64 or 128 bits. Leaves MOVs. */
void ws_merge_loads(WsIrFunction *function);
/* Constant operands become loads, LDC and ULDC, and registers. */
void ws_load_constants(WsIrFunction *function);
/*
 * The loads that compiled kernels for Hopper begin with, the descriptor of global memory from where
 * they have it: right in front of the parameters. Dead code would be removed.
 */
void ws_load_prologue(WsIrFunction *function, guint32 parameter_base);
/* Constants that loops need in registers: made in front of them. */
void ws_hoist_constants(WsIrFunction *function);
/*
 * Block order: reverse post-order, loops kept together where the graph allows it. With `cold_last`
 * cold blocks stand behind all others.
 */
void ws_order_blocks(WsIrFunction *function, gboolean cold_last);
/*
 * Calls of subroutines (isa/ir/divide.h) end blocks from here on, their target is the block of the
 * body, which is appended and ends with RET, and all calls of one have the same registers. Wants
 * layout order.
 */
void ws_place_subroutines(WsIrFunction *function);
/* Predicates short bodies of branches. */
void ws_if_convert(WsIrFunction *function);

#endif
