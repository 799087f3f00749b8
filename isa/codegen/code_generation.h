/*
 * From the intermediate form to a program: scheduling, registers, control fields, layout.
 * code_generation.c has the order of all passes. Front ends call ws_ir_compile() alone.
 */
#ifndef WS_ISA_CODEGEN_CODE_GENERATION_H
#define WS_ISA_CODEGEN_CODE_GENERATION_H

#include "isa/ir/walk.h"

/*
 * Lowers a module to a program: dead code, if-conversion, convergence barriers, scheduling,
 * register allocation, layout. `kernel.registers` of a function is the cap its source sets
 * (.maxnreg), 0 = none. Takes nothing of `module`. A kernel that cannot meet its cap is refused
 * like those of the front end. Errors: WS_ERROR_INPUT, where no kernel is left.
 */
WsProgram *ws_ir_compile(const WsIrModule *module, const WsCompileOptions *options, GError **error);

/* The same; `ret_functions` gets the functions of WsProgram.kernels as they came out. */
WsProgram *ws_ir_compile_kept(const WsIrModule *module, const WsCompileOptions *options,
                              GPtrArray **ret_functions, GError **error);

/* ---- the passes, for code_generation.c and tests ------------------------------------------------
 */

/*
 * Reorders instructions inside blocks. `cap` is the number of registers a thread may have; up to
 * `free` of them cost nothing. As ptxas does it: `early`, while predicates are virtual, and again
 * when they have registers, whose other values are waited for.
 */
void ws_schedule_instructions(WsIrFunction *function, const WsCompileOptions *options, guint cap,
                              guint free, gboolean early);
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

#endif
