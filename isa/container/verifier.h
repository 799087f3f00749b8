/*
 * The verifier: rejects every program that could make the simulator misbehave. It is run on all
 * that is assembled, compiled or loaded.
 *
 * Checked for each instruction: operands and modifiers (isa/bytecode/instruction_check.h), register
 * numbers within the kernel's count, constants within their bank, targets inside the same kernel
 * and the rows of a BRX table. For each kernel: its range, 1 to 255 registers, parameters inside
 * their area without overlap, limits, that control cannot run past its end, and that an EXIT can be
 * reached. For the program: variables inside their space, locations and files in range, unique
 * kernel names.
 */
#ifndef WS_ISA_CONTAINER_VERIFIER_H
#define WS_ISA_CONTAINER_VERIFIER_H

#include "isa/bytecode/program.h"

/*
 * Errors: WS_ERROR_INPUT, at the source position of the instruction where it is known, and with the
 * kernel and the instruction's byte address.
 */
gboolean ws_verify(const WsProgram *program, GError **error);

/* Of one kernel only what is checked of a kernel, which need not be in `program->kernels` yet. */
gboolean ws_verify_kernel(const WsProgram *program, const WsKernel *kernel, GError **error);

#endif
