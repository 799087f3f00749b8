/*
 * The assembler: `.wsasm` text to a program.
 *
 *   // comments: //, # and / * * /
 *   .kernel axpy                     starts a kernel; everything up to the next one belongs to it
 *   .param u64 y                     parameters, in order; by natural alignment from the base
 *   .param f32 a                     c[y] or c[0x0][y] names one, c[y+4] its second word
 *   .registers 16                    registers of a thread (else counted)
 *   .shared 1024  .local 16          bytes of static shared memory, of local memory of a thread
 *   .reqntid 64  .maxntid 256  .minnctapersm 2
 *   .reconvergence manual            leave BSSY and BSYNC to the programmer
 *   .loc "axpy.cu" 12                source of the instructions that follow
 *
 *       S2R R0, SR_TID.X ;
 *       ISETP.GE P0, R0, 16 ;
 *   @P0 BRA done ;
 *       LDC.64 R2, c[y] ;
 *       IMAD.WIDE.U32 R2, R0, 4, R2 ;
 *       LDG.E R4, [R2+0x10] {wr=0} ;
 *       FFMA.yield R4, R4.reuse, 1.5, -|R4| {stall=2 wait=0x1} ;
 *   done:
 *       EXIT ;
 *
 * Outside of kernels, `.global type name[count] = v, v` makes a variable in device memory and
 * `.const type name[count] = v, v` one in constant bank 3. The name of a variable as an immediate
 * is its address; c[name] reads a constant one.
 *
 * One instruction a line, or several with ";" between them. Mnemonics, modifiers and registers may
 * be written in any case, modifiers in any order. Operands at their default may be left out as
 * isa/bytecode/text_form.h says. A number as the target of a branch is a byte address in the
 * program. In float instructions "2", "1.5", "1e-3", "+INF" and "QNAN" are values, 0x40000000 is
 * the bits; an immediate of packed halves may be two values, that of the high half first, as SASS
 * writes it (HFMA2 R0, R1, 1.5, 0, R2). Control information stands in braces behind the
 * instruction: stall=0..15, yield, wr=0..5, rd=0..5, wait=mask.
 *
 * A kernel without any BSSY, BSYNC, BREAK or BMOV gets its convergence barriers placed
 * (isa/flow/reconvergence.h), unless `.reconvergence manual` is given.
 */
#ifndef WS_ISA_TEXT_ASSEMBLER_H
#define WS_ISA_TEXT_ASSEMBLER_H

#include "isa/bytecode/program.h"

enum { WS_MAX_ASSEMBLER_BYTES = 16 * 1024 * 1024 };

/*
 * Assembles and verifies. `path` is for messages and locations; the file is not read. Of `options`
 * only the parameter base counts; NULL means the defaults. Errors: WS_ERROR_INPUT with position,
 * what was expected and the nearest valid spelling.
 */
WsProgram *ws_assemble(const char *path, const char *text, gsize length,
                       const WsCompileOptions *options, GError **error);

/* One instruction, without labels: targets are byte addresses. */
gboolean ws_assemble_instruction(const char *text, WsInstruction *ret, GError **error);

#endif
