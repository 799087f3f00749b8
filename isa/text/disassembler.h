/*
 * Bytecode to text. The text of an instruction is canonical: assembling it gives the same 16 bytes.
 *
 *   @!P0 FFMA.FTZ R1, R2.reuse, -|R3|, c[0x0][0x210] {stall=4 wr=0 rd=1 wait=0x3} ;
 *
 * Control information is left out where it is all zero without barriers. Immediates of float
 * sources are decimal where that is exact ("1.5", "+INF"), all others hexadecimal.
 */
#ifndef WS_ISA_TEXT_DISASSEMBLER_H
#define WS_ISA_TEXT_DISASSEMBLER_H

#include "isa/bytecode/program.h"

/*
 * Text of one instruction, without ";", to be freed. A target is written as the label in front of
 * that instruction if `labels` (one entry an instruction, NULL where there is none) has it, else as
 * the byte address "0x40". Virtual registers of a front end are written V0, V0.1 (word 1), VP0. The
 * instruction need not be valid, but its opcode must be below ws_opcode_count.
 */
char *ws_instruction_to_text(const WsInstruction *instruction, char *const *labels);
void ws_instruction_append_text(GString *out, const WsInstruction *instruction,
                                char *const *labels);

typedef struct {
    gboolean words;   /* the packed form in hexadecimal, as two 64-bit numbers, low half first */
    gboolean sources; /* PTX line and source line beside each instruction, where known */
    gboolean control; /* control information */
    gboolean effects; /* what each instruction does, from the table */
} WsDisassembleOptions;

/*
 * The whole program, in the syntax of the assembler: directives, labels (made up where a target has
 * none), one instruction a line with its byte address in a comment. To be freed.
 */
char *ws_disassemble(const WsProgram *program, const WsDisassembleOptions *options);

#endif
