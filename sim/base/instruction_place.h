/* Where an instruction stands, in the words that its author knows. */
#ifndef WS_SIM_BASE_INSTRUCTION_PLACE_H
#define WS_SIM_BASE_INSTRUCTION_PLACE_H

#include "isa/bytecode/program.h"

/*
 * "saxpy.cu:12 (LDG)"; "saxpy.ptx:30 (LDG)" and "saxpy.cu:PTX line 30 (LDG)" where only the PTX is
 * known; "instruction 7 (LDG)" if nothing is. Barriers of CUDA C are called as in the source:
 * __syncthreads, __syncwarp; a join by what ends there: "saxpy.cu:12 (end of while)", and a branch
 * names what it is of: "saxpy.cu:12 (BRA of while)". Free with g_free.
 */
char *ws_instruction_place(const WsProgram *program, guint32 pc);

/* Whether the WARPSYNC.ALL at `pc` is for the block barrier behind it, not for a shuffle or so. */
gboolean ws_meets_for_barrier(const WsProgram *program, guint32 pc);

/*
 * File and line an instruction is counted for, those of the user's code where it lies in Warpstep's
 * CUDA header; both 0 if not known.
 */
void ws_line_of_instruction(const WsProgram *program, guint32 instruction, guint32 *ret_file,
                            guint32 *ret_line);

/* Byte address of an instruction, as the disassembler writes it. */
static inline guint32 ws_instruction_address(guint32 instruction)
{
    return instruction * WS_INSTRUCTION_BYTES;
}

#endif
