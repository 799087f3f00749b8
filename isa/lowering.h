/*
 * The passes between the intermediate form and a program, and what they share. Internal to code
 * generation; front ends call ws_ir_compile() alone.
 *
 * code_generation.c has their order. Block order is layout order from ws_order_blocks() on.
 */
#ifndef WS_ISA_LOWERING_H
#define WS_ISA_LOWERING_H

#include "isa/accesses.h"
#include "isa/control_flow.h"
#include "isa/ir.h"
#include "isa/operand.h"

/* ---- walking ----------------------------------------------------------------------------------
 */

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

static inline gboolean ws_is_guarded(const WsInstruction *instruction)
{
    return instruction->guard != WS_PT || instruction->guard_negated;
}

/* ---- variables: words of virtual registers, then virtual predicates ----------------------------
 */

typedef struct {
    guint32 *first;     /* per virtual register: its first word */
    guint32 word_count; /* words of all registers */
    guint32 count;      /* words and predicates */
} WsVariables;

void ws_variables_init(WsVariables *ret, const WsIrFunction *function);
void ws_variables_clear(WsVariables *variables);
/* Number of variables (0 for what is not virtual) and the first of them. */
guint ws_variables_of(const WsVariables *variables, const WsAccess *access, guint32 *ret_first);
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

/* ---- passes ------------------------------------------------------------------------------------
 */

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
/* The loads that compiled kernels for Hopper begin with. Dead code would be removed. */
void ws_load_prologue(WsIrFunction *function);
/* Constants that loops need in registers: made in front of them. */
void ws_hoist_constants(WsIrFunction *function);
/*
 * Block order: reverse post-order, loops kept together where the graph allows it. With `cold_last`
 * cold blocks stand behind all others.
 */
void ws_order_blocks(WsIrFunction *function, gboolean cold_last);
/*
 * Calls of subroutines (isa/divide.h) end blocks from here on, their target is the block of the
 * body, which is appended and ends with RET, and all calls of one have the same registers. Wants
 * layout order.
 */
void ws_place_subroutines(WsIrFunction *function);
/* Predicates short bodies of branches. */
void ws_if_convert(WsIrFunction *function);
/* BSSY, BSYNC and YIELD. New blocks may be added at the end. */
void ws_place_convergence(WsIrFunction *function);
/*
 * Reorders instructions inside blocks. `cap` is the number of registers a thread may have; up to
 * `free` of them cost nothing. As ptxas does it: `early`, while predicates are virtual, and again
 * when they have registers, whose other values are waited for.
 */
void ws_schedule(WsIrFunction *function, const WsCompileOptions *options, guint cap, guint free,
                 gboolean early);
/* Registers a thread may have, by the kernel's directives and the options. */
guint ws_register_cap(const WsKernel *kernel, const WsCompileOptions *options);
/*
 * Registers of a thread up to which an SM of Hopper has as many warps as all else lets it have:
 * warps and blocks that it holds, static shared memory, threads of a block (1024 if the kernel does
 * not say) and the blocks that the kernel asks for. So does ptxas 13.0 for sm_90: a kernel that
 * takes 32 takes up to 37 under __launch_bounds__(64) with 8 KiB of shared memory (24 blocks), 45
 * with 256 threads and 47 KiB (4 blocks), 62 with 32 threads (32 blocks), 119 with 2 blocks of 256.
 */
guint ws_register_goal(const WsKernel *kernel);
/*
 * Replaces virtual predicates by physical ones; those that do not fit are made again or kept in
 * registers. Errors: WS_ERROR_INPUT.
 */
gboolean ws_allocate_predicates(WsIrFunction *function, GError **error);
/*
 * Replaces virtual registers by physical ones and spills what does not fit. Sets registers,
 * local_bytes and spill_bytes of function->kernel. With `spread` registers read together go to
 * different banks where the goal leaves places; else the lowest free ones are taken. Errors:
 * WS_ERROR_INPUT.
 */
gboolean ws_allocate_registers(WsIrFunction *function, guint cap, gboolean spread, GError **error);
/* Merges registers that are copies of each other and never live at once; drops the MOVs. */
void ws_coalesce_registers(WsIrFunction *function);
/*
 * Additions, shifts and halves to the pipe that has done less; with `moves`, when registers are
 * allocated and no copy can go any more, only moves.
 */
void ws_balance_pipes(WsIrFunction *function, gboolean moves);
/*
 * Flags operands that the next instruction of the same pipe reads again in the same slot, if no
 * longer stall count lies between. Wants ws_set_control() before.
 */
void ws_mark_reuse(WsInstruction *instructions, guint count);
/* Stall counts, barriers and wait masks of a laid out kernel of physical registers. */
void ws_set_control(WsInstruction *instructions, guint32 count, const WsCompileOptions *options);

/* ---- latencies ---------------------------------------------------------------------------------
 */

/* How a result is used: a guard decides before operands are read. */
typedef enum { WS_READ_VALUE, WS_READ_PREDICATE, WS_READ_GUARD } WsReadKind;
WsReadKind ws_read_kind(const WsAccess *access);

/* Cycles from issue of `producer` to issue of a consumer of its result. */
guint ws_class_latency(WsClass execution_class, const WsCompileOptions *options);
guint ws_dependence_latency(const WsInstruction *producer, const WsInstruction *consumer,
                            WsReadKind kind, const WsCompileOptions *options);
/* TRUE where the latency is not fixed, or too long for a stall count: consumers wait for a barrier.
 */
gboolean ws_is_variable_latency(const WsInstruction *instruction, const WsCompileOptions *options);

#endif
